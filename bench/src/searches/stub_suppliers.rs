//! The suppliers: each answers with what was recorded, after a time of its own, and it is noted when.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::{io::AsyncWriteExt, net::TcpStream, sync::Semaphore, time::sleep_until};

use super::{Recording, Wire};
use wayfare_stub_server::http::{self, Answers, Request};

use crate::Result;

/// When the fastest supplier answers.
const FIRST: Duration = Duration::from_millis(200);
const LAST: Duration = Duration::from_millis(700);
/// Between two answers that are given in turns: nearly four times what a quiet server needs for one.
const TURN: Duration = Duration::from_millis(16);
/// So many bytes are written after an answer's end was noted. Noted later, a thread that had to make room in between
/// would make us look faster than we are.
const TAIL: usize = 4096;

/// Suppliers on ports of their own, until the runtime ends.
pub struct StubSuppliers {
    suppliers: Vec<(String, Wire)>,
    watch: Arc<Watch>,
    /// Of each, the answers that it may give while they answer in turns.
    turns: Vec<Arc<Semaphore>>,
    in_turns: Arc<AtomicBool>,
}

/// When suppliers had answered each search. A search is known by its date: no two at once have the same.
#[derive(Default)]
pub(super) struct Watch {
    answers: Mutex<HashMap<String, Vec<Instant>>>,
    suppliers: usize,
}

struct Supplier {
    body: Arc<[u8]>,
    delay: Duration,
    watch: Arc<Watch>,
    turns: Arc<Semaphore>,
    in_turns: Arc<AtomicBool>,
}

impl StubSuppliers {
    /// A supplier for each recording, their answers spread evenly over time.
    pub async fn start(recordings: &[Recording]) -> Result<Self> {
        let watch = Arc::new(Watch { suppliers: recordings.len(), ..Watch::default() });
        let turns: Vec<_> = recordings.iter().map(|_| Arc::new(Semaphore::new(0))).collect();
        let in_turns = Arc::new(AtomicBool::new(false));
        let gaps = u32::try_from(recordings.len().saturating_sub(1).max(1))?;
        let mut suppliers = Vec::new();
        for ((number, recording), turns) in (0..).zip(recordings).zip(&turns) {
            let (listener, url) = http::listen().await?;
            let supplier = Supplier {
                body: recording.body.clone(),
                delay: FIRST + (LAST - FIRST) * number / gaps,
                watch: watch.clone(),
                turns: turns.clone(),
                in_turns: in_turns.clone(),
            };
            tokio::spawn(http::serve(listener, Arc::new(supplier)));
            suppliers.push((url, recording.wire));
        }
        Ok(Self { suppliers, watch, turns, in_turns })
    }

    /// Lets suppliers answer so many searches in turns while `open` opens them, the first supplier all of them, then the next. So each has
    /// nearly all of its offers before one ends, and what the server takes does not depend on which of its work it gets to first.
    pub async fn in_turns<T>(&self, searches: usize, open: impl Future<Output = T>) -> T {
        self.in_turns.store(true, Ordering::Relaxed);
        let turns = async {
            for supplier in &self.turns {
                for _ in 0..searches {
                    tokio::time::sleep(TURN).await;
                    supplier.add_permits(1);
                }
            }
        };
        let (opened, ()) = tokio::join!(open, turns);
        self.in_turns.store(false, Ordering::Relaxed);
        opened
    }

    /// Where each answers, and what it speaks.
    pub fn suppliers(&self) -> impl Iterator<Item = (&str, Wire)> {
        self.suppliers.iter().map(|(url, wire)| (url.as_str(), *wire))
    }

    pub(super) fn watch(&self) -> Arc<Watch> {
        self.watch.clone()
    }

    /// The settings of a server that asks them for every search anew, as many at once as may come.
    pub fn settings(&self) -> String {
        let mut settings = "search_cache_ttl_s = 0\n".to_owned();
        for (number, (url, wire)) in self.suppliers().enumerate() {
            let (kind, token) = match wire {
                Wire::Duffel => ("duffel", wire.token()),
                Wire::TripJack => ("tripjack", wire.token()),
            };
            settings += &format!(
                "[[suppliers]]\ncode = \"{kind}_{number}\"\nkind = \"{kind}\"\nbase_url = \"{url}\"\ntoken = \"{token}\"\n\
                 calls_at_once = 4000\nread_deadline_s = 600\n"
            );
        }
        settings
    }
}

impl Answers for Supplier {
    async fn answer(&self, request: Request, to: &mut TcpStream) -> Result<()> {
        // Whatever else is asked, such as our balance, takes no turn.
        let date = date(&request.text).ok_or("a question without a date")?;
        if self.in_turns.load(Ordering::Relaxed) {
            self.turns.acquire().await?.forget();
        } else {
            sleep_until((Instant::now() + self.delay).into()).await;
        }
        let (body, tail) = self.body.split_at(self.body.len().saturating_sub(TAIL));
        to.write_all(http::head(self.body.len()).as_bytes()).await?;
        to.write_all(body).await?;
        self.watch.note(date);
        Ok(to.write_all(tail).await?)
    }
}

/// The date of a question in any of our languages, written as they all write it.
pub(super) fn date(body: &str) -> Option<&str> {
    let after =
        ["\"departure_date\":\"", "\"travelDate\":\""].iter().find_map(|name| body.split_once(name))?;
    after.1.get(..10)
}

impl Watch {
    fn note(&self, date: &str) {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.entry(date.to_owned()).or_default().push(Instant::now());
    }

    /// When the first supplier had answered, and when the last; it is forgotten.
    pub(super) fn take(&self, date: &str) -> Result<(Instant, Instant)> {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let moments = answers.remove(date).unwrap_or_default();
        match (moments.iter().min(), moments.iter().max()) {
            (Some(first), Some(last)) if moments.len() == self.suppliers => Ok((*first, *last)),
            _ => Err(format!("{} of {} suppliers had answered", moments.len(), self.suppliers).into()),
        }
    }
}
