//! Time on a core instead of on the wall: what others do on the machine meanwhile doesn't count.

use std::time::Duration;

use criterion::measurement::{Measurement, ValueFormatter, WallTime};
use rustix::time::{ClockId, clock_gettime};

/// What this thread has spent on a core.
pub fn spent() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.try_into().unwrap(), time.tv_nsec.try_into().unwrap())
}

/// Criterion's measurement of it, which adds and prints as the clock on the wall does.
pub struct Processor(pub WallTime);

impl Measurement for Processor {
    type Intermediate = Duration;
    type Value = Duration;

    fn start(&self) -> Duration {
        spent()
    }
    fn end(&self, before: Duration) -> Duration {
        spent() - before
    }
    fn add(&self, one: &Duration, other: &Duration) -> Duration {
        self.0.add(one, other)
    }
    fn zero(&self) -> Duration {
        self.0.zero()
    }
    fn to_f64(&self, value: &Duration) -> f64 {
        self.0.to_f64(value)
    }
    fn formatter(&self) -> &dyn ValueFormatter {
        self.0.formatter()
    }
}
