//! What happened to a booking, in order of time: as whoever may see the booking may read it.

use chrono::{DateTime, Utc};
use wayfare_domain::{ActorKind, BookingRef, EventKind, Money, Product, RefundStatus, StepKind};
use wayfare_store::booking::{
    steps::Outcome,
    timeline::{BookingEvent, Happened, RequestedRefund, SentStep, of},
};

use super::find;
use crate::{Caller, Core, Result};

/// Something that happened to a booking.
#[derive(Clone, Debug)]
pub struct TimelineEntry {
    pub at: DateTime<Utc>,
    pub what: Occurrence,
}

#[derive(Clone, Debug)]
pub enum Occurrence {
    Priced,
    /// Something was written down about it.
    Event {
        kind: EventKind,
        by: ActorKind,
        amount: Option<Money>,
    },
    /// A supplier was asked for something.
    Asked(OrderStep),
    /// It became known that the supplier did it.
    Done(OrderStep),
    /// It became known that nothing happened there.
    Refused(OrderStep),
    Refund {
        order: u16,
        status: RefundStatus,
        amount: Money,
    },
}

#[derive(Clone, Debug)]
pub struct OrderStep {
    /// The number of the supplier order that it is about.
    pub order: u16,
    pub kind: StepKind,
    pub supplier: String,
}

impl Occurrence {
    /// Of what has the same time, what comes first: what was wanted, what was asked for, what was answered, what became of it.
    fn rank(&self) -> u8 {
        match self {
            Self::Priced => 0,
            Self::Event { kind, .. } if is_request(*kind) => 1,
            Self::Refund { .. } => 2,
            Self::Asked(_) => 3,
            Self::Done(_) | Self::Refused(_) => 4,
            Self::Event { .. } => 5,
        }
    }
}

/// Whether it says what somebody wants, and not what became of it.
fn is_request(kind: EventKind) -> bool {
    matches!(
        kind,
        EventKind::BookingRequested
            | EventKind::BookingCancelRequested
            | EventKind::BookingChangeAcceptRequested
            | EventKind::BookingJourneyChangeRequested
            | EventKind::BookingServiceRequested
            | EventKind::TicketRequested
    )
}

/// What happened to a booking of the caller's, in order of time.
///
/// # Errors
/// [`crate::Error::NotFound`] for another's booking too.
pub async fn timeline<P: Product>(
    core: &Core,
    caller: &Caller,
    reference: &BookingRef,
) -> Result<Vec<TimelineEntry>> {
    let mut connection = core.database.connection().await?;
    let booking = find::<P>(&mut connection, caller, reference).await?.booking;
    let happened = of(&connection, booking.organization, booking.id, reference).await?;
    drop(connection);
    let priced = booking.quote.stamped_at().map(|at| TimelineEntry {
        // A quote that is booked in the same call is not younger than its booking.
        at: at.min(booking.created_at),
        what: Occurrence::Priced,
    });
    let mut entries: Vec<_> = priced.into_iter().chain(entries(happened)).collect();
    entries.sort_by_key(|entry| (entry.at, entry.what.rank()));
    Ok(entries)
}

fn entries(happened: Happened) -> impl Iterator<Item = TimelineEntry> {
    let event = |event: BookingEvent| TimelineEntry {
        at: event.at,
        what: Occurrence::Event { kind: event.kind, by: event.by, amount: event.amount },
    };
    let refund = |refund: RequestedRefund| TimelineEntry {
        at: refund.at,
        what: Occurrence::Refund { order: refund.number, status: refund.status, amount: refund.amount },
    };
    let events = happened.events.into_iter().map(event);
    let steps = happened.steps.into_iter().flat_map(of_step);
    events.chain(steps).chain(happened.refunds.into_iter().map(refund))
}

fn of_step(sent: SentStep) -> impl Iterator<Item = TimelineEntry> {
    let step = OrderStep { order: sent.number, kind: sent.kind, supplier: sent.supplier };
    let ended = sent.closed.map(|(outcome, at)| TimelineEntry {
        at,
        what: match outcome {
            Outcome::Done => Occurrence::Done(step.clone()),
            Outcome::Refused => Occurrence::Refused(step.clone()),
        },
    });
    let asked = TimelineEntry { at: sent.sent_at, what: Occurrence::Asked(step) };
    [asked].into_iter().chain(ended)
}
