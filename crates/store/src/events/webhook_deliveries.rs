//! What is to be delivered to webhooks, was, or could not be.

use chrono::{DateTime, TimeDelta, Utc};
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, SelectableHelper, TextExpressionMethods, deserialize,
    dsl::sql, pg::Pg, row::NamedRow, sql_types::Bool,
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use strum::{AsRefStr, EnumString, IntoStaticStr, VariantNames};
use wayfare_domain::{EventId, OrganizationId, Page, PageRequest, WebhookId};

use crate::{
    Result,
    events::{
        feed::PublicEvent,
        webhooks::{Lease, Webhook},
    },
    schema::{public_events, webhook_deliveries},
    statements::{Columns, Write as _, by_name, columns::named, statement, stored, words},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, AsRefStr, EnumString, IntoStaticStr, VariantNames)]
#[strum(serialize_all = "snake_case")]
pub enum DeliveryState {
    /// It is tried until it is delivered or given up.
    Pending,
    Delivered,
    /// Nobody tries any more.
    Failed,
}

words! { DeliveryState, }

stored! {
    #[derive(Clone, Debug)]
    pub struct Delivery of webhook_deliveries {
        /// The event, by which the delivery is known at its webhook.
        pub event: EventId = event_id,
        pub sequence: i64,
        pub kind: String,
        pub state: DeliveryState,
        pub attempts: i32,
        /// When it is tried next, UTC, while it is pending.
        pub due_at: DateTime<Utc>,
        /// When the event happened, UTC.
        pub created_at: DateTime<Utc>,
        /// When it was tried last, UTC.
        pub attempted_at: Option<DateTime<Utc>>,
        /// When the receiver took it, UTC.
        pub delivered_at: Option<DateTime<Utc>>,
        /// The last status that was answered.
        pub status: Option<i16>,
        /// How long the last attempt took, in milliseconds.
        pub duration_ms: Option<i32>,
        /// The beginning of what was answered last, or why nothing was.
        pub answer: Option<String>,
    }
}

/// A page of a webhook's deliveries, newest first: two statements.
#[boxed]
pub async fn list(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    webhook: WebhookId,
    state: Option<DeliveryState>,
    request: PageRequest,
) -> Result<Page<Delivery>> {
    let filtered = || {
        let all = webhook_deliveries::table
            .filter(webhook_deliveries::org_id.eq(organization.uuid()))
            .filter(webhook_deliveries::webhook_id.eq(webhook.uuid()))
            // As every delivery; what `webhook_deliveries_listed` is taken for.
            .filter(sql::<Bool>("sequence > 0"))
            .into_boxed();
        match state {
            None => all,
            Some(state) => all.filter(webhook_deliveries::state.eq(<&str>::from(state))),
        }
    };
    let total = filtered().count().get_result(connection).await?;
    let items = filtered()
        .order(webhook_deliveries::sequence.desc())
        .limit(request.per_page.into())
        .offset(request.offset())
        .select(Delivery::as_select())
        .load(connection)
        .await?;
    Ok(Page { items, request, total })
}

by_name! {
    #[derive(Clone, Debug)]
    pub struct Due {
        pub attempts: i32,
        /// After it nobody tries any more, UTC.
        pub give_up_at: DateTime<Utc>,
    } with {
        pub event: PublicEvent = event_of,
    }
}

fn event_of<'a>(row: &impl NamedRow<'a, Pg>) -> deserialize::Result<PublicEvent> {
    Ok(PublicEvent {
        id: named(row, "id")?,
        sequence: named(row, "sequence")?,
        kind: named(row, "kind")?,
        data: named(row, "data")?,
        at: named(row, "created_at")?,
    })
}

/// Of the pending deliveries `d` of webhook `$2` of agency `$1` the one that is next in its thing: none before it is still
/// tried at `$3`.
const IS_NEXT: &str =
    "d.org_id = $1 and d.webhook_id = $2 and d.state = 'pending' and d.give_up_at > $3 and not exists (
    select from webhook_deliveries b where b.org_id = $1 and b.webhook_id = $2 and b.subject = d.subject
        and b.sequence < d.sequence and b.state = 'pending' and b.give_up_at > $3
)";

/// What may be sent to a webhook now, at most so many, what waits longest first: of each thing only the first event that is
/// neither delivered nor given up.
#[boxed]
pub async fn due(
    connection: &mut AsyncPgConnection,
    lease: &Lease,
    now: DateTime<Utc>,
    most: i64,
) -> Result<Vec<Due>> {
    Ok(statement(
        format!(
            "select e.id, e.sequence, e.kind, e.data, e.created_at, d.attempts, d.give_up_at
         from webhook_deliveries d join public_events e on e.org_id = d.org_id and e.id = d.event_id
         where {IS_NEXT} and d.due_at <= $3 order by d.due_at, d.sequence limit $4"
        ),
        (lease.organization, lease.id, now, most),
    )
    .load(connection)
    .await?)
}

