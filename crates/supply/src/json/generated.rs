//! Whatever is sent, it is read as `serde_json` reads it, but for structs that are written as lists: JSON of every form, in
//! which objects come again, as it is and mutilated.

use std::{borrow::Cow, collections::BTreeMap};

use proptest::{
    collection::vec,
    prelude::*,
    sample::{Index, select},
    strategy::ValueTree,
    test_runner::TestRunner,
};
use serde::{Deserialize, de::IgnoredAny};
use serde_json::{Value, value::RawValue};

use super::{Comparison, compare};
use crate::reading::Text;

/// Members of every kind. What is generated uses their names, so that most of it is read.
#[expect(dead_code, reason = "compared as it is printed")]
#[derive(Debug, Deserialize)]
struct Node<'a> {
    #[serde(borrow, default)]
    text: Option<Text<'a>>,
    #[serde(default)]
    owned: Option<String>,
    #[serde(borrow, default)]
    raw: Option<&'a RawValue>,
    #[serde(default)]
    count: Option<u32>,
    #[serde(default)]
    small: Option<u8>,
    #[serde(default)]
    signed: Option<i64>,
    #[serde(default)]
    float: Option<f64>,
    #[serde(default)]
    flag: Option<bool>,
    #[serde(default)]
    kind: Option<Kind>,
    #[serde(default)]
    any: Option<Value>,
    #[serde(default)]
    nothing: Option<IgnoredAny>,
    #[serde(borrow, default)]
    map: Option<BTreeMap<Cow<'a, str>, &'a RawValue>>,
    #[serde(default)]
    pair: Option<(u8, String)>,
    #[serde(default, alias = "other_name")]
    unit: Option<()>,
    #[serde(borrow, default)]
    child: Option<Box<Node<'a>>>,
    #[serde(borrow, default)]
    nodes: Vec<Node<'a>>,
    #[serde(borrow, default)]
    strict: Option<Strict<'a>>,
}

#[expect(dead_code, reason = "compared as it is printed")]
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Strict<'a> {
    #[serde(borrow)]
    text: Text<'a>,
    #[serde(default)]
    count: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Economy,
    First,
}

const NAMES: &str = "text owned raw count small signed float flag kind any nothing map pair unit \
    other_name child nodes strict unwanted d\\u00e9j\\u00e0";

/// Numbers, words and texts as they are written.
const SCALARS: [&str; 35] = [
    "0",
    "7",
    "255",
    "256",
    "4294967295",
    "4294967296",
    "18446744073709551615",
    "18446744073709551616",
    "9223372036854775808",
    "-0",
    "-1",
    "-9223372036854775808",
    "0.0",
    "-0.0",
    "1.50",
    "12.500000000000000000000001",
    "1e2",
    "1E+2",
    "1e-7",
    "1e400",
    "true",
    "false",
    "null",
    "\"\"",
    "\"economy\"",
    "\"ECONOMY\"",
    "\"a longer text without anything strange in it, which is passed in whole steps of eight\"",
    "\"é, दिल्ली, 😀\"",
    "\"\\u00e9\\n\\t\\\"\\\\\\/\\b\\f\\r\"",
    "\"\\ud83d\\ude00\"",
    "\"\\ud83d\"",
    "\"\\ude00 x\"",
    "\"\\ud83dx\"",
    "\"\u{7f}\u{a0}\u{feff}\"",
    "\"\\u0000\"",
];

/// What is no JSON, wherever it stands.
const BROKEN: [&str; 24] = [
    "00",
    "01",
    "-",
    "-01",
    "1.",
    ".5",
    "1e",
    "1e+",
    "+1",
    "0x1",
    "NaN",
    "Infinity",
    "tru",
    "nullx",
    "True",
    "\"\\u00g9\"",
    "\"\\u12\"",
    "\"\\x\"",
    "\"\t\"",
    "\"\u{1f}\"",
    "\"open",
    "'a'",
    "[1,]",
    "{\"a\":1,}",
];

/// What may stand between tokens, and what may not.
fn space() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        2_000 => Just(""),
        200 => select(vec![" ", "\n", "\t", "\r\n", "  \n\t "]),
        1 => select(vec!["\u{a0}", "\u{b}", ",", "/**/", "\u{feff}"]),
    ]
}

fn scalar() -> impl Strategy<Value = String> {
    prop_oneof![
        12 => select(&SCALARS[..]).prop_map(str::to_owned),
        4 => any::<u8>().prop_map(|number| number.to_string()),
        2 => any::<i64>().prop_map(|number| number.to_string()),
        2 => any::<f64>().prop_map(|number| format!("{number:e}")),
        8 => any::<String>().prop_map(|text| serde_json::to_string(&text).unwrap()),
    ]
}

