//! Ours to theirs: the id of the service by which a traveller's ancillary is ordered.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use wayfare_domain::{PassengerType, Traveller};

use super::order::{Services, SupplierContext};
use super::wire;
use crate::{Ancillary, AncillaryChoice, AncillaryKind};

/// What is needed to order ancillaries: all of an order's catalog, a part of an offer's ([`super::order::AncillaryCatalog`]).
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct OrderableServices {
    pub services: Vec<Services>,
}

/// The id of the service for each, or the place of one that can't be had and why.
pub(super) fn order_wire_format(
    supplier_context: &SupplierContext,
    services: &[Services],
    travellers: &[Traveller],
    choices: &[AncillaryChoice],
) -> Result<Vec<Value>, (usize, String)> {
    let seated = supplier_context.seat(travellers).map_err(|reason| (0, reason))?;
    let mut chosen = HashSet::new();
    let mut wire_formats = Vec::new();
    for (index, choice) in choices.iter().enumerate() {
        let passenger = seated.iter().find(|(_, traveller)| traveller.index == choice.traveller);
        let &(passenger_id, traveller) = passenger.ok_or((index, "is for nobody who travels".to_owned()))?;
        let place = supplier_context.place(passenger_id);
        let id = service(services, &choice.ancillary, place)
            .map_err(|refused| (index, refused.text(traveller)))?;
        if !(1..=choice.ancillary.most).contains(&choice.quantity) {
            return Err((index, format!("can be had 1 to {} times", choice.ancillary.most)));
        }
        let earlier = choices.get(..index).unwrap_or_default();
        if let Some(reason) = seat_clash(choice, earlier) {
            return Err((index, reason.to_owned()));
        }
        if !chosen.insert(id) {
            return Err((index, "is asked for more than once".to_owned()));
        }
        wire_formats.push(Value::from(id));
    }
    Ok(wire_formats)
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
    let terms = (ancillary.kind, &ancillary.segments, ancillary.price, ancillary.most);
    // More than one where some buy it each for themselves and others together.
    let mut sold = services
        .iter()
        .filter(|same_terms| {
            (same_terms.kind, &same_terms.segments, same_terms.price, same_terms.most) == terms
        })
        .filter_map(|same_terms| same_terms.ids.get(&ancillary.code))
        .peekable();
    if sold.peek().is_none() {
        return Err(NotSold::ToAnyone);
    }
    let theirs = place.and_then(|place| sold.find_map(|ids| ids.get(&place)));
    theirs.map(String::as_str).ok_or(NotSold::ToThem)
}

/// A flight has one seat for each traveller, and each of its seats is one traveller's.
fn seat_clash(choice: &AncillaryChoice, earlier: &[AncillaryChoice]) -> Option<&'static str> {
    let on_these_flights = |other: &&AncillaryChoice| {
        [choice, other].iter().all(|each| each.ancillary.kind == AncillaryKind::Seat)
            && other.ancillary.segments == choice.ancillary.segments
    };
    earlier.iter().filter(on_these_flights).find_map(|other| {
        if other.ancillary.code == choice.ancillary.code {
            Some("is asked for more than once")
        } else if other.traveller == choice.traveller {
            Some("is a second seat for the traveller on one flight")
        } else {
            None
        }
    })
}

/// The services of an order request.
pub(super) fn new_services(ancillaries: &[AncillaryChoice]) -> Result<Vec<wire::NewService<'_>>, String> {
    ancillaries
        .iter()
        .map(|choice| match choice.wire_format.as_str() {
            Some(id) => Ok(wire::NewService { id, quantity: choice.quantity }),
            None => Err(format!("{} has no id of a service", choice.ancillary.code)),
        })
        .collect()
}
