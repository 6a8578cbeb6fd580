//! Group reads: what many callers look up at once is carried by one statement, as the group commit carries what they write (D-434).
//!
//! While one statement is under way, what is asked meanwhile queues up; the next one takes all of it. So a lone caller waits
//! for nobody, and nothing is read before it was asked for: whoever asks sees what was committed by then.

use std::{collections::HashMap, hash::Hash, panic::AssertUnwindSafe, time::Duration};

use futures_util::FutureExt;
use tokio::{
    runtime::Handle,
    sync::{mpsc, oneshot},
    time::timeout,
};
use wayfare_store::StoreError;

use crate::{Error, Result};

/// So many are looked up by one statement at most.
const MOST: usize = 128;
/// So many may queue up; those who come then wait with their request.
const QUEUE: usize = 1024;
/// How long anybody waits for an answer: as long as for a connection.
const PATIENCE: Duration = Duration::from_secs(10);

pub(crate) struct GroupRead<K, V> {
    asked: mpsc::Sender<Asked<K, V>>,
    patience: Duration,
}

/// What is looked up and who waits for it.
struct Asked<K, V> {
    key: K,
    answer: oneshot::Sender<Result<Option<V>>>,
}

impl<K, V> GroupRead<K, V>
where
    K: Copy + Eq + Hash + Send + 'static,
    V: Clone + Send + 'static,
{
    /// `read` looks up what it is given, each once, and returns what it has found.
    pub(crate) fn start<R>(runtime: &Handle, read: impl Fn(Vec<K>) -> R + Send + 'static) -> Self
    where
        R: Future<Output = std::result::Result<HashMap<K, V>, StoreError>> + Send + 'static,
    {
        let (asked, queue) = mpsc::channel(QUEUE);
        runtime.spawn(answer_all(queue, read));
        Self { asked, patience: PATIENCE }
    }

    /// What is found under this key now.
    pub(crate) async fn get(&self, key: K) -> Result<Option<V>> {
        let (answer, waiting) = oneshot::channel();
        let lost = || Error::Internal("a look-up was lost".to_owned());
        let got = async {
            let asked = Asked { key, answer };
            self.asked.send(asked).await.map_err(|_| lost())?;
            waiting.await.map_err(|_| lost())?
        };
        let in_vain = |_| Err(StoreError::Pool(format!("no answer within {:?}", self.patience)).into());
        timeout(self.patience, got).await.unwrap_or_else(in_vain)
    }
}

/// Until nobody can ask any more.
async fn answer_all<K, V, R>(mut asked: mpsc::Receiver<Asked<K, V>>, read: impl Fn(Vec<K>) -> R)
where
    K: Copy + Eq + Hash,
    V: Clone,
    R: Future<Output = std::result::Result<HashMap<K, V>, StoreError>>,
{
    let mut queue = Vec::new();
    while asked.recv_many(&mut queue, MOST).await > 0 {
        let mut waiting: HashMap<K, Vec<_>> = HashMap::with_capacity(queue.len());
        // Who does not wait any more needs nothing.
        for Asked { key, answer } in queue.drain(..).filter(|asked| !asked.answer.is_closed()) {
            waiting.entry(key).or_default().push(answer);
        }
        if waiting.is_empty() {
            continue;
        }
        // Whoever waits for one that panicked is told that it was lost; the next one has nothing to do with it.
        let Ok(found) = AssertUnwindSafe(read(waiting.keys().copied().collect())).catch_unwind().await else {
            tracing::error!("a look-up panicked");
            continue;
        };
        for (key, answers) in waiting {
            for answer in answers {
                let reply = match &found {
                    Ok(found) => Ok(found.get(&key).cloned()),
                    Err(error) => Err(error.copied().into()),
                };
                // Nobody else waits for it.
                answer.send(reply).ok();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use tokio::sync::Semaphore;

    use super::*;

    type Statements = Arc<Mutex<Vec<Vec<u32>>>>;

    /// A look-up that waits for a permit for each statement, and the keys that each was given.
    fn doubled(permits: &Arc<Semaphore>) -> (GroupRead<u32, u32>, Statements) {
        let statements = Arc::new(Mutex::new(Vec::new()));
        let (permits, seen) = (permits.clone(), statements.clone());
        let read = move |mut keys: Vec<u32>| {
            let (permits, seen) = (permits.clone(), seen.clone());
            async move {
                permits.acquire().await.unwrap().forget();
                keys.sort_unstable();
                seen.lock().unwrap().push(keys.clone());
                assert!(!keys.contains(&13), "a look-up that panics");
                if keys.contains(&7) {
                    return Err(StoreError::Pool("gone".to_owned()));
                }
                Ok(keys.into_iter().filter(|key| *key < 100).map(|key| (key, 2 * key)).collect())
            }
        };
        (GroupRead::start(&Handle::current(), read), statements)
    }

    #[tokio::test]
    async fn what_is_asked_while_a_statement_is_under_way_is_carried_by_the_next_one() {
        let permits = Arc::new(Semaphore::new(0));
        let (reads, statements) = doubled(&permits);
        let reads = Arc::new(reads);
        let ask = |key| {
            let reads = reads.clone();
            tokio::spawn(async move { reads.get(key).await })
        };
        let first = ask(1);
        tokio::task::yield_now().await;
        tokio::task::yield_now().await;
        let others = [ask(2), ask(3), ask(2), ask(200)];
        for _ in 0..10 {
            tokio::task::yield_now().await;
        }
        permits.add_permits(2);
        assert_eq!(first.await.unwrap().unwrap(), Some(2));
        let mut found = Vec::new();
        for other in others {
            found.push(other.await.unwrap().unwrap());
        }
        assert_eq!(found, [Some(4), Some(6), Some(4), None]);
        assert_eq!(*statements.lock().unwrap(), [vec![1], vec![2, 3, 200]]);
    }

    #[tokio::test]
    async fn one_that_fails_or_panics_does_not_stop_the_next() {
        let (reads, _) = doubled(&Arc::new(Semaphore::new(10)));
        let failed = reads.get(7).await.unwrap_err();
        assert!(matches!(&failed, Error::Store(error) if error.is_unavailable()), "{failed}");
        assert!(matches!(reads.get(13).await, Err(Error::Internal(_))));
        assert_eq!(reads.get(4).await.unwrap(), Some(8));
    }

    #[tokio::test]
    async fn nobody_waits_for_ever() {
        let (mut reads, _) = doubled(&Arc::new(Semaphore::new(0)));
        reads.patience = Duration::from_millis(5);
        let in_vain = reads.get(1).await.unwrap_err();
        assert!(matches!(&in_vain, Error::Store(error) if error.is_unavailable()), "{in_vain}");
    }
}
