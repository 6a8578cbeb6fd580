//! `wayfarectl status`: on one screen what waits and what is wrong, over all agencies, as far as the database knows.

use serde::Serialize;
use wayfare_operations::{
    ListRow, OperatorList, operator,
    tools::servers::{self, ServerThere},
};

use crate::{
    installation::Installation,
    lists::Listed,
    output::{Done, Line, Output, Report, lines_of, time},
    suppliers::KnownSuppliers,
};

/// Suppliers and debts: a screen has no room for more.
const ROWS: u32 = 20;

#[derive(Serialize)]
struct Status {
    pending_bookings: i64,
    oldest_pending_booking: Option<String>,
    open_incidents: i64,
    pending_refunds: i64,
    failed_reports: i64,
    webhooks_disabled: i64,
    webhooks_resting: i64,
    wallets_in_debt: i64,
    /// The servers that use the database now.
    servers: Vec<ServerView>,
    /// What each supplier was asked; whether a server leaves it alone at the moment only that server knows.
    suppliers: Vec<ListRow>,
    /// Suppliers of these settings at which nothing was ever ordered.
    unused_suppliers: Vec<String>,
    /// The largest debts.
    debts: Vec<ListRow>,
}

#[derive(Serialize)]
struct ServerView {
    address: String,
    version: String,
    started_at: String,
    clock_ahead_ms: i64,
    /// What it has otherwise than the first one of its version.
    unequal_settings: Vec<String>,
}

impl ServerView {
    fn of(there: ServerThere) -> Self {
        let announced = there.server.announced;
        Self {
            address: announced.address,
            version: announced.version,
            started_at: time(there.server.started_at),
            clock_ahead_ms: announced.clock_ahead_ms,
            unequal_settings: there.unequal_settings,
        }
    }

    fn line(&self) -> String {
        let otherwise = match self.unequal_settings.is_empty() {
            true => String::new(),
            false => format!(", set otherwise: {}", self.unequal_settings.join(", ")),
        };
        format!(
            "{} (version {}, since {}, clock {:+} ms{otherwise})",
            self.address, self.version, self.started_at, self.clock_ahead_ms
        )
    }
}

impl Report for Status {
    fn lines(&self) -> Vec<Line<'_>> {
        let oldest = self.oldest_pending_booking.as_deref();
        let pending = match oldest {
            Some(oldest) => format!("{}, the oldest since {oldest}", self.pending_bookings),
            None => self.pending_bookings.to_string(),
        };
        let mut lines: Vec<Line<'_>> = vec![("pending_bookings", pending.into())];
        lines.extend(lines_of(
            self,
            "open_incidents pending_refunds failed_reports webhooks_disabled webhooks_resting wallets_in_debt",
        ));
        lines.extend(self.servers.iter().map(|server| ("server", server.line().into())));
        if !self.unused_suppliers.is_empty() {
            lines.push(("unused_suppliers", self.unused_suppliers.join(", ").into()));
        }
        lines
    }
}

/// Shows it.
pub async fn show(suppliers: &KnownSuppliers, installation: Installation, output: Output) -> Done {
    let work = installation.with_platform(async |platform| {
        let waiting = operator::waiting(platform).await?;
        let asked = operator::list(platform, OperatorList::Suppliers, None, None, ROWS).await?;
        let debts = operator::list(platform, OperatorList::Debts, None, None, ROWS).await?;
        let used = |code: &str| asked.iter().any(|row| row.get("supplier").is_some_and(|it| it == code));
        let unused = suppliers.codes().filter(|code| !used(code)).map(str::to_owned);
        let status = Status {
            pending_bookings: waiting.pending_bookings,
            oldest_pending_booking: waiting.oldest_pending_booking.map(time),
            open_incidents: waiting.open_incidents,
            pending_refunds: waiting.pending_refunds,
            failed_reports: waiting.failed_reports,
            webhooks_disabled: waiting.webhooks_disabled,
            webhooks_resting: waiting.webhooks_resting,
            wallets_in_debt: waiting.wallets_in_debt,
            servers: servers::there(&platform.core).await?.into_iter().map(ServerView::of).collect(),
            unused_suppliers: unused.collect(),
            suppliers: asked,
            debts,
        };
        output.print(&status)?;
        if output.json {
            return Ok(());
        }
        for (list, name, rows) in [
            (OperatorList::Suppliers, "suppliers", status.suppliers),
            (OperatorList::Debts, "debts", status.debts),
        ] {
            if !rows.is_empty() {
                output.print_gap()?;
                output.print_table(&Listed { list, name, rows })?;
            }
        }
        Ok(())
    });
    work.await
}
