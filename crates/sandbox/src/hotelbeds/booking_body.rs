//! Bookings in JSON: in full, and as lists show them.

use chrono::NaiveDate;
use rust_decimal::Decimal;
use serde::Serialize;
use serde_json::{Value, json};

use super::booking_guests::Pax;
use super::bookings::{BookedLine, Booking, Holder};
use super::check::{MODIFICATION_POLICIES, ModificationPolicies};
use super::comments;
use super::destinations;
use super::errors::ApiError;
use super::offers::Sold;
use super::party::Party;
use super::rate_body::{CallFields, HotelHead, RateBody, break_down};
use super::wire::{Number, Text};
use crate::hotels::{BookedRoom, Hotel, RoomType};
use crate::orders::{Order, Status};
use crate::server::World;

/// A booking in full. Amounts are numbers here, and texts further in.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BookingBody<'a> {
    reference: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cancellation_reference: Option<&'a str>,
    client_reference: String,
    creation_date: NaiveDate,
    status: &'static str,
    modification_policies: ModificationPolicies,
    creation_user: &'a str,
    holder: Holder,
    hotel: HotelBody<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remark: Option<&'a str>,
    invoice_company: Value,
    total_net: Number,
    pending_amount: Number,
    currency: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct HotelBody<'a> {
    check_out: NaiveDate,
    check_in: NaiveDate,
    #[serde(flatten)]
    head: HotelHead,
    rooms: Vec<RoomBody<'a>>,
    total_net: Text,
    currency: &'a str,
    supplier: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    cancellation_amount: Option<Number>,
}

#[derive(Serialize)]
struct RoomBody<'a> {
    status: &'static str,
    /// Counted from 1.
    id: usize,
    code: &'static str,
    name: String,
    paxes: &'a [Pax],
    rates: [RateBody; 1],
}

struct Booked<'a> {
    line: &'a BookedLine,
    room: &'a BookedRoom,
    party: Party,
}

impl Booked<'_> {
    fn sold<'a>(&'a self, hotel: &'a Hotel) -> Sold<'a> {
        Sold {
            hotel,
            party: &self.party,
            rate: &self.room.rate,
        }
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
        let party = Party {
            rooms: line.rooms,
            guests: room.guests.clone(),
        };
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

/// Hotelbeds keeps them in capitals.
fn client_reference(booking: &Booking) -> String {
    let reference = booking.reservation.client_reference.as_deref();
    reference.unwrap_or_default().to_uppercase()
}

fn holder(booking: &Booking) -> Holder {
    Holder {
        name: booking.holder.name.to_uppercase(),
        surname: booking.holder.surname.to_uppercase(),
    }
}

fn invoice_company() -> Value {
    json!({ "code": "SBX", "company": "SANDBOX INVOICES, LTD", "registrationNumber": "XX00000001" })
}

pub(super) fn in_full<'a>(
    world: &World,
    order: &'a Order,
    booking: &'a Booking,
) -> Result<BookingBody<'a>, ApiError> {
    let reservation = &booking.reservation;
    let hotel = Hotel::of(world.seed, reservation.hotel).ok_or_else(ApiError::no_booking)?;
    let status = status(world, booking);
    let rooms = (1..).zip(booked(booking)).map(|(id, booked)| {
        let sold = booked.sold(&hotel);
        let call_fields = CallFields {
            rate_comments: Some(comments::of_sold(&sold)),
            rate_break_down: break_down(&sold),
            ..CallFields::default()
        };
        let rate = RateBody::of(world, &sold, booked.line.found_at, call_fields);
        RoomBody {
            status,
            id,
            code: booked.room_type().code,
            name: booked.room_type().name.to_uppercase(),
            paxes: &booked.line.paxes,
            rates: [rate],
        }
    });
    Ok(BookingBody {
        reference: &order.id,
        cancellation_reference: booking.cancellation_reference.as_deref(),
        client_reference: client_reference(booking),
        creation_date: order.created_at.date_naive(),
        status,
        modification_policies: MODIFICATION_POLICIES,
        creation_user: &booking.creation_user,
        holder: holder(booking),
        hotel: HotelBody {
            check_out: reservation.stay.check_out,
            check_in: reservation.stay.check_in,
            head: HotelHead::of(&hotel),
            rooms: rooms.collect(),
            total_net: Text(due(booking)),
            currency: &reservation.currency,
            supplier: json!({ "name": "SANDBOX HOTELS, LTD", "vatNumber": "XX00000002" }),
            cancellation_amount: reservation
                .cancellation
                .map(|cancellation| Number(cancellation.fee)),
        },
        remark: booking.remark.as_deref(),
        invoice_company: invoice_company(),
        total_net: Number(due(booking)),
        pending_amount: Number(due(booking)),
        currency: &reservation.currency,
    })
}

/// A booking as lists show it, where its hotel still stands.
pub(super) fn listed(world: &World, order: &Order, booking: &Booking) -> Option<Value> {
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
    let mut body = json!({
        "reference": order.id,
        "clientReference": client_reference(booking),
        "creationDate": order.created_at.date_naive(),
        "status": status,
        "creationUser": booking.creation_user,
        "holder": holder(booking),
        "hotel": {
            "checkIn": reservation.stay.check_in,
            "checkOut": reservation.stay.check_out,
            "code": hotel.id.hotelbeds(),
            "name": hotel.name(),
            "destinationCode": destinations::code_of(hotel.city),
            "rooms": rooms,
        },
        "invoiceCompany": invoice_company(),
        "totalNet": Number(due(booking)),
        "pendingAmount": Number(due(booking)),
        "currency": reservation.currency,
    });
    if let (Some(cancellation), Some(Value::Object(hotel))) =
        (reservation.cancellation, body.get_mut("hotel"))
    {
        hotel.insert("cancellationAmount".to_owned(), json!(Number(cancellation.fee)));
    }
    Some(body)
}
