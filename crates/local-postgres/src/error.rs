//! What can go wrong, each as one line that says what to do about it.

use std::io;
use std::path::{Path, PathBuf};

/// Why there is no running server.
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
        source: io::Error,
    },
    /// The path of the socket does not fit the system's address structure.
    #[error("the socket path {} is {length} bytes long and the system allows {limit}: choose a shorter data folder", path.display())]
    PathTooLong {
        /// The socket's path.
        path: PathBuf,
        /// Its length in bytes.
        length: usize,
        /// The longest path the system takes.
        limit: usize,
    },
    /// The data folder is somebody else's.
    #[error("{} belongs to user id {owner}, and this process runs as user id {user}: run as that user or choose another data folder", path.display())]
    NotOwner {
        /// The folder.
        path: PathBuf,
        /// Whose it is.
        owner: u32,
        /// Who we are.
        user: u32,
    },
    /// The data folder holds files that are not ours.
    #[error("{} is not empty and was not made by this program: choose another data folder", .0.display())]
    ForeignFolder(PathBuf),
    /// `run_as` names nobody on this machine, or root.
    #[error("PostgreSQL cannot run as `{0}`: name a user of this machine other than root")]
    NoSuchUser(String),
    /// A parent folder is closed to the user PostgreSQL runs as.
    #[error("the user `{user}`, as whom PostgreSQL runs, may not enter {}: choose a data folder elsewhere, for example below /var/lib", folder.display())]
    NotWalkable {
        /// The first folder on the way that is closed.
        folder: PathBuf,
        /// The user's name.
        user: String,
    },
    /// Root without the capabilities of root.
    #[error("this process is root but may not {0}: run it as a plain user, or set DATABASE_URL")]
    NoPrivilege(&'static str),
    /// The folder of binaries that was asked for does not do.
    #[error("{} holds no usable PostgreSQL: {reason}", path.display())]
    UnusableBinaries {
        /// The folder.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The data needs another major version than there is.
    #[error("{} was made by PostgreSQL {major}, and found was {found}: install PostgreSQL {major}, or set DATABASE_URL", path.display())]
    WrongMajor {
        /// The cluster's folder.
        path: PathBuf,
        /// The version it needs.
        major: u32,
        /// The versions that are there, as text.
        found: String,
    },
    /// There are no binaries and none could be fetched.
    #[error("found no PostgreSQL {MINIMUM} or newer, and {0}: install it (apt-get install postgresql, dnf install postgresql-server, or brew install postgresql), or set DATABASE_URL", MINIMUM = crate::binaries::MINIMUM)]
    NoBinaries(FetchError),
    /// `initdb` failed.
    #[error("initdb failed: {0}")]
    InitFailed(String),
    /// The server ended before it accepted connections.
    #[error("PostgreSQL did not start: {0}")]
    StartFailed(String),
    /// The server neither ended nor became ready in time.
    #[error("PostgreSQL was not ready and said nothing for {seconds} s; see {}", log.display())]
    StartTimeout {
        /// How long we waited.
        seconds: u64,
        /// Where it logs.
        log: PathBuf,
    },
    /// Another process holds the folder's lock for too long.
    #[error("another process has been starting or stopping the server of {} for over {seconds} s", path.display())]
    Locked {
        /// The data folder.
        path: PathBuf,
        /// How long we waited.
        seconds: u64,
    },
    /// A server has the folder, but it does not answer.
    #[error("a server for {} neither answers nor goes away ({detail}); stop it and start again", path.display())]
    Unresponsive {
        /// The data folder.
        path: PathBuf,
        /// What is known of it.
        detail: String,
    },
    /// The server did not end when told to.
    #[error("PostgreSQL (process {0}) did not stop")]
    WillNotStop(i32),
    /// The server ended although nobody asked it to.
    #[error("PostgreSQL ended by itself ({how}); see {}", log.display())]
    Ended {
        /// Its exit status, where known.
        how: String,
        /// Where it logs.
        log: PathBuf,
    },
    /// The server runs but did not take a statement.
    #[error("PostgreSQL refused the set-up of its database: {0}")]
    Database(String),
}

/// Why a build of PostgreSQL could not be fetched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// Fetching is switched off in the settings.
    #[error("fetching one is switched off")]
    SwitchedOff,
    /// No checksum is pinned for this kind of machine.
    #[error("there is no pinned build for this platform ({0})")]
    NoBuild(String),
    /// The transfer failed, stopped short or took too long.
    #[error("fetching {url} failed: {reason}")]
    Transfer {
        /// From where.
        url: String,
        /// What happened.
        reason: String,
    },
    /// The archive is larger than it may be.
    #[error("{url} is larger than {limit} bytes")]
    TooLarge {
        /// From where.
        url: String,
        /// The limit in bytes.
        limit: u64,
    },
    /// The archive is not the pinned one; nothing of it was unpacked.
    #[error("{url} has the SHA-256 {got} instead of the pinned {want}")]
    WrongChecksum {
        /// From where.
        url: String,
        /// The pinned checksum.
        want: String,
        /// The one of what arrived.
        got: String,
    },
    /// The archive has the right checksum, but holds no server.
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
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join(" | ")
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
