//! Makes the cluster, PostgreSQL's own folder of data, so that a kill half way leaves nothing half made.

use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::binaries::Binaries;
use crate::command::{command, run, start_error};
use crate::error::{self, Error, one_line};
use crate::layout::Layout;
use crate::settings::Durability;
use crate::user::RunUser;

/// The name, without its number, of a cluster in the making.
const UNFINISHED: &str = "data.init-";

/// The major version the existing cluster is tied to; `None` when there is no cluster yet.
pub(crate) fn major(layout: &Layout) -> Result<Option<u32>, Error> {
    let path = layout.data.join("PG_VERSION");
    match fs::read_to_string(&path) {
        Ok(text) => match text.trim().parse() {
            Ok(major) => Ok(Some(major)),
            Err(_) => Err(error::io("understand", &path)(io::ErrorKind::InvalidData.into())),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error::io("read", &path)(error)),
    }
}

/// Makes the cluster when there is none. Only the holder of the folder's lock may do this.
pub(crate) async fn ensure(
    layout: &Layout,
    binaries: &Binaries,
    user: Option<&RunUser>,
    durability: Durability,
) -> Result<(), Error> {
    if major(layout)?.is_none() {
        clear_the_place(&layout.data)?;
        let fresh = new_folder(&layout.dir)?;
        let made = make(&fresh, layout, binaries, user, durability).await;
        if made.is_err() {
            // What cannot be removed now is swept by the next start.
            let _ = fs::remove_dir_all(&fresh);
        }
        made?;
    }
    // Last, so that an initialisation that was killed a moment ago has had time to end by itself.
    sweep(&layout.dir);
    Ok(())
}

async fn make(
    fresh: &Path,
    layout: &Layout,
    binaries: &Binaries,
    user: Option<&RunUser>,
    durability: Durability,
) -> Result<(), Error> {
    if let Some(user) = user {
        user.own(fresh)?;
    }
    init(fresh, binaries, user, durability).await?;
    // The new name appears at once and complete, and survives a loss of power from here on.
    fs::rename(fresh, &layout.data).map_err(error::io("rename", fresh))?;
    let synced = File::open(&layout.dir).and_then(|dir| dir.sync_all());
    synced.map_err(error::io("sync", &layout.dir))
}

async fn init(
    fresh: &Path,
    binaries: &Binaries,
    user: Option<&RunUser>,
    durability: Durability,
) -> Result<(), Error> {
    let program = binaries.bin.join("initdb");
    let mut initdb = command(&program, user);
    initdb.arg("-D").arg(fresh);
    // No password: the socket's folder is closed to everybody but the server's user and root.
    initdb.args([
        "-U",
        crate::USER,
        "-A",
        "trust",
        "-E",
        "UTF8",
        "--locale=C",
        "--no-instructions",
    ]);
    if durability == Durability::None {
        initdb.arg("--no-sync");
    }
    tracing::info!(postgres = binaries.major, dir = %fresh.display(), "making a new database cluster");
    let output = run(initdb)
        .await
        .map_err(|error| start_error(&program, user, error))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(Error::InitFailed(explain(&String::from_utf8_lossy(
            &output.stderr,
        )))),
    }
}

fn explain(stderr: &str) -> String {
    let mut text = one_line(stderr);
    // `docker run --user 12345`: the message alone would not tell what to do.
    if text.contains("could not look up effective user ID") {
        text.push_str(
            " (this user id has no entry in /etc/passwd: run as a user who has one, or set DATABASE_URL)",
        );
    }
    text
}

/// An empty folder may stand in the cluster's place; one with files is no cluster of ours.
fn clear_the_place(data: &Path) -> Result<(), Error> {
    match fs::remove_dir(data) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(_) => Err(Error::ForeignFolder(data.to_path_buf())),
    }
}

/// Removes what killed initialisations left.
fn sweep(dir: &Path) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        if entry
            .file_name()
            .as_encoded_bytes()
            .starts_with(UNFINISHED.as_bytes())
        {
            // A last program of the killed one may still be writing there; then the next start does it.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// A folder whose name was never used before: the last program of a killed initialisation may still
/// write to, or remove, the one it knew.
fn new_folder(dir: &Path) -> Result<PathBuf, Error> {
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let path = dir.join(format!("{UNFINISHED}{}", since_1970.as_nanos()));
    DirBuilder::new()
        .mode(0o700)
        .create(&path)
        .map_err(error::io("create", &path))?;
    Ok(path)
}
