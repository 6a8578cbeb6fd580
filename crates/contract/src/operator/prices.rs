//! What decides an agency's prices: its terms, and what suppliers leave by contract; tried before it is set.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

#[cfg(feature = "schema")]
use crate::schema::CurrencyCode;
use crate::{
    Amount,
    vocabulary::{Cabin, MarkupType, ProductKind},
};

/// What the operator charges an agency, and the bounds of what it earns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AgencyTerms {
    /// The agency's code.
    pub agent_id: String,
    /// Which of both the service fee is.
    pub service_fee_type: MarkupType,
    /// An amount for each offer or room, or per cent of the supplier's total.
    pub service_fee: Amount,
    /// GST, per cent of the service fee.
    pub gst_percent: Amount,
    /// The platform's charge for each offer or room.
    pub platform_charge: Amount,
    /// The least that the agency earns on an offer; 0: no bound.
    pub min_commission: Amount,
    /// The most that the agency earns on an offer; 0: no bound.
    pub max_commission: Amount,
    /// Of its amounts, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
}

/// What a supplier leaves to the platform where its own answer does not say so.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AgencyContract {
    /// The agency's code.
    pub agent_id: String,
    /// The supplier's code.
    pub supplier: String,
    /// Only for offers of this airline; null: of any.
    pub airline: Option<String>,
    /// Only in this cabin; null: in any.
    pub cabin: Option<String>,
    /// An amount, or a percentage.
    pub kind: MarkupType,
    /// An amount for each offer or room, or per cent of the base fare.
    pub value: Amount,
}

/// A contract in a list of many agencies'.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ListedContract {
    /// The agency's code.
    pub agent_id: String,
    /// The supplier's code.
    pub supplier: String,
    /// Only for offers of this airline; null: of any.
    pub airline: Option<String>,
    /// Only in this cabin; null: in any.
    pub cabin: Option<String>,
    /// An amount, or a percentage.
    pub kind: MarkupType,
    /// An amount for each offer or room, or per cent of the base fare.
    pub value: Amount,
    /// The agency's, in which an amount is.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
    /// When it was last changed.
    pub updated_at: DateTime<Utc>,
}

/// What changes of an agency's terms. What is left out stays. Amounts are in the agency's currency.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "SetTermsRequest"))]
pub struct TermsChange {
    /// Which of both the service fee is; together with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service_fee_type: Option<MarkupType>,
    /// An amount for each offer or room, or per cent of the supplier's total.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service_fee: Option<Amount>,
    /// GST, per cent of the service fee.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gst_percent: Option<Amount>,
    /// The platform's charge for each offer or room.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub platform_charge: Option<Amount>,
    /// The least that the agency earns on an offer; 0: no bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_commission: Option<Amount>,
    /// The most that the agency earns on an offer; 0: no bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_commission: Option<Amount>,
}
body! { TermsChange {
    service_fee_type: MarkupType, service_fee: Amount, gst_percent: Amount, platform_charge: Amount,
    min_commission: Amount, max_commission: Amount,
} }

/// A contract to be set.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "SetContractRequest"))]
pub struct ContractDraft {
    /// The supplier's code.
    pub supplier: String,
    /// Only for offers of this airline (IATA code); any without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub airline: Option<String>,
    /// Only in this cabin (`ECONOMY`); any without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cabin: Option<String>,
    /// An amount, or a percentage.
    pub kind: MarkupType,
    /// An amount in the agency's currency for each offer or room, or per cent of the base fare.
    pub value: Amount,
}
body! { ContractDraft of(supplier: &str, kind: MarkupType, value: impl Into<Amount>) { airline: &str, cabin: &str } }

/// What is tried, at what a supplier might ask.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "PreviewPriceRequest"))]
pub struct PriceDraft {
    /// What would be set of the agency's terms; the rest is as it stands.
    pub terms: TermsChange,
    /// A contract as if it were set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contract: Option<ContractDraft>,
    /// Whose package of the agency counts; flights' without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub product: Option<ProductKind>,
    /// What a supplier might ask.
    pub example: SupplierAsks,
}
body! { PriceDraft of(terms: TermsChange, example: SupplierAsks) { contract: ContractDraft, product: ProductKind } }

/// What a supplier might ask.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SupplierAsks {
    /// Base fare, or room charges.
    pub base: Amount,
    /// Taxes that the price has in it.
    pub taxes: Amount,
    /// The commission that the supplier names; without it a contract may name one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commission: Option<Amount>,
    /// The code of the supplier whose contract counts; without it none does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supplier: Option<String>,
    /// IATA code of the airline that sells the flight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub airline: Option<String>,
    /// The class of travel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cabin: Option<Cabin>,
    /// ISO 4217 code of what the supplier asks; the agency's without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
}
body! { SupplierAsks {
    base: Amount, taxes: Amount, commission: Amount, supplier: &str, airline: &str, cabin: Cabin, currency: &str,
} }
