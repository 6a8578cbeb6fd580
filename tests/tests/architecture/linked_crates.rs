//! The crates that others link (`publish = true`) say what they are, and come with their licence.

use std::{collections::BTreeSet, fs};

use cargo_metadata::Package;

use crate::{README_IS_OPENING, fail_if_any, metadata, short};

/// The crates that the project promises to other services. What these need is published, too.
const PROMISED: &[&str] = &[
    "client",
    "contract",
    "digits",
    "domain",
    "flights",
    "hotels",
    "ledger",
    "pricing",
    "reference",
    "supply",
    "webhooks",
];

/// Those with nothing to run: a macro, a way to read numbers, a header. All others have a program to start with.
const WITHOUT_EXAMPLES: &[&str] = &["boxed", "digits", "trace"];

/// What every one of their pages has.
const PARTS: &[&str] = &["## What it promises\n", "## What it does not promise\n", "## Example\n```rust"];

fn faults_of(package: &Package) -> Vec<&'static str> {
    let folder = package.manifest_path.parent().unwrap();
    let library = fs::read_to_string(folder.join("src/lib.rs")).unwrap();
    let readme = fs::read_to_string(folder.join("README.md")).unwrap_or_default();
    let rows = [
        (package.description.as_ref().is_none_or(|text| text.len() < 20), "a description"),
        (!(1..=5).contains(&package.keywords.len()), "one to five keywords"),
        (package.categories.is_empty(), "categories"),
        (package.license.is_none() || !folder.join("LICENSE").exists(), "a licence, and its text as LICENSE"),
        (package.readme.is_none(), "a README.md"),
        (
            !PARTS.iter().all(|part| readme.contains(part)),
            "what it promises, what not, and an example in README.md",
        ),
        (!library.starts_with(README_IS_OPENING), "README.md as the page of its documentation"),
        (!library.contains("#![warn(missing_docs)]"), "a doc comment on each public item"),
        (
            !WITHOUT_EXAMPLES.contains(&short(&package.name)) && !folder.join("examples").is_dir(),
            "a program in examples",
        ),
    ];
    rows.into_iter().filter_map(|(is_missing, what)| is_missing.then_some(what)).collect()
}

#[test]
fn what_others_link_says_what_it_is() {
    let metadata = metadata();
    let published = metadata.packages.iter().filter(|package| package.publish.is_none());
    let problems = published.clone().flat_map(|package| {
        faults_of(package).into_iter().map(|fault| format!("{} lacks {fault}", package.name))
    });
    let names: BTreeSet<&str> = published.clone().map(|package| short(&package.name)).collect();
    let kept_back = PROMISED.iter().filter(|name| !names.contains(**name));
    let kept_back = kept_back.map(|name| format!("{name} is not published"));
    fail_if_any(&problems.chain(kept_back).collect::<Vec<_>>());
}