/// When something is due at the webhook next, if anything waits there: now at the earliest.
#[boxed]
pub async fn next_due(
    connection: &mut AsyncPgConnection,
    lease: &Lease,
    now: DateTime<Utc>,
) -> Result<Option<DateTime<Utc>>> {
    let next: Option<Columns<_>> = statement(format!(
        "select greatest(d.due_at, $3) as due_at from webhook_deliveries d where {IS_NEXT} order by d.due_at limit 1"
    ), (lease.organization, lease.id, now))
    .get_result(connection)
    .await
    .optional()?;
    Ok(next.map(|Columns(due_at)| due_at))
}

/// Has all that waits at a webhook sent from now on, however long it was to wait after attempts before.
#[boxed]
pub async fn hasten(connection: &mut AsyncPgConnection, webhook: &Webhook, now: DateTime<Utc>) -> Result<()> {
    let waiting = webhook_deliveries::table
        .filter(webhook_deliveries::org_id.eq(webhook.organization.uuid()))
        .filter(webhook_deliveries::webhook_id.eq(webhook.id.uuid()))
        .filter(webhook_deliveries::state.eq(<&str>::from(DeliveryState::Pending)))
        .filter(webhook_deliveries::due_at.gt(now));
    diesel::update(waiting).set(webhook_deliveries::due_at.eq(now)).write(connection).await
}

/// Gives up at most so many deliveries whose time is over; how many.
#[boxed]
pub async fn give_up(connection: &mut AsyncPgConnection, now: DateTime<Utc>, most: i64) -> Result<usize> {
    let given_up = statement(
        "update webhook_deliveries set state = 'failed', answer = coalesce(answer, 'its time was over before it was sent')
         where (org_id, webhook_id, event_id) in (
             select org_id, webhook_id, event_id from webhook_deliveries
             where state = 'pending' and give_up_at <= $1 limit $2 for update skip locked
         )",
        (now, most),
    );
    Ok(given_up.execute(connection).await?)
}

#[derive(Clone, Debug)]
pub struct Attempt {
    pub state: DeliveryState,
    /// When it is tried again, if it is, UTC.
    pub due_at: DateTime<Utc>,
    /// When it ended, UTC.
    pub at: DateTime<Utc>,
    pub status: Option<u16>,
    /// How long it took, in milliseconds.
    pub duration_ms: i32,
    /// The beginning of what was answered, or why nothing was.
    pub answer: String,
}

/// Writes how an attempt ended, unless somebody else has tried meanwhile.
#[boxed]
pub async fn attempted(
    connection: &mut AsyncPgConnection,
    lease: &Lease,
    due: &Due,
    attempt: &Attempt,
) -> Result<()> {
    let delivered_at = (attempt.state == DeliveryState::Delivered).then_some(attempt.at);
    let key = (lease.organization.uuid(), lease.id.uuid(), due.event.id.uuid());
    let same = webhook_deliveries::table
        .find(key)
        // No condition of a partial index: PostgreSQL might enter that instead of the key.
        .filter(webhook_deliveries::state.concat("").eq(<&str>::from(DeliveryState::Pending)))
        .filter(webhook_deliveries::attempts.eq(due.attempts));
    diesel::update(same)
        .set((
            webhook_deliveries::state.eq(<&str>::from(attempt.state)),
            webhook_deliveries::attempts.eq(due.attempts.saturating_add(1)),
            webhook_deliveries::due_at.eq(attempt.due_at),
            webhook_deliveries::attempted_at.eq(attempt.at),
            webhook_deliveries::delivered_at.eq(delivered_at),
            webhook_deliveries::status.eq(attempt.status.and_then(|status| i16::try_from(status).ok())),
            webhook_deliveries::duration_ms.eq(attempt.duration_ms),
            webhook_deliveries::answer.eq(&attempt.answer),
        ))
        .write(connection)
        .await
}

/// Has an event sent to a webhook again from now on, whatever became of it, until `give_up_at`, but no longer than
/// the feed has it, which is `kept_for` from when it happened. Whether the webhook had it.
#[boxed]
pub async fn again(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    webhook: WebhookId,
    event: EventId,
    (now, give_up_at): (DateTime<Utc>, DateTime<Utc>),
    kept_for: TimeDelta,
) -> Result<bool> {
    let kept = public_events::table.find((organization.uuid(), event.uuid()));
    let happened: Option<DateTime<Utc>> =
        kept.select(public_events::created_at).first(connection).await.optional()?;
    let kept_until = happened.map(|happened| happened + kept_for);
    let Some(kept_until) = kept_until.filter(|until| *until > now) else { return Ok(false) };
    let key = (organization.uuid(), webhook.uuid(), event.uuid());
    diesel::update(webhook_deliveries::table.find(key))
        .set((
            webhook_deliveries::state.eq(<&str>::from(DeliveryState::Pending)),
            webhook_deliveries::attempts.eq(0),
            webhook_deliveries::due_at.eq(now),
            webhook_deliveries::give_up_at.eq(give_up_at.min(kept_until)),
            webhook_deliveries::delivered_at.eq(None::<DateTime<Utc>>),
        ))
        .write_one(connection)
        .await
}
