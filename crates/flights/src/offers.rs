//! One supplier's answer to a search.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use wayfare_supply::{HeldBytes, held_bytes, judging::few_complaints};

use crate::{Offer, shared_parts::stored_offers};

/// An airline as a supplier names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Airline {
    /// Its name.
    pub name: String,
    /// Its logo.
    pub logo_url: Option<String>,
}

/// One supplier's answer to a search.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offers {
    /// In the supplier's order.
    #[serde(deserialize_with = "stored_offers")]
    pub offers: Vec<Offer>,
    /// By IATA code.
    pub airlines: BTreeMap<String, Airline>,
    /// Offers that could not be used, and why: nothing is dropped silently.
    pub unusable: Vec<String>,
}

impl Offers {
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
}

impl HeldBytes for Offers {
    fn held_bytes(&self) -> usize {
        let airlines = self.airlines.iter();
        let airlines = airlines
            .map(|(code, airline)| size_of::<(String, Airline)>() + code.held_bytes() + airline.held_bytes());
        self.offers.held_bytes() + airlines.sum::<usize>() + self.unusable.held_bytes()
    }
}
