//! Where Duffel tells of news, and the events that it tells of. There is one webhook for a buyer.

use actix_web::HttpResponse;
use actix_web::web::{Data, Path};
use serde_json::{Value, json};

use super::World;
use super::errors::{ApiError, ApiResult, FORMAT};
use super::fields::Sent;
use super::{ids, wire};
use crate::faults::Supplier;
use crate::webhooks::{Address, Message, fresh_secret};
use crate::world;

const SIGNATURE: &str = "X-Duffel-Signature";

/// `GET /air/webhooks`: without their secrets.
pub(super) async fn list(world: Data<World>) -> ApiResult {
    let address = world.webhooks.of(Supplier::Duffel);
    let listed = address.iter().map(|address| body_of(address, false)).collect();
    Ok(wire::listed(json!({ "limit": 50, "before": null, "after": null }), listed))
}

/// `POST /air/webhooks`: the secret is told this once.
pub(super) async fn create(world: Data<World>, sent: Sent) -> ApiResult {
    let fields = sent.fields();
    let url = fields.text("url");
    let events = fields.texts("events");
    let known = [
        "order.created",
        "order.creation_failed",
        "payment.created",
        "order.airline_initiated_change_detected",
        "ping.triggered",
    ];
    if !events.iter().all(|event| known.contains(event)) {
        fields.wrong("events", "validation_inclusion", "must be known events");
    }
    if world.webhooks.of(Supplier::Duffel).is_some() {
        let message = "There is a webhook in this mode already.";
        return Err(ApiError::invalid_state("webhook_already_exists", message));
    }
    let (Some(url), true) = (url, sent.is_right()) else { return Err(sent.error()) };
    let (secret, now) = (Some(fresh_secret()), world.clock.now());
    match world.webhooks.agree(Supplier::Duffel, url, secret, now) {
        Ok(address) => Ok(wire::created(body_of(&address, true))),
        Err(reason) => {
            fields.wrong("url", FORMAT, reason);
            Err(sent.error())
        }
    }
}

/// `DELETE /air/webhooks/{id}`.
pub(super) async fn delete(world: Data<World>, id: Path<String>) -> ApiResult {
    match world.webhooks.forget(&id) {
        true => Ok(HttpResponse::NoContent().finish()),
        false => Err(ApiError::not_found()),
    }
}

/// `POST /air/webhooks/{id}/actions/ping`: a try, which the buyer has to take.
pub(super) async fn ping(world: Data<World>, id: Path<String>) -> ApiResult {
    let address = world.webhooks.of(Supplier::Duffel);
    let address = address.filter(|address| address.id == *id);
    let address = address.ok_or_else(ApiError::not_found)?;
    let message = event(&world, "ping.triggered", json!({}), &ids::fresh("png"));
    match world.webhooks.send(&address, &message, world.clock.now()).await {
        true => Ok(HttpResponse::NoContent().finish()),
        false => Err(ApiError::invalid_state("webhook_client_error", "Webhook failed to receive event")),
    }
}

/// Tells of something that has happened to an order, under the id of what it has happened by.
pub(super) fn tell(world: &world::World, kind: &str, order_id: &str, key: &str) {
    world.tell(&event(world, kind, json!({ "id": order_id }), key));
}

fn event(world: &world::World, kind: &str, object: Value, key: &str) -> Message {
    let body = json!({
        "id": ids::fresh("wev"),
        "api_version": "v2",
        "type": kind,
        "data": { "object": object },
        "live_mode": false,
        "idempotency_key": key,
        "created_at": wire::instant(world.clock.now()),
        "identity_organisation_id": ids::named("org", world.seed, "the buyer"),
    });
    Message { supplier: Supplier::Duffel, body: body.to_string(), header: Some(SIGNATURE) }
}

fn body_of(address: &Address, with_secret: bool) -> Value {
    let mut body = json!({
        "id": address.id,
        "url": address.url,
        "events": ["order.created", "order.airline_initiated_change_detected", "ping.triggered"],
        "active": true,
        "live_mode": false,
        "created_at": wire::instant(address.created_at),
        "updated_at": wire::instant(address.created_at),
    });
    if with_secret {
        crate::json::insert(&mut body, "secret", json!(address.secret));
    }
    body
}
