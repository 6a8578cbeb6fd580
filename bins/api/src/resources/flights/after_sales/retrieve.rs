//! What suppliers say of an order now, read and in their own words.

use actix_web::web::Path;
use wayfare_contract::{
    flights::{AirlineChange, LocalBooking, Retrieved, ShownOrder, Tracked, TrackedOrder},
    vocabulary::TicketStatus,
};
use wayfare_domain::BookingRef;
use wayfare_flights::SupplierOrder;
use wayfare_operations::{Caller, Order, flights};

use crate::{
    http::{
        App,
        extract::{Ask, Nothing},
        reply::{DataReply, data},
    },
    resources::{common::booking_ref, flights::bookings::change_views::flight},
};

/// `GET /flights/bookings/{ref}/retrieve`.
pub async fn retrieve(app: App, ask: Ask<Caller, Nothing>, reference: Path<String>) -> DataReply<Retrieved> {
    let retrieved = flights::retrieve(&app.engine, &ask.who, &booking_ref(&reference)?).await?;
    data(self::retrieved(retrieved))
}

/// `GET /flights/bookings/{ref}/track`.
pub async fn track(app: App, ask: Ask<Caller, Nothing>, reference: Path<String>) -> DataReply<Tracked> {
    let tracked = flights::track(&app.engine, &ask.who, &booking_ref(&reference)?).await?;
    data(self::tracked(tracked))
}

/// A booking as we hold it beside what its suppliers show.
fn retrieved(flights::Retrieved { booked, found }: flights::Retrieved) -> Retrieved {
    let reference = &booked.booking.reference;
    let orders = booked.orders.iter().zip(found);
    let orders = orders.map(|(order, found)| Some(shown(reference, order, found?)));
    let orders: Vec<Option<ShownOrder>> = orders.collect();
    Retrieved {
        local: LocalBooking {
            booking_ref: booked.booking.reference.to_string(),
            pnr: booked.booking.summary.pnr,
            status: booked.booking.status.as_ref().into(),
            provider: booked.booking.summary.provider,
        },
        provider: orders.first().cloned().flatten(),
        orders,
    }
}

fn shown(booking: &BookingRef, order: &Order<SupplierOrder>, shown: SupplierOrder) -> ShownOrder {
    let status = shown.tickets.first().map(|ticket| ticket.status.as_ref().into());
    ShownOrder {
        booking_ref: booking.to_string(),
        order_ref: order.reference.to_string(),
        provider: order.supplier.clone(),
        pnr: shown.pnr,
        status: shown.status.as_ref().into(),
        provider_booking_id: shown.id,
        ticket_status: status.unwrap_or(TicketStatus::Pending),
        airline_changes: shown.airline_changes.into_iter().map(airline_change).collect(),
    }
}

fn airline_change(change: wayfare_flights::AirlineChange) -> AirlineChange {
    AirlineChange {
        id: change.id,
        removed: change.removed.iter().map(flight).collect(),
        added: change.added.iter().map(flight).collect(),
        action_taken: change.action_taken,
        available_actions: change.available_actions,
        told_at: change.told_at,
    }
}

/// What was told of each order.
fn tracked(tracked: Vec<flights::Tracked>) -> Tracked {
    let view = |order: flights::Tracked| TrackedOrder {
        booking_track_id: order.reference.to_string(),
        provider: order.supplier,
        order: order.order,
        omitted: order.omitted,
    };
    let first = tracked.first();
    Tracked {
        provider: first.map(|order| order.supplier.clone()).unwrap_or_default(),
        order: first.map(|order| order.order.clone()).unwrap_or_default(),
        orders: tracked.into_iter().map(view).collect(),
    }
}
