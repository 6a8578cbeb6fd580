//! Deliveries: what is due at a webhook is sent by one process at a time, in order for each thing that events are about,
//! again and again until it is taken or three days are over.
//!
//! A process takes a webhook for a turn of some seconds, under a lease that ends by itself if the process dies; the
//! receiver then gets again what it had not been asked for to the end. Turns of different webhooks do not wait for each other,
//! and none holds a transaction or a connection while it sends.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use diesel_async::{AsyncConnection, AsyncPgConnection};
use futures_util::{StreamExt, future::join_all, stream::FuturesUnordered};
use rand::RngExt;
use serde::Serialize;
use serde_json::Value;
use tokio::{
    sync::{Semaphore, SemaphorePermit},
    task::JoinSet,
    time::Instant,
};
use tracing::{Instrument, field::Empty};
use wayfare_boxed::boxed;
use wayfare_domain::{Actor, EventId, EventKind};
use wayfare_store::{
    Connection,
    events::{
        feed::PublicEvent,
        webhook_deliveries::{self, Attempt, DeliveryState, Due},
        webhooks::{self, Lease, Webhook},
    },
};
use wayfare_webhooks::{Answer, Message, Secret, Unanswered};

use super::secret_of;
use crate::{
    Core, Error, Result, Webhooks,
    tools::{
        audit_event::{self, Change},
        failpoints::moment,
    },
};

/// Webhooks that one process sends to at once: those that hang have their places for a quarter of the time, others for as
/// long as they work.
const TURNS: usize = 128;
/// Connections that all of them share: deliveries wait for each other, not callers for deliveries.
static CONNECTIONS: Semaphore = Semaphore::const_new(4);
/// Messages under way to one webhook.
const IN_FLIGHT: usize = 4;
/// So long a turn begins to send; then others who wait have theirs.
const TURN: Duration = Duration::from_secs(5);
/// Longer than a turn with its last messages takes.
const LEASE: TimeDelta = TimeDelta::seconds(30);
const AHEAD: i64 = 100;
/// How often the loop looks for work when there is none.
const PAUSE: Duration = Duration::from_millis(500);
/// A webhook that does not answer is left alone at least so long, and so many times as long as it was waited for.
const REST: Duration = Duration::from_secs(5);
const RESTS: u32 = 3;
/// How long to wait after so many attempts; after more of them as long as after the last.
const BACK_OFF_S: [i64; 8] = [5, 30, 120, 600, 1800, 3600, 7200, LONGEST_WAIT_S];
/// A receiver that asks for more is asked again all the same.
const LONGEST_WAIT_S: i64 = 14_400;

/// What an attempt means for those after it; of several attempts the last of these counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Then {
    GoOn,
    /// The receiver is left alone, whatever else is due there.
    RestUntil(DateTime<Utc>),
    /// The turn is over, or was ended by somebody else.
    End,
}

/// Delivers what is due until the process ends.
pub(crate) async fn deliver_for_ever(webhooks: &Arc<Webhooks>) {
    let mut turns = JoinSet::new();
    loop {
        match take(&webhooks.core, TURNS.saturating_sub(turns.len())).await {
            Ok(leases) => {
                for lease in leases {
                    let webhooks = webhooks.clone();
                    turns.spawn(async move { turn(&webhooks, &lease).await });
                }
            }
            Err(error) => tracing::error!(%error, "deliveries could not be looked for"),
        }
        tokio::time::sleep(PAUSE).await;
        while turns.try_join_next().is_some() {}
    }
}

/// Delivers all that is due now, and waits for it.
#[boxed]
pub async fn deliver_due(webhooks: &Webhooks) -> Result<()> {
    loop {
        let leases = take(&webhooks.core, TURNS).await?;
        if leases.is_empty() {
            return Ok(());
        }
        join_all(leases.iter().map(|lease| turn(webhooks, lease))).await;
    }
}

async fn take(core: &Core, most: usize) -> Result<Vec<Lease>> {
    if most == 0 {
        return Ok(Vec::new());
    }
    let now = core.shared_time.now();
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let (_place, mut connection) = connection(core).await?;
    Ok(webhooks::take_due(&mut connection, now, now + LEASE, most).await?)
}

async fn connection(core: &Core) -> Result<(Option<SemaphorePermit<'static>>, Connection)> {
    // It is never closed.
    let place = CONNECTIONS.acquire().await.ok();
    Ok((place, core.database.connection().await?))
}

