//! Where an agency's events are sent to.

mod bodies;
mod views;

use actix_web::web::Path;
use wayfare_contract::{Delivery, Webhook, WebhookDraft, WebhookWithSecret};
use wayfare_domain::{PageRequest, WebhookId};
use wayfare_operations::{
    Admin,
    access::idempotency::IdempotencyKey,
    events::webhooks::{self, Webhook as Stored},
};

use self::bodies::Delivered;
use super::common::record_id;
use crate::http::{
    App,
    extract::{Ask, Body, Keyed, Nothing, Query},
    idempotent::idempotent,
    reply::{DataReply, Message, Paged, Replied, Reply, data, message, paged},
};

/// `GET /org/webhooks`.
pub async fn list(app: App, ask: Ask<Admin, Nothing>) -> DataReply<Vec<Webhook>> {
    let all = webhooks::list(&app.core, &ask.who).await?;
    data(all.into_iter().map(views::webhook).collect::<Vec<_>>())
}

/// `POST /org/webhooks`.
pub async fn create(
    app: App,
    ask: Ask<Admin, Keyed<Body<WebhookDraft>>>,
) -> DataReply<WebhookWithSecret, 201> {
    let (Body(draft), key, admin) = (ask.what.body, ask.what.key, &ask.who);
    let created = |webhook| with_secret(&app, webhook);
    let carry_out = async |key: Option<&IdempotencyKey>| {
        created(webhooks::create(&app.webhooks, admin, draft, key).await?)
    };
    let rebuild = async |id: WebhookId| created(webhooks::get(&app.core, admin, id).await?);
    idempotent(&app, admin.caller(), key, carry_out, rebuild).await
}

/// `PUT /org/webhooks/{id}`.
pub async fn replace(app: App, ask: Ask<Admin, Body<WebhookDraft>>, id: Path<String>) -> DataReply<Webhook> {
    let Body(draft) = ask.what;
    let webhook = webhooks::replace(&app.webhooks, &ask.who, record_id(&id)?, draft).await?;
    data(views::webhook(webhook))
}

/// `DELETE /org/webhooks/{id}`.
pub async fn delete(app: App, ask: Ask<Admin, Nothing>, id: Path<String>) -> Replied<Message> {
    webhooks::delete(&app.core, &ask.who, record_id(&id)?).await?;
    message("webhook deleted")
}

/// `POST /org/webhooks/{id}/test`.
pub async fn test(app: App, ask: Ask<Admin, Keyed<Nothing>>, id: Path<String>) -> Replied<Message> {
    let (admin, id) = (&ask.who, record_id(&id)?);
    let told = || message("test event will be sent");
    let carry_out = async |key: Option<&IdempotencyKey>| {
        webhooks::test(&app.core, admin, id, key).await?;
        told()
    };
    let rebuild = async |_: WebhookId| told();
    idempotent(&app, admin.caller(), ask.what.key, carry_out, rebuild).await
}

/// `POST /org/webhooks/{id}/rotate-secret`.
pub async fn rotate_secret(
    app: App,
    ask: Ask<Admin, Keyed<Nothing>>,
    id: Path<String>,
) -> DataReply<WebhookWithSecret> {
    let (admin, id) = (&ask.who, record_id(&id)?);
    let carry_out = async |key: Option<&IdempotencyKey>| {
        let webhook = webhooks::rotate_secret(&app.core, admin, id, key).await?;
        with_secret(&app, webhook)
    };
    let rebuild = async |id: WebhookId| with_secret(&app, webhooks::get(&app.core, admin, id).await?);
    idempotent(&app, admin.caller(), ask.what.key, carry_out, rebuild).await
}

/// `GET /org/webhooks/{id}/deliveries`.
pub async fn deliveries(
    app: App,
    ask: Ask<Admin, Query<(PageRequest, Delivered)>>,
    id: Path<String>,
) -> Replied<Paged<Delivery>> {
    let Query((page, Delivered(status))) = ask.what;
    let found = webhooks::deliveries(&app.core, &ask.who, record_id(&id)?, status, page).await?;
    paged(found.map(views::delivery))
}

/// `POST /org/webhooks/{id}/deliveries/{delivery_id}/redeliver`.
pub async fn redeliver(
    app: App,
    ask: Ask<Admin, Keyed<Nothing>>,
    path: Path<(String, String)>,
) -> Replied<Message> {
    let (admin, id, event) = (&ask.who, record_id(&path.0)?, record_id(&path.1)?);
    let told = || message("event will be sent again");
    let carry_out = async |key: Option<&IdempotencyKey>| {
        webhooks::redeliver(&app.core, admin, id, event, key).await?;
        told()
    };
    let rebuild = async |_: WebhookId| told();
    idempotent(&app, admin.caller(), ask.what.key, carry_out, rebuild).await
}

fn with_secret<const STATUS: u16>(app: &App, webhook: Stored) -> DataReply<WebhookWithSecret, STATUS> {
    let secret = webhooks::secret(&app.core, &webhook);
    data(views::with_secret(webhook, secret)).map(Reply::with_secret)
}
