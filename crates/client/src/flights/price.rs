//! Fare rules and promised prices (docs/API.md, Price).

use chrono::{DateTime, NaiveDateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{AgentDetails, HoldTerms, Requirement};
use crate::{
    Amount,
    enums::{AncillaryType, Cabin, FeeType, PassengerType},
};

/// Whose rules are asked for: at most ten in all.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FareRulesRequest {
    /// The search that showed the offers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search_id: Option<String>,
    /// Offers that were shown.
    pub offer_ids: Vec<String>,
    /// Keys of earlier answers.
    pub fare_keys: Vec<String>,
    /// What was priced.
    pub booking_keys: Vec<String>,
}

/// The rules of what was asked for.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct FareRules {
    /// The first one's key, to ask again with.
    pub fare_key: String,
    /// What giving it back costs.
    pub cancellation: String,
    /// What another date costs.
    pub date_change: String,
    /// What may be carried.
    pub baggage_policy: String,
    /// The supplier's own words.
    pub raw_text: String,
    /// The first one's line by line.
    #[serde(default)]
    pub fees: Vec<FareFee>,
    /// The same of each that was asked for.
    #[serde(default)]
    pub items: Vec<FareRulesItem>,
}

/// The rules of one fare.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct FareRulesItem {
    /// Its key, to ask again with.
    pub fare_key: String,
    /// What giving it back costs.
    pub cancellation: String,
    /// What another date costs.
    pub date_change: String,
    /// What may be carried.
    pub baggage_policy: String,
    /// The supplier's own words.
    pub raw_text: String,
    /// Line by line.
    pub fees: Vec<FareFee>,
}

/// A line of a fare's rules, for programs.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct FareFee {
    /// For what.
    #[serde(rename = "type")]
    pub kind: FeeType,
    /// On which route: `DEL-BOM`.
    pub route: Option<String>,
    /// For whom.
    pub passenger_type: Option<PassengerType>,
    /// Whether it can be done at all.
    pub is_allowed: Option<bool>,
    /// What is taken in all.
    pub amount: Option<Amount>,
    /// The supplier's own part.
    pub supplier_fee: Option<Amount>,
    /// Of these amounts, ISO 4217.
    pub currency: String,
    /// From so many hours before departure.
    pub from_hours: Option<u32>,
    /// Until so many hours before departure.
    pub until_hours: Option<u32>,
    /// After departure, and then without hours.
    pub after_departure: bool,
    /// The supplier's own words.
    pub text: Option<String>,
}

/// What is to be priced: one offer that covers the trip, a half for each journey, or combinable ones.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PriceRequest {
    /// The offers.
    pub offer_ids: Vec<String>,
    /// As they were searched for; none = as searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adults: Option<u8>,
    /// As they were searched for; none = as searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub children: Option<u8>,
    /// As they were searched for; none = as searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub infants: Option<u8>,
}

impl PriceRequest {
    /// These offers, for whom they were searched.
    pub fn of<Id: Into<String>>(offer_ids: impl IntoIterator<Item = Id>) -> Self {
        Self {
            offer_ids: offer_ids.into_iter().map(Into::into).collect(),
            adults: None,
            children: None,
            infants: None,
        }
    }
}

/// A promised price.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct FlightPrice {
    /// What is booked with, one for each offer.
    pub booking_keys: Vec<String>,
    /// `PRICE_VERIFIED`.
    pub status: String,
    /// The wallet's, ISO 4217: of all amounts.
    pub currency: String,
    /// Until when it can be booked, UTC.
    pub expires_at: DateTime<Utc>,
    /// What it comes to.
    pub price_summary: PriceSummary,
    /// That the price moved since the search; Wayfare's addition.
    pub price_change: Option<PriceChange>,
    /// By passenger type.
    pub passenger_breakdown: Vec<PassengerShare>,
    /// The flights.
    pub itinerary_snapshot: ItinerarySnapshot,
    /// What changing one's mind costs.
    pub fare_rules: PriceRules,
    /// What can be bought besides.
    pub ancillaries: Vec<Ancillary>,
    /// Whether all of it can be held; none from a server that does not tell. Wayfare's addition.
    pub hold: Option<HoldTerms>,
    /// What the suppliers want of the travellers, for all of it; Wayfare's addition.
    #[serde(default)]
    pub requires: Vec<Requirement>,
}

