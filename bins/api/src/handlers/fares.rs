//! The fare ledger.

use actix_web::web::Path;
use wayfare_domain::{PageRequest, Period};
use wayfare_operations::{Caller, PortalAdmin, money::fare_ledger};

use super::{App, user_id};
use crate::{
    extract::{Ask, Query},
    reply::{Data, Replied, data},
    views::fares::{FareLedger, FinanceSummary},
};

/// `GET /org/fare-transactions`.
///
/// # Errors
/// As the error table says.
pub async fn of_organization(
    app: App,
    ask: Ask<PortalAdmin, Query<(PageRequest, Period)>>,
) -> Replied<Data<FareLedger>> {
    let Query((page, period)) = ask.what;
    let ledger = fare_ledger::of_organization(&app, &ask.who, period, page).await?;
    data(FareLedger::from(ledger))
}

/// `GET /org/fare-transactions/{id}`.
///
/// # Errors
/// As the error table says.
pub async fn of_user(
    app: App,
    ask: Ask<PortalAdmin, Query<(PageRequest, Period)>>,
    user: Path<String>,
) -> Replied<Data<FareLedger>> {
    let Query((page, period)) = ask.what;
    let ledger = fare_ledger::of_user(&app, &ask.who, user_id(&user)?, period, page).await?;
    data(FareLedger::from(ledger))
}

/// `GET /me/fare-transactions`.
///
/// # Errors
/// As the error table says.
pub async fn own(app: App, ask: Ask<Caller, Query<(PageRequest, Period)>>) -> Replied<Data<FareLedger>> {
    let Query((page, period)) = ask.what;
    let ledger = fare_ledger::own(&app, &ask.who, period, page).await?;
    data(FareLedger::from(ledger))
}

/// `GET /org/finance-summary`.
///
/// # Errors
/// As the error table says.
pub async fn summary(app: App, ask: Ask<PortalAdmin, Query<Period>>) -> Replied<Data<FinanceSummary>> {
    let Query(period) = ask.what;
    let (bounds, suppliers) = fare_ledger::by_supplier(&app, &ask.who, period).await?;
    data(FinanceSummary::of(bounds, suppliers))
}
