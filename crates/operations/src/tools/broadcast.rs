//! What a server tells all others of its database through Redis, while nobody waits for it: that a supplier wants to be left
//! alone, that an answer is no longer good, that a query was answered. Whatever is lost, late, doubled or senseless does no harm:
//! each server then does what it would do alone.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use chrono::DateTime;
use futures_util::StreamExt;
use redis::RedisError;
use serde::{Deserialize, Serialize};
use tokio::{
    sync::{Notify, broadcast},
    task::JoinSet,
    time::{sleep, timeout},
};
use wayfare_supply::{SupplierConfig, SupplierPauses};

use super::search_memory::query_hash::{Forgets, QueryHash};
use crate::{Core, Redis, Result};

/// How often a server says that it is there. It hears itself: a connection that only seems to be one is noticed.
const HERE_EVERY: Duration = Duration::from_secs(5);
/// After so long a silence the channel is subscribed to anew.
const SILENCE: Duration = Duration::from_secs(15);
/// How long Redis is left alone once it failed.
const PAUSE: Duration = Duration::from_secs(1);
/// Pauses of one supplier are told no more often than this: calls that were under way together are told one each.
const BETWEEN_PAUSES: Duration = Duration::from_millis(100);
/// So many answers that are no longer good may wait for Redis. What is more is not told.
const MOST_WAITING: usize = 1024;
/// So many are told at once.
const TOLD_AT_ONCE: usize = 128;
/// So many queries that were answered may wait to be heard of by one search. It looks by itself where it missed some.
const MOST_FINISHED: usize = 256;
/// A longer message is none of ours.
const LONGEST_MESSAGE: usize = 1024;

/// The line to the other servers; it leads nowhere without Redis.
pub(crate) struct Broadcast {
    line: Option<Arc<Line>>,
    caches: Arc<[Arc<dyn Forgets>]>,
    finished: broadcast::Sender<QueryHash>,
    _tasks: JoinSet<()>,
}

struct Line {
    redis: Arc<Redis>,
    channel: String,
    own: u64,
    gone: Mutex<Gone>,
    more_gone: Notify,
    caches: Arc<[Arc<dyn Forgets>]>,
    finished: broadcast::Sender<QueryHash>,
    suppliers: HashMap<QueryHash, SupplierPauses>,
}

/// Answers that are no longer good and may still be in Redis.
#[derive(Default)]
struct Gone {
    waiting: HashMap<QueryHash, Forgotten>,
    last_number: u64,
}

#[derive(Clone, Copy)]
struct Forgotten {
    number: u64,
    /// When nobody has it any more, told or not.
    until: Instant,
}

#[derive(Debug, Serialize, Deserialize)]
struct Message {
    from: u64,
    news: News,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum News {
    Here,
    /// A supplier wants to be left alone until then, by the shared time.
    Paused {
        supplier: QueryHash,
        until_ms: i64,
    },
    /// Something of the answer to this query was sold, or is gone.
    Gone {
        query: QueryHash,
    },
    /// The server that asked has ended asking.
    Answered {
        query: QueryHash,
    },
}

impl Broadcast {
    /// The line of suppliers with these pauses, and of what remembers their answers.
    pub(crate) fn start(
        core: &Arc<Core>,
        pauses: Vec<(&SupplierConfig, SupplierPauses)>,
        caches: Vec<Arc<dyn Forgets>>,
    ) -> Self {
        let (caches, finished) = (Arc::from(caches), broadcast::Sender::new(MOST_FINISHED));
        let mut tasks = JoinSet::new();
        let line = core.redis.clone().map(|redis| {
            let suppliers = pauses.into_iter().filter_map(|(config, pauses)| {
                let name = QueryHash::of(&core.secrets, config, &"the supplier itself").ok()?;
                Some((name, pauses))
            });
            let scope = core.secrets.mac("broadcast channel", b"");
            let scope: String = scope.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
            let line = Arc::new(Line {
                redis,
                channel: format!("wayfare:broadcast:{scope}"),
                own: rand::random(),
                gone: Mutex::default(),
                more_gone: Notify::new(),
                caches: Arc::clone(&caches),
                finished: finished.clone(),
                suppliers: suppliers.collect(),
            });
            for (supplier, pauses) in line.suppliers.clone() {
                tasks.spawn_on(tell_pauses(line.clone(), core.clone(), supplier, pauses), &core.runtime);
            }
            tasks.spawn_on(listen_for_ever(line.clone(), core.clone()), &core.runtime);
            tasks.spawn_on(tell_gone_for_ever(line.clone()), &core.runtime);
            tasks.spawn_on(be_here(line.clone()), &core.runtime);
            line
        });
        Self { line, caches, finished, _tasks: tasks }
    }

    /// Forgets the answer to this query here and at all other servers; for so long they would have taken it for a good one.
    pub(crate) fn forget(&self, query: QueryHash, ttl: Duration) {
        self.caches.iter().for_each(|cache| cache.forget(query));
        self.gone(query, ttl);
    }

    /// Tells the others that the answer to this query is no longer good; for so long they would have taken it for one.
    fn gone(&self, query: QueryHash, ttl: Duration) {
        let Some(line) = &self.line else { return };
        let now = Instant::now();
        let mut gone = line.gone();
        if gone.waiting.len() >= MOST_WAITING {
            gone.waiting.retain(|_, forgotten| forgotten.until > now);
        }
        if gone.waiting.len() >= MOST_WAITING && !gone.waiting.contains_key(&query) {
            tracing::debug!(
                "too many answers wait to be told as gone: other servers may show one more for a while"
            );
            return;
        }
        gone.last_number += 1;
        let number = gone.last_number;
        let until = now + ttl;
        gone.waiting.insert(query, Forgotten { number, until });
        drop(gone);
        line.more_gone.notify_one();
    }

