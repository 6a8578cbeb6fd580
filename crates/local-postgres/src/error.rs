//! What can go wrong, each as one line that says what to do about it.

use std::io;
use std::path::{Path, PathBuf};

/// The oldest major version that does.
pub(crate) const OLDEST_MAJOR: u32 = 15;

#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    #[error("cannot {action} {}: {source}", path.display())]
    Io { action: &'static str, path: PathBuf, source: io::Error },
    #[error("the socket path {} is {length} bytes long and the system allows {limit}: choose a shorter data folder", path.display())]
    PathTooLong { path: PathBuf, length: usize, limit: usize },
    #[error("{} belongs to user id {owner}, and this process runs as user id {user}: run as that user or choose another data folder", path.display())]
    NotOwner { path: PathBuf, owner: u32, user: u32 },
    #[error("{} is not empty and was not made by this program: choose another data folder", .0.display())]
    ForeignFolder(PathBuf),
    #[error("PostgreSQL refuses to run as root, and this machine has neither a user `postgres` nor `nobody`")]
    NoUser,
    #[error("the user `{user}`, as whom PostgreSQL runs, may not enter {}: choose a data folder elsewhere, for example below /var/lib", folder.display())]
    NotWalkable { folder: PathBuf, user: String },
    #[error("this process is root but may not {0}: run it as a plain user, or set DATABASE_URL")]
    NoPrivilege(&'static str),
    #[error("{} holds no usable PostgreSQL: {reason}", path.display())]
    UnusableBinaries { path: PathBuf, reason: String },
    #[error("{} was made by PostgreSQL {major}, and found was {found}: install PostgreSQL {major}, or set DATABASE_URL", path.display())]
    WrongMajor { path: PathBuf, major: u32, found: String },
    #[error(
        "found no PostgreSQL {OLDEST_MAJOR} or newer, and {0}: install it (Debian and Ubuntu: apt-get install postgresql; Fedora: dnf install postgresql-server; macOS: brew install postgresql), bring the archive of the build and name its file in WAYFARE_POSTGRES_DOWNLOAD_URL, or set DATABASE_URL"
    )]
    NoBinaries(FetchError),
    #[error("initdb failed: {0}")]
    InitFailed(String),
    #[error("PostgreSQL did not start: {0}")]
    StartFailed(String),
    #[error("PostgreSQL was not ready and said nothing for {seconds} s; see {}", log.display())]
    StartTimeout { seconds: u64, log: PathBuf },
    #[error("a server for {} neither answers nor goes away ({detail}); stop it and start again", path.display())]
    Unresponsive { path: PathBuf, detail: String },
    #[error("PostgreSQL (process {0}) did not stop")]
    WillNotStop(i32),
    #[error("PostgreSQL ended by itself ({how}); see {}", log.display())]
    Ended { how: String, log: PathBuf },
    #[error("PostgreSQL refused the set-up of its database: {0}")]
    Database(String),
}

/// Why a build of PostgreSQL could not be fetched. Nothing of an archive that is refused stays.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    #[error("fetching one is switched off")]
    SwitchedOff,
    #[error("there is no pinned build for this platform ({0})")]
    NoBuild(String),
    #[error("fetching {url} failed: {reason}")]
    Transfer { url: String, reason: String },
    #[error("{} cannot be read: {reason}", path.display())]
    Unreadable { path: PathBuf, reason: String },
    #[error("{url} is larger than {limit} bytes")]
    TooLarge { url: String, limit: u64 },
    #[error("{url} has the SHA-256 {got} instead of the pinned {want}")]
    WrongChecksum { url: String, want: String, got: String },
    #[error("the fetched archive cannot be used: {0}")]
    BadArchive(String),
}

/// Turns an I/O error into [`Error::Io`], saying what was tried on what.
pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Error {
    let path = path.to_path_buf();
    move |source| Error::Io { action, path, source }
}

/// All lines of a program's output that say something, as one line.
pub(crate) fn one_line(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" | ")
}

/// An error with all its causes, as one line.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let inner_text = inner.to_string();
        // Some libraries print their cause themselves.
        if !text.contains(&inner_text) {
            text = format!("{text}: {inner_text}");
        }
        cause = inner.source();
    }
    one_line(&text)
}
