//! Searches and content of Hotelbeds over real sockets: what is asked, and what of it is read.

use crate::answers::ending;
use crate::brief;
use crate::hotelbeds_bodies::*;
use serde_json::{Value, json};
use wayfare_domain::Clock;
use wayfare_hotels::hotelbeds::{Hotelbeds, NoSecret};
use wayfare_hotels::{HotelContent, HotelFee, HotelSupplier, PaymentPlace, SearchArea};
use wayfare_stub_server::{Reply, StubServer, reply};
use wayfare_supply::{Answer, SupplierHttp};

fn palma() -> SearchArea {
    SearchArea::City {
        name: "Pálma".to_owned(),
        country: "ES".to_owned(),
        latitude: "39.5696".parse().unwrap(),
        longitude: "2.6502".parse().unwrap(),
    }
}

#[tokio::test]
async fn a_search_is_signed_and_has_one_occupancy_for_each_kind_of_room() {
    let stub = StubServer::with_side([ok(&found(&[]))], content()).await;
    done(hotelbeds(&stub).search(&query(hotels(&["74400", "1"]))).await);
    let asked = stub.only();
    assert_eq!(asked.line, "POST /hotel-api/1.0/hotels");
    let headers: Vec<&str> = asked.headers.lines().collect();
    for header in [
        "api-key: hb_key".to_owned(),
        format!("x-signature: {SIGNATURE}"),
        "accept: application/json".to_owned(),
        "accept-encoding: gzip".to_owned(),
        "content-type: application/json".to_owned(),
    ] {
        assert!(headers.contains(&header.as_str()), "{header} is not in {headers:?}");
    }
    assert!(!asked.headers.contains("secret"));
    let expected = json!({
        "stay": {"checkIn": "2026-05-01", "checkOut": "2026-05-04"},
        "occupancies": [
            {"rooms": 2, "adults": 2, "children": 0},
            {"rooms": 1, "adults": 1, "children": 1, "paxes": [{"type": "CH", "age": 7}]}
        ],
        "hotels": {"hotel": [74400, 1]},
        "sourceMarket": "UK",
        "language": "ENG"
    });
    assert_eq!(asked.body, expected);
}

/// A place, and the circle that is asked for.
const CIRCLES: &str = r#"
{"city": {"name": "Pálma", "country": "ES", "latitude": "39.5696", "longitude": "2.6502"}} | {"latitude": 39.5696, "longitude": 2.6502, "radius": 20, "unit": "km"}
{"airport": {"code": "PMI", "latitude": "39.55", "longitude": "2.73"}} | {"latitude": 39.55, "longitude": 2.73, "radius": 25, "unit": "km"}
{"around": {"latitude": "-33.9", "longitude": "18.4", "radius_m": 1500}} | {"latitude": -33.9, "longitude": 18.4, "radius": 1.5, "unit": "km"}"#;

#[tokio::test]
async fn a_place_is_a_circle_and_nothing_is_asked_of_their_content() {
    for line in CIRCLES.trim().lines() {
        let (place, geolocation) = line.split_once(" | ").unwrap();
        let body = found(&[hotel(74400, &[couples("key", json!("300.10"))])]);
        let stub = StubServer::start([ok(&body)]).await;
        done(hotelbeds(&stub).search(&query(serde_json::from_str(place).unwrap())).await);
        let body = stub.only().body;
        assert_eq!(body.get("destination"), None, "{place}");
        assert_eq!(body["geolocation"], serde_json::from_str::<Value>(geolocation).unwrap(), "{place}");
        assert_eq!(body.get("hotels"), None);
    }
}

