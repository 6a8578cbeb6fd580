//! Fetches the pinned build of PostgreSQL, and unpacks it once its checksum is right.

use std::fs::{self, DirBuilder};
use std::io::{self, Read};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use flate2::read::GzDecoder;
use reqwest::{Client, Response, Url};
use sha2::{Digest, Sha256};

use crate::binaries::Binaries;
use crate::download::{ArchiveSource, Download};
use crate::error::{self, Error, FetchError, chain};
use crate::layout::{claim, named};
use crate::process::lock;
use crate::user::{RunUser, open_to_all};

const CONNECT_PATIENCE: Duration = Duration::from_secs(10);
/// A transfer that stands still this long is given up.
const READ_PATIENCE: Duration = Duration::from_secs(30);
/// What an archive may unpack to: about ten times a full build.
const MAX_UNPACKED: u64 = 2 * 1024 * 1024 * 1024;
const TEMPORARY: &str = ".unpacking-";

/// Fetches, checks and unpacks the build, unless another process has just done so. Nothing is left
/// behind when that fails.
pub(crate) async fn fetch(download: &Download, user: Option<&RunUser>) -> Result<Binaries, Error> {
    let platform = Download::platform();
    let Some(want) = download.checksums.get(&platform) else {
        return Err(Error::NoBinaries(FetchError::NoBuild(platform)));
    };
    let cache = &download.cache;
    claim(cache, user)?;
    let cache = &cache.canonicalize().map_err(error::io("resolve", cache))?;
    let locked = lock(cache, download.timeout + READ_PATIENCE).await;
    let _lock = locked.map_err(error::io("lock", cache))?;
    let name = download.name();
    let target = cache.join(&name);
    if let Ok(binaries) = Binaries::in_folder(&target.join("bin"), user).await {
        return Ok(binaries);
    }
    let bytes = checked(want, download).await.map_err(Error::NoBinaries)?;
    let temp = cache.join(format!("{TEMPORARY}{}", std::process::id()));
    // Those of killed processes, too.
    let remove_left_overs = || {
        named(cache, TEMPORARY)
            .into_iter()
            .try_for_each(|left| fs::remove_dir_all(&left).map_err(error::io("remove", &left)))
    };
    remove_left_overs()?;
    let put = put_in_place(bytes, temp, &target, user).await;
    // What cannot be removed now is removed by the next fetch.
    let _ = remove_left_overs();
    put
}

/// Unpacks to a folder beside the target, tries the programs, and only then gives it its name.
async fn put_in_place(
    archive: Vec<u8>,
    temp: PathBuf,
    target: &Path,
    user: Option<&RunUser>,
) -> Result<Binaries, Error> {
    let bad = |reason: String| Error::NoBinaries(FetchError::BadArchive(reason));
    let unpacked = tokio::task::spawn_blocking(move || unpack(&archive, &temp)).await;
    let root = unpacked.map_err(|error| bad(error.to_string()))?.map_err(|error| bad(chain(&error)))?;
    let binaries = Binaries::in_folder(&root.join("bin"), user).await;
    let binaries = binaries.map_err(|error| bad(error.to_string()))?;
    // What is there now was found to be broken.
    match fs::remove_dir_all(target) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(error::io("remove", target)(error));
        }
        _ => fs::rename(&root, target).map_err(error::io("rename", &root))?,
    }
    let bin = target.join("bin");
    Ok(Binaries { bin, ..binaries })
}

/// Unpacks a `.tar.gz` into a new folder and returns the folder in it that holds `bin/postgres`: itself or one of its
/// children.
///
/// `tar` keeps every entry below the target: names with `..` are skipped, and nothing is written through
/// a link that leads out.
fn unpack(archive: &[u8], into: &Path) -> io::Result<PathBuf> {
    DirBuilder::new().mode(0o755).create(into)?;
    let mut archive = tar::Archive::new(GzDecoder::new(archive).take(MAX_UNPACKED));
    archive.set_preserve_permissions(false);
    archive.set_preserve_mtime(false);
    archive.unpack(into)?;
    open_to_all(into)?;
    let mut folders = named(into, "");
    folders.push(into.to_path_buf());
    let root = folders.into_iter().find(|folder| folder.join("bin/postgres").is_file());
    root.ok_or_else(|| io::Error::other("there is no bin/postgres in it"))
}

