//! Makes the cluster, PostgreSQL's own folder of data, so that a kill half way leaves nothing half made.

use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::binaries::Binaries;
use crate::command::run;
use crate::error::{self, Error, one_line};
use crate::layout::{Layout, named};
use crate::settings::Durability;

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
    durability: Durability,
) -> Result<(), Error> {
    if major(layout)?.is_none() {
        clear_the_place(&layout.data)?;
        let fresh = new_folder(&layout.dir)?;
        let made = make(&fresh, layout, binaries, durability).await;
        if made.is_err() {
            // What cannot be removed now is removed by the next start.
            let _ = fs::remove_dir_all(&fresh);
        }
        made?;
    }
    // Last, so that an initialisation that was killed a moment ago has had time to end by itself.
    for left in named(&layout.dir, UNFINISHED) {
        // A last program of the killed one may still be writing there; then the next start does it.
        let _ = fs::remove_dir_all(left);
    }
    Ok(())
}

async fn make(
    fresh: &Path,
    layout: &Layout,
    binaries: &Binaries,
    durability: Durability,
) -> Result<(), Error> {
    if let Some(user) = &binaries.user {
        user.own(fresh)?;
    }
    let mut initdb = binaries.program("initdb");
    // No password: the socket's folder is closed to everybody but the server's user and root.
    let options = "--auth=trust --encoding=UTF8 --locale=C --no-instructions";
    initdb.arg("-D").arg(fresh).args(["-U", crate::USER]);
    initdb.args(options.split(' '));
    if durability == Durability::None {
        initdb.arg("--no-sync");
    }
    tracing::info!(postgres = binaries.major, dir = %fresh.display(), "making a new database cluster");
    let output = run(initdb).await?;
    if !output.status.success() {
        return Err(Error::InitFailed(explain(&String::from_utf8_lossy(&output.stderr))));
    }
    // The new name appears at once and complete, and survives a loss of power from here on.
    fs::rename(fresh, &layout.data).map_err(error::io("rename", fresh))?;
    let synced = File::open(&layout.dir).and_then(|dir| dir.sync_all());
    synced.map_err(error::io("sync", &layout.dir))
}

fn explain(stderr: &str) -> String {
    let mut text = one_line(stderr);
    // `docker run --user 12345`: the message alone would not say what to do.
    if text.contains("could not look up effective user ID") {
        text += " (this user id has no entry in /etc/passwd: run as a user who has one, or set DATABASE_URL)";
    }
    text
}

/// An empty folder may stand in the cluster's place; one with files is no cluster of ours.
fn clear_the_place(data: &Path) -> Result<(), Error> {
    match fs::remove_dir(data) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(Error::ForeignFolder(data.to_path_buf()))
        }
        _ => Ok(()),
    }
}

/// A folder whose name was never used before: the last program of a killed initialisation may still
/// write to, or remove, the one it knew.
fn new_folder(dir: &Path) -> Result<PathBuf, Error> {
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let path = dir.join(format!("{UNFINISHED}{}", since_1970.as_nanos()));
    let made = DirBuilder::new().mode(0o700).create(&path);
    made.map_err(error::io("create", &path))?;
    Ok(path)
}
