//! Numbers that a supplier told otherwise than by its answers: corrected by hand, with a note.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use diesel_async::{AsyncConnection, AsyncPgConnection};
use serde_json::{Value, json};
use wayfare_boxed::boxed;
use wayfare_domain::{BookingRef, EventKind, Faults, ProductKind};
use wayfare_hotels::{HotelNumber, Stay, SupplierStay};
use wayfare_store::{
    JsonText,
    batch::writes::Writes,
    booking::bookings::{self, Booking, Order},
};

use crate::{
    Error, Platform, Result,
    access::operators::{By, Desk},
    engine::{note, ruling::LONGEST_NOTE},
    operator,
    people::sealed,
    tools::audit_event::{self, Change},
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Correction {
    Pnr(String),
    /// The number of a traveller's ticket.
    Ticket {
        traveller: u32,
        number: String,
    },
    /// The hotel's own number of a room.
    HotelNumber {
        /// Which room, from 1.
        room: u16,
        number: String,
    },
}

/// Corrects a number of an order, with its event. The content of the order as it is now.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Invalid`] names what does not fit.
#[boxed]
pub async fn correct(
    platform: &Platform,
    by: By<Desk>,
    reference: &BookingRef,
    number: u16,
    correction: &Correction,
    note: &str,
) -> Result<Value> {
    check(correction, note).or(())?;
    let found = operator::booking(platform, reference).await?;
    let (organization, id) = (found.organization, found.id);
    let note = note::without_people(&platform.core, (organization, id), note).await?;
    let mut connection = platform.core.database.connection().await?;
    let corrected = connection.transaction(async |connection| {
        let mut booking = bookings::lock(connection, organization, id).await?;
        let rooms = match correction {
            Correction::HotelNumber { .. } if booking.kind == ProductKind::Hotel => {
                rooms(platform, connection, &booking).await?
            }
            _ => 0,
        };
        let mut orders = bookings::orders_of(connection, &[(organization, id)]).await?;
        let orders = orders.remove(&id).unwrap_or_default();
        let mut orders = orders.into_iter();
        let missing = || Faults::of("order", "is no order of this booking that stands at its supplier");
        let mut order = orders.find(|order| order.number == number).ok_or_else(missing)?;
        let mut content: Value = order.content.as_ref().ok_or_else(missing)?.parse()?;
        let now = platform.core.clock.now();
        let (field, before, after) = match correction {
            Correction::HotelNumber { room, number } if booking.kind == ProductKind::Hotel => {
                let (known, shown) = write_room(&mut content, (*room, number), rooms, now)?;
                booking.summary.pnr = shown;
                ("hotel_number", json!(known), json!(number))
            }
            _ => write(&booking, &mut content, correction)?,
        };
        order.content = Some(JsonText::of(&content)?);
        let mut writes = Writes::default();
        writes.order(&booking, &order, now)?;
        match correction {
            Correction::Pnr(pnr) if is_first(&booking, &order, &before) => {
                pnr.clone_into(&mut booking.summary.pnr);
                writes.booking(&booking);
            }
            Correction::HotelNumber { .. } => writes.booking(&booking),
            Correction::Pnr(_) | Correction::Ticket { .. } => {}
        }
        let change = Change {
            old_value: Some(json!({ "order": number, "field": field, "value": before })),
            new_value: Some(json!({ "order": number, "field": field, "value": after, "note": note })),
            ..Change::of(organization, by.actor(), EventKind::BookingCorrected, &booking.reference)
        };
        writes.event(&audit_event::event(&platform.core, change));
        writes.send(connection).await?;
        Ok::<_, Error>(content)
    });
    corrected.await
}

/// Whether the booking shows this order's locator as its own.
fn is_first(booking: &Booking<()>, order: &Order<JsonText>, before: &Value) -> bool {
    order.number == 1 || before.as_str() == Some(booking.summary.pnr.as_str())
}

fn check(correction: &Correction, note: &str) -> Faults {
    let mut faults = note::check("note", note, LONGEST_NOTE);
    let (field, value) = match correction {
        Correction::Pnr(pnr) => ("pnr", pnr),
        Correction::Ticket { number, .. } => ("ticket", number),
        Correction::HotelNumber { number, .. } => ("hotel-number", number),
    };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '/' | '.');
    if value.is_empty() || value.len() > 40 || !value.chars().all(is_plain) {
        faults.add(field, "must be 1 to 40 letters, digits, hyphens, slashes or dots");
    }
    faults
}

