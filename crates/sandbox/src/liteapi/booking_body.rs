//! A booking in LiteAPI's words: as it is made, as it is read, and as it is listed.

use actix_web::HttpResponse;
use chrono::{DateTime, SecondsFormat, Utc};
use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::World;
use super::bookings::{Booking, Guest, Person, status};
use super::rate_body::{elsewhere, rate_id, remarks, room_number, room_type_id};
use super::wire::{board_name, money, policies, refundable_tag};
use crate::hotels::{Hotel, Rate};
use crate::json::{Number, merged};
use crate::orders::{BookedRoom, Order};
use crate::rng::Rng;
use crate::tariff::Tariff;

pub(super) fn guest_id(holder: &Person) -> u32 {
    Rng::of(0, &format!("guest/{}", holder.email)).between(1, 9_999_999)
}

fn instant(instant: DateTime<Utc>) -> String {
    instant.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// Bookings tell penalties of the price less the commission, of which each room has its part.
fn room_policies(rooms: &[BookedRoom], booking: &Booking, made_at: DateTime<Utc>) -> Value {
    let reservation = &booking.reservation;
    let rates: Vec<&Rate> = rooms.iter().map(|room| &room.rate).collect();
    let price: Decimal = rates.iter().map(|rate| rate.total()).sum();
    let commission = (booking.commission * price).checked_div(reservation.total());
    policies(&rates, commission.unwrap_or_default(), &reservation.currency, made_at)
}

fn common(seed: u64, order: &Order<Booking>, now: DateTime<Utc>) -> Value {
    let (order_id, made_at, booking) = (&order.id, order.created_at, &order.booking);
    let reservation = &booking.reservation;
    let rates = || reservation.rooms.iter().map(|room| &room.rate);
    let free_until = rates().filter_map(|rate| rate.free_until(made_at)).min();
    let cancellation = reservation.cancelled_by(now);
    let refund = cancellation.map(|cancellation| reservation.total() - cancellation.fee);
    let refunded = refund.filter(|refund| *refund > Decimal::ZERO);
    let cancelled_at = cancellation.map(|cancellation| instant(cancellation.at));
    let hotel = Hotel::of(seed, reservation.hotel);
    let (total, tariff) = (reservation.total(), Tariff::in_currency(&reservation.currency));
    json!({
        "bookingId": order_id,
        "clientReference": reservation.client_reference.as_deref().unwrap_or_default(),
        "supplierBookingId": order_id,
        "supplierBookingName": "nuitee",
        "supplier": "nuitee",
        "supplierId": 2,
        "status": status(reservation, now),
        "hotelConfirmationCode": reservation.hotel_numbers.first().unwrap_or(order_id),
        "checkin": reservation.stay.check_in,
        "checkout": reservation.stay.check_out,
        "hotel": {
            "hotelId": reservation.hotel.liteapi(),
            "name": hotel.map(|hotel| hotel.name()),
        },
        "holder": {
            "firstName": booking.holder.first_name,
            "lastName": booking.holder.last_name,
            "email": booking.holder.email,
            "phone": booking.holder.phone,
        },
        "createdAt": instant(made_at),
        "updatedAt": cancelled_at.clone().unwrap_or_else(|| instant(made_at)),
        "cancellationPolicies": room_policies(&reservation.rooms, booking, made_at),
        "price": Number(total),
        "commission": Number(booking.commission),
        "addonsTotalAmount": 0,
        "currency": reservation.currency,
        "trackingId": "",
        "prebookId": booking.prebook_id,
        "sellingPrice": total.to_string(),
        "exchangeRate": 1,
        "exchangeRateUsd": tariff.map(|tariff| Number(tariff.per_dollar())),
        "tag": refundable_tag(rates().any(|rate| rate.is_refundable(made_at))),
        "lastFreeCancellationDate": free_until.map(instant),
        "userId": 1,
        "nationality": booking.nationality,
        "loyaltyGuestId": null,
        "cancelledAt": cancelled_at,
        "refundedAt": refunded.and(cancelled_at.clone()),
        "cancelledBy": null,
        "suggestedSellingPrice": tariff.map(|tariff| elsewhere(&tariff, total)),
        "remarks": booking.guests.iter().map(|guest| guest.remarks.as_str()).collect::<Vec<_>>().join(" ").trim(),
        "goodwillPayment": null,
    })
}

/// What reading a booking returns besides: as much as there is.
fn ledger(booking: &Booking, now: DateTime<Utc>) -> Value {
    let reservation = &booking.reservation;
    let total = reservation.total();
    let cancellation = reservation.cancelled_by(now);
    let refund = cancellation.map_or(Decimal::ZERO, |cancellation| total - cancellation.fee);
    let (payment_status, refund_type) = match refund {
        nothing if nothing.is_zero() => ("succeeded", ""),
        all if all == total => ("refunded", "full"),
        _ => ("refunded", "partial"),
    };
    json!({
        "feed": "",
        "specialRemarks": "",
        "clientCommission": Number(booking.commission),
        "paymentStatus": payment_status,
        "paymentTransactionId": format!("tr_cts_{}", booking.prebook_id),
        "email": booking.holder.email,
        "voucherId": null,
        "voucherTotalAmount": 0,
        "voucherTransationId": "",
        "processingFee": 0,
        "amountRefunded": Number(refund),
        "refundType": refund_type,
        "paymentScheduledAt": null,
        "addonsRedemptions": null,
        "rebookFrom": "",
        "agentId": null,
        "customTags": {},
    })
}

pub(super) fn made(seed: u64, order: &Order<Booking>) -> HttpResponse {
    let (made_at, booking) = (order.created_at, &order.booking);
    let own = json!({
        "bookedRooms": booked_rooms(booking, made_at),
        "guestId": guest_id(&booking.holder),
        "addons": null,
    });
    let body = merged(common(seed, order, made_at), own);
    HttpResponse::Ok().json(json!({ "data": body, "guestLevel": 0, "sandbox": true }))
}

pub(super) fn read(world: &World, order: &Order<Booking>) -> Value {
    let (made_at, booking, now) = (order.created_at, &order.booking, world.clock.now());
    let reservation = &booking.reservation;
    let adults: u32 = reservation.rooms.iter().map(|room| u32::from(room.guests.adults)).sum();
    let children: usize = reservation.rooms.iter().map(|room| room.guests.children.len()).sum();
    let total = reservation.total();
    let own = json!({
        "bookedRooms": booked_rooms(booking, made_at),
        "optionalFees": "",
        "mandatoryFees": due_there(booking),
        "knowBeforeYouGo": "",
        "voucherCode": "",
        "addons": null,
        "guestId": guest_id(&booking.holder),
        "distributorCommission": Number(booking.commission),
        "distributorPrice": Number(total - booking.commission),
        "firstName": booking.holder.first_name,
        "lastName": booking.holder.last_name,
        "adults": adults,
        "children": if children == 0 { String::new() } else { children.to_string() },
        "childrenCount": children,
        "holderTitle": "",
        "hotelId": reservation.hotel.liteapi(),
        "hotelName": Hotel::of(world.seed, reservation.hotel).map(|hotel| hotel.name()),
        "sandbox": 1,
    });
    let common = common(world.seed, order, now);
    merged(merged(common, ledger(booking, now)), own)
}

/// A booking in a list: its rooms have another name and say less.
pub(super) fn listed(world: &World, order: &Order<Booking>) -> Value {
    let (booking, now) = (&order.booking, world.clock.now());
    let rooms = in_rooms(booking).map(|(number, room, guest)| occupancy(booking, number, room, guest));
    let own = json!({
        "rooms": rooms.collect::<Vec<_>>(),
        "guestId": guest_id(&booking.holder).to_string(),
        "sandbox": 1,
    });
    let common = common(world.seed, order, now);
    merged(merged(common, ledger(booking, now)), own)
}

/// The rooms with their numbers and their first guests.
fn in_rooms(booking: &Booking) -> impl Iterator<Item = (usize, &BookedRoom, Option<&Guest>)> {
    (1..).zip(&booking.reservation.rooms).map(|(number, room)| {
        let guest = booking.guests.iter().find(|guest| guest.occupancy_number == number);
        (number, room, guest)
    })
}

fn due_there(booking: &Booking) -> String {
    booking.reservation.rooms.iter().map(|room| remarks(&room.rate)).collect()
}

fn occupancy(booking: &Booking, number: usize, room: &BookedRoom, guest: Option<&Guest>) -> Value {
    let person = guest.map(|guest| &guest.person);
    let children = room.guests.children.len();
    json!({
        "adults": room.guests.adults,
        "children": children,
        "firstName": person.map(|person| &person.first_name),
        "lastName": person.map(|person| &person.last_name),
        "childrenAges": room.guests.children,
        "room_id": rate_id(&booking.offer_id, number),
        "occupancy_number": number,
        "amount": Number(room.rate.total()),
        "currency": booking.reservation.currency,
        "children_count": children,
        "remarks": guest.map_or("", |guest| &guest.remarks),
        "guests": guest.into_iter().collect::<Vec<_>>(),
    })
}

fn booked_rooms(booking: &Booking, made_at: DateTime<Utc>) -> Vec<Value> {
    let reservation = &booking.reservation;
    let body = |(number, room, guest): (usize, &BookedRoom, Option<&Guest>)| {
        let (kind, board) = (room.rate.key.room, room.rate.key.board);
        let policies = room_policies(std::slice::from_ref(room), booking, made_at);
        let body = occupancy(booking, number, room, guest);
        let more = json!({
            "roomType": {
                "roomTypeId": room_type_id(reservation.hotel, kind),
                "name": kind.room_type().name,
            },
            "boardType": board.code(),
            "boardName": board_name(board),
            "board": board_name(board),
            "boardCode": board.code(),
            "rate": {
                "rateId": rate_id(&booking.offer_id, number),
                "retailRate": { "total": money(room.rate.total(), &reservation.currency) },
                "cancellationPolicies": policies,
                "maxOccupancy": kind.room_type().max_occupancy,
                "boardType": board.code(),
                "boardName": board_name(board),
                "remarks": remarks(&room.rate),
                "perks": [],
            },
            "cancellationPolicies": policies,
            "mappedRoomId": room_number(reservation.hotel, kind),
        });
        merged(body, more)
    };
    in_rooms(booking).map(body).collect()
}
