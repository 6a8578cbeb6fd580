//! What bookings of flights and of stays have in common: which ones a list has, how many there are, and what happened to one,
//! in order of time.

use actix_web::web::Path;
use chrono::{DateTime, Utc};
use wayfare_contract::{
    self as contract, GroupCounts, StatusCounts,
    vocabulary::{TimelineKind, TimelineOutcome},
};
use wayfare_domain::{Money, Product};
use wayfare_operations::{
    Booking, Caller,
    bookings::{self, BookingCost, BookingSearch, Occurrence, OrderStep, Pending, TimelineEntry},
};

use crate::{
    http::{
        App,
        extract::{Ask, Nothing},
        query::{FromQuery, Parameters},
        reply::{DataReply, data},
    },
    resources::common::{amount, booking_ref, code},
};

/// `GET /flights/bookings`, `GET /hotels/bookings`.
impl FromQuery for BookingSearch {
    fn read(query: &mut Parameters) -> Self {
        Self {
            status: query.word("status"),
            group: query.word("group"),
            text: query.text("q"),
            from: query.date("from"),
            to: query.date("to"),
        }
    }
}

/// `GET /flights/bookings/counts`, `GET /hotels/bookings/counts`.
pub async fn counts<P: Product>(app: App, ask: Ask<Caller, Nothing>) -> DataReply<contract::BookingCounts> {
    let counts = bookings::counts::<P>(&app.core, &ask.who).await?;
    data(contract::BookingCounts {
        by_status: StatusCounts {
            pending: counts.pending,
            confirmed: counts.confirmed,
            cancelled: counts.cancelled,
            failed: counts.failed,
        },
        by_group: GroupCounts {
            needs_attention: counts.needs_attention,
            upcoming: counts.upcoming,
            on_hold: counts.on_hold,
            past: counts.past,
            ended: counts.cancelled + counts.failed,
        },
    })
}

/// What a booking of either product shows.
pub fn facts<P>(booking: &Booking<P>) -> contract::BookedFacts {
    contract::BookedFacts { people_erased_at: booking.people_erased_at }
}

/// What a booking has cost until now, in its currency.
pub fn cost(cost: BookingCost) -> contract::BookingCost {
    contract::BookingCost {
        charged: amount(cost.charged),
        refunded: amount(cost.refunded),
        refunded_at: cost.refunded_at,
        ruled: amount(cost.ruled),
        net: amount(cost.net),
    }
}

/// What is under way on a booking.
pub fn pending(pending: Vec<Pending>) -> Vec<contract::PendingStep> {
    let step = |step: Pending| contract::PendingStep { what: step.what.as_ref().into(), since: step.since };
    pending.into_iter().map(step).collect()
}

/// `GET /flights/bookings/{ref}/timeline`, `GET /hotels/bookings/{ref}/timeline`.
pub async fn timeline<P: Product>(
    app: App,
    ask: Ask<Caller, Nothing>,
    reference: Path<String>,
) -> DataReply<Vec<contract::TimelineEntry>> {
    let happened = bookings::timeline::<P>(&app.core, &ask.who, &booking_ref(&reference)?).await?;
    data(happened.into_iter().map(entry).collect::<Vec<_>>())
}

fn entry(entry: TimelineEntry) -> contract::TimelineEntry {
    let at = |what| empty(entry.at, what);
    match entry.what {
        Occurrence::Priced => at(TimelineKind::Priced),
        Occurrence::Event { kind, by, amount } => {
            let (action, by) = (kind.text().to_owned(), by.as_ref().to_owned());
            about(
                contract::TimelineEntry { action: Some(action), by: Some(by), ..at(TimelineKind::Event) },
                amount,
            )
        }
        Occurrence::Asked(step) => of_step(at(TimelineKind::Asked), step),
        Occurrence::Done(step) => {
            let done = Some(TimelineOutcome::Done);
            contract::TimelineEntry { outcome: done, ..of_step(at(TimelineKind::Answered), step) }
        }
        Occurrence::Refused(step) => {
            let refused = Some(TimelineOutcome::Refused);
            contract::TimelineEntry { outcome: refused, ..of_step(at(TimelineKind::Answered), step) }
        }
        Occurrence::Refund { order, status, amount } => contract::TimelineEntry {
            order: Some(order),
            refund_status: Some(status.as_ref().into()),
            ..about(at(TimelineKind::Refund), Some(amount))
        },
    }
}

fn empty(at: DateTime<Utc>, what: TimelineKind) -> contract::TimelineEntry {
    contract::TimelineEntry {
        at,
        what,
        action: None,
        by: None,
        step: None,
        outcome: None,
        order: None,
        provider: None,
        amount: None,
        currency: None,
        refund_status: None,
    }
}

fn of_step(entry: contract::TimelineEntry, step: OrderStep) -> contract::TimelineEntry {
    contract::TimelineEntry {
        step: Some(step.kind.as_ref().into()),
        order: Some(step.order),
        provider: Some(step.supplier),
        ..entry
    }
}

fn about(entry: contract::TimelineEntry, money: Option<Money>) -> contract::TimelineEntry {
    let currency = money.map(|money| code(money.currency()));
    contract::TimelineEntry { amount: money.map(amount), currency, ..entry }
}
