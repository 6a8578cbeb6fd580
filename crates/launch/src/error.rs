//! What can go wrong, each as one line that says what to do about it.

use std::path::{Path, PathBuf};

/// Why the program cannot start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused something.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried, as a verb phrase.
        action: &'static str,
        /// On which file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A key that has to be given is not.
    #[error(
        "{0} is not set: with DATABASE_URL there is no start without a signing key and a ledger key, 32 bytes or more each, for example from `openssl rand -base64 32`"
    )]
    MissingKey(&'static str),
    /// There is data, and the keys it was written with are gone.
    #[error("{} exists but {} does not: the ledger cannot be checked without the key it was written with, and no other is made; bring the file back from a backup, or set WAYFARE_SIGNING_KEY and WAYFARE_LEDGER_KEY", data.display(), keys.display())]
    KeysLost {
        /// The database's folder.
        data: PathBuf,
        /// Where the keys should be.
        keys: PathBuf,
    },
    /// Others may read the keys.
    #[error("{} may be used by others (mode {mode:03o}): close it with `chmod 600`, and change the signing key if it was read", path.display())]
    OpenKeys {
        /// The keys file.
        path: PathBuf,
        /// Its permissions.
        mode: u32,
    },
    /// The keys file is not one.
    #[error("the keys in {} cannot be used: {reason}", path.display())]
    BadKeys {
        /// The keys file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The signing key is not ours to change.
    #[error(
        "the signing key is given, not kept in the data folder, and is changed where it is given: first let every server accept the new key (WAYFARE_ACCEPTED_SIGNING_KEY), then sign with it (WAYFARE_SIGNING_KEY) and accept the old one, and drop the old one 6 hours after that"
    )]
    SigningKeyGiven,
    /// The system has no randomness to make keys of.
    #[error("cannot make keys: {0}")]
    NoRandomness(String),
    /// The private PostgreSQL.
    #[error(transparent)]
    Postgres(#[from] wayfare_local_postgres::Error),
    /// The sandbox itself, in its own process.
    #[error(transparent)]
    Sandbox(#[from] wayfare_sandbox::StartError),
    /// The sandbox process ended before it answered.
    #[error("the sandbox did not start ({how}): {words}; see {}", log.display())]
    SandboxEnded {
        /// Its exit status.
        how: String,
        /// The last it said.
        words: String,
        /// Where it logs.
        log: PathBuf,
    },
    /// The sandbox process neither answered nor ended.
    #[error("the sandbox did not answer within {seconds} s; see {}", log.display())]
    SandboxSilent {
        /// How long we waited.
        seconds: u64,
        /// Where it logs.
        log: PathBuf,
    },
    /// The sandbox process did not end when told to.
    #[error("the sandbox (process {0}) did not stop")]
    SandboxWillNotStop(i32),
    /// Another process holds the lock for too long.
    #[error("another process has been starting or stopping the sandbox of {} for over {seconds} s", path.display())]
    Locked {
        /// The sandbox's folder.
        path: PathBuf,
        /// How long we waited.
        seconds: u64,
    },
}

/// For `map_err`: what was tried on what.
pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Error {
    let path = path.to_path_buf();
    move |source| Error::Io { action, path, source }
}
