//! Unpacks a checked archive, first to a temporary folder, and moves it into place.

use std::fs::{self, DirBuilder};
use std::io::{self, Read};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;

use crate::error::{self, Error};
use crate::user::open_to_all;

/// What an archive may unpack to: about ten times a full build.
const MAX_UNPACKED: u64 = 2 * 1024 * 1024 * 1024;
const TEMPORARY: &str = ".unpacking-";

/// A folder that goes when the value does.
pub(crate) struct TempFolder(PathBuf);

impl TempFolder {
    /// Makes one, and removes those that killed processes left. The parent's lock is held.
    pub fn new(parent: &Path) -> Result<TempFolder, Error> {
        for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
            if entry
                .file_name()
                .as_encoded_bytes()
                .starts_with(TEMPORARY.as_bytes())
            {
                fs::remove_dir_all(entry.path()).map_err(error::io("remove", &entry.path()))?;
            }
        }
        let path = parent.join(format!("{TEMPORARY}{}", std::process::id()));
        DirBuilder::new()
            .mode(0o755)
            .create(&path)
            .map_err(error::io("create", &path))?;
        Ok(TempFolder(path))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TempFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Unpacks a `.tar.gz` and returns the folder in it that holds `bin/postgres`.
///
/// `tar` keeps every entry below the target: names with `..` are skipped, and nothing is written through
/// a link that leads out.
pub(crate) fn unpack(archive: &[u8], into: &Path) -> io::Result<PathBuf> {
    let mut archive = tar::Archive::new(GzDecoder::new(archive).take(MAX_UNPACKED));
    archive.set_preserve_permissions(false);
    archive.set_preserve_mtime(false);
    archive.unpack(into)?;
    open_to_all(into)?;
    root(into).ok_or_else(|| io::Error::other("there is no bin/postgres in it"))
}

/// The tree is in the archive's top folder or in the only folder there.
fn root(unpacked: &Path) -> Option<PathBuf> {
    let children = fs::read_dir(unpacked).ok()?.flatten().map(|entry| entry.path());
    let mut candidates = std::iter::once(unpacked.to_path_buf()).chain(children);
    candidates.find(|candidate| candidate.join("bin/postgres").is_file())
}

/// Gives an unpacked tree its final place; what is there now was found to be broken.
pub(crate) fn install(root: &Path, target: &Path) -> Result<(), Error> {
    match fs::remove_dir_all(target) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error::io("remove", target)(error)),
        _ => fs::rename(root, target).map_err(error::io("rename", root)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use tar::{EntryType, Header};

    /// An archive with one entry per name, written as it is, however bad.
    fn archive(entries: &[(&str, EntryType, &str)]) -> Vec<u8> {
        let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
        for (name, kind, content) in entries {
            let mut header = Header::new_gnu();
            header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
            header.set_entry_type(*kind);
            header.set_mode(0o755);
            let data = match kind {
                EntryType::Symlink => {
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

    struct Folders {
        base: PathBuf,
    }

    impl Folders {
        fn new(name: &str) -> Folders {
            let base = std::env::temp_dir().join(format!("wayfare-archive-{name}-{}", std::process::id()));
            fs::create_dir_all(base.join("into")).unwrap();
            Folders { base }
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(&self.base).unwrap();
            entries
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect()
        }
    }

    impl Drop for Folders {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.base);
        }
    }

    #[test]
    fn an_entry_that_climbs_out_of_the_archive_is_not_written() {
        let folders = Folders::new("climb");
        let bytes = archive(&[
            ("top/bin/postgres", EntryType::Regular, "#!/bin/sh"),
            ("../evil", EntryType::Regular, "evil"),
            ("top/../../evil", EntryType::Regular, "evil"),
        ]);
        let root = unpack(&bytes, &folders.base.join("into")).unwrap();
        assert_eq!(root, folders.base.join("into/top"));
        assert_eq!(folders.names(), ["into"]);
    }

    #[test]
    fn an_entry_is_not_written_through_a_link_that_leads_out() {
        let folders = Folders::new("link");
        let bytes = archive(&[
            ("top/out", EntryType::Symlink, "../../.."),
            ("top/out/evil", EntryType::Regular, "evil"),
        ]);
        let result = unpack(&bytes, &folders.base.join("into"));
        assert!(result.is_err(), "{result:?}");
        assert!(!folders.base.parent().unwrap().join("evil").exists());
    }

    #[test]
    fn an_archive_without_a_server_or_cut_short_is_refused() {
        let folders = Folders::new("short");
        let bytes = archive(&[("top/bin/psql", EntryType::Regular, "#!/bin/sh")]);
        assert!(unpack(&bytes, &folders.base.join("into")).is_err());
        let bytes = archive(&[("top/bin/postgres", EntryType::Regular, "#!/bin/sh")]);
        assert!(unpack(&bytes[..bytes.len() / 2], &folders.base.join("into")).is_err());
    }
}
