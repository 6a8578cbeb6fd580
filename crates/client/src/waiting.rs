//! Waiting for what settles by itself.

use std::time::{Duration, Instant};

use tokio::time::sleep;

use crate::error::{Error, Result};

const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// Looks again and again, ever more seldom, until there is something to see; once more at the deadline.
pub(crate) async fn until<T, Looking: Future<Output = Result<Option<T>>>>(
    within: Duration,
    what: &str,
    mut look: impl FnMut() -> Looking,
) -> Result<T> {
    let begun = Instant::now();
    let mut pause = FIRST_PAUSE;
    loop {
        if let Some(seen) = look().await? {
            return Ok(seen);
        }
        let left = within.saturating_sub(begun.elapsed());
        if left.is_zero() {
            return Err(Error::Overdue { what: what.to_owned() });
        }
        sleep(pause.min(left)).await;
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn whoever_waits_for_ever_may() {
        let seen = until(Duration::MAX, "a booking", || async { Ok(Some(7)) }).await;
        assert!(matches!(seen, Ok(7)));
    }
}
