//! The same of hotels: reading a supplier's answer and pricing it, for each rate.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region};
use wayfare_bench::hotels::empty;
use wayfare_domain::{Clock, Currency};
use wayfare_hotels::{HotelResults, Query, RoomGuests, SearchArea, hotelbeds, liteapi};
use wayfare_operations::{SupplierReport, Tariff, hotels::CachedHotels};
use wayfare_supply::Answer;

use crate::{Counts, OFFERS, counted, hotelbeds_answer, liteapi_answer};

fn now() -> DateTime<Utc> {
    "2026-05-02T11:40:15Z".parse().unwrap()
}

fn query() -> Query {
    Query {
        check_in: "2026-06-16".parse().unwrap(),
        check_out: "2026-06-19".parse().unwrap(),
        rooms: vec![RoomGuests { adults: 2, children_ages: Vec::new() }],
        area: SearchArea::Hotels(vec!["1".to_owned()]),
        nationality: "IN".to_owned(),
        language: "en".to_owned(),
    }
}

fn of(counts: &mut Counts, supplier: &str, tariff: &Tariff, read: impl FnOnce(&Query) -> HotelResults) {
    let query = query();
    let mut session = empty(&query, &Clock::system());
    let report = SupplierReport::unanswered(supplier, Duration::ZERO);
    let before = Region::new(&INSTRUMENTED_SYSTEM);
    let found = counted(counts, &format!("{supplier} read"), || read(&query));
    let rates: usize = found.hotels.iter().map(|hotel| hotel.rates.len()).sum();
    assert_eq!(rates, OFFERS, "{:?}", found.unusable);
    counted(counts, &format!("{supplier} price"), || {
        session.add(tariff, report, Some(Answer::Done(Arc::new(CachedHotels::from(found)))));
    });
    let priced: usize = session.hotels.iter().map(|hotel| hotel.prices.len()).sum();
    assert_eq!(priced, OFFERS, "{:?}", session.reports);
    let change = before.change();
    let kept = change.bytes_allocated - change.bytes_deallocated;
    counts.insert(format!("{supplier} kept bytes"), kept as f64 / OFFERS as f64);
}

pub fn count(counts: &mut Counts, tariff: &Tariff) {
    let (streamed, listed) = (liteapi_answer::of(OFFERS), hotelbeds_answer::of(OFFERS));
    of(counts, "liteapi", tariff, |query| {
        liteapi::read::search(&streamed, query, Currency::INR, now()).unwrap()
    });
    of(counts, "hotelbeds", tariff, |query| hotelbeds::read::search(&listed, query, now()).unwrap());
}
