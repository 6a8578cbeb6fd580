//! What each kind of report has in its rows.

use std::borrow::Cow;

use chrono::{DateTime, SecondsFormat, Utc};
use diesel_async::AsyncPgConnection;
use futures_util::TryStreamExt;
use wayfare_domain::{Money, ReportKind, Scope};
use wayfare_ledger::{Reason, Wallet};
use wayfare_store::{
    money::{
        entries::{self, TransactionFilter},
        wallets::{self, Owner},
    },
    reports::{
        Report,
        rows::{self, AgentRow, BookingRow, Rows, SalesRow},
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

const SALES: [&str; 17] = [
    "id",
    "date",
    "type",
    "booking_ref",
    "product",
    "booking_status",
    "provider",
    "pnr",
    "agent_id",
    "agent_name",
    "amount",
    "agent_fare",
    "ancillary",
    "public_fare",
    "agent_commission",
    "markup",
    "currency",
];
const BOOKINGS: [&str; 23] = [
    "booking_ref",
    "product",
    "status",
    "provider",
    "pnr",
    "agent_id",
    "agent_name",
    "origin",
    "destination",
    "hotel_name",
    "check_in",
    "check_out",
    "passenger_count",
    "base_fare",
    "public_fare",
    "amount",
    "paid",
    "refunded",
    "currency",
    "created_at",
    "booked_at",
    "cancelled_at",
    "failure",
];
const AGENTS: [&str; 19] = [
    "agent_id",
    "username",
    "agent_name",
    "role",
    "bookings",
    "pending",
    "confirmed",
    "cancelled",
    "failed",
    "flights",
    "hotels",
    "paid",
    "refunded",
    "net",
    "public_fare",
    "agent_fare",
    "agent_commission",
    "markup",
    "currency",
];

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
            match report.kind {
                ReportKind::Sales => {
                    let rows = rows::sales(connection, report).await?;
                    table(file, SALES, rows, sale, |row| Some(row.at), progress).await
                }
                ReportKind::Booking => {
                    let rows = rows::bookings(connection, report).await?;
                    table(file, BOOKINGS, rows, booking, |row| Some(row.created_at), progress).await
                }
                ReportKind::AgentActivity => {
                    // By name: of which time the last one is says nothing.
                    let rows = rows::agents(connection, report).await?;
                    table(file, AGENTS, rows, agent, |_| None, progress).await
                }
                ReportKind::Wallet => wallet(connection, report, file, progress).await,
            }
        })
        .await
}

async fn table<T, const N: usize>(
    file: &mut NewFile,
    columns: [&'static str; N],
    rows: Rows<'_, T>,
    cells: impl Fn(&T) -> [Cow<'_, str>; N],
    at: impl Fn(&T) -> Option<DateTime<Utc>>,
    progress: &Progress,
) -> Result<()> {
    file.write(lines([columns.map(Cow::Borrowed)])?).await?;
    let mut pages = rows.try_chunks(PAGE).map_err(|broken| broken.1);
    while let Some(page) = pages.try_next().await? {
        file.write(lines(page.iter().map(&cells))?).await?;
        progress.add(page.len(), page.last().and_then(&at));
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

fn sale(row: &SalesRow) -> [Cow<'_, str>; 17] {
    let booking = &row.booking;
    let kind = match row.reason {
        Reason::Refund => "refund",
        Reason::Booking | Reason::Topup | Reason::Deduction => "charge",
    };
    [
        row.id.to_string().into(),
        time(row.at),
        kind.into(),
        harmless(booking.reference.as_ref()),
        <&str>::from(booking.product).into(),
        <&str>::from(booking.status).into(),
        harmless(&booking.provider),
        harmless(&booking.pnr),
        booking.user.to_string().into(),
        harmless(&booking.user_name),
        number(row.amount),
        number(row.agent_fare),
        number(row.ancillary),
        number(row.public_fare),
        number(row.agent_commission),
        number(row.markup),
        row.amount.currency().code().into(),
    ]
}

fn booking(row: &BookingRow) -> [Cow<'_, str>; 23] {
    let sold = &row.booking;
    let optional_time = |at: Option<DateTime<Utc>>| at.map(time).unwrap_or_default();
    let day = |day: Option<chrono::NaiveDate>| day.map(|day| day.to_string()).unwrap_or_default();
    [
        harmless(sold.reference.as_ref()),
        <&str>::from(sold.product).into(),
        <&str>::from(sold.status).into(),
        harmless(&sold.provider),
        harmless(&sold.pnr),
        sold.user.to_string().into(),
        harmless(&sold.user_name),
        harmless(&row.origin),
        harmless(&row.destination),
        harmless(row.hotel_name.as_deref().unwrap_or_default()),
        day(row.check_in).into(),
        day(row.check_out).into(),
        row.passenger_count.to_string().into(),
        number(row.base_fare),
        number(row.public_fare),
        number(row.amount),
        number(row.paid),
        number(row.refunded),
        row.amount.currency().code().into(),
        time(row.created_at),
        optional_time(row.booked_at),
        optional_time(row.cancelled_at),
        harmless(row.failure.as_deref().unwrap_or_default()),
    ]
}

fn agent(row: &AgentRow) -> [Cow<'_, str>; 19] {
    [
        row.user.to_string().into(),
        harmless(&row.username),
        harmless(&row.name),
        row.role.as_ref().to_owned().into(),
        row.bookings.to_string().into(),
        row.pending.to_string().into(),
        row.confirmed.to_string().into(),
        row.cancelled.to_string().into(),
        row.failed.to_string().into(),
        row.flights.to_string().into(),
        row.hotels.to_string().into(),
        number(row.paid),
        number(row.refunded),
        number(row.net),
        number(row.public_fare),
        number(row.agent_fare),
        number(row.agent_commission),
        number(row.markup),
        row.paid.currency().code().into(),
    ]
}

fn number(amount: Money) -> Cow<'static, str> {
    amount.amount().to_string().into()
}

fn time(at: DateTime<Utc>) -> Cow<'static, str> {
    at.to_rfc3339_opts(SecondsFormat::AutoSi, true).into()
}
