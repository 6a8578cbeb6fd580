//! The record of what a release prepares, `tests/compat/statements.sql`: how it is read, and how it is made of what was seen
//! between the service and PostgreSQL.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

/// What begins each statement of the file: the types of its parameters follow.
const TAKES: &str = "-- takes ";
/// The names and types of its columns follow.
const GIVES: &str = "-- gives ";

/// What a session does for itself and for its transactions, and tests that look at plans.
const OF_NO_TABLE: [&str; 7] = ["set", "begin", "commit", "rollback", "savepoint", "release", "explain"];

/// A statement as the service has it prepared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Recorded {
    pub text: String,
    pub takes: Vec<String>,
    pub gives: Vec<String>,
}

/// A statement that was seen, with PostgreSQL's numbers of its parameters' types.
pub struct Seen {
    pub text: String,
    pub types: Vec<u32>,
}

pub fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/compat/statements.sql")
}

/// The statements of the file.
pub fn read(text: &str) -> Vec<Recorded> {
    let list = |line: &str, of: &str| -> Vec<String> {
        let names = line.strip_prefix(of.trim_end()).unwrap().trim();
        names.split(", ").filter(|name| !name.is_empty()).map(str::to_owned).collect()
    };
    let begin = format!("\n{}", TAKES.trim_end());
    let mut parts = text.split(begin.as_str());
    let _head = parts.next();
    let statements = parts.map(|part| {
        let (takes, rest) = part.split_once('\n').unwrap();
        let (gives, text) = rest.split_once('\n').unwrap();
        Recorded {
            text: text.trim_end().strip_suffix(';').unwrap().to_owned(),
            takes: list(&format!("{}{takes}", TAKES.trim_end()), TAKES),
            gives: list(gives, GIVES),
        }
    });
    statements.collect()
}

/// The file of these statements.
pub fn written(head: &str, statements: &[Recorded]) -> String {
    let mut text = head.to_owned();
    for Recorded { text: one, takes, gives } in statements {
        let (takes, gives) = (takes.join(", "), gives.join(", "));
        let lines =
            format!("{}\n{}", format!("{TAKES}{takes}").trim_end(), format!("{GIVES}{gives}").trim_end());
        text.push_str(&format!("\n{lines}\n{one};\n"));
    }
    text
}

/// What comes before the statements: whose they are.
pub fn head(text: &str) -> &str {
    text.split_inclusive("\n\n").next().unwrap().trim_end_matches('\n')
}

/// What was seen: a line of JSON each.
pub fn seen(path: &Path) -> Vec<Seen> {
    let text = fs::read_to_string(path).unwrap();
    let seen = text.lines().map(|line| {
        let line: Value = serde_json::from_str(line).unwrap();
        Seen {
            text: line["text"].as_str().unwrap().to_owned(),
            types: serde_json::from_value(line["types"].clone()).unwrap(),
        }
    });
    let is_of_tables = |one: &Seen| {
        let verb = one.text.split_whitespace().next().unwrap_or_default();
        !OF_NO_TABLE.contains(&verb.to_lowercase().as_str())
    };
    seen.filter(is_of_tables).collect()
}

