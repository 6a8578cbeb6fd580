//! What answers about stays share: fees at the hotel, policies, rooms with their guests; and how bodies name currencies
//! and languages.

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use wayfare_domain::{Amount, Currency, Title, Zone, parse_currency};
use wayfare_hotels::{
    CancellationPolicy, Guest, GuestKind, HotelFee, HotelNumber, PENALTY_WORDS, Stay, SupplierStay,
};
use wayfare_operations::{Booking, Error, Order, hotels::deadline_fees};
use wayfare_pricing::Sale;

use crate::{http::json_body::JsonObject, resources::common::CurrencyCode};

pub const LONGEST_NAME: usize = 100;

pub const LONGEST_KEY: usize = 4_000;

pub const LONGEST_HOTEL_ID: usize = 100;

pub fn currency(body: &mut JsonObject<'_>, name: &str) -> Option<Currency> {
    let code = body.optional_text(name).filter(|code| !code.is_empty());
    body.note(name, || json!({ "pattern": "^([A-Za-z]{3})?$" }));
    let code = code?;
    let currency = parse_currency(&code);
    if currency.is_none() {
        body.fault(name, "must be a 3-letter currency code");
    }
    currency
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

/// The fees of the first currency that is named, added up; others stand in their lines.
pub fn fees(fees: &[HotelFee]) -> (Decimal, Option<Currency>) {
    let Some(currency) = fees.first().map(|fee| fee.amount.currency()) else {
        return (Decimal::ZERO, None);
    };
    let same = fees.iter().filter(|fee| fee.amount.currency() == currency);
    (same.map(|fee| fee.amount.amount()).sum(), Some(currency))
}

/// What giving a stay back costs, each deadline as an instant, by the hotel's clocks and in the supplier's words.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Policy")]
pub struct PolicyView {
    refundable: Option<bool>,
    free_until: Option<DateTime<Utc>>,
    #[schemars(with = "Option<String>")]
    time_zone: Option<Zone>,
    deadlines: Vec<DeadlineView>,
    remarks: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Deadline")]
struct DeadlineView {
    from: DateTime<Utc>,
    local: Option<String>,
    text: String,
    fee: Amount,
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_fee: Option<Amount>,
    #[serde(skip_serializing_if = "Option::is_none")]
    guest_fee: Option<Amount>,
}

impl PolicyView {
    /// The policy of a hotel in this time zone, as it was told then, with what it comes to for wallet and guests by this sale.
    ///
    /// # Errors
    /// When amounts don't add up.
    pub fn of(
        policy: CancellationPolicy,
        zone: Option<Zone>,
        told_at: DateTime<Utc>,
        sale: Option<&Sale>,
    ) -> Result<Self, Error> {
        let fees = policy.deadlines.iter().map(|deadline| match sale {
            Some(sale) => deadline_fees(sale, deadline.fee),
            None => Ok(None),
        });
        let fees = fees.collect::<Result<Vec<_>, _>>()?;
        let mut view = Self::told(policy, zone, told_at);
        for (deadline, fees) in view.deadlines.iter_mut().zip(fees) {
            deadline.agent_fee = fees.map(|fees| fees.agent_fee.number());
            deadline.guest_fee = fees.map(|fees| fees.guest_fee.number());
        }
        Ok(view)
    }

    /// The same for guests: each fee is of what they pay, and all of it where the supplier's can't be told in it (D-640).
    ///
    /// # Errors
    /// When amounts don't add up.
    pub fn for_guests(
        mut policy: CancellationPolicy,
        zone: Option<Zone>,
        told_at: DateTime<Utc>,
        booking: &Booking<Stay>,
    ) -> Result<Self, Error> {
        for deadline in &mut policy.deadlines {
            let fees = match booking.sales.first() {
                Some(sale) => deadline_fees(sale, deadline.fee)?,
                None => None,
            };
            deadline.fee = fees.map_or(booking.public_fare, |fees| fees.guest_fee);
        }
        policy.remarks.retain(|remark| !remark.starts_with(PENALTY_WORDS));
        Ok(Self::told(policy, zone, told_at))
    }

    fn told(policy: CancellationPolicy, zone: Option<Zone>, told_at: DateTime<Utc>) -> Self {
        Self {
            refundable: policy.refundable,
            free_until: policy.free_until().filter(|until| *until > told_at),
            time_zone: zone,
            deadlines: policy
                .deadlines
                .into_iter()
                .map(|deadline| DeadlineView {
                    from: deadline.from,
                    local: zone.map(|zone| {
                        let local = deadline.from.with_timezone(&zone);
                        local.format("%Y-%m-%dT%H:%M:%S%:z").to_string()
                    }),
                    text: deadline.text,
                    fee: deadline.fee.number(),
                    currency: deadline.fee.currency(),
                    agent_fee: None,
                    guest_fee: None,
                })
                .collect(),
            remarks: policy.remarks,
        }
    }
}

#[derive(Serialize, JsonSchema)]
pub struct ReservedRoom {
    room_type: String,
    guests: Vec<GuestName>,
}

#[derive(Serialize, JsonSchema)]
struct GuestName {
    #[serde(rename = "type")]
    kind: GuestKind,
    title: Option<Title>,
    first_name: String,
    last_name: String,
    age: Option<u8>,
}

pub fn rooms(stay: &Stay) -> Vec<ReservedRoom> {
    let room = |room: &wayfare_hotels::RoomRequest| {
        let rate = stay.rates.iter().find(|rate| rate.token == room.token);
        let guest = |guest: &Guest| GuestName {
            kind: guest.kind,
            title: guest.title,
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

/// Whose number a confirmation is.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConfirmationSource {
    Hotel,
    Supplier,
}

/// The hotel's own number of a room.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "HotelConfirmationNumber")]
pub struct HotelNumberView {
    #[serde(skip_serializing_if = "Option::is_none")]
    room: Option<u16>,
    number: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    told_at: Option<DateTime<Utc>>,
}

/// Whose number the confirmation is, and the hotel's own numbers.
pub fn hotel_numbers(made: Option<&SupplierStay>) -> (ConfirmationSource, Vec<HotelNumberView>) {
    let numbers = made.map(|made| made.hotel_numbers.as_slice()).unwrap_or_default();
    let source = match numbers {
        [] => ConfirmationSource::Supplier,
        [_, ..] => ConfirmationSource::Hotel,
    };
    let view = |told: &HotelNumber| HotelNumberView {
        room: told.room,
        number: told.number.clone(),
        told_at: told.told_at,
    };
    (source, numbers.iter().map(view).collect())
}
