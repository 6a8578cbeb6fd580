//! When a step whose outcome is unknown is looked up again.

use chrono::{DateTime, Duration, Utc};
use diesel_async::AsyncConnection;
use rand::RngExt;
use wayfare_store::booking::steps::{self, Step};

use crate::{Engine, Result, engine::incidents};

/// The longest wait between two look-ups.
const LONGEST_WAIT_S: u64 = 300;

/// Looks again later: after 1, 2, 4 … seconds up to five minutes, with jitter so that many don't come at once.
/// Past the deadline the operator is told.
pub(crate) async fn postpone(engine: &Engine, step: &Step, problem: &str) -> Result<()> {
    let exponent = u32::try_from(step.attempts.clamp(0, 16)).unwrap_or_default();
    let longest = (1_u64 << exponent).min(LONGEST_WAIT_S) * 1000;
    let wait = rand::rng().random_range(longest / 2..=longest);
    let now = engine.core.shared_time.now();
    let due_at = now + Duration::milliseconds(i64::try_from(wait).unwrap_or(i64::MAX));
    let due_at = next_decisive(engine, step, now).map_or(due_at, |decisive| due_at.min(decisive));
    tracing::warn!(step = %step.id, booking = %step.booking, problem, "a step's outcome is not known yet");
    let mut connection = engine.core.database.connection().await?;
    if now - step.sent_at <= incidents::deadline(engine, step) {
        return Ok(steps::postpone(&mut connection, step, due_at, problem).await?);
    }
    let postponed = connection.transaction(async |connection| {
        steps::postpone(connection, step, due_at, problem).await?;
        incidents::outcome_unknown(&engine.core, connection, step, problem).await
    });
    postponed.await
}

/// Just after the next moment from which a look-up means more than before: "not found" when the processing time is over,
/// an order that stands after its cancellation one deadline later.
fn next_decisive(engine: &Engine, step: &Step, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let config = engine.suppliers.supplier(&step.supplier).ok()?.config();
    let one_more = config.processing_time.saturating_add(config.effect_deadline);
    [config.processing_time, one_more]
        .into_iter()
        .filter_map(|after| Some(step.sent_at + Duration::from_std(after).ok()? + Duration::seconds(1)))
        .find(|decisive| *decisive > now)
}
