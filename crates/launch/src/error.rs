//! What can go wrong, each as one line that says what to do about it.

use std::path::{Path, PathBuf};

/// Why the program cannot start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    #[error("cannot {action} {}: {source}", path.display())]
    Io { action: &'static str, path: PathBuf, source: std::io::Error },
    #[error(
        "{0} is not set: with DATABASE_URL there is no start without a signing key and a ledger key, 32 bytes or more each, for example from `openssl rand -base64 32`"
    )]
    MissingKey(&'static str),
    #[error(
        "WAYFARE_PEOPLE_KEY_FILE is not set: with DATABASE_URL there is no start without the file with the keys that seal whom bookings are for; `wayfarectl keys rotate-people --people-key-file FILE` makes one"
    )]
    NoPeopleKeyFile,
    #[error("{} exists but {} does not: the ledger cannot be checked without the key it was written with, and no other is made; bring the file back from a backup, or set WAYFARE_SIGNING_KEY and WAYFARE_LEDGER_KEY", data.display(), keys.display())]
    KeysLost { data: PathBuf, keys: PathBuf },
    #[error("{} may be used by others (mode {mode:03o}): close it with `chmod 600`, and change the signing key if it was read", path.display())]
    OpenKeys { path: PathBuf, mode: u32 },
    #[error("the keys in {} cannot be used: {reason}", path.display())]
    BadKeys { path: PathBuf, reason: String },
    #[error(
        "the signing key is given, not kept in the data folder, and is changed where it is given: first let every server accept the new key (WAYFARE_ACCEPTED_SIGNING_KEY), then sign with it (WAYFARE_SIGNING_KEY) and accept the old one, and drop the old one 6 hours after that"
    )]
    SigningKeyGiven,
    #[error("cannot make keys: {0}")]
    NoRandomness(String),
    #[error(transparent)]
    Postgres(#[from] wayfare_local_postgres::Error),
    #[error(transparent)]
    Sandbox(#[from] wayfare_sandbox::StartError),
    #[error("the sandbox did not start ({how}): {words}; see {}", log.display())]
    SandboxEnded { how: String, words: String, log: PathBuf },
    #[error("the sandbox did not answer within {seconds} s; see {}", log.display())]
    SandboxSilent { seconds: u64, log: PathBuf },
    #[error("the sandbox (process {0}) did not stop")]
    SandboxWillNotStop(i32),
}

/// For `map_err`: what was tried on what.
pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Error {
    let path = path.to_path_buf();
    move |source| Error::Io { action, path, source }
}
