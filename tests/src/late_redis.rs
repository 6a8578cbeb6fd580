//! A relay in front of a test's Redis that answers late.

use std::{
    env, fs,
    io::{Read, Write},
    net::Shutdown,
    os::unix::net::{UnixListener, UnixStream},
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use crate::TestRedis;

/// A socket that leads to a Redis whose answers come so much later. It is of no use once that Redis has ended.
pub struct LateRedis {
    folder: PathBuf,
    delay_ms: Arc<AtomicU64>,
}

impl LateRedis {
    /// Before this Redis, not late yet.
    pub fn before(redis: &TestRedis) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(1);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = env::temp_dir().join(format!("wayfare-late-redis-{}-{number}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let listener = UnixListener::bind(folder.join("redis.sock")).unwrap();
        let delay_ms = Arc::new(AtomicU64::new(0));
        let target = PathBuf::from(redis.url().strip_prefix("unix://").unwrap());
        let delay = delay_ms.clone();
        // Both threads of a connection end with it.
        thread::spawn(move || {
            while let Ok((client, _)) = listener.accept() {
                let Ok(server) = UnixStream::connect(&target) else { continue };
                let (asking, asked) = (client.try_clone().unwrap(), server.try_clone().unwrap());
                thread::spawn(move || relay(asking, asked, &AtomicU64::new(0)));
                let delay = delay.clone();
                thread::spawn(move || relay(server, client, &delay));
            }
        });
        Self { folder, delay_ms }
    }

    pub fn url(&self) -> String {
        format!("unix://{}", self.folder.join("redis.sock").display())
    }

    /// From now on each answer is so late.
    pub fn is_late_by(&self, delay: Duration) {
        self.delay_ms.store(u64::try_from(delay.as_millis()).unwrap(), Ordering::SeqCst);
    }
}

impl Drop for LateRedis {
    fn drop(&mut self) {
        // Best effort: the folder is one of temporary files.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn relay(mut from: UnixStream, mut to: UnixStream, delay_ms: &AtomicU64) {
    let mut buffer = vec![0; 64 * 1024];
    while let Ok(count) = from.read(&mut buffer) {
        let part = buffer.get(..count).unwrap_or_default();
        thread::sleep(Duration::from_millis(delay_ms.load(Ordering::SeqCst)));
        if part.is_empty() || to.write_all(part).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
    let _ = from.shutdown(Shutdown::Both);
}
