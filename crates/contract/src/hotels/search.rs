//! What a hotel search asks and what it finds.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

#[cfg(feature = "schema")]
use crate::schema::CurrencyCode;
use crate::{
    Amount,
    flights::SearchProblem,
    vocabulary::{MealPlan, PaymentType, SearchStatus, SortField, SortOrder, SupplierState},
};

/// A search for hotels.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "SearchHotelsRequest"))]
pub struct HotelSearch {
    /// The day of arrival, `YYYY-MM-DD`.
    pub check_in: NaiveDate,
    /// The day of departure, `YYYY-MM-DD`.
    pub check_out: NaiveDate,
    /// Who sleeps in each room; 1 to 9 rooms.
    pub rooms: Vec<RoomGuests>,
    /// Where hotels are looked for.
    pub location: Location,
    /// Your own name of the search, or that of an answer out of which other pages, filters or orders are wanted; null: a new one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search_id: Option<String>,
    /// ISO 4217 code of the currency in which prices are shown; default INR.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// ISO 639 code of the language of texts; default en.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// ISO 3166 code of the country whose passport the guests have; default IN.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guest_nationality: Option<String>,
    /// What is left out of the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filters: Option<HotelFilters>,
    /// In which order hotels come; without it they are grouped by provider.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sort: Option<HotelSort>,
    /// Which page of the answer is wanted; default the first with 20 hotels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pagination: Option<Pagination>,
}
body! { HotelSearch { search_id: &str, currency: &str, language: &str, guest_nationality: &str } }

impl HotelSearch {
    /// There, from one day to another: one room for two adults, unless told otherwise.
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RoomGuests {
    /// How many adults sleep in the room, 1 to 9.
    pub adults: u8,
    /// How many children; may be left out, since `children_ages` says it.
    pub children: u8,
    /// The age of each child, 0 to 17.
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Location {
    /// These hotels.
    #[serde(rename = "hotel_id")]
    Hotels {
        /// Hotels by their ids, such as `liteapi:lp1897`.
        hotel_ids: Vec<String>,
    },
    /// In a city.
    City {
        /// The city's code, as `GET /hotels/cities` gives it.
        #[serde(skip_serializing_if = "Option::is_none")]
        code: Option<String>,
        /// The city's name or IATA code, of which the largest city counts; beside `code` it is ignored.
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
    /// Around an airport.
    Airport {
        /// IATA code of the airport.
        code: String,
    },
    /// Around a point.
    Coordinates {
        /// Degrees north.
        latitude: Amount,
        /// Degrees east.
        longitude: Amount,
        /// How far around the point, 0.1 to 200; default 20.
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HotelFilters {
    /// One of these numbers of stars; half stars count as the star below, half a star as one. 0: the supplier doesn't say them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub star_rating: Vec<u8>,
    /// At least this for one room, in the shown currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price_min: Option<Amount>,
    /// At most this for one room, in the shown currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price_max: Option<Amount>,
    /// The hotel has all of these; parts of words are enough.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub amenities: Vec<String>,
    /// One of these kinds of houses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub property_type: Vec<String>,
    /// Only rates of which something comes back.
    pub refundable_only: bool,
    /// Which meals are included.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub meal_plan: Vec<MealPlan>,
    /// Only rates that are paid in this way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payment_type: Option<PaymentType>,
    /// Whether rates that are paid at the hotel are shown, too. No wallet can pay for them.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub include_pay_at_hotel: bool,
}
body! { HotelFilters {
    star_rating: Vec<u8>, price_min: Amount, price_max: Amount, amenities: Vec<String>, property_type: Vec<String>,
    refundable_only: bool, meal_plan: Vec<MealPlan>, payment_type: PaymentType, include_pay_at_hotel: bool,
} }

/// In which order hotels come.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HotelSort {
    /// By what hotels are ordered.
    pub field: SortField,
    /// In which direction; default `asc`.
    pub order: SortOrder,
}

/// Which page of a search.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Pagination {
    /// The page, from 1.
    pub page: u32,
    /// How many items a page has: 1 to 100.
    pub per_page: u32,
}

/// A page of what was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "HotelSearch"))]
pub struct HotelsFound {
    /// The search, for other pages and for price.
    pub search_id: String,
    /// Whether all suppliers have answered.
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("enum" = ["complete", "partial"])))]
    pub status: SearchStatus,
    /// Of the prices shown, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
    /// How many hotels all pages have.
    pub total_results: i64,
    /// This page, from 1.
    pub page: u32,
    /// How many items a page has: 1 to 100.
    pub per_page: u32,
    /// How many pages there are.
    pub total_pages: i64,
    /// How long it took, milliseconds.
    #[cfg_attr(feature = "schema", schemars(with = "u128"))]
    pub duration_ms: u64,
    /// When it was asked, UTC.
    pub created_at: DateTime<Utc>,
    /// Until when it can be priced, UTC.
    pub expires_at: DateTime<Utc>,
    /// What became of asking each supplier, by its prefix.
    pub provider_status: BTreeMap<String, HotelSupplierStatus>,
    /// The hotels.
    pub hotels: Vec<HotelResult>,
    /// What went wrong at suppliers.
    #[serde(default)]
    pub debug: HotelSearchDebug,
}

/// One supplier's line in `provider_status`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "HotelProviderStatus"))]
pub struct HotelSupplierStatus {
    /// Whether the supplier answered; `skipped` if it was not asked.
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("enum" = ["success", "error", "skipped"])))]
    pub status: SupplierState,
    /// How many of its hotels are shown.
    pub results_count: usize,
    /// How long the search waited for it, milliseconds.
    #[cfg_attr(feature = "schema", schemars(with = "u128"))]
    pub duration_ms: u64,
}

