//! What happened to a booking as its agency may read it: its events, steps and refunds, each with its time, in no order.

use chrono::{DateTime, Utc};
use diesel::{
    ExpressionMethods, PgExpressionMethods, QueryDsl, SelectableHelper,
    sql_types::{Nullable, Numeric, Text},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use futures_util::try_join;
use rust_decimal::Decimal;
use wayfare_domain::{
    ActorKind, BookingId, BookingRef, EventKind, Money, OrganizationId, RefundStatus, StepKind,
};

use crate::{
    Result, StoreError,
    booking::steps::{Outcome, SKIPPED},
    error::{currency, money, number_from, word},
    schema::{effects, events, refunds},
    statements::{kept_sql::kept_sql, stored},
};

#[derive(Debug)]
pub struct Happened {
    pub events: Vec<BookingEvent>,
    pub steps: Vec<SentStep>,
    pub refunds: Vec<RequestedRefund>,
}

#[derive(Clone, Copy, Debug)]
pub struct BookingEvent {
    pub kind: EventKind,
    pub by: ActorKind,
    /// The amount that it names: of what the booking costs, or of what moved.
    pub amount: Option<Money>,
    pub at: DateTime<Utc>,
}

#[derive(Clone, Debug)]
pub struct SentStep {
    /// The number of the supplier order that it is about.
    pub number: u16,
    pub kind: StepKind,
    pub supplier: String,
    /// When it was sent at the earliest, UTC.
    pub sent_at: DateTime<Utc>,
    /// How it ended and when, UTC; none while nobody knows.
    pub closed: Option<(Outcome, DateTime<Utc>)>,
}

stored! {
    #[derive(Clone, Copy, Debug)]
    pub struct RequestedRefund of refunds {
        /// The number of the supplier order that was given back.
        pub number: u16,
        pub status: RefundStatus,
        /// When it was asked for, UTC.
        pub at: DateTime<Utc> = requested_at,
    } in currency {
        pub amount: Money = refund_to_wallet,
    }
}

/// What happened to this booking: three statements.
#[boxed]
pub async fn of(
    connection: &AsyncPgConnection,
    organization: OrganizationId,
    booking: BookingId,
    reference: &BookingRef,
) -> Result<Happened> {
    let (events, steps, refunds) = try_join!(
        events_of(connection, organization, reference),
        steps_of(connection, organization, booking),
        refunds_of(connection, organization, booking),
    )?;
    Ok(Happened { events, steps, refunds })
}

type EventRow = (String, String, Option<Decimal>, Option<String>, DateTime<Utc>);

async fn events_of(
    mut connection: &AsyncPgConnection,
    organization: OrganizationId,
    reference: &BookingRef,
) -> Result<Vec<BookingEvent>> {
    let rows: Vec<EventRow> = events::table
        .filter(events::entity_id.eq(reference.as_ref()))
        .filter(events::org_id.eq(organization.uuid()))
        .select((
            events::action,
            events::actor_type,
            kept_sql::<Nullable<Numeric>>("(events.new_value ->> 'amount')::numeric"),
            kept_sql::<Nullable<Text>>("events.new_value ->> 'currency'"),
            events::created_at,
        ))
        .load(&mut connection)
        .await?;
    let mut found = Vec::new();
    for (action, actor, amount, unit, at) in rows {
        // A newer server may write kinds that this one does not know.
        let Ok(kind) = action.parse::<EventKind>() else { continue };
        if !kind.is_of_timelines() {
            continue;
        }
        let amount = amount.zip(unit);
        let amount = amount.map(|(amount, unit)| money("events.new_value", amount, currency(&unit)?));
        found.push(BookingEvent {
            kind,
            by: word("events.actor_type", &actor)?,
            amount: amount.transpose()?,
            at,
        });
    }
    Ok(found)
}

type StepRow = (i16, String, String, String, DateTime<Utc>, Option<DateTime<Utc>>);

/// What was never sent, because a step before it was refused or is under way, is left out.
async fn steps_of(
    mut connection: &AsyncPgConnection,
    organization: OrganizationId,
    booking: BookingId,
) -> Result<Vec<SentStep>> {
    let rows: Vec<StepRow> = effects::table
        .filter(effects::booking_id.eq(booking.uuid()))
        .filter(effects::org_id.eq(organization.uuid()))
        .filter(effects::problem.is_distinct_from(SKIPPED))
        .select((
            effects::number,
            effects::kind,
            effects::supplier,
            effects::state,
            effects::sent_at,
            effects::closed_at,
        ))
        .load(&mut connection)
        .await?;
    let sent = |(number, kind, supplier, state, sent_at, closed_at): StepRow| {
        let outcome = match state.as_str() {
            "planned" => return Ok(None),
            "open" => None,
            "done" => Some(Outcome::Done),
            "refused" => Some(Outcome::Refused),
            _ => {
                return Err(StoreError::Corrupt { what: "effects.state", value: state });
            }
        };
        Ok(Some(SentStep {
            number: number_from(number),
            kind: word("effects.kind", &kind)?,
            supplier,
            sent_at,
            closed: outcome.zip(closed_at),
        }))
    };
    rows.into_iter().map(sent).filter_map(Result::transpose).collect()
}

async fn refunds_of(
    mut connection: &AsyncPgConnection,
    organization: OrganizationId,
    booking: BookingId,
) -> Result<Vec<RequestedRefund>> {
    Ok(refunds::table
        .filter(refunds::booking_id.eq(booking.uuid()))
        .filter(refunds::org_id.eq(organization.uuid()))
        .select(RequestedRefund::as_select())
        .load(&mut connection)
        .await?)
}
