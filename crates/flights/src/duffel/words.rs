//! Ours to theirs: under which id a traveller is sold what they want.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use wayfare_domain::{PassengerType, Traveller};

use super::order::{Memory, Services};
use super::wire;
use crate::{Ancillary, AncillaryKind, Extra, Wanted};

/// What is sold, as far as it is needed to order it: of a shelf of an offer, and all of an order's.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ForSale {
    pub services: Vec<Services>,
}

/// The id of the service for each, or the place of one that can't be had and why.
pub(super) fn order_words(
    memory: &Memory,
    services: &[Services],
    travellers: &[Traveller],
    wanted: &[Wanted<'_>],
) -> Result<Vec<Value>, (usize, String)> {
    let seated = memory.seat(travellers).map_err(|reason| (0, reason))?;
    let mut chosen = HashSet::new();
    let mut words = Vec::new();
    for (index, want) in wanted.iter().enumerate() {
        let passenger = seated
            .iter()
            .find(|(_, traveller)| traveller.index == want.traveller);
        let &(passenger_id, traveller) = passenger.ok_or((index, "is for nobody who travels".to_owned()))?;
        let place = memory.place(passenger_id);
        let id =
            service(services, want.ancillary, place).map_err(|refused| (index, refused.text(traveller)))?;
        if !(1..=want.ancillary.most).contains(&want.quantity) {
            return Err((index, format!("can be had 1 to {} times", want.ancillary.most)));
        }
        let earlier = wanted.get(..index).unwrap_or_default();
        if let Some(reason) = seat_clash(want, earlier) {
            return Err((index, reason.to_owned()));
        }
        if !chosen.insert(id) {
            return Err((index, "is asked for more than once".to_owned()));
        }
        words.push(Value::from(id));
    }
    Ok(words)
}

/// Why there is no service.
enum NotSold {
    ToAnyone,
    ToThem,
}

impl NotSold {
    fn text(self, traveller: &Traveller) -> String {
        let text = match (self, traveller.kind) {
            (Self::ToAnyone, _) => "is not sold",
            (Self::ToThem, PassengerType::Infant) => "is not for infants",
            (Self::ToThem, _) => "is not for this traveller",
        };
        text.to_owned()
    }
}

fn service<'a>(
    services: &'a [Services],
    ancillary: &Ancillary,
    place: Option<u16>,
) -> Result<&'a str, NotSold> {
    let terms = (
        ancillary.kind,
        &ancillary.segments,
        ancillary.price,
        ancillary.most,
    );
    // More than one where some buy it each for themselves and others together.
    let mut sold = services
        .iter()
        .filter(|alike| (alike.kind, &alike.segments, alike.price, alike.most) == terms)
        .filter_map(|alike| alike.ids.get(&ancillary.code))
        .peekable();
    if sold.peek().is_none() {
        return Err(NotSold::ToAnyone);
    }
    let theirs = place.and_then(|place| sold.find_map(|ids| ids.get(&place)));
    theirs.map(String::as_str).ok_or(NotSold::ToThem)
}

/// A flight has one seat for each traveller, and each of its seats is one traveller's.
fn seat_clash(want: &Wanted<'_>, earlier: &[Wanted<'_>]) -> Option<&'static str> {
    let on_these_flights = |other: &&Wanted<'_>| {
        [want, other]
            .iter()
            .all(|each| each.ancillary.kind == AncillaryKind::Seat)
            && other.ancillary.segments == want.ancillary.segments
    };
    earlier.iter().filter(on_these_flights).find_map(|other| {
        if other.ancillary.code == want.ancillary.code {
            Some("is asked for more than once")
        } else if other.traveller == want.traveller {
            Some("is a second seat for the traveller on one flight")
        } else {
            None
        }
    })
}

/// What is sent for these.
///
/// # Errors
/// When one has other words than [`order_words`] gave.
pub(super) fn new_services(extras: &[Extra]) -> Result<Vec<wire::NewService<'_>>, String> {
    extras
        .iter()
        .map(|extra| match extra.words.as_str() {
            Some(id) => Ok(wire::NewService {
                id,
                quantity: extra.quantity,
            }),
            None => Err(format!("{} has no id of a service", extra.ancillary.code)),
        })
        .collect()
}
