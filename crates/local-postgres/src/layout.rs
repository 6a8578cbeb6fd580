//! The folder of a server: what lies where, whose it is, and the lock on it.

use std::fs::{self, DirBuilder, File, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::geteuid;

use crate::error::{Error, io};
use crate::process::{self, LOCK, private_file};
use crate::user::RunUser;

/// The longest path `sockaddr_un` takes, without the closing zero byte.
const SUN_PATH_LIMIT: usize = if cfg!(target_os = "linux") { 107 } else { 103 };
const SOCKET: &str = ".s.PGSQL.5432";

/// The paths of one server. All are absolute and without links, so that every process sees the same.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    pub dir: PathBuf,
    pub data: PathBuf,
    pub run: PathBuf,
    pub log: PathBuf,
}

impl Layout {
    /// Makes the folder when it is missing, and checks that it is ours, that its path is short enough
    /// and that the server's user can reach it.
    pub fn prepare(dir: &Path, user: Option<&RunUser>) -> Result<Layout, Error> {
        // Checked before anything is made, and again below, where links may have made it longer.
        Layout::of(std::path::absolute(dir).map_err(io("resolve", dir))?).check_length()?;
        claim(dir, user)?;
        let layout = Layout::of(dir.canonicalize().map_err(io("resolve", dir))?);
        layout.check_length()?;
        Ok(layout)
    }

    pub fn of(dir: PathBuf) -> Layout {
        let [data, run, log] = ["data", "run", "postgres.log"].map(|name| dir.join(name));
        Layout { dir, data, run, log }
    }

    fn check_length(&self) -> Result<(), Error> {
        let path = self.socket();
        let length = path.as_os_str().len();
        match length > SUN_PATH_LIMIT {
            true => Err(Error::PathTooLong { path, length, limit: SUN_PATH_LIMIT }),
            false => Ok(()),
        }
    }

    pub fn socket(&self) -> PathBuf {
        self.run.join(SOCKET)
    }

    /// Says which process has the socket; PostgreSQL writes it.
    pub fn socket_lock(&self) -> PathBuf {
        self.run.join(format!("{SOCKET}.lock"))
    }

    /// Says which process has the cluster; PostgreSQL writes it.
    pub fn pid_file(&self) -> PathBuf {
        self.data.join("postmaster.pid")
    }

    /// Makes the socket's folder, and gives it and the cluster to the server's user. Nobody else may
    /// enter either.
    pub fn hand_over(&self, user: Option<&RunUser>) -> Result<(), Error> {
        if !self.run.exists() {
            let made = DirBuilder::new().mode(0o700).create(&self.run);
            made.map_err(io("create", &self.run))?;
        }
        fs::set_permissions(&self.run, Permissions::from_mode(0o700)).map_err(io("close", &self.run))?;
        if let Some(user) = user {
            user.own(&self.run)?;
            if self.data.exists() {
                user.own(&self.data)?;
            }
        }
        Ok(())
    }

    /// Waits for the folder's lock. It is held while a server is started or stopped, not while it runs.
    pub async fn lock(&self, patience: Duration) -> Result<File, Error> {
        process::lock(&self.dir, patience).await.map_err(io("lock", &self.dir))
    }

    /// The connection URL of a user and a database.
    pub fn url(&self, user: &str, database: &str) -> String {
        let host = percent_encoded(self.run.as_os_str().as_bytes());
        let database = percent_encoded(database.as_bytes());
        format!("postgres://{user}@{host}/{database}")
    }
}

/// Makes `dir` a folder of ours: one that we make, one that is empty, or one that we made before.
///
/// It stays the process's own even when the server runs as somebody else, who gets only two folders in
/// it. Else root would write its log, say, through whatever link that user put there.
pub(crate) fn claim(dir: &Path, user: Option<&RunUser>) -> Result<(), Error> {
    let dir = &std::path::absolute(dir).map_err(io("resolve", dir))?;
    // Before anything is made. Parents that are missing will be open.
    let parent = dir.ancestors().skip(1).find(|parent| parent.exists());
    check_walkable(parent.unwrap_or(Path::new("/")), user)?;
    create_all(dir)?;
    check_owner(dir)?;
    if !is_ours(dir)? {
        return Err(Error::ForeignFolder(dir.to_path_buf()));
    }
    let lock = dir.join(LOCK);
    let made = private_file().truncate(false).open(&lock);
    made.map_err(io("open", &lock))?;
    // The server's user has to pass through it, but has nothing to list in it.
    let mode = if geteuid().is_root() { 0o711 } else { 0o700 };
    fs::set_permissions(dir, Permissions::from_mode(mode)).map_err(io("set the permissions of", dir))?;
    // Again, because it may be a link to somewhere else.
    check_walkable(dir, user)
}

