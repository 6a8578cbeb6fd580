//! Builds fetched from a server of this machine: the good one, and every bad one.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use flate2::{Compression, write::GzEncoder};
use sha2::{Digest, Sha256};
use wayfare_local_postgres::{ArchiveSource, Download, Error, FetchError, LocalPostgres, Settings};

use crate::support::{Folder, names, sql};

/// A web server for one file, which counts the requests.
struct Web {
    url: String,
    requests: Arc<AtomicUsize>,
}

/// Serves `answer` to everybody, then closes the connection.
fn serve(answer: Vec<u8>) -> Web {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let requests = Arc::new(AtomicUsize::new(0));
    let count = requests.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let read = stream.read(&mut [0; 4096]).unwrap();
            assert!(read > 0);
            count.fetch_add(1, Ordering::Relaxed);
            // The client may have heard enough.
            let _ = stream.write_all(&answer);
        }
    });
    Web { url, requests }
}

/// An answer that announces `length` bytes and brings `body`.
fn answer(status: &str, length: usize, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
    [head.as_bytes(), body].concat()
}

/// An archive laid out like the real ones, whose programs call those of this machine.
fn build(folder: &Folder) -> Vec<u8> {
    let real: PathBuf = folder.settings().search.first().unwrap().clone();
    let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for program in ["postgres", "initdb"] {
        let script = format!("#!/bin/sh\nexec '{}' \"$@\"\n", real.join(program).display());
        let mut header = tar::Header::new_gnu();
        // As strict as a build can be; the server's user must be able to run it all the same.
        header.set_mode(0o700);
        header.set_size(script.len() as u64);
        let path = format!("postgresql-18.4.0-x/bin/{program}");
        builder.append_data(&mut header, path, script.as_bytes()).unwrap();
    }
    builder.into_inner().unwrap().finish().unwrap()
}

