//! The password pool: low-priority threads that hash passwords, and the bounded queue of log-ins before them.

use std::time::Duration;

use tokio::{
    runtime::{Builder, Runtime},
    sync::{Semaphore, SemaphorePermit},
    time::timeout,
};

use crate::{Error, Result};

/// How many log-ins there may be for each thread: with some 20 ms for a hash the last one waits about five seconds,
/// which is as long as somebody waits for a log-in.
const LOG_INS_PER_THREAD: usize = 256;
/// How long a log-in waits for a place among them. Clients that were refused at once would be back at once, and a
/// crowd of them would cost more than its hashes.
const PLACE_WAIT: Duration = Duration::from_secs(1);

/// Argon2 takes 19 MiB and a core each time: it is done off the async threads, by only so many at once, in the
/// time that nothing else needs.
///
/// Anybody can ask for a log-in: they queue, and those who are signed in go past the queue.
pub(crate) struct PasswordPool {
    /// A runtime for its blocking threads alone; none once this is dropped.
    threads: Option<Runtime>,
    places: Semaphore,
    turns: Semaphore,
}

impl PasswordPool {
    /// One thread for each core but one.
    pub(crate) fn start() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self::with_threads(cores.saturating_sub(1).max(1))
    }

    fn with_threads(count: usize) -> Self {
        #[allow(
            clippy::expect_used,
            reason = "start-up: without I/O and timers it needs nothing that can fail"
        )]
        let threads = Builder::new_current_thread()
            .max_blocking_threads(count)
            .thread_name("hashing")
            .on_thread_start(give_way)
            .build()
            .expect("threads that hash passwords");
        Self {
            threads: Some(threads),
            places: Semaphore::new(count * LOG_INS_PER_THREAD),
            turns: Semaphore::new(count),
        }
    }

    /// A place in the queue of log-ins, to be taken before anything else is done for one.
    ///
    /// # Errors
    /// [`Error::Busy`] when the queue is full for a second.
    pub(crate) async fn queue(&self) -> Result<QueuePlace<'_>> {
        match timeout(PLACE_WAIT, self.places.acquire()).await {
            Ok(Ok(place)) => Ok(QueuePlace { _place: place, turns: &self.turns }),
            Ok(Err(closed)) => Err(Error::Internal(closed.to_string())),
            Err(_) => Err(Error::Busy),
        }
    }

    /// Does this on one of the threads, after what was given to them before.
    ///
    /// # Errors
    /// When it panics.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T> {
        let ended = || Error::Internal("the threads that hash passwords have ended".to_owned());
        let threads = self.threads.as_ref().ok_or_else(ended)?;
        let done = threads.spawn_blocking(work).await;
        done.map_err(|error| Error::Internal(error.to_string()))
    }
}

impl Drop for PasswordPool {
    fn drop(&mut self) {
        if let Some(threads) = self.threads.take() {
            // The usual end would wait for them, which async code may not.
            threads.shutdown_background();
        }
    }
}

pub(crate) struct QueuePlace<'a> {
    _place: SemaphorePermit<'a>,
    turns: &'a Semaphore,
}

impl QueuePlace<'_> {
    /// Waits until it is this log-in's turn, for as long as the returned value lives: of all log-ins only as many
    /// as there are threads are given to these, so that whoever is signed in never waits behind more.
    ///
    /// # Errors
    /// Never, while the threads are there.
    pub(crate) async fn turn(&self) -> Result<SemaphorePermit<'_>> {
        let turn = self.turns.acquire().await;
        turn.map_err(|closed| Error::Internal(closed.to_string()))
    }
}

/// Puts this thread behind all others of the machine.
fn give_way() {
    // Elsewhere it would be the whole process.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, 19) {
        tracing::warn!(%error, "passwords are hashed at the priority of everything else");
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        mpsc::{Sender, channel},
    };

    use super::*;

    /// Keeps the one thread busy until the returned end is dropped.
    fn occupy(pool: &Arc<PasswordPool>) -> Sender<()> {
        let (end, ended) = channel();
        let pool = pool.clone();
        tokio::spawn(async move { pool.run(move || ended.recv()).await });
        end
    }

    #[tokio::test]
    async fn the_queue_ends_and_begins_again() {
        let pool = PasswordPool::with_threads(2);
        let mut places = Vec::new();
        for _ in 0..512 {
            places.push(pool.queue().await.unwrap());
        }
        assert!(matches!(pool.queue().await, Err(Error::Busy)));
        places.pop();
        pool.queue().await.unwrap();
    }

    #[tokio::test]
    async fn whoever_is_signed_in_goes_past_the_queue() {
        let pool = Arc::new(PasswordPool::with_threads(1));
        let end = occupy(&pool);
        let done = Arc::new(std::sync::Mutex::new(Vec::new()));
        let log_in = |number: usize| {
            let (pool, done) = (pool.clone(), done.clone());
            tokio::spawn(async move {
                let place = pool.queue().await.unwrap();
                let _turn = place.turn().await.unwrap();
                let work = move || done.lock().unwrap().push(format!("log-in {number}"));
                pool.run(work).await.unwrap();
            })
        };
        let mut tasks: Vec<_> = (1..=3).map(log_in).collect();
        tokio::time::sleep(Duration::from_millis(50)).await;
        let (of_user, record) = (pool.clone(), done.clone());
        tasks.push(tokio::spawn(async move {
            let work = move || record.lock().unwrap().push("user".to_owned());
            of_user.run(work).await.unwrap();
        }));
        tokio::time::sleep(Duration::from_millis(50)).await;
        drop(end);
        for task in tasks {
            task.await.unwrap();
        }
        assert_eq!(*done.lock().unwrap(), ["log-in 1", "user", "log-in 2", "log-in 3"]);
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn its_threads_give_way_and_nothing_else_does() {
        let priority = || rustix::process::getpriority_process(None).unwrap();
        let before = priority();
        let pool = PasswordPool::with_threads(1);
        assert_eq!(pool.run(priority).await.unwrap(), 19);
        assert_eq!(priority(), before);
    }

    #[tokio::test]
    async fn work_that_panics_is_an_error_and_costs_no_thread() {
        let pool = PasswordPool::with_threads(1);
        let broken = pool.run(|| assert!(std::env::args().count() == 0)).await;
        assert!(matches!(broken, Err(Error::Internal(_))));
        assert_eq!(pool.run(|| 7).await.unwrap(), 7);
    }
}
