//! A wallet's transactions: pages, filters, and all of them for an export.

use std::sync::Arc;

use chrono::NaiveDate;
use diesel_async::AsyncPgConnection;
use rust_decimal::Decimal;
use wayfare_boxed::boxed;
use wayfare_domain::{Faults, ListRequest, OrganizationId, Page, UserId};
use wayfare_ledger::{Reason, Side, Wallet};
use wayfare_store::{
    Connection,
    money::{
        entries::{self, Place, TransactionFilter, WalletTransaction},
        wallets::Owner,
    },
    statements::many_rows::read_many,
};

use super::owned_wallet::find;
use crate::{Caller, Core, PortalAdmin, Result, tools::calendar::kept_days};

/// Rows of an export that are read at a time.
const CHUNK: i64 = 2_000;

/// Which transactions; nothing means all (P-58).
#[derive(Clone, Debug, Default)]
pub struct WalletFilter {
    pub side: Option<Side>,
    pub reason: Option<Reason>,
    /// The first day, in the agency's calendar.
    pub from: Option<NaiveDate>,
    /// The last day, whole, in the agency's calendar.
    pub to: Option<NaiveDate>,
    pub least: Option<Decimal>,
    /// Those of at most this amount.
    pub most: Option<Decimal>,
    /// Those with this text in their description.
    pub text: Option<String>,
}

impl WalletFilter {
    async fn read(
        self,
        core: &Core,
        connection: &mut AsyncPgConnection,
        caller: &Caller,
    ) -> Result<TransactionFilter> {
        let mut faults = Faults::default();
        let clock = (caller.time_zone(), core.clock.now());
        let (since, before) = kept_days(connection, (self.from, self.to), clock, &mut faults).await?;
        if self.least.zip(self.most).is_some_and(|(least, most)| least > most) {
            faults.add("min_amount", "must not be greater than max_amount");
        }
        Ok(faults.or(TransactionFilter {
            side: self.side,
            reason: self.reason,
            since,
            before,
            least: self.least,
            most: self.most,
            text: self.text,
        })?)
    }
}

/// A transaction as an admin sees it.
#[derive(Clone, Debug)]
pub struct Listed {
    pub transaction: WalletTransaction,
    /// Of an allocation, to or from whom it went, and their name.
    pub agent: Option<(UserId, String)>,
}

/// A page of the caller's own wallet's transactions, newest first: two statements.
#[boxed]
pub async fn own_transactions(
    core: &Core,
    caller: &Caller,
    request: impl Into<ListRequest>,
) -> Result<Page<WalletTransaction>> {
    let mut connection = core.database.connection().await?;
    let wallet = find(&mut connection, caller.payer()).await?;
    let all = TransactionFilter::default();
    Ok(entries::transactions(&mut connection, caller.organization(), &wallet, &all, request).await?)
}

/// A page of the organization's wallet's transactions, newest first: two statements, with a filter four, with a text
/// in it seven; one more where there are allocations among them, and where days are asked for, two the first time.
///
/// # Errors
/// [`crate::Error::Invalid`] for bounds that exclude each other.
#[boxed]
pub async fn transactions_of_organization(
    core: &Core,
    admin: &PortalAdmin,
    filter: WalletFilter,
    request: impl Into<ListRequest>,
) -> Result<Page<Listed>> {
    let owner = Owner::Organization(admin.caller().organization());
    listed(core, admin, owner, filter, request).await
}

/// The same of an agent's own wallet (P-23), a deleted one's too (P-73).
///
/// # Errors
/// [`crate::Error::NotFound`] for anybody who never was an agent of the agency; [`crate::Error::Invalid`].
#[boxed]
pub async fn transactions_of_agent(
    core: &Core,
    admin: &PortalAdmin,
    agent: UserId,
    filter: WalletFilter,
    request: impl Into<ListRequest>,
) -> Result<Page<Listed>> {
    let owner = Owner::User(admin.caller().organization(), agent);
    listed(core, admin, owner, filter, request).await
}

async fn listed(
    core: &Core,
    admin: &PortalAdmin,
    owner: Owner,
    filter: WalletFilter,
    request: ListRequest,
) -> Result<Page<Listed>> {
    let organization = owner.organization();
    let mut connection = core.database.connection().await?;
    let filter = filter.read(core, &mut connection, admin.caller()).await?;
    let wallet = find(&mut connection, owner).await?;
    let page = page(&mut connection, organization, &wallet, &filter, request).await?;
    let topups = page.items.iter().filter(|transaction| transaction.reason == Reason::Topup);
    let topups = topups.map(|transaction| transaction.id).collect();
    let mut agents = entries::allocated_to(&mut connection, organization, topups).await?;
    Ok(page.map(|transaction| Listed { agent: agents.remove(&transaction.id), transaction }))
}

/// A text is searched for among all of the wallet's transactions.
async fn page(
    connection: &mut Connection,
    organization: OrganizationId,
    wallet: &Wallet,
    filter: &TransactionFilter,
    request: ListRequest,
) -> Result<Page<WalletTransaction>> {
    if filter.text.is_none() {
        return Ok(entries::transactions(connection, organization, wallet, filter, request).await?);
    }
    let mut search = connection.build_transaction().read_only();
    search
        .run(async |connection| {
            read_many(connection).await?;
            Ok(entries::transactions(connection, organization, wallet, filter, request).await?)
        })
        .await
}

async fn chunk(
    connection: &mut Connection,
    organization: OrganizationId,
    wallet: &Wallet,
    filter: &TransactionFilter,
    after: Option<Place>,
) -> Result<Vec<(Place, WalletTransaction)>> {
    if filter.text.is_none() {
        return Ok(entries::transactions_after(connection, organization, wallet, filter, after, CHUNK).await?);
    }
    let mut search = connection.build_transaction().read_only();
    search
        .run(async |connection| {
            read_many(connection).await?;
            Ok(entries::transactions_after(connection, organization, wallet, filter, after, CHUNK).await?)
        })
        .await
}

/// Begins an export of the organization's wallet's transactions: what was there when it began, newest first.
///
/// # Errors
/// [`crate::Error::Invalid`] for bounds that exclude each other.
#[boxed]
pub async fn export(core: &Arc<Core>, admin: &PortalAdmin, filter: WalletFilter) -> Result<Export> {
    let organization = admin.caller().organization();
    let mut connection = core.database.connection().await?;
    let filter = filter.read(core, &mut connection, admin.caller()).await?;
    let wallet = find(&mut connection, Owner::Organization(organization)).await?;
    Ok(Export { core: core.clone(), organization, wallet, filter, last: None })
}

/// An export under way. Between its chunks it holds neither a transaction nor a connection, however slowly the client
/// reads; rows of a ledger stay as they are, so the chunks are of one moment all the same. Dropped, it has ended.
pub struct Export {
    core: Arc<Core>,
    organization: OrganizationId,
    wallet: Wallet,
    filter: TransactionFilter,
    last: Option<Place>,
}

#[boxed]
impl Export {
    /// The next transactions, at most 2,000: two statements, without a filter one, with a text in it five. None at the
    /// end.
    pub async fn next(&mut self) -> Result<Vec<WalletTransaction>> {
        let mut connection = self.core.database.connection().await?;
        let (organization, wallet, filter) = (self.organization, &self.wallet, &self.filter);
        let chunk = chunk(&mut connection, organization, wallet, filter, self.last).await?;
        self.last = chunk.last().map(|(place, _)| *place).or(self.last);
        Ok(chunk.into_iter().map(|(_, transaction)| transaction).collect())
    }
}
