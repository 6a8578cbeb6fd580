//! The fare ledger.

use actix_web::web::Path;
use wayfare_contract::{FareLedger, FareSummary, FareTransaction, FinanceSummary, SupplierTotals};
use wayfare_domain::{PageRequest, Period};
use wayfare_operations::{
    Caller, Error, PortalAdmin,
    money::fare_ledger::{self, SupplierFares},
};

use super::common::record_id;
use crate::http::{
    App,
    extract::{Ask, Query},
    query::{FromQuery, Parameters},
    reply::{DataReply, data},
};

/// `GET /org/fare-transactions`.
pub async fn of_organization(
    app: App,
    ask: Ask<PortalAdmin, Query<(PageRequest, Period)>>,
) -> DataReply<FareLedger> {
    let Query((page, period)) = ask.what;
    ledger(fare_ledger::of_organization(&app.core, &ask.who, period, page).await?)
}

/// `GET /org/fare-transactions/{id}`.
pub async fn of_user(
    app: App,
    ask: Ask<PortalAdmin, Query<(PageRequest, Period)>>,
    user: Path<String>,
) -> DataReply<FareLedger> {
    let Query((page, period)) = ask.what;
    ledger(fare_ledger::of_user(&app.core, &ask.who, record_id(&user)?, period, page).await?)
}

/// `GET /me/fare-transactions`.
pub async fn own(app: App, ask: Ask<Caller, Query<(PageRequest, Period)>>) -> DataReply<FareLedger> {
    let Query((page, period)) = ask.what;
    ledger(fare_ledger::own(&app.core, &ask.who, period, page).await?)
}

/// `GET /org/finance-summary`.
pub async fn summary(app: App, ask: Ask<PortalAdmin, Query<Period>>) -> DataReply<FinanceSummary> {
    let Query(period) = ask.what;
    let summary = fare_ledger::by_supplier(&app.core, &ask.who, period).await?;
    data(FinanceSummary {
        period: summary.period.period.as_ref().into(),
        period_start: summary.period.start,
        period_end: summary.period.end,
        by_supplier: summary.by_supplier.into_iter().map(supplier).collect(),
        markup_balance: summary.markup_balance.amount().into(),
    })
}

impl FromQuery for Period {
    fn read(query: &mut Parameters) -> Self {
        query.word("period").unwrap_or_default()
    }
}

fn ledger(ledger: fare_ledger::FareLedger) -> DataReply<FareLedger> {
    let (bounds, sums, page) = (ledger.period, ledger.sums, ledger.page);
    data(FareLedger {
        period: bounds.period.as_ref().into(),
        period_start: bounds.start,
        period_end: bounds.end,
        summary: FareSummary {
            total_public_fare: sums.public_fare.amount().into(),
            total_agent_fare: sums.agent_fare.amount().into(),
            total_agent_commission: sums.agent_commission.amount().into(),
            total_charges: sums.charges().map_err(Error::from)?.amount().into(),
            total_ancillary: sums.ancillary.amount().into(),
            total_markup: sums.markup.amount().into(),
            transaction_count: sums.count,
        },
        total: page.total,
        page: page.request.page,
        per_page: page.request.per_page,
        transactions: page.map(transaction).items,
    })
}

fn transaction(row: fare_ledger::FareTransaction) -> FareTransaction {
    FareTransaction {
        id: row.id.uuid(),
        booking_ref: row.reference.to_string(),
        kind: row.kind.map(|kind| kind.as_ref().into()),
        provider: row.provider,
        pnr: row.pnr,
        agent_id: row.user.uuid(),
        agent_name: row.user_name,
        public_fare: row.public_fare.amount().into(),
        agent_fare: row.agent_fare.amount().into(),
        ancillary: row.ancillary.amount().into(),
        agent_commission: row.agent_commission.amount().into(),
        currency: row.public_fare.currency().code().to_owned(),
        issued_at: row.issued_at,
    }
}

fn supplier(fares: SupplierFares) -> SupplierTotals {
    SupplierTotals {
        provider: fares.provider,
        currency: fares.public_fare.currency().code().to_owned(),
        public_fare: fares.public_fare.amount().into(),
        agent_fare: fares.agent_fare.amount().into(),
        markup: fares.markup.amount().into(),
        bookings: fares.bookings,
    }
}
