//! `wayfarectl contract`: what suppliers leave to the platform where their answers don't say so, by agency.

use clap::{Args, Subcommand};
use rust_decimal::Decimal;
use serde::Serialize;
use wayfare_contract::{
    Amount,
    operator::{AgencyContract, ListedContract},
    vocabulary::MarkupType,
};
use wayfare_domain::AgencyCode;
use wayfare_operations::{
    access::operators::By,
    operator::{self, Covered},
};
use wayfare_pricing::MarkupKind;

use crate::{
    answers::known,
    arguments::amount,
    installation::Installation,
    output::{Done, Failure, Line, Output, Report, Row, Table, time, to_the_second},
    suppliers::{self, KnownSuppliers},
};

/// What can be done with contracts.
#[derive(Subcommand)]
pub enum Command {
    /// Sets what a supplier leaves, from the agency's very next request on; that of the same supplier, airline and cabin
    /// before is over
    Set(Set),
    /// Lists the contracts for an agency, or for all
    List {
        /// The agency
        agent_id: Option<AgencyCode>,
    },
    /// Ends the contract of exactly this supplier, airline and cabin
    Remove(About),
}

/// What a contract is about.
#[derive(Args)]
pub struct About {
    /// The agency
    agent_id: AgencyCode,
    /// The supplier, by its code
    #[arg(value_parser = suppliers::code)]
    supplier: String,
    /// Only for offers of this airline, by its IATA code; for any unless given
    #[arg(long, value_name = "CODE")]
    airline: Option<String>,
    /// Only in this cabin, such as ECONOMY; in any unless given
    #[arg(long)]
    cabin: Option<String>,
}

/// What the supplier leaves.
#[derive(Args)]
pub struct Set {
    #[command(flatten)]
    about: About,
    #[command(flatten)]
    commission: Commission,
}

/// One of these.
#[derive(Args)]
#[group(required = true, multiple = false)]
struct Commission {
    /// Per cent of the base fare, or of what hotel rooms cost without taxes and fees
    #[arg(long, value_name = "PERCENT", value_parser = amount, allow_negative_numbers = true)]
    percent: Option<Decimal>,
    /// An amount for each offer or hotel room, in the agency's currency
    #[arg(long, value_name = "AMOUNT", value_parser = amount, allow_negative_numbers = true)]
    flat: Option<Decimal>,
}

fn leaves(kind: &MarkupType, value: Amount) -> String {
    match kind {
        MarkupType::Percent => format!("{value} %"),
        _ => value.to_string(),
    }
}

impl Report for AgencyContract {
    fn lines(&self) -> Vec<Line<'_>> {
        vec![
            ("agent_id", self.agent_id.as_str().into()),
            ("supplier", self.supplier.as_str().into()),
            ("airline", any(self.airline.as_deref()).into()),
            ("cabin", any(self.cabin.as_deref()).into()),
            ("commission", leaves(&self.kind, self.value).into()),
        ]
    }
}

#[derive(Serialize)]
struct Contracts {
    contracts: Vec<ListedContract>,
}

impl Table for Contracts {
    const HEAD: &str = "agent_id supplier airline cabin commission currency updated_at";

    fn rows(&self) -> Vec<Row<'_>> {
        let row = |of: &ListedContract| -> Row<'static> {
            vec![
                of.agent_id.clone().into(),
                of.supplier.clone().into(),
                any(of.airline.as_deref()).to_owned().into(),
                any(of.cabin.as_deref()).to_owned().into(),
                leaves(&of.kind, of.value).into(),
                of.currency.clone().into(),
                time(of.updated_at).into(),
            ]
        };
        self.contracts.iter().map(row).collect()
    }
}

fn any(narrowed: Option<&str>) -> &str {
    narrowed.unwrap_or("any")
}

impl Command {
    /// Does it.
    pub async fn run(self, suppliers: &KnownSuppliers, installation: Installation, output: Output) -> Done {
        // One that was made for a supplier that is gone, or never was, is removed all the same.
        if let Self::Set(Set { about, .. }) = &self {
            suppliers.check("<SUPPLIER>", [&about.supplier])?;
        }
        let work = installation.with_platform(async |platform| match self {
            Self::Set(Set { about, commission }) => {
                let (kind, value) = match (commission.flat, commission.percent) {
                    (Some(flat), _) => (MarkupKind::Flat, flat),
                    (None, percent) => (MarkupKind::Percent, percent.unwrap_or_default()),
                };
                let (agent_id, covered) = about.covered();
                let set =
                    operator::set_contract(platform, By::command_line(), &agent_id, covered, kind, value)
                        .await;
                output.print(&known(set, &agent_id)?)
            }
            Self::List { agent_id } => {
                let found = operator::contracts(platform, agent_id.as_ref()).await;
                let mut contracts = match &agent_id {
                    Some(agent_id) => known(found, agent_id)?,
                    None => found?,
                };
                for contract in &mut contracts {
                    contract.updated_at = to_the_second(contract.updated_at);
                }
                output.print_table(&Contracts { contracts })
            }
            Self::Remove(about) => {
                let (agent_id, covered) = about.covered();
                let removed =
                    operator::remove_contract(platform, By::command_line(), &agent_id, covered).await;
                let removed = known(removed, &agent_id)?.ok_or_else(|| {
                    Failure::Failed(
                        "there is no contract of exactly this supplier, airline and cabin".to_owned(),
                    )
                })?;
                output.print(&removed)
            }
        });
        work.await
    }
}

impl About {
    fn covered(self) -> (AgencyCode, Covered) {
        let covered = Covered { supplier: self.supplier, airline: self.airline, cabin: self.cabin };
        (self.agent_id, covered)
    }
}