fn sha256(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Settings that find nothing and fetch from `url` what has the checksum.
fn fetching(folder: &Folder, url: &str, checksum: String) -> Settings {
    taking(folder, ArchiveSource::Web(url.to_owned()), checksum)
}

fn taking(folder: &Folder, source: ArchiveSource, checksum: String) -> Settings {
    let download = Download {
        source,
        checksums: BTreeMap::from([(Download::platform(), checksum)]),
        ..Download::new(folder.path().join("cache"))
    };
    Settings { search: Vec::new(), download: Some(download), ..folder.settings() }
}

/// The start fails with a helpful line and leaves neither a cluster nor anything in the cache.
async fn refused(folder: &Folder, settings: Settings) -> FetchError {
    let error = LocalPostgres::start_or_adopt(settings).await.unwrap_err();
    let message = error.to_string();
    let from_a_file = "WAYFARE_POSTGRES_DOWNLOAD_URL";
    for hint in ["apt-get install", "dnf install", "brew install", from_a_file, "or set DATABASE_URL"] {
        assert!(message.contains(hint) && !message.contains('\n'), "{message}");
    }
    assert!(!folder.dir().join("data").exists());
    if folder.path().join("cache").exists() {
        assert_eq!(names(&folder.path().join("cache")), ["lock"]);
    }
    match error {
        Error::NoBinaries(reason) => reason,
        other => panic!("{other}"),
    }
}

/// The build's folder in the cache.
fn name() -> String {
    format!("postgresql-18.4.0-{}", Download::platform())
}

#[tokio::test]
async fn a_build_is_fetched_once_unpacked_and_run() {
    let folder = Folder::new();
    let archive = build(&folder);
    let web = serve(answer("200 OK", archive.len(), &archive));
    let settings = fetching(&folder, &web.url, sha256(&archive));
    for _ in 0..2 {
        let server = LocalPostgres::start_or_adopt(settings.clone()).await.unwrap();
        assert_eq!(sql(&server.url(), "SELECT 1").await.unwrap(), ["1"]);
        server.stop().await.unwrap();
    }
    assert_eq!(web.requests.load(Ordering::Relaxed), 1);
    assert_eq!(names(&folder.path().join("cache")), ["lock", &name()]);
}

#[tokio::test]
async fn what_a_killed_fetch_left_is_replaced() {
    let folder = Folder::new();
    let archive = build(&folder);
    let web = serve(answer("200 OK", archive.len(), &archive));
    let cache = folder.path().join("cache");
    fs::create_dir_all(cache.join(".unpacking-1/bin")).unwrap();
    fs::create_dir_all(cache.join(name()).join("bin")).unwrap();
    fs::write(cache.join(name()).join("bin/postgres"), "half").unwrap();
    fs::write(cache.join("lock"), "").unwrap();
    let settings = fetching(&folder, &web.url, sha256(&archive));
    let server = LocalPostgres::start_or_adopt(settings).await.unwrap();
    server.stop().await.unwrap();
    assert_eq!(names(&cache), ["lock", &name()]);
}

#[tokio::test]
async fn what_is_not_the_pinned_build_is_refused_and_leaves_nothing() {
    let archive = build(&Folder::new());
    let whole = answer("200 OK", archive.len(), &archive);
    let half = answer("200 OK", archive.len(), &archive[..archive.len() / 2]);
    for (answer, checksum, why) in [
        (whole.clone(), sha256(b"another"), "instead of the pinned"),
        (half, sha256(&archive), "failed: "),
        (answer("404 Not Found", 0, b""), sha256(b""), "404"),
        (answer("200 OK", 5, b"hello"), sha256(b"hello"), "cannot be used"),
    ] {
        let folder = Folder::new();
        let reason = refused(&folder, fetching(&folder, &serve(answer).url, checksum)).await;
        assert!(reason.to_string().contains(why), "{reason}");
    }
    let folder = Folder::new();
    let mut settings = fetching(&folder, &serve(whole).url, sha256(&archive));
    settings.download.as_mut().unwrap().max_bytes = 100;
    let reason = refused(&folder, settings).await;
    assert!(matches!(reason, FetchError::TooLarge { limit: 100, .. }), "{reason}");
}

#[tokio::test]
async fn a_build_in_a_file_is_unpacked_and_run() {
    let folder = Folder::new();
    let archive = build(&folder);
    let file = folder.path().join("brought.tar.gz");
    fs::write(&file, &archive).unwrap();
    let server = LocalPostgres::start_or_adopt(taking(&folder, ArchiveSource::File(file), sha256(&archive)));
    let server = server.await.unwrap();
    assert_eq!(sql(&server.url(), "SELECT 1").await.unwrap(), ["1"]);
    server.stop().await.unwrap();
}

#[tokio::test]
async fn a_file_that_is_not_the_pinned_build_is_refused_by_its_name() {
    let archive = build(&Folder::new());
    for (content, checksum, max_bytes, why) in [
        (None, "", u64::MAX, "No such file"),
        (Some(&archive), "another", u64::MAX, "instead of the pinned"),
        (Some(&archive), "another", 100, "is larger than 100 bytes"),
    ] {
        let folder = Folder::new();
        let file = folder.path().join("brought.tar.gz");
        content.into_iter().for_each(|content| fs::write(&file, content).unwrap());
        let mut settings = taking(&folder, ArchiveSource::File(file.clone()), sha256(checksum.as_bytes()));
        settings.download.as_mut().unwrap().max_bytes = max_bytes;
        let reason = refused(&folder, settings).await.to_string();
        assert!(reason.contains(why) && reason.contains(file.to_str().unwrap()), "{reason}");
    }
    let folder = Folder::new();
    let settings = taking(&folder, ArchiveSource::File(folder.path().to_path_buf()), sha256(&archive));
    let reason = refused(&folder, settings).await.to_string();
    assert!(reason.contains("it is not a file"), "{reason}");
}

#[tokio::test]
async fn a_transfer_that_stands_still_is_given_up() {
    let folder = Folder::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let mut settings = fetching(&folder, &url, sha256(b""));
    settings.download.as_mut().unwrap().timeout = Duration::from_millis(300);
    let reason = refused(&folder, settings).await;
    assert!(matches!(reason, FetchError::Transfer { .. }), "{reason}");
}

#[tokio::test]
async fn a_server_that_cannot_be_reached_is_named() {
    let folder = Folder::new();
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let reason = refused(&folder, fetching(&folder, &format!("http://{free}"), sha256(b""))).await;
    let message = reason.to_string();
    assert!(message.contains(&free.to_string()) && message.contains("refused"), "{message}");
}

#[tokio::test]
async fn nothing_is_fetched_for_a_platform_without_a_pinned_build() {
    let folder = Folder::new();
    let web = serve(answer("200 OK", 5, b"hello"));
    let mut settings = fetching(&folder, &web.url, sha256(b"hello"));
    settings.download.as_mut().unwrap().checksums.clear();
    let reason = refused(&folder, settings).await;
    assert!(matches!(reason, FetchError::NoBuild(_)), "{reason}");
    assert_eq!(web.requests.load(Ordering::Relaxed), 0);
}
