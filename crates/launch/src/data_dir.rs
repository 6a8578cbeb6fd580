//! The folder of everything that is kept, and files in it that nobody else may read.

use std::env;
use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use rustix::process::geteuid;

use crate::error::{Error, io};

/// Where it is when nobody says otherwise.
pub(crate) fn usual() -> PathBuf {
    if geteuid().is_root() {
        return "/var/lib/wayfare".into();
    }
    let data = env::var_os("XDG_DATA_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || env::home_dir().map(|home| home.join(".local/share"));
    data.or_else(home).map_or("wayfare-data".into(), |data| data.join("wayfare"))
}

/// Makes the folder and its missing parents. Below it PostgreSQL runs as another user when we are root: that one has
/// to pass through, but has nothing to list. One of ours that is there and empty, as `mktemp -d` makes it, is opened so
/// far, too: nobody can have meant to hide anything in it.
pub fn create(dir: &Path) -> Result<(), Error> {
    let (parents, own) = match geteuid().is_root() {
        true => (0o755, 0o711),
        false => (0o700, 0o700),
    };
    if let Some(parent) = dir.parent() {
        create_all(parent, parents)?;
    }
    create_one(dir, own)?;
    match geteuid().is_root() && is_empty_and_closed(dir) {
        true => {
            fs::set_permissions(dir, Permissions::from_mode(own)).map_err(io("set the permissions of", dir))
        }
        false => Ok(()),
    }
}

/// Whether a folder of ours has nothing in it, and nobody else may pass through.
fn is_empty_and_closed(dir: &Path) -> bool {
    let closed = fs::symlink_metadata(dir).is_ok_and(|meta| {
        meta.is_dir() && meta.uid() == geteuid().as_raw() && meta.permissions().mode() & 0o001 == 0
    });
    closed && fs::read_dir(dir).is_ok_and(|mut entries| entries.next().is_none())
}

/// Makes a folder in the data folder that is nobody else's business.
pub(crate) fn create_private(dir: &Path) -> Result<(), Error> {
    create_one(dir, 0o700)
}

fn create_all(dir: &Path, mode: u32) -> Result<(), Error> {
    if dir.as_os_str().is_empty() || dir.is_dir() {
        return Ok(());
    }
    if let Some(parent) = dir.parent() {
        create_all(parent, mode)?;
    }
    create_one(dir, mode)
}

/// A folder that is there already keeps its permissions.
fn create_one(dir: &Path, mode: u32) -> Result<(), Error> {
    match DirBuilder::new().mode(mode).create(dir) {
        // Whatever the umask is.
        Ok(()) => {
            fs::set_permissions(dir, Permissions::from_mode(mode)).map_err(io("set the permissions of", dir))
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && dir.is_dir() => Ok(()),
        Err(error) => Err(io("create", dir)(error)),
    }
}

/// Writes a whole new file beside `path`, readable for us alone and safe on the disk; the caller puts it in place.
pub(crate) fn write_beside(path: &Path, text: &str) -> Result<PathBuf, Error> {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}-{number}", std::process::id()));
    let beside = PathBuf::from(name);
    // Left by a process that had our number and was killed.
    let _ = fs::remove_file(&beside);
    let mut options = OpenOptions::new();
    let mut file =
        options.write(true).create_new(true).mode(0o600).open(&beside).map_err(io("create", &beside))?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    if let Err(error) = written {
        let _ = fs::remove_file(&beside);
        return Err(io("write", &beside)(error));
    }
    Ok(beside)
}

/// Makes sure that a new name in a folder outlasts a loss of power.
pub(crate) fn sync(dir: &Path) -> Result<(), Error> {
    File::open(dir).and_then(|dir| dir.sync_all()).map_err(io("sync", dir))
}
