//! How long a process was on the machine's cores.

use std::{fs, time::Duration};

use rustix::param::clock_ticks_per_second;

use crate::Result;

/// The time of one process on all cores together, its threads' and the system's on their behalf.
#[derive(Clone, Copy, Debug)]
pub struct Processor {
    pid: u32,
}

impl Processor {
    pub(crate) fn of(pid: u32) -> Self {
        Self { pid }
    }

    /// What it has had until now, in steps of 10 ms or so.
    pub fn spent(self) -> Result<Duration> {
        self.ticks(2)
    }

    /// The same with that of its children whose end it has seen.
    pub(crate) fn spent_with_ended_children(self) -> Result<Duration> {
        self.ticks(4)
    }

    pub(crate) fn parent(self) -> Result<u32> {
        let parent = self.fields()?;
        Ok(parent.get(1).ok_or("no parent in stat")?.parse()?)
    }

    /// The first so many of the times that it and its ended children have had as programs and in the system.
    fn ticks(self, count: usize) -> Result<Duration> {
        let fields = self.fields()?;
        let ticks = fields.iter().skip(11).take(count);
        let ticks = ticks.map(|text| text.parse::<u64>()).sum::<Result<u64, _>>()?;
        Ok(Duration::from_millis(ticks * 1000 / clock_ticks_per_second()))
    }

    /// What the system tells of it, from the third field on: the second is the program's name, which may have spaces.
    fn fields(self) -> Result<Vec<String>> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.pid))?;
        let (_, fields) = stat.rsplit_once(')').ok_or("no name in stat")?;
        Ok(fields.split_whitespace().map(str::to_owned).collect())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use std::{hint::spin_loop, time::Instant};

    use super::*;

    #[test]
    fn what_a_process_computes_counts() {
        let processor = Processor::of(std::process::id());
        let before = processor.spent().unwrap();
        let begun = Instant::now();
        while processor.spent().unwrap() < before + Duration::from_millis(50) {
            assert!(begun.elapsed() < Duration::from_secs(60), "no time is counted");
            spin_loop();
        }
        // On so few cores as there are it can't have been much faster.
        let cores = std::thread::available_parallelism().unwrap().get();
        assert!(begun.elapsed() * u32::try_from(cores).unwrap() >= Duration::from_millis(30));
    }
}
