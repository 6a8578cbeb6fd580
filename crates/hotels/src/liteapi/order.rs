//! Their bookings as our stays, and what giving them back returns.

use std::collections::HashSet;

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use wayfare_domain::{Money, OrderStatus};
use wayfare_supply::reading::{Unreadable, filled, parse};
use wayfare_supply::{
    CancellationQuote, CancellationState, LossKind, UnclearRefund, amounts::MaybeNumber,
    lenient::parse_leniently, note_loss, plain_text, times,
};

use super::money::money;
use super::parts::ORDERED;
use super::policy::{self, Basis};
use super::wire::{self, BookedRoom, Cancelled, Envelope, Policies};
use crate::{CancellationPolicy, HotelNumber, SupplierStay, arrival};

/// A booking is given back as a whole and without an id, so that every cancellation has this one.
pub(super) const CANCELLATION: &str = "cancel";

/// What of a booking must stand on a voucher, by where it is.
const VOUCHER_TEXTS: [&str; 6] = [
    "/mandatoryFees",
    "/optionalFees",
    "/knowBeforeYouGo",
    "/remarks",
    "/hotelRemarks",
    "/checkinInstructions/instructions",
];

/// What must be remembered of a priced offer to book it.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SupplierContext {
    pub prebook_id: String,
}

impl SupplierContext {
    pub fn read(supplier_context: &Value) -> Result<Self, String> {
        Self::deserialize(supplier_context)
            .map_err(|error| format!("what was kept of the price is unreadable: {error}"))
    }
}

/// A booking as it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Booking {
    /// Whose it is; none where it was made without a reference.
    pub reference: Option<String>,
    /// What was given back, where it is told.
    pub refunded: Option<Money>,
    /// What giving it back costs if its penalties are of its price, where they don't tell whether they are of that or of what is left
    /// of it without our commission, as `stay` has them.
    pub policy_of_price: Option<CancellationPolicy>,
    /// All else.
    pub stay: SupplierStay,
}

/// A booking, as it stands now.
pub fn booking(body: &[u8], now: DateTime<Utc>) -> Result<Booking, Unreadable> {
    sold_booking(body, None, now)
}

/// The same of one that was sold for `due`, which it costs where nobody can read what it says: that does not hide it.
pub fn sold_booking(body: &[u8], due: Option<Money>, now: DateTime<Utc>) -> Result<Booking, Unreadable> {
    let theirs = parse_leniently::<Envelope<wire::Booking<'_>>>(body, "", &ORDERED)?.data;
    let raw = parse::<Envelope<Value>>(body)?.data;
    let stated = total(&theirs);
    let total = match (stated, due) {
        (Ok(total), _) => total,
        (Err(reason), Some(due)) => {
            note_loss(LossKind::LeftOut, "price", reason);
            due
        }
        (Err(reason), None) => return Err(Unreadable::new(reason)),
    };
    let refunded = refunded(&theirs);
    if filled(&theirs.hotel_confirmation_code).or(filled(&theirs.supplier_booking_id)).is_none()
        && status(&theirs.status) == OrderStatus::Confirmed
    {
        note_loss(LossKind::Missing, "hotelConfirmationCode", "");
    }
    let confirmation = filled(&theirs.hotel_confirmation_code)
        .or(filled(&theirs.supplier_booking_id))
        .unwrap_or(&theirs.booking_id)
        .to_owned();
    // Where the hotel has told none, LiteAPI shows its own id in its place.
    let of_hotel = filled(&theirs.hotel_confirmation_code).filter(|code| *code != theirs.booking_id);
    let hotel_numbers =
        of_hotel.map(|number| HotelNumber { room: None, number: number.to_owned(), told_at: None });
    let policy = policy_of(&theirs, total, true, now);
    let of_price = policy_of(&theirs, total, false, now);
    Ok(Booking {
        policy_of_price: (of_price != policy).then_some(of_price),
        reference: filled(&theirs.client_reference).map(str::to_owned),
        refunded,
        stay: SupplierStay {
            status: status(&theirs.status),
            confirmation,
            total,
            policy,
            voucher_texts: voucher_texts(&raw),
            created_at: theirs.created_at.as_deref().and_then(times::instant),
            hotel_numbers: hotel_numbers.into_iter().collect(),
            raw: raw.into(),
            id: theirs.booking_id,
        },
    })
}

fn total(theirs: &wire::Booking<'_>) -> Result<Money, String> {
    let amount = theirs.price.ok_or("price can't be read")?;
    let currency = theirs.currency.as_deref().ok_or("currency can't be read")?;
    let total = money("price", amount, currency)?;
    match total.is_negative() {
        true => Err(format!("the booking costs {total}")),
        false => Ok(total),
    }
}

/// The day of arrival, as the booking tells it.
pub(super) fn check_in(raw: &Value) -> Option<NaiveDate> {
    times::day(raw.get("checkin")?.as_str()?)
}

/// What was given back, where it is told. How much that is must not hide the booking.
fn refunded(theirs: &wire::Booking<'_>) -> Option<Money> {
    let refunded = match (theirs.amount_refunded.clone(), theirs.currency.as_deref()) {
        (Some(amount), Some(currency)) => refund("amountRefunded", amount, currency),
        _ => Ok(None),
    };
    let refunded = refunded.unwrap_or_else(|reason| {
        note_loss(LossKind::LeftOut, "amountRefunded", &reason);
        None
    });
    // Nothing refunded may as well be not yet refunded, and on credit it is an invoice that changes.
    refunded.filter(|amount| amount.is_positive())
}