/// A turn of one webhook. What goes wrong is done again when its lease is over.
async fn turn(webhooks: &Webhooks, lease: &Lease) {
    let done = async {
        let rest_until = match send_due(webhooks, lease).await? {
            Then::RestUntil(until) => Some(until),
            Then::GoOn | Then::End => None,
        };
        let now = webhooks.core.shared_time.now();
        let (_place, mut connection) = connection(&webhooks.core).await?;
        // Now at the earliest: it has had its turn, and who came meanwhile is first.
        let next = webhook_deliveries::next_due(&mut connection, lease, now).await?;
        webhooks::give_back(&mut connection, lease, next, rest_until).await?;
        Ok::<_, Error>(())
    };
    if let Err(error) = done.await {
        tracing::error!(%error, webhook = %lease.id, "deliveries broke off");
    }
}

/// Sends what is due at the webhook, some at once, until nothing is, the turn is over or the receiver is to be left alone.
async fn send_due(webhooks: &Webhooks, lease: &Lease) -> Result<Then> {
    let ends = Instant::now() + TURN;
    let mut then = Then::GoOn;
    loop {
        let now = webhooks.core.shared_time.now();
        let due = {
            let (_place, mut connection) = connection(&webhooks.core).await?;
            webhook_deliveries::due(&mut connection, lease, now, AHEAD).await?
        };
        if due.is_empty() {
            return Ok(then);
        }
        let mut waiting = due.iter();
        let mut under_way = FuturesUnordered::new();
        loop {
            while under_way.len() < IN_FLIGHT
                && then == Then::GoOn
                && Instant::now() < ends
                && let Some(due) = waiting.next()
            {
                let span = tracing::error_span!("delivery", webhook = %lease.id, event = %due.event.id, trace_id = Empty);
                wayfare_trace::begin(&span, None);
                under_way.push(attempt(webhooks, lease, due).instrument(span));
            }
            match under_way.next().await {
                Some(ended) => then = then.max(ended?),
                None => break,
            }
        }
        if then != Then::GoOn || Instant::now() >= ends {
            return Ok(then);
        }
    }
}

/// One attempt, at the webhook as it is now.
async fn attempt(webhooks: &Webhooks, lease: &Lease, due: &Due) -> Result<Then> {
    let present = {
        let (_place, mut connection) = connection(&webhooks.core).await?;
        webhooks::leased(&mut connection, lease).await?
    };
    let Some(webhook) = present else { return Ok(Then::End) };
    let (id, body) = (due.event.id.to_string(), body(&due.event)?);
    let secrets = secrets(&webhooks.core, &webhook);
    let message = Message { id: &id, at: webhooks.core.clock.now(), body: &body, secrets: &secrets };
    moment("webhook:taken");
    let began = Instant::now();
    let sent = webhooks.sender.send(&webhook.url, message).await;
    let took = began.elapsed();
    moment("webhook:answered");
    let now = webhooks.core.shared_time.now();
    let attempt = outcome_of(due, &sent, took, now, rand::rng().random_range(0.8..1.2));
    let (_place, mut connection) = connection(&webhooks.core).await?;
    let written = connection
        .transaction(async |connection| note(&webhooks.core, connection, lease, due, &attempt).await);
    written.await?;
    Ok(match &sent {
        Err(_) => Then::RestUntil(now + REST.max(took * RESTS)),
        Ok(Answer { status: 410, .. }) => Then::End,
        Ok(answer) if matches!(answer.status, 429 | 503) => {
            Then::RestUntil(now + REST.max(asked_for(answer.retry_after)))
        }
        Ok(_) => Then::GoOn,
    })
}

/// Writes how an attempt ended. Of a turn that somebody else has ended only what was taken counts: the receiver may be
/// another by now.
async fn note(
    core: &Core,
    connection: &mut AsyncPgConnection,
    lease: &Lease,
    due: &Due,
    attempt: &Attempt,
) -> Result<()> {
    if attempt.state != DeliveryState::Delivered {
        let Some(present) = webhooks::lock_leased(connection, lease).await? else { return Ok(()) };
        if attempt.status == Some(410) {
            switch_off(core, connection, present).await?;
        }
    }
    Ok(webhook_deliveries::attempted(connection, lease, due, attempt).await?)
}

/// What is sent: the event as Standard Webhooks wants it, the same at each attempt.
fn body(event: &PublicEvent) -> Result<String> {
    #[derive(Serialize)]
    struct Body<'a> {
        id: EventId,
        #[serde(rename = "type")]
        kind: &'a str,
        timestamp: DateTime<Utc>,
        data: &'a Value,
    }
    Ok(serde_json::to_string(&Body {
        id: event.id,
        kind: &event.kind,
        timestamp: event.at,
        data: &event.data,
    })?)
}

