//! What a hotel search asks and what it finds (docs/API.md, Hotels).

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use crate::{
    Amount,
    enums::{MealPlan, PaymentType, SearchStatus, SortField, SortOrder, SupplierState},
};

/// A search for hotels: one room for two adults, unless told otherwise.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HotelSearch {
    /// The first night.
    pub check_in: NaiveDate,
    /// The day of leaving.
    pub check_out: NaiveDate,
    /// 1 to 9 rooms.
    pub rooms: Vec<RoomGuests>,
    /// Where.
    pub location: Location,
    /// The caller's own name of the search, or that of an answer whose other pages, filters or orders are wanted; none =
    /// a new one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search_id: Option<String>,
    /// Prices are shown in it (ISO 4217); none = INR.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// ISO 639-1; none = en.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// ISO 3166-1, two letters; none = IN.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guest_nationality: Option<String>,
    /// What is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filters: Option<HotelFilters>,
    /// In which order; none = by supplier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sort: Option<HotelSort>,
    /// Which page; none = the first with 20 hotels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pagination: Option<Pagination>,
}

impl HotelSearch {
    /// There, from one day to another.
    pub fn of(location: Location, check_in: NaiveDate, check_out: NaiveDate) -> Self {
        Self {
            check_in,
            check_out,
            rooms: vec![RoomGuests::adults(2)],
            location,
            search_id: None,
            currency: None,
            language: None,
            guest_nationality: None,
            filters: None,
            sort: None,
            pagination: None,
        }
    }

    /// For these rooms.
    #[must_use]
    pub fn rooms(mut self, rooms: Vec<RoomGuests>) -> Self {
        self.rooms = rooms;
        self
    }

    /// Only what passes these.
    #[must_use]
    pub fn filters(mut self, filters: HotelFilters) -> Self {
        self.filters = Some(filters);
        self
    }

    /// In this order.
    #[must_use]
    pub fn sort(mut self, field: SortField, order: SortOrder) -> Self {
        self.sort = Some(HotelSort { field, order });
        self
    }

    /// This page, from 1, with so many hotels, 1 to 100.
    #[must_use]
    pub fn page(mut self, page: u32, per_page: u32) -> Self {
        self.pagination = Some(Pagination { page, per_page });
        self
    }
}

/// Who sleeps in a room.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RoomGuests {
    /// 1 to 9.
    pub adults: u8,
    /// How many ages follow.
    pub children: u8,
    /// Of each child, 0 to 17.
    pub children_ages: Vec<u8>,
}

impl RoomGuests {
    /// So many adults, no children.
    pub fn adults(adults: u8) -> Self {
        Self { adults, children: 0, children_ages: Vec::new() }
    }

    /// So many adults, and children of these ages.
    pub fn family(adults: u8, children_ages: &[u8]) -> Self {
        Self {
            adults,
            children: u8::try_from(children_ages.len()).unwrap_or(u8::MAX),
            children_ages: children_ages.to_vec(),
        }
    }
}

/// Where hotels are looked for.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Location {
    /// These hotels.
    #[serde(rename = "hotel_id")]
    Hotels {
        /// With their suppliers' prefixes.
        hotel_ids: Vec<String>,
    },
    /// A city.
    City {
        /// Of [`super::Hotels::cities`].
        #[serde(skip_serializing_if = "Option::is_none")]
        code: Option<String>,
        /// Or its name; the largest of that name counts.
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
    /// Around an airport.
    Airport {
        /// IATA.
        code: String,
    },
    /// Around a point.
    Coordinates {
        /// Degrees, -90 to 90.
        latitude: Amount,
        /// Degrees, -180 to 180.
        longitude: Amount,
        /// 0.1 to 200; none = 20.
        #[serde(skip_serializing_if = "Option::is_none")]
        radius_km: Option<Amount>,
    },
}

impl Location {
    /// The largest city of this name.
    pub fn city(name: &str) -> Self {
        Self::City { code: None, name: Some(name.to_owned()) }
    }
}

