//! The words that docs/GLOSSARY.md has replaced: none of them names anything in the code again, nor stands in comments, texts
//! and documents.

use std::{collections::BTreeMap, fs, iter::once};

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
        let [old, now, places] = cells.as_slice() else { return None };
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

/// The part of the glossary under this heading.
fn section(heading: &str) -> String {
    let text = fs::read_to_string(root().join("docs/GLOSSARY.md")).unwrap();
    let (_, section) = text.split_once(&format!("\n## {heading}\n")).unwrap();
    section.split("\n## ").next().unwrap().to_owned()
}

fn table() -> Vec<Gone> {
    section("Identifiers that are gone").lines().filter_map(Gone::read).collect()
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

/// A phrase that is gone, as the words behind its first one, and what is said now.
type GonePhrase = (Vec<String>, String);

/// The phrases of the table 'Words that are gone', by their first words.
fn gone_phrases() -> BTreeMap<String, Vec<GonePhrase>> {
    let mut phrases: BTreeMap<String, Vec<GonePhrase>> = BTreeMap::new();
    for line in section("Words that are gone").lines() {
        let Some((old, now)) = line.trim_matches('|').split_once(" | ") else { continue };
        for phrase in old.split('`').skip(1).step_by(2) {
            let mut words = phrase.split(' ').map(str::to_owned);
            let first = words.next().unwrap();
            phrases.entry(first).or_default().push((words.collect(), now.trim().to_owned()));
        }
    }
    phrases
}

/// Adds the words of a line. What is in backticks is a name: of a metric, a path, a column.
fn add_words(text: &str, line: usize, found: &mut Vec<(String, usize)>) {
    let in_word = |c: char| c.is_alphanumeric() || "-_'".contains(c);
    for outside in text.split('`').step_by(2) {
        let words = outside.split(|c| !in_word(c)).filter(|word| !word.is_empty());
        found.extend(words.map(|word| (word.to_lowercase(), line)));
    }
}

/// The words of a source's comments and texts. An empty word parts what does not stand together.
fn words_of_source(source: &Source) -> Vec<(String, usize)> {
    fn texts(code: TokenStream, found: &mut Vec<(String, usize)>) {
        for token in code {
            match token {
                TokenTree::Group(group) => texts(group.stream(), found),
                TokenTree::Literal(text) if text.to_string().contains('"') => {
                    let line = text.span().start().line;
                    found.push((String::new(), line));
                    add_words(&text.to_string().replace("\\n", " "), line, found);
                }
                _ => {}
            }
        }
    }
    let mut found = Vec::new();
    for (line, text) in (1..).zip(source.text.lines()) {
        let comment = text.trim_start().strip_prefix("//").or_else(|| Some(text.split_once(" // ")?.1));
        match comment {
            Some(comment) => add_words(comment, line, &mut found),
            None => found.push((String::new(), line)),
        }
    }
    texts(source.text.parse().unwrap(), &mut found);
    found
}

/// The documents that people read, with their words; fenced code is none, nor is the glossary's own list.
fn documents() -> Vec<(String, Vec<(String, usize)>)> {
    let docs = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let others = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|name| root().join(name));
    let crates =
        fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path().join("README.md"));
    let pages = docs.chain(others).chain(crates.filter(|page| page.exists()));
    let pages = pages.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    pages
        .map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            let text = text.split("\n## Words that are gone\n").next().unwrap();
            let (mut found, mut is_code) = (Vec::new(), false);
            for (line, text) in (1..).zip(text.lines()) {
                is_code ^= text.trim_start().starts_with("```");
                match is_code || text.is_empty() {
                    true => found.push((String::new(), line)),
                    false => add_words(text, line, &mut found),
                }
            }
            (path.strip_prefix(root()).unwrap().display().to_string(), found)
        })
        .collect()
}

#[test]
fn no_comment_text_or_document_says_a_word_that_is_gone() {
    let gone = gone_phrases();
    assert!(gone.len() > 10, "{} words in docs/GLOSSARY.md", gone.len());
    let sources = sources().into_iter().map(|source| (source.path.clone(), words_of_source(&source)));
    let mut problems = Vec::new();
    for (path, words) in sources.chain(documents()) {
        for (place, (first, line)) in words.iter().enumerate() {
            let behind = || words[place + 1..].iter().map(|(word, _)| word);
            let said =
                gone.get(first).into_iter().flatten().filter(|(rest, _)| behind().take(rest.len()).eq(rest));
            problems.extend(
                said.map(|(rest, now)| format!("{path}:{line}: `{first} {}`, now {now}", rest.join(" "))),
            );
        }
    }
    problems.dedup();
    fail_if_any(&problems);
}
