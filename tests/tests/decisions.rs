//! Every decision that is cited stands in docs/decisions.md, and comments cite nothing that readers don't have.
#![allow(clippy::unwrap_used, reason = "a test may panic, and so may its helpers")]

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

const PAGE: &str = "docs/decisions.md";

/// Words that lead out of the repository: a page that readers don't have.
const NOWHERE: &[&str] = &["(contract", "api contract", "api's contract", "(decisions", "; decisions"];

/// The same, but for some of its meanings.
const CONTRACT: &str = "the contract";

/// Where that is right: what is agreed with a supplier, which the operator enters; and published descriptions of the
/// API, which change only with `docs/openapi.json`.
const RIGHT: &[&str] = &["supplier", "beside the contract's "];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The texts of the repository with these endings and their paths in it.
fn texts(endings: &[&str]) -> Vec<(String, String)> {
    let root = root();
    let mut folders = vec![root.clone()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(&root).unwrap().display().to_string();
            if path.is_dir() {
                if !name.starts_with('.') && !name.starts_with("target") {
                    folders.push(path);
                }
            } else if endings.iter().any(|ending| name.ends_with(ending)) {
                found.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    assert!(found.len() > 50, "only {} texts in {}", found.len(), root.display());
    found.sort();
    found
}

/// What is said there: the comment in a line of Rust, all of any other text.
fn said<'a>(name: &str, line: &'a str) -> &'a str {
    if !name.ends_with(".rs") || line.trim_start().starts_with("//") {
        return line;
    }
    line.split_once(" // ").map_or("", |(_, comment)| comment)
}

/// The ids in a text: `P-` or `D-` and a number, as words of their own.
fn ids(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_')).filter(|word| {
        word.strip_prefix("P-")
            .or_else(|| word.strip_prefix("D-"))
            .is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
    })
}

/// The ids of the page's entries, `* **P-27** …`, in its order.
fn entries(page: &str) -> Vec<&str> {
    page.lines().filter_map(|line| line.strip_prefix("* **")?.split_once("**")).map(|(id, _)| id).collect()
}

/// The numbers of the page's paragraph `Retired, and not given again: 3, 9–12, …`.
fn retired(page: &str) -> BTreeSet<u32> {
    let (_, list) = page.split_once("Retired, and not given again:").unwrap();
    let (list, _) = list.split_once('.').unwrap();
    let ranges =
        list.split(',').map(|range| range.trim().split_once('–').unwrap_or((range.trim(), range.trim())));
    ranges.flat_map(|(first, last)| first.parse().unwrap()..=last.parse().unwrap()).collect()
}

/// Why a comment leads nowhere. `before` is the comment line above it, whose last word may begin the phrase.
fn nowhere(before: &str, comment: &str) -> Option<&'static str> {
    let last = before.split_whitespace().next_back().unwrap_or_default();
    let comment = comment.trim_start().trim_start_matches(['/', '!']).trim_start();
    let text = format!("{last} {comment} ").to_lowercase();
    let numbered = text.split("detail").skip(1).any(|rest| {
        rest.trim_start_matches('s')
            .strip_prefix(' ')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    });
    if numbered {
        return Some("detail N");
    }
    let right = RIGHT.iter().any(|right| text.contains(right));
    let phrases = NOWHERE.iter().chain((!right).then_some(&CONTRACT));
    // A plural is another word: the contracts are those with suppliers.
    let cited = |phrase: &str| {
        let mut rests = text.split(phrase).skip(1);
        rests.any(|rest| !rest.starts_with(char::is_alphanumeric))
    };
    phrases.copied().find(|phrase| cited(phrase))
}

fn fail_if_any(problems: &[String]) {
    assert!(problems.is_empty(), "\n  {}\n", problems.join("\n  "));
}

#[test]
fn no_id_is_given_to_two_decisions_or_again() {
    let page = fs::read_to_string(root().join(PAGE)).unwrap();
    let retired = retired(&page);
    let mut seen = BTreeSet::new();
    let mut problems = Vec::new();
    for id in entries(&page) {
        if id
            .strip_prefix("D-")
            .and_then(|number| number.parse().ok())
            .is_some_and(|number| retired.contains(&number))
        {
            problems.push(format!("{id} is retired: take the next free number"));
        }
        if ids(id).next() != Some(id) {
            problems.push(format!("{id} is no id: P- or D- and a number"));
        }
        if !seen.insert(id) {
            problems.push(format!("{id} stands in {PAGE} twice"));
        }
    }
    assert!(seen.len() > 200, "only {} decisions in {PAGE}", seen.len());
    fail_if_any(&problems);
}

#[test]
fn every_cited_decision_is_on_the_page() {
    let page = fs::read_to_string(root().join(PAGE)).unwrap();
    let entries: BTreeSet<&str> = entries(&page).into_iter().collect();
    let mut problems = Vec::new();
    for (name, text) in texts(&[".rs", ".sql", ".md", ".sh", "justfile"]) {
        for (index, line) in text.lines().enumerate() {
            for id in ids(said(&name, line)).filter(|id| !entries.contains(id)) {
                problems.push(format!("{name}:{}: {id} has no entry in {PAGE}", index + 1));
            }
        }
    }
    fail_if_any(&problems);
}

#[test]
fn comments_cite_only_what_the_repository_holds() {
    let mut problems = Vec::new();
    for (name, text) in texts(&[".rs"]) {
        let mut before = "";
        for (index, line) in text.lines().enumerate() {
            let comment = said(&name, line);
            if let Some(phrase) = nowhere(before, comment) {
                let place = index + 1;
                problems.push(format!(
                    "{name}:{place}: `{phrase}`: cite a P-n or D-n of {PAGE}, a section of docs/API.md, or state the rule"
                ));
            }
            before = comment;
        }
    }
    fail_if_any(&problems);
}

#[test]
fn the_rules_know_a_citation_from_other_words() {
    let found = |text| ids(text).collect::<Vec<_>>();
    assert_eq!(found("as decided (P-27, D-118)."), ["P-27", "D-118"]);
    assert_eq!(found("WFP-27 P-27x UP-D-1 P- D-a 2P-1"), [""; 0]);
    for (before, comment) in [
        ("", "/// As the contract has it."),
        ("//! what the", "//! contract says"),
        ("", "// A word (contract, errors)."),
        ("", "// Held (decisions, prices)."),
        ("", "// A supplier's word (contract, hotels)."),
        ("", "// So details 4 and 11 say."),
    ] {
        assert!(nowhere(before, comment).is_some(), "{before} {comment}");
    }
    for comment in [
        "/// The contracts for this agency.",
        "/// Ends the contract of exactly this supplier.",
        "/// Where a contract is for an airline.",
        "// The details of 3 rooms.",
    ] {
        assert_eq!(nowhere("", comment), None, "{comment}");
    }
}
