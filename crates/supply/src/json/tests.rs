//! What is read here is what `serde_json` reads.
#![expect(dead_code, reason = "compared as it is printed")]

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, value::RawValue};

use super::{Comparison, compare};
use crate::reading::Text;

#[derive(Debug, Deserialize)]
struct Offers<'a> {
    #[serde(borrow)]
    offers: Vec<Offer<'a>>,
    total: Option<u32>,
}

#[derive(Debug, Deserialize)]
struct Offer<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    from: Place,
    to: Option<Place>,
    #[serde(borrow, rename = "type")]
    kind: Option<&'a RawValue>,
    more: Option<Value>,
    sold: Option<bool>,
    left: Option<u8>,
    by_name: Option<BTreeMap<String, Vec<u64>>>,
    class: Option<Class>,
}

#[derive(Debug, Deserialize)]
struct Place {
    code: String,
    zone: Option<String>,
    near: Option<Box<Place>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Class {
    Economy,
    First,
}

/// Whether both read it, and alike; else neither does.
#[track_caller]
fn is_read_alike(body: &[u8]) -> bool {
    match compare::<Offers<'_>>(body) {
        Comparison::Alike => true,
        Comparison::Refused => false,
        other => panic!("{other:?}: {}", String::from_utf8_lossy(body)),
    }
}

const LONDON: &str =
    r#"{"id":"arp_lhr_gb","code":"LHR","city":{"name":"London","of":["GB"]},"zone":"Europe/London"}"#;
const PARIS: &str = r#"{ "code" : "CDG" , "near" : {"zone":"Europe/Paris","code":"ORY","unwanted":"to make it long enough"} , "x" : [1.5e-7, -0, true, null, "\ud83d\ude00"] }"#;

/// Offers in which places come again, some of them as they were, some with a letter changed.
fn body(count: usize) -> String {
    let offers = (0..count).map(|number| {
        let from = if number % 3 == 0 { LONDON } else { PARIS };
        let to = LONDON.replace("arp", ["arp", "arq", "arr"][number % 3]);
        let kind = ["12.50", "\"a \\\" b\"", "[1, {\"a\":2}]", "null"][number % 4];
        format!(
            r#"{{"id":"off_{number}","from":{from},"to":{to},"type":{kind},"left":{left},"unwanted":{LONDON},
            "sold":{sold},"more":{{"a":[true,"b"]}},"by_name":{{"a":[1,2],"b":[]}},"class":"economy"}}"#,
            left = number % 10,
            sold = number % 2 == 0,
        )
    });
    let offers: Vec<String> = offers.collect();
    format!(r#"{{"offers":[{}],"total":200}}"#, offers.join(","))
}

#[test]
fn what_comes_again_is_read_as_what_came_first() {
    assert!(is_read_alike(body(200).as_bytes()));
}

#[test]
fn what_is_broken_anywhere_is_never_read_otherwise_than_by_serde_json() {
    let body = body(4).into_bytes();
    let mut read = 0;
    for place in 0..body.len() {
        assert!(!is_read_alike(&body[..place]), "{place}");
        for byte in [b'"', b'\\', b'{', b'}', b',', b':', b'0', b'-', b'e', b' ', 0x1f, 0xff] {
            let mut spoiled = body.clone();
            spoiled[place] = byte;
            read += usize::from(is_read_alike(&spoiled));
        }
    }
    // What is passed or is plain text may be another.
    assert!(read > 1_000, "{read}");
}