/// What is left out of a search's answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct HotelFilters {
    /// Only these, 0 to 5; halves count as the whole below.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub star_rating: Vec<u8>,
    /// Of one room, in the shown currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price_min: Option<Amount>,
    /// Of one room, in the shown currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price_max: Option<Amount>,
    /// All of them, by parts of words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub amenities: Vec<String>,
    /// Any of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub property_type: Vec<String>,
    /// Only what can be given back.
    pub refundable_only: bool,
    /// Any of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub meal_plan: Vec<MealPlan>,
    /// Only what is paid there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payment_type: Option<PaymentType>,
}

/// In which order hotels come.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HotelSort {
    /// By what.
    pub field: SortField,
    /// In which direction.
    pub order: SortOrder,
}

/// Which page of a search.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Pagination {
    /// From 1.
    pub page: u32,
    /// 1 to 100.
    pub per_page: u32,
}

/// A page of what was found.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct HotelsFound {
    /// The search, for other pages and for price.
    pub search_id: String,
    /// Whether all suppliers have answered.
    pub status: SearchStatus,
    /// Of the prices shown, ISO 4217.
    pub currency: String,
    /// How many hotels all pages have.
    pub total_results: u64,
    /// This page, from 1.
    pub page: u32,
    /// How many hotels a page has.
    pub per_page: u32,
    /// How many pages there are; Wayfare's addition.
    pub total_pages: Option<u32>,
    /// How long it took, milliseconds.
    pub duration_ms: u64,
    /// When it was asked, UTC; Wayfare's addition.
    pub created_at: Option<DateTime<Utc>>,
    /// Until when it can be priced, UTC; Wayfare's addition.
    pub expires_at: Option<DateTime<Utc>>,
    /// What became of asking each supplier, by its prefix.
    pub provider_status: BTreeMap<String, HotelSupplierStatus>,
    /// The hotels.
    pub hotels: Vec<HotelResult>,
    /// Why suppliers are missing; Wayfare's addition.
    #[serde(default)]
    pub debug: HotelSearchDebug,
}

/// What became of asking a supplier.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct HotelSupplierStatus {
    /// Whether it answered.
    pub status: SupplierState,
    /// How many of its hotels there are.
    pub results_count: u64,
    /// How long the search waited for it, milliseconds.
    pub duration_ms: u64,
}

/// Why suppliers are missing.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct HotelSearchDebug {
    /// What went wrong, by supplier.
    pub provider_errors: BTreeMap<String, Vec<String>>,
    /// The same line by line.
    #[serde(default)]
    pub problems: Vec<crate::flights::SearchProblem>,
}

/// A hotel that was found.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct HotelResult {
    /// With its supplier's prefix.
    pub hotel_id: String,
    /// The supplier's code.
    pub provider: String,
    /// The supplier's own id.
    pub provider_hotel_id: String,
    /// Its name.
    pub name: String,
    /// Stars, halves too.
    pub star_rating: Option<Amount>,
    /// What kind of house.
    pub property_type: Option<String>,
    /// Where it stands.
    pub address: Address,
    /// Degrees; Wayfare's addition.
    pub latitude: Option<Amount>,
    /// Degrees; Wayfare's addition.
    pub longitude: Option<Amount>,
    /// What it looks like.
    pub images: Vec<Image>,
    /// Each is one rate for the rooms of one kind.
    pub rooms: Vec<FoundRoom>,
}

/// Where a hotel stands.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Address {
    /// Street and number.
    pub line1: Option<String>,
    /// Its city.
    pub city: Option<String>,
    /// Its country.
    pub country: Option<String>,
}

/// A picture.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Image {
    /// Where it is.
    pub url: String,
    /// Of what.
    #[serde(rename = "type")]
    pub kind: Option<String>,
}

/// A room at a rate.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct FoundRoom {
    /// What it is priced and booked with, beside the rate's id.
    pub room_id: String,
    /// The supplier's own id.
    pub provider_room_id: String,
    /// Its name.
    pub name: String,
    /// Its beds.
    pub bed_type: Option<String>,
    /// How many can sleep there.
    pub max_occupancy: Option<u32>,
    /// For whom of the search it is; Wayfare's addition.
    pub occupancy: Option<Occupancy>,
    /// Whether it is to be had.
    pub availability: Availability,
    /// What it costs.
    pub pricing: RoomPricing,
}

