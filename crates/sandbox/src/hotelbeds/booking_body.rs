//! Bookings in JSON: in full, and as lists have them.

use actix_web::HttpResponse;
use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::World;
use super::audit::Audit;
use super::bookings::{BookedLine, Booking, Holder};
use super::check::modification_policies;
use super::comments;
use super::destinations;
use super::errors::{ApiError, ApiResult};
use super::offers::Sold;
use super::party::Party;
use super::rate_body::{break_down, hotel_body, rate_body};
use crate::hotels::{Hotel, RoomType};
use crate::json::{Number, without_nulls};
use crate::orders::{BookedRoom, Order, Status};

struct Booked<'a> {
    line: &'a BookedLine,
    room: &'a BookedRoom,
    party: Party,
}

impl Booked<'_> {
    fn sold<'a>(&'a self, hotel: &'a Hotel) -> Sold<'a> {
        Sold { hotel, party: &self.party, rate: &self.room.rate }
    }

    fn room_type(&self) -> &'static RoomType {
        self.room.rate.key.room.room_type()
    }
}

fn booked(booking: &Booking) -> Vec<Booked<'_>> {
    let mut rest = booking.reservation.rooms.as_slice();
    let mut all = Vec::new();
    for line in &booking.lines {
        let Some(room) = rest.first() else { break };
        rest = rest.get(usize::from(line.rooms)..).unwrap_or_default();
        let party = Party { rooms: line.rooms, guests: room.guests.clone() };
        all.push(Booked { line, room, party });
    }
    all
}

fn status(world: &World, booking: &Booking) -> &'static str {
    match booking.reservation.status(world.clock.now()) {
        Status::Held | Status::Confirmed => "CONFIRMED",
        Status::Cancelled => "CANCELLED",
    }
}

/// What is to be paid: the price, or what a cancellation left of it.
fn due(booking: &Booking) -> Decimal {
    let reservation = &booking.reservation;
    let fee = reservation.cancellation.map(|cancellation| cancellation.fee);
    fee.unwrap_or_else(|| reservation.total())
}

/// Hotelbeds stores them in capitals.
fn client_reference(booking: &Booking) -> String {
    let reference = booking.reservation.client_reference.as_deref();
    reference.unwrap_or_default().to_uppercase()
}

fn holder(booking: &Booking) -> Holder {
    Holder { name: booking.holder.name.to_uppercase(), surname: booking.holder.surname.to_uppercase() }
}

fn invoice_company() -> Value {
    json!({ "code": "SBX", "company": "SANDBOX INVOICES, LTD", "registrationNumber": "XX00000001" })
}

/// The answer with a booking in full.
pub(super) fn answer(world: &World, order: &Order<Booking>, booking: &Booking) -> ApiResult {
    let body = in_full(world, order, booking)?;
    Ok(HttpResponse::Ok().json(json!({ "auditData": Audit::of_booking(world), "booking": body })))
}

/// A booking in full. Amounts are numbers here, and texts further in.
fn in_full(world: &World, order: &Order<Booking>, booking: &Booking) -> Result<Value, ApiError> {
    let reservation = &booking.reservation;
    let hotel = Hotel::of(world.seed, reservation.hotel).ok_or_else(ApiError::no_booking)?;
    let status = status(world, booking);
    let rooms = booked(booking).into_iter().enumerate().map(|(place, booked)| {
        let (id, sold) = (place + 1, booked.sold(&hotel));
        let more = json!({ "rateComments": comments::of_sold(&sold), "rateBreakDown": break_down(&sold) });
        without_nulls(json!({
            "status": status,
            "id": id,
            "supplierConfirmationCode": reservation.hotel_numbers.get(place),
            "code": booked.room_type().code,
            "name": booked.room_type().name.to_uppercase(),
            "paxes": booked.line.paxes,
            "rates": [rate_body(world, &sold, booked.line.found_at, more)],
        }))
    });
    let more = json!({
        "checkOut": reservation.stay.check_out,
        "checkIn": reservation.stay.check_in,
        "rooms": rooms.collect::<Vec<_>>(),
        "totalNet": due(booking),
        "currency": reservation.currency,
        "supplier": { "name": "SANDBOX HOTELS, LTD", "vatNumber": "XX00000002" },
        "cancellationAmount": reservation.cancellation.map(|cancellation| Number(cancellation.fee)),
    });
    Ok(without_nulls(json!({
        "reference": order.id,
        "cancellationReference": booking.cancellation_reference,
        "clientReference": client_reference(booking),
        "creationDate": order.created_at.date_naive(),
        "status": status,
        "modificationPolicies": modification_policies(),
        "creationUser": booking.creation_user,
        "holder": holder(booking),
        "hotel": hotel_body(&hotel, more),
        "remark": booking.remark,
        "invoiceCompany": invoice_company(),
        "totalNet": Number(due(booking)),
        "pendingAmount": Number(due(booking)),
        "currency": reservation.currency,
    })))
}

/// A booking as lists have it, where its hotel still exists.
pub(super) fn listed(world: &World, order: &Order<Booking>) -> Option<Value> {
    let booking = &order.booking;
    let reservation = &booking.reservation;
    let hotel = Hotel::of(world.seed, reservation.hotel)?;
    let status = status(world, booking);
    let room = |(id, booked): (usize, &Booked)| {
        let rate = json!({
            "amount": Number(booked.sold(&hotel).net()),
            "boardCode": booked.room.rate.key.board.code(),
            "paymentType": "AT_WEB",
            "rooms": booked.line.rooms,
        });
        json!({
            "status": status,
            "id": id,
            "code": booked.room_type().code,
            "paxes": booked.line.paxes,
            "rates": [rate],
        })
    };
    let rooms: Vec<Value> = (1..).zip(&booked(booking)).map(room).collect();
    let fee = reservation.cancellation.map(|cancellation| Number(cancellation.fee));
    Some(json!({
        "reference": order.id,
        "clientReference": client_reference(booking),
        "creationDate": order.created_at.date_naive(),
        "status": status,
        "creationUser": booking.creation_user,
        "holder": holder(booking),
        "hotel": without_nulls(json!({
            "checkIn": reservation.stay.check_in,
            "checkOut": reservation.stay.check_out,
            "code": hotel.id.hotelbeds(),
            "name": hotel.name(),
            "destinationCode": destinations::code_of(hotel.city),
            "rooms": rooms,
            "cancellationAmount": fee,
        })),
        "invoiceCompany": invoice_company(),
        "totalNet": Number(due(booking)),
        "pendingAmount": Number(due(booking)),
        "currency": reservation.currency,
    }))
}