    /// Whether Redis may still have an answer to this query that this server knows to be no longer good.
    pub(crate) fn is_gone(&self, query: QueryHash) -> bool {
        let Some(line) = &self.line else { return false };
        let until = line.gone().waiting.get(&query).map(|forgotten| forgotten.until);
        until.is_some_and(|until| until > Instant::now())
    }

    /// The queries that other servers end asking from now on.
    pub(crate) fn finished(&self) -> broadcast::Receiver<QueryHash> {
        self.finished.subscribe()
    }

    /// What tells the others that this query was answered, or could not be; none without Redis.
    pub(crate) fn telling_answered(&self, query: QueryHash) -> Option<redis::Cmd> {
        let line = self.line.as_ref()?;
        line.telling(News::Answered { query }).ok()
    }
}

impl Line {
    fn gone(&self) -> MutexGuard<'_, Gone> {
        self.gone.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn telling(&self, news: News) -> Result<redis::Cmd> {
        let message = serde_json::to_vec(&Message { from: self.own, news })?;
        let mut publish = redis::cmd("PUBLISH");
        publish.arg(&self.channel).arg(message);
        Ok(publish)
    }

    async fn tell(&self, news: News) {
        let Ok(telling) = self.telling(news) else { return };
        self.redis.ask(async |connection| telling.exec_async(connection).await).await;
    }

    async fn listen(&self, core: &Core) -> std::result::Result<(), RedisError> {
        let mut messages = self.redis.subscribe(&self.channel).await?;
        while let Ok(Some(message)) = timeout(SILENCE, messages.next()).await {
            self.hear(core, message.get_payload_bytes());
        }
        Ok(())
    }

    fn hear(&self, core: &Core, payload: &[u8]) {
        let is_short = payload.len() <= LONGEST_MESSAGE;
        let message = is_short.then(|| serde_json::from_slice::<Message>(payload));
        let Some(Ok(message)) = message else {
            // Another version may say more.
            tracing::debug!(bytes = payload.len(), "a message of another server is not understood");
            return;
        };
        if message.from == self.own {
            return;
        }
        match message.news {
            News::Here => {}
            News::Paused { supplier, until_ms } => {
                let until = DateTime::from_timestamp_millis(until_ms);
                let left = until.and_then(|until| (until - core.shared_time.now()).to_std().ok());
                let left = left.filter(|left| !left.is_zero());
                if let (Some(pauses), Some(left)) = (self.suppliers.get(&supplier), left) {
                    pauses.heed(left);
                }
            }
            News::Gone { query } => self.caches.iter().for_each(|cache| cache.forget(query)),
            News::Answered { query } => {
                // Nobody may wait for it.
                let _ = self.finished.send(query);
            }
        }
    }

    /// Tells of some answers that are no longer good, and whether that is done; none when there is nothing to tell.
    async fn tell_gone(&self) -> Option<bool> {
        let now = Instant::now();
        let batch: Vec<(QueryHash, u64)> = {
            let mut gone = self.gone();
            gone.waiting.retain(|_, forgotten| forgotten.until > now);
            let waiting = gone.waiting.iter().take(TOLD_AT_ONCE);
            waiting.map(|(query, forgotten)| (*query, forgotten.number)).collect()
        };
        if batch.is_empty() {
            return None;
        }
        let mut all = redis::pipe();
        all.atomic();
        for (query, _) in &batch {
            // Whoever hears of it finds nothing there any more.
            all.del(query.answer_key()).ignore();
            if let Ok(telling) = self.telling(News::Gone { query: *query }) {
                all.add_command(telling).ignore();
            }
        }
        let done = self.redis.ask(async |connection| all.exec_async(connection).await).await;
        if done.is_some() {
            let mut gone = self.gone();
            for (query, number) in &batch {
                // It may have been forgotten once more meanwhile.
                if gone.waiting.get(query).is_some_and(|now| now.number == *number) {
                    gone.waiting.remove(query);
                }
            }
        }
        Some(done.is_some())
    }
}

async fn listen_for_ever(line: Arc<Line>, core: Arc<Core>) {
    loop {
        if let Err(error) = line.listen(&core).await {
            tracing::debug!(%error, "other servers can't be heard");
        }
        sleep(PAUSE).await;
    }
}

async fn be_here(line: Arc<Line>) {
    loop {
        line.tell(News::Here).await;
        sleep(HERE_EVERY).await;
    }
}

async fn tell_gone_for_ever(line: Arc<Line>) {
    loop {
        line.more_gone.notified().await;
        while let Some(done) = line.tell_gone().await {
            if !done {
                sleep(PAUSE).await;
            }
        }
    }
}

async fn tell_pauses(line: Arc<Line>, core: Arc<Core>, supplier: QueryHash, pauses: SupplierPauses) {
    let mut asked = pauses.asked();
    while asked.changed().await.is_ok() {
        let until = *asked.borrow_and_update();
        if let Some(until) = until {
            // The others' clocks may be wrong, and so may this one be: what is left is said by the time of all.
            let until = core.shared_time.now() + (until - pauses.clock().now());
            let until_ms = until.timestamp_millis();
            line.tell(News::Paused { supplier, until_ms }).await;
        }
        sleep(BETWEEN_PAUSES).await;
    }
}
