//! The numbers under which hotels know their guests. Hotels tell them days after the sale; a poll of the stay finds them.

use diesel_async::AsyncConnection;
use wayfare_domain::{Actor, EventKind, Product, RawAnswer};
use wayfare_hotels::{HotelNumber, Stay, SupplierStay};
use wayfare_store::{
    batch::writes::Writes,
    booking::{
        bookings::{self, Order},
        orders_to_poll, people,
        steps::under_way_on,
    },
};

use crate::{
    Core, Error, Result,
    engine::{
        order_polling::{NUMBER_DUE, after_keeping},
        order_watch::Seen,
    },
    hotels::Booked,
    people::sealed,
    tools::audit_event,
};

/// How many answers to polls of a stay are kept, the newest, beside those to its steps.
const MOST_ANSWERS: i64 = 40;

/// Keeps the numbers that are new, and tells it. What else was booked stays as it was sold. The stay as it is kept.
pub(super) async fn keep(
    core: &Core,
    booked: &Booked,
    order: &Order<SupplierStay>,
    found: &SupplierStay,
) -> Result<SupplierStay> {
    let Some(known) = &order.content else { return Ok(found.clone()) };
    let numbers = numbers(core, &known.hotel_numbers, &found.hotel_numbers);
    if numbers == known.hotel_numbers {
        return Ok(known.clone());
    }
    let shown = SupplierStay { hotel_numbers: numbers, raw: RawAnswer::default(), ..known.clone() };
    let (organization, id) = (booked.booking.organization, booked.booking.id);
    let people = sealed::load(core, organization, id).await?;
    let answer = people.seal_answer(core, &found.raw)?;
    let now = core.clock.now();
    let mut connection = core.database.connection().await?;
    let kept = connection.transaction(async |connection| {
        let mut booking = bookings::lock(connection, organization, id).await?;
        if !under_way_on(connection, organization, id).await?.is_empty() {
            return Ok(());
        }
        let mut orders = bookings::orders_of(connection, &[(organization, id)]).await?;
        let orders = orders.remove(&id).unwrap_or_default();
        let present = orders.into_iter().find(|present| present.number == order.number);
        let Some(present) = present.filter(|present| present.status == order.status) else { return Ok(()) };
        let shared_now = core.shared_time.now();
        let awaited = Stay::facts(&shown).awaited;
        let kept = Order {
            content: Some(shown.clone()),
            next_poll_at: after_keeping(awaited, present.next_poll_at, shared_now),
            ..present.without_content()
        };
        booking.summary.pnr = shown.shown_confirmation();
        let mut writes = Writes::default();
        writes.order(&booking, &kept, now)?;
        writes.booking(&booking);
        let key = (organization, id, order.number);
        if let Some(answer) = &answer {
            writes.supplier_answer(key, None, answer, now);
        }
        let action = EventKind::BookingHotelConfirmed;
        writes.event(&audit_event::of_booking(core, &Actor::system(), &booking, action, None));
        writes.send(connection).await?;
        Ok::<_, Error>(people::trim_answers(connection, key, MOST_ANSWERS).await?)
    });
    kept.await?;
    Ok(shown)
}

/// What is told now, each with when it was told first. A hotel that tells nothing any more has told it all the same.
fn numbers(core: &Core, known: &[HotelNumber], shown: &[HotelNumber]) -> Vec<HotelNumber> {
    if shown.is_empty() {
        return known.to_vec();
    }
    let since = |number: &HotelNumber| {
        let mut known = known.iter();
        let same = known.find(|known| known.room == number.room && known.number == number.number);
        same.and_then(|known| known.told_at)
    };
    let shown = shown.iter().map(|number| HotelNumber {
        told_at: Some(since(number).unwrap_or_else(|| core.clock.now())),
        ..number.clone()
    });
    shown.collect()
}

/// Tells once, shortly before the guests arrive, that the hotel has not told its number.
pub(super) async fn tell_if_missing(
    core: &Core,
    booked: &Booked,
    number: u16,
    seen: &Seen<SupplierStay>,
) -> Result<()> {
    let booking = &booked.booking;
    let stored = booked.orders.iter().find(|order| order.number == number);
    let lacks = match seen {
        Seen::Order(found) => Stay::lacks_number(found),
        Seen::Nothing(_) | Seen::Silent(_) | Seen::Unreadable(_) | Seen::Unsettled(_) => {
            stored.and_then(|order| order.content.as_ref()).is_some_and(Stay::lacks_number)
        }
        Seen::Cancelled | Seen::Settled => false,
    };
    let now = core.shared_time.now();
    let arrival = booking.product.travel(number, None).and_then(|travel| travel.starts.first().copied());
    if !lacks || !arrival.is_some_and(|arrival| (arrival - NUMBER_DUE..arrival).contains(&now)) {
        return Ok(());
    }
    let key = (booking.organization, booking.id, number);
    let mut connection = core.database.connection().await?;
    let written = connection.transaction(async |connection| {
        let booking = bookings::lock(connection, key.0, key.1).await?;
        if orders_to_poll::number_missed(connection, key, now).await? {
            let missing = EventKind::BookingHotelUnconfirmed;
            let event = audit_event::of_booking(core, &Actor::system(), &booking, missing, None);
            audit_event::write(connection, &event).await?;
        }
        Ok::<_, Error>(())
    });
    written.await
}