/// The cancellation of a booking, as the booking tells it, whatever it says of its price; none where it stands.
pub fn found_cancellation(body: &[u8]) -> Result<Option<CancellationQuote>, Unreadable> {
    let theirs = parse_leniently::<Envelope<wire::Booking<'_>>>(body, "", &ORDERED)?.data;
    let raw = parse::<Envelope<Value>>(body)?.data;
    let is_cancelled = status(&theirs.status) == OrderStatus::Cancelled;
    Ok(is_cancelled.then(|| quote(CancellationState::Confirmed, refunded(&theirs), None, raw)))
}

/// The answer to a cancellation.
pub fn cancelled(body: &[u8]) -> Result<CancellationQuote, Unreadable> {
    let theirs = parse_leniently::<Envelope<Cancelled>>(body, "", &ORDERED)?.data;
    let raw = parse::<Envelope<Value>>(body)?.data;
    if status(&theirs.status) != OrderStatus::Cancelled {
        return Err(Unreadable::new(format!("the booking is {}", theirs.status)));
    }
    let refund = match theirs.refund_amount {
        Some(amount) => refund("refund_amount", amount, theirs.currency.as_deref().unwrap_or_default()),
        None => Ok(None),
    };
    // How much comes back must not hide that it was carried out.
    let (refund, unclear) = match refund {
        Ok(refund) => (refund, None),
        Err(reason) => {
            note_loss(LossKind::LeftOut, "refund_amount", &reason);
            let money = ["status", "cancellation_fee", "refund_amount", "currency"];
            (None, Some(UnclearRefund::of(reason, &raw, &money)))
        }
    };
    Ok(CancellationQuote { unclear, ..quote(CancellationState::Confirmed, refund, None, raw) })
}

fn refund(field: &str, amount: MaybeNumber, currency: &str) -> Result<Option<Money>, String> {
    let refund = money(field, amount.read()?, currency)?;
    match refund.is_negative() {
        true => Err("a refund below zero".to_owned()),
        false => Ok(Some(refund)),
    }
}

pub(super) fn quote(
    state: CancellationState,
    refund: Option<Money>,
    expires_at: Option<DateTime<Utc>>,
    raw: Value,
) -> CancellationQuote {
    CancellationQuote { expires_at, ..CancellationQuote::of(CANCELLATION, refund, state, raw) }
}

/// Of one in an unknown word nobody knows how it ends.
fn status(theirs: &str) -> OrderStatus {
    match theirs.trim().to_ascii_uppercase().as_str() {
        "CONFIRMED" => OrderStatus::Confirmed,
        "CANCELLED" | "CANCELED" | "CANCELLED_WITH_CHARGES" => OrderStatus::Cancelled,
        "PENDING" => OrderStatus::Pending,
        "FAILED" | "REJECTED" => OrderStatus::Failed,
        _ => {
            note_loss(LossKind::UnknownWord, "status", theirs);
            OrderStatus::Pending
        }
    }
}

/// That of all rooms together where each tells its own and they add up to the price, else what is said of the booking.
fn policy_of(
    theirs: &wire::Booking<'_>,
    total: Money,
    is_net: bool,
    now: DateTime<Utc>,
) -> CancellationPolicy {
    let commission = match &theirs.commission {
        None => None,
        Some(commission) => match commission.known("commission") {
            Some(commission) => Some(commission.0),
            // Of what the penalties are nobody knows then.
            None => return CancellationPolicy::default(),
        },
    };
    let basis = |price: Money| Basis {
        total: price,
        // The booking tells it of all rooms: each has its part by its price.
        commission: commission.and_then(|all| all.checked_mul(price.amount())?.checked_div(total.amount())),
        is_net,
    };
    let check_in = theirs.checkin.as_deref().and_then(times::day);
    let of = |theirs: &Policies<'_>, price: Money| match check_in {
        Some(day) => policy::policy(Some(theirs), basis(price), arrival(day, None), now),
        // Nobody knows until when it is free where no deadline tells it.
        None => policy::policy(Some(theirs), basis(price), DateTime::UNIX_EPOCH, now),
    };
    let rooms: Option<Vec<_>> = theirs
        .booked_rooms
        .iter()
        .map(|room| {
            let (price, policies) = policies_of(room)?;
            Some((price, of(policies, price)))
        })
        .collect();
    let mut policy = match rooms.map(policy::together) {
        Some(Ok(Some((sum, policy)))) if sum == total => policy,
        _ => theirs.cancellation_policies.as_ref().map(|policies| of(policies, total)).unwrap_or_default(),
    };
    plain_text::each_text(&mut policy.remarks);
    policy
}

fn policies_of<'a, 'b>(room: &'b BookedRoom<'a>) -> Option<(Money, &'b Policies<'a>)> {
    let price = money("bookedRooms.amount", room.amount?, room.currency.as_deref()?).ok()?;
    let of_rate = || room.rate.as_ref()?.cancellation_policies.as_ref();
    Some((price, room.cancellation_policies.as_ref().or_else(of_rate)?))
}

/// What it says that a guest must see, each once.
fn voucher_texts(raw: &Value) -> Vec<String> {
    let rooms = raw.get("bookedRooms").and_then(Value::as_array);
    let of_rates = rooms.into_iter().flatten().filter_map(|room| room.pointer("/rate/remarks"));
    let of_booking = VOUCHER_TEXTS.into_iter().filter_map(|place| raw.pointer(place));
    let mut seen = HashSet::new();
    let texts = of_booking.chain(of_rates).filter_map(Value::as_str);
    let mut texts: Vec<String> = texts.filter(|text| seen.insert(*text)).map(str::to_owned).collect();
    plain_text::each_text(&mut texts);
    texts
}
