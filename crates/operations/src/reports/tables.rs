//! Writes a report: the names of its columns, then its rows as the database sends them.

use std::borrow::Cow;

use diesel_async::AsyncPgConnection;
use futures_util::TryStreamExt;
use wayfare_domain::{ReportKind, Scope};
use wayfare_ledger::Wallet;
use wayfare_store::{
    money::{
        entries::{self, TransactionFilter},
        wallets::{self, Owner},
    },
    reports::{
        Report,
        rows::{self, Table},
    },
    statements::many_rows::read_many,
};

use super::{files::NewFile, progress::Progress};
use crate::{
    Core, Error, Result,
    money::csv,
    tools::csv_text::{harmless, lines},
};

const PAGE: usize = 1_000;

/// Writes the report's rows below its columns, all of one moment, a page of them in memory at a time.
///
/// # Errors
/// When the database can't be asked, or the file not be written.
pub(super) async fn write(
    core: &Core,
    report: &Report,
    file: &mut NewFile,
    progress: &Progress,
) -> Result<()> {
    let mut connection = core.database.connection().await?;
    let mut snapshot = connection.build_transaction().read_only().repeatable_read();
    snapshot
        .run(async |connection| {
            if report.kind != ReportKind::Wallet {
                read_many(connection).await?;
            }
            let found = match report.kind {
                ReportKind::Sales => rows::sales(connection, report).await?,
                ReportKind::Booking => rows::bookings(connection, report).await?,
                ReportKind::AgentActivity => rows::agents(connection, report).await?,
                ReportKind::Wallet => return wallet(connection, report, file, progress).await,
            };
            table(file, found, progress).await
        })
        .await
}

async fn table(file: &mut NewFile, found: Table<'_>, progress: &Progress) -> Result<()> {
    file.write(lines([found.columns.iter().copied().map(Cow::Borrowed).collect::<Vec<_>>()])?).await?;
    let mut pages = found.rows.try_chunks(PAGE).map_err(|broken| broken.1);
    while let Some(page) = pages.try_next().await? {
        let cells = page.iter().map(|line| line.cells.iter().map(|cell| harmless(cell)).collect::<Vec<_>>());
        file.write(lines(cells)?).await?;
        progress.add(page.len(), page.last().and_then(|line| line.at));
    }
    Ok(())
}

/// The wallet's transactions of the period, as an export has them.
async fn wallet(
    connection: &mut AsyncPgConnection,
    report: &Report,
    file: &mut NewFile,
    progress: &Progress,
) -> Result<()> {
    let wallet = wallet_of(connection, report).await?;
    let filter = TransactionFilter {
        side: report.filters.side,
        reason: report.filters.ref_type,
        since: Some(report.period_start),
        before: Some(report.period_end),
        ..TransactionFilter::default()
    };
    let organization = report.scope.organization();
    let count = i64::try_from(PAGE).unwrap_or(i64::MAX);
    file.write(csv::header()?).await?;
    let mut last = None;
    loop {
        let page =
            entries::transactions_after(connection, organization, &wallet, &filter, last, count).await?;
        let Some((place, _)) = page.last() else { return Ok(()) };
        last = Some(*place);
        let transactions: Vec<_> = page.into_iter().map(|(_, transaction)| transaction).collect();
        file.write(csv::rows(&transactions)?).await?;
        progress.add(transactions.len(), transactions.last().map(|last| last.at));
    }
}

/// An admin has no wallet of their own: theirs is the organization's (P-5).
async fn wallet_of(connection: &mut AsyncPgConnection, report: &Report) -> Result<Wallet> {
    if let Scope::User(organization, user) = report.rows_of()
        && let Some(own) = wallets::of(connection, Owner::User(organization, user)).await?
    {
        return Ok(own);
    }
    let organizations = wallets::of(connection, Owner::Organization(report.scope.organization())).await?;
    organizations.ok_or_else(|| Error::Internal("an organization has no wallet".to_owned()))
}
