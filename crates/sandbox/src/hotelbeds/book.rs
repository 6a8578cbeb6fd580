//! `POST /bookings`: rates become a booking, confirmed at once.

use std::sync::Arc;

use actix_web::HttpRequest;
use actix_web::web::{Bytes, Data};
use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::World;
use super::auth;
use super::booking_body;
use super::booking_guests::{self, Named};
use super::bookings::{BookedLine, Booking, Holder};
use super::comments::INCOMING;
use super::errors::{ApiError, ApiResult, json_body};
use super::offers::{self, Offered};
use crate::fault_injection::InjectedFault;
use crate::orders::{BookedRoom, Order, Reservation};

const LONGEST_CLIENT_REFERENCE: usize = 20;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Body {
    holder: Holder,
    client_reference: String,
    remark: Option<String>,
    rooms: Vec<Room>,
    #[serde(rename = "language", default)]
    _language: IgnoredAny,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Room {
    rate_key: String,
    paxes: Vec<Named>,
}

/// Books. The same request twice makes two bookings: they have nothing to distinguish them by.
pub(super) async fn create(
    world: Data<World>,
    request: HttpRequest,
    injected: InjectedFault,
    body: Bytes,
) -> ApiResult {
    let body: Body = json_body(&body)?;
    check(&body)?;
    let keys = body.rooms.iter().map(|room| room.rate_key.as_str());
    let offered = offers::of_keys(&world, keys, injected)?;
    check_offers(&world, &offered)?;
    let now = world.clock.now();
    let booking = booking(&world, &offered, body, auth::key(&request), now)?;
    let reference = reference();
    let order = Order {
        claim: reference.clone(),
        id: reference,
        created_at: now,
        visible_from: injected.visible_from(now),
        booking: Arc::new(booking),
    };
    let hotel = offered.first().map(|first| &first.hotel);
    let order = world.orders.add(order, hotel)?;
    booking_body::answer(&world, &order, &order.booking)
}

fn check(body: &Body) -> Result<(), ApiError> {
    let length = body.client_reference.chars().count();
    if !(1..=LONGEST_CLIENT_REFERENCE).contains(&length) {
        let message = format!(
            "Error at property clientReference: size must be between 1 and {LONGEST_CLIENT_REFERENCE}"
        );
        return Err(ApiError::invalid(message));
    }
    let Holder { name, surname } = &body.holder;
    if name.trim().is_empty() || surname.trim().is_empty() {
        return Err(ApiError::invalid("Error at property holder: name and surname are needed"));
    }
    if body.rooms.is_empty() {
        return Err(ApiError::invalid("Error at property rooms: size must be at least 1"));
    }
    Ok(())
}

/// Whether the rates can still be had, at the prices that their keys were given with.
fn check_offers(world: &World, offered: &[Offered]) -> Result<(), ApiError> {
    if offered.iter().any(|each| each.needs_check(world)) {
        let message = "A rateKey of the type RECHECK must be checked before it is booked";
        return Err(ApiError::invalid(message));
    }
    if offered.iter().any(Offered::is_sold_out) {
        return Err(ApiError::no_rooms());
    }
    if offered.iter().any(|each| each.reference.known_changes != each.moves) {
        return Err(ApiError::product("Price has changed"));
    }
    Ok(())
}

fn booking(
    world: &World,
    offered: &[Offered],
    body: Body,
    key: &str,
    now: DateTime<Utc>,
) -> Result<Booking, ApiError> {
    let line = &offered.first().ok_or_else(ApiError::no_rooms)?.reference.line;
    let mut rooms = Vec::new();
    let mut lines = Vec::new();
    for (each, asked) in offered.iter().zip(&body.rooms) {
        let party = &each.reference.line.party;
        lines.push(BookedLine {
            rooms: party.rooms,
            found_at: each.reference.found.at,
            paxes: booking_guests::accommodated(party, &asked.paxes)?,
        });
        let room = BookedRoom { guests: party.guests.clone(), rate: each.rate.clone() };
        rooms.extend(vec![room; party.rooms.into()]);
    }
    Ok(Booking {
        reservation: Reservation {
            hotel: line.hotel,
            stay: line.stay,
            rooms,
            currency: world.tariff.currency.to_owned(),
            client_reference: Some(body.client_reference),
            pending_until: now,
            is_aborted: false,
            cancellation: None,
            hotel_numbers: Vec::new(),
        },
        creation_user: key.to_owned(),
        holder: body.holder,
        remark: body.remark,
        lines,
        cancellation_reference: None,
    })
}

/// The number of who negotiated, and eight digits of chance.
fn reference() -> String {
    format!("{INCOMING}-{:08}", rand::random::<u32>() % 100_000_000)
}
