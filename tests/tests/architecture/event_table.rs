//! The table of events in `docs/API.md` beside the kinds that the domain has.

use std::{collections::BTreeSet, fs};

use wayfare_domain::EventKind;

use crate::root;

/// The rows of the table of events in `docs/API.md`.
fn rows() -> Vec<String> {
    let docs = fs::read_to_string(root().join("docs/API.md")).unwrap();
    let section = docs.split("\n## ").find(|section| section.starts_with("Events")).unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    rows.map(str::to_owned).collect()
}

/// The names in backticks of the table's first column, and whether a dagger follows.
fn documented() -> BTreeSet<(String, bool)> {
    let rows = rows();
    let first_columns = rows.iter().filter_map(|row| row.split('|').nth(1));
    let names = first_columns.flat_map(|column| {
        column.split(", ").map(|name| {
            let name = name.trim();
            let text = name.split('`').nth(1).unwrap();
            (text.to_owned(), name.ends_with('†'))
        })
    });
    names.collect()
}

#[test]
fn the_docs_list_every_event_and_mark_those_that_are_published() {
    let kinds: BTreeSet<(String, bool)> =
        EventKind::ALL.iter().map(|kind| (kind.text().to_owned(), kind.is_published())).collect();
    assert_eq!(documented(), kinds);
}

#[test]
fn the_docs_name_the_entity_of_every_event() {
    let rows = rows();
    for kind in EventKind::ALL {
        let name = format!("`{}`", kind.text());
        let row = rows.iter().find(|row| row.contains(&name));
        let entity = row.and_then(|row| row.split('|').nth(2)).map(str::trim);
        assert_eq!(entity, Some(kind.entity()), "{name}");
    }
}
