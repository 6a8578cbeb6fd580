//! Facts about airports that anybody can check in an atlas.

use chrono::{NaiveDate, NaiveDateTime};
use rust_decimal::Decimal;
use wayfare_reference::{Airport, airport, airports};

fn the(iata: &str) -> &'static Airport {
    airport(iata).unwrap_or_else(|| panic!("no airport {iata}"))
}

fn at(year: i32, month: u32, day: u32, hour: u32, minute: u32) -> NaiveDateTime {
    NaiveDate::from_ymd_opt(year, month, day).unwrap().and_hms_opt(hour, minute, 0).unwrap()
}

#[test]
fn delhi_is_where_it_is() {
    let delhi = the("DEL");
    assert_eq!(delhi.name, "Indira Gandhi International Airport");
    assert_eq!((delhi.city, delhi.iso_country, delhi.country), ("New Delhi", "IN", "India"));
    assert_eq!(delhi.time_zone, wayfare_domain::Zone::KOLKATA);
    assert_eq!(delhi.point.latitude(), Decimal::new(28_566_500, 6));
    assert_eq!(delhi.point.longitude(), Decimal::new(77_103_100, 6));
}

#[test]
fn countries_have_the_names_travellers_use() {
    let name = |iata| the(iata).country;
    assert_eq!([name("LHR"), name("JFK"), name("ICN")], ["United Kingdom", "United States", "South Korea"]);
    assert_eq!([name("PRN"), name("SGN"), name("ABJ")], ["Kosovo", "Vietnam", "Côte d'Ivoire"]);
    let odd: Vec<_> =
        airports().iter().filter(|a| a.country.contains(['(', '[', ','])).map(|a| a.country).collect();
    assert!(odd.is_empty(), "{odd:?}");
}

#[test]
fn airports_of_one_city_share_its_code() {
    assert_eq!([the("LHR").city_code, the("LGW").city_code, the("DEL").city_code], ["LON", "LON", "DEL"]);
}

#[test]
fn an_unknown_or_lower_case_code_is_no_airport() {
    assert_eq!(airport("QQQ"), None);
    assert_eq!(airport("del"), None);
    assert_eq!(airport(""), None);
}

#[test]
fn offsets_follow_the_zone_and_the_season() {
    assert_eq!(the("DEL").utc_offset_on(at(2026, 7, 1, 12, 0)), "+05:30");
    assert_eq!(the("KTM").utc_offset_on(at(2026, 7, 1, 12, 0)), "+05:45");
    assert_eq!(the("JFK").utc_offset_on(at(2026, 7, 1, 12, 0)), "-04:00");
    assert_eq!(the("JFK").utc_offset_on(at(2026, 12, 1, 12, 0)), "-05:00");
    assert_eq!(the("LHR").utc_offset_on(at(2026, 12, 1, 12, 0)), "+00:00");
}

#[test]
fn an_hour_the_clocks_skip_or_repeat_has_an_offset_too() {
    assert_eq!(the("LHR").utc_offset_on(at(2026, 3, 29, 1, 30)), "+00:00", "skipped: as before the move");
    assert_eq!(the("LHR").utc_offset_on(at(2026, 10, 25, 1, 30)), "+01:00", "shown twice: the first");
}

#[test]
fn local_times_and_instants_are_each_others_way_back() {
    let local = at(2026, 7, 1, 23, 15);
    for iata in ["DEL", "KTM", "JFK", "AKL", "HNL"] {
        assert_eq!(the(iata).local_time_at(the(iata).instant_of(local)), local);
    }
}

#[test]
fn distances_are_great_circles() {
    let near = |from, to, expected: u32| {
        let km = the(from).distance_km(the(to));
        assert!(km.abs_diff(expected) * 200 <= expected, "{from}-{to}: {km} km, expected about {expected}");
        assert_eq!(km, the(to).distance_km(the(from)));
    };
    near("DEL", "BOM", 1_138);
    near("LHR", "JFK", 5_555);
    near("AKL", "DOH", 14_526);
    near("HND", "SFO", 8_280);
    assert_eq!(the("DEL").distance_km(the("DEL")), 0);
}
