//! The words that docs/GLOSSARY.md has replaced: none of them names anything in the code again.

use std::{fs, iter::once};

use proc_macro2::{TokenStream, TokenTree};

use crate::{Source, fail_if_any, root, sources};

/// A row of the table 'Identifiers that are gone'.
struct Gone {
    old: String,
    now: String,
    /// Only the names of files and folders.
    only_files: bool,
    /// Only these crates; all where there is none.
    crates: Vec<String>,
}

impl Gone {
    fn read(line: &str) -> Option<Self> {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [old, now, places] = cells.as_slice() else {
            return None;
        };
        let old = old.strip_prefix('`')?.strip_suffix('`')?;
        let places = places.split(',').map(str::trim);
        let (only_files, crates): (Vec<&str>, Vec<&str>) =
            places.filter(|place| *place != "everywhere").partition(|place| *place == "file");
        Some(Self {
            old: old.to_owned(),
            now: now.replace('`', ""),
            only_files: !only_files.is_empty(),
            crates: crates.into_iter().map(str::to_owned).collect(),
        })
    }

    fn is_of(&self, source: &Source) -> bool {
        self.crates.is_empty() || self.crates.contains(&source.package)
    }
}

fn table() -> Vec<Gone> {
    let text = fs::read_to_string(root().join("docs/GLOSSARY.md")).unwrap();
    let (_, section) = text.split_once("\n## Identifiers that are gone\n").unwrap();
    section.lines().filter_map(Gone::read).collect()
}

/// The identifiers of the code with their lines; comments and texts are none.
fn identifiers(code: TokenStream, found: &mut Vec<(String, usize)>) {
    for token in code {
        match token {
            TokenTree::Group(group) => identifiers(group.stream(), found),
            TokenTree::Ident(name) => found.push((name.to_string(), name.span().start().line)),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// Each place where the source has the row's old word.
fn places(gone: &Gone, source: &Source, identifiers: &[(String, usize)]) -> Vec<String> {
    let file_names = source.modules.iter().filter(|name| **name == gone.old);
    let in_path = file_names.map(|_| source.path.clone());
    let in_code = identifiers
        .iter()
        .filter(|(name, _)| !gone.only_files && *name == gone.old)
        .map(|(_, line)| format!("{}:{line}", source.path));
    in_path.chain(in_code).collect()
}

#[test]
fn no_identifier_of_the_glossary_that_is_gone_has_come_back() {
    let table = table();
    assert!(table.len() > 80, "{} rows in docs/GLOSSARY.md", table.len());
    let sources: Vec<(Source, Vec<(String, usize)>)> = sources()
        .into_iter()
        .filter(|source| source.group != "bench")
        .map(|source| {
            let mut found = Vec::new();
            identifiers(source.text.parse().unwrap(), &mut found);
            (source, found)
        })
        .collect();
    let mut problems = Vec::new();
    for gone in &table {
        let places: Vec<String> = sources
            .iter()
            .filter(|(source, _)| gone.is_of(source))
            .flat_map(|(source, identifiers)| places(gone, source, identifiers))
            .collect();
        if let Some(first) = places.first() {
            let count = places.len();
            problems.push(format!("{} ({count}, now {}): {first} …", gone.old, gone.now));
        }
    }
    let red = problems.len();
    let summary = (red > 0).then(|| format!("{red} of {} rows", table.len()));
    let problems: Vec<String> = problems.into_iter().chain(once(summary).flatten()).collect();
    fail_if_any(&problems);
}
