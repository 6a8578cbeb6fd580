//! What giving a booking back returns. LiteAPI quotes nothing: it is worked out from terms, and the cancellation tells it.

use std::fmt::Display;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use rust_decimal::Decimal;
use serde_json::Value;
use wayfare_domain::{KeptByTerms, Money, MoneyError, OrderStatus, minor_units};
use wayfare_supply::{
    Answer, CancellationQuote, CancellationState, OrderToCancel, Refusal, UnclearRefund, reading::parse,
};

use super::{
    order::{self, Booking},
    wire::Envelope,
};
use crate::CancellationPolicy;

/// What a booking says of money.
const MONEY: [&str; 4] = ["status", "price", "currency", "cancellationPolicies"];
/// So far behind UTC a day ends last.
const LAST_ZONE: TimeDelta = TimeDelta::hours(12);

/// What giving the booking back would return now, by its own terms or by those that were sold, whichever is less.
pub(super) fn quoted(
    booking: Booking,
    order: OrderToCancel<'_>,
    now: DateTime<Utc>,
) -> Answer<CancellationQuote> {
    match booking.stay.status {
        OrderStatus::Cancelled => return Answer::Done(carried_out(booking)),
        OrderStatus::Confirmed => {}
        status => {
            return Answer::Refused(Refusal::new(format!("the booking is {}", status.as_ref())));
        }
    }
    match at(&booking, order, now) {
        Ok(Returned { refund, at_most, expires_at }) => Answer::Done(CancellationQuote {
            at_most: Some(at_most),
            ..order::quote(CancellationState::Pending, Some(refund), expires_at, booking.stay.raw.into_tree())
        }),
        Err(error) => {
            let raw = booking.stay.raw.into_tree();
            let reason = format!("what it costs can't be told: {error}");
            Answer::Done(CancellationQuote {
                unclear: Some(UnclearRefund::of(reason, &raw, &MONEY)),
                ..order::quote(CancellationState::Pending, None, None, raw)
            })
        }
    }
}

/// What there is of a booking that can't be read: what giving it back returns is not clear.
pub(super) fn unclear_quote(body: &[u8], reason: impl Display) -> CancellationQuote {
    let unclear = match parse::<Envelope<Value>>(body) {
        Ok(envelope) => UnclearRefund::of(reason, &envelope.data, &MONEY),
        Err(_) => UnclearRefund::of_body(reason, body),
    };
    CancellationQuote {
        unclear: Some(unclear),
        ..order::quote(CancellationState::Pending, None, None, Value::Null)
    }
}

/// The cancellation of a booking that is cancelled.
pub(super) fn carried_out(booking: Booking) -> CancellationQuote {
    let Booking { refunded, stay, .. } = booking;
    order::quote(CancellationState::Confirmed, refunded, None, stay.raw.into_tree())
}

/// What comes back.
struct Returned {
    refund: Money,
    at_most: Money,
    expires_at: Option<DateTime<Utc>>,
}

fn at(booking: &Booking, order: OrderToCancel<'_>, now: DateTime<Utc>) -> Result<Returned, MoneyError> {
    let total = booking.stay.total;
    let dated = |policy: &CancellationPolicy| {
        let policy = policy.clone();
        match order.first_day {
            Some(first_day) => policy.arriving_at(first_day, total),
            None => policy,
        }
    };
    let policy = dated(&booking.stay.policy);
    let mut kept = policy.kept_at(now, total)?;
    if let Some(sold) = order.kept_by_terms {
        // What the penalties are of the sale tells, where they don't.
        if let Some(of_price) = &booking.policy_of_price {
            let of_price = dated(of_price).kept_at(now, total)?;
            if is_about(of_price.most, sold.most) {
                kept = of_price;
            }
        }
        kept = or_sold(kept, sold)?;
    }
    let is_over = order::check_in(&booking.stay.raw.tree()).is_some_and(|day| is_over_everywhere(day, now));
    // No deadline says it, but who has not come by then has not given anything back.
    if is_over && kept.least == kept.most {
        kept.least = total;
    }
    if is_over {
        kept.most = total;
    }
    let next = policy.deadlines.iter().find(|deadline| deadline.from > now);
    Ok(Returned {
        refund: total.minus(kept.most)?,
        at_most: total.minus(kept.least)?,
        expires_at: next.map(|deadline| deadline.from),
    })
}

/// What is kept by either, whichever is more. What was sold at another price is kept whole where all of it is.
fn or_sold(kept: KeptByTerms, sold: KeptByTerms) -> Result<KeptByTerms, MoneyError> {
    let of_total = |fee: Money| match fee == sold.total {
        true => Ok(kept.total),
        false => fee.at_most(kept.total),
    };
    // A fee that was told of what is left without our commission may be a unit off.
    let most = match kept.most != kept.total && is_about(kept.most, sold.most) {
        true => of_total(sold.most)?,
        false => of_total(sold.most)?.at_least(kept.most)?,
    };
    Ok(KeptByTerms {
        total: kept.total,
        most,
        least: of_total(sold.least)?.at_least(kept.least)?.at_most(most)?,
    })
}

/// Whether two amounts are the same but for what rounding makes of them.
fn is_about(one: Money, other: Money) -> bool {
    let unit = Decimal::new(1, minor_units(one.currency()));
    one.minus(other).is_ok_and(|difference| difference.amount().abs() <= unit)
}

/// Whether the day is over by every clock: which one the hotel goes by is not told with a booking.
fn is_over_everywhere(day: NaiveDate, now: DateTime<Utc>) -> bool {
    (now - LAST_ZONE).date_naive() > day
}
