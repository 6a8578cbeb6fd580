//! Hotelbeds' words for what hotels are: the fields we use of their content.
//!
//! A list of hotels tells codes; what a code means in which language is told in lists of their own. All of it can be done
//! without, so that what is missing or strange costs no more than itself.

use serde::Deserialize;
use serde_json::value::RawValue;

/// A text, wrapped.
#[derive(Debug, Deserialize)]
pub(super) struct Content {
    pub content: Option<String>,
}

/// A page of hotels.
#[derive(Debug, Deserialize)]
pub(super) struct Hotels<'a> {
    /// Each read by itself.
    #[serde(borrow)]
    pub hotels: Option<Vec<&'a RawValue>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Hotel {
    pub code: u32,
    pub name: Option<Content>,
    pub description: Option<Content>,
    pub country_code: Option<String>,
    pub category_code: Option<String>,
    pub accommodation_type_code: Option<String>,
    pub address: Option<Content>,
    pub city: Option<Content>,
    pub email: Option<String>,
    #[serde(default)]
    pub phones: Vec<Phone>,
    #[serde(default)]
    pub rooms: Vec<Room>,
    #[serde(default)]
    pub facilities: Vec<Facility>,
    #[serde(default)]
    pub images: Vec<Image>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Phone {
    pub phone_number: String,
    pub phone_type: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Room {
    pub room_code: String,
    pub max_pax: Option<u32>,
    #[serde(default)]
    pub room_facilities: Vec<Facility>,
    #[serde(default)]
    pub room_stays: Vec<RoomStay>,
}

/// One of its rooms, with the beds in it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RoomStay {
    #[serde(default)]
    pub room_stay_facilities: Vec<Facility>,
}

/// What there is, or is said not to be. That it is there is told by one of two marks, or by none for a mere fact such as
/// the number of floors.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Facility {
    pub facility_code: u32,
    pub facility_group_code: u32,
    pub number: Option<u32>,
    pub ind_logic: Option<bool>,
    pub ind_yes_or_no: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Image {
    pub image_type_code: Option<String>,
    pub path: String,
    pub visual_order: Option<u32>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Accommodations {
    pub accommodations: Vec<Accommodation>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accommodation {
    pub code: String,
    pub type_description: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Facilities {
    pub facilities: Vec<NamedFacility>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NamedFacility {
    pub code: u32,
    pub facility_group_code: u32,
    pub description: Option<Content>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ImageTypes {
    pub image_types: Vec<ImageType>,
}

#[derive(Debug, Deserialize)]
pub(super) struct ImageType {
    pub code: String,
    pub description: Option<Content>,
}
