//! All about hotels, and the cities that have some.

use serde::{Deserialize, Serialize};

#[cfg(feature = "schema")]
use super::search::{HotelAddressDetails, HotelImageDetails};
use super::{Address, Image};
use crate::Amount;

/// A city that was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct City {
    /// What `location.code` of a hotel search takes.
    pub code: String,
    /// The name.
    pub name: String,
    /// ISO 3166 code of the country.
    pub country_code: String,
}

/// Hotels of which all is to be told.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HotelDetailsRequest {
    /// Hotels by their ids, such as `liteapi:lp1897`; 1 to 20.
    pub hotel_ids: Vec<String>,
    /// ISO 639 code of the language of texts; default en.
    pub language: String,
}

/// What a supplier tells of its hotels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "HotelDetailsOfProvider"))]
pub struct ProviderHotels {
    /// The supplier's code.
    pub provider: String,
    /// The hotels.
    pub hotels: Vec<HotelDetails>,
    /// Why the supplier told of no hotels; left out where it answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// What is told of a hotel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HotelDetails {
    /// The hotel: the provider's code, a colon and the supplier's own id, such as `liteapi:lp1897`.
    pub hotel_id: String,
    /// The supplier's own id of the hotel.
    pub provider_hotel_id: String,
    /// The name.
    pub name: String,
    /// Stars; null where the supplier doesn't say.
    pub star_rating: Option<Amount>,
    /// The kind of house, in the supplier's words.
    pub property_type: Option<String>,
    /// What it is, in words.
    pub description: Option<String>,
    /// Where the hotel stands.
    #[cfg_attr(feature = "schema", schemars(with = "HotelAddressDetails"))]
    pub address: Address,
    /// How the hotel is reached.
    pub contact: HotelContact,
    /// Pictures of the hotel.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<HotelImageDetails>"))]
    pub images: Vec<Image>,
    /// What the hotel offers.
    pub amenities: Vec<String>,
    /// What its rooms have.
    pub room_amenities: Vec<String>,
    /// Whether breakfast is free; null where the supplier doesn't say.
    pub has_free_breakfast: Option<bool>,
}

/// How a hotel is reached.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Contact"))]
pub struct HotelContact {
    /// Its telephone.
    pub phone: Option<String>,
    /// Its e-mail address.
    pub email: Option<String>,
}
