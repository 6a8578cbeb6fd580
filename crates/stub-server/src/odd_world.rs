//! The metamorphic test of readers: an answer with an oddity, and with three drawn at random, is read as it is without.
//!
//! `cargo test` plays a sample, with `WAYFARE_ODD_WORLD=1` each row of the table is played on each answer. What
//! legitimately reads otherwise is a row of [`Legitimate`] with its reason.

use std::{
    collections::BTreeSet,
    path::Path,
    time::{Duration, Instant},
};

use serde_json::Value;
use wayfare_oddities::{ANSWERS, AnswerOddity, KEYS, Rng, Wire, drawn, odd_answer, odd_key, own_keys};

/// With this variable at `1` all of it is played; with names of rows in it, joined by `+`, and a seed behind `@`, a journey is
/// made with these alone.
pub const ALL: &str = "WAYFARE_ODD_WORLD";

/// The sample is always the same one.
pub const SEED: u64 = 20_270_210;

/// Whether all of it is played, or a sample.
pub fn is_whole() -> bool {
    std::env::var_os(ALL).is_some_and(|all| all == "1")
}

/// The rows that are named instead, and their seed.
pub fn chosen() -> Option<(Vec<String>, u64)> {
    let named = std::env::var(ALL).ok().filter(|_| !is_whole())?;
    let (names, seed) = named.split_once('@').unwrap_or((&named, "0"));
    let names = names.split('+').map(|name| name.trim().to_owned());
    Some((names.collect(), seed.parse().unwrap()))
}

/// So many differences of a reading are told.
const SHOWN: usize = 6;

/// What one reader made of an answer, or why it can't read it.
pub type Reading = Result<Value, String>;

#[derive(Clone, Copy, Debug)]
pub struct Keys {
    are_odd: bool,
}

impl Keys {
    /// A key of the answer as it is in the one that is read.
    pub fn of(self, key: &str) -> String {
        if self.are_odd { odd_key(key) } else { key.to_owned() }
    }

    /// Another answer of the same supplier, with such keys.
    pub fn body(self, body: &[u8], wire: Wire) -> Vec<u8> {
        let keys: &[&AnswerOddity] = if self.are_odd { &[&KEYS] } else { &[] };
        odd_answer(body, wire, keys, 0)
    }
}

/// A reader of answers whose keys look so.
pub type Reader<'a> = Box<dyn Fn(&[u8], Keys) -> Reading + 'a>;

pub struct Case<'a> {
    pub wire: Wire,
    pub call: &'static str,
    pub name: String,
    pub body: Vec<u8>,
    /// What it says; members of the reading that are called `raw` are the answer itself.
    pub read: Reader<'a>,
}

/// Members of readings that an oddity changes by right.
#[derive(Clone, Copy, Debug)]
pub struct Legitimate {
    /// The oddity; all of one kind by the beginning of its name.
    pub oddity: &'static str,
    pub members: &'static [&'static str],
    pub reason: &'static str,
}

pub const EVERYWHERE: &[Legitimate] =
    &[Legitimate { oddity: "", members: &["raw"], reason: "the answer as it came" }];

/// Lists in whose order something is said.
const ORDERED: [&str; 3] = ["journeys", "segments", "stops"];

