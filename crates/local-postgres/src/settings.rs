//! What a caller can choose, and the defaults.

use std::path::PathBuf;

use crate::binaries;
use crate::download::Download;

/// Where the server lives and how it is run. [`Settings::new`] fills in everything but the folder.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The folder of the server: made when missing, and ours alone.
    pub dir: PathBuf,
    /// A folder with `postgres` and `initdb` to take instead of searching for one. When it is set and
    /// does not do, the start fails instead of silently taking another version.
    pub bin: Option<PathBuf>,
    /// The folders searched for binaries, in this order.
    pub search: Vec<PathBuf>,
    /// How to fetch a build when the search finds none; `None` fetches nothing.
    pub download: Option<Download>,
    /// What a crash of the machine may cost.
    pub durability: Durability,
    /// More of the server's settings, for example `ssl=on`; they win over those that this crate makes.
    pub server_settings: Vec<String>,
}

impl Settings {
    /// A durable server in `dir`, with binaries from the usual places of this machine (this reads the
    /// variable `PATH`) or else fetched to `dir/binaries`.
    pub fn new(dir: impl Into<PathBuf>) -> Settings {
        let dir = dir.into();
        Settings {
            bin: None,
            search: binaries::usual_places(),
            download: Some(Download::new(dir.join("binaries"))),
            durability: Durability::Full,
            server_settings: Vec::new(),
            dir,
        }
    }
}

/// What a crash of the machine may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// Nothing: what was committed stays.
    Full,
    /// Everything: no write is forced to disk and nothing is vacuumed. For throw-away servers of tests,
    /// which also get more connections.
    None,
}
