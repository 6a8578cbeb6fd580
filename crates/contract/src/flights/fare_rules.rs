//! The rules of fares: in sentences, and line by line.

use serde::{Deserialize, Serialize};

#[cfg(feature = "schema")]
use crate::schema::CurrencyCode;
use crate::{
    Amount,
    vocabulary::{FeeType, PassengerType},
};

/// Whose rules are asked for: at most ten in all.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FareRulesRequest {
    /// The search that showed the offers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search_id: Option<String>,
    /// Offers of a search. Several make one trip together.
    pub offer_ids: Vec<String>,
    /// The `fare_key` of an earlier answer.
    pub fare_keys: Vec<String>,
    /// Keys of a price call.
    pub booking_keys: Vec<String>,
}
body! { FareRulesRequest { search_id: &str, offer_ids: Vec<String>, fare_keys: Vec<String>, booking_keys: Vec<String> } }

/// The rules of the first fare that was asked for, and of all of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FareRules {
    /// Those of the first fare.
    #[serde(flatten)]
    pub first: Option<FareRulesItem>,
    /// The same of each that was asked for.
    #[serde(default)]
    pub items: Vec<FareRulesItem>,
}

wayfare_digits::keep_digits!(FareRules);

/// The rules of one fare.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RulesOfFare"))]
pub struct FareRulesItem {
    /// Names a fare: `fk_…` for an offer, the booking key for a priced one.
    pub fare_key: String,
    /// What cancelling costs, in words.
    pub cancellation: String,
    /// What a change of date costs, in words.
    pub date_change: String,
    /// What may be taken along, in words.
    pub baggage_policy: String,
    /// The rules in the supplier's words.
    pub raw_text: String,
    /// Each line of the rules for programs.
    #[serde(default)]
    pub fees: Vec<FareFee>,
}

/// A line of a fare's rules, for programs: in the wallet's currency, or in its own where that is not the fare's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FareFee {
    /// What costs this.
    #[serde(rename = "type")]
    pub kind: FeeType,
    /// Which part of the trip, such as `DEL-BOM`.
    pub route: Option<String>,
    /// For which travellers.
    pub passenger_type: Option<PassengerType>,
    /// Whether it may be done at all; null where the supplier doesn't say.
    pub is_allowed: Option<bool>,
    /// What is taken in all.
    pub amount: Option<Amount>,
    /// The supplier's own part.
    pub supplier_fee: Option<Amount>,
    /// Of these amounts, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
    /// From how many hours before departure on; null: without limit.
    pub from_hours: Option<u32>,
    /// Until how many hours before departure; null: without limit.
    pub until_hours: Option<u32>,
    /// True if the line is about the time after departure.
    pub after_departure: bool,
    /// The supplier's own words.
    pub text: Option<String>,
}
