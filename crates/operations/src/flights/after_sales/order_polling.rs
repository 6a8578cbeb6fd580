//! What a look at a flight order changes: tickets that are issued later, flights that airlines change. What the supplier
//! shows is kept.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use serde_json::Value;
use wayfare_domain::{Actor, EventKind, OrderStatus, Product};
use wayfare_flights::{Itinerary, SupplierOrder};
use wayfare_store::{
    JsonText,
    batch::writes::Writes,
    booking::{
        bookings::{self, Booking, Order},
        people::{self, NewSupplierAnswer},
        steps::under_way_on,
    },
};

use crate::{
    Platform, Result,
    engine::{order_holds, order_polling::after_keeping},
    flights::Booked,
    people::sealed,
    tools::audit_event,
};

/// So many answers to looks at an order are kept, the newest, beside those to its steps.
const MOST_ANSWERS: i64 = 40;

/// Keeps what the supplier shows, unless something is under way that will do so.
pub(crate) async fn keep(
    platform: &Platform,
    booked: &Booked,
    order: &Order<SupplierOrder>,
    found: &SupplierOrder,
) -> Result<()> {
    let before = order
        .content
        .as_ref()
        .and_then(|content| content.price_guaranteed_until);
    let found = &SupplierOrder {
        price_guaranteed_until: order_holds::steady_price_end(
            before,
            found.price_guaranteed_until,
            platform.shared_time.now(),
        ),
        ..found.clone()
    };
    // What the supplier said is stored beside it: an answer that shows nothing new is not.
    let shown = SupplierOrder {
        raw: Value::Null,
        ..found.clone()
    };
    if order.content.as_ref() == Some(&shown) {
        return Ok(());
    }
    let people = sealed::load(platform, booked.booking.organization, booked.booking.id).await?;
    let answer = people.seal_answer(platform, &found.raw)?;
    let (organization, id) = (booked.booking.organization, booked.booking.id);
    let mut connection = platform.database.connection().await?;
    let kept = connection.transaction(async |connection| {
        let booking = bookings::lock(connection, organization, id).await?;
        let under_way = under_way_on(connection, organization, id).await?;
        let mut orders = bookings::orders_of(connection, &[(organization, id)]).await?;
        let orders = orders.remove(&id).unwrap_or_default();
        let (mut present, others): (Vec<_>, Vec<_>) = orders
            .into_iter()
            .partition(|present| present.number == order.number);
        let present = present.pop();
        match present.filter(|present| under_way.is_empty() && present.status == order.status) {
            Some(present) => {
                let held_too = order_holds::of_held(&others).is_some();
                let present = (present, held_too);
                put(platform, connection, &booking, present, found, answer.as_ref()).await
            }
            None => Ok(()),
        }
    });
    kept.await
}

async fn put(
    platform: &Platform,
    connection: &mut AsyncPgConnection,
    booking: &Booking<()>,
    (present, others_held): (Order<JsonText>, bool),
    found: &SupplierOrder,
    answer: Option<&NewSupplierAnswer>,
) -> Result<()> {
    let now = platform.clock.now();
    let present: Order<SupplierOrder> = present.read()?;
    let before = present.content.as_ref();
    let mut writes = Writes::default();
    let mut happened = |action| {
        let event = audit_event::of_booking(platform, &Actor::system(), booking, action, None);
        writes.event(&event);
    };
    if before.is_some_and(|before| before.tickets.is_empty()) && !found.tickets.is_empty() {
        happened(EventKind::TicketIssued);
    }
    if found.airline_changes.len() > before.map_or(0, |before| before.airline_changes.len()) {
        happened(EventKind::BookingAirlineChanged);
    }
    let status = match found.status {
        OrderStatus::Held | OrderStatus::Confirmed => found.status,
        _ => present.status,
    };
    if present.status == OrderStatus::Held && status == OrderStatus::Confirmed && !others_held {
        happened(EventKind::BookingHoldPaid);
    }
    let shared_now = platform.shared_time.now();
    let facts = Itinerary::facts(found);
    let limits = order_holds::limits(facts.awaited, facts.price_guaranteed_until);
    let hold = order_holds::shown(present.hold, status, limits, shared_now);
    if hold != present.hold {
        match others_held || status == OrderStatus::Held {
            true => writes.held(booking.organization, booking.id, shared_now),
            false => writes.hold_ended(booking.organization, booking.id),
        }
    }
    let kept = Order {
        status,
        next_poll_at: after_keeping(facts.awaited, present.next_poll_at, shared_now),
        content: Some(found.clone()),
        hold,
        ..present.without_content()
    };
    writes.order(booking, &kept, now)?;
    let order = (booking.organization, booking.id, kept.number);
    if let Some(answer) = answer {
        writes.supplier_answer(order, None, answer, now);
    }
    writes.send(connection).await?;
    people::trim_answers(connection, order, MOST_ANSWERS).await?;
    Ok(())
}
