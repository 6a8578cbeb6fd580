//! What several want at the same time and is done once.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use futures_util::{
    FutureExt,
    future::{BoxFuture, Shared, WeakShared},
};

/// Work that goes on as long as anybody waits for it, whoever began it.
pub(crate) type Joint<T> = Shared<BoxFuture<'static, T>>;

/// Work that has not ended, by what it is for.
pub(crate) struct UnderWay<K, T>(Arc<Mutex<Works<K, T>>>);

struct Works<K, T> {
    /// Each with the number under which it was begun, since a later one may have taken its place.
    begun: HashMap<K, (u64, WeakShared<BoxFuture<'static, T>>)>,
    last: u64,
}

impl<K, T> Default for UnderWay<K, T> {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Works {
            begun: HashMap::new(),
            last: 0,
        })))
    }
}

impl<K, T> UnderWay<K, T>
where
    K: Clone + Eq + Hash + Send + 'static,
    T: Clone + Send + Sync + 'static,
{
    /// The work for this. Where nobody is at it `begin` begins it, who looks first at what earlier work has left: it
    /// may just have ended.
    pub(crate) fn join(&self, key: &K, begin: impl FnOnce() -> BoxFuture<'static, T>) -> Joint<T> {
        let mut works = lock(&self.0);
        if let Some(work) = works.begun.get(key).and_then(|(_, weak)| weak.upgrade()) {
            return work;
        }
        let work = begin();
        works.last += 1;
        let number = works.last;
        let place = Place {
            works: self.0.clone(),
            key: key.clone(),
            number,
        };
        let work = async move {
            let _place = place;
            work.await
        };
        let work = work.boxed().shared();
        let weak = work.downgrade();
        works.begun.extend(weak.map(|weak| (key.clone(), (number, weak))));
        work
    }
}

fn lock<K, T>(works: &Mutex<Works<K, T>>) -> MutexGuard<'_, Works<K, T>> {
    works.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A work's place among those under way, until it has ended or nobody waits any more.
struct Place<K: Eq + Hash, T> {
    works: Arc<Mutex<Works<K, T>>>,
    key: K,
    number: u64,
}

impl<K: Eq + Hash, T> Drop for Place<K, T> {
    fn drop(&mut self) {
        let mut works = lock(&self.works);
        let begun = works.begun.get(&self.key);
        if begun.is_some_and(|(number, _)| *number == self.number) {
            works.begun.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::{runtime::Handle, sync::oneshot};

    use super::*;
    use crate::tools::detached::apart;

    type Numbers = UnderWay<&'static str, Result<u32, String>>;

    /// Work that ends when it is told its number, and breaks off when it is told none.
    fn told() -> (
        oneshot::Sender<Option<u32>>,
        BoxFuture<'static, Result<u32, String>>,
    ) {
        let (tell, told) = oneshot::channel();
        let work = async move { told.await.ok().flatten().unwrap() };
        (tell, apart(&Handle::current(), work).boxed())
    }

    #[tokio::test]
    async fn work_is_done_once_and_goes_on_without_who_began_it() {
        let numbers = Numbers::default();
        let (tell, work) = told();
        let first = numbers.join(&"a", || work);
        let second = numbers.join(&"a", || unreachable!("it is under way"));
        let other = numbers.join(&"b", || std::future::ready(Ok(2)).boxed());
        assert_eq!(other.await, Ok(2));
        drop(first);
        tell.send(Some(1)).unwrap();
        assert_eq!(second.await, Ok(1));
        let anew = numbers.join(&"a", || std::future::ready(Ok(3)).boxed());
        assert_eq!(anew.await, Ok(3));
        assert!(lock(&numbers.0).begun.is_empty());
    }

    #[tokio::test]
    async fn work_ends_with_the_last_who_waits() {
        let numbers = Numbers::default();
        let (mut tell, work) = told();
        let first = numbers.join(&"a", || work);
        drop(first);
        tell.closed().await;
        assert!(lock(&numbers.0).begun.is_empty());
    }

    #[tokio::test]
    async fn work_that_breaks_off_is_an_error_to_all_and_begins_anew() {
        let numbers = Numbers::default();
        let (tell, work) = told();
        let first = numbers.join(&"a", || work);
        let second = numbers.join(&"a", || unreachable!("it is under way"));
        tell.send(None).unwrap();
        assert!(first.await.is_err());
        assert!(second.await.is_err());
        let anew = numbers.join(&"a", || std::future::ready(Ok(3)).boxed());
        assert_eq!(anew.await, Ok(3));
    }
}
