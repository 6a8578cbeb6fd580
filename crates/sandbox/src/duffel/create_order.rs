//! `POST /air/orders`: booking an offer, paid at once or held.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use actix_web::web::Data;
use chrono::{DateTime, Utc};

use super::World;
use super::bookings::{Booking, Bought, OrderKind, Payment, Person, Service};
use super::errors::{ApiError, ApiResult, Problem};
use super::errors::{LENGTH, TYPE};
use super::fields::{Fields, Sent};
use super::offered::{self, Offered};
use super::{ids, offer_services, order_body, passengers, webhooks, wire};
use crate::fault_injection::InjectedFault;
use crate::faults::Complaint;
use crate::orders::Order;
use crate::test_routes::Situation;

pub(super) async fn create(world: Data<World>, injected: InjectedFault, sent: Sent) -> ApiResult {
    let now = world.clock.now();
    let (offered, request) = read(&world, &sent, injected, now)?;
    check_airline(&world, &offered, &request)?;
    let order = Order {
        id: ids::fresh("ord"),
        claim: offered.stamped.request_id(world.seed),
        created_at: now,
        visible_from: injected.visible_from(now),
        booking: Arc::new(booking(&world, offered, request, now)),
    };
    let order = world.orders.add(order, None)?;
    webhooks::tell(&world, "order.created", &order.id, &order.id);
    Ok(wire::created(order_body::order(&world, &order, now)))
}

/// What a body asks for, of an offer that can still be booked.
struct OrderRequest {
    kind: OrderKind,
    people: Vec<Person>,
    bought: Vec<Bought>,
    metadata: Option<BTreeMap<String, String>>,
    users: Vec<String>,
    payment: Option<Payment>,
}

fn read(
    world: &World,
    sent: &Sent,
    injected: InjectedFault,
    now: DateTime<Utc>,
) -> Result<(Offered, OrderRequest), ApiError> {
    let fields = sent.fields();
    let kinds = [("instant", OrderKind::Instant), ("hold", OrderKind::Hold)];
    let kind = fields.choice("type", &kinds);
    let selected = fields.texts("selected_offers");
    if selected.len() > 1 {
        fields.wrong("selected_offers", LENGTH, "can have at most 1 item");
    }
    let (Some(kind), [offer_id]) = (kind, selected.as_slice()) else { return Err(sent.error()) };
    let offered = current_offer(world, offer_id, injected, now)?;
    let is_allowed = match kind {
        OrderKind::Hold => offered.deadlines().is_some(),
        OrderKind::Instant => offered.situation() != Some(Situation::OnlyHolds),
    };
    if !is_allowed {
        let message = "The specified 'type' cannot be used with the selected offer.";
        fields.wrong_message("type", "invalid_order_create_type", message);
    }
    let people = passengers::people(&fields, &offered, &offered.stamped.passenger_ids(world.seed));
    let requests = offer_services::wanted(&fields, "services");
    let bought = offer_services::buy(world, &offered, &requests, &fields, "services");
    let metadata = metadata(&fields);
    let users = if fields.has("users") { fields.texts("users") } else { Vec::new() };
    let payment = match kind {
        OrderKind::Instant => money(&fields, &fields.list("payments"), world.tariff.currency, now),
        OrderKind::Hold if fields.has("payments") => {
            let message = "can't be used with the type 'hold'";
            fields.wrong("payments", "invalid_field_sets", message);
            None
        }
        OrderKind::Hold => None,
    };
    let (Some(people), true) = (people, sent.is_right()) else {
        return Err(sent.error());
    };
    let request = OrderRequest {
        kind,
        people,
        bought: bought?,
        metadata,
        users: users.into_iter().map(str::to_owned).collect(),
        payment,
    };
    Ok((offered, request))
}

fn booking(world: &World, offered: Offered, request: OrderRequest, now: DateTime<Utc>) -> Booking {
    let held = offered.deadlines().filter(|_| request.kind == OrderKind::Hold);
    let service = |bought| Service { id: ids::fresh("ser"), bought, visible_from: None };
    let mut booking = Booking {
        offer_id: offered.id.clone(),
        currency: world.tariff.currency.to_owned(),
        kind: request.kind,
        booking_reference: ids::booking_reference(),
        created_at: now,
        scenario: offered.stamped.search.scenario,
        party: offered.stamped.search.party.clone(),
        passenger_ids: offered.stamped.passenger_ids(world.seed),
        bundle: offered.bundle,
        fare: offered.fare,
        people: request.people,
        services: request.bought.into_iter().map(service).collect(),
        pay_by: held.map(|deadlines| deadlines.pay_by),
        price_until: held.and_then(|deadlines| deadlines.price_until),
        payments: Vec::new(),
        tickets: Vec::new(),
        cancellations: Vec::new(),
        cancelled_from: None,
        airline_changes: Vec::new(),
        order_changes: Vec::new(),
        metadata: request.metadata,
        users: request.users,
    };
    if let Some(payment) = request.payment {
        booking.pay(payment);
    }
    booking
}

