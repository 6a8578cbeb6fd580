//! Duffel's words for an order and its cancellation.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::Decimal;
use serde::Serialize;

use super::airline_changes::{self, AirlineChangeBody};
use super::bookings::{Booking, Cancellation, OrderKind, Person, Service};
use super::errors::ApiError;
use super::orders;
use super::places::AirlineBody;
use super::service_body::{Quantity, ServiceBody};
use super::slice_body::{SliceBody, Trip};
use super::wire::{self, ConditionsBody};
use crate::ancillaries::Ancillary;
use crate::itinerary::Traveller;
use crate::orders::Order;
use crate::server::World;

/// An order.
#[derive(Serialize)]
pub(super) struct OrderBody {
    id: String,
    live_mode: bool,
    #[serde(rename = "type")]
    kind: OrderKind,
    offer_id: String,
    content: &'static str,
    booking_reference: String,
    booking_references: [BookingReferenceBody; 1],
    created_at: String,
    synced_at: String,
    cancelled_at: Option<String>,
    void_window_ends_at: Option<String>,
    owner: AirlineBody,
    total_amount: String,
    total_currency: String,
    base_amount: String,
    base_currency: String,
    tax_amount: String,
    tax_currency: String,
    payment_status: PaymentStatusBody,
    available_actions: Vec<&'static str>,
    conditions: ConditionsBody,
    documents: Vec<DocumentBody>,
    passengers: Vec<PassengerBody>,
    services: Vec<ServiceBody>,
    slices: Vec<SliceBody>,
    cancellation: Option<CancellationBody>,
    changes: [(); 0],
    airline_initiated_changes: Vec<AirlineChangeBody>,
    metadata: Option<BTreeMap<String, String>>,
    users: Vec<String>,
}

#[derive(Serialize)]
struct BookingReferenceBody {
    booking_reference: String,
    carrier: AirlineBody,
}

#[derive(Serialize)]
struct PaymentStatusBody {
    awaiting_payment: bool,
    payment_required_by: Option<String>,
    price_guarantee_expires_at: Option<String>,
    paid_at: Option<String>,
}

#[derive(Serialize)]
struct DocumentBody {
    #[serde(rename = "type")]
    kind: &'static str,
    unique_identifier: String,
    passenger_ids: [String; 1],
}

#[derive(Serialize)]
struct PassengerBody {
    id: String,
    #[serde(rename = "type")]
    kind: &'static str,
    title: String,
    given_name: String,
    family_name: String,
    gender: String,
    born_on: NaiveDate,
    email: String,
    phone_number: String,
    infant_passenger_id: Option<String>,
    loyalty_programme_accounts: [(); 0],
    user_id: Option<()>,
}

impl PassengerBody {
    fn of((person, traveller): (&Person, &Traveller)) -> Self {
        let person = person.clone();
        Self {
            id: person.id,
            kind: wire::passenger_type(traveller.kind),
            title: person.title,
            given_name: person.given_name,
            family_name: person.family_name,
            gender: person.gender,
            born_on: person.born_on,
            email: person.email,
            phone_number: person.phone_number,
            infant_passenger_id: person.infant_passenger_id,
            loyalty_programme_accounts: [],
            user_id: None,
        }
    }
}

/// A cancellation.
#[derive(Serialize)]
pub(super) struct CancellationBody {
    id: String,
    live_mode: bool,
    order_id: String,
    created_at: String,
    expires_at: String,
    /// Null until it has taken effect.
    confirmed_at: Option<String>,
    refund_amount: String,
    refund_currency: String,
    refund_to: String,
    airline_credits: [(); 0],
}

impl CancellationBody {
    pub(super) fn of(
        order_id: &str,
        booking: &Booking,
        cancellation: &Cancellation,
        now: DateTime<Utc>,
    ) -> Self {
        Self {
            id: cancellation.id.clone(),
            live_mode: false,
            order_id: order_id.to_owned(),
            created_at: wire::instant(cancellation.created_at),
            expires_at: wire::deadline(cancellation.expires_at),
            confirmed_at: cancellation.confirmed_at(now).map(wire::instant),
            refund_amount: cancellation.refund.to_string(),
            refund_currency: booking.currency.clone(),
            refund_to: cancellation.refund_to.clone(),
            airline_credits: [],
        }
    }
}

