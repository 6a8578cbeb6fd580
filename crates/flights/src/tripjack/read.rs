//! What TripJack's answers mean, without any network: bytes in, our types out.
//!
//! The calls of [`super::TripJack`] go through here; so do tests over recorded answers, and benches.

use chrono::{DateTime, TimeDelta, Utc};
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use wayfare_domain::{Party, Traveller};

pub use super::fare_rules::fare_rules;
use super::offers::{self, Terms};
use super::parts::OFFERED;
pub use super::review::{Reviewed, review, seats};
use super::wire::{self, Text};
use super::{order, order_wire, papers};
use crate::{Offers, Requirements, SupplierOrder, shared_parts::SharedParts};
pub use wayfare_supply::reading::Unreadable;
use wayfare_supply::reading::{parse, parse_if, parse_repetitive};
use wayfare_supply::{LossKind, lenient::parse_leniently, note_loss};

/// Where trips and their fares stand in an answer to a search.
const TRIP: &str = "tripInfos.*[]";
const FARE: &str = "tripInfos.*[].totalPriceList[]";

/// So long after a search its prices can be reviewed.
const PRICE_VALIDITY: TimeDelta = TimeDelta::minutes(30);

pub(super) type Fare<'a> = wire::Fare<Text<'a>, IgnoredAny>;

/// The answer to a search for this party that came now. A fare that can't be used is a line in `unusable` and costs no
/// other; so is a trip whose flights can't be read.
pub fn search(body: &[u8], party: Party, now: DateTime<Utc>) -> Result<Offers, Unreadable> {
    let mut finding = Finding {
        terms: Terms { party, expires_at: Some(now + PRICE_VALIDITY), can_hold: None },
        found: Offers::default(),
        parts: SharedParts::default(),
    };
    // Nearly always everything is well, and one pass straight into the types is the fastest.
    if let Some(all) = parse_repetitive::<wire::Search<wire::Trip<Text, Fare>>>(body) {
        for (key, trips) in lists(all) {
            for (number, trip) in trips.iter().enumerate() {
                finding.take_all(&key, number, &trip.segments, &trip.fares);
            }
        }
        return Ok(finding.found.complete());
    }
    for (key, trips) in lists(parse_leniently::<wire::Search<&RawValue>>(body, "", &OFFERED)?) {
        for (number, text) in trips.into_iter().enumerate() {
            finding.take_one_by_one(&key, number, text);
        }
    }
    Ok(finding.found.complete())
}

fn lists<Trip>(answer: wire::Search<Trip>) -> Vec<(String, Vec<Trip>)> {
    answer.search_result.trip_infos.map(|lists| lists.0).unwrap_or_default()
}

struct Finding {
    terms: Terms,
    found: Offers,
    parts: SharedParts,
}

impl Finding {
    fn take_all(&mut self, key: &str, number: usize, flights: &[wire::Segment<Text>], fares: &[Fare]) {
        let Some(part) = offers::part(key) else {
            note_loss(LossKind::UnknownWord, "tripInfos.*", "");
            let line = format!("{key}[{number}]: not a part of a journey that is known");
            self.found.unusable.push(line);
            return;
        };
        offers::note_airlines(flights, &mut self.found.airlines);
        offers::note_places(flights, &mut self.found);
        // All fares of a trip are for the same flights.
        let mut requires: Option<Requirements> = None;
        for fare in fares {
            match offers::offer(part, flights, fare, self.terms, &mut self.parts) {
                Ok(mut offer) => {
                    let requires = requires.get_or_insert_with(|| {
                        self.parts.requirements.shared(papers::before_review(&offer.journeys))
                    });
                    offer.requires = requires.clone();
                    self.found.offers.push(offer);
                }
                Err(reason) => {
                    note_loss(LossKind::LeftOut, FARE, &reason);
                    self.found.unusable.push(format!("{}: {reason}", &*fare.id));
                }
            }
        }
    }

    fn take_one_by_one(&mut self, key: &str, number: usize, trip: &RawValue) {
        let place = format!("{key}[{number}]");
        let read = parse_leniently::<wire::Trip<Text, &RawValue>>(trip.get().as_bytes(), TRIP, &OFFERED);
        let (flights, texts) = match read {
            Ok(trip) => (trip.segments, trip.fares),
            Err(reason) => {
                self.found.unusable.push(format!("{place}: {reason}"));
                return;
            }
        };
        let mut fares = Vec::new();
        for (index, text) in texts.into_iter().enumerate() {
            match parse_leniently::<Fare>(text.get().as_bytes(), FARE, &OFFERED) {
                Ok(fare) => fares.push(fare),
                Err(reason) => {
                    let named = parse_if::<wire::Named>(text.get().as_bytes());
                    let name = named.map_or_else(|| format!("{place}[{index}]"), |named| named.id);
                    self.found.unusable.push(format!("{name}: {reason}"));
                }
            }
        }
        self.take_all(key, number, &flights, &fares);
    }
}

/// How many fares an answer has, read into their types one like the other and let go again: the part of [`search`] that no
/// adapter can do without, which the benchmark of searches takes as its floor.
pub fn count(body: &[u8]) -> Result<usize, Unreadable> {
    let all = parse::<wire::Search<wire::Trip<Text, Fare>>>(body)?;
    let trips = lists(all).into_iter().flat_map(|(_, trips)| trips);
    Ok(trips.map(|trip| trip.fares.len()).sum())
}

/// An order that was made for these travellers.
pub fn order(body: &[u8], travellers: &[Traveller]) -> Result<SupplierOrder, Unreadable> {
    let details = order::details(body)?;
    let total = details.total.ok_or_else(|| Unreadable::new("order.amount can't be read"))?;
    Ok(details.order(travellers, total))
}

/// That a call was carried out, which is all that is said.
pub(super) fn acknowledged(body: &[u8]) -> Result<(), Unreadable> {
    parse::<order_wire::Acknowledged>(body).map(drop)
}
