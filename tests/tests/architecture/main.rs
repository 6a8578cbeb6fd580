//! The order that the code keeps: the picture of the crates as a table, what stands in every file, and in modules of
//! their own the glossary's words, circles of modules, and the order of folders inside `operations`;
//! what crates that others link say of themselves, the table of events, what keeps builds short, and the recipes of `just`.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic, and so may its helpers")]

mod event_table;
mod folder_order;
mod glossary;
mod import_cycles;
mod linked_crates;
mod modules;
mod open_enums;
mod recipes;
mod shared_crates;
mod test_programs;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use cargo_metadata::{Dependency, DependencyKind, Metadata, MetadataCommand, Package};

/// Which crates of the workspace a crate may depend on.
#[derive(Clone, Copy)]
enum May {
    Use(&'static [&'static str]),
    UseAll,
}
use May::{Use, UseAll};

/// Every crate of the workspace (without `wayfare-`), and what it may see of the others.
const PICTURE: &[(&str, May)] = &[
    // A macro.
    ("boxed", Use(&[])),
    // Numbers of JSON, for all who read amounts.
    ("digits", Use(&[])),
    ("domain", Use(&["digits"])),
    // What the API answers, takes and says in words: declared once, for the server, its clients and its programs.
    ("contract", Use(&["digits"])),
    ("client", Use(&["boxed", "contract"])),
    // Pages out of calls of the API, as any program of an agency makes them.
    ("console", Use(&["client"])),
    ("ledger", Use(&["domain"])),
    ("pricing", Use(&["domain"])),
    ("reference", Use(&["domain"])),
    ("supply", Use(&["digits", "domain", "trace"])),
    // The trace that a call belongs to, for all who call others.
    ("trace", Use(&[])),
    ("webhooks", Use(&["domain", "trace"])),
    ("flights", Use(&["domain", "reference", "supply"])),
    ("hotels", Use(&["domain", "reference", "supply"])),
    ("store", Use(&["boxed", "domain", "ledger", "pricing"])),
    (
        "operations",
        Use(&[
            "boxed",
            "contract",
            "domain",
            "flights",
            "hotels",
            "ledger",
            "pricing",
            "reference",
            "store",
            "supply",
            "trace",
            "webhooks",
        ]),
    ),
    // What a search prints: it has a level of optimization of its own.
    (
        "search-response",
        Use(&["contract", "domain", "flights", "hotels", "operations", "pricing", "reference"]),
    ),
    // The far end shares no type with the adapters: two hands write the two ends.
    ("sandbox", Use(&["domain", "oddities", "reference"])),
    // What the world does to answers and requests: it knows words of the wire and none of our types.
    ("oddities", Use(&[])),
    ("local-postgres", Use(&[])),
    // For tests and benchmarks.
    ("stub-server", Use(&["oddities"])),
    (
        "launch",
        Use(&[
            "domain",
            "flights",
            "hotels",
            "ledger",
            "local-postgres",
            "pricing",
            "reference",
            "sandbox",
            "supply",
            "trace",
        ]),
    ),
    // The programs never see the store.
    (
        "api",
        Use(&[
            "console",
            "contract",
            "domain",
            "flights",
            "hotels",
            "launch",
            "operations",
            "pricing",
            "reference",
            "search-response",
            "supply",
            "trace",
        ]),
    ),
    // It tries a supplier through the port, with nothing of ours behind it.
    ("ctl", Use(&["contract", "domain", "flights", "hotels", "launch", "operations", "pricing", "supply"])),
    // It measures the programs from outside, as they are released, and the ledger as services link it; what a search
    // allocates is counted within.
    (
        "bench",
        Use(&[
            "domain",
            "flights",
            "hotels",
            "ledger",
            "local-postgres",
            "operations",
            "pricing",
            "sandbox",
            "search-response",
            "stub-server",
            "supply",
        ]),
    ),
    ("tests", UseAll),
];

