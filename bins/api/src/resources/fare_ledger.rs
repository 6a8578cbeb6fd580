//! The fare ledger.

use actix_web::web::Path;
use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use wayfare_domain::{
    Amount, BookingRef, Currency, FareKind, FareTransactionId, PageRequest, Period, UserId,
};
use wayfare_operations::{
    Caller, Error, PortalAdmin,
    money::fare_ledger::{self, Bounds, FareSums, SupplierFares},
};

use super::common::{CurrencyCode, record_id};
use crate::http::{
    App,
    extract::{Ask, Query},
    query::{FromQuery, Parameters},
    reply::{Data, Replied, data},
};

/// `GET /org/fare-transactions`.
pub async fn of_organization(
    app: App,
    ask: Ask<PortalAdmin, Query<(PageRequest, Period)>>,
) -> Replied<Data<FareLedger>> {
    let Query((page, period)) = ask.what;
    let ledger = fare_ledger::of_organization(&app.core, &ask.who, period, page).await?;
    data(FareLedger::try_from(ledger)?)
}

/// `GET /org/fare-transactions/{id}`.
pub async fn of_user(
    app: App,
    ask: Ask<PortalAdmin, Query<(PageRequest, Period)>>,
    user: Path<String>,
) -> Replied<Data<FareLedger>> {
    let Query((page, period)) = ask.what;
    let ledger = fare_ledger::of_user(&app.core, &ask.who, record_id(&user)?, period, page).await?;
    data(FareLedger::try_from(ledger)?)
}

/// `GET /me/fare-transactions`.
pub async fn own(app: App, ask: Ask<Caller, Query<(PageRequest, Period)>>) -> Replied<Data<FareLedger>> {
    let Query((page, period)) = ask.what;
    let ledger = fare_ledger::own(&app.core, &ask.who, period, page).await?;
    data(FareLedger::try_from(ledger)?)
}

/// `GET /org/finance-summary`.
pub async fn summary(app: App, ask: Ask<PortalAdmin, Query<Period>>) -> Replied<Data<FinanceSummary>> {
    let Query(period) = ask.what;
    let summary = fare_ledger::by_supplier(&app.core, &ask.who, period).await?;
    data(FinanceSummary::from(summary))
}

impl FromQuery for Period {
    fn read(query: &mut Parameters) -> Self {
        query.word("period").unwrap_or_default()
    }
}

/// The fare ledger wrapper. Pages are counted in here, not in a `meta` (P-64).
#[derive(Serialize, JsonSchema)]
pub struct FareLedger {
    #[serde(flatten)]
    period: PeriodView,
    summary: Summary,
    transactions: Vec<FareTransaction>,
    total: i64,
    page: u32,
    per_page: u32,
}

/// The period's word, and its bounds: the first instant, and the first one after it (P-65).
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FarePeriod")]
struct PeriodView {
    period: String,
    period_start: DateTime<Utc>,
    period_end: DateTime<Utc>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FareSummary")]
struct Summary {
    total_public_fare: Amount,
    total_agent_fare: Amount,
    total_agent_commission: Amount,
    total_charges: Amount,
    total_ancillary: Amount,
    total_markup: Amount,
    transaction_count: i64,
}

#[derive(Serialize, JsonSchema)]
struct FareTransaction {
    id: FareTransactionId,
    booking_ref: BookingRef,
    kind: Option<FareKind>,
    provider: String,
    pnr: String,
    agent_id: UserId,
    agent_name: String,
    public_fare: Amount,
    agent_fare: Amount,
    ancillary: Amount,
    agent_commission: Amount,
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
    issued_at: DateTime<Utc>,
}

/// What was bought at each supplier.
#[derive(Serialize, JsonSchema)]
pub struct FinanceSummary {
    #[serde(flatten)]
    period: PeriodView,
    by_supplier: Vec<Supplier>,
    markup_balance: Amount,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SupplierFares")]
struct Supplier {
    provider: String,
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
    public_fare: Amount,
    agent_fare: Amount,
    markup: Amount,
    bookings: i64,
}

impl TryFrom<fare_ledger::FareLedger> for FareLedger {
    type Error = Error;
    fn try_from(ledger: fare_ledger::FareLedger) -> Result<Self, Error> {
        let (total, request) = (ledger.page.total, ledger.page.request);
        Ok(Self {
            period: ledger.period.into(),
            summary: ledger.sums.try_into()?,
            transactions: ledger.page.map(FareTransaction::from).items,
            total,
            page: request.page,
            per_page: request.per_page,
        })
    }
}

impl From<Bounds> for PeriodView {
    fn from(bounds: Bounds) -> Self {
        Self { period: bounds.period.as_ref().to_owned(), period_start: bounds.start, period_end: bounds.end }
    }
}

impl TryFrom<FareSums> for Summary {
    type Error = Error;
    fn try_from(sums: FareSums) -> Result<Self, Error> {
        Ok(Self {
            total_public_fare: sums.public_fare.number(),
            total_agent_fare: sums.agent_fare.number(),
            total_agent_commission: sums.agent_commission.number(),
            total_charges: sums.charges()?.number(),
            total_ancillary: sums.ancillary.number(),
            total_markup: sums.markup.number(),
            transaction_count: sums.count,
        })
    }
}

impl From<fare_ledger::FareTransaction> for FareTransaction {
    fn from(row: fare_ledger::FareTransaction) -> Self {
        Self {
            id: row.id,
            booking_ref: row.reference,
            kind: row.kind,
            provider: row.provider,
            pnr: row.pnr,
            agent_id: row.user,
            agent_name: row.user_name,
            public_fare: row.public_fare.number(),
            agent_fare: row.agent_fare.number(),
            ancillary: row.ancillary.number(),
            agent_commission: row.agent_commission.number(),
            currency: row.public_fare.currency(),
            issued_at: row.issued_at,
        }
    }
}

impl From<fare_ledger::FinanceSummary> for FinanceSummary {
    fn from(summary: fare_ledger::FinanceSummary) -> Self {
        Self {
            period: summary.period.into(),
            by_supplier: summary.by_supplier.into_iter().map(Supplier::from).collect(),
            markup_balance: summary.markup_balance.number(),
        }
    }
}

impl From<SupplierFares> for Supplier {
    fn from(fares: SupplierFares) -> Self {
        Self {
            provider: fares.provider,
            currency: fares.public_fare.currency(),
            public_fare: fares.public_fare.number(),
            agent_fare: fares.agent_fare.number(),
            markup: fares.markup.number(),
            bookings: fares.bookings,
        }
    }
}
