//! What is served is written down, and nothing is written down that is not served.

use std::{collections::BTreeSet, fs, path::Path};

use wayfare_api::endpoints;
use wayfare_domain::EventKind;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn the_docs_name_every_endpoint_and_no_others() {
    let docs = read("docs/API.md");
    let section = docs.split("\n## ").find(|section| section.starts_with("Endpoints")).unwrap();
    // In backticks, a method and a path.
    let named: BTreeSet<String> = section
        .lines()
        .filter(|line| line.starts_with('|'))
        .flat_map(|line| line.split('`').skip(1).step_by(2))
        .filter(|code| code.contains(" /"))
        .map(|code| match code.split_once(" /") {
            Some((method, path)) if !path.starts_with("health") && path != "openapi.json" => {
                format!("{method} /api/v1/{path}")
            }
            _ => code.to_owned(),
        })
        .collect();
    let served: BTreeSet<String> =
        endpoints().iter().map(|endpoint| format!("{} {}", endpoint.method, endpoint.path)).collect();
    let (unnamed, unserved): (Vec<_>, Vec<_>) =
        (served.difference(&named).collect(), named.difference(&served).collect());
    assert!(
        unnamed.is_empty() && unserved.is_empty(),
        "not in docs/API.md: {unnamed:?}, only there: {unserved:?}"
    );
}

#[test]
fn the_docs_mark_every_event_that_is_published_and_no_others() {
    let docs = read("docs/API.md");
    let section = docs.split("\n## ").find(|section| section.starts_with("Events")).unwrap();
    let rows = section.lines().filter(|line| line.starts_with('|'));
    let marked: BTreeSet<&str> = rows
        .flat_map(|row| row.match_indices("` †").map(|(end, _)| &row[..end]))
        .filter_map(|before| before.rsplit('`').next())
        .collect();
    assert_eq!(marked, EventKind::published().map(EventKind::text).collect());
}

#[test]
fn every_test_that_the_docs_name_is_there() {
    let docs = read("docs/SECURITY.md");
    let named: Vec<(&str, &str)> =
        docs.split('`').skip(1).step_by(2).filter_map(|code| code.split_once("::")).collect();
    assert!(named.len() > 30, "{} tests", named.len());
    for (file, test) in named {
        let path = match file.contains("tests/") {
            true => file.to_owned(),
            false => format!("tests/tests/api/{file}"),
        };
        let text = read(&path);
        let lines: Vec<&str> = text.lines().collect();
        let function = format!("fn {test}()");
        let is_a_test = lines
            .windows(2)
            .any(|pair| pair[0].starts_with("#[") && pair[0].contains("test") && pair[1].contains(&function));
        assert!(is_a_test, "{file} has no test {test}");
    }
}
