//! What becomes of the hold of an order when the order changes.

use chrono::{DateTime, Utc};
use wayfare_domain::{Awaited, HoldState, OrderStatus};
use wayfare_store::booking::{booking_holds::Limits, bookings::Order, order_holds::OrderHold};

/// Until when an order must be paid and keeps its price, as its supplier shows it.
pub(crate) fn limits(awaited: Awaited, price_guaranteed_until: Option<DateTime<Utc>>) -> Limits {
    Limits {
        pay_by: match awaited {
            Awaited::Payment(by) => by,
            Awaited::Nothing | Awaited::Documents => None,
        },
        price_guaranteed_until,
    }
}

/// The hold of an order that its supplier shows in this state. One that is paid or gone keeps its limits of before.
pub(crate) fn shown(
    before: Option<OrderHold>,
    status: OrderStatus,
    limits: Limits,
    now: DateTime<Utc>,
) -> Option<OrderHold> {
    if status != OrderStatus::Held {
        return before.map(|hold| match (hold.state, status) {
            (HoldState::Held, OrderStatus::Confirmed) => OrderHold { state: HoldState::Paid, ..hold },
            _ => hold,
        });
    }
    let price_before = before.and_then(|hold| hold.price_guaranteed_until);
    Some(OrderHold {
        state: HoldState::Held,
        pay_by: limits.pay_by,
        price_guaranteed_until: steady_price_end(price_before, limits.price_guaranteed_until, now),
    })
}

/// The hold of an order that is given back; `lapsed` by its supplier itself.
pub(crate) fn given_back(before: Option<OrderHold>, lapsed: bool) -> Option<OrderHold> {
    before.map(|hold| match hold.state {
        HoldState::Held => {
            OrderHold { state: if lapsed { HoldState::Lapsed } else { HoldState::Released }, ..hold }
        }
        HoldState::Paid | HoldState::Lapsed | HoldState::Released => hold,
    })
}

/// A price that has lost its guarantee does not lose it again: a supplier that only says that it has is believed once.
pub(crate) fn steady_price_end(
    before: Option<DateTime<Utc>>,
    shown: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> Option<DateTime<Utc>> {
    match (before.filter(|before| *before <= now), shown) {
        (Some(before), None) => Some(before),
        (Some(before), Some(shown)) if shown <= now => Some(before),
        (_, shown) => shown,
    }
}

/// The earliest limits of the orders that are held; none where none is.
pub(crate) fn of_held<O>(orders: &[Order<O>]) -> Option<Limits> {
    let holds: Vec<OrderHold> = orders
        .iter()
        .filter(|order| order.status == OrderStatus::Held)
        .filter_map(|order| order.hold)
        .collect();
    (!holds.is_empty()).then(|| Limits {
        pay_by: holds.iter().filter_map(|hold| hold.pay_by).min(),
        price_guaranteed_until: holds.iter().filter_map(|hold| hold.price_guaranteed_until).min(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_that_has_lost_its_guarantee_does_not_lose_it_again() {
        let at = |seconds| DateTime::from_timestamp(seconds, 0);
        let now = DateTime::from_timestamp(100, 0).unwrap_or_default();
        for (before, shown, expected) in [
            (None, at(100), at(100)),
            (at(90), at(100), at(90)),
            (at(90), None, at(90)),
            // It was guaranteed anew, or for longer, or no more.
            (at(90), at(150), at(150)),
            (at(120), at(150), at(150)),
            (at(120), None, None),
        ] {
            assert_eq!(steady_price_end(before, shown, now), expected, "{before:?} {shown:?}");
        }
    }
}
