//! What suppliers leave by contract, of all agencies.

use askama::Template;
use wayfare_client::{enums::MarkupType, operator::ListedContract};

use super::signed::OperatorSigned;
use crate::{
    day::Moment,
    form::Fields,
    money::money,
    page::{self, Answer, Shell},
    side::Area,
};

#[derive(Template)]
#[template(path = "operator/contracts.html")]
struct ContractsPage {
    shell: Shell,
    agency: String,
    is_unknown: bool,
    rows: Vec<Row>,
}

pub struct Row {
    pub code: String,
    pub supplier: String,
    pub airline: String,
    pub cabin: String,
    pub cabin_name: String,
    pub leaves: String,
    pub at: Moment,
    /// The query that says which one it is.
    pub query: String,
}

pub fn row(contract: ListedContract) -> Row {
    let leaves = leaves(&contract);
    let airline = contract.airline.unwrap_or_default();
    let cabin = contract.cabin.unwrap_or_default();
    let pairs = [
        ("contract_supplier", contract.supplier.as_str()),
        ("contract_airline", &airline),
        ("contract_cabin", &cabin),
    ];
    Row {
        query: serde_urlencoded::to_string(pairs).unwrap_or_default(),
        code: contract.agent_id,
        supplier: contract.supplier,
        cabin_name: cabin.to_lowercase().replace('_', " "),
        airline,
        cabin,
        leaves,
        at: Moment::of(contract.updated_at),
    }
}

/// What a contract leaves, in words: `₹150.00 for each`, `2.5 % of the base fare`.
fn leaves(contract: &ListedContract) -> String {
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
    let (contracts, is_unknown) = match signed.session.contracts(wanted).await {
        Ok(contracts) => (contracts, false),
        Err(error) if error.is_not_found() => (Vec::new(), true),
        Err(error) => return Err(error.into()),
    };
    page::html(&ContractsPage { shell, rows: contracts.into_iter().map(row).collect(), is_unknown, agency })
}
