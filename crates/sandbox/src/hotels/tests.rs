//! What holds for every hotel of the world.

use std::collections::HashSet;

use chrono::{DateTime, Days, NaiveDate, Utc};
use rust_decimal::{Decimal, dec};
use wayfare_reference::{City, cities, city_named};

use super::*;
use crate::tariff::Tariff;

const SEED: u64 = 42;

fn now() -> DateTime<Utc> {
    "2027-01-10T12:00:00Z".parse().unwrap()
}

fn stay(nights: u64) -> Stay {
    let check_in = NaiveDate::from_ymd_opt(2027, 2, 19).unwrap();
    Stay { check_in, check_out: check_in + Days::new(nights) }
}

fn guests(adults: u8, children: &[u8]) -> Guests {
    Guests { adults, children: children.to_vec() }
}

fn rupees() -> Tariff {
    Tariff::in_currency("INR").unwrap()
}

fn mumbai() -> &'static City {
    city_named("Mumbai", None).unwrap()
}

#[test]
fn a_hotel_is_found_by_its_id_and_the_same_again() {
    for city in cities().iter().step_by(1_511) {
        let hotels: Vec<Hotel> = hotels_in(SEED, city).collect();
        assert!((10..=60).contains(&hotels.len()));
        let names: HashSet<String> = hotels.iter().map(Hotel::name).collect();
        assert_eq!(names.len(), hotels.len(), "names in {}", city.name);
        for hotel in hotels {
            let again = Hotel::of(SEED, hotel.id).unwrap();
            assert_eq!(again.description(), hotel.description());
            let [ours, same] = [hotel, again].map(|hotel| hotel.rates(&rupees(), stay(3), &guests(2, &[])));
            assert_eq!(same, ours);
        }
    }
    let nowhere = HotelId { city: 1, place: 0 };
    assert!(Hotel::of(SEED, nowhere).is_none());
    let no_such = HotelId { city: mumbai().code, place: 60 };
    assert!(Hotel::of(SEED, no_such).is_none());
}

#[test]
fn hotels_around_a_point_are_all_of_those_within() {
    let mumbai = mumbai();
    let around = |radius_m| {
        let area = Area { latitude: mumbai.point.latitude(), longitude: mumbai.point.longitude(), radius_m };
        let ids = hotels_within(SEED, area).map(|hotel| hotel.id);
        ids.collect::<HashSet<HotelId>>()
    };
    assert!(around(3_000).is_subset(&around(20_000)));
    let all: HashSet<HotelId> = hotels_in(SEED, mumbai).map(|hotel| hotel.id).collect();
    assert!(all.is_subset(&around(18_000)));
    assert!(!all.is_subset(&around(5_000)));
    assert!(around(400_000).len() > 2_000);
}

#[test]
fn prices_are_exact_and_follow_from_who_stays_when_and_how() {
    let tariff = rupees();
    for hotel in hotels_in(SEED, mumbai()) {
        let rates = hotel.rates(&tariff, stay(3), &guests(2, &[]));
        assert!(!rates.is_empty());
        for rate in &rates {
            assert_eq!(rate.nights.len(), 3);
            assert!(rate.nights.iter().all(|night| night.scale() == 2 && *night > Decimal::ZERO));
            assert!(rate.tax > Decimal::ZERO && rate.tax < rate.total() / dec!(4));
            let steps: Vec<Decimal> = rate.steps.iter().map(|step| step.penalty).collect();
            match rate.key.terms {
                Terms::NonRefundable => assert!(steps.is_empty() && rate.penalty_at(now()) == rate.total()),
                Terms::Flexible => {
                    let last = rate.steps.last().unwrap();
                    match rate.is_undated() {
                        true => assert_eq!(steps, [rate.total()]),
                        false => assert_eq!(steps, [rate.nights[0], rate.total()]),
                    }
                    assert_eq!(rate.penalty_at(now()), Decimal::ZERO);
                    assert_eq!(rate.penalty_at(last.from), rate.total());
                }
            }
            let key = rate.key;
            let of = |party: &Guests| hotel.rate(&tariff, stay(3), party, key).map(|rate| rate.total());
            let (two, alone) = (rate.total(), of(&guests(1, &[])).unwrap());
            assert!(alone <= two);
            if let (Some(with_infant), Some(with_child)) = (of(&guests(2, &[1])), of(&guests(2, &[8]))) {
                assert!(with_infant == two && with_child > two);
                if let Some(three) = of(&guests(3, &[])) {
                    assert!(with_child < three);
                }
            }
            let dearer = rate.moved(&tariff, dec!(10));
            assert!((dearer.total() - rate.total() * dec!(1.1)).abs() < dec!(0.05));
            let last_penalty = dearer.steps.last().map(|step| step.penalty);
            assert_eq!(last_penalty, rate.steps.last().map(|_| dearer.total()));
        }
    }
}

#[test]
fn what_is_due_at_the_hotel_is_in_the_money_of_the_country() {
    for (name, currency) in
        [("Mumbai", "INR"), ("Paris", "EUR"), ("Zürich", "CHF"), ("Tokyo", "JPY"), ("Lomé", "USD")]
    {
        let city = city_named(name, None).unwrap();
        for hotel in hotels_in(SEED, city) {
            assert_eq!(hotel.local_money().unwrap().currency, currency, "{name}");
            for rate in hotel.rates(&rupees(), stay(2), &guests(2, &[])) {
                assert!(
                    rate.due_there.iter().all(|due| due.currency == currency && due.amount > Decimal::ZERO)
                );
            }
        }
    }
    let due = |hotel: &Hotel| !hotel.rates(&rupees(), stay(2), &guests(2, &[]))[0].due_there.is_empty();
    let some = cities().iter().take(40).filter_map(|city| hotels_in(SEED, city).next());
    let (with, without): (Vec<Hotel>, Vec<Hotel>) = some.partition(due);
    assert!(with.len() > 5 && without.len() > 5);
}

#[test]
fn free_cancellation_ends_in_the_evening_where_the_hotel_is() {
    let hotel = hotels_in(SEED, mumbai()).next().unwrap();
    let until = hotel.free_until(stay(2));
    assert_eq!(until.to_rfc3339().split_once('T').unwrap().1, "12:30:00+00:00");
    assert!(until < hotel.lost_from(stay(2)));
}
