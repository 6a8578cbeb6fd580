//! `wayfarectl incidents`: what the service can't settle by itself, listed and resolved.

use clap::{
    Args, Subcommand,
    builder::{PossibleValuesParser, TypedValueParser},
};
use serde::Serialize;
use wayfare_contract::{operator::Incident, vocabulary::ClosedBy};
use wayfare_domain::{IncidentId, IncidentOutcome, PageRequest};
use wayfare_operations::{
    Error, Resolution,
    access::operators::By,
    engine::{incidents, resolution},
    operator::desk::shown,
};

use crate::{
    installation::Installation,
    output::{Done, Failure, Output, Report, Row, Table, time, to_the_second},
};

/// Incidents on a page of a list.
const PER_PAGE: u32 = 50;

/// What can be done with incidents.
#[derive(Subcommand)]
pub enum Command {
    /// Lists those that are open, newest first
    List(List),
    /// Shows one in full
    Show {
        /// The incident
        id: IncidentId,
    },
    /// Says what became of it
    Resolve(Resolve),
}

/// Which incidents to list.
#[derive(Args)]
pub struct List {
    /// Also those that are closed
    #[arg(long)]
    all: bool,
    /// Which page
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    page: u32,
}

/// What became of it, and why it is taken to be so.
#[derive(Args)]
pub struct Resolve {
    /// The incident
    id: IncidentId,
    /// Of an unknown outcome, what the supplier says: it was done, or nothing happened; of anything else, noted
    #[arg(
        long,
        value_parser = PossibleValuesParser::new(IncidentOutcome::WORDS.iter().filter(|word| **word != IncidentOutcome::Ruled.as_ref()))
            .try_map(|outcome| outcome.parse::<IncidentOutcome>())
    )]
    outcome: IncidentOutcome,
    /// Under which id the supplier has the order, of a booking that was done
    #[arg(long, value_name = "ID")]
    order_id: Option<String>,
    /// Who said so, or what was done about it; kept in the journal
    #[arg(long, value_name = "TEXT")]
    note: String,
}

impl Command {
    /// Does it.
    pub async fn run(self, installation: Installation, output: Output) -> Done {
        let work = installation.with_platform(async |platform| match self {
            Self::List(list) => {
                let request = PageRequest { page: list.page, per_page: PER_PAGE };
                let page = incidents::list(&platform.core, list.all, request).await?;
                output.print_table(&Listed {
                    page: list.page,
                    total_pages: page.total_pages(),
                    total: page.total,
                    incidents: page.items.into_iter().map(printed).collect(),
                })
            }
            Self::Show { id } => {
                let found = incidents::show(&platform.core, id).await;
                output.print(&printed(found.map_err(|error| failure(error, id))?))
            }
            Self::Resolve(resolve) => {
                let Resolve { id, outcome, order_id, note } = resolve;
                let ruling = Resolution { outcome, order_id, note };
                let resolved = resolution::resolve(&platform.engine, By::command_line(), id, &ruling).await;
                output.print(&printed(resolved.map_err(|error| failure(error, id))?))
            }
        });
        work.await
    }
}

fn failure(error: Error, id: IncidentId) -> Failure {
    match error {
        Error::NotFound => Failure::Failed(format!("there is no exception {id}")),
        other => other.into(),
    }
}

#[derive(Serialize)]
struct Listed {
    incidents: Vec<Incident>,
    page: u32,
    total_pages: i64,
    total: i64,
}

impl Table for Listed {
    const HEAD: &str = "id raised_at agent_id booking_ref kind state problem";

    fn rows(&self) -> Vec<Row<'_>> {
        let row = |shown: &Incident| -> Row<'static> {
            let outcome = shown.outcome.as_ref().map(|outcome| format!(": {outcome}"));
            let state = match (&shown.closed_by, outcome.unwrap_or_default()) {
                (None, ruled) if ruled.is_empty() => "open".to_owned(),
                (None, ruled) => format!("open, ruled by operator{ruled}"),
                (Some(ClosedBy::Operator), ruled) => format!("closed by operator{ruled}"),
                // Overtaken by the supplier's answer, a ruling decided nothing.
                (Some(_), _) => "closed by itself".to_owned(),
            };
            vec![
                shown.id.to_string().into(),
                time(shown.raised_at).into(),
                shown.agent_id.clone().into(),
                shown.booking_ref.clone().into(),
                shown.kind.to_string().into(),
                state.into(),
                shown.problem.clone().into(),
            ]
        };
        self.incidents.iter().map(row).collect()
    }

    fn foot(&self) -> Option<String> {
        let pages = self.total_pages.max(1);
        Some(format!("{} in all, page {} of {pages}", self.total, self.page))
    }
}

/// What is printed of an incident.
fn printed(found: wayfare_operations::Incident) -> Incident {
    let mut incident = shown::incident(found);
    incident.raised_at = to_the_second(incident.raised_at);
    incident.closed_at = incident.closed_at.map(to_the_second);
    if let Some(step) = &mut incident.step {
        step.sent_at = to_the_second(step.sent_at);
    }
    incident
}

impl Report for Incident {
    const NAMES: &str = "id kind agent_id booking_ref booking_status money_held currency \
        problem details raised_at step.kind step.supplier step.reference step.order_id step.sent_at step.looked_up \
        step.problem outcome order_id note closed_by closed_at";
}
