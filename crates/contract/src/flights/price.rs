//! Promised prices of flights, and what is wanted of those who travel.

use chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};
use serde::{Deserialize, Serialize};

#[cfg(feature = "schema")]
use crate::schema::CurrencyCode;
use crate::{
    Amount,
    vocabulary::{AncillaryType, Cabin, FeeType, PassengerType, RequiredOf, RequirementKind},
};

/// What is to be priced: one offer that covers the trip, a half for each journey, or combinable ones.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "PriceFlightRequest"))]
pub struct PriceRequest {
    /// Offers of a search. Several make one trip together.
    pub offer_ids: Vec<String>,
    /// Another way to give `offer_ids`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flight_selection: Option<FlightSelection>,
    /// How many travellers of 12 years or older; left out: as searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adults: Option<u8>,
    /// How many travellers of 2 to 11 years; left out: as searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub children: Option<u8>,
    /// How many travellers under 2 years; left out: as searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub infants: Option<u8>,
}
body! { PriceRequest { flight_selection: FlightSelection, adults: u8, children: u8, infants: u8 } }

impl PriceRequest {
    /// These offers, for whom they were searched.
    pub fn of<Id: Into<String>>(offer_ids: impl IntoIterator<Item = Id>) -> Self {
        Self {
            offer_ids: offer_ids.into_iter().map(Into::into).collect(),
            flight_selection: None,
            adults: None,
            children: None,
            infants: None,
        }
    }
}

/// What is to be priced, said in another way.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FlightSelection {
    /// Offers of a search. Several make one trip together.
    pub offer_ids: Vec<String>,
}

/// A promised price.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FlightPrice {
    /// One key for each priced offer. Book takes them until `expires_at`.
    pub booking_keys: Vec<String>,
    /// The price was asked of the supplier just now.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["PRICE_VERIFIED"])))]
    pub status: String,
    /// The wallet's, ISO 4217: of all amounts.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
    /// Until when it can be booked, UTC.
    pub expires_at: DateTime<Utc>,
    /// What all offers cost together.
    pub price_summary: PriceSummary,
    /// The price has moved since the search; absent if it hasn't.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price_change: Option<PriceChange>,
    /// The price by type of traveller.
    pub passenger_breakdown: Vec<PassengerShare>,
    /// The flights as they were priced.
    pub itinerary_snapshot: ItinerarySnapshot,
    /// What changes and cancellations cost.
    pub fare_rules: PriceRules,
    /// Seats, bags and meals that can be booked with the fare.
    pub ancillaries: Vec<Ancillary>,
    /// Whether all of it can be held and paid later.
    pub hold: HoldTerms,
    /// What the suppliers want of the travellers, for all of it.
    #[serde(default)]
    pub requires: Vec<Requirement>,
}

/// What a price comes to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "FlightPriceSummary"))]
pub struct PriceSummary {
    /// What the wallet pays.
    pub total_payable: Amount,
    /// What the traveller pays.
    pub public_fare: Amount,
    /// Of these amounts, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
    /// By what an amount in the first supplier's currency is multiplied to have it in the wallet's.
    pub exchange_rate: Option<Amount>,
    /// The fares of all travellers without taxes.
    pub base_fare_total: Amount,
    /// Taxes of all travellers.
    pub tax_total: Amount,
    /// What of the public fare is the agency's markup; 0 where that is taken from the commission.
    pub public_markup: Amount,
    /// What the organization pays and why.
    pub agent_details: AgentDetails,
}

/// That a price moved between search and price.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "FlightPriceChange"))]
pub struct PriceChange {
    /// The supplier's total as it was shown.
    pub old_total: Amount,
    /// What it costs now.
    pub new_total: Amount,
    /// What the wallet was to pay by what the search showed; absent where a server of before has kept the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_agent_fare: Option<Amount>,
    /// What the wallet pays now.
    pub new_agent_fare: Amount,
}

/// What the agency pays and why, over all offers of a quote or booking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AgentDetails {
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
}

/// One row: so many travellers of a type at these amounts each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PassengerShare {
    /// For which travellers.
    pub pax_type: PassengerType,
    /// How many travellers of this type.
    pub count: u32,
    /// The fare of one traveller without taxes.
    pub base_per_pax: Amount,
    /// Taxes of one traveller.
    pub tax_per_pax: Amount,
    /// What one traveller pays.
    pub total_per_pax: Amount,
    /// Each tax; one line `TAX` if the supplier lists no parts.
    pub tax_breakdown: Vec<Tax>,
}

/// A tax.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TaxLine"))]
pub struct Tax {
    /// The tax's code; `TAX` if the supplier lists no parts.
    pub code: String,
    /// How much.
    pub amount: Amount,
    /// What it is, in words.
    pub description: String,
}