impl OrderBody {
    /// The order as it stands at `now`.
    pub(super) fn of(world: &World, order: &Order, now: DateTime<Utc>) -> Result<Self, ApiError> {
        let booking = orders::booking(order)?;
        let services: Vec<&Service> = booking.shown_services(now).collect();
        let extras: Vec<&Ancillary> = services.iter().map(|service| &service.bought.extra).collect();
        let services_cost: Decimal = services.iter().map(|service| service.cost()).sum();
        let trip = Trip {
            seed: world.seed,
            id: &order.id,
            offer_id: &booking.offer_id,
            bundle: &booking.bundle,
            fare: &booking.fare,
            currency: &booking.currency,
            party: &booking.party,
            passenger_ids: &booking.passenger_ids,
            scenario: booking.scenario,
            bought: Some(&extras),
            changes: &booking.airline_changes,
        };
        let cancelled_at = booking.cancelled_at(now);
        let ends = cancelled_at.is_some() || booking.has_departed(now);
        let currency = || booking.currency.clone();
        Ok(Self {
            id: order.id.clone(),
            live_mode: false,
            kind: booking.kind,
            offer_id: booking.offer_id.clone(),
            content: "managed",
            booking_reference: booking.booking_reference.clone(),
            booking_references: [BookingReferenceBody {
                booking_reference: booking.booking_reference.clone(),
                carrier: booking.bundle.airline.into(),
            }],
            created_at: wire::instant(booking.created_at),
            synced_at: wire::deadline(now),
            cancelled_at: cancelled_at.map(wire::instant),
            void_window_ends_at: booking.void_window_ends_at().map(wire::deadline),
            owner: booking.bundle.airline.into(),
            total_amount: (booking.fare.total() + services_cost).to_string(),
            total_currency: currency(),
            base_amount: (booking.fare.base + services_cost).to_string(),
            base_currency: currency(),
            tax_amount: booking.fare.tax.to_string(),
            tax_currency: currency(),
            payment_status: PaymentStatusBody {
                awaiting_payment: !booking.is_paid() && cancelled_at.is_none(),
                payment_required_by: booking.pay_by.map(wire::deadline),
                price_guarantee_expires_at: booking.price_until.map(wire::deadline),
                paid_at: booking
                    .payments
                    .first()
                    .map(|payment| wire::instant(payment.created_at)),
            },
            available_actions: if ends {
                vec!["update"]
            } else {
                vec!["cancel", "update"]
            },
            conditions: ConditionsBody::of(&booking.fare, &booking.currency),
            documents: documents(booking),
            passengers: booking
                .people
                .iter()
                .zip(&booking.party)
                .map(PassengerBody::of)
                .collect(),
            services: service_bodies(world, booking, &services),
            slices: trip.slices(),
            cancellation: booking
                .cancellations
                .last()
                .map(|last| CancellationBody::of(&order.id, booking, last, now)),
            changes: [],
            airline_initiated_changes: airline_changes::bodies(booking, &trip, now),
            metadata: booking.metadata.clone(),
            users: booking.users.clone(),
        })
    }
}

fn documents(booking: &Booking) -> Vec<DocumentBody> {
    let document = |(number, id): (&String, &String)| DocumentBody {
        kind: "electronic_ticket",
        unique_identifier: number.clone(),
        passenger_ids: [id.clone()],
    };
    booking
        .tickets
        .iter()
        .zip(&booking.passenger_ids)
        .map(document)
        .collect()
}

fn service_bodies(world: &World, booking: &Booking, services: &[&Service]) -> Vec<ServiceBody> {
    let segment = |slice, flight| booking.segment_id(world.seed, slice, flight);
    let body = |service: &&Service| {
        let (extra, quantity) = (&service.bought.extra, Quantity::Bought(service.bought.quantity));
        ServiceBody::of(
            service.id.clone(),
            extra,
            quantity,
            &booking.currency,
            &booking.passenger_ids,
            segment,
        )
    };
    services.iter().map(body).collect()
}
