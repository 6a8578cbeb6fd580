//! What agencies sold and earned, period by period.

use chrono::{DateTime, Utc};
use wayfare_boxed::boxed;
use wayfare_domain::{Money, Page, PageRequest, Period, Scope, UserId};
use wayfare_store::{
    access::users,
    money::{
        entries,
        fare_ledger::{self, FareFilter},
    },
};

pub use wayfare_store::money::fare_ledger::{FareSums, FareTransaction, SupplierFares};

use crate::{Caller, Core, Error, PortalAdmin, Result, tools::calendar::current};

/// A page of the fare ledger, with the sums of all pages.
#[derive(Clone, Debug)]
pub struct FareLedger {
    pub period: Bounds,
    pub sums: FareSums,
    /// Newest first.
    pub page: Page<FareTransaction>,
}

/// A period of the agency's calendar.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub period: Period,
    /// Its first instant, UTC.
    pub start: DateTime<Utc>,
    /// The first instant after it, UTC.
    pub end: DateTime<Utc>,
}

impl Bounds {
    fn present(core: &Core, caller: &Caller, period: Period) -> Result<Self> {
        let (start, end) = current(period, core.clock.now(), caller.time_zone())?;
        Ok(Self { period, start, end })
    }
}

/// The agency's rows: four statements with begin and commit.
#[boxed]
pub async fn of_organization(
    core: &Core,
    admin: &PortalAdmin,
    period: Period,
    request: PageRequest,
) -> Result<FareLedger> {
    let caller = admin.caller();
    let scope = Scope::Organization(caller.organization());
    ledger(core, caller, scope, period, request).await
}

/// The rows of one user of the agency, a deleted one too (P-73).
///
/// # Errors
/// [`Error::NotFound`] for anybody who never was one.
#[boxed]
pub async fn of_user(
    core: &Core,
    admin: &PortalAdmin,
    user: UserId,
    period: Period,
    request: PageRequest,
) -> Result<FareLedger> {
    let caller = admin.caller();
    let organization = caller.organization();
    let mut connection = core.database.connection().await?;
    if !users::was_ever(&mut connection, organization, user).await? {
        return Err(Error::NotFound);
    }
    drop(connection);
    ledger(core, caller, Scope::User(organization, user), period, request).await
}

/// The caller's own rows, whatever their role.
#[boxed]
pub async fn own(core: &Core, caller: &Caller, period: Period, request: PageRequest) -> Result<FareLedger> {
    let scope = Scope::User(caller.organization(), caller.user());
    ledger(core, caller, scope, period, request).await
}

async fn ledger(
    core: &Core,
    caller: &Caller,
    scope: Scope,
    period: Period,
    request: PageRequest,
) -> Result<FareLedger> {
    let bounds = Bounds::present(core, caller, period)?;
    let filter = FareFilter { scope, since: bounds.start, before: bounds.end };
    let mut connection = core.database.connection().await?;
    let mut snapshot = connection.build_transaction().read_only().repeatable_read();
    let (sums, page) = snapshot
        .run(async |connection| {
            Ok::<_, Error>(fare_ledger::page(connection, filter, caller.currency(), request).await?)
        })
        .await?;
    Ok(FareLedger { period: bounds, sums, page })
}

/// What the agency bought at each supplier, and what stands on its markup account.
#[derive(Clone, Debug)]
pub struct FinanceSummary {
    pub period: Bounds,
    pub by_supplier: Vec<SupplierFares>,
    /// What waits for the next payout now; below zero where markups that were paid out have been given back since.
    pub markup_balance: Money,
}

/// What the agency bought at each supplier: two statements.
#[boxed]
pub async fn by_supplier(core: &Core, admin: &PortalAdmin, period: Period) -> Result<FinanceSummary> {
    let caller = admin.caller();
    let organization = caller.organization();
    let bounds = Bounds::present(core, caller, period)?;
    let mut connection = core.database.connection().await?;
    let span = (bounds.start, bounds.end);
    let fares = fare_ledger::by_supplier(&mut connection, organization, span, caller.currency()).await?;
    let markups = entries::markups(&mut connection, &[organization]).await?;
    let markup = markups.get(&organization).copied().unwrap_or_default();
    Ok(FinanceSummary {
        period: bounds,
        by_supplier: fares,
        markup_balance: Money::stored(markup, caller.currency())?,
    })
}
