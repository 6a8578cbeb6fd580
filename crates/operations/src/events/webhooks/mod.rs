//! Webhooks: where an agency's events are sent to, as its admins manage them.

pub(crate) mod deliver;

use std::sync::Arc;

use chrono::Duration;
use diesel_async::{AsyncConnection, AsyncPgConnection};
use serde_json::{Value, json};
use wayfare_boxed::boxed;
use wayfare_contract::WebhookDraft;
use wayfare_domain::{EventId, EventKind, Faults, MOST_WEBHOOKS, Page, PageRequest, WebhookId};
use wayfare_store::{
    access::organizations,
    batch::writes::Writes,
    events::{webhook_deliveries, webhooks},
};
use wayfare_webhooks::{Address, Secret, Sender};

pub use deliver::deliver_due;
pub(crate) use deliver::deliver_for_ever;
pub use wayfare_store::events::{
    webhook_deliveries::{Delivery, DeliveryState},
    webhooks::Webhook,
};

use crate::{
    Admin, Caller, Core, Error, Result,
    access::idempotency::{CreatedResource, IdempotencyKey, key_conflict},
    events::feed::{KEPT, TRIED},
    tools::audit_event::{self, Change},
};

/// What webhooks need: the database, and what sends events to agencies' servers.
pub struct Webhooks {
    pub(crate) core: Arc<Core>,
    pub(crate) sender: Sender,
}

/// The longest URL, in characters.
pub const LONGEST_URL: usize = 2000;
/// The longest description, in characters.
pub const LONGEST_DESCRIPTION: usize = 500;
/// So long a secret is good after another took its place.
const OVERLAP: Duration = Duration::hours(24);

/// The events that a webhook may choose from: all that are published. A test is sent in any case.
pub fn event_types() -> impl Iterator<Item = &'static str> {
    EventKind::published().map(EventKind::text)
}

/// The agency's webhooks, newest first.
#[boxed]
pub async fn list(core: &Core, admin: &Admin) -> Result<Vec<Webhook>> {
    let mut connection = core.database.connection().await?;
    Ok(webhooks::list(&mut connection, admin.caller().organization()).await?)
}

/// One webhook of the agency.
///
/// # Errors
/// [`Error::NotFound`] for another agency's.
#[boxed]
pub async fn get(core: &Core, admin: &Admin, id: WebhookId) -> Result<Webhook> {
    let mut connection = core.database.connection().await?;
    let found = webhooks::by_id(&mut connection, admin.caller().organization(), id).await?;
    found.ok_or(Error::NotFound)
}

/// The secret of a webhook that is in use, as its receiver is given it. It is kept nowhere: who has the key of the
/// ledger can make it again.
pub fn secret(core: &Core, webhook: &Webhook) -> String {
    secret_of(core, webhook, webhook.generation).to_text()
}

fn secret_of(core: &Core, webhook: &Webhook, generation: i32) -> Secret {
    let mut content = webhook.id.uuid().as_bytes().to_vec();
    content.extend(generation.to_be_bytes());
    Secret::new(core.secrets.mac("webhook secret", &content))
}

/// Adds a webhook to the agency.
///
/// # Errors
/// [`Error::Invalid`], [`Error::TooManyWebhooks`], [`Error::KeyRunning`].
#[boxed]
pub async fn create(
    webhooks: &Webhooks,
    admin: &Admin,
    draft: WebhookDraft,
    key: Option<&IdempotencyKey>,
) -> Result<Webhook> {
    let caller = admin.caller();
    let draft = checked(draft, webhooks)?;
    let mut connection = webhooks.core.database.connection().await?;
    let created = connection.transaction(async |connection| {
        organizations::lock(connection, caller.organization()).await?;
        if webhooks::count(connection, caller.organization()).await? >= MOST_WEBHOOKS {
            return Err(Error::TooManyWebhooks);
        }
        let now = webhooks.core.clock.now();
        let webhook = Webhook {
            id: WebhookId::at(now),
            organization: caller.organization(),
            url: draft.url,
            description: draft.description,
            event_types: draft.event_types,
            is_active: draft.is_active.unwrap_or(true),
            disabled_reason: None,
            generation: 1,
            previous_until: None,
            created_at: now,
            updated_at: now,
        };
        webhooks::insert(connection, &webhook).await?;
        let values = (None, Some(audit_value(&webhook)));
        note(&webhooks.core, connection, caller, &webhook, EventKind::WebhookCreated, values, key).await?;
        Ok(webhook)
    });
    created.await
}

