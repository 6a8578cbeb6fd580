//! The user PostgreSQL runs as when we are root, and whether that user can reach a folder.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt, PermissionsExt, lchown};
use std::path::Path;

use rustix::process::geteuid;

use crate::error::{Error, io};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RunUser {
    pub name: String,
    pub uid: u32,
    pub gid: u32,
}

/// The user to switch to for a server whose cluster is, or will be, in `data`: the owner of the existing data, else
/// `postgres`, else `nobody`. `None` when we are not root and simply stay who we are.
pub(crate) fn choose(data: &Path) -> Result<Option<RunUser>, Error> {
    if !geteuid().is_root() {
        return Ok(None);
    }
    // A cluster stays its owner's, even if a user `postgres` turned up since it was made as `nobody`.
    if let Some(user) = owner(data) {
        return Ok(Some(user));
    }
    // macOS resolves its system users from this file as well.
    let passwd = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let mut users = ["postgres", "nobody"].into_iter();
    let user = users.find_map(|name| look_up(&passwd, name));
    user.map(Some).ok_or(Error::NoUser)
}

fn owner(data: &Path) -> Option<RunUser> {
    let meta = fs::symlink_metadata(data).ok()?;
    let user = RunUser { name: format!("user id {}", meta.uid()), uid: meta.uid(), gid: meta.gid() };
    (user.uid != 0).then_some(user)
}

fn look_up(passwd: &str, name: &str) -> Option<RunUser> {
    passwd.lines().find_map(|line| {
        let mut fields = line.split(':');
        let (found, _password) = (fields.next()?, fields.next()?);
        let (uid, gid) = (fields.next()?, fields.next()?);
        (found == name).then_some(RunUser { name: name.to_owned(), uid: id(uid)?, gid: id(gid)? })
    })
}

/// A user or group id. macOS writes `nobody` as -2.
fn id(text: &str) -> Option<u32> {
    let negative = || text.parse::<i32>().map(i32::cast_unsigned);
    text.parse().or_else(|_| negative()).ok()
}

impl RunUser {
    /// Checks that the user may enter `folder` and all its parents. `folder` is canonical.
    pub fn check_walkable(&self, folder: &Path) -> Result<(), Error> {
        let mut parents: Vec<&Path> = folder.ancestors().collect();
        parents.reverse();
        for parent in parents {
            let meta = fs::metadata(parent).map_err(io("look at", parent))?;
            if !self.may_enter(meta.mode(), meta.uid(), meta.gid()) {
                return Err(Error::NotWalkable { folder: parent.to_path_buf(), user: self.name.clone() });
            }
        }
        Ok(())
    }

    /// The x bit that counts; the server gets no supplementary groups.
    fn may_enter(&self, mode: u32, uid: u32, gid: u32) -> bool {
        let bit = match (uid == self.uid, gid == self.gid) {
            (true, _) => 0o100,
            (false, true) => 0o010,
            (false, false) => 0o001,
        };
        mode & bit != 0
    }

    /// Gives `path` and everything below it to the user, without following links. The folder comes
    /// after what is in it, so one that is the user's already is complete.
    pub fn own(&self, path: &Path) -> Result<(), Error> {
        let meta = fs::symlink_metadata(path).map_err(io("look at", path))?;
        if (meta.uid(), meta.gid()) == (self.uid, self.gid) {
            return Ok(());
        }
        if meta.is_dir() {
            for entry in fs::read_dir(path).map_err(io("list", path))? {
                self.own(&entry.map_err(io("list", path))?.path())?;
            }
        }
        lchown(path, Some(self.uid), Some(self.gid)).map_err(|error| match error.kind() {
            ErrorKind::PermissionDenied => Error::NoPrivilege("change the owner of files"),
            _ => io("change the owner of", path)(error),
        })
    }
}

/// Lets everybody read what is below `path` (and run what its owner may run). A restrictive umask of
/// root must not keep the server's user from its own programs.
pub(crate) fn open_to_all(path: &Path) -> std::io::Result<()> {
    let meta = fs::symlink_metadata(path)?;
    if meta.is_symlink() {
        return Ok(());
    }
    let may_run = meta.is_dir() || meta.mode() & 0o100 != 0;
    let mode = meta.mode() & 0o777 | 0o444 | if may_run { 0o111 } else { 0 };
    fs::set_permissions(path, fs::Permissions::from_mode(mode))?;
    if meta.is_dir() {
        for entry in fs::read_dir(path)? {
            open_to_all(&entry?.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PASSWD: &str = "root:x:0:0:root:/root:/bin/bash\n# comment\nnobody:*:-2:-2:Nobody:/:/bin/false\n\
                          postgres:x:101:104::/var/lib/postgresql:/bin/bash\nbroken:x\n";

    fn user(name: &str, uid: u32, gid: u32) -> RunUser {
        let name = name.to_owned();
        RunUser { name, uid, gid }
    }

    #[test]
    fn a_user_is_looked_up_by_its_whole_name_and_a_negative_id_is_taken_as_the_system_means_it() {
        let (postgres, nobody) = (user("postgres", 101, 104), user("nobody", u32::MAX - 1, u32::MAX - 1));
        assert_eq!(look_up(PASSWD, "postgres"), Some(postgres));
        assert_eq!(look_up(PASSWD, "nobody"), Some(nobody));
        assert_eq!(look_up(PASSWD, "post"), None);
        assert_eq!(look_up(PASSWD, "broken"), None);
    }

    #[test]
    fn the_owner_bit_counts_for_the_owner_even_where_others_may_enter() {
        let user = user("postgres", 101, 104);
        assert!(user.may_enter(0o711, 0, 0));
        assert!(!user.may_enter(0o710, 0, 0));
        assert!(user.may_enter(0o710, 0, 104));
        assert!(!user.may_enter(0o077, 101, 104));
    }

    #[test]
    fn the_closed_parent_is_the_one_that_is_named() {
        let base = std::env::temp_dir().canonicalize().unwrap();
        let base = base.join(format!("wayfare-user-{}", std::process::id()));
        let closed = base.join("closed");
        fs::create_dir_all(closed.join("deep")).unwrap();
        fs::set_permissions(&base, fs::Permissions::from_mode(0o755)).unwrap();
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
        let result = user("stranger", 4_000_000, 4_000_000).check_walkable(&closed.join("deep"));
        fs::remove_dir_all(&base).unwrap();
        let message = result.unwrap_err().to_string();
        assert!(message.contains("stranger") && message.contains("/closed:"), "{message}");
    }
}
