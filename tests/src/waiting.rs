//! Waiting for what comes by itself.

use std::time::{Duration, Instant};

/// Nothing that comes at all takes so long, however busy the machine is.
pub const LONG: Duration = Duration::from_secs(120);

/// What is seen as soon as there is something to be seen, at first looking often.
pub async fn eventually<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let began = Instant::now();
    let mut pause = Duration::from_millis(2);
    loop {
        if let Some(seen) = look().await {
            return seen;
        }
        assert!(began.elapsed() < LONG, "not within {LONG:?}: {what}");
        tokio::time::sleep(pause).await;
        pause = (pause * 5 / 4).min(Duration::from_millis(200));
    }
}
