//! Single-flight: identical concurrent requests share one call.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use futures_util::{
    FutureExt,
    future::{BoxFuture, Shared, WeakShared},
};

/// A call that goes on as long as anybody waits for it, whoever began it.
pub(crate) type SharedCall<T> = Shared<BoxFuture<'static, T>>;

/// The calls that have not ended, by what they are for.
pub(crate) struct SingleFlight<K, T>(Arc<Mutex<Calls<K, T>>>);

struct Calls<K, T> {
    /// Each with the number under which it was begun, since a later one may have taken its place.
    by_key: HashMap<K, (u64, WeakShared<BoxFuture<'static, T>>)>,
    last_number: u64,
}

impl<K, T> Default for SingleFlight<K, T> {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Calls { by_key: HashMap::new(), last_number: 0 })))
    }
}

impl<K, T> SingleFlight<K, T>
where
    K: Clone + Eq + Hash + Send + 'static,
    T: Clone + Send + Sync + 'static,
{
    /// The call for this key: the one that is running, else the one that `begin` makes. An earlier call may have ended
    /// just before, so `begin` looks into the cache first.
    pub(crate) fn join(&self, key: &K, begin: impl FnOnce() -> BoxFuture<'static, T>) -> SharedCall<T> {
        let mut calls = lock(&self.0);
        if let Some(call) = calls.by_key.get(key).and_then(|(_, weak)| weak.upgrade()) {
            return call;
        }
        let call = begin();
        calls.last_number += 1;
        let number = calls.last_number;
        let entry = CallEntry { calls: self.0.clone(), key: key.clone(), number };
        let call = async move {
            let _entry = entry;
            call.await
        };
        let call = call.boxed().shared();
        let weak = call.downgrade();
        calls.by_key.extend(weak.map(|weak| (key.clone(), (number, weak))));
        call
    }
}

fn lock<K, T>(calls: &Mutex<Calls<K, T>>) -> MutexGuard<'_, Calls<K, T>> {
    calls.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes a call from the running ones once it has ended or nobody waits for it any more.
struct CallEntry<K: Eq + Hash, T> {
    calls: Arc<Mutex<Calls<K, T>>>,
    key: K,
    number: u64,
}

impl<K: Eq + Hash, T> Drop for CallEntry<K, T> {
    fn drop(&mut self) {
        let mut calls = lock(&self.calls);
        let running = calls.by_key.get(&self.key);
        if running.is_some_and(|(number, _)| *number == self.number) {
            calls.by_key.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::{runtime::Handle, sync::oneshot};

    use super::*;
    use crate::tools::detached::spawn_detached;

    type Numbers = SingleFlight<&'static str, Result<u32, String>>;

    /// A call that ends with the number that is sent, and panics when none is.
    fn call() -> (oneshot::Sender<Option<u32>>, BoxFuture<'static, Result<u32, String>>) {
        let (send, received) = oneshot::channel();
        let call = async move { received.await.ok().flatten().unwrap() };
        (send, spawn_detached(&Handle::current(), call).boxed())
    }

    #[tokio::test]
    async fn a_call_is_made_once_and_survives_its_first_caller() {
        let numbers = Numbers::default();
        let (send, call) = call();
        let first = numbers.join(&"a", || call);
        let second = numbers.join(&"a", || unreachable!("it is running"));
        let other = numbers.join(&"b", || std::future::ready(Ok(2)).boxed());
        assert_eq!(other.await, Ok(2));
        drop(first);
        send.send(Some(1)).unwrap();
        assert_eq!(second.await, Ok(1));
        let anew = numbers.join(&"a", || std::future::ready(Ok(3)).boxed());
        assert_eq!(anew.await, Ok(3));
        assert!(lock(&numbers.0).by_key.is_empty());
    }

    #[tokio::test]
    async fn a_call_ends_with_its_last_caller() {
        let numbers = Numbers::default();
        let (mut send, call) = call();
        let first = numbers.join(&"a", || call);
        drop(first);
        send.closed().await;
        assert!(lock(&numbers.0).by_key.is_empty());
    }

    #[tokio::test]
    async fn a_call_that_panics_is_an_error_to_all_and_begins_anew() {
        let numbers = Numbers::default();
        let (send, call) = call();
        let first = numbers.join(&"a", || call);
        let second = numbers.join(&"a", || unreachable!("it is running"));
        send.send(None).unwrap();
        assert!(first.await.is_err());
        assert!(second.await.is_err());
        let anew = numbers.join(&"a", || std::future::ready(Ok(3)).boxed());
        assert_eq!(anew.await, Ok(3));
    }
}