/// Families of crates from outside, by the start of their names, and who alone may use them.
const OUTSIDE: &[(&str, &[&str], &str)] = &[
    ("diesel-async", &["store", "operations", "tests"], "operations only opens transactions"),
    ("diesel", &["store", "tests"], "only the store knows SQL"),
    (
        "tokio-postgres",
        &["local-postgres", "store", "bench", "tests"],
        "the store speaks through diesel, and drives its connections itself to be able to give them up",
    ),
    ("rustls", &["store"], "how PostgreSQL is trusted; HTTP clients have their own way with it"),
    (
        "actix",
        &["api", "console", "sandbox", "tests"],
        "only the API, its console and the sandbox are servers",
    ),
    (
        "reqwest",
        &["supply", "webhooks", "client", "local-postgres", "ctl", "sandbox", "bench", "tests"],
        "suppliers are asked through supply's one client, agencies' servers through that of webhooks; ctl fetches the \
         central bank's file; the sandbox tells of news as suppliers do",
    ),
    (
        "redis",
        &["api", "launch", "operations", "tests"],
        "it counts requests and keeps searches for a while; what must not be lost is in the database; tests look at all that it has",
    ),
    ("object-store", &["operations"], "only reports have files"),
    ("opentelemetry", &["trace"], "spans are exported only where the feature `otlp` asks for it"),
    ("tracing-opentelemetry", &["trace"], "spans are exported only where the feature `otlp` asks for it"),
];

/// Crates without input, output and async, and what would bring it in: as a dependency or as a feature of one.
const PURE: &[&str] = &["contract", "domain", "ledger", "pricing"];
const IMPURE: &[&str] = &["tokio", "async-std", "futures", "hyper", "reqwest", "diesel", "postgres", "actix"];

/// How a crate opens of which `README.md` is the page.
const README_IS_OPENING: &str = "#![doc = include_str!(\"../README.md\")]\n";

const LONGEST_FILE: usize = 600;
/// The files that may be longer, each with the reason.
const LONGER_FILES: &[(&str, &str)] = &[(
    "crates/store/src/schema.rs",
    "a list of tables is looked up, not read: who seeks a table has one place",
)];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn metadata() -> Metadata {
    MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .no_deps()
        .other_options(["--offline".to_owned()])
        .exec()
        .unwrap()
}

fn short(package: &str) -> &str {
    package.strip_prefix("wayfare-").unwrap_or(package)
}

fn shipped(package: &Package) -> impl Iterator<Item = &Dependency> {
    package.dependencies.iter().filter(|dependency| dependency.kind != DependencyKind::Development)
}

fn fail_if_any(problems: &[String]) {
    assert!(problems.is_empty(), "\n  {}\n", problems.join("\n  "));
}

#[test]
fn every_crate_has_its_row_in_the_picture_and_every_row_its_crate() {
    let metadata = metadata();
    let crates: BTreeSet<&str> = metadata.packages.iter().map(|package| short(&package.name)).collect();
    let rows: BTreeSet<&str> = PICTURE.iter().map(|(name, _)| *name).collect();
    let mut problems: Vec<String> = crates
        .difference(&rows)
        .map(|name| format!("{name} has no row: say in PICTURE what it may depend on"))
        .collect();
    problems.extend(
        rows.difference(&crates).map(|name| format!("the row of {name} names no crate of the workspace")),
    );
    fail_if_any(&problems);
}

#[test]
fn no_crate_depends_on_one_that_the_picture_hides_from_it() {
    let metadata = metadata();
    let picture: BTreeMap<&str, May> = PICTURE.iter().copied().collect();
    let inside: BTreeSet<&str> = metadata.packages.iter().map(|package| package.name.as_str()).collect();
    let mut problems = Vec::new();
    for package in &metadata.packages {
        let name = short(&package.name);
        let Some(Use(allowed)) = picture.get(name) else { continue };
        for dependency in shipped(package).filter(|dependency| inside.contains(dependency.name.as_str())) {
            let other = short(&dependency.name);
            if !allowed.contains(&other) {
                problems.push(format!("{name} depends on {other}; it may use {allowed:?}"));
            }
        }
    }
    fail_if_any(&problems);
}

#[test]
fn crates_from_outside_are_used_only_where_they_belong() {
    let metadata = metadata();
    let mut problems = Vec::new();
    for package in &metadata.packages {
        let name = short(&package.name);
        for dependency in shipped(package) {
            let family =
                OUTSIDE.iter().find(|(family, ..)| dependency.name.replace('_', "-").starts_with(family));
            if let Some((_, users, reason)) = family
                && !users.contains(&name)
            {
                problems
                    .push(format!("{name} depends on {}, which is for {users:?}: {reason}", dependency.name));
            }
        }
    }
    fail_if_any(&problems);
}

