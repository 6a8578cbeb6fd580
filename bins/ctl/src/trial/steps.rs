//! The steps of a trial: a line each, as it is done, with what was learnt.

use std::{
    io::{self, Write},
    time::Duration,
};

use serde::Serialize;
use tokio::time::{Instant, sleep};
use wayfare_domain::Clock;
use wayfare_supply::Answer;

use crate::output::{Output, time};

const LONGEST_PAUSE: Duration = Duration::from_secs(5);

#[derive(Serialize)]
pub struct Step {
    at: String,
    step: &'static str,
    took_ms: u64,
    /// Whether it went as it should.
    pub good: bool,
    learnt: String,
}

pub struct Steps {
    pub output: Output,
    pub clock: Clock,
    pub done: Vec<Step>,
}

/// What a step has taught, or how it went otherwise than it should.
pub type Learnt = Result<String, String>;

impl Steps {
    /// Asks, and notes what was learnt.
    pub async fn ask<T>(
        &mut self,
        step: &'static str,
        call: impl Future<Output = Answer<T>>,
        learn: impl Fn(&T) -> Learnt,
    ) -> Answer<T> {
        let begun = Instant::now();
        let answer = call.await;
        let learnt = match &answer {
            Answer::Done(content) => learn(content),
            Answer::Refused(refusal) => Err(format!("refused: {}", refusal.text)),
            Answer::Unavailable(outage) => Err(format!("nothing was done: {}", outage.reason)),
            Answer::Unknown(reason) => Err(format!("not known: {reason}")),
        };
        self.note(step, begun.elapsed(), learnt);
        answer
    }

    /// Asks until an answer ends it, or the supplier has had so much time: then the last one.
    pub async fn poll<T>(
        &mut self,
        step: &'static str,
        patience: Duration,
        call: impl AsyncFn() -> Answer<T>,
        learn: impl Fn(&T) -> Learnt,
        ends: impl Fn(&Answer<T>) -> bool,
    ) -> Answer<T> {
        let begun = Instant::now();
        loop {
            let is_last = begun.elapsed() >= patience;
            let answer = self.ask(step, call(), &learn).await;
            if is_last || ends(&answer) {
                return answer;
            }
            sleep((patience / 10).min(LONGEST_PAUSE)).await;
        }
    }

    /// Notes a step. What was learnt in the one before is not said again.
    pub fn note(&mut self, step: &'static str, took: Duration, learnt: Learnt) {
        let good = learnt.is_ok();
        let (Ok(learnt) | Err(learnt)) = learnt;
        if self.done.last().is_some_and(|last| last.step == step && last.learnt == learnt) {
            return;
        }
        let (at, took_ms) = (time(self.clock.now()), u64::try_from(took.as_millis()).unwrap_or(u64::MAX));
        let mark = if good { ' ' } else { '!' };
        let line = format!("{at} {mark} {step:<22} {took_ms:>6} ms  {learnt}");
        // Where it can't be written the trial goes on all the same: something may stand.
        let _ = match self.output.json {
            true => writeln!(io::stderr(), "{line}"),
            false => writeln!(io::stdout(), "{line}"),
        };
        self.done.push(Step { at, step, took_ms, good, learnt });
    }
}
