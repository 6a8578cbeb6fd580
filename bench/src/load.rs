//! Clients who do the same thing over and over, and how long each time took.

use std::time::{Duration, Instant};

use futures_util::future::try_join_all;

use crate::Result;

/// What clients got done.
#[derive(Clone, Debug)]
pub struct Load {
    /// How long each time took, shortest first.
    took: Vec<Duration>,
    /// From the first start to the last end.
    elapsed: Duration,
}

/// Lets every worker work until the time is up or one of them has nothing left to do, so that all are always at
/// it. Who has begun ends what it does. A worker says whether it had something to do.
///
/// # Errors
/// The first error ends the run.
pub async fn run<W>(
    workers: &mut [W],
    time: Duration,
    work: impl AsyncFn(&mut W) -> Result<bool>,
) -> Result<Load> {
    let begun = Instant::now();
    let over = std::cell::Cell::new(false);
    let all = workers.iter_mut().map(async |worker| {
        let mut took = Vec::new();
        while !over.get() && begun.elapsed() < time {
            let started = Instant::now();
            match work(worker).await? {
                true => took.push(started.elapsed()),
                false => over.set(true),
            }
        }
        Ok::<_, Box<dyn std::error::Error + Send + Sync>>(took)
    });
    let mut took: Vec<Duration> = try_join_all(all).await?.concat();
    let elapsed = begun.elapsed();
    took.sort_unstable();
    Ok(Load { took, elapsed })
}

impl Load {
    /// Several runs as one.
    pub fn together(loads: Vec<Self>) -> Self {
        let elapsed = loads.iter().map(|load| load.elapsed).sum();
        let mut took: Vec<Duration> = loads.into_iter().flat_map(|load| load.took).collect();
        took.sort_unstable();
        Self { took, elapsed }
    }

    /// How often it was done.
    pub fn count(&self) -> usize {
        self.took.len()
    }

    /// How often per second.
    #[allow(clippy::cast_precision_loss, reason = "counts are small")]
    pub fn per_second(&self) -> f64 {
        self.count() as f64 / self.elapsed.as_secs_f64()
    }

    /// Within how many milliseconds so many percent were done.
    pub fn percentile(&self, percent: usize) -> f64 {
        let place = (self.count() * percent).div_ceil(100).saturating_sub(1);
        let took = self.took.get(place).copied().unwrap_or_default();
        took.as_secs_f64() * 1000.0
    }
}