/// Makes a webhook of the agency into this. With another URL, and when it is switched on, all that waits is sent at once, as
/// far as it is not too old. Without a difference nothing is written.
///
/// # Errors
/// [`Error::Invalid`]; [`Error::NotFound`] for another agency's.
#[boxed]
pub async fn replace(
    webhooks: &Webhooks,
    admin: &Admin,
    id: WebhookId,
    draft: WebhookDraft,
) -> Result<Webhook> {
    let caller = admin.caller();
    let draft = checked(draft, webhooks)?;
    let mut connection = webhooks.core.database.connection().await?;
    let replaced = connection.transaction(async |connection| {
        let before = lock(connection, caller, id).await?;
        let is_active = draft.is_active.unwrap_or(before.is_active);
        let after = Webhook {
            url: draft.url,
            description: draft.description,
            event_types: draft.event_types,
            is_active,
            disabled_reason: before.disabled_reason.clone().filter(|_| !is_active),
            updated_at: webhooks.core.clock.now(),
            ..before.clone()
        };
        let (old_value, new_value) = (audit_value(&before), audit_value(&after));
        if old_value == new_value {
            return Ok(before);
        }
        webhooks::update(connection, &after).await?;
        // What its receiver could not take, another or a repaired one may.
        if after.url != before.url || after.is_active && !before.is_active {
            let now = webhooks.core.shared_time.now();
            webhook_deliveries::hasten(connection, &after, now).await?;
            webhooks::begin_anew(connection, &after, now).await?;
        }
        let values = (Some(old_value), Some(new_value));
        note(&webhooks.core, connection, caller, &after, EventKind::WebhookUpdated, values, None).await?;
        Ok(after)
    });
    replaced.await
}

/// Removes a webhook of the agency for good. What was not delivered is not.
///
/// # Errors
/// [`Error::NotFound`] for another agency's.
#[boxed]
pub async fn delete(core: &Core, admin: &Admin, id: WebhookId) -> Result<()> {
    let caller = admin.caller();
    let mut connection = core.database.connection().await?;
    let deleted = connection.transaction(async |connection| {
        let webhook = lock(connection, caller, id).await?;
        webhooks::delete(connection, caller.organization(), id, core.clock.now()).await?;
        let values = (Some(audit_value(&webhook)), None);
        note(core, connection, caller, &webhook, EventKind::WebhookDeleted, values, None).await
    });
    deleted.await
}

/// Gives a webhook another secret. The one before it is good for a day more: both sign.
///
/// # Errors
/// [`Error::NotFound`] for another agency's, [`Error::KeyRunning`].
#[boxed]
pub async fn rotate_secret(
    core: &Core,
    admin: &Admin,
    id: WebhookId,
    key: Option<&IdempotencyKey>,
) -> Result<Webhook> {
    let caller = admin.caller();
    let mut connection = core.database.connection().await?;
    let rotated = connection.transaction(async |connection| {
        let now = core.clock.now();
        let before = lock(connection, caller, id).await?;
        let after = Webhook {
            generation: before.generation.saturating_add(1),
            previous_until: Some(now + OVERLAP),
            updated_at: now,
            ..before
        };
        webhooks::update(connection, &after).await?;
        let action = EventKind::WebhookSecretRotated;
        note(core, connection, caller, &after, action, (None, None), key).await?;
        Ok(after)
    });
    rotated.await
}

/// Sends an event to a webhook of the agency that tells nothing, on the way of every other event.
///
/// # Errors
/// [`Error::NotFound`] for another agency's, [`Error::WebhookOff`], [`Error::KeyRunning`].
#[boxed]
pub async fn test(core: &Core, admin: &Admin, id: WebhookId, key: Option<&IdempotencyKey>) -> Result<()> {
    let caller = admin.caller();
    let mut connection = core.database.connection().await?;
    let tested = connection.transaction(async |connection| {
        let webhook = lock_active(connection, caller, id).await?;
        note(core, connection, caller, &webhook, EventKind::WebhookTest, (None, None), key).await
    });
    tested.await
}