fn check_walkable(folder: &Path, user: Option<&RunUser>) -> Result<(), Error> {
    match user {
        Some(user) => user.check_walkable(&folder.canonicalize().map_err(io("resolve", folder))?),
        None => Ok(()),
    }
}

fn check_owner(dir: &Path) -> Result<(), Error> {
    let owner = fs::metadata(dir).map_err(io("look at", dir))?.uid();
    let (path, user) = (dir.to_path_buf(), geteuid().as_raw());
    match owner == user {
        true => Ok(()),
        false => Err(Error::NotOwner { path, owner, user }),
    }
}

fn is_ours(dir: &Path) -> Result<bool, Error> {
    // We never write to it, so it is empty; a `lock` of another program most likely is not.
    if fs::symlink_metadata(dir.join(LOCK)).is_ok_and(|meta| meta.is_file() && meta.len() == 0) {
        return Ok(true);
    }
    // A fresh file system has one folder, and volumes are mounted here.
    let mut entries = fs::read_dir(dir).map_err(io("list", dir))?.flatten();
    Ok(entries.all(|entry| entry.file_name() == "lost+found"))
}

/// What is in a folder and has a name that begins so.
pub(crate) fn named(dir: &Path, prefix: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let begins = |entry: &fs::DirEntry| entry.file_name().as_bytes().starts_with(prefix.as_bytes());
    entries.filter(begins).map(|entry| entry.path()).collect()
}

/// Makes a folder and its missing parents; a server's user must be able to enter those that root makes,
/// whatever root's umask is.
fn create_all(dir: &Path) -> Result<(), Error> {
    if let Some(parent) = dir.parent().filter(|parent| !parent.exists()) {
        create_all(parent)?;
    }
    match DirBuilder::new().mode(0o755).create(dir) {
        Ok(()) if geteuid().is_root() => {
            fs::set_permissions(dir, Permissions::from_mode(0o755)).map_err(io("open", dir))
        }
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && dir.is_dir() => Ok(()),
        Err(error) => Err(io("create", dir)(error)),
    }
}

/// Everything but letters, digits and `-._~` as `%XX`.
fn percent_encoded(bytes: &[u8]) -> String {
    let encode = |byte: &u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(*byte).to_string(),
        other => format!("%{other:02X}"),
    };
    bytes.iter().map(encode).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_holds_the_socket_folder_as_an_encoded_host() {
        let layout = Layout::of(PathBuf::from("/data/Ünser Ordner"));
        let url = "postgres://me@%2Fdata%2F%C3%9Cnser%20Ordner%2Frun/a%2Fb";
        assert_eq!(layout.url("me", "a/b"), url);
    }

    #[test]
    fn a_path_over_the_socket_limit_is_refused_before_anything_is_made() {
        let dir = std::env::temp_dir().join("x".repeat(100));
        let error = Layout::prepare(&dir, None).unwrap_err();
        assert!(matches!(error, Error::PathTooLong { .. }), "{error}");
        assert!(!dir.exists());
    }

    #[test]
    fn a_folder_with_other_files_is_left_alone() {
        let dir = std::env::temp_dir().join(format!("wayfare-layout-{}", std::process::id()));
        fs::create_dir(&dir).unwrap();
        fs::write(dir.join("thesis.txt"), "chapter 1").unwrap();
        let result = Layout::prepare(&dir, None);
        let names = named(&dir, "");
        fs::remove_dir_all(&dir).unwrap();
        assert!(matches!(result, Err(Error::ForeignFolder(_))), "{result:?}");
        assert_eq!(names, [dir.join("thesis.txt")]);
    }
}