/// What is read under this name, mostly.
fn fitting(name: &str) -> BoxedStrategy<String> {
    let texts =
        || select(vec!["\"DEL\"", "\"Indira Gandhi International Airport\"", "\"a \\\"b\\\" c\"", "null"]);
    let counts = || select(vec!["0", "7", "255", "null"]);
    match name {
        "text" | "owned" => texts().prop_map(str::to_owned).boxed(),
        "count" | "small" => counts().prop_map(str::to_owned).boxed(),
        "flag" => select(vec!["true", "false", "null"]).prop_map(str::to_owned).boxed(),
        "kind" => select(vec!["\"economy\"", "\"first\""]).prop_map(str::to_owned).boxed(),
        "map" => texts().prop_map(|text| format!("{{\"a\":{text},\"b\":[1,{{}}]}}")).boxed(),
        "pair" => counts().prop_map(|count| format!("[{count},\"x\"]")).boxed(),
        "unit" | "other_name" => Just("null".to_owned()).boxed(),
        "strict" => texts().prop_map(|text| format!("{{\"text\":{text}}}")).boxed(),
        _ => scalar().boxed(),
    }
}

/// A member's name and its value, now and then one that does not fit, or that is no JSON.
fn member(inner: BoxedStrategy<String>) -> impl Strategy<Value = (String, String)> {
    let of_name = move |name: &'static str| {
        let value = match name {
            "child" => inner.clone(),
            "any" | "raw" | "unwanted" | "nothing" => prop_oneof![scalar(), inner.clone()].boxed(),
            "nodes" => vec(inner.clone(), 0..4).prop_map(|all| format!("[{}]", all.join(","))).boxed(),
            _ => fitting(name),
        };
        let broken = select(&BROKEN[..]).prop_map(str::to_owned);
        (Just(name.to_owned()), prop_oneof![300 => value, 2 => scalar(), 1 => broken, 1 => "\\PC{0,40}"])
    };
    select(NAMES.split(' ').collect::<Vec<_>>()).prop_flat_map(of_name)
}

/// An object; now and then a member comes twice.
fn object(inner: BoxedStrategy<String>) -> impl Strategy<Value = String> {
    (vec((member(inner), space(), space(), space()), 0..6), 0..200_u8).prop_map(|(mut members, twice)| {
        if twice > 0 {
            let mut names = Vec::new();
            members.retain(|((name, _), ..)| {
                !names.contains(name) && {
                    names.push(name.clone());
                    true
                }
            });
        }
        let members = members.into_iter().map(|((name, value), before, between, after)| {
            format!("{before}\"{name}\"{between}:{value}{after}")
        });
        format!("{{{}}}", members.collect::<Vec<_>>().join(","))
    })
}

fn value() -> BoxedStrategy<String> {
    let leaf = object(Just("{}".to_owned()).boxed());
    leaf.prop_recursive(5, 60, 6, |inner| {
        prop_oneof![
            200 => object(inner.clone().boxed()),
            1 => vec(inner, 0..4).prop_map(|all| format!("[{}]", all.join(","))),
        ]
        .boxed()
    })
    .boxed()
}

/// A list in which few objects come again and again, in any order: what was read before is found again.
fn body() -> impl Strategy<Value = String> {
    (vec(value(), 1..5), vec(any::<Index>(), 0..30), space(), space()).prop_map(
        |(objects, order, before, after)| {
            let nodes: Vec<&str> = order.iter().map(|place| &**place.get(&objects)).collect();
            format!("{before}{{\"nodes\":[{}]}}{after}", nodes.join(","))
        },
    )
}

/// What happens to a body on its way.
#[derive(Clone, Debug)]
enum Fault {
    None,
    CutOff(Index),
    CutOut(Index, usize),
    Byte(Index, u8),
    Twice(Index, usize),
}

fn fault() -> impl Strategy<Value = Fault> {
    let byte = prop_oneof![any::<u8>(), select(&b"\"\\{}[],:0-.eE tn\x1f\xff\xed"[..])];
    prop_oneof![
        3 => Just(Fault::None),
        1 => any::<Index>().prop_map(Fault::CutOff),
        1 => (any::<Index>(), 1..20_usize).prop_map(|(place, count)| Fault::CutOut(place, count)),
        3 => (any::<Index>(), byte).prop_map(|(place, byte)| Fault::Byte(place, byte)),
        1 => (any::<Index>(), 1..60_usize).prop_map(|(place, count)| Fault::Twice(place, count)),
    ]
}

impl Fault {
    fn befall(&self, body: &mut Vec<u8>) {
        let length = body.len();
        match *self {
            Self::None => {}
            Self::CutOff(place) => body.truncate(place.index(length)),
            Self::CutOut(place, count) => {
                let place = place.index(length);
                body.drain(place..(place + count).min(length));
            }
            Self::Byte(place, byte) => body[place.index(length)] = byte,
            Self::Twice(place, count) => {
                let place = place.index(length);
                let piece = body[place..(place + count).min(length)].to_vec();
                body.splice(place..place, piece);
            }
        }
    }
}

