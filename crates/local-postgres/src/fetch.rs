//! Fetches a pinned build of PostgreSQL, for machines that have none.

use std::collections::BTreeMap;
use std::env::consts::{ARCH, OS};
use std::path::Path;
use std::time::Duration;

use reqwest::{Client, Response, Url};
use sha2::{Digest, Sha256};

use crate::archive::{TempFolder, install, unpack};
use crate::binaries::Binaries;
use crate::error::{self, Error, FetchError, chain};
use crate::layout;
use crate::settings::Download;
use crate::user::RunUser;

/// Relocatable builds of PostgreSQL: one archive per platform, each a tree of `bin`, `lib` and `share`.
pub(crate) const BASE_URL: &str = "https://github.com/theseus-rs/postgresql-binaries/releases/download";
pub(crate) const VERSION: &str = "18.4.0";

/// The archives' SHA-256, from the `.sha256` files of the release 18.4.0 of theseus-rs/postgresql-binaries.
/// Each was compared with the values that several unrelated projects pin for the same archive.
const PINNED: [(&str, &str); 4] = [
    (
        "x86_64-unknown-linux-gnu",
        "65c06cf318b9a57525d842d658d6d18cd461d12b3a89b57d6d8ed7cccbe2db53",
    ),
    (
        "aarch64-unknown-linux-gnu",
        "569984d426365c6ca3c197d2b3a999b73161ff1f3abc963824a8c3624620e5dd",
    ),
    (
        "aarch64-apple-darwin",
        "1b68828f524b638a24918e258b173d0f16773547a0d3b83d9ba74473b61649f2",
    ),
    (
        "x86_64-apple-darwin",
        "cbc38067a795d10bbddc730e61c835df0b351c36a7bd2544d388790fcf50aa4d",
    ),
];

const CONNECT_PATIENCE: Duration = Duration::from_secs(10);
/// A transfer that stands still this long is given up.
const READ_PATIENCE: Duration = Duration::from_secs(30);

pub(crate) fn pinned() -> BTreeMap<String, String> {
    PINNED
        .iter()
        .map(|(platform, sum)| ((*platform).to_owned(), (*sum).to_owned()))
        .collect()
}

/// The platform this program was built for, as the archives name it.
pub(crate) fn platform() -> String {
    match OS {
        "linux" if cfg!(target_env = "musl") => format!("{ARCH}-unknown-linux-musl"),
        "linux" => format!("{ARCH}-unknown-linux-gnu"),
        "macos" => format!("{ARCH}-apple-darwin"),
        other => format!("{ARCH}-{other}"),
    }
}

/// Fetches, checks and unpacks the build, unless another process has just done so. Nothing is left
/// behind when that fails.
pub(crate) async fn fetch(download: &Download, user: Option<&RunUser>) -> Result<Binaries, Error> {
    let platform = platform();
    let Some(want) = download.checksums.get(&platform) else {
        return Err(Error::NoBinaries(FetchError::NoBuild(platform)));
    };
    let cache = &download.cache;
    layout::claim(cache, user)?;
    let cache = &cache.canonicalize().map_err(error::io("resolve", cache))?;
    let _lock = layout::lock(cache, download.timeout + READ_PATIENCE).await?;
    let name = format!("postgresql-{}-{platform}", download.version);
    let target = cache.join(&name);
    if let Ok(binaries) = Binaries::in_folder(&target.join("bin"), user).await {
        return Ok(binaries);
    }
    let url = format!(
        "{}/{}/{name}.tar.gz",
        download.base_url.trim_end_matches('/'),
        download.version
    );
    tracing::info!(url, "found no PostgreSQL on this machine, fetching one");
    let bytes = checked(&url, want, download).await.map_err(Error::NoBinaries)?;
    put_in_place(bytes, cache, &target, user).await
}

/// Unpacks to a folder beside the target, tries the programs, and only then gives it its name.
async fn put_in_place(
    archive: Vec<u8>,
    cache: &Path,
    target: &Path,
    user: Option<&RunUser>,
) -> Result<Binaries, Error> {
    let bad = |reason: String| Error::NoBinaries(FetchError::BadArchive(reason));
    let temp = TempFolder::new(cache)?;
    let into = temp.path().to_path_buf();
    let unpacked = tokio::task::spawn_blocking(move || unpack(&archive, &into)).await;
    let root = unpacked
        .map_err(|error| bad(error.to_string()))?
        .map_err(|error| bad(chain(&error)))?;
    let binaries = Binaries::in_folder(&root.join("bin"), user).await;
    let binaries = binaries.map_err(|error| bad(error.to_string()))?;
    install(&root, target)?;
    Ok(Binaries {
        bin: target.join("bin"),
        ..binaries
    })
}

/// The archive's bytes, once their checksum is the pinned one.
async fn checked(url: &str, want: &str, download: &Download) -> Result<Vec<u8>, FetchError> {
    let bytes = get(url, download).await?;
    let got: String = Sha256::digest(&bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    match got == want.to_ascii_lowercase() {
        true => Ok(bytes),
        false => Err(FetchError::WrongChecksum {
            url: url.to_owned(),
            want: want.to_owned(),
            got,
        }),
    }
}

async fn get(url: &str, download: &Download) -> Result<Vec<u8>, FetchError> {
    let failed = |error: reqwest::Error| FetchError::Transfer {
        url: url.to_owned(),
        // The address is in our message already.
        reason: chain(&error.without_url()),
    };
    let mut response = request(url, download).await.map_err(failed)?;
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(failed)? {
        if (bytes.len() + chunk.len()) as u64 > download.max_bytes {
            return Err(FetchError::TooLarge {
                url: url.to_owned(),
                limit: download.max_bytes,
            });
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

async fn request(url: &str, download: &Download) -> Result<Response, reqwest::Error> {
    let mut client = Client::builder()
        .connect_timeout(CONNECT_PATIENCE)
        .read_timeout(READ_PATIENCE)
        .timeout(download.timeout)
        // The checksum is that of the archive as it is stored.
        .gzip(false);
    if is_loopback(url) {
        client = client.no_proxy();
    }
    client.build()?.get(url).send().await?.error_for_status()
}

/// A proxy, which the usual variables may name, cannot reach what is on this machine.
fn is_loopback(url: &str) -> bool {
    let url = Url::parse(url).ok();
    url.as_ref()
        .and_then(Url::host_str)
        .is_some_and(|host| matches!(host, "localhost" | "127.0.0.1" | "[::1]"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pinned_checksum_is_a_lower_case_sha256() {
        for (platform, sum) in PINNED {
            let hex = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
            assert!(sum.len() == 64 && sum.chars().all(hex), "{platform}");
        }
        assert_eq!(pinned().len(), PINNED.len());
    }

    #[test]
    fn only_addresses_of_this_machine_go_past_the_proxy() {
        assert!(is_loopback("http://127.0.0.1:8080/x"));
        assert!(!is_loopback(BASE_URL));
        assert!(!is_loopback("no address"));
    }
}
