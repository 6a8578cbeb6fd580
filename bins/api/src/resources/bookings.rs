//! What bookings of flights and of stays have in common: which ones a list has, how many there are, and what happened to one,
//! in order of time.

use std::borrow::Cow;

use chrono::{DateTime, Utc};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use wayfare_domain::{ActorKind, Amount, Currency, EventKind, Money, RefundStatus, StepKind};
use wayfare_operations::bookings::{
    BookingCost, BookingCounts, BookingSearch, Occurrence, OrderStep, TimelineEntry,
};

use crate::{
    http::query::{FromQuery, Parameters},
    resources::common::CurrencyCode,
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

/// How many bookings there are.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "BookingCounts")]
pub struct CountsView {
    by_status: StatusCounts,
    by_group: GroupCounts,
}

/// How many there are by where they stand: each is one of these.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "BookingStatusCounts")]
struct StatusCounts {
    pending: i64,
    confirmed: i64,
    cancelled: i64,
    failed: i64,
}

/// How many there are by what somebody looks for: one may be of several of these.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "BookingGroupCounts")]
struct GroupCounts {
    needs_attention: i64,
    upcoming: i64,
    on_hold: i64,
    past: i64,
    ended: i64,
}

impl From<BookingCounts> for CountsView {
    fn from(counts: BookingCounts) -> Self {
        Self {
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
        }
    }
}

/// What a booking has cost until now, in its currency.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "BookingCost")]
pub struct CostView {
    charged: Amount,
    refunded: Amount,
    refunded_at: Option<DateTime<Utc>>,
    ruled: Amount,
    net: Amount,
}

impl From<BookingCost> for CostView {
    fn from(cost: BookingCost) -> Self {
        Self {
            charged: cost.charged.number(),
            refunded: cost.refunded.number(),
            refunded_at: cost.refunded_at,
            ruled: cost.ruled.number(),
            net: cost.net.number(),
        }
    }
}

/// Something that happened to a booking.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "TimelineEntry")]
pub struct TimelineEntryView {
    at: DateTime<Utc>,
    what: EntryKind,
    #[schemars(with = "Option<TimelineAction>")]
    action: Option<&'static str>,
    #[schemars(with = "Option<ActorWord>")]
    by: Option<&'static str>,
    step: Option<StepKind>,
    outcome: Option<EntryOutcome>,
    order: Option<u16>,
    provider: Option<String>,
    amount: Option<Amount>,
    /// Of `amount`, ISO 4217; null where that is.
    #[schemars(with = "Option<CurrencyCode>")]
    currency: Option<Currency>,
    refund_status: Option<RefundStatus>,
}

/// What an entry of a timeline is of.
#[derive(Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "TimelineEntryKind")]
enum EntryKind {
    /// The booking was priced.
    Priced,
    /// Something became of it, or somebody wanted something: `action`.
    Event,
    /// A supplier was asked for `step`.
    Asked,
    /// The supplier's answer to `step` became known: `outcome`.
    Answered,
    /// Money was asked back: `refund_status` says where that stands now.
    Refund,
}

/// What became of what a supplier was asked for.
#[derive(Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "TimelineOutcome")]
enum EntryOutcome {
    /// The supplier did it.
    Done,
    /// Nothing happened there.
    Refused,
}

/// How the events of timelines are described.
struct TimelineAction;

impl JsonSchema for TimelineAction {
    fn schema_name() -> Cow<'static, str> {
        "TimelineAction".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let words: Vec<&str> = EventKind::of_timelines().map(EventKind::text).collect();
        json_schema!({
            "type": "string",
            "enum": words,
            "description": "What happened to a booking. Later versions may add kinds: pass over what you don't know.",
        })
    }
}

/// How those who do things are described.
struct ActorWord;

impl JsonSchema for ActorWord {
    fn schema_name() -> Cow<'static, str> {
        "ActorWord".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "enum": ActorKind::WORDS,
            "description": "A user of the agency, the operator, or the service itself.",
        })
    }
}

impl TimelineEntryView {
    fn at(at: DateTime<Utc>, what: EntryKind) -> Self {
        Self {
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

    fn of_step(self, step: OrderStep) -> Self {
        Self { step: Some(step.kind), order: Some(step.order), provider: Some(step.supplier), ..self }
    }

    fn with(self, amount: Option<Money>) -> Self {
        Self { amount: amount.map(Money::number), currency: amount.map(|amount| amount.currency()), ..self }
    }
}

impl From<TimelineEntry> for TimelineEntryView {
    fn from(entry: TimelineEntry) -> Self {
        let at = |what| Self::at(entry.at, what);
        match entry.what {
            Occurrence::Priced => at(EntryKind::Priced),
            Occurrence::Event { kind, by, amount } => {
                Self { action: Some(kind.text()), by: Some(by.into()), ..at(EntryKind::Event).with(amount) }
            }
            Occurrence::Asked(step) => at(EntryKind::Asked).of_step(step),
            Occurrence::Done(step) => {
                Self { outcome: Some(EntryOutcome::Done), ..at(EntryKind::Answered).of_step(step) }
            }
            Occurrence::Refused(step) => {
                Self { outcome: Some(EntryOutcome::Refused), ..at(EntryKind::Answered).of_step(step) }
            }
            Occurrence::Refund { order, status, amount } => Self {
                order: Some(order),
                refund_status: Some(status),
                ..at(EntryKind::Refund).with(Some(amount))
            },
        }
    }
}
