//! What suppliers leave by contract, of all agencies.

use wayfare_client::{enums::MarkupType, operator::ListedContract};

use super::signed::OperatorSigned;
use crate::prelude::*;

#[derive(Template)]
#[template(path = "operator/contracts.html")]
struct ContractsPage {
    shell: Shell,
    agency: String,
    is_unknown: bool,
    rows: Vec<ListedContract>,
}

/// The query that says which one it is.
pub fn query(contract: &ListedContract) -> String {
    let pairs = [
        ("contract_supplier", contract.supplier.as_str()),
        ("contract_airline", contract.airline.as_deref().unwrap_or_default()),
        ("contract_cabin", contract.cabin.as_deref().unwrap_or_default()),
    ];
    serde_urlencoded::to_string(pairs).unwrap_or_default()
}

/// What a contract leaves, in words: `₹150.00 for each`, `2.5 % of the base fare`.
pub fn leaves(contract: &ListedContract) -> String {
    match contract.kind {
        MarkupType::Percent => format!("{} % of the base fare", contract.value.0.normalize()),
        _ => format!("{} for each", money(contract.value, &contract.currency)),
    }
}

/// `GET /operator/contracts`; with `agency` those of one.
pub async fn list(signed: OperatorSigned, fields: Fields) -> Answer {
    let agency = fields.get("agency").to_ascii_uppercase();
    let wanted = Some(agency.as_str()).filter(|code| !code.is_empty());
    let shell = signed.shell("Contracts", Area::Contracts).await?;
    let (rows, is_unknown) = match signed.session.contracts(wanted).await {
        Ok(contracts) => (contracts, false),
        Err(error) if error.is_not_found() => (Vec::new(), true),
        Err(error) => return Err(error.into()),
    };
    page::html(&ContractsPage { shell, rows, is_unknown, agency })
}
