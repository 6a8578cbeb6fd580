//! The build of PostgreSQL that is fetched for machines that have none.

use std::collections::BTreeMap;
use std::env::consts::{ARCH, OS};
use std::path::PathBuf;
use std::time::Duration;

/// The SHA-256 of each archive, from the `.sha256` files of the release 18.4.0 of theseus-rs/postgresql-binaries.
/// Each was compared with the values that several unrelated projects pin for the same archive.
#[rustfmt::skip]
const PINNED: [(&str, &str); 4] = [
    ("x86_64-unknown-linux-gnu", "65c06cf318b9a57525d842d658d6d18cd461d12b3a89b57d6d8ed7cccbe2db53"),
    ("aarch64-unknown-linux-gnu", "569984d426365c6ca3c197d2b3a999b73161ff1f3abc963824a8c3624620e5dd"),
    ("aarch64-apple-darwin", "1b68828f524b638a24918e258b173d0f16773547a0d3b83d9ba74473b61649f2"),
    ("x86_64-apple-darwin", "cbc38067a795d10bbddc730e61c835df0b351c36a7bd2544d388790fcf50aa4d"),
];

/// Where the archive of a build is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArchiveSource {
    /// Below this address, as `{version}/postgresql-{version}-{platform}.tar.gz`.
    Web(String),
    /// It is this file.
    File(PathBuf),
}

/// Which build to fetch, and from where.
///
/// The platform in an archive's name is a target triple such as `x86_64-unknown-linux-gnu`. The archive is a tree of `bin`,
/// `lib` and `share` that runs in any folder.
#[derive(Debug, Clone)]
pub struct Download {
    /// Where the archive is.
    pub source: ArchiveSource,
    /// `18.4.0`.
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
        let pinned = PINNED.map(|(platform, sum)| (platform.to_owned(), sum.to_owned()));
        Download {
            source: ArchiveSource::Web(
                "https://github.com/theseus-rs/postgresql-binaries/releases/download".to_owned(),
            ),
            version: "18.4.0".to_owned(),
            checksums: BTreeMap::from(pinned),
            cache: cache.into(),
            max_bytes: 128 * 1024 * 1024,
            timeout: Duration::from_secs(600),
        }
    }

    /// The platform this program was built for, as archives and checksums name it.
    #[must_use]
    pub fn platform() -> String {
        match OS {
            "linux" if cfg!(target_env = "musl") => format!("{ARCH}-unknown-linux-musl"),
            "linux" => format!("{ARCH}-unknown-linux-gnu"),
            "macos" => format!("{ARCH}-apple-darwin"),
            other => format!("{ARCH}-{other}"),
        }
    }

    /// The address of the archive, or its path.
    pub(crate) fn archive(&self) -> String {
        match &self.source {
            ArchiveSource::Web(base) => {
                format!("{}/{}/{}.tar.gz", base.trim_end_matches('/'), self.version, self.name())
            }
            ArchiveSource::File(path) => path.display().to_string(),
        }
    }

    /// The name of the build and of its folder.
    pub(crate) fn name(&self) -> String {
        format!("postgresql-{}-{}", self.version, Download::platform())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pinned_checksum_is_a_lower_case_sha256() {
        let checksums = Download::new("/cache").checksums;
        assert_eq!(checksums.len(), PINNED.len());
        for (platform, sum) in checksums {
            let hex = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
            assert!(sum.len() == 64 && sum.chars().all(hex), "{platform}");
        }
    }
}
