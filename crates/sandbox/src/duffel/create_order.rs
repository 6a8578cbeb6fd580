//! `POST /air/orders`: booking an offer, paid at once or held.

use std::cell::RefCell;
use std::collections::BTreeMap;

use actix_web::web::{Bytes, Data};
use actix_web::{HttpRequest, HttpResponse};
use chrono::{DateTime, TimeDelta, Utc};
use rust_decimal::Decimal;
use serde_json::Value;

use super::bookings::{Booking, OrderKind, Payment, Service};
use super::errors::{ApiError, ApiResult, Problem};
use super::fields::{self, Fields};
use super::offers::{self, Offered};
use super::order_body::OrderBody;
use super::wire::Single;
use super::{ids, offer_services, passengers};
use crate::fault_injection::InjectedFault;
use crate::faults::Supplier;
use crate::orders::{AddOrderError, Detail, Order};
use crate::server::World;
use crate::test_routes::Situation;

/// Books an offer.
pub(super) async fn create(world: Data<World>, request: HttpRequest, body: Bytes) -> ApiResult {
    let data = fields::data(&request, &body)?;
    let injected = InjectedFault::of(&request);
    let now = world.clock.now();
    let order = order(&world, &data, injected, now)?;
    let order = world.orders.add(order).map_err(|error| match error {
        AddOrderError::Claimed => already_booked(),
        AddOrderError::Unwritable(reason) => reason.into(),
    })?;
    tracing::info!(
        order = order.id,
        reference = order.summary(now).reference,
        "an order is made"
    );
    Ok(HttpResponse::Created().json(Single {
        data: OrderBody::of(&world, &order, now)?,
    }))
}

fn already_booked() -> ApiError {
    let message = "An offer from this offer request has already been booked. Please perform a new search.";
    Problem::invalid("offer_request_already_booked", "/selected_offers", message).into()
}

fn order(
    world: &World,
    data: &serde_json::Map<String, Value>,
    injected: InjectedFault,
    now: DateTime<Utc>,
) -> Result<Order, ApiError> {
    let problems = RefCell::default();
    let fields = Fields::of(data, &problems);
    let kind = match fields.one_of("type", &["instant", "hold"]) {
        Some("instant") => Some(OrderKind::Instant),
        Some(_) => Some(OrderKind::Hold),
        None => None,
    };
    let selected = fields.texts("selected_offers");
    if selected.len() > 1 {
        fields.wrong(
            "selected_offers",
            "validation_length",
            "Field 'selected_offers' can have at most 1 item",
        );
    }
    let (Some(kind), [offer_id]) = (kind, selected.as_slice()) else {
        return Err(problems.take().into());
    };
    let offered = current_offer(world, offer_id, injected, now)?;
    let deadlines = offered.deadlines();
    let only_holds = offered.situation() == Some(Situation::OnlyHolds);
    if (kind == OrderKind::Hold && deadlines.is_none()) || (kind == OrderKind::Instant && only_holds) {
        fields.wrong(
            "type",
            "invalid_order_create_type",
            "The specified 'type' cannot be used with the selected offer.",
        );
    }
    let passenger_ids = offered.stamped.passenger_ids(world.seed);
    let people = passengers::people(&fields, &offered, &passenger_ids);
    let requests = offer_services::wanted(&fields, "services");
    let bought = offer_services::buy(world, &offered, &requests, &fields, "services");
    let metadata = metadata(&fields);
    let users = if fields.has("users") {
        fields.texts("users")
    } else {
        Vec::new()
    };
    let payment = match kind {
        OrderKind::Instant => money(&fields, &fields.list("payments"), world.tariff.currency, now),
        OrderKind::Hold if fields.has("payments") => {
            fields.wrong(
                "payments",
                "invalid_field_sets",
                "Field 'payments' can't be used with the type 'hold'",
            );
            None
        }
        OrderKind::Hold => None,
    };
    let (Some(people), true) = (people, problems.borrow().is_empty()) else {
        return Err(problems.take().into());
    };
    let bought = bought?;
    let total = offered.fare.total() + offer_services::cost(&world.tariff, &bought);
    check_airline(&offered, payment.as_ref(), total)?;
    let mut names: Vec<_> = people
        .iter()
        .map(|one| (&one.given_name, &one.family_name))
        .collect();
    names.sort();
    names.dedup();
    if names.len() < people.len() {
        let (title, code) = ("Duplicate passenger name", "duplicate_passenger_name");
        let message = "The order cannot contain more than one passenger with the same name.";
        return Err(ApiError::airline(
            422,
            offered.bundle.airline.name,
            code,
            title,
            message,
        ));
    }
    let held = deadlines.filter(|_| kind == OrderKind::Hold);
    let mut booking = Booking {
        offer_id: offered.id.clone(),
        currency: world.tariff.currency.to_owned(),
        kind,
        booking_reference: ids::booking_reference(),
        created_at: now,
        scenario: offered.stamped.search.scenario,
        party: offered.stamped.search.party.clone(),
        bundle: offered.bundle,
        fare: offered.fare,
        passenger_ids,
        people,
        services: bought
            .into_iter()
            .map(|bought| Service {
                id: ids::fresh("ser"),
                bought,
                visible_from: None,
            })
            .collect(),
        pay_by: held.map(|deadlines| deadlines.pay_by),
        price_until: held.and_then(|deadlines| deadlines.price_until),
        payments: Vec::new(),
        tickets: Vec::new(),
        cancellations: Vec::new(),
        cancelled_from: None,
        airline_changes: Vec::new(),
        metadata,
        users: users.into_iter().map(str::to_owned).collect(),
    };
    if let Some(payment) = payment {
        booking.pay(payment);
    }
    let hidden_for = TimeDelta::milliseconds(injected.appears_after.map_or(0, i64::from));
    Ok(Order {
        supplier: Supplier::Duffel,
        id: ids::fresh("ord"),
        claim: offered.stamped.request_id(world.seed),
        created_at: now,
        visible_from: now + hidden_for,
        detail: Detail::Duffel(Box::new(booking)),
    })
}

