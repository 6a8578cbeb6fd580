//! What decides an agency's prices: its terms, and what suppliers leave by contract; tried before it is set.

use wayfare_boxed::boxed;
use wayfare_contract::operator::{
    AgencyContract, AgencyTerms, ContractDraft, ListedContract, PriceDraft, TermsChange,
};

use super::OperatorSession;
use crate::{PricePreview, call::Ask, error::Result};

/// What a contract is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractOf {
    /// The supplier's code.
    pub supplier: String,
    /// Only offers of this airline; none: of any.
    pub airline: Option<String>,
    /// Only this cabin (`ECONOMY`); none: any.
    pub cabin: Option<String>,
}

#[boxed]
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
    pub async fn contracts(&self, agency: Option<&str>) -> Result<Vec<ListedContract>> {
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