/// Writes it into the order's content: the field, what it was, what it is.
fn write(
    booking: &Booking<()>,
    content: &mut Value,
    correction: &Correction,
) -> Result<(&'static str, Value, Value)> {
    let fits = match (booking.kind, correction) {
        (ProductKind::Flight, Correction::Pnr(_) | Correction::Ticket { .. })
        | (ProductKind::Hotel, Correction::HotelNumber { .. }) => Ok(()),
        (ProductKind::Flight, Correction::HotelNumber { .. }) => Err(("hotel-number", "is only for stays")),
        (ProductKind::Hotel, Correction::Pnr(_)) => Err(("pnr", "is only for flights")),
        (ProductKind::Hotel, Correction::Ticket { .. }) => Err(("ticket", "is only for flights")),
    };
    fits.map_err(|(field, problem)| Faults::of(field, problem))?;
    let members = content.as_object_mut();
    let members = members.ok_or_else(|| Error::Internal("an order is no object".to_owned()))?;
    match correction {
        Correction::Pnr(pnr) => {
            let before = members.insert("pnr".to_owned(), json!(pnr));
            Ok(("pnr", before.unwrap_or_default(), json!(pnr)))
        }
        Correction::Ticket { traveller, number } => {
            let tickets = members.entry("tickets").or_insert_with(|| json!([]));
            let mut tickets = tickets.as_array_mut().into_iter().flatten();
            let ticket = tickets.find(|ticket| ticket.get("traveller") == Some(&json!(traveller)));
            let missing = || Faults::of("ticket", "is of no traveller who has a ticket");
            let ticket = ticket.and_then(Value::as_object_mut).ok_or_else(missing)?;
            let before = ticket.insert("number".to_owned(), json!(number));
            Ok(("ticket", before.unwrap_or_default(), json!(number)))
        }
        // Only stays have rooms: it is refused above.
        Correction::HotelNumber { .. } => Err(Faults::of("hotel-number", "is only for stays").into()),
    }
}

async fn rooms(
    platform: &Platform,
    connection: &mut AsyncPgConnection,
    booking: &Booking<()>,
) -> Result<usize> {
    let stored =
        bookings::whole_by_id(connection, ProductKind::Hotel, booking.organization, booking.id).await?;
    let stay: Booking<Stay> = sealed::open(&platform.core, stored)?;
    Ok(stay.product.rooms.len())
}

/// Writes the hotel's number of a room: what it was, and what is shown as the stay's confirmation. A number that was of all rooms
/// stays that of the others.
fn write_room(
    content: &mut Value,
    (room, number): (u16, &str),
    rooms: usize,
    now: DateTime<Utc>,
) -> Result<(Option<String>, String)> {
    if room == 0 || usize::from(room) > rooms {
        let problem = format!("must be a room of the stay, from 1 to {rooms}");
        return Err(Faults::of("hotel-number", problem).into());
    }
    let mut stay: SupplierStay = serde_json::from_value(content.clone())?;
    let mut numbers = BTreeMap::new();
    for known in &stay.hotel_numbers {
        let of_all = (1..).take(rooms);
        match known.room {
            Some(room) => numbers.extend([(room, known.clone())]),
            None => of_all.for_each(|room| {
                numbers.entry(room).or_insert_with(|| HotelNumber { room: Some(room), ..known.clone() });
            }),
        }
    }
    let corrected = HotelNumber { room: Some(room), number: number.to_owned(), told_at: Some(now) };
    let known = numbers.insert(room, corrected).map(|known| known.number);
    stay.hotel_numbers = numbers.into_values().collect();
    *content = serde_json::to_value(&stay)?;
    Ok((known, stay.shown_confirmation()))
}