/// The offer, where it can still be booked.
fn current_offer(
    world: &World,
    id: &str,
    injected: InjectedFault,
    now: DateTime<Utc>,
) -> Result<Offered, ApiError> {
    let offered = offers::find(world, id, |moved| {
        moved.percents.extend(injected.price_changed);
        moved.gone |= injected.sold_out;
    });
    let offered = offered.ok_or_else(|| ApiError::linked_record_not_found("/selected_offers/0"))?;
    if world.orders.is_claimed(&offered.stamped.request_id(world.seed)) {
        return Err(already_booked());
    }
    if offered.stamped.expires_at() <= now {
        let message =
            "The selected offer has expired. Please select another offer or create a new offer request.";
        return Err(Problem::invalid("offer_expired", "/selected_offers", message).into());
    }
    if offered.moved.gone || offered.situation() == Some(Situation::OfferGone) {
        return Err(offered.gone());
    }
    Ok(offered)
}

/// What the airline, or the balance, has to say.
fn check_airline(offered: &Offered, payment: Option<&Payment>, total: Decimal) -> Result<(), ApiError> {
    let airline = offered.bundle.airline.name;
    if let Some(payment) = payment
        && payment.amount != total
    {
        // Prices move in two ways: the airline says so at the order, or Duffel has known it since the last reading.
        if offered.moved.percents.is_empty() {
            return Err(wrong_amount("/payments/0/amount"));
        }
        let message = "The provided offer is no longer available for the same price. Please retrieve the offer again \
                       to get the latest price.";
        return Err(ApiError::airline(
            422,
            airline,
            "price_changed",
            "Price changed",
            message,
        ));
    }
    match offered.situation() {
        Some(Situation::OrderFails) => {
            let message = "The airline responded with an unexpected error. Please contact us.";
            Err(ApiError::airline(
                502,
                airline,
                "airline_unknown",
                "Unexpected airline error",
                message,
            ))
        }
        Some(Situation::NoBalance) if payment.is_some_and(|payment| payment.kind == "balance") => {
            let message = "There isn't enough balance in the wallet for this operation.";
            Err(ApiError::invalid_state(
                "insufficient_balance",
                "Insufficient balance",
                message,
            ))
        }
        _ => Ok(()),
    }
}

/// The amount offered is not the amount due.
pub(super) fn wrong_amount(pointer: &str) -> ApiError {
    let message = "The amount of the payment does not match the total amount of the order.";
    Problem::invalid("payment_amount_does_not_match_order_amount", pointer, message).into()
}

/// The one payment of a list, or of an object that stands alone.
pub(super) fn money(
    fields: &Fields<'_>,
    payments: &[Fields<'_>],
    currency: &str,
    now: DateTime<Utc>,
) -> Option<Payment> {
    let [payment] = payments else {
        if payments.len() > 1 {
            fields.wrong(
                "payments",
                "validation_length",
                "Field 'payments' can have at most 1 item",
            );
        }
        return None;
    };
    let kind = payment.one_of("type", &["balance", "arc_bsp_cash", "card"]);
    let amount = payment.amount("amount");
    let given = payment.text("currency");
    if given.is_some_and(|given| given != currency) {
        let message = format!("The currency of the payment does not match the order's, which is {currency}");
        payment.wrong(
            "currency",
            "payment_currency_does_not_match_order_currency",
            message,
        );
    }
    given?;
    Some(Payment {
        id: ids::fresh("pay"),
        kind: kind?.to_owned(),
        amount: amount?,
        created_at: now,
    })
}

/// Up to fifty words of the buyer's own.
pub(super) fn metadata(fields: &Fields<'_>) -> Option<BTreeMap<String, String>> {
    let given = fields.optional_object("metadata")?;
    let mut metadata = BTreeMap::new();
    for (key, value) in given.members() {
        match value.as_str() {
            Some(text) if key.len() <= 40 && text.chars().count() <= 500 => {
                metadata.insert(key.clone(), text.to_owned());
            }
            Some(_) => given.wrong(
                key,
                "validation_length",
                "Keys can have at most 40 characters, values at most 500",
            ),
            None => given.wrong(
                key,
                "validation_type",
                format!("Field '{key}' should be a string"),
            ),
        }
    }
    if metadata.len() > 50 {
        fields.wrong(
            "metadata",
            "validation_length",
            "Field 'metadata' can have at most 50 keys",
        );
    }
    Some(metadata)
}
