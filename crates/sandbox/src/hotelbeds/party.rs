//! Who wants to stay: rooms that are all alike, and who shares each of them.

use serde::{Deserialize, Serialize};

use super::errors::ApiError;
use crate::hotels::Guests;

/// The oldest child, in years.
const OLDEST_CHILD: u8 = 17;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum PaxType {
    #[serde(rename = "AD")]
    Adult,
    #[serde(rename = "CH")]
    Child,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Occupancy {
    rooms: u8,
    adults: u8,
    children: u8,
    #[serde(default)]
    paxes: Vec<Pax>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pax {
    #[serde(rename = "type")]
    kind: PaxType,
    age: Option<u8>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Party {
    pub(super) rooms: u8,
    /// The youngest child first.
    pub(super) guests: Guests,
}

impl Occupancy {
    /// The party, where the numbers fit each other.
    pub(super) fn party(&self) -> Result<Party, ApiError> {
        if self.rooms == 0 || self.adults == 0 {
            return Err(ApiError::invalid(
                "Error at property occupancies: at least one room and one adult are needed",
            ));
        }
        let children = self.paxes.iter().filter(|pax| pax.kind == PaxType::Child);
        let ages: Option<Vec<u8>> = children.map(|child| child.age).collect();
        let mut ages = ages
            .filter(|ages| ages.len() == usize::from(self.children))
            .filter(|ages| ages.iter().all(|age| *age <= OLDEST_CHILD))
            .ok_or_else(|| {
                ApiError::invalid(
                    "Error at property occupancies->paxes: each child must have an age of 0 to 17",
                )
            })?;
        ages.sort_unstable();
        Ok(Party { rooms: self.rooms, guests: Guests { adults: self.adults, children: ages } })
    }
}

/// The ages of children as rates list them: `4,11`.
pub(super) fn ages(guests: &Guests) -> String {
    let ages: Vec<String> = guests.children.iter().map(u8::to_string).collect();
    ages.join(",")
}
