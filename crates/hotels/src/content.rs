//! What hotels are, as their suppliers tell it apart from what they sell.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Address, HotelDetails, HotelResult};

/// So many hotels are asked for at once.
pub const CONTENT_PAGE: usize = 100;

/// What a supplier tells of a hotel in one language. It is stored as it is: a new field may be missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HotelContent {
    /// All that is told of it.
    pub details: HotelDetails,
    /// Its rooms, by the supplier's ids.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rooms: BTreeMap<String, RoomContent>,
}

/// What is told of a room, whoever sleeps in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoomContent {
    /// How many may sleep in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_occupancy: Option<u32>,
    /// Its beds, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bed_type: Option<String>,
}

impl HotelContent {
    /// Says of a hotel that was found what it is.
    pub fn complete(&self, hotel: &mut HotelResult) {
        let HotelDetails { property_type, address, images, amenities, .. } = &self.details;
        hotel.property_type.clone_from(property_type);
        hotel.address = Address::clone(address);
        hotel.images.clone_from(images);
        hotel.amenities.clone_from(amenities);
        for rate in &mut hotel.rates {
            if let Some(room) = self.rooms.get(&rate.room_id) {
                rate.max_occupancy = room.max_occupancy;
                rate.bed_type.clone_from(&room.bed_type);
            }
        }
    }
}