/// The secrets that are good now, the newest first.
fn secrets(core: &Core, webhook: &Webhook) -> Vec<Secret> {
    let mut secrets = vec![secret_of(core, webhook, webhook.generation)];
    if webhook.previous_until.is_some_and(|until| core.clock.now() < until) {
        secrets.push(secret_of(core, webhook, webhook.generation - 1));
    }
    secrets
}

/// How long a receiver is left alone that wants to be, within bounds.
fn asked_for(retry_after: Option<Duration>) -> Duration {
    let longest = Duration::from_secs(LONGEST_WAIT_S.unsigned_abs());
    retry_after.unwrap_or_default().min(longest)
}

/// What an attempt comes to. Waits are `jitter` times as long as planned, so that what failed together does not come back
/// together.
fn outcome_of(
    due: &Due,
    sent: &Result<Answer, Unanswered>,
    took: Duration,
    now: DateTime<Utc>,
    jitter: f64,
) -> Attempt {
    let planned = usize::try_from(due.attempts).unwrap_or(usize::MAX);
    let planned = BACK_OFF_S.get(planned).copied().unwrap_or(LONGEST_WAIT_S);
    let planned = Duration::from_secs(planned.unsigned_abs()).mul_f64(jitter);
    let (status, answer, asked) = match sent {
        Ok(answer) => (Some(answer.status), answer.excerpt.clone(), answer.retry_after),
        Err(unanswered) => (None, unanswered.to_string(), None),
    };
    let wait = planned.max(asked_for(asked));
    let next = now + TimeDelta::from_std(wait).unwrap_or(TimeDelta::seconds(LONGEST_WAIT_S));
    let state = match status {
        Some(200..300) => DeliveryState::Delivered,
        _ if next > due.give_up_at => DeliveryState::Failed,
        _ => DeliveryState::Pending,
    };
    Attempt {
        state,
        due_at: next,
        at: now,
        status,
        duration_ms: i32::try_from(took.as_millis()).unwrap_or(i32::MAX),
        answer,
    }
}

/// A receiver that says that it is gone gets nothing more, until an admin switches it on again: then what waited too.
async fn switch_off(core: &Core, connection: &mut AsyncPgConnection, present: Webhook) -> Result<()> {
    let reason = "the receiver answered 410 Gone";
    let off = Webhook {
        is_active: false,
        disabled_reason: Some(reason.to_owned()),
        updated_at: core.clock.now(),
        ..present
    };
    webhooks::update(connection, &off).await?;
    let actor = Actor::system();
    let change = Change {
        new_value: Some(serde_json::json!({ "reason": reason })),
        ..Change::of(off.organization, &actor, EventKind::WebhookDisabled, off.id)
    };
    audit_event::write(connection, &audit_event::event(core, change)).await
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn due(attempts: i32, give_up_in: TimeDelta) -> Due {
        let now = DateTime::UNIX_EPOCH;
        Due {
            event: PublicEvent {
                id: EventId::at(now),
                sequence: 1,
                kind: "booking.confirmed".to_owned(),
                data: json!({}),
                at: now,
            },
            attempts,
            give_up_at: now + give_up_in,
        }
    }

    fn answer_of(status: u16, retry_after: Option<u64>) -> Result<Answer, Unanswered> {
        Ok(Answer { status, excerpt: String::new(), retry_after: retry_after.map(Duration::from_secs) })
    }

    #[test]
    fn what_an_attempt_comes_to() {
        use DeliveryState::{Delivered, Failed, Pending};
        let days = TimeDelta::days(3);
        for (attempts, give_up_in, sent, state, waits) in [
            (0, days, answer_of(200, None), Delivered, 5),
            (0, days, answer_of(299, None), Delivered, 5),
            (0, days, answer_of(301, None), Pending, 5),
            (1, days, answer_of(500, None), Pending, 30),
            (7, days, answer_of(500, None), Pending, 14_400),
            (70, days, answer_of(500, None), Pending, 14_400),
            (0, days, answer_of(429, Some(60)), Pending, 60),
            (4, days, answer_of(503, Some(60)), Pending, 1800),
            (0, days, answer_of(503, Some(10_000_000)), Pending, 14_400),
            (0, days, answer_of(410, None), Pending, 5),
            (7, TimeDelta::hours(4), answer_of(500, None), Pending, 14_400),
            (7, TimeDelta::hours(3), answer_of(500, None), Failed, 14_400),
        ] {
            let due = due(attempts, give_up_in);
            let took = Duration::from_millis(12);
            let attempt = outcome_of(&due, &sent, took, DateTime::UNIX_EPOCH, 1.0);
            assert_eq!(
                (attempt.state, attempt.due_at.timestamp(), attempt.duration_ms),
                (state, waits, 12),
                "{sent:?} after {attempts}"
            );
        }
    }
}
