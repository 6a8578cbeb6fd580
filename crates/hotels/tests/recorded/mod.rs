//! How tests come by suppliers' recorded answers. The environment variable `WAYFARE_RECORDINGS` names their folder.

#![allow(dead_code, reason = "each test binary uses its part")]

pub mod liteapi;

use std::path::{Path, PathBuf};

use serde_json::Value;

/// The folder of one supplier's.
pub fn folder_of(supplier: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("WAYFARE_RECORDINGS").map(|path| PathBuf::from(path).join(supplier));
    if folder.is_none() {
        eprintln!("WAYFARE_RECORDINGS is not set: this test over recorded answers DID NOT RUN");
    }
    folder
}

/// The names of all files in this folder, in order.
pub fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// What is in the file, byte for byte.
pub fn bytes_of(supplier: &str, name: &str) -> Option<Vec<u8>> {
    let path = folder_of(supplier)?.join(name);
    Some(std::fs::read(path).unwrap_or_else(|error| panic!("{name}: {error}")))
}

/// What is in the file.
pub fn json_of(supplier: &str, name: &str) -> Option<Value> {
    let bytes = bytes_of(supplier, name)?;
    Some(serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("{name}: {error}")))
}
