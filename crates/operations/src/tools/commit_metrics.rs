//! What is counted of the group commit.

use prometheus_client::metrics::{counter::Counter, histogram::Histogram};

/// What is counted of the transactions in which purchases and money are written.
pub(crate) struct CommitMetrics {
    pub batch_size: Histogram,
    /// How long each took, in seconds.
    pub seconds: Histogram,
    /// Commands of which nobody knows whether they were committed.
    pub unknown: Counter,
}

impl Default for CommitMetrics {
    fn default() -> Self {
        Self {
            batch_size: Histogram::new([1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0]),
            seconds: Histogram::new([
                0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
            ]),
            unknown: Counter::default(),
        }
    }
}

impl CommitMetrics {
    /// One transaction of so many commands.
    pub(crate) fn count(&self, commands: usize, seconds: f64, is_unknown: bool) {
        let commands = u32::try_from(commands).unwrap_or(u32::MAX);
        self.batch_size.observe(f64::from(commands));
        self.seconds.observe(seconds);
        if is_unknown {
            self.unknown.inc_by(u64::from(commands));
        }
    }
}
