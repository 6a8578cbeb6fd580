//! Single-flight across servers: of those that are asked the same at the same time one asks the supplier, under a lease in Redis,
//! and the others take its answer from there.
//!
//! `wayfare:query:<hash>` names the answer for as long as it is cached, or is empty for a moment where there was none;
//! `wayfare:query-lease:<hash>` says who asks. Nobody waits for another longer than [`LONGEST_WAIT`], nor for Redis longer than
//! [`PATIENCE`]: then they ask for themselves.

use std::{
    sync::{Arc, LazyLock},
    time::{Duration, Instant},
};

use redis::Script;
use tokio::{sync::broadcast::Receiver, task::JoinSet, time::timeout};
use wayfare_domain::AnswerId;
use wayfare_supply::Answer;

use super::{
    offer_cache::{CachedOffers, SupplierAnswer},
    session_redis::SessionRedis,
};
use crate::tools::search_memory::query_hash::QueryHash;

/// How long a search waits for Redis to say whether another server asks.
const PATIENCE: Duration = Duration::from_millis(50);
/// How long a search waits for the answer of another server at most. It is lost where that server dies or hangs.
const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// For how long a server says that it asks. It renews that, so this is how long one that has died keeps others waiting.
const LEASE: Duration = Duration::from_secs(1);
const RENEWED_EVERY: Duration = Duration::from_millis(250);
/// How often a search that waits reads by itself, should it not hear that there is an answer.
const READS_EVERY: Duration = Duration::from_millis(250);
/// For so long nobody waits for anybody after a supplier did not answer.
const NO_ANSWER_FOR: Duration = Duration::from_secs(1);

static STATE: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("state.lua")));
static RENEW: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("renew.lua")));

enum WhoAsks {
    /// Another server has done so; what it was answered.
    AnotherServer(Arc<CachedOffers>),
    /// This one, with a lease where Redis gave one.
    ThisServer(Option<QueryLease>),
}

enum QueryState {
    /// The answer's name, and for how long it is still cached.
    Answered(AnswerId, Duration),
    /// The supplier did not answer a moment ago.
    NotAnswered,
    /// Nobody asks: this server has the lease now.
    Leased,
    Asked,
}

/// The answer to this query: that of another server which has it or asks already, else what `ask` brings. That one is told to the
/// others, after it was returned.
pub(super) async fn answered_once<F>(
    shared: Option<&Arc<SessionRedis>>,
    query: QueryHash,
    id: AnswerId,
    ask: impl FnOnce() -> F,
) -> SupplierAnswer
where
    F: Future<Output = Answer<CachedOffers>>,
{
    let Some(shared) = shared.filter(|shared| !shared.search_cache_ttl.is_zero()) else {
        return ask().await.map(Arc::new);
    };
    match shared.who_asks(query, id).await {
        WhoAsks::AnotherServer(answer) => Answer::Done(answer),
        WhoAsks::ThisServer(lease) => {
            let answer = ask().await.map(Arc::new);
            match (&answer, lease) {
                (Answer::Done(cached), lease) => {
                    let (shared, cached) = (shared.clone(), cached.clone());
                    tokio::spawn(async move { shared.tell_answer(query, &cached, lease).await });
                }
                (_, Some(lease)) => {
                    let shared = shared.clone();
                    tokio::spawn(async move { shared.tell_no_answer(lease).await });
                }
                (_, None) => {}
            }
            answer
        }
    }
}

impl SessionRedis {
    async fn who_asks(self: &Arc<Self>, query: QueryHash, id: AnswerId) -> WhoAsks {
        if self.broadcast.is_gone(query) {
            return WhoAsks::ThisServer(None);
        }
        let mut finished = self.broadcast.finished();
        let end = Instant::now() + LONGEST_WAIT;
        loop {
            match self.state(query, id).await {
                Some(QueryState::Answered(answer, left)) => {
                    return match self
                        .find_answer(answer, Instant::now() + left.min(self.search_cache_ttl))
                        .await
                    {
                        Some(answer) => WhoAsks::AnotherServer(answer),
                        None => WhoAsks::ThisServer(None),
                    };
                }
                Some(QueryState::Leased) => {
                    return WhoAsks::ThisServer(Some(QueryLease::begin(self.clone(), query, id)));
                }
                Some(QueryState::NotAnswered) | None => return WhoAsks::ThisServer(None),
                Some(QueryState::Asked) => {}
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return WhoAsks::ThisServer(None);
            }
            // Whoever hears nothing reads all the same.
            let _ = timeout(READS_EVERY.min(left), has_finished(&mut finished, query)).await;
        }
    }

