//! One supplier's answer to a search.

use std::collections::BTreeMap;

use chrono::{NaiveDateTime, Offset, TimeZone};
use serde::{Deserialize, Serialize};
use wayfare_domain::Zone;
use wayfare_reference::airport;
use wayfare_supply::{HeldBytes, held_bytes, judging::few_complaints};

use crate::{Offer, shared_parts::stored_offers};

/// An airline as a supplier names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Airline {
    /// In the supplier's spelling.
    pub name: String,
    /// On the supplier's host; none where it has none.
    pub logo_url: Option<String>,
}

/// An airport or station that our tables don't know, as a supplier says what it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnknownPlace {
    /// In the supplier's spelling; none where it has none.
    pub name: Option<String>,
    /// The city that it serves.
    pub city: Option<String>,
    /// Its country, ISO 3166-1 alpha-2.
    pub country_code: Option<String>,
    /// The zone of its clocks, in IANA's words.
    pub time_zone: Option<String>,
}

impl UnknownPlace {
    /// The offset from UTC of a local time there, such as `+05:30`; none where its zone is not known. Of an hour that the clocks
    /// show twice it is the first, and of one that they skip there is none.
    pub fn utc_offset_on(&self, local: NaiveDateTime) -> Option<String> {
        let zone: Zone = self.time_zone.as_deref()?.parse().ok()?;
        let offset = zone.offset_from_local_datetime(&local).earliest()?;
        Some(offset.fix().to_string())
    }
}

/// One supplier's answer to a search.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offers {
    /// In the supplier's order.
    #[serde(deserialize_with = "stored_offers")]
    pub offers: Vec<Offer>,
    /// By IATA code.
    pub airlines: BTreeMap<String, Airline>,
    /// By IATA code, those that our tables don't know.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub places: BTreeMap<String, UnknownPlace>,
    /// Offers that could not be used, and why: nothing is dropped silently.
    pub unusable: Vec<String>,
}

impl Offers {
    /// Notes what the supplier says of a place, unless our tables know it.
    pub(crate) fn note_place(&mut self, code: &str, say: impl FnOnce() -> UnknownPlace) {
        if !code.is_empty() && airport(code).is_none() && !self.places.contains_key(code) {
            self.places.insert(code.to_owned(), say());
        }
    }

    /// All of an answer, with no more room than it needs. Only the first lines of what could not be used are kept, and how
    /// many more there were: they are for people.
    pub(crate) fn complete(mut self) -> Self {
        self.offers.shrink_to_fit();
        self.unusable = few_complaints(self.unusable);
        self
    }
}

held_bytes! {
    Airline { name, logo_url }
    UnknownPlace { name, city, country_code, time_zone }
}

impl HeldBytes for Offers {
    fn held_bytes(&self) -> usize {
        let airlines = self.airlines.iter();
        let airlines = airlines
            .map(|(code, airline)| size_of::<(String, Airline)>() + code.held_bytes() + airline.held_bytes());
        let places = self.places.iter();
        let places = places.map(|(code, place)| {
            size_of::<(String, UnknownPlace)>() + code.held_bytes() + place.held_bytes()
        });
        let names = airlines.sum::<usize>() + places.sum::<usize>();
        self.offers.held_bytes() + names + self.unusable.held_bytes()
    }
}
