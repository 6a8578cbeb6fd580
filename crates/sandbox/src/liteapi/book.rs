//! `POST /rates/book`: a prebook becomes a booking.

use std::collections::BTreeSet;
use std::sync::Arc;

use actix_web::web::{Bytes, Data};
use chrono::{DateTime, Utc};
use serde::Deserialize;

use super::World;
use super::booking_body;
use super::bookings::{self, Booking, Guest, Person};
use super::errors::{ApiError, ApiResult, json_body};
use super::offers;
use super::prebook::Prebook;
use crate::fault_injection::InjectedFault;
use crate::orders::{Order, Reservation};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wanted {
    prebook_id: String,
    client_reference: Option<String>,
    holder: Person,
    guests: Vec<Guest>,
    payment: Payment,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Payment {
    method: String,
    transaction_id: Option<String>,
}

pub(super) async fn create(world: Data<World>, injected: InjectedFault, body: Bytes) -> ApiResult {
    let wanted: Wanted = json_body(&body)?;
    let reference = wanted.client_reference.clone().filter(|reference| !reference.is_empty());
    if reference.as_deref().is_some_and(|reference| world.orders.is_claimed(&claim(reference))) {
        return Err(ApiError::already_booked());
    }
    let now = world.clock.now();
    let prebook = Prebook::find(&world, &wanted.prebook_id)
        .ok_or_else(|| ApiError::wrong_input("invalid prebookId, rate not found"))?;
    check_people(&prebook, &wanted)?;
    check_payment(&prebook, &wanted.payment)?;
    check_offer(&world, &prebook, injected)?;
    let id = bookings::fresh_id();
    let booking = Booking {
        reservation: reservation(&prebook, reference.clone(), injected, now),
        commission: prebook.offer.commission(),
        prebook_id: prebook.id.clone(),
        offer_id: prebook.offer.id.clone(),
        nationality: prebook.question.nationality.clone(),
        holder: wanted.holder,
        guests: wanted.guests,
    };
    let order = Order {
        id: id.clone(),
        claim: reference.as_deref().map_or(id, claim),
        created_at: now,
        visible_from: injected.visible_from(now),
        booking: Arc::new(booking),
    };
    let order = world.orders.add(order, Some(&prebook.offer.hotel))?;
    Ok(booking_body::made(world.seed, &order))
}

/// What nothing else may be booked under.
fn claim(reference: &str) -> String {
    format!("liteapi/{reference}")
}

fn reservation(
    prebook: &Prebook,
    client_reference: Option<String>,
    injected: InjectedFault,
    now: DateTime<Utc>,
) -> Reservation {
    Reservation {
        hotel: prebook.offer.hotel.id,
        stay: prebook.question.stay,
        rooms: prebook.offer.booked_rooms(),
        currency: prebook.question.tariff.currency.to_owned(),
        client_reference,
        pending_until: injected.pending_until(now),
        is_aborted: injected.aborted_s.is_some(),
        cancellation: None,
        hotel_numbers: Vec::new(),
    }
}

fn check_people(prebook: &Prebook, wanted: &Wanted) -> Result<(), ApiError> {
    if !wanted.holder.is_whole() || wanted.holder.phone.is_empty() {
        return Err(ApiError::wrong_input("holder is missing or invalid"));
    }
    if !wanted.guests.iter().all(|guest| guest.person.is_whole()) {
        return Err(ApiError::wrong_input("guests are missing or invalid"));
    }
    let numbers: BTreeSet<usize> = wanted.guests.iter().map(|guest| guest.occupancy_number).collect();
    let is_one_each = wanted.guests.len() == prebook.offer.rooms.len()
        && numbers.into_iter().eq(1..=prebook.offer.rooms.len());
    match is_one_each {
        true => Ok(()),
        false => Err(ApiError::wrong_input("guests must be one for each occupancyNumber")),
    }
}

fn check_payment(prebook: &Prebook, payment: &Payment) -> Result<(), ApiError> {
    match payment.method.as_str() {
        // Its keys are all of a sandbox, which has no credit.
        "ACC_CREDIT_CARD" | "WALLET" => Ok(()),
        "TRANSACTION_ID" => Err(match payment.transaction_id.as_deref() {
            None | Some("") => ApiError::wrong_input("missing or empty transaction id"),
            // Nobody has paid with a form here.
            own if own == prebook.transaction_id.as_deref() => {
                ApiError::booking_incomplete("payment not completed")
            }
            Some(_) => {
                ApiError::booking_incomplete("prebookId is not associated to the requested transactionId")
            }
        }),
        _ => Err(ApiError::payment_failed()),
    }
}

/// Whether the offer can still be had at the price of the prebook.
fn check_offer(world: &World, prebook: &Prebook, injected: InjectedFault) -> Result<(), ApiError> {
    let now = offers::find(world, &prebook.offer.id, injected)?;
    if now.is_gone {
        return Err(ApiError::no_rooms());
    }
    if now.offer.rooms != prebook.offer.rooms {
        return Err(ApiError::wrong_input("invalid prebookId, invalid rate"));
    }
    Ok(())
}