/// What a price comes to.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct PriceSummary {
    /// What the wallet pays.
    pub total_payable: Amount,
    /// What the public pays.
    pub public_fare: Amount,
    /// Of these amounts, ISO 4217.
    pub currency: String,
    /// From the supplier's currency.
    pub exchange_rate: Option<Amount>,
    /// Base fares.
    pub base_fare_total: Amount,
    /// Taxes.
    pub tax_total: Amount,
    /// What of the public fare is the agency's markup; Wayfare's addition.
    pub public_markup: Option<Amount>,
    /// What the organization pays and why.
    pub agent_details: AgentDetails,
}

/// That a price moved between search and price.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct PriceChange {
    /// The supplier's total as it was shown.
    pub old_total: Amount,
    /// As it is now.
    pub new_total: Amount,
    /// What the wallet was to pay as it was shown; Wayfare's addition.
    pub old_agent_fare: Option<Amount>,
    /// What it pays now; Wayfare's addition.
    pub new_agent_fare: Option<Amount>,
}

/// A price's part for one passenger type.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct PassengerShare {
    /// Which.
    pub pax_type: PassengerType,
    /// How many.
    pub count: u32,
    /// The base fare of one.
    pub base_per_pax: Amount,
    /// The taxes of one.
    pub tax_per_pax: Amount,
    /// Both of one.
    pub total_per_pax: Amount,
    /// The taxes' parts.
    pub tax_breakdown: Vec<Tax>,
}

/// A tax.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Tax {
    /// Its code, `TAX` where the supplier tells no parts.
    pub code: String,
    /// How much.
    pub amount: Amount,
    /// In words.
    pub description: String,
}

/// The flights of a price.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct ItinerarySnapshot {
    /// In order: `s1`, `s2` …
    pub segments: Vec<PricedSegment>,
}

/// A flight of a price.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct PricedSegment {
    /// Its name in price and booking.
    pub segment_id: String,
    /// Who sells it, IATA.
    pub airline: String,
    /// Who flies it, IATA.
    pub operating_carrier: Option<String>,
    /// Its number.
    pub flight_number: String,
    /// IATA.
    pub origin: String,
    /// IATA.
    pub destination: String,
    /// Where it leaves.
    pub dep_terminal: Option<String>,
    /// Where it arrives.
    pub arr_terminal: Option<String>,
    /// By the clocks of the origin.
    pub departure: NaiveDateTime,
    /// By the clocks of the destination.
    pub arrival: NaiveDateTime,
    /// Its class.
    pub cabin_class: Option<Cabin>,
    /// The booking class.
    pub rbd: Option<String>,
    /// The fare's code.
    pub fare_basis: Option<String>,
    /// The fare's name.
    pub fare_type: Option<String>,
    /// Checked in.
    pub baggage: Option<String>,
    /// In the cabin.
    pub cabin_baggage: Option<String>,
    /// Whether anything comes back.
    pub refundable: Option<bool>,
    /// How many seats are left.
    pub avail_seats: Option<u32>,
    /// In the air, minutes.
    pub duration_minutes: Option<u32>,
}

/// What changing one's mind costs; none is not known.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct PriceRules {
    /// Whether anything comes back of every offer.
    pub is_refundable: Option<bool>,
    /// For giving it back.
    pub cancellation_fee: Option<Amount>,
    /// For another date.
    pub change_fee: Option<Amount>,
    /// In words.
    pub rule_text: String,
    /// Fees in another currency than the fare's, which are in none of the above.
    #[serde(default)]
    pub other_currency_fees: Vec<OtherCurrencyFee>,
}

/// A fee in another currency than the fare's.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct OtherCurrencyFee {
    /// For what.
    #[serde(rename = "type")]
    pub kind: FeeType,
    /// How much.
    pub amount: Amount,
    /// Of this currency.
    pub currency: String,
}

/// What one traveller can buy besides, with the booking.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Ancillary {
    /// What it is.
    #[serde(rename = "type")]
    pub kind: AncillaryType,
    /// What it is ordered with.
    pub code: String,
    /// In words.
    pub name: String,
    /// Of one, in the wallet's currency.
    pub price: Amount,
    /// The first flight it covers.
    pub segment_id: String,
    /// All flights that one purchase covers; Wayfare's addition.
    #[serde(default)]
    pub segment_ids: Vec<String>,
    /// How many a traveller may have; Wayfare's addition.
    pub max_quantity: Option<u32>,
}
