//! When a step whose outcome is unknown is looked up again.

use chrono::Duration;
use diesel_async::AsyncConnection;
use rand::Rng;
use wayfare_store::booking::steps::{self, Step};

use crate::{Platform, Result, engine::incidents};

/// The longest wait between two look-ups.
const LONGEST_WAIT_S: u64 = 300;

/// Looks again later: after 1, 2, 4 … seconds up to five minutes, with jitter so that many don't come at once.
/// Past the deadline the operator is told.
pub(crate) async fn postpone(platform: &Platform, step: &Step, problem: &str) -> Result<()> {
    let exponent = u32::try_from(step.attempts.clamp(0, 16)).unwrap_or_default();
    let longest = (1_u64 << exponent).min(LONGEST_WAIT_S) * 1000;
    let wait = rand::rng().random_range(longest / 2..=longest);
    let now = platform.clock.now();
    let due_at = now + Duration::milliseconds(i64::try_from(wait).unwrap_or(i64::MAX));
    // Not long after the moment from which "not found" is an answer.
    let decided = platform.supplier(&step.supplier).ok().and_then(|supplier| {
        let processing = Duration::from_std(supplier.config().processing_time).ok()?;
        Some(step.sent_at + processing + Duration::seconds(1)).filter(|decided| *decided > now)
    });
    let due_at = decided.map_or(due_at, |decided| due_at.min(decided));
    tracing::warn!(step = %step.id, booking = %step.booking, problem, "a step's outcome is not known yet");
    let mut connection = platform.database.connection().await?;
    if now - step.sent_at <= incidents::deadline(platform, step) {
        return Ok(steps::postpone(&mut connection, step, due_at, problem).await?);
    }
    let postponed = connection.transaction(async |connection| {
        steps::postpone(connection, step, due_at, problem).await?;
        incidents::outcome_unknown(platform, connection, step, problem).await
    });
    postponed.await
}
