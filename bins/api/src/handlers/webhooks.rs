//! Where an agency's events are sent to.

use actix_web::web::Path;
use wayfare_domain::{PageRequest, WebhookId};
use wayfare_operations::{
    Admin,
    events::webhooks::{self, Webhook as Stored},
    tools::idempotency::IdempotencyKey,
};

use super::{App, event_id, webhook_id};
use crate::{
    bodies::webhooks::Webhook as WebhookBody,
    extract::{Ask, Body, Keyed, Nothing, Query},
    once::{once, once_with_secret},
    queries::Delivered,
    reply::{Data, Done, Listed, Replied, data, done, list as listed},
    views::webhooks::{Delivery, Webhook, WebhookWithSecret},
};

/// `GET /org/webhooks`.
///
/// # Errors
/// As the error table says.
pub async fn list(app: App, ask: Ask<Admin, Nothing>) -> Replied<Data<Vec<Webhook>>> {
    let all = webhooks::list(&app, &ask.who).await?;
    data(all.into_iter().map(Webhook::from).collect::<Vec<_>>())
}

/// `POST /org/webhooks`.
///
/// # Errors
/// As the error table says.
pub async fn create(
    app: App,
    ask: Ask<Admin, Keyed<Body<WebhookBody>>>,
) -> Replied<Data<WebhookWithSecret, 201>> {
    let (Body(WebhookBody(draft)), key, admin) = (ask.what.body, ask.what.key, &ask.who);
    let created = |webhook| data(with_secret(&app, webhook));
    let first =
        async |key: Option<&IdempotencyKey>| created(webhooks::create(&app, admin, draft, key).await?);
    let look = async |id: WebhookId| created(webhooks::get(&app, admin, id).await?);
    once_with_secret(&app, admin.caller(), key, first, look).await
}

/// `PUT /org/webhooks/{id}`.
///
/// # Errors
/// As the error table says.
pub async fn replace(
    app: App,
    ask: Ask<Admin, Body<WebhookBody>>,
    id: Path<String>,
) -> Replied<Data<Webhook>> {
    let Body(WebhookBody(draft)) = ask.what;
    let webhook = webhooks::replace(&app, &ask.who, webhook_id(&id)?, draft).await?;
    data(Webhook::from(webhook))
}

/// `DELETE /org/webhooks/{id}`.
///
/// # Errors
/// As the error table says.
pub async fn delete(app: App, ask: Ask<Admin, Nothing>, id: Path<String>) -> Replied<Done> {
    webhooks::delete(&app, &ask.who, webhook_id(&id)?).await?;
    done("webhook deleted")
}

/// `POST /org/webhooks/{id}/test`.
///
/// # Errors
/// As the error table says.
pub async fn test(app: App, ask: Ask<Admin, Keyed<Nothing>>, id: Path<String>) -> Replied<Done> {
    let (admin, id) = (&ask.who, webhook_id(&id)?);
    let told = || done("test event will be sent");
    let first = async |key: Option<&IdempotencyKey>| {
        webhooks::test(&app, admin, id, key).await?;
        told()
    };
    let look = async |_: WebhookId| told();
    once(&app, admin.caller(), ask.what.key, first, look).await
}

/// `POST /org/webhooks/{id}/rotate-secret`.
///
/// # Errors
/// As the error table says.
pub async fn rotate_secret(
    app: App,
    ask: Ask<Admin, Keyed<Nothing>>,
    id: Path<String>,
) -> Replied<Data<WebhookWithSecret>> {
    let (admin, id) = (&ask.who, webhook_id(&id)?);
    let first = async |key: Option<&IdempotencyKey>| {
        let webhook = webhooks::rotate_secret(&app, admin, id, key).await?;
        data(with_secret(&app, webhook))
    };
    let look = async |id: WebhookId| data(with_secret(&app, webhooks::get(&app, admin, id).await?));
    once_with_secret(&app, admin.caller(), ask.what.key, first, look).await
}

/// `GET /org/webhooks/{id}/deliveries`.
///
/// # Errors
/// As the error table says.
pub async fn deliveries(
    app: App,
    ask: Ask<Admin, Query<(PageRequest, Delivered)>>,
    id: Path<String>,
) -> Replied<Listed<Delivery>> {
    let Query((page, Delivered(status))) = ask.what;
    let found = webhooks::deliveries(&app, &ask.who, webhook_id(&id)?, status, page).await?;
    listed(found, Delivery::from)
}

/// `POST /org/webhooks/{id}/deliveries/{delivery_id}/redeliver`.
///
/// # Errors
/// As the error table says.
pub async fn redeliver(
    app: App,
    ask: Ask<Admin, Keyed<Nothing>>,
    path: Path<(String, String)>,
) -> Replied<Done> {
    let (admin, id, event) = (&ask.who, webhook_id(&path.0)?, event_id(&path.1)?);
    let told = || done("event will be sent again");
    let first = async |key: Option<&IdempotencyKey>| {
        webhooks::redeliver(&app, admin, id, event, key).await?;
        told()
    };
    let look = async |_: WebhookId| told();
    once(&app, admin.caller(), ask.what.key, first, look).await
}

fn with_secret(app: &App, webhook: Stored) -> WebhookWithSecret {
    let secret = webhooks::secret(app, &webhook);
    WebhookWithSecret::of(webhook, secret)
}