/// Why suppliers are missing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HotelSearchDebug {
    /// By supplier, why its answer is missing or short.
    pub provider_errors: BTreeMap<String, Vec<String>>,
    /// What went wrong at suppliers, line by line.
    #[serde(default)]
    pub problems: Vec<SearchProblem>,
}

/// A hotel that was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Hotel"))]
pub struct HotelResult {
    /// The hotel: the provider's code, a colon and the supplier's own id, such as `liteapi:lp1897`.
    pub hotel_id: String,
    /// The supplier's code.
    pub provider: String,
    /// The supplier's own id of the hotel.
    pub provider_hotel_id: String,
    /// The name.
    pub name: String,
    /// Stars; null where the supplier doesn't say.
    pub star_rating: Option<Amount>,
    /// The kind of house, in the supplier's words.
    pub property_type: Option<String>,
    /// Where the hotel stands.
    pub address: Address,
    /// Degrees north.
    pub latitude: Option<Amount>,
    /// Degrees east.
    pub longitude: Option<Amount>,
    /// Pictures of the hotel.
    pub images: Vec<Image>,
    /// Each is one rate for the rooms of one kind.
    pub rooms: Vec<FoundRoom>,
}

/// Where a hotel stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Address {
    /// Street and number.
    pub line1: Option<String>,
    /// The city's name.
    pub city: Option<String>,
    /// The country's name.
    pub country: Option<String>,
}

/// A picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Image {
    /// Where it is.
    pub url: String,
    /// What the picture shows, in the supplier's words.
    #[serde(rename = "type")]
    pub kind: Option<String>,
}

/// A room at a rate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Room"))]
pub struct FoundRoom {
    /// What it is priced and booked with, beside the rate's id.
    pub room_id: String,
    /// The supplier's own id of the room.
    pub provider_room_id: String,
    /// The name.
    pub name: String,
    /// The beds in the supplier's words.
    pub bed_type: Option<String>,
    /// How many people the room is for at most.
    pub max_occupancy: Option<u32>,
    /// For whom each room of the rate is.
    pub occupancy: Occupancy,
    /// Whether the room can be had.
    pub availability: Availability,
    /// What it costs.
    pub pricing: RoomPricing,
}

/// For whom a room is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Occupancy {
    /// How many adults the room is for.
    pub adults: u8,
    /// The age of each child, 0 to 17.
    pub children_ages: Vec<u8>,
}

/// Whether a room is to be had.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Availability {
    /// Whether it can be had.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["available"])))]
    pub status: String,
    /// How many of it the supplier still has; null where it doesn't say.
    pub rooms_left: Option<u32>,
}

/// What one room costs. What is paid at the hotel is in no total: show it, with its currency.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "HotelRatePrice"))]
pub struct RoomPricing {
    /// What it is priced and booked with, beside the room's id.
    pub rate_id: String,
    /// The rate in the supplier's words.
    pub rate_name: Option<String>,
    /// Of the total, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
    /// Of one room for all nights.
    pub total_after_tax: Amount,
    /// How many rooms of this kind were searched.
    pub quantity: u16,
    /// Rates with the same word can only be bought together; null: alone.
    pub sold_with: Option<String>,
    /// Which meals are included.
    pub meal_plan: MealPlan,
    /// The meals in the supplier's words.
    pub meals: String,
    /// Whether anything comes back; false if everything is kept from now on, null where it isn't known.
    pub refundable: Option<bool>,
    /// Until when cancelling is free, UTC; null if that time is over or never was.
    pub free_cancellation_until: Option<DateTime<Utc>>,
    /// Whether the agency pays now, or guests pay at the hotel. The latter is shown and not sold.
    pub payment_type: PaymentType,
    /// What guests pay at the hotel, in no total; if there are several currencies, the sum in the first one.
    pub pay_at_hotel_fees: Amount,
    /// Of that, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "Option<CurrencyCode>"))]
    pub pay_at_hotel_fees_currency: Option<String>,
    /// Each fee that guests pay at the hotel.
    #[serde(default)]
    pub pay_at_hotel_fee_lines: Vec<HotelFee>,
    /// The lowest price at which the supplier wants the room sold to the public; null where it has none.
    pub minimum_selling_price: Option<Amount>,
    /// Of that, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "Option<CurrencyCode>"))]
    pub minimum_selling_price_currency: Option<String>,
    /// What the organization pays for one room and why.
    pub agent_price: HotelAgentPrice,
}

/// What is paid at the hotel; in no total.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "FeeLine"))]
pub struct HotelFee {
    /// For what.
    pub name: String,
    /// How much.
    pub amount: Amount,
    /// Of it, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
}

/// What the organization pays and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HotelAgentPrice {
    /// What the traveller pays.
    pub public_fare: Amount,
    /// What the agency pays: fare, markups, fees and taxes together, without ancillaries.
    pub agent_fare: Amount,
    /// The platform's fee in it.
    pub service_fee: Amount,
    /// The tax on that.
    pub gst_on_service_fee: Amount,
    /// The platform's charge in it.
    pub platform_charge: Amount,
    /// What is earned; null without a package.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_commission: Option<Amount>,
    /// Of these amounts, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
}

#[cfg(feature = "schema")]
crate::schema::also_named! {
    FeeAtHotel of HotelFee,
    HotelAddressDetails of Address,
    HotelImageDetails of Image,
}
