//! What comes of orders without anybody's asking for it: holds that lapse, tickets that are issued later, flights that
//! airlines change. The supplier is asked for the order, and what it says is kept.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use serde_json::{Value, json};
use wayfare_domain::{
    Actor, Awaited, BookingStatus, EventKind, IncidentKind, OrderStatus, Product, StepKind,
};
use wayfare_flights::{Itinerary, Lookup, SupplierOrder};
use wayfare_store::{
    JsonText,
    batch::writes::Writes,
    booking::{
        bookings::{self, Booking, Order},
        orders_to_poll::{self, OrderToPoll},
        people::{self, NewSupplierAnswer},
        steps::under_way_on,
    },
};
use wayfare_supply::{Answer, Refusal};

use super::original_request;
use crate::{
    Error, Platform, Result,
    engine::{
        begin_step::{self, BeginSteps, StepRequest},
        booking_state::is_live,
        cancellation::CancelRequest,
        incidents, order_holds,
        order_polling::next_poll,
        saga,
    },
    flights::Booked,
    people::sealed,
    tools::audit_event,
};

/// So many answers to looks at an order are kept, the newest, beside those to its steps.
const MOST_ANSWERS: i64 = 40;

/// Polls an order that is due, and says when to poll it again.
///
/// # Errors
/// When the database can't be asked: it is looked at again when its lease has ended.
pub(crate) async fn poll(platform: &Platform, due: &OrderToPoll) -> Result<()> {
    let mut connection = platform.database.connection().await?;
    let stored = bookings::whole_by_id::<Itinerary>(&mut connection, due.organization, due.booking).await?;
    let booking: Booking<Itinerary> = sealed::open(platform, stored)?;
    let orders = bookings::orders(&mut connection, &booking).await?;
    drop(connection);
    let booked = Booked { booking, orders };
    let awaited = match poll_one(platform, &booked, due.number).await? {
        Seen::Order(order) => Itinerary::facts(&order).awaited,
        Seen::Nothing(reason) => {
            tracing::warn!(booking = %booked.booking.reference, reason, "an order could not be polled");
            let order = booked.orders.iter().find(|order| order.number == due.number);
            let content = order.and_then(|order| order.content.as_ref());
            content.map_or(Awaited::Nothing, |content| Itinerary::facts(content).awaited)
        }
        Seen::Settled => Awaited::Nothing,
    };
    let at = next_poll(awaited, due.poll_count, platform.shared_time.now());
    let mut connection = platform.database.connection().await?;
    Ok(orders_to_poll::poll_again_at(&mut connection, due, at).await?)
}

/// What was seen of an order.
pub(crate) enum Seen {
    /// The order as its supplier shows it, which is kept.
    Order(Box<SupplierOrder>),
    /// Nothing that can be relied upon, and why.
    Nothing(String),
    /// Nothing is awaited of it any more.
    Settled,
}

/// Asks the supplier for an order of a booking and keeps what it says. A hold that it has let go is given back.
///
/// # Errors
/// When the database can't be asked.
pub(crate) async fn poll_one(platform: &Platform, booked: &Booked, number: u16) -> Result<Seen> {
    let order = booked.orders.iter().find(|order| order.number == number);
    let Some(order) = order.filter(|order| is_live(order)) else {
        return Ok(Seen::Settled);
    };
    match booked.booking.status {
        BookingStatus::Confirmed => {}
        BookingStatus::Pending => return Ok(Seen::Nothing("its booking is still pending".to_owned())),
        BookingStatus::Cancelled | BookingStatus::Failed => return Ok(Seen::Settled),
    }
    let found = match find(platform, booked, order).await? {
        Answer::Done(Some(found)) => found,
        Answer::Done(None) => return Ok(Seen::Nothing("the supplier does not find the order".to_owned())),
        other => return Ok(Seen::Nothing(other.problem().unwrap_or_default().to_owned())),
    };
    match (order.status, found.status) {
        (OrderStatus::Held, OrderStatus::Cancelled | OrderStatus::Failed) => {
            match lapse(platform, booked, order).await {
                Ok(()) => Ok(Seen::Settled),
                // What comes of that is seen later.
                Err(Error::StepPending(_) | Error::ReschedulePending | Error::BookingCancelled) => {
                    Ok(Seen::Nothing("something is under way on it".to_owned()))
                }
                Err(error) => Err(error),
            }
        }
        (_, OrderStatus::Pending) => Ok(Seen::Nothing("supplier still processing".to_owned())),
        _ => {
            keep(platform, booked, order, &found).await?;
            Ok(Seen::Order(Box::new(found)))
        }
    }
}

/// The order as its supplier shows it.
///
/// # Errors
/// When the database can't be asked.
pub(crate) async fn find(
    platform: &Platform,
    booked: &Booked,
    order: &Order<SupplierOrder>,
) -> Result<Answer<Option<SupplierOrder>>> {
    let request = match original_request(platform, booked, order).await {
        Ok(request) => request,
        // Their supplier can't be asked for them any more: what is stored is all there is.
        Err(Error::NotSupported(why)) => return Ok(Answer::Refused(Refusal::new(why))),
        Err(error) => return Err(error),
    };
    let lookup = Lookup {
        reference: &request.reference,
        order_id: order.supplier_order_id.as_deref(),
        request: &request,
    };
    Ok(platform.flight_supplier(&order.supplier)?.find(lookup).await)
}

/// Gives a hold back that its supplier does not hold any more: all that was paid for it returns to the wallet.
async fn lapse(platform: &Platform, booked: &Booked, order: &Order<SupplierOrder>) -> Result<()> {
    let actor = Actor::system();
    let order_id = order.supplier_order_id.as_deref().unwrap_or_default();
    let request = BeginSteps {
        booking: &booked.booking,
        kind: StepKind::Cancel,
        action: EventKind::BookingLapsed,
        note: None,
        requests: vec![StepRequest::on(order, &CancelRequest::of_expired_hold(order_id))?],
        service: None,
        by_itself: false,
    };
    for step in begin_step::open(platform, &actor, request, None).await? {
        saga::run_saga(platform, &actor, &step, None).await?;
    }
    Ok(())
}

/// Keeps what the supplier shows, unless something is under way that will do so.
async fn keep(
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
    // That it was cancelled without us is for the operator: nobody knows yet what comes back.
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
        next_poll_at: next_poll(facts.awaited, 0, shared_now),
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
    if found.status == OrderStatus::Cancelled && before.map(|before| before.status) != Some(found.status) {
        let details = json!({ "order_id": found.id, "supplier": kept.supplier });
        let problem = "a supplier has cancelled an order that nobody asked to be cancelled";
        let kind = IncidentKind::CancelledBySupplier;
        incidents::raise_on_booking(platform, connection, booking, kind, problem, details).await?;
    }
    Ok(())
}
