//! What a caller can choose, and the defaults.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use crate::{binaries, fetch};

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
    /// The user PostgreSQL runs as when this process is root (ignored otherwise). Without it: the owner
    /// of the existing data, else `postgres`, else `nobody`.
    pub run_as: Option<String>,
    /// What a crash of the machine may cost.
    pub durability: Durability,
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
            run_as: None,
            durability: Durability::Full,
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

/// Which build of PostgreSQL to fetch when the machine has none, and from where.
///
/// The archive is `{base_url}/{version}/postgresql-{version}-{platform}.tar.gz`, where the platform is a
/// target triple such as `x86_64-unknown-linux-gnu`.
#[derive(Debug, Clone)]
pub struct Download {
    /// The address below which the archives are.
    pub base_url: String,
    /// The version of the build.
    pub version: String,
    /// The SHA-256 of each platform's archive, in lower-case hex. A platform that is not listed is never
    /// fetched for.
    pub checksums: BTreeMap<String, String>,
    /// Where builds are unpacked, each to a folder of its own. Ours alone, like the data folder.
    pub cache: PathBuf,
    /// The largest archive that is accepted, in bytes.
    pub max_bytes: u64,
    /// How long the whole transfer may take.
    pub timeout: Duration,
}

impl Download {
    /// The pinned build, unpacked below `cache`.
    pub fn new(cache: impl Into<PathBuf>) -> Download {
        Download {
            base_url: fetch::BASE_URL.to_owned(),
            version: fetch::VERSION.to_owned(),
            checksums: fetch::pinned(),
            cache: cache.into(),
            max_bytes: 128 * 1024 * 1024,
            timeout: Duration::from_secs(600),
        }
    }

    /// The platform this program was built for, as archives and checksums name it.
    #[must_use]
    pub fn platform() -> String {
        fetch::platform()
    }
}
