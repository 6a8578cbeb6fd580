//! What answers about stays share: policies, rooms with their guests; and how bodies name currencies
//! and languages.

use chrono::{DateTime, Utc};
use serde_json::json;
use wayfare_contract::{
    hotels::{self as contract, Deadline, GuestName, ReservedRoom},
    vocabulary::ConfirmationSource,
};
use wayfare_domain::{Currency, Zone, parse_currency};
use wayfare_hotels::{CancellationPolicy, Guest, HotelFee, HotelNumber, PENALTY_WORDS, Stay, SupplierStay};
use wayfare_operations::{Booking, Error, Order, hotels::deadline_fees};
use wayfare_pricing::Sale;

use crate::{
    http::json_body::JsonObject,
    resources::common::{amount, code},
};

pub const LONGEST_NAME: usize = 100;

pub const LONGEST_KEY: usize = 4_000;

pub const LONGEST_HOTEL_ID: usize = 100;

pub fn currency(body: &mut JsonObject<'_>, name: &str) -> Option<Currency> {
    let code = body.optional_text(name).filter(|code| !code.is_empty());
    body.note(name, || json!({ "pattern": "^([A-Za-z]{3})?$" }));
    body.or_fault(name, parse_currency(&code?), "must be a 3-letter currency code")
}

pub fn two_letters(
    body: &mut JsonObject<'_>,
    name: &str,
    wanted: &str,
    exists: impl FnOnce(&str) -> bool,
) -> Option<String> {
    let code = body.optional_text(name).filter(|code| !code.is_empty());
    body.note(name, || json!({ "pattern": "^([A-Za-z]{2})?$" }));
    let code = code?;
    let letters = code.len() == 2 && code.bytes().all(|letter| letter.is_ascii_alphabetic());
    if !letters || !exists(&code) {
        body.fault(name, format!("must be {wanted}"));
        return None;
    }
    Some(code)
}

/// A fee that guests pay at the hotel.
pub fn fee_at_hotel(fee: &HotelFee) -> contract::HotelFee {
    contract::HotelFee {
        name: fee.name.clone(),
        amount: amount(fee.amount),
        currency: code(fee.amount.currency()),
    }
}

/// The policy of a hotel in this time zone, as it was told then, with what it comes to for wallet and guests by this sale.
///
/// # Errors
/// When amounts don't add up.
pub fn policy(
    policy: CancellationPolicy,
    zone: Option<Zone>,
    told_at: DateTime<Utc>,
    sale: Option<&Sale>,
) -> Result<contract::CancellationPolicy, Error> {
    let fees = policy.deadlines.iter().map(|deadline| match sale {
        Some(sale) => deadline_fees(sale, deadline.fee),
        None => Ok(None),
    });
    let fees = fees.collect::<Result<Vec<_>, _>>()?;
    let mut view = told(policy, zone, told_at);
    for (deadline, fees) in view.deadlines.iter_mut().zip(fees) {
        deadline.agent_fee = fees.map(|fees| amount(fees.agent_fee));
        deadline.guest_fee = fees.map(|fees| amount(fees.guest_fee));
    }
    Ok(view)
}

/// The same for guests: each fee is of what they pay, and all of it where the supplier's can't be told in it (D-640).
///
/// # Errors
/// When amounts don't add up.
pub fn policy_for_guests(
    mut policy: CancellationPolicy,
    zone: Option<Zone>,
    told_at: DateTime<Utc>,
    booking: &Booking<Stay>,
) -> Result<contract::CancellationPolicy, Error> {
    for deadline in &mut policy.deadlines {
        let fees = match booking.sales.first() {
            Some(sale) => deadline_fees(sale, deadline.fee)?,
            None => None,
        };
        deadline.fee = fees.map_or(booking.public_fare, |fees| fees.guest_fee);
    }
    policy.remarks.retain(|remark| !remark.starts_with(PENALTY_WORDS));
    Ok(told(policy, zone, told_at))
}

fn told(
    policy: CancellationPolicy,
    zone: Option<Zone>,
    told_at: DateTime<Utc>,
) -> contract::CancellationPolicy {
    contract::CancellationPolicy {
        refundable: policy.refundable,
        free_until: policy.free_until().filter(|until| *until > told_at),
        time_zone: zone.map(|zone| zone.to_string()),
        deadlines: policy
            .deadlines
            .into_iter()
            .map(|deadline| Deadline {
                from: deadline.from,
                local: zone.map(|zone| {
                    let local = deadline.from.with_timezone(&zone);
                    local.format("%Y-%m-%dT%H:%M:%S%:z").to_string()
                }),
                text: deadline.text,
                fee: amount(deadline.fee),
                currency: code(deadline.fee.currency()),
                agent_fee: None,
                guest_fee: None,
            })
            .collect(),
        remarks: policy.remarks,
    }
}

pub fn rooms(stay: &Stay) -> Vec<ReservedRoom> {
    let room = |room: &wayfare_hotels::RoomRequest| {
        let rate = stay.rates.iter().find(|rate| rate.token == room.token);
        let guest = |guest: &Guest| GuestName {
            kind: guest.kind.as_ref().into(),
            title: guest.title.map(|title| title.as_ref().into()),
            first_name: guest.first_name.clone(),
            last_name: guest.last_name.clone(),
            age: guest.age,
        };
        ReservedRoom {
            room_type: rate.map(|rate| rate.room_name.clone()).unwrap_or_default(),
            guests: room.guests.iter().map(guest).collect(),
        }
    };
    stay.rooms.iter().map(room).collect()
}

/// The number under which the hotel knows the guests; empty until the supplier has told one.
pub fn confirmation(orders: &[Order<SupplierStay>]) -> String {
    let content = orders.first().and_then(|order| order.content.as_ref());
    content.map(SupplierStay::shown_confirmation).unwrap_or_default()
}

/// Whose number the confirmation is, and the hotel's own numbers.
pub fn hotel_numbers(made: Option<&SupplierStay>) -> (ConfirmationSource, Vec<contract::HotelNumber>) {
    let numbers = made.map(|made| made.hotel_numbers.as_slice()).unwrap_or_default();
    let source = match numbers {
        [] => ConfirmationSource::Supplier,
        [_, ..] => ConfirmationSource::Hotel,
    };
    let view = |told: &HotelNumber| contract::HotelNumber {
        room: told.room,
        number: told.number.clone(),
        told_at: told.told_at,
    };
    (source, numbers.iter().map(view).collect())
}
