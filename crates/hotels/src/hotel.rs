//! Hotels as suppliers describe them.

use std::mem;

use chrono::NaiveDate;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use wayfare_reference::time_zone_at;
use wayfare_supply::{held_bytes, judging::few_complaints};

use crate::{CancellationPolicy, Deadline, HotelFee, RoomRate, arrival};

/// Where a hotel stands, as far as its supplier says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Address {
    /// Street and number.
    pub line1: Option<String>,
    /// The city's name.
    pub city: Option<String>,
    /// ISO 3166-1 alpha-2.
    pub country: Option<String>,
}

/// A picture of a hotel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    /// Its address.
    pub url: String,
    /// What it shows, in the supplier's word: `General view`.
    pub kind: Option<String>,
}

/// A hotel that has something to sell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HotelResult {
    /// The supplier's id of it.
    pub id: String,
    /// In the supplier's spelling.
    pub name: String,
    /// How many stars, 0.5 to 5 (some suppliers know halves).
    pub stars: Option<Decimal>,
    /// What it is, in lower case words: `hotel`, `apartment`.
    pub property_type: Option<String>,
    /// Where it stands.
    pub address: Address,
    /// Degrees.
    pub latitude: Option<Decimal>,
    /// Degrees.
    pub longitude: Option<Decimal>,
    /// What it looks like.
    pub images: Vec<Image>,
    /// What it offers to every guest, in the supplier's words; empty where the supplier doesn't say in a search.
    pub amenities: Vec<String>,
    /// What it sells, cheapest first; never empty.
    pub rates: Vec<RoomRate>,
}

impl HotelResult {
    /// A hotel that sells these rates. Nothing else is known of it.
    pub fn named(id: impl Into<String>, name: impl Into<String>, rates: Vec<RoomRate>) -> Self {
        Self {
            id: id.into(),
            name: name.into(),
            stars: None,
            property_type: None,
            address: Address::default(),
            latitude: None,
            longitude: None,
            images: Vec::new(),
            amenities: Vec::new(),
            rates,
        }
    }

    /// Has what is free until the day of arrival so by the hotel's own clocks, now that it is known where it lies.
    pub fn date_arrivals(&mut self, check_in: NaiveDate) {
        let place = self.latitude.zip(self.longitude);
        let mut begins = None;
        for rate in &mut self.rates {
            let (true, Ok(total)) = (rate.policy.depends_on_arrival(), rate.parts.total()) else { continue };
            let begins = *begins.get_or_insert_with(|| {
                let zone = place.and_then(|(latitude, longitude)| time_zone_at(latitude, longitude));
                arrival(check_in, zone)
            });
            rate.policy = mem::take(&mut rate.policy).arriving_at(begins, total);
        }
    }
}

/// One supplier's answer to a search.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HotelResults {
    /// In the supplier's order.
    pub hotels: Vec<HotelResult>,
    /// Hotels and rates that could not be used, and why: nothing is dropped silently.
    pub unusable: Vec<String>,
}

impl HotelResults {
    /// Only the first lines of what could not be used are kept, and how many more there were: they are for people.
    pub fn with_few_complaints(mut self) -> Self {
        self.unusable = few_complaints(self.unusable);
        self
    }
}

/// All that is told of a hotel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HotelDetails {
    /// The supplier's id of it.
    pub id: String,
    /// In the supplier's spelling.
    pub name: String,
    /// 0.5 to 5; none where the supplier doesn't say.
    pub stars: Option<Decimal>,
    /// What it is, in lower case words.
    pub property_type: Option<String>,
    /// In words.
    pub description: Option<String>,
    /// Where it stands.
    pub address: Address,
    /// Telephone number, as the supplier writes it.
    pub phone: Option<String>,
    /// E-mail address.
    pub email: Option<String>,
    /// What it looks like.
    pub images: Vec<Image>,
    /// What it offers to every guest.
    pub amenities: Vec<String>,
    /// What its rooms have.
    pub room_amenities: Vec<String>,
    /// Whether breakfast costs nothing; none where the supplier doesn't say.
    pub has_free_breakfast: Option<bool>,
}

impl HotelDetails {
    /// One of which nothing is known but its name.
    pub fn named(id: String, name: String) -> Self {
        Self {
            id,
            name,
            stars: None,
            property_type: None,
            description: None,
            address: Address::default(),
            phone: None,
            email: None,
            images: Vec::new(),
            amenities: Vec::new(),
            room_amenities: Vec::new(),
            has_free_breakfast: None,
        }
    }
}

held_bytes! {
    HotelResult { id, name, property_type, address, images, amenities, rates }
    Address { line1, city, country }
    Image { url, kind }
    RoomRate {
        token, bundle, room_id, room_name, bed_type, rate_name, meals, fees_at_hotel, policy, remarks
    }
    HotelFee { name }
    CancellationPolicy { deadlines, remarks }
    Deadline { text }
}
