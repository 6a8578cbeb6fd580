//! What stands in a refusal: its text, and what it is about.

use serde::{Deserialize, Serialize};

#[cfg(feature = "schema")]
use crate::schema::BookingRef;
use crate::{Amount, ReasonCode, Retry};

/// The error envelope.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ApiError"))]
pub struct ApiError<Data = Concerned> {
    /// Never true.
    #[cfg_attr(feature = "schema", schemars(extend("const" = false)))]
    pub success: bool,
    /// What is wrong; of fields at fault `code=422, message=[{field reason} …]`.
    pub error: String,
    /// What the refusal is about, where there is more to say than its text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Data>,
}

/// What a refusal is about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Concerned {
    /// A booking.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<BookingRef>"))]
    pub booking_ref: Option<String>,
    /// Orders of a booking that can't be given back in part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub orders: Option<Vec<WholeOrder>>,
    /// What the fare was and what it is now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price_change: Option<ChangedFare>,
    /// Why, where a supplier or the time of an offer is the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<RefusalReason>,
}

/// What the fare was and what it is now, in the wallet's currency; null where that is not known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChangedFare {
    /// T as it was agreed to.
    pub old_total: Option<Amount>,
    /// T now.
    pub new_total: Option<Amount>,
    /// The agent fare as it was agreed to.
    pub old_agent_fare: Option<Amount>,
    /// The agent fare now.
    pub new_agent_fare: Option<Amount>,
    /// The wallet's currency.
    pub currency: String,
}

/// Why a supplier was asked in vain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RefusalReason {
    /// In a word; there may be more of them one day.
    pub code: ReasonCode,
    /// In a sentence.
    pub text: String,
    /// The supplier, where it is one supplier's doing.
    pub supplier: Option<String>,
    /// The field of the request that is at fault, where the supplier says so; `passengers` count from 0 in the order of
    /// their `pax_index`.
    pub field: Option<String>,
    /// What helps.
    pub retry: Retry,
    /// The supplier's own words, where they are short and name nobody.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supplier_text: Option<String>,
}

/// A supplier order with all of its journeys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WholeOrder {
    /// Its number within the booking, from 1.
    pub order: u16,
    /// `leg_index` of each of its journeys.
    pub journeys: Vec<usize>,
}
