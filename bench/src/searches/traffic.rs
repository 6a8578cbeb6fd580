//! Searches one after the other, and as many a second as come, whether those before are answered or not.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use tokio::{task::JoinSet, time::sleep_until};

use super::{Kind, Searcher, Timed};
use crate::{Load, Result};

#[derive(Debug)]
pub struct Traffic {
    pub timed: Vec<Timed>,
    pub failed: usize,
    /// From the first question to the last answer.
    pub elapsed: Duration,
}

impl Traffic {
    /// From the last supplier's last byte to ours.
    pub fn own(&self) -> Load {
        Load::new(self.timed.iter().map(|timed| timed.own).collect(), self.elapsed)
    }

    /// From the first supplier's last byte to the end of the first event.
    pub fn first(&self) -> Load {
        Load::new(self.timed.iter().filter_map(|timed| timed.first).collect(), self.elapsed)
    }

    /// All of them, if each has all its bytes; ids and times make answers a little longer or shorter.
    pub fn complete(self, bytes: usize) -> Result<Self> {
        let short = self.timed.iter().filter(|timed| timed.bytes < bytes - bytes / 100).count();
        match self.failed + short {
            0 => Ok(self),
            _ => Err(format!("{} searches failed, {short} answers are short", self.failed).into()),
        }
    }
}

/// So many searches, one after the other.
pub async fn alone(searcher: &Searcher, kind: Kind, count: usize) -> Result<Traffic> {
    let begun = Instant::now();
    let mut timed = Vec::with_capacity(count);
    for _ in 0..count {
        timed.push(searcher.search(kind).await?);
    }
    Ok(Traffic { timed, failed: 0, elapsed: begun.elapsed() })
}

/// So many searches a second for this time, at moments that know nothing of each other, as those of many people.
pub async fn at_rate(searcher: &Arc<Searcher>, kind: Kind, rate: f64, time: Duration) -> Result<Traffic> {
    // The same moments in each run.
    let mut rng = StdRng::seed_from_u64(1);
    let begun = Instant::now();
    let mut next = begun;
    let mut searches = JoinSet::new();
    loop {
        next += Duration::from_secs_f64(-(1.0 - rng.random::<f64>()).ln() / rate);
        if next > begun + time {
            break;
        }
        sleep_until(next.into()).await;
        let searcher = searcher.clone();
        searches.spawn(async move { searcher.search(kind).await });
    }
    let answers = searches.join_all().await;
    let count = answers.len();
    let timed: Vec<Timed> = answers.into_iter().flatten().collect();
    Ok(Traffic { failed: count - timed.len(), timed, elapsed: begun.elapsed() })
}
