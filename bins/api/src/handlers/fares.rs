//! The fare ledger.

use actix_web::web::Path;
use wayfare_domain::{Faults, PageRequest, Period};
use wayfare_operations::{Caller, PortalAdmin, fare_ledger};

use super::{App, user_id};
use crate::{
    extract::{Ask, QueryPairs},
    reply::{Replied, data},
    views::fares::{FareLedger, FinanceSummary},
};

/// `GET /org/fare-transactions`.
///
/// # Errors
/// As the error table says.
pub async fn of_organization(app: App, ask: Ask<PortalAdmin, QueryPairs>) -> Replied {
    let (period, page) = period_and_page(&ask.what)?;
    let ledger = fare_ledger::of_organization(&app, &ask.who, period, page).await?;
    data(FareLedger::from(ledger))
}

/// `GET /org/fare-transactions/{id}`.
///
/// # Errors
/// As the error table says.
pub async fn of_user(app: App, ask: Ask<PortalAdmin, QueryPairs>, user: Path<String>) -> Replied {
    let (period, page) = period_and_page(&ask.what)?;
    let ledger = fare_ledger::of_user(&app, &ask.who, user_id(&user)?, period, page).await?;
    data(FareLedger::from(ledger))
}

/// `GET /me/fare-transactions`.
///
/// # Errors
/// As the error table says.
pub async fn own(app: App, ask: Ask<Caller, QueryPairs>) -> Replied {
    let (period, page) = period_and_page(&ask.what)?;
    let ledger = fare_ledger::own(&app, &ask.who, period, page).await?;
    data(FareLedger::from(ledger))
}

/// `GET /org/finance-summary`.
///
/// # Errors
/// As the error table says.
pub async fn summary(app: App, ask: Ask<PortalAdmin, QueryPairs>) -> Replied {
    let mut faults = Faults::default();
    let period = period(&ask.what, &mut faults);
    let period = faults.or(period)?;
    let (bounds, suppliers) = fare_ledger::by_supplier(&app, &ask.who, period).await?;
    data(FinanceSummary::of(bounds, suppliers))
}

fn period_and_page(query: &QueryPairs) -> Result<(Period, PageRequest), Faults> {
    let mut faults = Faults::default();
    let page = query.page(&mut faults);
    let period = period(query, &mut faults);
    faults.or((period, page))
}

fn period(query: &QueryPairs, faults: &mut Faults) -> Period {
    query.word("period", faults).unwrap_or_default()
}
