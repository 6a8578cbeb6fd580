//! `wayfarectl reconcile`: which orders suppliers have otherwise than we do, after a database was restored.

use chrono::{DateTime, SecondsFormat, Utc};
use clap::Args;
use serde::Serialize;
use wayfare_domain::Clock;
use wayfare_launch::{SupplierSettings, Suppliers};
use wayfare_operations::operator::{self, DifferentOrder, Disagreement, Reconciled};

use crate::{
    installation::Installation,
    output::{Done, Failure, Output, Row, Table, rows_of},
};

/// What is compared.
#[derive(Args)]
pub struct Reconcile {
    /// The moment to which the database was restored, such as 2026-11-25T10:30:00Z
    #[arg(long, value_name = "TIME")]
    since: DateTime<Utc>,
}

#[derive(Serialize)]
struct Compared {
    since: DateTime<Utc>,
    suppliers: Vec<SupplierView>,
    different: Vec<OrderView>,
}

#[derive(Serialize)]
struct SupplierView {
    supplier: String,
    /// How many orders its list has; none where it has no list, or none that could be read.
    listed: Option<usize>,
    /// Why its list could not be read.
    problem: Option<String>,
}

#[derive(Serialize)]
struct OrderView {
    supplier: String,
    how: &'static str,
    order_id: Option<String>,
    reference: Option<String>,
    booking_ref: Option<String>,
    made_at: Option<String>,
    at_supplier: &'static str,
}

impl Table for Compared {
    const HEAD: &str = "supplier how order_id reference booking_ref made_at at_supplier";

    fn rows(&self) -> Vec<Row<'_>> {
        rows_of(Self::HEAD, &self.different, "")
    }

    fn foot(&self) -> Option<String> {
        let since = self.since.to_rfc3339_opts(SecondsFormat::Secs, true);
        let line = |of: &SupplierView| match (of.listed, &of.problem) {
            (Some(listed), _) => format!("{}: {listed} orders were compared", of.supplier),
            (None, Some(problem)) => format!("{}: its list could not be read: {problem}", of.supplier),
            (None, None) => format!(
                "{}: it has no list of orders; compare what it has made since {since} by its portal or statement",
                of.supplier
            ),
        };
        Some(self.suppliers.iter().map(line).collect::<Vec<_>>().join("\n"))
    }
}

impl Compared {
    fn add(&mut self, supplier: &str, became: Reconciled) {
        let (listed, problem, different) = match became {
            Reconciled::NoList => (None, None, Vec::new()),
            Reconciled::Unread(problem) => (None, Some(problem), Vec::new()),
            Reconciled::Read { listed, different } => (Some(listed), None, different),
        };
        self.suppliers.push(SupplierView { supplier: supplier.to_owned(), listed, problem });
        let view = |order| OrderView::of(supplier, order);
        self.different.extend(different.into_iter().map(view));
    }

    fn failure(&self) -> Done {
        let unread = self.suppliers.iter().filter(|of| of.problem.is_some()).count();
        match (self.different.len(), unread) {
            (0, 0) => Ok(()),
            (orders, 0) => Err(Failure::Failed(format!("orders that differ: {orders}"))),
            (orders, unread) => Err(Failure::Failed(format!(
                "orders that differ: {orders}; lists that could not be read: {unread}"
            ))),
        }
    }
}

impl OrderView {
    fn of(supplier: &str, order: DifferentOrder) -> Self {
        Self {
            supplier: supplier.to_owned(),
            how: match order.how {
                Disagreement::OnlyAtSupplier => "only_at_supplier",
                Disagreement::CancelledThere => "cancelled_there",
                Disagreement::LiveThere => "live_there",
                Disagreement::OnlyHere => "only_here",
            },
            order_id: order.order_id,
            reference: order.reference,
            booking_ref: order.booking.map(|booking| booking.to_string()),
            made_at: order.made_at,
            at_supplier: match order.is_cancelled {
                Some(true) => "cancelled",
                Some(false) => "live",
                None => "not_listed",
            },
        }
    }
}

impl Reconcile {
    /// Does it.
    pub async fn run(
        self,
        settings: Vec<SupplierSettings>,
        installation: Installation,
        output: Output,
    ) -> Done {
        if settings.is_empty() {
            return Err(Failure::Failed(
                "the settings name no suppliers ([[suppliers]] of --config): there is nobody to ask"
                    .to_owned(),
            ));
        }
        let suppliers = Suppliers::of(settings, &Clock::system()).map_err(Failure::Failed)?;
        let work = installation.with_platform(async |platform| {
            let mut compared = Compared { since: self.since, suppliers: Vec::new(), different: Vec::new() };
            for supplier in &suppliers.flights {
                let became = operator::reconcile(platform, &**supplier, self.since).await?;
                compared.add(&supplier.config().code, became);
            }
            for supplier in &suppliers.hotels {
                let became = operator::reconcile(platform, &**supplier, self.since).await?;
                compared.add(&supplier.config().code, became);
            }
            output.print_table(&compared)?;
            compared.failure()
        });
        work.await
    }
}