/// The deliveries to a webhook of the agency, newest first: those of the last thirty days.
///
/// # Errors
/// [`Error::NotFound`] for another agency's.
#[boxed]
pub async fn deliveries(
    core: &Core,
    admin: &Admin,
    id: WebhookId,
    state: Option<DeliveryState>,
    request: PageRequest,
) -> Result<Page<Delivery>> {
    let organization = admin.caller().organization();
    let mut connection = core.database.connection().await?;
    let found = webhooks::by_id(&mut connection, organization, id).await?;
    found.ok_or(Error::NotFound)?;
    Ok(webhook_deliveries::list(&mut connection, organization, id, state, request).await?)
}

/// Sends an event to a webhook of the agency once more, whatever became of it, as if it had just happened.
///
/// # Errors
/// [`Error::NotFound`] for another agency's, and for an event that it never had or that is not kept any more;
/// [`Error::WebhookOff`], [`Error::KeyRunning`].
#[boxed]
pub async fn redeliver(
    core: &Core,
    admin: &Admin,
    id: WebhookId,
    event: EventId,
    key: Option<&IdempotencyKey>,
) -> Result<()> {
    let caller = admin.caller();
    let mut connection = core.database.connection().await?;
    let redelivered = connection.transaction(async |connection| {
        let now = core.shared_time.now();
        let webhook = lock_active(connection, caller, id).await?;
        let (organization, times) = (caller.organization(), (now, now + TRIED));
        if !webhook_deliveries::again(connection, organization, id, event, times, KEPT).await? {
            return Err(Error::NotFound);
        }
        webhooks::are_due(connection, organization, &[id], now).await?;
        let values = (None, Some(json!({ "delivery_id": event })));
        note(core, connection, caller, &webhook, EventKind::WebhookRedelivered, values, key).await
    });
    redelivered.await
}

async fn lock(connection: &mut AsyncPgConnection, caller: &Caller, id: WebhookId) -> Result<Webhook> {
    let found = webhooks::lock(connection, caller.organization(), id).await?;
    found.ok_or(Error::NotFound)
}

async fn lock_active(connection: &mut AsyncPgConnection, caller: &Caller, id: WebhookId) -> Result<Webhook> {
    let webhook = lock(connection, caller, id).await?;
    match webhook.is_active {
        true => Ok(webhook),
        false => Err(Error::WebhookOff),
    }
}

fn audit_value(webhook: &Webhook) -> Value {
    json!({
        "url": webhook.url,
        "description": webhook.description,
        "event_types": webhook.event_types,
        "is_active": webhook.is_active,
    })
}

/// Writes the event of a change, and the key under which it was asked for.
async fn note(
    core: &Core,
    connection: &mut AsyncPgConnection,
    caller: &Caller,
    webhook: &Webhook,
    action: EventKind,
    (old_value, new_value): (Option<Value>, Option<Value>),
    key: Option<&IdempotencyKey>,
) -> Result<()> {
    let actor = caller.actor();
    let change = Change::of(caller.organization(), &actor, action, webhook.id);
    let event = audit_event::event(core, Change { old_value, new_value, ..change });
    let mut writes = Writes::default();
    writes.event(&event);
    if let Some(key) = key {
        writes.key(key.of(caller), CreatedResource::Webhook(webhook.id), event.at);
    }
    writes.send(connection).await.map_err(key_conflict)
}

/// With its URL as it is called and each event once.
fn checked(draft: WebhookDraft, webhooks: &Webhooks) -> Result<WebhookDraft, Faults> {
    let mut faults = Faults::default();
    let url = match Address::read(&draft.url, webhooks.sender.networks()) {
        Ok(address) => address.as_str().to_owned(),
        Err(bad) => {
            faults.add("url", bad.to_string());
            String::new()
        }
    };
    let mut chosen: Vec<String> = Vec::new();
    for (index, kind) in draft.event_types.into_iter().enumerate() {
        if !event_types().any(|known| known == kind) {
            faults.add(format!("event_types[{index}]"), "must be an event that is published");
        } else if !chosen.contains(&kind) {
            chosen.push(kind);
        }
    }
    faults.or(WebhookDraft { url, event_types: chosen, ..draft })
}