/// The archive's bytes, once their checksum is the pinned one.
async fn checked(want: &str, download: &Download) -> Result<Vec<u8>, FetchError> {
    let url = download.archive();
    tracing::info!(url, "found no PostgreSQL on this machine, fetching one");
    let bytes = match &download.source {
        ArchiveSource::Web(_) => get(&url, download).await?,
        ArchiveSource::File(path) => {
            let (path, limit) = (path.clone(), download.max_bytes);
            let read = tokio::task::spawn_blocking(move || read(&path, limit)).await;
            read.map_err(|error| FetchError::Transfer { url: url.clone(), reason: error.to_string() })??
        }
    };
    let digest = Sha256::digest(&bytes);
    let got: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    match got == want.to_ascii_lowercase() {
        true => Ok(bytes),
        false => Err(FetchError::WrongChecksum { url, want: want.to_owned(), got }),
    }
}

/// The bytes of a file, which may be anything: a folder, a pipe in which nothing comes, a disk's image.
fn read(path: &Path, limit: u64) -> Result<Vec<u8>, FetchError> {
    let unreadable = |reason: String| FetchError::Unreadable { path: path.to_path_buf(), reason };
    let about = fs::metadata(path).map_err(|error| unreadable(error.to_string()))?;
    match about.is_file() {
        true if about.len() > limit => Err(FetchError::TooLarge { url: path.display().to_string(), limit }),
        true => fs::read(path).map_err(|error| unreadable(error.to_string())),
        false => Err(unreadable("it is not a file".to_owned())),
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
            return Err(FetchError::TooLarge { url: url.to_owned(), limit: download.max_bytes });
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
    let host = url.as_ref().and_then(Url::host_str);
    host.is_some_and(|host| matches!(host, "localhost" | "127.0.0.1" | "[::1]"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use tar::EntryType::{self, Regular, Symlink};

    /// An archive with one entry per name, written as it is, however bad.
    fn archive(entries: &[(&str, EntryType, &str)]) -> Vec<u8> {
        let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
        for (name, kind, content) in entries {
            let mut header = tar::Header::new_gnu();
            header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
            header.set_entry_type(*kind);
            header.set_mode(0o755);
            let data = match kind {
                Symlink => {
                    header.set_link_name_literal(content).unwrap();
                    ""
                }
                _ => content,
            };
            header.set_size(data.len() as u64);
            header.set_cksum();
            builder.append(&header, data.as_bytes()).unwrap();
        }
        builder.into_inner().unwrap().finish().unwrap()
    }

    /// The folder that was found, below the one it was unpacked to, and what else is beside that one.
    fn unpacked(name: &str, archive: &[u8]) -> (Option<PathBuf>, Vec<PathBuf>) {
        let base = std::env::temp_dir().join(format!("wayfare-fetch-{name}-{}", std::process::id()));
        fs::create_dir_all(base.join("a")).unwrap();
        let into = base.join("a/into");
        let root = unpack(archive, &into).ok();
        let root = root.map(|root| root.strip_prefix(&into).unwrap().to_path_buf());
        let strays = [named(&base, ""), named(&base.join("a"), "")].concat();
        let strays = strays.into_iter().filter(|path| *path != base.join("a") && *path != into);
        let strays = strays.collect();
        fs::remove_dir_all(&base).unwrap();
        (root, strays)
    }

    #[test]
    fn nothing_of_an_archive_is_written_outside_of_its_folder() {
        let climbing = archive(&[
            ("top/bin/postgres", Regular, "#!/bin/sh"),
            ("../evil", Regular, "evil"),
            ("top/../../evil", Regular, "evil"),
        ]);
        assert_eq!(unpacked("climb", &climbing), (Some("top".into()), Vec::new()));
        let linked = archive(&[("top/out", Symlink, "../.."), ("top/out/evil", Regular, "evil")]);
        assert_eq!(unpacked("link", &linked), (None, Vec::new()));
    }

    #[test]
    fn an_archive_without_a_server_or_cut_short_is_refused() {
        let without = archive(&[("top/bin/psql", Regular, "#!/bin/sh")]);
        assert_eq!(unpacked("without", &without).0, None);
        let whole = archive(&[("top/bin/postgres", Regular, "#!/bin/sh")]);
        assert_eq!(unpacked("short", &whole[..whole.len() / 2]).0, None);
    }

    #[test]
    fn only_addresses_of_this_machine_go_past_the_proxy() {
        assert!(is_loopback("http://127.0.0.1:8080/x"));
        assert!(!is_loopback(&Download::new("/cache").archive()));
        assert!(!is_loopback("no address"));
    }
}
