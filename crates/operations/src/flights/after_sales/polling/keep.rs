//! What the supplier of an order shows is kept: its tickets, what its airlines changed, how its hold stands.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use wayfare_domain::{Actor, EventKind, IncidentKind, OrderStatus, Product, RawAnswer};
use wayfare_flights::{Itinerary, SupplierOrder};
use wayfare_pricing::Sale;
use wayfare_store::{
    JsonText,
    batch::writes::Writes,
    booking::{
        bookings::{self, Booking, Order},
        order_changes,
        people::{self, NewSupplierAnswer},
        steps::under_way_on,
    },
};

use super::super::schedule_changes::found::{self, News, Polled};
use crate::{
    Core, Result,
    engine::{incidents::raise_on_booking, order_holds, order_polling::after_keeping, unclear},
    flights::Booked,
    people::sealed,
    tools::{audit_event, failpoints::moment},
};

/// How many answers to polls of an order are kept, the newest, beside those to its steps.
const MOST_ANSWERS: i64 = 40;

/// Keeps what the supplier shows, unless something is under way that will do so.
pub(crate) async fn keep(
    core: &Core,
    booked: &Booked,
    order: &Order<SupplierOrder>,
    found: &SupplierOrder,
) -> Result<()> {
    let before = order.content.as_ref().and_then(|content| content.price_guaranteed_until);
    let found = &SupplierOrder {
        price_guaranteed_until: order_holds::steady_price_end(
            before,
            found.price_guaranteed_until,
            core.shared_time.now(),
        ),
        ..found.clone()
    };
    moment("look:found");
    // What the supplier said is stored beside it: an answer that shows nothing new is not.
    let shown = SupplierOrder { raw: RawAnswer::default(), flights: Vec::new(), ..found.clone() };
    let (organization, id) = (booked.booking.organization, booked.booking.id);
    let connection = core.database.connection().await?;
    let known = order_changes::of(&connection, organization, id).await?;
    drop(connection);
    // Steps write what an order shows, too, and no change: whether one is new is not told by the content.
    let is_known = found::news(core, &Polled::at(booked, order.number, &known), found)?.is_empty();
    if is_known && order.content.as_ref() == Some(&shown) {
        return Ok(());
    }
    moment("look:read");
    let people = sealed::load(core, booked.booking.organization, booked.booking.id).await?;
    let answer = people.seal_answer(core, &found.raw)?;
    let mut connection = core.database.connection().await?;
    let kept = connection.transaction(async |connection| {
        let booking = bookings::lock(connection, organization, id).await?;
        let under_way = under_way_on(connection, organization, id).await?;
        let mut orders = bookings::orders_of(connection, &[(organization, id)]).await?;
        let orders = orders.remove(&id).unwrap_or_default();
        let (mut present, others): (Vec<_>, Vec<_>) =
            orders.into_iter().partition(|present| present.number == order.number);
        let present = present.pop();
        // A poll that began before its flights were exchanged shows those of before: it must not take them for news
        // (D-373).
        let changes = |sales: &[Sale]| {
            let sale = usize::from(order.number).checked_sub(1);
            sale.and_then(|place| sales.get(place)).map(|sale| sale.changes.len())
        };
        let is_present = under_way.is_empty() && changes(&booking.sales) == changes(&booked.booking.sales);
        match present.filter(|present| is_present && present.status == order.status) {
            Some(present) => {
                let known = order_changes::of(connection, organization, id).await?;
                let news = found::news(core, &Polled::at(booked, order.number, &known), found)?;
                let held_too = order_holds::of_held(&others).is_some();
                let seen = Seen { found, news: &news, answer: answer.as_ref() };
                put(core, connection, &booking, (present, held_too), seen).await
            }
            None => Ok(()),
        }
    });
    kept.await
}

struct Seen<'a> {
    found: &'a SupplierOrder,
    news: &'a News,
    answer: Option<&'a NewSupplierAnswer>,
}

async fn put(
    core: &Core,
    connection: &mut AsyncPgConnection,
    booking: &Booking<()>,
    (present, others_held): (Order<JsonText>, bool),
    Seen { found, news, answer }: Seen<'_>,
) -> Result<()> {
    let now = core.clock.now();
    let present: Order<SupplierOrder> = present.read()?;
    let before = present.content.as_ref();
    let mut writes = Writes::default();
    let mut happened = |action| {
        let event = audit_event::of_booking(core, &Actor::system(), booking, action, None);
        writes.event(&event);
    };
    if before.is_some_and(|before| before.tickets.is_empty()) && !found.tickets.is_empty() {
        happened(EventKind::TicketIssued);
    }
    let status = match found.status {
        OrderStatus::Held | OrderStatus::Confirmed => found.status,
        _ => present.status,
    };
    if present.status == OrderStatus::Held && status == OrderStatus::Confirmed && !others_held {
        happened(EventKind::BookingHoldPaid);
    }
    let shared_now = core.shared_time.now();
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
    found::write(core, connection, booking, kept.number, news, &mut writes).await?;
    let order = (booking.organization, booking.id, kept.number);
    if let Some(answer) = answer {
        writes.supplier_answer(order, None, answer, now);
    }
    writes.send(connection).await?;
    let known = before.map(|before| before.unclear_travellers.as_slice()).unwrap_or_default();
    if !found.unclear_travellers.is_empty() && found.unclear_travellers != known {
        let details = unclear::details(&found.id, &found.unclear_travellers);
        let kind = IncidentKind::TravellersUnclear;
        raise_on_booking(core, connection, booking, kind, unclear::PROBLEM, details).await?;
    }
    people::trim_answers(connection, order, MOST_ANSWERS).await?;
    Ok(())
}