/// Of statements that differ only in how many rows they have the shortest, and of the group commit's as many as have each
/// of its parts once: which parts go together depends on what happened to be written at once.
pub fn distinct(seen: Vec<Seen>) -> Vec<Seen> {
    let mut by_shape: BTreeMap<(String, Vec<u32>), Seen> = BTreeMap::new();
    let (mut batches, others): (Vec<Seen>, Vec<Seen>) = seen.into_iter().partition(|one| is_batch(&one.text));
    for one in others {
        let shape = shape(&one.text);
        // Rows have the types of the first one again and again.
        let distinct: BTreeSet<u32> = one.types.iter().copied().collect();
        let of_shape = by_shape.entry((shape, distinct.into_iter().collect()));
        let known = of_shape.or_insert_with(|| Seen { text: one.text.clone(), types: one.types.clone() });
        if (one.text.len(), &one.text) < (known.text.len(), &known.text) {
            *known = one;
        }
    }
    batches.sort_by_cached_key(|batch| (usize::MAX - parts(&batch.text).len(), batch.text.clone()));
    let mut covered = BTreeSet::new();
    let mut distinct: Vec<Seen> = by_shape.into_values().collect();
    for batch in batches {
        let parts = parts(&batch.text);
        let before = covered.len();
        covered.extend(parts);
        if covered.len() > before {
            distinct.push(batch);
        }
    }
    distinct.sort_by(|a, b| (&a.text, &a.types).cmp(&(&b.text, &b.types)));
    distinct
}

/// Whether it is one of the group commit, whose parts are put together as there are rows for them.
fn is_batch(text: &str) -> bool {
    text.starts_with("with ") && text.contains(" select written_whole(0 + ")
}

/// The parts of such a statement, without the numbers of their parameters.
fn parts(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for letter in shape(text).trim_start_matches("with ").chars() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        parts.last_mut().unwrap().push(letter);
    }
    // The last one is followed by what counts them all.
    let last = parts.last_mut().unwrap();
    let end = last.find(" select written_whole(0").unwrap_or(last.len());
    last.truncate(end);
    parts.into_iter().map(|part| part.trim().to_owned()).collect()
}

/// A statement without the numbers of its parameters, and with one of many rows that are alike.
fn shape(text: &str) -> String {
    let mut shape = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        shape.push(letter);
        if letter == '$' {
            while letters.next_if(char::is_ascii_digit).is_some() {}
        }
    }
    // From the end, so that what is put together is not looked at again.
    let mut from = shape.len();
    while let Some(begin) = shape[..from].rfind('(') {
        from = begin;
        let Some(length) = shape[begin..].find(')') else { continue };
        let row = shape[begin..=begin + length].to_owned();
        let next = format!(", {row}");
        while shape[begin + row.len()..].starts_with(&next) {
            let rest = begin + row.len();
            shape.replace_range(rest..rest + next.len(), "");
        }
    }
    shape
}

#[test]
fn statements_that_differ_only_in_their_rows_are_one() {
    let seen = |text: &str| Seen { text: text.to_owned(), types: vec![25] };
    let texts = [
        "insert into a (b, c) values ($1, $2), ($3, $4), ($5, $6)",
        "insert into a (b, c) values ($1, $2)",
        "insert into a (b) values ($1)",
        "with a_made as (insert into a select f($1)), b_made as (insert into b select $2) \
         select written_whole(0 + (select count(*) from a_made) + (select count(*) from b_made), $3)",
        "with a_made as (insert into a select f($1)) select written_whole(0 + (select count(*) from a_made), $2)",
        "with c_made as (insert into c select f($1)) select written_whole(0 + (select count(*) from c_made), $2)",
    ];
    let distinct = distinct(texts.map(seen).into());
    let kept: Vec<&str> = distinct.iter().map(|one| one.text.as_str()).collect();
    assert_eq!(kept, [texts[2], texts[1], texts[3], texts[5]]);
}

#[test]
fn what_is_written_is_read_again() {
    let list = |names: &[&str]| names.iter().map(ToString::to_string).collect();
    let statements = [
        Recorded {
            text: "select a,\n\n  b from t where c = $1".to_owned(),
            takes: list(&["timestamp with time zone", "uuid"]),
            gives: list(&["a bigint", "b text"]),
        },
        Recorded { text: "update t set a = 1".to_owned(), takes: Vec::new(), gives: Vec::new() },
    ];
    let text = written("-- Whose they are.\n-- More of it.\n", &statements);
    assert_eq!(read(&text), statements);
    assert_eq!(head(&text), "-- Whose they are.\n-- More of it.");
}
