//! What decides an agency's prices: its terms, and what suppliers leave by contract; tried before it is set.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::OperatorSession;
use crate::{Amount, PricePreview, call::Ask, enums::MarkupType, error::Result};

/// What the operator charges an agency for each offer or room, and the bounds of what it earns.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct AgencyTerms {
    /// The agency's code.
    pub agent_id: String,
    /// Which of both the service fee is.
    pub service_fee_type: MarkupType,
    /// An amount, or per cent of the supplier's total.
    pub service_fee: Amount,
    /// Per cent of the service fee.
    pub gst_percent: Amount,
    /// For each offer or room.
    pub platform_charge: Amount,
    /// The least that the agency earns; 0: no bound.
    pub min_commission: Amount,
    /// The most that the agency earns; 0: no bound.
    pub max_commission: Amount,
    /// Of its amounts, ISO 4217.
    pub currency: String,
}

/// What changes of an agency's terms; what is none stays. Amounts are in its currency.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TermsChange {
    /// Which of both the service fee is; together with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service_fee_type: Option<MarkupType>,
    /// An amount, or per cent of the supplier's total.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service_fee: Option<Amount>,
    /// Per cent of the service fee.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gst_percent: Option<Amount>,
    /// For each offer or room.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub platform_charge: Option<Amount>,
    /// The least that the agency earns; 0 sets no bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_commission: Option<Amount>,
    /// The most that the agency earns; 0 sets no bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_commission: Option<Amount>,
}

/// What a contract is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ContractOf {
    /// The supplier's code.
    pub supplier: String,
    /// Only offers of this airline; none: of any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub airline: Option<String>,
    /// Only this cabin (`ECONOMY`); none: any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cabin: Option<String>,
}

/// A contract to be set.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ContractDraft {
    /// What it is for.
    #[serde(flatten)]
    pub of: ContractOf,
    /// An amount, or a percentage.
    pub kind: MarkupType,
    /// An amount in the agency's currency for each offer or room, or per cent of the base fare.
    pub value: Amount,
}

/// What a supplier leaves to the platform by contract.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct AgencyContract {
    /// The agency's code.
    pub agent_id: String,
    /// The supplier's code.
    pub supplier: String,
    /// Only for offers of this airline; none: of any.
    pub airline: Option<String>,
    /// Only in this cabin; none: in any.
    pub cabin: Option<String>,
    /// An amount, or a percentage.
    pub kind: MarkupType,
    /// An amount for each offer or room, or per cent of the base fare.
    pub value: Amount,
    /// The agency's currency, ISO 4217; only in lists.
    #[serde(default)]
    pub currency: Option<String>,
    /// When it was set last, UTC; only in lists.
    #[serde(default)]
    pub updated_at: Option<DateTime<Utc>>,
}

/// What is tried, at what a supplier might ask.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PriceDraft {
    /// What would change of the terms.
    pub terms: TermsChange,
    /// A contract that would be set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contract: Option<ContractDraft>,
    /// `flight` or `hotel`: whose package of the agency counts; flights' without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub product: Option<String>,
    /// What it asks.
    pub example: SupplierAsks,
}

/// What a supplier might ask.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SupplierAsks {
    /// Base fare, or room charges.
    pub base: Amount,
    /// Taxes and fees.
    pub taxes: Amount,
    /// The commission that the supplier names; none: it names none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commission: Option<Amount>,
    /// The code of the supplier whose contract counts; none: no contract does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supplier: Option<String>,
    /// The airline that sells it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub airline: Option<String>,
    /// The cabin (`ECONOMY`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cabin: Option<String>,
    /// What it asks in, ISO 4217; none: the agency's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
}

impl OperatorSession {
    /// `GET /agencies/{code}/terms`.
    ///
    /// # Errors
    /// 404.
    pub async fn terms(&self, code: &str) -> Result<AgencyTerms> {
        self.0.data(Ask::get(&["agencies", code, "terms"])).await
    }

    /// `PUT /agencies/{code}/terms`: all of it is changed, or nothing.
    ///
    /// # Errors
    /// 403 for another role than finance; 404; 422 names the fields.
    pub async fn set_terms(&self, code: &str, change: &TermsChange) -> Result<AgencyTerms> {
        let ask = Ask::set(&["agencies", code, "terms"]);
        self.0.data(ask.body(change)?).await
    }

    /// `GET /contracts`, of one agency or of all.
    ///
    /// # Errors
    /// 404.
    pub async fn contracts(&self, agency: Option<&str>) -> Result<Vec<AgencyContract>> {
        let mut ask = Ask::get(&["contracts"]);
        ask.query.extend(agency.map(|code| ("agency", code.to_owned())));
        self.0.data(ask).await
    }

    /// `PUT /agencies/{code}/contracts`: in the place of the one for exactly the same.
    ///
    /// # Errors
    /// 403 for another role than finance; 404; 422 names the fields.
    pub async fn set_contract(&self, code: &str, contract: &ContractDraft) -> Result<AgencyContract> {
        let ask = Ask::set(&["agencies", code, "contracts"]);
        self.0.data(ask.body(contract)?).await
    }

    /// `DELETE /agencies/{code}/contracts`: the one for exactly this. It is only sent again when it surely did nothing.
    ///
    /// # Errors
    /// 403 for another role than finance; 404.
    pub async fn remove_contract(&self, code: &str, of: &ContractOf) -> Result<AgencyContract> {
        let mut ask = Ask::delete(&["agencies", code, "contracts"]);
        let given = [
            ("supplier", Some(&of.supplier)),
            ("airline", of.airline.as_ref()),
            ("cabin", of.cabin.as_ref()),
        ];
        ask.query.extend(given.into_iter().filter_map(|(name, value)| Some((name, value?.clone()))));
        self.0.data(ask).await
    }

    /// `POST /agencies/{code}/preview`: the price of an example as if this were set. Nothing is written.
    ///
    /// # Errors
    /// 404; 422 names the fields.
    pub async fn preview_price(&self, code: &str, draft: &PriceDraft) -> Result<PricePreview> {
        let ask = Ask::reading(&["agencies", code, "preview"]);
        self.0.data(ask.body(draft)?).await
    }
}
