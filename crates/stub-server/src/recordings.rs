//! Recorded answers of suppliers. The environment variable `WAYFARE_RECORDINGS` names the folder in which each supplier
//! has one; without it tests over recordings say that they did not run.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::did_not_run;

/// Where a supplier's recordings are.
pub fn folder(supplier: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("WAYFARE_RECORDINGS").map(|path| PathBuf::from(path).join(supplier));
    if folder.is_none() {
        did_not_run("WAYFARE_RECORDINGS is not set, which names the folder of recorded answers");
    }
    folder
}

/// What is in the file of this name.
pub fn bytes(supplier: &str, name: &str) -> Option<Vec<u8>> {
    let path = folder(supplier)?.join(name);
    Some(std::fs::read(path).unwrap_or_else(|error| panic!("{name}: {error}")))
}

/// The same, read.
pub fn json(supplier: &str, name: &str) -> Option<Value> {
    let bytes = bytes(supplier, name)?;
    Some(serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("{name}: {error}")))
}

/// The names of all files in this folder, in order.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Every JSON file below `WAYFARE_RECORDINGS`, whatever its name and folder: its path, its bytes and what they say. None
/// where there are no recordings.
pub fn all() -> Option<Vec<(PathBuf, Vec<u8>, Value)>> {
    let mut folders = vec![folder("")?];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for name in names(&folder) {
            let path = folder.join(name);
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            if let Ok(value) = serde_json::from_slice(&bytes) {
                found.push((path, bytes, value));
            }
        }
    }
    found.sort_by(|(one, ..), (other, ..)| one.cmp(other));
    Some(found)
}
