//! Wallets.

use actix_web::{
    HttpResponse,
    http::header::{ContentDisposition, DispositionParam, DispositionType},
    web::{Bytes, Path},
};
use futures_util::{StreamExt, stream};
use wayfare_domain::{PageRequest, TransferId};
use wayfare_operations::{
    Admin, Caller, Error, PortalAdmin,
    money::{
        csv,
        wallets::{self, Export, WalletFilter},
    },
    tools::idempotency::IdempotencyKey,
};

use super::{App, user_id};
use crate::{
    bodies,
    extract::{Ask, Body, Keyed, Nothing, Query},
    once::once,
    reply::{Csv, Data, Done, Listed, Replied, Reply, data, done, list},
    views::wallet::{AgentAllocation, LedgerEntry, Summary, Transaction, Wallet},
};

/// `GET /wallet`.
///
/// # Errors
/// As the error table says.
pub async fn own(app: App, ask: Ask<Caller, Nothing>) -> Replied<Data<Wallet>> {
    data(Wallet::from(wallets::own(&app, &ask.who).await?))
}

/// `GET /wallet/transactions`.
///
/// # Errors
/// As the error table says.
pub async fn own_transactions(
    app: App,
    ask: Ask<Caller, Query<PageRequest>>,
) -> Replied<Listed<Transaction>> {
    let Query(page) = ask.what;
    list(
        wallets::own_transactions(&app, &ask.who, page).await?,
        Transaction::from,
    )
}

/// `GET /org/wallet`.
///
/// # Errors
/// As the error table says.
pub async fn of_organization(app: App, ask: Ask<Admin, Nothing>) -> Replied<Data<Wallet>> {
    data(Wallet::from(wallets::of_organization(&app, &ask.who).await?))
}

/// `GET /org/wallet/transactions`.
///
/// # Errors
/// As the error table says.
pub async fn transactions_of_organization(
    app: App,
    ask: Ask<PortalAdmin, Query<(PageRequest, WalletFilter)>>,
) -> Replied<Listed<LedgerEntry>> {
    let Query((page, filter)) = ask.what;
    let found = wallets::transactions_of_organization(&app, &ask.who, filter, page).await?;
    list(found, LedgerEntry::from)
}

/// `GET /org/wallet/agents/{id}/transactions`.
///
/// # Errors
/// As the error table says.
pub async fn transactions_of_agent(
    app: App,
    ask: Ask<PortalAdmin, Query<(PageRequest, WalletFilter)>>,
    agent: Path<String>,
) -> Replied<Listed<LedgerEntry>> {
    let Query((page, filter)) = ask.what;
    let found = wallets::transactions_of_agent(&app, &ask.who, user_id(&agent)?, filter, page).await?;
    list(found, LedgerEntry::from)
}

/// `GET /org/wallet/transactions/export`: sent as it is read, and read no faster than the client takes it. An error on
/// the way breaks the connection off, so that nobody takes a part for the whole.
///
/// # Errors
/// As the error table says, before anything was sent.
pub async fn export(app: App, ask: Ask<PortalAdmin, Query<WalletFilter>>) -> Replied<Csv> {
    let Query(filter) = ask.what;
    let export = wallets::export(&app, &ask.who, filter).await?;
    let header = csv::header().map(Bytes::from);
    let rows = stream::try_unfold(export, async |mut export| {
        let next = next_rows(&mut export).await;
        let next = next.inspect_err(|error| tracing::error!(%error, "an export broke off"))?;
        Ok::<_, Error>(next.map(|rows| (rows, export)))
    });
    let response = HttpResponse::Ok()
        .content_type("text/csv; charset=utf-8")
        .insert_header(ContentDisposition {
            disposition: DispositionType::Attachment,
            parameters: vec![DispositionParam::Filename("wallet-transactions.csv".to_owned())],
        })
        .streaming(stream::once(async { header }).chain(rows));
    Ok(Reply::of(response))
}

async fn next_rows(export: &mut Export) -> Result<Option<Bytes>, Error> {
    let transactions = export.next().await?;
    if transactions.is_empty() {
        return Ok(None);
    }
    Ok(Some(csv::rows(&transactions)?.into()))
}

/// `POST /org/wallet/topup/{id}`.
///
/// # Errors
/// As the error table says.
pub async fn allocate(
    app: App,
    ask: Ask<PortalAdmin, Keyed<Body<bodies::Allocation>>>,
    agent: Path<String>,
) -> Replied<Done> {
    let (Body(bodies::Allocation(new)), key) = (ask.what.body, ask.what.key);
    let (admin, agent) = (&ask.who, user_id(&agent)?);
    let told = || done("wallet allocated to agent");
    let first = async |key: Option<&IdempotencyKey>| {
        wallets::allocate(&app, admin, agent, new, key).await?;
        told()
    };
    let look = async |_: TransferId| told();
    once(&app, admin.caller(), key, first, look).await
}

/// `GET /org/wallet/summary`.
///
/// # Errors
/// As the error table says.
pub async fn summary(app: App, ask: Ask<Admin, Nothing>) -> Replied<Data<Summary>> {
    let summary = wallets::summary(&app, &ask.who).await?;
    data(Summary::try_from(summary).map_err(Error::from)?)
}

/// `GET /org/wallet/agents`.
///
/// # Errors
/// As the error table says.
pub async fn agents(app: App, ask: Ask<Admin, Nothing>) -> Replied<Data<Vec<AgentAllocation>>> {
    let agents = wallets::agents(&app, &ask.who).await?;
    data(agents.into_iter().map(AgentAllocation::from).collect::<Vec<_>>())
}