/// The offer, where it can still be booked.
fn current_offer(
    world: &World,
    id: &str,
    injected: InjectedFault,
    now: DateTime<Utc>,
) -> Result<Offered, ApiError> {
    let offered = offered::find(world, id, |state| state.changes.add(injected));
    let offered = offered.ok_or_else(|| ApiError::linked_record_not_found("/selected_offers/0"))?;
    if world.orders.is_claimed(&offered.stamped.request_id(world.seed)) {
        return Err(ApiError::already_booked());
    }
    if offered.stamped.expires_at() <= now {
        return Err(ApiError::complaint(Complaint::Expired));
    }
    if offered.state.changes.sold_out || offered.situation() == Some(Situation::OfferGone) {
        return Err(offered.gone());
    }
    Ok(offered)
}

fn check_airline(world: &World, offered: &Offered, request: &OrderRequest) -> Result<(), ApiError> {
    let airline = offered.bundle.airline.name;
    let payment = request.payment.as_ref();
    let total = offered.fare.total() + offer_services::cost(&world.tariff, &request.bought);
    if payment.is_some_and(|payment| payment.amount != total) {
        // Prices move in two ways: the airline says so at the order, or Duffel has known it since the last reading.
        if offered.state.changes.percents.is_empty() {
            return Err(wrong_amount("/payments/0/amount"));
        }
        let message = "The provided offer is no longer available for the same price. Please retrieve the offer again \
                       to get the latest price.";
        return Err(ApiError::airline(422, airline, "price_changed", message));
    }
    match offered.situation() {
        Some(Situation::OrderFails) => {
            let message = "The airline responded with an unexpected error. Please contact us.";
            let error = ApiError::airline(502, airline, "airline_unknown", message);
            return Err(error.titled("Unexpected airline error"));
        }
        Some(Situation::NoBalance) if payment.is_some_and(|payment| payment.kind == "balance") => {
            return Err(ApiError::insufficient_balance());
        }
        _ => {}
    }
    let names = request.people.iter().map(|one| (&one.given_name, &one.family_name));
    if names.collect::<BTreeSet<_>>().len() < request.people.len() {
        let message = "The order cannot contain more than one passenger with the same name.";
        return Err(ApiError::airline(422, airline, "duplicate_passenger_name", message));
    }
    Ok(())
}

pub(super) fn wrong_amount(pointer: &str) -> ApiError {
    let message = "The amount of the payment does not match the total amount of the order.";
    Problem::invalid("payment_amount_does_not_match_order_amount", pointer, message).into()
}

/// The one payment of a list, or of a single object.
pub(super) fn money(
    fields: &Fields<'_>,
    payments: &[Fields<'_>],
    currency: &str,
    now: DateTime<Utc>,
) -> Option<Payment> {
    let [payment] = payments else {
        if payments.len() > 1 {
            fields.wrong("payments", LENGTH, "can have at most 1 item");
        }
        return None;
    };
    let kind = payment.one_of("type", &["balance", "arc_bsp_cash", "card"]);
    let amount = payment.amount("amount");
    let given = payment.text("currency");
    if given.is_some_and(|given| given != currency) {
        let message = format!("The currency of the payment does not match the order's, which is {currency}");
        payment.wrong_message("currency", "payment_currency_does_not_match_order_currency", message);
    }
    given?;
    Some(Payment { id: ids::fresh("pay"), kind: kind?.to_owned(), amount: amount?, created_at: now })
}

pub(super) fn metadata(fields: &Fields<'_>) -> Option<BTreeMap<String, String>> {
    let given = fields.optional_object("metadata")?;
    let mut metadata = BTreeMap::new();
    for (key, value) in given.members() {
        match value.as_str() {
            Some(text) if key.len() <= 40 && text.chars().count() <= 500 => {
                metadata.insert(key.clone(), text.to_owned());
            }
            Some(_) => {
                given.wrong_message(key, LENGTH, "Keys can have at most 40 characters, values at most 500")
            }
            None => given.wrong_message(key, TYPE, format!("Field '{key}' should be a string")),
        }
    }
    if metadata.len() > 50 {
        fields.wrong("metadata", LENGTH, "can have at most 50 keys");
    }
    Some(metadata)
}
