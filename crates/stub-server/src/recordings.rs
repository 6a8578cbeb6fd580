//! Recorded answers of suppliers, anywhere below the folder that the environment variable `WAYFARE_RECORDINGS` names. No
//! file is known by its name: tests by shape read whatever is there, and a recording whose figures a test knows is found by
//! its content. A recording that `wayfarectl suppliers try` has written stands for each answer in it. Without the variable, or
//! without the recording, a test says that it did not run.

use std::{
    collections::{BTreeMap, HashMap},
    path::{Path, PathBuf},
    sync::LazyLock,
};

use serde_json::{Value, value::RawValue};
use sha2::{Digest, Sha256};

use crate::did_not_run;

/// Recordings whose figures tests know: in each line the start of its SHA-256, its supplier, and what tests call it.
const KNOWN: &str = include_str!("known_recordings.txt");

/// Where each content is, by the start of its SHA-256.
static PLACES: LazyLock<HashMap<String, PathBuf>> = LazyLock::new(|| {
    let files = files().unwrap_or_default().into_iter();
    files.map(|(path, bytes)| (digest(&bytes), path)).collect()
});

fn digest(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The digest and the name of each known recording of a supplier.
fn known_of(supplier: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    KNOWN.lines().filter_map(move |line| {
        let (digest, rest) = line.split_once(' ')?;
        let (of, name) = rest.split_once(' ')?;
        (of == supplier).then_some((digest, name))
    })
}

/// What tests call the known recordings of a supplier.
pub fn known(supplier: &str) -> impl Iterator<Item = &'static str> {
    known_of(supplier).map(|(_, name)| name)
}

/// Whether all known recordings of a supplier are there. Where not, the test that asks says that it did not run.
pub fn are_here(supplier: &str) -> bool {
    if folder().is_none() {
        return false;
    }
    let missing = known_of(supplier).filter(|(digest, _)| !PLACES.contains_key(*digest));
    let missing = missing.count();
    if missing > 0 {
        did_not_run(&format!(
            "{missing} recordings of {supplier} whose figures it knows are not there; tests by shape read totals of what is there"
        ));
    }
    missing == 0
}

fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("WAYFARE_RECORDINGS").map(PathBuf::from);
    if folder.is_none() {
        did_not_run("WAYFARE_RECORDINGS is not set, which names the folder of recorded answers");
    }
    folder
}

/// What is in the known recording of this name, in whatever file it is.
pub fn bytes(supplier: &str, name: &str) -> Option<Vec<u8>> {
    folder()?;
    let (digest, _) = known_of(supplier)
        .find(|(_, known)| *known == name)
        .unwrap_or_else(|| panic!("{supplier}/{name} is not known"));
    let Some(path) = PLACES.get(digest) else {
        did_not_run(&format!(
            "no file has what {supplier}/{name} has; tests by shape read totals of what is there"
        ));
        return None;
    };
    Some(read(path))
}

pub fn json(supplier: &str, name: &str) -> Option<Value> {
    let bytes = bytes(supplier, name)?;
    Some(serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("{name}: {error}")))
}

fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every file of the recordings and what is in it, in order.
fn files() -> Option<Vec<(PathBuf, Vec<u8>)>> {
    let mut folders = vec![folder()?];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        let entries =
            std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for path in entries.map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else {
                let bytes = read(&path);
                found.push((path, bytes));
            }
        }
    }
    found.sort();
    Some(found)
}

/// Of each supplier, what is in its answers and in nobody else's.
const MARKS: [(&str, &[&str]); 4] = [
    ("duffel", &["\"off_", "\"ord_", "\"ore_", "\"orq_"]),
    ("hotelbeds", &["\"auditData\""]),
    ("liteapi", &["\"prebookId\"", "\"roomTypes\"", "\"hotelId\"", "\"cancellation_fee\""]),
    ("tripjack", &["\"tripInfos\""]),
];

/// The answers of a recording of a trial, each with the digits that came; the file itself where it is none.
pub fn answers(bytes: Vec<u8>) -> Vec<Vec<u8>> {
    type Members<'a> = BTreeMap<String, &'a RawValue>;
    let owned = |recording: Members<'_>| -> Option<Vec<Vec<u8>>> {
        let exchanges: Vec<Members<'_>> = serde_json::from_str(recording.get("exchanges")?.get()).ok()?;
        let answers = exchanges.iter().filter_map(|exchange| exchange.get("answer"));
        Some(answers.map(|answer| answer.get().as_bytes().to_vec()).collect())
    };
    let answers = serde_json::from_slice(&bytes).ok().and_then(owned);
    answers.unwrap_or_else(|| vec![bytes])
}

/// Every JSON answer of the recordings that has what only this supplier's answers have: its path, its bytes and what they say.
/// None where there is no such file.
pub fn of(supplier: &str) -> Option<Vec<(PathBuf, Vec<u8>, Value)>> {
    let (_, marks) = MARKS.iter().find(|(of, _)| *of == supplier).expect(supplier);
    let files = files()?.into_iter();
    let all = files.flat_map(|(path, bytes)| {
        let answers = answers(bytes).into_iter();
        answers.map(move |answer| (path.clone(), answer))
    });
    let values = all.filter_map(|(path, bytes)| {
        let text = std::str::from_utf8(&bytes).ok()?;
        let is_theirs = marks.iter().any(|mark| text.contains(mark));
        let value = is_theirs.then(|| serde_json::from_str(text))?.ok()?;
        Some((path, bytes, value))
    });
    let values: Vec<_> = values.collect();
    if values.is_empty() {
        did_not_run(&format!("no file of WAYFARE_RECORDINGS is an answer of {supplier}"));
        return None;
    }
    Some(values)
}

/// Every stream of events in the recordings: a file of its own, or a text in a JSON file.
pub fn streams() -> Option<Vec<(PathBuf, String)>> {
    let mut found = Vec::new();
    for (path, bytes) in files()? {
        let mut texts = Vec::new();
        match serde_json::from_slice(&bytes) {
            Ok(value) => texts_in(value, &mut texts),
            Err(_) => texts.extend(String::from_utf8(bytes)),
        }
        let is_stream = |text: &String| text.starts_with("data:") || text.starts_with("event:");
        let streams = texts.into_iter().filter(is_stream);
        found.extend(streams.map(|text| (path.clone(), text)));
    }
    Some(found)
}

fn texts_in(value: Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text),
        Value::Array(items) => items.into_iter().for_each(|item| texts_in(item, found)),
        Value::Object(fields) => fields.into_iter().for_each(|(_, field)| texts_in(field, found)),
        _ => {}
    }
}