/// Both read it alike or neither reads it, unless a list stands where a struct is expected.
fn check(body: &[u8]) -> Comparison {
    let compared = compare::<Node<'_>>(body);
    let text = String::from_utf8_lossy(body);
    assert!(!matches!(compared, Comparison::Different(_)), "{compared:?}\n{text}");
    if compared == Comparison::GivenUp {
        let tree = serde_json::from_str(&text);
        assert!(tree.is_ok_and(has_list_for_struct), "{text}");
    }
    compared
}

/// The members of a node that are nodes themselves. The others are passed over as a reader does that does not want them: a text
/// among them may be one that is no Unicode.
#[derive(Deserialize)]
struct Nodes<'a> {
    #[serde(borrow, default)]
    child: Option<&'a RawValue>,
    #[serde(borrow, default)]
    nodes: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    strict: Option<&'a RawValue>,
}

fn has_list_for_struct(node: &RawValue) -> bool {
    let is_list = |value: &RawValue| value.get().starts_with('[');
    let below = |Nodes { child, nodes, strict }: Nodes<'_>| {
        strict.is_some_and(is_list) || nodes.into_iter().chain(child).any(has_list_for_struct)
    };
    is_list(node) || serde_json::from_str(node.get()).is_ok_and(below)
}

#[test]
fn lists_for_structs_are_found_beside_texts_that_are_no_unicode() {
    for body in
        [r#"{"nodes":[{"unwanted":"\ud83d"},[]]}"#, r#"{"unwanted":"\ude00 x","child":{"strict":["a"]}}"#]
    {
        assert_eq!(check(body.as_bytes()), Comparison::GivenUp, "{body}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn whatever_is_sent_is_read_as_by_serde_json(body in body(), fault in fault()) {
        let mut body = body.into_bytes();
        fault.befall(&mut body);
        check(&body);
    }
}

#[test]
fn much_of_what_is_generated_is_read_and_much_refused() {
    let mut runner = TestRunner::deterministic();
    let mut tally = BTreeMap::<String, u32>::new();
    for _ in 0..600 {
        let tree = (body(), fault()).new_tree(&mut runner).unwrap();
        let (body, fault) = tree.current();
        let mut body = body.into_bytes();
        fault.befall(&mut body);
        *tally.entry(format!("{:?}", check(&body))).or_default() += 1;
    }
    for (compared, least) in [("Alike", 60), ("Refused", 60)] {
        assert!(tally.get(compared).copied().unwrap_or_default() >= least, "{tally:?}");
    }
}

#[test]
fn however_deep_it_is_it_is_read_alike_or_refused_and_ends() {
    for depth in [10, 60, 99, 100, 101, 126, 127, 128, 129, 100_000] {
        for (open, close) in
            [("{\"child\":", "}"), ("{\"nodes\":[", "]}"), ("{\"unwanted\":", "}"), ("{\"raw\":[", "]}")]
        {
            for inner in ["{}", "", "{\"text\":\"a\""] {
                let body = format!("{}{inner}{}", open.repeat(depth), close.repeat(depth));
                let levels = depth * open.matches(['{', '[']).count() + inner.matches('{').count();
                let is_whole = inner == "{}" || (inner.is_empty() && open.ends_with('['));
                let is_alike = check(body.as_bytes()) == Comparison::Alike;
                // What is passed over or kept as text is not gone down into.
                let is_passed = open.contains("unwanted") || open.contains("raw");
                assert_eq!(is_alike, is_whole && (is_passed || levels <= 127), "{open} {depth} {inner}");
            }
        }
    }
}

#[test]
fn what_was_read_before_is_no_less_deep_when_it_comes_again() {
    let chain = |levels: usize, inner: &str| {
        let opened = r#"{"text":"long enough to be remembered","child":"#.repeat(levels);
        format!("{opened}{inner}{}", "}".repeat(levels))
    };
    let mut deepest = chain(90, "{}");
    let mut nodes = vec![deepest.clone()];
    for _ in 0..40 {
        deepest = chain(90, &deepest);
        nodes.push(deepest.clone());
        let body = format!("{{\"nodes\":[{}]}}", nodes.join(","));
        assert_eq!(check(body.as_bytes()), Comparison::Refused);
    }
}

#[test]
fn each_value_under_each_name_is_read_as_by_serde_json() {
    for name in NAMES.split(' ') {
        for value in SCALARS.iter().chain(&BROKEN) {
            let node = format!(r#"{{"text":"long enough to be remembered","{name}":{value}}}"#);
            check(format!(r#"{{"nodes":[{node},{node}],"unwanted":[{node}]}}"#).as_bytes());
            check(format!(r#"{{"{name}":{value} , "text":"a"}}"#).as_bytes());
        }
    }
}
