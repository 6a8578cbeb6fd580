//! Clients who do the same thing over and over, and how long each time took.

use std::time::{Duration, Instant};

use futures_util::future::try_join_all;

use crate::Result;

#[derive(Clone, Debug)]
pub struct Load {
    /// How long each time took, shortest first.
    took: Vec<Duration>,
    /// From the first start to the last end.
    elapsed: Duration,
}

#[derive(Clone, Copy, Debug)]
pub enum Turn {
    Done,
    /// Something else was: it is not counted.
    Uncounted,
    Over,
}

/// Lets every worker work until the time is up or one of them has nothing left to do, so that all are always at
/// it. Who has begun ends what it does.
pub async fn run<W>(
    workers: &mut [W],
    time: Duration,
    work: impl AsyncFn(&mut W) -> Result<Turn>,
) -> Result<Load> {
    let begun = Instant::now();
    let over = std::cell::Cell::new(false);
    let all = workers.iter_mut().map(async |worker| {
        let mut took = Vec::new();
        while !over.get() && begun.elapsed() < time {
            let started = Instant::now();
            match work(worker).await? {
                Turn::Done => took.push(started.elapsed()),
                Turn::Uncounted => {}
                Turn::Over => over.set(true),
            }
        }
        Ok::<_, Box<dyn std::error::Error + Send + Sync>>(took)
    });
    Ok(Load::new(try_join_all(all).await?.concat(), begun.elapsed()))
}

/// How long it takes.
pub async fn timed(work: impl Future<Output = Result<()>>) -> Result<Duration> {
    let begun = Instant::now();
    work.await?;
    Ok(begun.elapsed())
}

impl Load {
    pub fn together(loads: Vec<Self>) -> Self {
        let elapsed = loads.iter().map(|load| load.elapsed).sum();
        let took: Vec<Duration> = loads.into_iter().flat_map(|load| load.took).collect();
        Self::new(took, elapsed)
    }

    /// What took so long each time, within so long a time.
    pub fn new(mut took: Vec<Duration>, elapsed: Duration) -> Self {
        took.sort_unstable();
        Self { took, elapsed }
    }

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
        self.took.get(place).copied().unwrap_or_default().as_secs_f64() * 1000.0
    }
}
