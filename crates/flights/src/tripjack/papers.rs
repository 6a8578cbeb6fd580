//! What TripJack wants and takes beside names, and papers in its words.
//!
//! A search says nothing of it, a review all. The names of a booking's fields are those that clients of this API use; no
//! recorded body has any of them.

use std::collections::BTreeMap;

use chrono::{Months, NaiveDate};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use wayfare_domain::{Gst, Papers, Traveller};
use wayfare_reference::airport;
use wayfare_supply::reading::Text;

use super::{order_wire, wire};
use crate::{Journey, RequiredOf, Requirement, RequirementKind, Segment};

/// So long after the last flight a passport must be valid: error 1067.
const PASSPORT_OUTLIVES: Months = Months::new(6);

/// What a reviewed fare takes of travellers, kept until it is booked. Each has the word of its [`RequirementKind`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Taken {
    passport: bool,
    gst: bool,
    pan: bool,
    fare_document: bool,
    /// Airlines whose memberships count, IATA codes.
    loyalty: Vec<String>,
}

impl Taken {
    /// Whether nothing is.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    /// By what is wanted for a reviewed fare.
    pub fn of(requires: &[Requirement]) -> Self {
        let takes = |what| requires.iter().any(|one| one.what == what);
        let airlines = requires.iter().flat_map(|one| &one.airlines);
        Self {
            passport: takes(RequirementKind::Passport),
            gst: takes(RequirementKind::Gst),
            pan: takes(RequirementKind::Pan),
            fare_document: takes(RequirementKind::FareDocument),
            loyalty: airlines.cloned().collect(),
        }
    }

    /// Of these papers, and of the traveller's memberships, what is taken.
    pub fn papers<'a>(&self, traveller: &'a Traveller, papers: &'a Papers) -> order_wire::NewPapers<'a> {
        let Papers { document, tax_id: _, pan, fare_document, known_traveller_number: _, redress_number: _ } =
            papers;
        let document = document.as_ref().filter(|_| self.passport);
        let pan = pan.as_ref().filter(|_| self.pan);
        let fare_document = fare_document.as_ref().filter(|_| self.fare_document);
        let members = traveller.loyalty.iter();
        let counts = |airline: &String| self.loyalty.contains(airline);
        order_wire::NewPapers {
            passport_number: document.map(|document| document.number.as_str()),
            passport_expires_on: document.map(|document| document.expires_on),
            nationality: document.map(|document| document.nationality.as_str()),
            passport_issued_on: document.and_then(|document| document.issued_on),
            pan: pan.map(|pan| pan.as_str()),
            fare_document: fare_document.map(|document| document.number.as_str()),
            memberships: members
                .filter(|member| counts(&member.airline))
                .map(|member| (member.airline.as_str(), member.number.as_str()))
                .collect::<BTreeMap<_, _>>(),
        }
    }

    /// To whom the tax is invoiced, where that is taken.
    pub fn gst<'a>(&self, gst: Option<&'a Gst>) -> Option<order_wire::NewGst<'a>> {
        let gst = gst.filter(|_| self.gst)?;
        Some(order_wire::NewGst {
            number: gst.number.as_str(),
            company_name: &gst.company_name,
            email: &gst.email,
            phone: &gst.phone,
            address: &gst.address,
        })
    }
}

/// Takes what it repeats of papers out of an order: nobody needs it there, and orders are stored as they are told.
pub(super) fn forget(order: &mut Value) {
    if let Some(order) = order.get_mut("order").and_then(Value::as_object_mut) {
        order.remove("gstInfo");
    }
    let travellers = order.pointer_mut("/itemInfos/AIR/travellerInfos");
    let travellers = travellers.and_then(Value::as_array_mut).into_iter().flatten();
    for traveller in travellers.filter_map(Value::as_object_mut) {
        for name in ["pNum", "eD", "pNat", "pid", "pan", "di"] {
            traveller.remove(name);
        }
    }
}

/// What may be wanted for these journeys: only a review knows.
pub(super) fn before_review(journeys: &[Journey]) -> Vec<Requirement> {
    let mut list = vec![Requirement::new(RequirementKind::Gst, RequiredOf::Booking, None)];
    if crosses_borders(journeys) {
        list.push(Requirement {
            valid_until: passport_end(journeys.iter().flat_map(|journey| &journey.segments)),
            ..Requirement::new(RequirementKind::Passport, RequiredOf::EachTraveller, None)
        });
    }
    list
}

/// What a review says is wanted for these flights.
pub(super) fn of_review<'a>(
    conditions: &wire::Conditions<Text>,
    flights: impl Iterator<Item = &'a Segment>,
) -> Vec<Requirement> {
    use RequiredOf::{Booking, EachAdult, EachChild, EachInfant, EachTraveller};
    use RequirementKind::{DateOfBirth, EmergencyContact, FareDocument, Loyalty, Pan, Passport};
    let is = |said: Option<bool>| said == Some(true);
    let mut list = Vec::new();
    let mut add = |what, whom, mandatory| list.push(Requirement::new(what, whom, Some(mandatory)));
    if let Some(birth) = &conditions.birth {
        for (whom, wanted) in [(EachAdult, birth.adobr), (EachChild, birth.cdobr), (EachInfant, birth.idobr)]
        {
            if is(wanted) {
                add(DateOfBirth, whom, true);
            }
        }
    }
    if let Some(gst) = conditions.gst.as_ref().filter(|gst| is(gst.gstappl) || is(gst.igm)) {
        add(RequirementKind::Gst, Booking, is(gst.igm));
    }
    if is(conditions.ipa) {
        add(Pan, EachAdult, true);
    }
    if let Some(document) = conditions.document.as_ref().filter(|dc| is(dc.ida) || is(dc.idm)) {
        add(FareDocument, EachTraveller, is(document.idm));
    }
    if is(conditions.iecr) {
        add(EmergencyContact, Booking, true);
    }
    if let Some(passport) = &conditions.passport {
        list.push(Requirement {
            valid_until: passport_end(flights),
            without_expiry: !is(passport.pped),
            ..Requirement::new(Passport, EachTraveller, Some(is(passport.pm) || is(passport.pped)))
        });
    }
    let airlines: Vec<String> =
        conditions.frequent_flyers.iter().flatten().map(|airline| airline.to_string()).collect();
    if !airlines.is_empty() {
        list.push(Requirement { airlines, ..Requirement::new(Loyalty, EachTraveller, Some(false)) });
    }
    list
}

fn passport_end<'a>(flights: impl Iterator<Item = &'a Segment>) -> Option<NaiveDate> {
    let last_arrival = flights.map(|flight| flight.arrival.date()).max()?;
    last_arrival.checked_add_months(PASSPORT_OUTLIVES)
}

/// Whether the flights are not all in one country. Of an airport that is not known nothing is.
fn crosses_borders(journeys: &[Journey]) -> bool {
    let flights = journeys.iter().flat_map(|journey| &journey.segments);
    let airports = flights.flat_map(|flight| [&flight.origin, &flight.destination]);
    let mut countries = airports.map(|code| airport(code).map(|known| known.iso_country));
    let first = countries.next().flatten();
    first.is_none() || countries.any(|country| country != first)
}