    async fn state(&self, query: QueryHash, id: AnswerId) -> Option<QueryState> {
        let mut read = STATE.prepare_invoke();
        read.key(query.answer_key()).key(query.lease_key());
        read.arg(id.to_string()).arg(millis(LEASE));
        let state = self.redis.ask_briefly(PATIENCE, async |connection| {
            read.invoke_async::<(String, String, i64)>(connection).await
        });
        let (state, answer, left) = state.await?;
        match (state.as_str(), answer.as_str()) {
            ("leased", _) => Some(QueryState::Leased),
            ("asked", _) => Some(QueryState::Asked),
            (_, "") => Some(QueryState::NotAnswered),
            (_, answer) => {
                let left = Duration::from_millis(u64::try_from(left).ok()?);
                Some(QueryState::Answered(answer.parse().ok()?, left))
            }
        }
    }

    /// Tells the others of an answer, for which they may wait under this lease.
    async fn tell_answer(&self, query: QueryHash, cached: &Arc<CachedOffers>, lease: Option<QueryLease>) {
        if self.store_answer(cached).await.is_none() {
            // The lease's end lets others ask.
            return;
        }
        let mut all = redis::pipe();
        let set = all.atomic().cmd("SET");
        set.arg(query.answer_key()).arg(cached.id.to_string());
        set.arg("PX").arg(millis(self.search_cache_ttl)).ignore();
        self.tell(query, all, lease).await;
    }

    /// Tells those who wait under this lease that there is no answer.
    async fn tell_no_answer(&self, lease: QueryLease) {
        let query = lease.query;
        let mut all = redis::pipe();
        let set = all.atomic().cmd("SET");
        set.arg(query.answer_key()).arg("");
        set.arg("NX").arg("PX").arg(millis(NO_ANSWER_FOR)).ignore();
        self.tell(query, all, Some(lease)).await;
    }

    async fn tell(&self, query: QueryHash, mut all: redis::Pipeline, lease: Option<QueryLease>) {
        if let Some(telling) = self.broadcast.telling_answered(query) {
            all.add_command(telling).ignore();
        }
        let sent = self.redis.ask(async |connection| all.exec_async(connection).await);
        if sent.await.is_some()
            && let Some(mut lease) = lease
        {
            // Who reads finds what was told, so the lease may end by itself.
            lease.is_over = true;
        }
    }

    async fn renew(&self, query: QueryHash, id: AnswerId, length: Duration) {
        let mut renew = RENEW.prepare_invoke();
        renew.key(query.lease_key());
        renew.arg(id.to_string()).arg(millis(length));
        let renewed =
            self.redis.ask_briefly(PATIENCE, async |connection| renew.invoke_async::<i64>(connection).await);
        renewed.await;
    }
}

/// Waits until somebody has ended asking this, or may have.
async fn has_finished(finished: &mut Receiver<QueryHash>, query: QueryHash) {
    loop {
        match finished.recv().await {
            Ok(other) if other != query => {}
            // So many have ended that some were missed.
            Ok(_) | Err(_) => return,
        }
    }
}

/// The right to ask, renewed until it is dropped. Where the others were told nothing, they may ask then.
struct QueryLease {
    shared: Arc<SessionRedis>,
    query: QueryHash,
    id: AnswerId,
    is_over: bool,
    _renewal: JoinSet<()>,
}

impl QueryLease {
    fn begin(shared: Arc<SessionRedis>, query: QueryHash, id: AnswerId) -> Self {
        let mut renewal = JoinSet::new();
        let redis = shared.clone();
        renewal.spawn(async move {
            loop {
                tokio::time::sleep(RENEWED_EVERY).await;
                redis.renew(query, id, LEASE).await;
            }
        });
        Self { shared, query, id, is_over: false, _renewal: renewal }
    }
}

impl Drop for QueryLease {
    fn drop(&mut self) {
        if self.is_over {
            return;
        }
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let (shared, query, id) = (self.shared.clone(), self.query, self.id);
        runtime.spawn(async move {
            shared.renew(query, id, Duration::ZERO).await;
            if let Some(telling) = shared.broadcast.telling_answered(query) {
                let sent = shared
                    .redis
                    .ask_briefly(PATIENCE, async |connection| telling.exec_async(connection).await);
                sent.await;
            }
        });
    }
}

fn millis(length: Duration) -> u64 {
    u64::try_from(length.as_millis()).unwrap_or(u64::MAX)
}
