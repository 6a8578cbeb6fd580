//! The table of hostile values: for each kind of field what must be refused there, and what may be taken or refused. Each is
//! sent in each field of its kind, of every body that the document describes; a field that no example of the document has
//! fails the test, so that a new one has its row.

use std::collections::BTreeSet;

use chrono::NaiveDate;
use reqwest::Method;
use serde_json::Value;
use wayfare_tests::{World, contract::document};

use super::hostile_input::{places, with};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Date,
    Text,
    Amount,
}

/// What no field of this kind takes: as JSON.
fn refused(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Date => &[
            r#""""#,
            r#""2027-02-30""#,
            r#""2027-13-01""#,
            r#""0000-00-00""#,
            r#""-2027-01-01""#,
            r#""+12027-01-01""#,
            r#""99999-01-01""#,
            r#""2027-1-1""#,
            r#""01/02/2027""#,
            r#""2027-01-01T00:00:00Z""#,
            r#""2027-01-01\u0000""#,
            r#""\u0662\u0660\u0662\u0667-01-01""#,
            r#""1500-01-01""#,
            r#""9999-12-31""#,
            "20270101",
            "[]",
        ],
        Kind::Text => &[r#""\u0000""#, "[[]]", "{}"],
        Kind::Amount => &[r#""x""#, "[]", "{}", "1e400", "-1e400", "79228162514264337593543950336"],
    }
}

/// What is taken or refused, and breaks nothing.
fn strange(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Date => &[r#""0001-01-01""#, "null"],
        Kind::Text => &[
            r#""\u202ebox\u202c""#,
            r#""\ufeff=1+1""#,
            r#""\u200b""#,
            r#""'; drop table users; --""#,
            r#""%_\\""#,
            r#""{{7*7}}${jndi:x}""#,
            "null",
        ],
        Kind::Amount => {
            &["-1", "-0", "0.001", "1e-28", "99999999999999.99", "100000000000000", "0.1e1", "null"]
        }
    }
}

/// Fields that name somebody or something: nothing in them is unseen.
const NAMES: [&str; 3] = ["name", "first_name", "last_name"];

/// Bodies that are read before these fields: what is in them is not looked at, or by another rule.
fn is_label(path: &str, field: &str) -> bool {
    let not_read = ["/hotels/search", "/reschedule"];
    NAMES.contains(&field) && !not_read.iter().any(|part| path.contains(part))
}

fn kind(value: &Value) -> Option<Kind> {
    match value {
        Value::String(text) if text.parse::<NaiveDate>().is_ok() => Some(Kind::Date),
        Value::String(_) => Some(Kind::Text),
        Value::Number(_) => Some(Kind::Amount),
        _ => None,
    }
}

/// The fields of these kinds that a schema has, `*` for the items of a list.
fn described(document: &Value, schema: &Value, at: &str, found: &mut BTreeSet<String>) {
    if let Some(name) = schema["$ref"].as_str() {
        return described(document, document.pointer(name.trim_start_matches('#')).unwrap(), at, found);
    }
    for several in ["oneOf", "anyOf", "allOf"] {
        for one in schema[several].as_array().into_iter().flatten() {
            described(document, one, at, found);
        }
    }
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        described(document, field, &format!("{at}/{name}"), found);
    }
    if schema["items"].is_object() {
        described(document, &schema["items"], &format!("{at}/*"), found);
    }
    let is = |kind: &str| {
        schema["type"] == kind || schema["type"].as_array().is_some_and(|kinds| kinds.contains(&kind.into()))
    };
    if is("string") || is("number") {
        found.insert(at.to_owned());
    }
}

/// A pointer with `*` in place of each index.
fn anywhere(pointer: &str) -> String {
    let parts = pointer.split('/').map(|part| match part.parse::<usize>() {
        Ok(_) => "*",
        Err(_) => part,
    });
    parts.collect::<Vec<_>>().join("/")
}

fn examples(content: &Value) -> Vec<Value> {
    let several = content["examples"].as_object().into_iter().flatten();
    let mut examples: Vec<Value> = several.map(|(_, example)| example["value"].clone()).collect();
    examples.extend(content.get("example").cloned());
    examples
}

/// A path with something in place of its parameters, below the base path.
fn filled(path: &str) -> String {
    let reference = if path.contains("/hotels/") { "HTL-00000000" } else { "FA-00000000" };
    let parts = path.trim_start_matches("/api/v1").split('/').map(|part| match part.starts_with('{') {
        true if part.contains("ref") => reference,
        true => "00000000-0000-7000-8000-000000000000",
        false => part,
    });
    parts.collect::<Vec<_>>().join("/")
}

#[tokio::test(flavor = "multi_thread")]
async fn each_field_of_each_body_refuses_what_is_hostile_to_its_kind() {
    let (world, _, admin, agent) = World::start().await.and_people("0", "0").await;
    let document = document();
    let mut asked = 0;
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            let content = &operation["requestBody"]["content"]["application/json"];
            if content.is_null() {
                continue;
            }
            let (url, method): (String, Method) = (filled(path), method.to_uppercase().parse().unwrap());
            let person = if url.starts_with("/org") { &admin } else { &agent };
            let (mut missing, mut seen) = (BTreeSet::new(), BTreeSet::new());
            described(&document, &content["schema"], "", &mut missing);
            for example in examples(content) {
                let mut found = Vec::new();
                places(&example, "", &mut found);
                for place in found {
                    let Some(kind) = kind(example.pointer(&place).unwrap()) else { continue };
                    missing.remove(&anywhere(&place));
                    if !seen.insert(anywhere(&place)) {
                        continue;
                    }
                    let field = place.rsplit('/').next().unwrap();
                    let hidden = [r#""Sun\u202erise""#, r#""Sun\u200brise""#];
                    let hidden: &[&str] = if is_label(path, field) { &hidden } else { &[] };
                    let is_secret = place.contains("password") || place.contains("token");
                    let must = |written: &&&str| !is_secret || **written != r#""\u0000""#;
                    let refused = refused(kind).iter().chain(hidden).filter(must);
                    let refused = refused.map(|written| (written, true));
                    let strange = strange(kind).iter().map(|written| (written, false));
                    for (written, must) in refused.chain(strange) {
                        let body = with(&example, &place, written);
                        let reply = person.send_text(method.clone(), &url, body).await;
                        let most = if must { 400..500 } else { 200..500 };
                        assert!(
                            most.contains(&reply.status),
                            "{method} {url} {place} {written}: {} {}",
                            reply.status,
                            reply.text
                        );
                        asked += 1;
                    }
                }
            }
            assert!(missing.is_empty(), "{method} {path}: no example has {missing:?}");
        }
    }
    println!("{asked} bodies");
    world.books_agree().await;
}