/// For whom a room is.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Occupancy {
    /// How many adults.
    pub adults: u8,
    /// Each child's age.
    pub children_ages: Vec<u8>,
}

/// Whether a room is to be had.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Availability {
    /// `available`.
    pub status: String,
    /// How many are left.
    pub rooms_left: Option<u32>,
}

/// What one room costs. What is paid at the hotel is in no total: show it, with its currency.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct RoomPricing {
    /// What it is priced and booked with, beside the room's id.
    pub rate_id: String,
    /// The rate's name.
    pub rate_name: Option<String>,
    /// Of the total, ISO 4217.
    pub currency: String,
    /// Of one room for all nights.
    pub total_after_tax: Amount,
    /// How many rooms of the kind were searched; Wayfare's addition.
    pub quantity: Option<u16>,
    /// Rates with the same one are only bought together; Wayfare's addition.
    pub sold_with: Option<String>,
    /// What is served.
    pub meal_plan: MealPlan,
    /// The same in the supplier's words; Wayfare's addition.
    pub meals: Option<String>,
    /// Whether anything comes back.
    pub refundable: Option<bool>,
    /// Until when all of it does, UTC; Wayfare's addition.
    pub free_cancellation_until: Option<DateTime<Utc>>,
    /// Where it is paid; Wayfare's addition.
    pub payment_type: Option<PaymentType>,
    /// What is paid at the hotel, of all rooms of the rate.
    pub pay_at_hotel_fees: Amount,
    /// Of that, ISO 4217.
    pub pay_at_hotel_fees_currency: Option<String>,
    /// Each of them; Wayfare's addition.
    #[serde(default)]
    pub pay_at_hotel_fee_lines: Vec<HotelFee>,
    /// Under which the supplier doesn't want it sold to the public; Wayfare's addition.
    pub minimum_selling_price: Option<Amount>,
    /// Of that, ISO 4217; Wayfare's addition.
    pub minimum_selling_price_currency: Option<String>,
    /// What the organization pays for one room and why; Wayfare's addition.
    pub agent_price: Option<HotelAgentPrice>,
}

/// What is paid at the hotel.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct HotelFee {
    /// For what.
    pub name: String,
    /// How much.
    pub amount: Amount,
    /// Of it, ISO 4217.
    pub currency: String,
}

/// What the organization pays and why.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct HotelAgentPrice {
    /// What the public pays.
    pub public_fare: Amount,
    /// What the wallet pays.
    pub agent_fare: Amount,
    /// The platform's fee in it.
    pub service_fee: Amount,
    /// The tax on that.
    pub gst_on_service_fee: Amount,
    /// The platform's charge in it.
    pub platform_charge: Amount,
    /// What is earned; none without a package.
    pub agent_commission: Option<Amount>,
    /// Of these amounts, ISO 4217.
    pub currency: String,
}

/// A city.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct City {
    /// What it is searched with.
    pub code: String,
    /// Its name.
    pub name: String,
    /// ISO 3166-1, two letters.
    pub country_code: String,
}

/// What a supplier tells of its hotels.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct ProviderHotels {
    /// The supplier's code.
    pub provider: String,
    /// Its hotels.
    pub hotels: Vec<HotelDetails>,
    /// Why it told of none, if it failed.
    pub error: Option<String>,
}

/// What is told of a hotel.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct HotelDetails {
    /// With its supplier's prefix.
    pub hotel_id: String,
    /// The supplier's own id.
    pub provider_hotel_id: String,
    /// Its name.
    pub name: String,
    /// Stars, halves too.
    pub star_rating: Option<Amount>,
    /// What kind of house.
    pub property_type: Option<String>,
    /// In words.
    pub description: Option<String>,
    /// Where it stands.
    pub address: Address,
    /// How it is reached.
    pub contact: HotelContact,
    /// What it looks like.
    pub images: Vec<Image>,
    /// What it has.
    pub amenities: Vec<String>,
    /// What its rooms have.
    pub room_amenities: Vec<String>,
    /// Whether breakfast costs nothing.
    pub has_free_breakfast: Option<bool>,
}

/// How a hotel is reached.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct HotelContact {
    /// Its telephone.
    pub phone: Option<String>,
    /// Its e-mail address.
    pub email: Option<String>,
}
