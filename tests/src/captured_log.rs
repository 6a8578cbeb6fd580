//! What this process has logged, for tests that look for a line, or for what stands in none.

use std::{
    io,
    sync::{Mutex, OnceLock},
};

use tracing_subscriber::EnvFilter;

static LINES: Mutex<Vec<u8>> = Mutex::new(Vec::new());

struct Captured;

impl io::Write for Captured {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        LINES.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// From now on what is logged is captured: all that we say, and what libraries say by default. The sandbox is somebody else.
pub fn capture_log() {
    static STARTED: OnceLock<()> = OnceLock::new();
    STARTED.get_or_init(|| {
        tracing_subscriber::fmt()
            .with_env_filter(EnvFilter::new("info,wayfare=trace,wayfare_sandbox=off"))
            .with_ansi(false)
            .with_writer(|| Captured)
            .try_init()
            .unwrap();
    });
}

/// What was logged since, by all tests of this process.
pub fn captured_log() -> String {
    String::from_utf8_lossy(&LINES.lock().unwrap()).into_owned()
}
