//! Work on many things that are due, so many of them at once.

use std::pin::pin;

use futures_util::{Stream, StreamExt, stream::FuturesUnordered};

use crate::Result;

/// How many things of one kind are worked on at once in one process: one silent supplier must not delay the others' money.
const AT_ONCE: usize = 8;

/// Takes one after the other that is due, works on so many of them at once, and returns how many there were. When taking
/// fails, what is under way is ended first.
pub(super) async fn each_due<T, Taken, Worked>(
    take: impl Fn() -> Taken,
    work: impl Fn(T) -> Worked,
) -> Result<usize>
where
    Taken: Future<Output = Result<Option<T>>>,
    Worked: Future<Output = Result<()>>,
{
    let (mut ended, mut problem) = (0, Ok(()));
    let mut under_way = FuturesUnordered::new();
    loop {
        // What is taken is begun at once: nothing is held that nobody works on.
        while under_way.len() < AT_ONCE && problem.is_ok() {
            let end = |outcome| {
                ended += 1;
                if problem.is_ok() {
                    problem = outcome;
                }
            };
            match meanwhile(&mut under_way, take(), end).await {
                Ok(Some(due)) => under_way.push(work(due)),
                Ok(None) => break,
                Err(error) => problem = Err(error),
            }
        }
        match under_way.next().await {
            Some(outcome) => {
                ended += 1;
                problem = problem.and(outcome);
            }
            None => return problem.map(|()| ended),
        }
    }
}

/// Waits for one thing while all that is under way goes on: it may hold the very connection or row that is waited for.
async fn meanwhile<T, Worked>(
    under_way: &mut (impl Stream<Item = Worked> + Unpin),
    awaited: impl Future<Output = T>,
    mut end: impl FnMut(Worked),
) -> T {
    let mut awaited = pin!(awaited);
    loop {
        tokio::select! {
            come = &mut awaited => return come,
            Some(outcome) = under_way.next() => end(outcome),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{cell::Cell, time::Duration};

    use tokio::{sync::Semaphore, time::timeout};

    use super::each_due;
    use crate::Error;

    /// As a pool with one connection: whoever works on something holds it, and whoever takes the next waits for it.
    #[tokio::test]
    async fn taking_never_waits_for_work_that_waits_for_the_taking() {
        let (connections, left) = (Semaphore::new(1), Cell::new(20));
        let take = async || {
            let _connection = connections.acquire().await.unwrap();
            tokio::task::yield_now().await;
            let due = left.get();
            left.set(due.max(1) - 1);
            Ok((due > 0).then_some(due))
        };
        let work = async |_| {
            for _ in 0..3 {
                let _connection = connections.acquire().await.unwrap();
                tokio::task::yield_now().await;
            }
            Ok(())
        };
        let all = timeout(Duration::from_secs(10), each_due(take, work)).await;
        assert_eq!(all.expect("they wait for each other").unwrap(), 20);
    }

    #[tokio::test]
    async fn what_is_under_way_ends_when_taking_fails() {
        let (taken, ended) = (Cell::new(0), Cell::new(0));
        let take = async || {
            taken.set(taken.get() + 1);
            match taken.get() {
                3 => Err(Error::Internal("the database is away".into())),
                _ => Ok(Some(())),
            }
        };
        let work = async |()| {
            tokio::task::yield_now().await;
            ended.set(ended.get() + 1);
            Ok(())
        };
        assert!(each_due(take, work).await.is_err());
        assert_eq!((taken.get(), ended.get()), (3, 2));
    }
}