#[tokio::test]
async fn what_hotels_are_completes_what_was_found_and_their_words_are_asked_for_once() {
    let body = found(&[hotel(74400, &[couples("dear", json!("310.00")), couples("cheap", json!(300.1))])]);
    let stub = StubServer::with_side([ok(&body)], content()).await;
    let hotelbeds = hotelbeds(&stub);
    let found = done(hotelbeds.search(&query(hotels(&["74400"]))).await);
    assert_eq!(found.unusable, Vec::<String>::new());
    assert!(stub.side_requests().is_empty(), "nothing is asked beside a search");
    let [mut hotel] = found.hotels.try_into().unwrap();
    assert_eq!((&hotel.property_type, hotel.images.len()), (&None, 0));
    for _ in 0..2 {
        let told = done(hotelbeds.content(&["74400", "lp1897", "5"], "ENG").await);
        let [content] = told.try_into().unwrap();
        let stored = serde_json::to_string(&content).unwrap();
        assert_eq!(serde_json::from_str::<HotelContent>(&stored).unwrap(), content);
        content.complete(&mut hotel);
    }
    let urls: Vec<&str> = hotel.images.iter().map(|image| image.url.as_str()).collect();
    let tokens: Vec<&str> = hotel.rates.iter().map(|rate| rate.token.as_str()).collect();
    let (told, rate) = (brief::hotel(&hotel), brief::rate(&hotel.rates[0]));
    insta::assert_snapshot!(
        "hotelbeds_found",
        format!(
            "{told}
{urls:?} {tokens:?}
{rate}"
        )
    );
    let beside: Vec<String> = stub.side_requests().into_iter().map(|asked| asked.line).collect();
    let common = "fields=all&language=ENG&useSecondaryLanguage=true&from=1&to=1000";
    let lists = ["accommodations", "facilities", "imagetypes"];
    let mut expected: Vec<String> =
        lists.iter().map(|list| format!("GET /hotel-content-api/1.0/types/{list}?{common}")).collect();
    assert_eq!(beside.len(), 5, "{beside:?}");
    for page in &beside[3..] {
        assert!(
            page.starts_with("GET /hotel-content-api/1.0/hotels?codes=74400%2C5&fields=name%2C")
                && page.ends_with("&language=ENG&useSecondaryLanguage=true&from=1&to=100"),
            "{page}"
        );
        expected.push(page.clone());
    }
    assert_eq!(beside, expected, "words first, one after the other, and once");
}

