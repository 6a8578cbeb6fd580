//! Wallets.

mod bodies;
mod views;

use actix_web::{
    HttpResponse,
    http::header::{ContentDisposition, DispositionParam, DispositionType},
    web::{Bytes, Path},
};
use futures_util::{StreamExt, stream};
use wayfare_contract::{
    AgentAllocation, Allocation, BalanceSeries, Wallet, WalletEntry, WalletSummary, WalletTransaction,
};
use wayfare_domain::{ListRequest, TransferId};
use wayfare_operations::{
    Admin, Caller, Error, PortalAdmin,
    access::idempotency::IdempotencyKey,
    engine::allocation,
    money::{
        csv,
        wallets::{self, Export, SeriesRequest, WalletFilter},
    },
};

use super::common::record_id;
use crate::http::{
    App,
    csv_style::CsvStyle,
    extract::{Ask, Body, Keyed, Nothing, Query},
    idempotent::idempotent,
    reply::{Csv, DataReply, Message, Paged, Replied, Reply, data, message, paged},
};

/// `GET /wallet`.
pub async fn own(app: App, ask: Ask<Caller, Nothing>) -> DataReply<Wallet> {
    data(wallets::own(&app.core, &ask.who).await?)
}

/// `GET /wallet/transactions`.
pub async fn own_transactions(app: App, ask: Ask<Caller, Query<ListRequest>>) -> Replied<Paged<WalletEntry>> {
    let Query(page) = ask.what;
    paged(wallets::own_transactions(&app.core, &ask.who, page).await?.map(views::entry))
}

/// `GET /org/wallet`.
pub async fn of_organization(app: App, ask: Ask<Admin, Nothing>) -> DataReply<Wallet> {
    data(wallets::of_organization(&app.core, &ask.who).await?)
}

/// `GET /org/wallet/transactions`.
pub async fn transactions_of_organization(
    app: App,
    ask: Ask<PortalAdmin, Query<(ListRequest, WalletFilter)>>,
) -> Replied<Paged<WalletTransaction>> {
    let Query((page, filter)) = ask.what;
    let found = wallets::transactions_of_organization(&app.core, &ask.who, filter, page).await?;
    paged(found.map(views::transaction))
}

/// `GET /org/wallet/agents/{id}/transactions`.
pub async fn transactions_of_agent(
    app: App,
    ask: Ask<PortalAdmin, Query<(ListRequest, WalletFilter)>>,
    agent: Path<String>,
) -> Replied<Paged<WalletTransaction>> {
    let Query((page, filter)) = ask.what;
    let found = wallets::transactions_of_agent(&app.core, &ask.who, record_id(&agent)?, filter, page).await?;
    paged(found.map(views::transaction))
}

/// `GET /org/wallet/transactions/export`: sent as it is read, and read no faster than the client takes it. An error on
/// the way breaks the connection off, so that nobody takes a part for the whole.
pub async fn export(app: App, ask: Ask<PortalAdmin, Query<(WalletFilter, CsvStyle)>>) -> Replied<Csv> {
    let Query((filter, style)) = ask.what;
    let export = wallets::export(&app.core, &ask.who, filter).await?;
    let header = csv::header().map(Bytes::from);
    let rows = stream::try_unfold(export, async |mut export| {
        let next = next_rows(&mut export).await;
        let next = next.inspect_err(|error| tracing::error!(%error, "an export broke off"))?;
        Ok::<_, Error>(next.map(|rows| (rows, export)))
    });
    let content = stream::iter([header]).chain(rows);
    let mut response = HttpResponse::Ok();
    response.content_type("text/csv; charset=utf-8").insert_header(ContentDisposition {
        disposition: DispositionType::Attachment,
        parameters: vec![DispositionParam::Filename("wallet-transactions.csv".to_owned())],
    });
    Ok(Reply::of(match style.is_plain() {
        true => response.streaming(content),
        false => response.streaming(style.written(ask.who.caller().time_zone(), content)),
    }))
}

async fn next_rows(export: &mut Export) -> Result<Option<Bytes>, Error> {
    let transactions = export.next().await?;
    if transactions.is_empty() {
        return Ok(None);
    }
    Ok(Some(csv::rows(&transactions)?.into()))
}

/// `POST /org/wallet/topup/{id}`.
pub async fn allocate(
    app: App,
    ask: Ask<PortalAdmin, Keyed<Body<Allocation>>>,
    agent: Path<String>,
) -> Replied<Message> {
    let (Body(new), key) = (ask.what.body, ask.what.key);
    let (admin, agent) = (&ask.who, record_id(&agent)?);
    let told = || message("wallet allocated to agent");
    let carry_out = async |key: Option<&IdempotencyKey>| {
        allocation::allocate(&app.engine, admin, agent, new, key).await?;
        told()
    };
    let rebuild = async |_: TransferId| told();
    idempotent(&app, admin.caller(), key, carry_out, rebuild).await
}

/// `GET /org/wallet/summary`.
pub async fn summary(app: App, ask: Ask<Admin, Nothing>) -> DataReply<WalletSummary> {
    data(wallets::summary(&app.core, &ask.who).await?)
}

/// `GET /org/wallet/balance-series`.
pub async fn series(app: App, ask: Ask<Admin, Query<SeriesRequest>>) -> DataReply<BalanceSeries> {
    let Query(request) = ask.what;
    data(wallets::series(&app.core, &ask.who, request).await?)
}

/// `GET /org/wallet/agents`.
pub async fn agents(app: App, ask: Ask<Admin, Nothing>) -> DataReply<Vec<AgentAllocation>> {
    data(wallets::agents(&app.core, &ask.who).await?)
}
