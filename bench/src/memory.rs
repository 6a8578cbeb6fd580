//! How much memory a process has.

use std::{
    fs,
    time::{Duration, Instant},
};

use tokio::select;

use crate::Result;

const TICK: Duration = Duration::from_millis(20);

/// The memory of one process, as the system sees it.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    pid: u32,
}

impl Memory {
    pub(crate) fn of(pid: u32) -> Self {
        Self { pid }
    }

    /// What it has now, in megabytes of 1024 × 1024 bytes (`VmRSS`).
    pub fn now(self) -> Result<f64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.pid))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let number = line.and_then(|line| line.split_whitespace().next());
        let kilobytes: f64 = number.ok_or("no VmRSS")?.parse()?;
        Ok(kilobytes / 1024.0)
    }

    /// The most that it has within this time, likewise.
    pub async fn peak(self, time: Duration) -> Result<f64> {
        let begun = Instant::now();
        let mut peak = self.now()?;
        while begun.elapsed() < time {
            tokio::time::sleep(TICK).await;
            peak = peak.max(self.now()?);
        }
        Ok(peak)
    }

    /// What comes of this work, and the most that the process has meanwhile, likewise.
    pub async fn peak_during<T>(self, work: impl Future<Output = Result<T>>) -> Result<(T, f64)> {
        tokio::pin!(work);
        let mut watch = tokio::time::interval(TICK);
        let mut peak = self.now()?;
        loop {
            select! {
                done = &mut work => return Ok((done?, peak)),
                _ = watch.tick() => peak = peak.max(self.now()?),
            }
        }
    }
}
