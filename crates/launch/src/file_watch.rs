//! Sees that a file of keys was replaced or written anew.

use std::{
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// What is another when a file was replaced or written anew.
type Stamp = (u64, i64, i64);

pub(crate) struct FileWatch {
    path: PathBuf,
    seen: Mutex<Option<Stamp>>,
}

impl FileWatch {
    /// Watches it from now on: begin before it is read.
    pub(crate) fn begin(path: PathBuf) -> Self {
        Self { seen: Mutex::new(stamp(&path)), path }
    }

    /// Whether it is there and has changed since it was last asked.
    pub(crate) fn has_changed(&self) -> bool {
        let Some(now) = stamp(&self.path) else { return false };
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.replace(now) != Some(now)
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

fn stamp(path: &Path) -> Option<Stamp> {
    let file = fs::metadata(path).ok()?;
    Some((file.ino(), file.mtime(), file.mtime_nsec()))
}