/// The flights of a price.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "PricedItinerary"))]
pub struct ItinerarySnapshot {
    /// In order: `s1`, `s2` …
    pub segments: Vec<PricedSegment>,
}

/// A flight of a price.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PricedSegment {
    /// The segment's id, such as `s1`.
    pub segment_id: String,
    /// IATA code of the airline that sells the flight.
    pub airline: String,
    /// IATA code of the airline that flies; null where it is the same or not known.
    pub operating_carrier: Option<String>,
    /// The airline's code and number, such as `AI 805`.
    pub flight_number: String,
    /// IATA code of the airport of departure.
    pub origin: String,
    /// IATA code of the airport of arrival.
    pub destination: String,
    /// The terminal of departure.
    pub dep_terminal: Option<String>,
    /// The terminal of arrival.
    pub arr_terminal: Option<String>,
    /// When it departs, local time of the airport.
    pub departure: NaiveDateTime,
    /// When it arrives, local time of the airport.
    pub arrival: NaiveDateTime,
    /// The class of travel.
    pub cabin_class: Option<Cabin>,
    /// The booking class.
    pub rbd: Option<String>,
    /// The airline's name of the fare.
    pub fare_basis: Option<String>,
    /// The supplier's own name of the kind of fare.
    pub fare_type: Option<String>,
    /// Checked baggage that is included, in the supplier's words.
    pub baggage: Option<String>,
    /// Cabin baggage that is included, in the supplier's words.
    pub cabin_baggage: Option<String>,
    /// Whether anything comes back; false if everything is kept from now on, null where it isn't known.
    pub refundable: Option<bool>,
    /// How many seats the supplier still offers at this fare.
    pub avail_seats: Option<u32>,
    /// In the air, minutes.
    pub duration_minutes: Option<u32>,
}

/// What changing one's mind costs; null where it is not known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "PriceFareRules"))]
pub struct PriceRules {
    /// Whether money comes back; null where it isn't known.
    pub is_refundable: Option<bool>,
    /// What cancelling costs; null unless it is known of each offer.
    pub cancellation_fee: Option<Amount>,
    /// What a change of date costs; null where it isn't known.
    pub change_fee: Option<Amount>,
    /// The rules in words.
    pub rule_text: String,
    /// What the supplier says in another currency than the fare's; in no other fee here. Only where there are any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_currency_fees: Vec<OtherCurrencyFee>,
}

/// A fee in another currency than the fare's, to which nobody has a rate here; where journeys have fees in several currencies,
/// the highest in each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OtherCurrencyFee {
    /// What costs this.
    #[serde(rename = "type")]
    pub kind: FeeType,
    /// What the supplier keeps.
    pub amount: Amount,
    /// Of this currency.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
}

/// What one traveller can buy besides, with the booking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ancillary {
    /// What it is.
    #[serde(rename = "type")]
    pub kind: AncillaryType,
    /// The code by which it is booked.
    pub code: String,
    /// The name.
    pub name: String,
    /// For one piece for one traveller, in the wallet's currency.
    pub price: Amount,
    /// The segment's id, such as `s1`.
    pub segment_id: String,
    /// All segments that one purchase covers.
    #[serde(default)]
    pub segment_ids: Vec<String>,
    /// How many of it one traveller may have.
    pub max_quantity: u32,
}

/// Whether something can be held and paid later, and until when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HoldTerms {
    /// Whether it can be held and paid later; null where only `price` tells.
    pub can_hold: Option<bool>,
    /// Until when a hold of it must be paid, UTC; null where the supplier does not say before it is held.
    pub pay_by: Option<DateTime<Utc>>,
    /// Until when the price of a hold is guaranteed, UTC; null where the supplier does not say before it is held.
    pub price_guaranteed_until: Option<DateTime<Utc>>,
}

/// One thing that a supplier wants, or takes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Requirement {
    /// `passport`, `date_of_birth`, `gst`, …
    pub what: RequirementKind,
    /// Of whom: `each_traveller`, `each_adult`, …, `booking`.
    pub whom: RequiredOf,
    /// The members of the field that are wanted; empty where it is no object.
    pub fields: Vec<String>,
    /// Whether nothing is booked without it; false: it may be given, and is sent. Null: only a price call knows.
    pub mandatory: Option<bool>,
    /// By when: `booking`, `ticketing`, `departure`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["booking", "ticketing", "departure"])))]
    pub due: String,
    /// When that is, UTC, where the supplier says an instant.
    pub due_at: Option<DateTime<Utc>>,
    /// The paper must be valid on that day; null: on the day of the last arrival.
    pub valid_until: Option<NaiveDate>,
    /// Of memberships: whose programmes count.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub airlines: Vec<String>,
    /// The same in English.
    pub text: String,
}