/// An oddity, a supplier and a call that do not hold yet; `*` for all. It is to become empty.
pub type NotYet = (&'static str, &'static str, &'static str);

/// Whether one of these oddities at this call is known not to hold yet.
pub fn is_not_yet(not_yet: &[NotYet], oddities: &[&str], supplier: &str, call: &str) -> bool {
    let is = |row: &str, what: &str| row == "*" || row == what;
    not_yet.iter().any(|(oddity, at, of)| {
        is(at, supplier) && is(of, call) && (*oddity == "*" || oddities.contains(oddity))
    })
}

#[derive(Debug, Default)]
struct Tally {
    tried: usize,
    touched: usize,
    wrong: Vec<String>,
    not_yet: Vec<String>,
    triples: BTreeSet<(&'static str, &'static str, &'static str)>,
}

/// Plays these answers.
pub fn holds(what: &str, cases: &[Case<'_>], legitimate: &[Legitimate], not_yet: &[NotYet]) {
    println!("the odd world's seed: {SEED}");
    let began = Instant::now();
    let mut tally = Tally::default();
    for (number, case) in cases.iter().enumerate() {
        let mut rng = Rng::of(SEED.wrapping_add(u64::try_from(number).unwrap()));
        // What is no answer to this reader stays none; there is nothing to compare.
        let keys = Keys { are_odd: false };
        let Ok(recorded) = (case.read)(&case.body, keys) else { continue };
        // Members are written in one order from here on; what lists them lists them in that order.
        let written = odd_answer(&case.body, case.wire, &[], 0);
        let plain = (case.read)(&written, keys).unwrap_or_default();
        let rewritten = compare(&recorded, &plain, &["members_reversed"], legitimate);
        tally.wrong.extend(rewritten.map(|wrong| format!("rewritten, {}: {wrong}", case.name)));
        for (names, oddities) in plays(case, &mut rng) {
            play(case, &plain, &names, &oddities, (legitimate, not_yet), rng.roll(), &mut tally);
        }
    }
    let count = |part: fn(&(&'static str, &'static str, &'static str)) -> &'static str| {
        tally.triples.iter().map(part).collect::<BTreeSet<_>>().len()
    };
    println!(
        "odd world, {what}: {} oddities × {} calls × {} suppliers: {} of {} answers hold, {} were changed; {:?}",
        count(|triple| triple.0),
        count(|triple| triple.1),
        count(|triple| triple.2),
        tally.tried - tally.wrong.len() - tally.not_yet.len(),
        tally.tried,
        tally.touched,
        began.elapsed().max(Duration::from_millis(1)),
    );
    if !tally.not_yet.is_empty() {
        println!("{what}, not yet:\n  {}", tally.not_yet.join("\n  "));
    }
    assert!(tally.tried > 0, "{what}: nothing was played");
    let wrong = tally.wrong.join("\n  ");
    assert!(tally.wrong.is_empty(), "{what}: {} read otherwise\n  {wrong}\n", tally.wrong.len());
}

type Play = (String, Vec<&'static AnswerOddity>);

/// Each row alone, and three at random; of the sample fewer of both, and the fewest of large answers.
fn plays(case: &Case<'_>, rng: &mut Rng) -> Vec<Play> {
    let (alone, together) = match case.body.len() {
        _ if is_whole() => (ANSWERS.len(), 8),
        size if size > 200_000 => (2, 1),
        size if size > 40_000 => (6, 1),
        _ => (12, 2),
    };
    let mut plays: Vec<Play> =
        drawn(alone, rng).into_iter().map(|row| (row.name.to_owned(), vec![row])).collect();
    plays.push((KEYS.name.to_owned(), vec![&KEYS]));
    for _ in 0..together {
        let rows = drawn(3, rng);
        let names: Vec<&str> = rows.iter().map(|row| row.name).collect();
        plays.push((names.join(" + "), rows));
    }
    plays
}

fn play(
    case: &Case<'_>,
    plain: &Value,
    names: &str,
    oddities: &[&'static AnswerOddity],
    (legitimate, not_yet): (&[Legitimate], &[NotYet]),
    seed: u64,
    tally: &mut Tally,
) {
    let odd = odd_answer(&case.body, case.wire, oddities, seed);
    tally.tried += 1;
    tally.touched += usize::from(odd != case.body);
    if let [only] = oddities {
        tally.triples.insert((only.name, case.call, case.wire.code()));
    }
    let are_odd = oddities.iter().any(|oddity| oddity.name == KEYS.name);
    let read = (case.read)(&odd, Keys { are_odd }).map(|reading| {
        match are_odd {
            // Whatever was done to a key on its way can't be taken back.
            true => serde_json::from_str(&own_keys(&reading.to_string())).unwrap(),
            false => reading,
        }
    });
    let wrong = match read {
        Err(reason) => Some(format!("can't be read: {reason}")),
        Ok(reading) => compare(plain, &reading, &names_of(oddities), legitimate),
    };
    if let Some(wrong) = wrong {
        let (call, wire) = (case.call, case.wire.code());
        let told = format!("{names}, {wire} {call}, {}: {wrong}", case.name);
        let is_known = is_not_yet(not_yet, &names_of(oddities), wire, call);
        let list = if is_known { &mut tally.not_yet } else { &mut tally.wrong };
        list.push(told);
    }
}

fn names_of(oddities: &[&'static AnswerOddity]) -> Vec<&'static str> {
    oddities.iter().map(|oddity| oddity.name).collect()
}

/// The first places in which what came of these oddities differs from what comes without, but for what they change by right.
pub fn compare(
    plain: &Value,
    odd: &Value,
    oddities: &[&'static str],
    legitimate: &[Legitimate],
) -> Option<String> {
    let rows: Vec<&Legitimate> = legitimate
        .iter()
        .chain(EVERYWHERE)
        .filter(|row| oddities.iter().any(|oddity| oddity.starts_with(row.oddity)))
        .collect();
    let is_reordered = ["lists_reordered", "members_reversed"].iter().any(|name| oddities.contains(name));
    let prepared = |value: &Value| {
        let mut value = value.clone();
        prepare(&mut value, &rows, is_reordered);
        value
    };
    difference(&prepared(plain), &prepared(odd), "")
}

/// Without what may differ, and where order says nothing in one that is the same for all.
fn prepare(value: &mut Value, rows: &[&Legitimate], is_reordered: bool) {
    match value {
        Value::Array(items) => {
            for item in items.iter_mut() {
                prepare(item, rows, is_reordered);
            }
        }
        Value::Object(members) => {
            members.retain(|name, _| !rows.iter().any(|row| row.members.contains(&name.as_str())));
            for (name, member) in members.iter_mut() {
                prepare(member, rows, is_reordered);
                if let (true, false, Value::Array(items)) =
                    (is_reordered, ORDERED.contains(&name.as_str()), member)
                {
                    items.sort_by_key(Value::to_string);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The first places in which two readings differ, and what they say there.
pub fn difference(plain: &Value, odd: &Value, at: &str) -> Option<String> {
    let mut told = Vec::new();
    differ(plain, odd, at, &mut told);
    (!told.is_empty()).then(|| told.join("; "))
}

fn differ(plain: &Value, odd: &Value, at: &str, told: &mut Vec<String>) {
    match (plain, odd) {
        (Value::Object(ours), Value::Object(theirs)) => {
            let names: BTreeSet<&String> = ours.keys().chain(theirs.keys()).collect();
            for name in names {
                let nothing = Value::Null;
                let (ours, theirs) = (ours.get(name), theirs.get(name));
                let at = format!("{at}/{name}");
                differ(ours.unwrap_or(&nothing), theirs.unwrap_or(&nothing), &at, told);
            }
        }
        (Value::Array(ours), Value::Array(theirs)) if ours.len() == theirs.len() => {
            for (place, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
                differ(ours, theirs, &format!("{at}/{place}"), told);
            }
        }
        _ if plain == odd || told.len() >= SHOWN => {}
        _ => told.push(format!("{at} is {} and not {}", short(odd), short(plain))),
    }
}

fn short(value: &Value) -> String {
    value.to_string().chars().take(160).collect()
}

pub fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn case(read: fn(&[u8], Keys) -> Reading) -> Case<'static> {
        Case {
            wire: Wire::Tripjack,
            call: "lookup",
            name: "made up".to_owned(),
            body: json!({ "order": { "bookingId": "T1", "amount": 5267.66, "status": "SUCCESS" } })
                .to_string()
                .into_bytes(),
            read: Box::new(read),
        }
    }

    #[test]
    fn a_reader_that_understands_holds() {
        let read = |_: &[u8], _: Keys| Ok(json!({ "id": 1 }));
        holds("a reader of nothing", &[case(read)], &[], &[]);
    }

    #[test]
    #[should_panic(expected = "amounts_with_")]
    fn a_reader_that_takes_every_digit_does_not() {
        let read = |body: &[u8], _: Keys| {
            let text = std::str::from_utf8(body).map_err(|error| error.to_string())?;
            let answer: Value = serde_json::from_str(text.trim_start_matches('\u{feff}').trim())
                .map_err(|error| error.to_string())?;
            Ok(json!({ "amount": answer["order"]["amount"] }))
        };
        let cases = [case(read), case(read), case(read), case(read)];
        holds("a reader of digits", &cases, &[], &[]);
    }

    #[test]
    fn differences_are_named() {
        let ours = json!({ "offers": [{ "token": "a" }, { "token": "b" }], "total": 1 });
        let theirs = json!({ "offers": [{ "token": "a" }, { "token": "c" }] });
        let told = difference(&ours, &theirs, "").unwrap();
        assert_eq!(told, r#"/offers/1/token is "c" and not "b"; /total is null and not 1"#);
        assert_eq!(difference(&ours, &ours, ""), None);
    }
}
