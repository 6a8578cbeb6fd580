//! The keys that wrap those of people: kept in `keys.toml`, or in the file that the operator gives.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use crate::data_dir;
use crate::error::{Error, io};
use crate::file_watch::FileWatch;
use crate::key::Key;
use crate::key_file::{KeyFile, bad};
use crate::settings::Common;

/// The keys of people, by number: the greatest wraps.
pub type PeopleKeyRing = BTreeMap<u32, Key>;

/// Where they are kept.
fn path(common: &Common) -> Result<PathBuf, Error> {
    match &common.people_key_file {
        Some(given) => Ok(given.clone()),
        None if common.has_private_database() => Ok(common.data_dir.join("keys.toml")),
        None => Err(Error::NoPeopleKeyFile),
    }
}

/// The keys of the settings. With the private PostgreSQL the first one is made.
pub(crate) fn open(common: &Common) -> Result<PeopleKeyRing, Error> {
    let path = path(common)?;
    let kept = KeyFile::read(&path)?.map(|file| file.people).unwrap_or_default();
    if !kept.is_empty() {
        return Ok(kept);
    }
    match common.people_key_file.is_some() {
        true => Err(bad(&path, NONE.to_owned())),
        false => change(common, |people| match people.is_empty() {
            true => add(people),
            false => Ok(()),
        }),
    }
}

const NONE: &str = "it has no [people_keys]; `wayfarectl keys rotate-people` makes the first one";

/// Adds a key, which wraps from now on; the file is made if there is none. Returns the keys as they are now.
///
/// # Errors
/// When the file can't be read or written.
pub fn rotate(common: &Common) -> Result<PeopleKeyRing, Error> {
    change(common, add)
}

/// Removes a key that wraps nothing any more. Returns the keys as they are now.
///
/// # Errors
/// When there is no such key, or it is the newest; when the file can't be read or written.
pub fn forget(common: &Common, number: u32) -> Result<PeopleKeyRing, Error> {
    let path = path(common)?;
    change(common, |people| {
        if people.keys().last() == Some(&number) {
            return Err(bad(&path, format!("people_keys: {number} is the newest, which wraps")));
        }
        let removed = people.remove(&number);
        removed.map(drop).ok_or_else(|| bad(&path, format!("people_keys: there is no {number}")))
    })
}

fn add(people: &mut PeopleKeyRing) -> Result<(), Error> {
    let next = people.keys().last().map_or(1, |newest| newest.saturating_add(1));
    people.insert(next, Key::random()?);
    Ok(())
}

/// One after the other: the loser of a race would throw the winner's key away, under which something may be wrapped.
fn change(
    common: &Common,
    change: impl FnOnce(&mut PeopleKeyRing) -> Result<(), Error>,
) -> Result<PeopleKeyRing, Error> {
    let path = path(common)?;
    let folder = path.parent().unwrap_or(Path::new("/"));
    if common.people_key_file.is_none() {
        data_dir::create(folder)?;
    }
    let lock = File::open(folder).map_err(io("open", folder))?;
    lock.lock().map_err(io("lock", folder))?;
    let mut file = KeyFile::read(&path)?.unwrap_or_default();
    let before = file.people.len();
    change(&mut file.people)?;
    if file.people.len() != before {
        file.replace(&path)?;
    }
    Ok(file.people)
}

/// Sees that the keys have changed.
pub struct PeopleKeyWatch(FileWatch);

impl PeopleKeyWatch {
    /// Watches these settings' keys from now on: begin before the keys are opened.
    ///
    /// # Errors
    /// When the settings name no file.
    pub fn begin(common: &Common) -> Result<PeopleKeyWatch, Error> {
        Ok(PeopleKeyWatch(FileWatch::begin(path(common)?)))
    }

    /// The keys, when they have changed since it was last asked. Reads the file's date. Keys that can't be
    /// used are logged, and those before them stay.
    pub fn changed(&self) -> Option<PeopleKeyRing> {
        if !self.0.has_changed() {
            return None;
        }
        match KeyFile::read(self.0.path()) {
            Ok(file) => file.map(|file| file.people).filter(|people| !people.is_empty()),
            Err(error) => {
                tracing::error!(%error, "the keys of people have changed and can't be used");
                None
            }
        }
    }
}
