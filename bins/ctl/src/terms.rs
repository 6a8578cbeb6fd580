//! `wayfarectl terms`: what the platform charges an agency for each offer or hotel room, and the bounds of what the agency earns.

use clap::{Args, Subcommand};
use rust_decimal::Decimal;
use wayfare_contract::{Amount, operator::AgencyTerms, vocabulary::MarkupType};
use wayfare_domain::AgencyCode;
use wayfare_operations::{
    access::operators::By,
    operator::{self, TermsChange},
};
use wayfare_pricing::MarkupKind;

use crate::{
    answers::known,
    arguments::amount,
    installation::Installation,
    output::{Done, Line, Output, Report},
};

/// What can be done with terms.
#[derive(Subcommand)]
pub enum Command {
    /// Changes an agency's terms, from its very next request on
    Set(Set),
    /// Shows an agency's terms
    Show {
        /// The agency
        agent_id: AgencyCode,
    },
}

/// What is to change.
#[derive(Args)]
pub struct Set {
    /// The agency
    agent_id: AgencyCode,
    #[command(flatten)]
    changes: Changes,
}

/// At least one of these; what is not named stays. Amounts are in the agency's currency.
#[derive(Args)]
#[group(required = true, multiple = true)]
struct Changes {
    /// The service fee for each offer or hotel room, an amount
    #[arg(long, value_name = "AMOUNT", value_parser = amount, allow_negative_numbers = true)]
    service_fee: Option<Decimal>,
    /// The service fee for each offer or hotel room, per cent of the supplier's total
    #[arg(
        long,
        value_name = "PERCENT",
        value_parser = amount,
        allow_negative_numbers = true,
        conflicts_with = "service_fee"
    )]
    service_fee_percent: Option<Decimal>,
    /// GST, per cent of the service fee
    #[arg(long, value_name = "PERCENT", value_parser = amount, allow_negative_numbers = true)]
    gst: Option<Decimal>,
    /// The platform's charge for each offer or hotel room
    #[arg(long, value_name = "AMOUNT", value_parser = amount, allow_negative_numbers = true)]
    platform_charge: Option<Decimal>,
    /// The least that the agency earns on an offer; 0 for no bound
    #[arg(long, value_name = "AMOUNT", value_parser = amount, allow_negative_numbers = true)]
    min_commission: Option<Decimal>,
    /// The most that the agency earns on an offer; 0 for no bound
    #[arg(long, value_name = "AMOUNT", value_parser = amount, allow_negative_numbers = true)]
    max_commission: Option<Decimal>,
}

impl Report for AgencyTerms {
    fn lines(&self) -> Vec<Line<'_>> {
        let service_fee = match self.service_fee_type {
            MarkupType::Percent => format!("{} % of the supplier's total", self.service_fee),
            _ => self.service_fee.to_string(),
        };
        let bound = |bound: Amount| match bound.0.is_zero() {
            true => "none".to_owned(),
            false => bound.to_string(),
        };
        vec![
            ("agent_id", self.agent_id.as_str().into()),
            ("service_fee", service_fee.into()),
            ("gst", format!("{} % of the service fee", self.gst_percent).into()),
            ("platform_charge", self.platform_charge.to_string().into()),
            ("min_commission", bound(self.min_commission).into()),
            ("max_commission", bound(self.max_commission).into()),
            ("currency", self.currency.as_str().into()),
        ]
    }
}

impl Command {
    /// Does it.
    pub async fn run(self, installation: Installation, output: Output) -> Done {
        let work = installation.with_platform(async |platform| {
            let (agent_id, terms) = match self {
                Self::Set(Set { agent_id, changes }) => {
                    let terms =
                        operator::set_terms(platform, By::command_line(), &agent_id, changes.into()).await;
                    (agent_id, terms)
                }
                Self::Show { agent_id } => {
                    let terms = operator::terms(platform, &agent_id).await;
                    (agent_id, terms)
                }
            };
            output.print(&known(terms, &agent_id)?)
        });
        work.await
    }
}

impl From<Changes> for TermsChange {
    fn from(changes: Changes) -> Self {
        let flat = changes.service_fee.map(|fee| (MarkupKind::Flat, fee));
        let percent = changes.service_fee_percent.map(|fee| (MarkupKind::Percent, fee));
        Self {
            service_fee: flat.or(percent),
            gst: changes.gst,
            platform_charge: changes.platform_charge,
            min_commission: changes.min_commission,
            max_commission: changes.max_commission,
        }
    }
}
