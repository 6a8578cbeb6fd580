//! What LiteAPI keeps of a booking.

use serde::{Deserialize, Serialize};

use crate::hotels::Reservation;

/// A booking.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Booking {
    pub(crate) reservation: Reservation,
    pub(super) prebook_id: String,
    /// ISO 3166-1 alpha-2, as the search asked.
    pub(super) nationality: String,
    pub(super) holder: Person,
    /// The first guest of each room, in the order of the rooms.
    pub(super) guests: Vec<Guest>,
    /// What the hotel calls it.
    pub(super) confirmation_code: String,
}

/// Who pays, or whom to ask.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Person {
    pub(super) first_name: String,
    pub(super) last_name: String,
    pub(super) email: String,
    #[serde(default)]
    pub(super) phone: String,
}

/// The first guest of a room.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Guest {
    pub(super) occupancy_number: usize,
    #[serde(flatten)]
    pub(super) person: Person,
    #[serde(default)]
    pub(super) remarks: String,
}

#[cfg(test)]
impl Booking {
    /// A booking of these rooms and of nobody in particular.
    pub(crate) fn for_tests(reservation: Reservation) -> Self {
        Self {
            reservation,
            prebook_id: String::new(),
            nationality: "IN".to_owned(),
            holder: Person {
                first_name: "Asha".to_owned(),
                last_name: "Rao".to_owned(),
                email: "asha@example.com".to_owned(),
                phone: String::new(),
            },
            guests: Vec::new(),
            confirmation_code: String::new(),
        }
    }
}
