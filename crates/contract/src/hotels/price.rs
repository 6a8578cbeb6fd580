//! Promised prices of stays.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{CancellationPolicy, FoundRoom, HotelAgentPrice};
#[cfg(feature = "schema")]
use crate::schema::CurrencyCode;
use crate::{Amount, flights::PriceChange, vocabulary::MealPlan};

/// What is to be priced: one rate for each kind of room that was searched.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "PriceHotelRequest"))]
pub struct HotelPriceRequest {
    /// The search that showed it.
    pub search_id: String,
    /// The hotel: the provider's code, a colon and the supplier's own id, such as `liteapi:lp1897`.
    pub hotel_id: String,
    /// One for each kind of room that was searched.
    pub room_selections: Vec<RoomSelection>,
}

impl HotelPriceRequest {
    /// These rooms of a hotel.
    pub fn of<'a>(search_id: &str, hotel_id: &str, rooms: impl IntoIterator<Item = &'a FoundRoom>) -> Self {
        let selection = |room: &FoundRoom| RoomSelection {
            room_id: room.room_id.clone(),
            rate_id: room.pricing.rate_id.clone(),
            quantity: Some(room.pricing.quantity),
        };
        Self {
            search_id: search_id.to_owned(),
            hotel_id: hotel_id.to_owned(),
            room_selections: rooms.into_iter().map(selection).collect(),
        }
    }
}

/// A rate for the rooms of one kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "PriceHotelRoomSelection"))]
pub struct RoomSelection {
    /// The room.
    pub room_id: String,
    /// The rate at which the room is sold.
    pub rate_id: String,
    /// As `pricing.quantity` of the rate; may be left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quantity: Option<u16>,
}
body! { RoomSelection of(room_id: &str, rate_id: &str) { quantity: u16 } }

/// A promised price.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HotelPrice {
    /// Names the price to book, until `expires_at`.
    pub price_id: Uuid,
    /// The hotel: the provider's code, a colon and the supplier's own id, such as `liteapi:lp1897`.
    pub hotel_id: String,
    /// The price was asked of the supplier just now.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["PRICE_VERIFIED"])))]
    pub status: String,
    /// Until when it can be booked, UTC.
    pub expires_at: DateTime<Utc>,
    /// The wallet's, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
    /// What the total is made of.
    pub pricing_breakdown: PricingBreakdown,
    /// What the organization pays and why.
    pub agent_price: HotelAgentPrice,
    /// What of the public fare is the agency's markup; 0 where that is taken from the commission.
    pub public_markup: Amount,
    /// The price has moved since the search; absent if it hasn't.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<HotelPriceChange>"))]
    pub price_change: Option<PriceChange>,
    /// What was priced.
    #[serde(default)]
    pub rooms: Vec<PricedRoom>,
    /// What guests pay at the hotel, in no total; if there are several currencies, the sum in the first one.
    pub pay_at_hotel_fees: Amount,
    /// Of that, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "Option<CurrencyCode>"))]
    pub pay_at_hotel_fees_currency: Option<String>,
    /// What cancelling costs, and from when.
    pub cancellation_policy: CancellationPolicy,
    /// What has to be told to guests.
    #[serde(default)]
    pub remarks: Vec<String>,
}

/// What a price is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "HotelPriceBreakdown"))]
pub struct PricingBreakdown {
    /// What the rooms cost.
    pub room_charges: RoomCharges,
    /// Taxes that the price has in it.
    pub taxes: HotelTaxes,
    /// Fees that the price has in it.
    pub fees: HotelFees,
    /// What was taken off.
    pub discounts: Discounts,
    /// The total without what was taken off.
    pub total_before_discount: Amount,
    /// What was taken off.
    pub total_discount: Amount,
    /// The total with what was taken off.
    pub total_after_discount: Amount,
    /// The supplier's total; the wallet pays `agent_price.agent_fare`.
    pub grand_total: Amount,
}

/// What rooms cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RoomCharges {
    /// How many nights.
    pub nights: u32,
    /// What a night costs on average.
    pub rate_per_night: Amount,
    /// All rooms, all nights.
    pub subtotal: Amount,
}

/// Taxes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HotelTaxes {
    /// All taxes together.
    pub total_taxes: Amount,
}

/// Fees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HotelFees {
    /// The hotel's charge for service.
    pub service_charge: Amount,
    /// The resort's fee.
    pub resort_fee: Amount,
    /// All fees together.
    pub total_fees: Amount,
}

/// Discounts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "HotelDiscounts"))]
pub struct Discounts {
    /// What was taken off for loyalty.
    pub loyalty_discount: Amount,
    /// What was taken off.
    pub total_discounts: Amount,
}

/// A rate that was priced.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PricedRoom {
    /// The room.
    pub room_id: String,
    /// The rate at which the room is sold.
    pub rate_id: String,
    /// How many of it.
    pub quantity: u16,
    /// The room's name.
    pub name: String,
    /// Which meals are included.
    pub meal_plan: MealPlan,
    /// Whether anything comes back; false if everything is kept from now on, null where it isn't known.
    pub refundable: Option<bool>,
}

#[cfg(feature = "schema")]
crate::schema::also_named! {
    HotelPriceChange of PriceChange,
}
