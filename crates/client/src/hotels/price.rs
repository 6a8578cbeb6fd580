//! A promised price of a stay and what giving it back costs (docs/API.md, Hotels).

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::search::{FoundRoom, HotelAgentPrice};
use crate::{Amount, enums::MealPlan, flights::PriceChange};

/// What is to be priced: one rate for each kind of room that was searched.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HotelPriceRequest {
    /// The search that showed it.
    pub search_id: String,
    /// The hotel.
    pub hotel_id: String,
    /// The rates.
    pub room_selections: Vec<RoomSelection>,
}

/// A rate for the rooms of one kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RoomSelection {
    /// The room.
    pub room_id: String,
    /// The rate.
    pub rate_id: String,
    /// As many as were searched; none = as searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quantity: Option<u16>,
}

impl HotelPriceRequest {
    /// These rooms of a hotel.
    pub fn of<'a>(search_id: &str, hotel_id: &str, rooms: impl IntoIterator<Item = &'a FoundRoom>) -> Self {
        let selection = |room: &FoundRoom| RoomSelection {
            room_id: room.room_id.clone(),
            rate_id: room.pricing.rate_id.clone(),
            quantity: room.pricing.quantity,
        };
        Self {
            search_id: search_id.to_owned(),
            hotel_id: hotel_id.to_owned(),
            room_selections: rooms.into_iter().map(selection).collect(),
        }
    }
}

/// A promised price.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct HotelPrice {
    /// What it is booked with.
    pub price_id: String,
    /// The hotel.
    pub hotel_id: String,
    /// `PRICE_VERIFIED`.
    pub status: String,
    /// Until when it can be booked, UTC.
    pub expires_at: DateTime<Utc>,
    /// The wallet's, ISO 4217.
    pub currency: String,
    /// What it is made of.
    pub pricing_breakdown: PricingBreakdown,
    /// What the organization pays and why; Wayfare's addition.
    pub agent_price: Option<HotelAgentPrice>,
    /// What of the public fare is the agency's markup; Wayfare's addition.
    pub public_markup: Option<Amount>,
    /// That the price moved since the search; Wayfare's addition.
    pub price_change: Option<PriceChange>,
    /// What was priced; Wayfare's addition.
    #[serde(default)]
    pub rooms: Vec<PricedRoom>,
    /// What is paid at the hotel, in no total; Wayfare's addition.
    pub pay_at_hotel_fees: Option<Amount>,
    /// Of that, ISO 4217; Wayfare's addition.
    pub pay_at_hotel_fees_currency: Option<String>,
    /// What giving it back costs; Wayfare's addition.
    pub cancellation_policy: Option<CancellationPolicy>,
    /// What has to be told to guests; Wayfare's addition.
    #[serde(default)]
    pub remarks: Vec<String>,
}

/// What a price is made of.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct PricingBreakdown {
    /// The rooms.
    pub room_charges: RoomCharges,
    /// Taxes.
    pub taxes: HotelTaxes,
    /// Fees.
    pub fees: HotelFees,
    /// Discounts.
    pub discounts: Discounts,
    /// Rooms, taxes and fees.
    pub total_before_discount: Amount,
    /// What is taken off.
    pub total_discount: Amount,
    /// What is left.
    pub total_after_discount: Amount,
    /// The supplier's total; the wallet pays `agent_price.agent_fare`.
    pub grand_total: Amount,
}

/// What rooms cost.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct RoomCharges {
    /// How many nights.
    pub nights: u32,
    /// All rooms, one night.
    pub rate_per_night: Amount,
    /// All rooms, all nights.
    pub subtotal: Amount,
}

/// Taxes.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct HotelTaxes {
    /// All of them.
    pub total_taxes: Amount,
}

/// Fees.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct HotelFees {
    /// For service.
    pub service_charge: Amount,
    /// The resort's.
    pub resort_fee: Amount,
    /// Both.
    pub total_fees: Amount,
}

/// Discounts.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Discounts {
    /// For coming again.
    pub loyalty_discount: Amount,
    /// All of them.
    pub total_discounts: Amount,
}

/// A rate that was priced.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct PricedRoom {
    /// The room.
    pub room_id: String,
    /// The rate.
    pub rate_id: String,
    /// How many rooms.
    pub quantity: u16,
    /// The room's name.
    pub name: String,
    /// What is served.
    pub meal_plan: MealPlan,
    /// Whether anything comes back.
    pub refundable: Option<bool>,
}

/// What giving a stay back costs.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct CancellationPolicy {
    /// Whether anything comes back.
    pub refundable: Option<bool>,
    /// Until when all of it does, UTC.
    pub free_until: Option<DateTime<Utc>>,
    /// The hotel's, IANA.
    pub time_zone: Option<String>,
    /// From when it costs what, the earliest first.
    pub deadlines: Vec<Deadline>,
    /// In the supplier's words.
    pub remarks: Vec<String>,
}

/// From when giving a stay back costs how much.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Deadline {
    /// From then on, UTC.
    pub from: DateTime<Utc>,
    /// The same by the hotel's clocks.
    pub local: Option<String>,
    /// As the supplier wrote it.
    pub text: String,
    /// What is kept: on a voucher of what the guests pay, elsewhere of what the supplier was paid.
    pub fee: Amount,
    /// Of it, ISO 4217: the supplier's, and on a voucher that of the price.
    pub currency: String,
    /// What does not come back to the wallet, in its currency; none where nobody knows. Wayfare's addition.
    pub agent_fee: Option<Amount>,
    /// What the guests bear of their price, in the wallet's currency. Wayfare's addition.
    pub guest_fee: Option<Amount>,
}