#[tokio::test]
async fn content_that_fails_keeps_nothing() {
    for act in [
        reply(500, "<h1>no</h1>"),
        reply(403, r#"{"error":"Developer Over Rate"}"#),
        reply(200, "{"),
        reply(200, r#"{"total":0}"#),
        Reply::Hang,
        Reply::Cut(200, "{\"hotels\":[]}".to_owned()),
        Reply::Silence,
    ] {
        let stub = StubServer::with_side([], [("GET /hotel-content-api/", act.clone())]).await;
        let failed = hotelbeds(&stub).content(&["74400"], "ENG").await;
        assert!(matches!(failed, Answer::Unknown(_) | Answer::Unavailable(_)), "{act:?}: {failed:?}");
    }
}

#[tokio::test]
async fn content_tells_everything_and_leaves_out_whom_nobody_knows() {
    let stub = StubServer::with_side([], content()).await;
    let told = done(hotelbeds(&stub).content(&["74400", "lp1897", "5"], "ENG").await);
    let [content] = told.try_into().unwrap();
    let hotel = content.details;
    assert_eq!(hotel.description.as_deref(), Some("In the centre."));
    assert_eq!(hotel.phone.as_deref(), Some("3"));
    assert_eq!(hotel.email.as_deref(), Some("desk@example.com"));
    assert_eq!(hotel.amenities, ["Gym"]);
    assert_eq!(hotel.room_amenities, ["Wi-fi", "Hairdryer"]);
    assert_eq!(hotel.has_free_breakfast, None);
    let strangers = hotelbeds(&StubServer::nobody().await).content(&["lp1897"], "ENG").await;
    assert_eq!(done(strangers), []);
}

#[tokio::test]
async fn what_they_never_take_is_not_asked_for() {
    let hotelbeds = hotelbeds(&StubServer::nobody().await);
    let mut large = query(hotels(&["1"]));
    large.rooms = vec![guests(1, &[]); 10];
    let around = |radius_m| SearchArea::Around { latitude: 1.into(), longitude: 1.into(), radius_m };
    let many = |count: u32| SearchArea::Hotels((0..count).map(|code| code.to_string()).collect());
    for query in [large, query(hotels(&["lp1897"])), query(many(2_001)), query(around(200_001))] {
        assert!(hotelbeds.declines(&query).is_some(), "{:?}", query.area);
    }
    for place in [many(2_000), around(200_000), palma()] {
        assert_eq!(hotelbeds.declines(&query(place)), None);
    }
    is_refused(hotelbeds.search(&query(hotels(&["1/.."]))).await, "");
}

#[tokio::test]
async fn of_hotels_those_are_asked_for_that_can_be_theirs() {
    let stub = StubServer::with_side([ok(&found(&[]))], content()).await;
    let hotelbeds = hotelbeds(&stub);
    let mixed = query(hotels(&["x", "74400", "1/.."]));
    assert_eq!(hotelbeds.declines(&mixed), None);
    done(hotelbeds.search(&mixed).await);
    assert_eq!(stub.only().body["hotels"], json!({"hotel": [74400]}));
    assert!(hotelbeds.declines(&query(hotels(&["x", "1/.."]))).is_some());
}

#[tokio::test]
async fn a_hotel_that_is_told_twice_is_one_with_the_rates_of_both() {
    let body = found(&[
        hotel(74400, &[couples("dear", json!("300.10"))]),
        hotel(1, &[couples("other", json!("200.00"))]),
        hotel(74400, &[couples("cheap", json!("99.90")), couples("dear", json!("300.10"))]),
    ]);
    let stub = StubServer::with_side([ok(&body)], content()).await;
    let found = done(hotelbeds(&stub).search(&query(hotels(&["74400", "1"]))).await);
    let told: Vec<(&str, Vec<&str>)> = found
        .hotels
        .iter()
        .map(|hotel| {
            let tokens = hotel.rates.iter().map(|rate| rate.token.as_str());
            (hotel.id.as_str(), tokens.collect())
        })
        .collect();
    assert_eq!(told, [("74400", vec!["cheap", "dear"]), ("1", vec!["other"])]);
    assert_eq!(found.unusable, ["hotel 74400: a rateKey comes twice"]);
}

#[tokio::test]
async fn what_is_sold_in_packages_is_not_sold_alone() {
    let packaged = with(couples("packaged", json!("99.90")), &[("packaging", json!(true))]);
    let body = found(&[hotel(74400, &[packaged, couples("alone", json!("300.10"))])]);
    let stub = StubServer::with_side([ok(&body)], content()).await;
    let found = done(hotelbeds(&stub).search(&query(hotels(&["74400"]))).await);
    let tokens = found.hotels[0].rates.iter().map(|rate| rate.token.as_str());
    assert_eq!(tokens.collect::<Vec<_>>(), ["alone"]);
    assert_eq!(found.unusable, ["hotel 74400, room DBL.ST: is only sold in a package"]);
}

#[test]
fn discounts_that_leave_no_price_count_for_nothing() {
    let rate = only_rate(with(
        couples("key", json!("100.00")),
        &[
            (
                "taxes",
                json!({"taxes": [{"included": true, "amount": "120.00", "currency": "EUR", "type": "TAX"}]}),
            ),
            ("offers", json!([{"code": "1", "name": "Early", "amount": "-30.00"}])),
        ],
    ));
    assert_eq!(
        (rate.parts.rooms, rate.parts.taxes, rate.parts.discounts),
        (money("100.00"), money("0.00"), money("0.00"))
    );
}

#[test]
fn a_dictated_price_is_the_total_and_what_we_pay_less_is_commission() {
    for (mandatory, selling, total, commission) in [
        (json!(null), json!("320.00"), "300.10", None),
        (json!(false), json!("320.00"), "300.10", None),
        (json!(true), json!("320.00"), "320.00", Some("19.90")),
        (json!(true), json!(320), "320.00", Some("19.90")),
        (json!(true), json!(null), "300.10", None),
        (json!(true), json!("290.00"), "300.10", None),
    ] {
        let changes = [("hotelMandatory", mandatory.clone()), ("sellingRate", selling.clone())];
        let rate = only_rate(with(couples("key", json!("300.10")), &changes));
        let case = format!("{mandatory} {selling}");
        assert_eq!(rate.parts.total().unwrap(), money(total), "{case}");
        assert_eq!(rate.commission, commission.map(money), "{case}");
        assert_eq!(rate.minimum_price, commission.map(|_| money(total)), "{case}");
    }
}

#[test]
fn the_parts_of_a_price_always_add_up_and_fees_at_the_hotel_are_never_lost() {
    let tax = |included: bool, kind: &str, amount: Value, currency: &str| {
        json!({"included": included, "type": kind, "amount": amount, "currency": currency,
               "clientAmount": "5.00", "clientCurrency": "EUR"})
    };
    let taxes = |list: Value| ("taxes", json!({"taxes": list, "allIncluded": false}));
    let rate = |changes: &[(&str, Value)]| {
        let rate = only_rate(with(couples("key", json!("300.00")), changes));
        let parts = rate.parts;
        assert_eq!(parts.total().unwrap(), money("300.00"));
        rate
    };
    let both = rate(&[
        taxes(json!([
            tax(true, "TAX", json!("27.27"), "EUR"),
            tax(true, "FEE", json!(2.5), "EUR"),
            tax(false, "TAX", json!("1200"), "JPY"),
            tax(false, "FEE", json!("0.00"), "EUR"),
            tax(false, "TAXESANDFEES", json!("6.60"), "AFA"),
            {"included": false, "amount": "6.60", "currency": "???"}
        ])),
        ("offers", json!([{"code": "1", "amount": "-20.00"}, {"amount": -0.5}])),
    ]);
    assert_eq!(both.parts.taxes, money("27.27"));
    assert_eq!(both.parts.other_fees, money("2.50"));
    assert_eq!(both.parts.discounts, money("20.50"));
    assert_eq!(both.parts.rooms, money("290.73"));
    let fees: Vec<(&str, String)> = both
        .fees_at_hotel
        .iter()
        .map(|HotelFee { name, amount }| (name.as_str(), format!("{amount:?}")))
        .collect();
    // In the client's currency where the hotel's own is no money.
    assert_eq!(fees, [("Taxes", "1200 JPY".to_owned()), ("Taxes and fees", "5.00 EUR".to_owned())]);
    assert_eq!(both.remarks, ["Taxes to be paid at the hotel: 6.60 ???"]);
    for strange in [
        json!([tax(true, "TAX", json!("27.27"), "USD")]),
        json!([tax(true, "TAX", json!("-1.00"), "EUR")]),
        json!([tax(true, "TAX", json!("300.01"), "EUR")]),
    ] {
        let plain = rate(&[taxes(strange.clone())]);
        assert_eq!(plain.parts.rooms, money("300.00"), "{strange}");
    }
    let at_hotel = rate(&[("paymentType", json!("AT_HOTEL"))]);
    assert_eq!(at_hotel.payment, PaymentPlace::PayAtHotel);
}

#[test]
fn no_rate_promises_more_than_its_strictest_word() {
    let policy = |amount: &str, from: &str| json!({"amount": amount, "from": from});
    let passed = "2026-02-28T23:59:00+01:00";
    let to_come = "2026-04-29T23:59:00+02:00";
    for (class, policies, promotion, refundable) in [
        ("NOR", json!([policy("300.00", to_come)]), "042", Some(true)),
        ("NOR", json!([policy("300.00", passed)]), "042", Some(false)),
        ("NOR", json!([policy("150.00", passed)]), "042", Some(true)),
        ("NOR", json!([policy("300.00", to_come), policy("150.00", passed)]), "042", Some(true)),
        ("NOR", json!([]), "042", None),
        ("NOR", json!(null), "042", None),
        ("NRF", json!([policy("300.00", to_come)]), "042", Some(false)),
        ("NRF", json!([]), "042", Some(false)),
        ("NOR", json!([policy("150.00", to_come)]), "073", Some(false)),
    ] {
        let changes = [
            ("rateClass", json!(class)),
            ("cancellationPolicies", policies.clone()),
            ("promotions", json!([{"code": promotion, "name": "So it is"}])),
        ];
        let rate = only_rate(with(couples("key", json!("300.00")), &changes));
        assert_eq!(rate.policy.refundable, refundable, "{class} {policies} {promotion}");
        assert!(rate.policy.deadlines.is_sorted_by_key(|deadline| deadline.from));
        assert_eq!(rate.remarks, ["So it is"]);
    }
    let dearer = [("cancellationPolicies", json!([policy("999.00", to_come)]))];
    let rate = only_rate(with(couples("key", json!("300.00")), &dearer));
    let [deadline] = rate.policy.deadlines.try_into().unwrap();
    assert_eq!(deadline.fee, money("300.00"));
    assert_eq!(deadline.text, to_come);
    assert_eq!(deadline.from, "2026-04-29T21:59:00Z".parse::<chrono::DateTime<chrono::Utc>>().unwrap());
}

/// Policies as amounts from instants, what the public has to pay where the hotel dictates it, the class, and what is kept one after
/// the other.
const KEPT: &str = "\
150.00 2026-04-29T23:59:00+02:00                                             |        | NOR | 21:59 150.00
150.00 2026-04-29T23:59:00+02:00, 100.00 2026-04-30T12:00:00+02:00           |        | NOR | 21:59 150.00, 10:00 150.00
100.00 2026-04-30T12:00:00+02:00, 150.00 2026-04-30T12:00:00+02:00           |        | NOR | 10:00 100.00, 10:00 150.00
300.00 2026-04-30T00:30:00+05:30, 150.00 2026-04-29T13:00:00-05:00           |        | NOR | 18:00 150.00, 19:00 300.00
150.00 2025-04-29T23:59:00+02:00                                             |        | NOR | 21:59 150.00
150.00 2026-04-29T23:59:00+02:00, 300.00 2026-04-30T12:00:00Z                | 336.00 | NOR | 21:59 168.00, 12:00 336.00
300.01 2026-04-29T23:59:00+02:00                                             | 336.00 | NOR | 21:59 336.00
150.00 2026-04-29T23:59:00+02:00                                             |        | NRF | 21:59 300.00
0.00 2026-04-29T23:59:00+02:00                                               |        | NOR | 21:59 0.00";

#[test]
fn what_is_kept_is_as_large_a_part_of_the_price_and_never_becomes_less() {
    for line in KEPT.lines() {
        let cells = line.split('|').map(str::trim).collect::<Vec<_>>();
        let [policies, selling, class, kept] = cells.try_into().unwrap();
        let policy = |text: &str| {
            let (amount, from) = text.split_once(' ').unwrap();
            json!({"amount": amount, "from": from})
        };
        let policies: Vec<Value> = policies.split(", ").map(policy).collect();
        let changes = [
            ("rateClass", json!(class)),
            ("cancellationPolicies", json!(policies)),
            ("hotelMandatory", json!(!selling.is_empty())),
            ("sellingRate", json!(Some(selling).filter(|selling| !selling.is_empty()))),
        ];
        let rate = only_rate(with(couples("key", json!("300.00")), &changes));
        let shown = rate.policy.deadlines.iter();
        let shown = shown.map(|one| format!("{} {}", one.from.format("%H:%M"), one.fee));
        assert_eq!(shown.collect::<Vec<_>>().join(", "), kept, "{line}");
    }
}

#[tokio::test]
async fn what_can_not_be_used_costs_itself_and_says_why() {
    let rates = [
        couples("good", json!("300.00")),
        couples("good", json!("301.00")),
        couples("", json!("300.00")),
        couples("free", json!("0.00")),
        couples("negative", json!("-1.00")),
        couples("separators", json!("3,000.00")),
        with(couples("others", json!("300.00")), &[("rooms", json!(1))]),
        with(family("older", json!("300.00")), &[("childrenAges", json!("8"))]),
        with(
            couples("when", json!("300.00")),
            &[("cancellationPolicies", json!([{"amount": "1.00", "from": "soon"}]))],
        ),
    ];
    let mut strange = hotel(7, &[]);
    strange["currency"] = json!("XAU");
    let body = found(&[hotel(74400, &rates), strange, json!({}), hotel(8, &[])]);
    let stub = StubServer::with_side([ok(&body)], content()).await;
    let found = done(hotelbeds(&stub).search(&query(hotels(&["74400"]))).await);
    assert_eq!(found.hotels.len(), 1);
    // Terms that nobody can read promise nothing.
    let [good, when] = &found.hotels[0].rates[..] else { panic!("{:?}", found.hotels[0].rates) };
    assert!(!good.policy.deadlines.is_empty());
    assert_eq!((when.policy.refundable, when.policy.deadlines.len()), (None, 0));
    let reasons = found.unusable.join("\n");
    assert_eq!(found.unusable.len(), 9, "{reasons}");
    for word in [
        "a rateKey comes twice",
        "rateKey is missing",
        "net is zero",
        "net must not be negative",
        "3,000.00 is no amount",
        "it is for rooms that were not asked for",
        "hotel 7: currency",
        "a hotel: ",
    ] {
        assert!(reasons.contains(word), "{word} is not in {reasons}");
    }
}

#[tokio::test]
async fn each_fault_of_a_search_has_its_end() {
    for (act, expected) in [
        (ok(&json!({"hotels": {"total": 0}})), "done"),
        (ok(&json!({"auditData": {}})), "unknown"),
        (error("400 INVALID_DATA Check-in must be in the future."), "refused"),
        (error("500 SYSTEM_ERROR Internal server error"), "unknown"),
        (reply(403, r#"{"error":"Developer Over Qps"}"#), "unavailable"),
        (reply(429, ""), "unavailable"),
        (reply(503, ""), "unknown"),
        (reply(200, "<h1>hello</h1>"), "unknown"),
        (Reply::Cut(200, found(&[]).to_string()), "unknown"),
        (Reply::Hang, "unknown"),
        (Reply::Silence, "unknown"),
    ] {
        let stub = StubServer::start([act.clone()]).await;
        assert_eq!(ending(&hotelbeds(&stub).search(&query(hotels(&["1"]))).await), expected, "{act:?}");
        assert_eq!(stub.requests().len(), 1, "{act:?}");
    }
    let nobody = hotelbeds(&StubServer::nobody().await).search(&query(hotels(&["1"]))).await;
    assert_eq!(ending(&nobody), "unavailable");
}

#[tokio::test]
async fn errors_that_come_whole_are_failures_to_the_breaker_all_the_same() {
    let refusal = || error("500 PRODUCT_ERROR Stop sales");
    let stub = StubServer::start([refusal(), refusal(), refusal()]).await;
    let config = config(&stub.base_url).with(|config| config.limits.failures_to_open = 2);
    let http = SupplierHttp::new(config, Clock::frozen_at(now())).unwrap();
    let hotelbeds = Hotelbeds::new(http).unwrap();
    for _ in 0..2 {
        is_refused(hotelbeds.search(&query(hotels(&["1"]))).await, "");
    }
    is_unavailable(hotelbeds.search(&query(hotels(&["1"]))).await, "");
    assert_eq!(stub.requests().len(), 2);
}

#[test]
fn a_token_without_a_secret_is_refused_at_the_start() {
    let config = config("http://127.0.0.1:1").with(|config| config.token = "hb_key".into());
    let http = SupplierHttp::new(config, Clock::frozen_at(now())).unwrap();
    let refused = Hotelbeds::new(http).unwrap_err();
    assert_eq!(refused, NoSecret);
    assert!(!refused.to_string().contains("hb_key"));
}
