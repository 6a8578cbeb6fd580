//! The same of hotels: reading a supplier's answer and pricing it, for each rate.

use std::time::Duration;

use chrono::{DateTime, Utc};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region};
use uuid::Uuid;
use wayfare_domain::{Currency, OrganizationId, UserId};
use wayfare_hotels::{HotelResults, Query, RoomGuests, SearchArea, hotelbeds, liteapi};
use wayfare_operations::{
    SupplierReport, SupplierState, Tariff,
    hotels::{Criteria, Location, SearchSession},
};
use wayfare_supply::Answer;

use crate::{Counts, OFFERS, counted, hotelbeds_answer, liteapi_answer};

/// When all of it is asked for.
fn now() -> DateTime<Utc> {
    "2026-05-02T11:40:15Z".parse().unwrap()
}

fn query() -> Query {
    Query {
        check_in: "2026-06-16".parse().unwrap(),
        check_out: "2026-06-19".parse().unwrap(),
        rooms: vec![RoomGuests {
            adults: 2,
            children_ages: Vec::new(),
        }],
        area: SearchArea::Hotels(vec!["1".to_owned()]),
        nationality: "IN".to_owned(),
        language: "en".to_owned(),
    }
}

fn session(query: &Query) -> SearchSession {
    SearchSession {
        id: "counted".to_owned(),
        organization: OrganizationId::from_uuid(Uuid::from_u128(2)),
        user: UserId::from_uuid(Uuid::from_u128(3)),
        criteria: Criteria {
            check_in: query.check_in,
            check_out: query.check_out,
            rooms: query.rooms.clone(),
            location: Location::Place(query.area.clone(), None),
            nationality: query.nationality.clone(),
            language: query.language.clone(),
            currency: Currency::INR,
        },
        created_at: now(),
        expires_at: now() + Duration::from_secs(20 * 60),
        reports: Vec::new(),
        hotels: Vec::new(),
    }
}

fn of(counts: &mut Counts, supplier: &str, tariff: &Tariff, read: impl FnOnce(&Query) -> HotelResults) {
    let query = query();
    let mut session = session(&query);
    let report = SupplierReport {
        code: supplier.to_owned(),
        state: SupplierState::Error,
        duration: Duration::ZERO,
        results: 0,
        errors: Vec::new(),
        searched: Vec::new(),
    };
    let before = Region::new(&INSTRUMENTED_SYSTEM);
    let found = counted(counts, &format!("{supplier} read"), || read(&query));
    let rates: usize = found.hotels.iter().map(|hotel| hotel.rates.len()).sum();
    assert_eq!(rates, OFFERS, "{:?}", found.unusable);
    counted(counts, &format!("{supplier} price"), || {
        session.add(tariff, report, Some(Answer::Done(found)));
    });
    let priced: usize = session.hotels.iter().map(|hotel| hotel.prices.len()).sum();
    assert_eq!(priced, OFFERS, "{:?}", session.reports);
    let change = before.change();
    let kept = change.bytes_allocated - change.bytes_deallocated;
    counts.insert(format!("{supplier} kept bytes"), kept as f64 / OFFERS as f64);
}

/// Of each supplier of hotels.
pub fn count(counts: &mut Counts, tariff: &Tariff) {
    let (streamed, listed) = (liteapi_answer::of(OFFERS), hotelbeds_answer::of(OFFERS));
    of(counts, "liteapi", tariff, |query| {
        liteapi::read::search(&streamed, query, Currency::INR, now()).unwrap()
    });
    of(counts, "hotelbeds", tariff, |query| {
        hotelbeds::read::search(&listed, query, now()).unwrap()
    });
}