#[test]
fn the_pure_crates_bring_no_io_and_no_async_along() {
    let metadata = metadata();
    let mut problems = Vec::new();
    for package in &metadata.packages {
        let name = short(&package.name);
        if !PURE.contains(&name) {
            continue;
        }
        for dependency in shipped(package) {
            let mut words = std::iter::once(&dependency.name).chain(&dependency.features);
            let impure = words.find(|word| IMPURE.iter().any(|impure| word.contains(impure)));
            if let Some(word) = impure {
                problems.push(format!("{name} is pure, but depends on {} ({word})", dependency.name));
            }
        }
    }
    fail_if_any(&problems);
}

/// A source file of a crate or program.
struct Source {
    /// `crates`, `bins` or `bench`.
    group: String,
    /// The crate's name without `wayfare-`.
    package: String,
    path: String,
    /// Its module's path from the crate's root.
    modules: Vec<String>,
    text: String,
}

impl Source {
    fn read(path: &Path) -> Self {
        let name = path.strip_prefix(root()).unwrap().display().to_string();
        let (package, file) = name.split_once("/src/").unwrap();
        let (group, package) = package.split_once('/').unwrap_or((package, package));
        let names = file.trim_end_matches(".rs").split('/');
        let modules = names.filter(|name| !["lib", "main", "mod"].contains(name));
        Self {
            group: group.to_owned(),
            package: package.to_owned(),
            modules: modules.map(str::to_owned).collect(),
            text: fs::read_to_string(path).unwrap(),
            path: name,
        }
    }
}

/// Every source file of the crates and programs.
fn sources() -> Vec<Source> {
    let root = root();
    let mut folders: Vec<PathBuf> = ["crates", "bins"]
        .iter()
        .flat_map(|group| fs::read_dir(root.join(group)).unwrap())
        .map(|entry| entry.unwrap().path())
        .chain([root.join("bench")])
        .map(|package| package.join("src"))
        .filter(|folder| folder.is_dir())
        .collect();
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(Source::read(&path));
            }
        }
    }
    assert!(found.len() > 50, "only {} source files under {}", found.len(), root.display());
    found.sort_by(|one, other| one.path.cmp(&other.path));
    found
}

/// The files of each crate; programs in `src/bin` are crates of their own, and of one or two files.
fn by_package(sources: &[Source]) -> BTreeMap<&str, Vec<&Source>> {
    let mut packages: BTreeMap<&str, Vec<&Source>> = BTreeMap::new();
    for source in sources.iter().filter(|source| !source.path.contains("/src/bin/")) {
        packages.entry(&source.package).or_default().push(source);
    }
    packages
}

#[test]
fn every_source_file_opens_by_saying_what_it_is_for() {
    let silent = |source: &Source| {
        if source.text.starts_with(README_IS_OPENING) {
            let page = root().join(&source.group).join(&source.package).join("README.md");
            // Below its name.
            let page = fs::read_to_string(page).unwrap();
            return page.lines().nth(2).is_none_or(|opening| opening.trim().is_empty());
        }
        let first = source.text.lines().next().unwrap_or_default();
        first.strip_prefix("//!").is_none_or(|rest| rest.trim().trim_matches('.').is_empty())
    };
    let problems: Vec<String> = sources()
        .iter()
        .filter(|source| silent(source))
        .map(|source| format!("{} does not open with `//! ` and a sentence", source.path))
        .collect();
    fail_if_any(&problems);
}

#[test]
fn no_source_file_is_too_long_to_read() {
    let problems: Vec<String> = sources()
        .iter()
        .map(|source| (&source.path, source.text.lines().count()))
        .filter(|(_, lines)| *lines > LONGEST_FILE)
        .filter(|(name, _)| LONGER_FILES.iter().all(|(longer, _)| name != longer))
        .map(|(name, lines)| format!("{name} has {lines} lines, more than {LONGEST_FILE}"))
        .collect();
    fail_if_any(&problems);
}

#[test]
fn nothing_is_left_for_later() {
    let problems: Vec<String> = sources()
        .iter()
        .flat_map(|source| {
            let lines = source.text.lines();
            lines
                .enumerate()
                .filter(|(_, line)| line.contains("todo!(") || line.contains("unimplemented!("))
                .map(move |(index, line)| format!("{}:{}: {}", source.path, index + 1, line.trim()))
        })
        .collect();
    fail_if_any(&problems);
}
