//! Whom an itinerary is for.

use serde::{Deserialize, Serialize};
use wayfare_domain::{Contact, Traveller};

/// Who travels, and how they are reached. Stored sealed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItineraryPeople {
    /// In order of their index.
    pub travellers: Vec<Traveller>,
    /// How they are reached.
    pub contact: Contact,
}
