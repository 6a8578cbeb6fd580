//! Duffel's words for an order and its cancellation.

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::World;
use super::bookings::{Booking, Cancellation, Person, Service};
use super::order_trip::{ancillaries, trip};
use super::service_body::{Quantity, service};
use super::{airline_changes, order_change_body, places, wire};
use crate::itinerary::Traveller;
use crate::orders::Order;

fn passenger((person, traveller): (&Person, &Traveller)) -> Value {
    json!({
        "id": person.id,
        "type": wire::passenger_type(traveller.kind),
        "title": person.title,
        "given_name": person.given_name,
        "family_name": person.family_name,
        "gender": person.gender,
        "born_on": person.born_on,
        "email": person.email,
        "phone_number": person.phone_number,
        "infant_passenger_id": person.infant_passenger_id,
        "loyalty_programme_accounts": [],
        "user_id": null,
    })
}

pub(super) fn cancellation(
    order_id: &str,
    booking: &Booking,
    cancellation: &Cancellation,
    now: DateTime<Utc>,
) -> Value {
    json!({
        "id": cancellation.id,
        "live_mode": false,
        "order_id": order_id,
        "created_at": wire::instant(cancellation.created_at),
        "expires_at": wire::deadline(cancellation.expires_at),
        "confirmed_at": cancellation.confirmed_at(now).map(wire::instant),
        "refund_amount": cancellation.refund,
        "refund_currency": cancellation.refund_currency.as_ref().unwrap_or(&booking.currency),
        "refund_to": cancellation.refund_to,
        "airline_credits": [],
    })
}

/// The order at `now`.
pub(super) fn order(world: &World, order: &Order<Booking>, now: DateTime<Utc>) -> Value {
    let booking = &order.booking;
    let (fare, currency) = (&booking.fare, &booking.currency);
    let services: Vec<&Service> = booking.listed_services(now).collect();
    let services_cost: Decimal = services.iter().map(|service| service.cost()).sum();
    let extras = ancillaries(&services);
    let trip = trip(world, order, &extras, now);
    let cancelled_at = booking.cancelled_at(now);
    let ends = cancelled_at.is_some() || booking.has_departed(now);
    let carrier = places::airline(booking.bundle.airline);
    let last = booking.cancellations.last();
    let people = booking.people.iter().zip(&booking.party);
    json!({
        "id": order.id,
        "live_mode": false,
        "type": booking.kind,
        "offer_id": booking.offer_id,
        "content": "managed",
        "booking_reference": booking.booking_reference,
        "booking_references": [{ "booking_reference": booking.booking_reference, "carrier": carrier }],
        "created_at": wire::instant(booking.created_at),
        "synced_at": wire::deadline(now),
        "cancelled_at": cancelled_at.map(wire::instant),
        "void_window_ends_at": booking.void_window_ends_at().map(wire::deadline),
        "owner": carrier,
        "total_amount": fare.total() + services_cost,
        "total_currency": currency,
        "base_amount": fare.base + services_cost,
        "base_currency": currency,
        "tax_amount": fare.tax,
        "tax_currency": currency,
        "payment_status": {
            "awaiting_payment": !booking.is_paid() && cancelled_at.is_none(),
            "payment_required_by": booking.pay_by.map(wire::deadline),
            "price_guarantee_expires_at": booking.price_until.map(wire::deadline),
            "paid_at": booking.payments.first().map(|payment| wire::instant(payment.created_at)),
        },
        "available_actions": if ends { json!(["update"]) } else { json!(["cancel", "update"]) },
        "conditions": wire::conditions(fare, currency),
        "documents": documents(booking),
        "passengers": people.map(passenger).collect::<Vec<_>>(),
        "services": service_bodies(world, booking, &services),
        "slices": trip.slices(),
        "cancellation": last.map(|last| cancellation(&order.id, booking, last, now)),
        "changes": order_change_body::confirmed(&order.id, booking, &trip),
        "airline_initiated_changes": airline_changes::bodies(booking, &trip, now),
        "metadata": booking.metadata,
        "users": booking.users,
    })
}

fn documents(booking: &Booking) -> Vec<Value> {
    let tickets = booking.tickets.iter().zip(&booking.passenger_ids);
    tickets
        .map(|(number, id)| {
            json!({ "type": "electronic_ticket", "unique_identifier": number, "passenger_ids": [id] })
        })
        .collect()
}

fn service_bodies(world: &World, booking: &Booking, services: &[&Service]) -> Vec<Value> {
    let segment = |slice, flight| booking.segment_id(world.seed, slice, flight);
    let body = |sold: &&Service| {
        let (extra, quantity) = (&sold.bought.extra, Quantity::Bought(sold.bought.quantity));
        service(&sold.id, extra, quantity, &booking.currency, &booking.passenger_ids, segment)
    };
    services.iter().map(body).collect()
}