#[test]
fn each_value_is_read_as_by_serde_json() {
    for (values, is_read) in [
        ("0|7|255|null|7 |\t7\r\n", true),
        ("256|-1|1.0|1e2|01|00||18446744073709551616|nul|nulll|true|\"7\"|7,|7]|\u{a0}7", false),
    ] {
        for value in values.split('|') {
            let body = format!(r#"{{"offers":[{{"id":"a","from":{{"code":"DEL"}},"left":{value}}}]}}"#);
            assert_eq!(is_read_alike(body.as_bytes()), is_read, "{value}");
        }
    }
    // What is passed is looked at, too.
    for (values, is_read) in [
        ("0|-0.0e-10|1E+2|\"\\u00e9\\n\"|\"\u{7f}é\"|[]|{}|{\"a\":1}|[[[[]]]]|\"\\ud800\"", true),
        (
            "-|1.|.5|1e|+1|01|\"\\u00g9\"|\"\\x\"|\"\t\"|[1,]|[,1]|[1 2]|{\"a\"}|{\"a\":1,}|{a:1}|[[]|{]|tru|NaN|'a'",
            false,
        ),
    ] {
        for value in values.split('|') {
            let body = format!(r#"{{"offers":[],"unwanted":{value}}}"#);
            assert_eq!(is_read_alike(body.as_bytes()), is_read, "{value}");
        }
    }
}

#[test]
fn each_body_is_read_as_by_serde_json() {
    for (body, is_read) in [
        (r#" {"offers":[]} "#, true),
        (r#"{"offers":[]} x"#, false),
        (r#"{"offers":[]}{}"#, false),
        ("", false),
        ("[]", false),
        (r#"{"offers":[],"offers":[]}"#, false),
        (r#"{"total":1}"#, false),
        (r#"{"offers":null}"#, false),
        ("\u{feff}{\"offers\":[]}", false),
        (r#"{"offers":[],"total":null}"#, true),
        (r#"{"off\u0065rs":[]}"#, true),
    ] {
        assert_eq!(is_read_alike(body.as_bytes()), is_read, "{body}");
    }
}

#[test]
fn names_that_are_numbers_are_read_as_such() {
    for (body, is_read) in [
        (r#"{"0":true,"7":false}"#, true),
        (r#"{"07":true}"#, false),
        (r#"{"256":true}"#, false),
        (r#"{"x":true}"#, false),
    ] {
        let compared = compare::<BTreeMap<u8, bool>>(body.as_bytes());
        assert_eq!(compared == Comparison::Alike, is_read, "{body}: {compared:?}");
        assert_ne!(compared, Comparison::GivenUp, "{body}");
    }
}

#[test]
fn a_struct_that_is_written_as_a_list_is_refused() {
    assert_eq!(compare::<Offers<'_>>(b"[[],1]"), Comparison::GivenUp);
}

#[test]
fn depth_is_bounded_and_many_kinds_cost_no_more_than_few() {
    let deep = format!(r#"{{"offers":[],"unwanted":{}{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
    assert!(is_read_alike(deep.as_bytes()));
    let near = format!(
        r#"{{"offers":[{{"id":"a","from":{}{{"code":"Z"}}{}}}]}}"#,
        r#"{"code":"A","near":"#.repeat(60),
        "}".repeat(60)
    );
    assert!(is_read_alike(near.as_bytes()));
    let members: Vec<String> = (0..2_000).map(|number| format!(r#""unwanted {number}":{LONDON}"#)).collect();
    let body = format!(r#"{{"offers":[],{}}}"#, members.join(","));
    assert!(is_read_alike(body.as_bytes()));
}

#[test]
fn what_is_wrong_is_said_in_the_words_of_serde_json() {
    for body in [
        r#"{"offers":null}"#,
        r#"{"offers":{}}"#,
        r#"{"offers":[null]}"#,
        r#"{"offers":["a"]}"#,
        r#"{"offers":[{"id":null,"from":{"code":"A"}}]}"#,
        r#"{"offers":[{"id":5,"from":{"code":"A"}}]}"#,
        r#"{"offers":[{"id":"a","from":null}]}"#,
        r#"{"offers":[{"id":"a","from":{"code":"A"},"left":300}]}"#,
        r#"{"offers":[{"id":"a","from":{"code":"A"},"left":-1}]}"#,
        r#"{"offers":[{"id":"a","from":{"code":"A"},"left":1.5}]}"#,
        r#"{"offers":[{"id":"a","from":{"code":"A"},"sold":"yes"}]}"#,
        r#"{"offers":[{"from":{"code":"A"}}]}"#,
        r#"{"total":1}"#,
        "null",
        "7",
    ] {
        let ours = super::parse_placed::<Offers<'_>>(body.as_bytes()).unwrap_err();
        let theirs = serde_json::from_str::<Offers<'_>>(body).unwrap_err().to_string();
        let (words, _) = theirs.rsplit_once(" at line ").unwrap();
        assert!(ours == words || ours.ends_with(&format!(": {words}")), "{body}: {ours:?}, {words:?}");
    }
}
