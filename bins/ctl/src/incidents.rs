//! `wayfarectl incidents`: what the service can't settle by itself, listed and resolved.

use std::borrow::Cow;

use clap::{
    Args, Subcommand,
    builder::{PossibleValuesParser, TypedValueParser},
};
use serde::Serialize;
use serde_json::Value;
use wayfare_domain::{
    Amount, BookingRef, BookingStatus, ClosedBy, Currency, IncidentId, IncidentKind, IncidentOutcome,
    OrderReference, PageRequest, StepKind,
};
use wayfare_operations::{
    Error, Incident, Resolution, StepAsked,
    access::operators::By,
    engine::{incidents, resolution},
};

use crate::{
    installation::Installation,
    output::{Failure, Line, Output, Report, Row, Table, time},
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
    pub async fn run(self, installation: Installation, output: Output) -> Result<(), Failure> {
        let work = installation.with_platform(async |platform| match self {
            Self::List(list) => {
                let request = PageRequest { page: list.page, per_page: PER_PAGE };
                let page = incidents::list(platform, list.all, request).await?;
                output.print_table(&Listed {
                    page: list.page,
                    total_pages: page.total_pages(),
                    total: page.total,
                    exceptions: page.items.into_iter().map(IncidentView::from).collect(),
                })
            }
            Self::Show { id } => {
                let shown = incidents::show(platform, id).await;
                output.print(&IncidentView::from(shown.map_err(|error| failure(error, id))?))
            }
            Self::Resolve(resolve) => {
                let Resolve { id, outcome, order_id, note } = resolve;
                let ruling = Resolution { outcome, order_id, note };
                let resolved = resolution::resolve(platform, By::command_line(), id, &ruling).await;
                output.print(&IncidentView::from(resolved.map_err(|error| failure(error, id))?))
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
    exceptions: Vec<IncidentView>,
    page: u32,
    total_pages: i64,
    total: i64,
}

impl Table for Listed {
    fn head(&self) -> Cow<'_, str> {
        "id raised_at agent_id booking_ref kind state problem".into()
    }

    fn rows(&self) -> Vec<Row<'_>> {
        let row = |shown: &IncidentView| {
            let outcome = shown.outcome.map(|outcome| format!(": {}", outcome.as_ref()));
            let state = match (shown.closed_by, outcome.unwrap_or_default()) {
                (None, ruled) if ruled.is_empty() => "open".to_owned(),
                (None, ruled) => format!("open, ruled by operator{ruled}"),
                (Some(ClosedBy::Operator), ruled) => format!("closed by operator{ruled}"),
                // Overtaken by the supplier's answer, a ruling decided nothing.
                (Some(ClosedBy::Itself), _) => "closed by itself".to_owned(),
            };
            vec![
                shown.id.to_string().into(),
                shown.raised_at.clone().into(),
                shown.agent_id.clone().into(),
                shown.booking_ref.to_string().into(),
                shown.kind.as_ref().to_owned().into(),
                state.into(),
                shown.problem.clone().into(),
            ]
        };
        self.exceptions.iter().map(row).collect()
    }

    fn foot(&self) -> Option<String> {
        let pages = self.total_pages.max(1);
        Some(format!("{} in all, page {} of {pages}", self.total, self.page))
    }
}

#[derive(Serialize)]
struct IncidentView {
    id: IncidentId,
    kind: IncidentKind,
    agent_id: String,
    booking_ref: BookingRef,
    booking_status: BookingStatus,
    money_held: Amount,
    currency: Currency,
    problem: String,
    details: Value,
    raised_at: String,
    effect: Option<ShownEffect>,
    outcome: Option<IncidentOutcome>,
    order_id: Option<String>,
    note: Option<String>,
    closed_by: Option<ClosedBy>,
    closed_at: Option<String>,
}

#[derive(Serialize)]
struct ShownEffect {
    kind: StepKind,
    supplier: String,
    reference: OrderReference,
    order_id: Option<String>,
    sent_at: String,
    looked_up: i32,
    problem: Option<String>,
}

impl From<Incident> for IncidentView {
    fn from(exception: Incident) -> Self {
        let (outcome, order_id, note) = match exception.resolution {
            Some(ruling) => (Some(ruling.outcome), ruling.order_id, Some(ruling.note)),
            None => (None, None, None),
        };
        Self {
            id: exception.id,
            kind: exception.kind,
            agent_id: exception.agency.to_string(),
            booking_ref: exception.booking_ref,
            booking_status: exception.booking_status,
            money_held: exception.held.number(),
            currency: exception.held.currency(),
            problem: exception.problem,
            details: exception.details,
            raised_at: time(exception.raised_at),
            effect: exception.step.map(ShownEffect::from),
            outcome,
            order_id,
            note,
            closed_by: exception.closed.map(|(by, _)| by),
            closed_at: exception.closed.map(|(_, at)| time(at)),
        }
    }
}

impl From<StepAsked> for ShownEffect {
    fn from(effect: StepAsked) -> Self {
        Self {
            kind: effect.kind,
            supplier: effect.supplier,
            reference: effect.reference,
            order_id: effect.order_id,
            sent_at: time(effect.sent_at),
            looked_up: effect.attempts,
            problem: effect.problem,
        }
    }
}

impl Report for IncidentView {
    fn lines(&self) -> Vec<Line<'_>> {
        let mut lines: Vec<Line<'_>> = vec![
            ("id", self.id.to_string().into()),
            ("kind", self.kind.as_ref().to_owned().into()),
            ("agent_id", self.agent_id.as_str().into()),
            ("booking_ref", self.booking_ref.as_ref().into()),
            ("booking_status", self.booking_status.as_ref().to_owned().into()),
            ("money_held", self.money_held.0.to_string().into()),
            ("currency", self.currency.code().into()),
            ("problem", self.problem.as_str().into()),
            ("details", self.details.to_string().into()),
            ("raised_at", self.raised_at.as_str().into()),
        ];
        if let Some(effect) = &self.effect {
            lines.push(("effect.kind", effect.kind.as_ref().to_owned().into()));
            lines.push(("effect.supplier", effect.supplier.as_str().into()));
            lines.push(("effect.reference", effect.reference.as_ref().into()));
            lines.extend(effect.order_id.as_deref().map(|id| ("effect.order_id", id.into())));
            lines.push(("effect.sent_at", effect.sent_at.as_str().into()));
            lines.push(("effect.looked_up", effect.looked_up.to_string().into()));
            lines.extend(effect.problem.as_deref().map(|problem| ("effect.problem", problem.into())));
        }
        let ruled = [("order_id", &self.order_id), ("note", &self.note)];
        lines.extend(self.outcome.map(|outcome| ("outcome", outcome.as_ref().to_owned().into())));
        lines.extend(ruled.into_iter().filter_map(|(key, text)| Some((key, text.as_deref()?.into()))));
        lines.extend(self.closed_by.map(|by| ("closed_by", by.as_ref().to_owned().into())));
        lines.extend(self.closed_at.as_deref().map(|at| ("closed_at", at.into())));
        lines
    }
}
