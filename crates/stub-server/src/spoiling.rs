//! Bodies with bits flipped, pieces cut out and strange values, for readers that must never panic or hang.

use std::fmt::Display;

use serde_json::{Value, json};

/// A small generator, so that a failure comes again with the same seed.
struct Rng(u64);

impl Rng {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(limit.max(1)).unwrap()).unwrap()
    }

    /// Bits flipped, digits and signs changed, a piece cut out, or the end cut off.
    fn spoil(&mut self, body: &mut Vec<u8>) {
        let at = self.below(body.len());
        match self.below(4) {
            0 => body[at] ^= 1 << self.below(8),
            1 => body[at] = b"0123456789-.:+eE\"{}[],nT"[self.below(24)],
            2 => drop(body.drain(at..(at + 1 + self.below(40)).min(body.len()))),
            _ => body.truncate(at),
        }
    }
}

/// How often a body was read, and how often not.
#[derive(Debug, Default)]
pub struct Tally {
    read: u64,
    unread: u64,
}

impl Tally {
    /// One attempt of one reader: what can't be read has a reason.
    pub fn note<T>(&mut self, outcome: Result<T, impl Display>) {
        match outcome {
            Ok(_) => self.read += 1,
            Err(reason) => {
                assert!(!reason.to_string().is_empty());
                self.unread += 1;
            }
        }
    }

    /// Faults that nothing or everything survives prove nothing.
    fn has_both_of(&self, cases: usize) {
        let few = 100.min(u64::try_from(cases).unwrap() / 20);
        assert!(self.read > few && self.unread > few, "{self:?}");
    }
}

/// So many cases, ten times as many with `WAYFARE_SPOILED_LONG=1`.
fn so_many(cases: usize) -> usize {
    if std::env::var_os("WAYFARE_SPOILED_LONG").is_some_and(|long| long == "1") { cases * 10 } else { cases }
}

/// So many bodies out of these, with up to four faults in their bytes, through the readers.
pub fn with_spoiled_bytes(bodies: &[Value], cases: usize, mut readers: impl FnMut(&[u8], &mut Tally)) {
    let mut rng = Rng(0x005e_edd0_ffe1);
    let bodies: Vec<Vec<u8>> = bodies.iter().map(|body| serde_json::to_vec(body).unwrap()).collect();
    let mut tally = Tally::default();
    for _ in 0..so_many(cases) {
        let mut body = bodies[rng.below(bodies.len())].clone();
        for _ in 0..=rng.below(3) {
            if !body.is_empty() {
                rng.spoil(&mut body);
            }
        }
        readers(&body, &mut tally);
    }
    tally.has_both_of(cases);
}

/// So many bodies out of these, with up to three strange values in their fields, through the readers.
pub fn with_strange_values(bodies: &[Value], cases: usize, mut readers: impl FnMut(&[u8], &mut Tally)) {
    let strange = [
        json!(null),
        json!(-1),
        json!(99_999_999_999_u64),
        json!(1e300),
        json!(""),
        json!("-0.00"),
        json!("99999999999999.99"),
        json!("-79228162514264337593543950335"),
        json!("79228162514264337593543950336"),
        json!("0.0000000000000000000000000001"),
        json!("+262142-12-31T23:59:59"),
        json!("2026-03-29T02:30:00"),
        json!("+262142-12-31T23:59:59Z"),
        json!("-262143-01-01T00:00:00Z"),
        json!("2026-03-29T02:30:00+99:99"),
        json!("P4294967295DT4294967295H"),
        json!("JPY"),
        json!("XAU"),
        json!({}),
        json!([]),
        json!(true),
    ];
    let mut rng = Rng(0x005e_edd0_ffe2);
    let mut tally = Tally::default();
    for _ in 0..so_many(cases) {
        let mut body = bodies[rng.below(bodies.len())].clone();
        let mut places = Vec::new();
        leaves(&mut body, &mut places);
        for _ in 0..=rng.below(2) {
            let place = rng.below(places.len());
            *places[place] = strange[rng.below(strange.len())].clone();
        }
        readers(&serde_json::to_vec(&body).unwrap(), &mut tally);
    }
    tally.has_both_of(cases);
}

/// What a part may become: of another kind, or of its own kind and yet no such thing.
pub fn strange_parts() -> [Value; 6] {
    [json!(null), json!({ "strange": [] }), json!([[]]), json!(-1.5), json!("?"), json!(true)]
}

/// Those of them that are of another kind than this part, and a text that is none of its texts.
pub fn strange_parts_of(part: &Value) -> Vec<Value> {
    let is_another = |strange: &Value| {
        !matches!((strange, part), (Value::Bool(_), Value::Bool(_)) | (Value::Number(_), Value::Number(_)))
    };
    strange_parts().into_iter().filter(is_another).collect()
}

/// Where each part of it stands, of whatever size, as JSON pointers.
pub fn parts_of(value: &Value) -> Vec<String> {
    fn add(value: &Value, place: &str, found: &mut Vec<String>) {
        let within: Vec<(String, &Value)> = match value {
            Value::Array(items) => {
                (0..).zip(items).map(|(place, item): (usize, _)| (place.to_string(), item)).collect()
            }
            Value::Object(members) => {
                let name = |name: &String| name.replace('~', "~0").replace('/', "~1");
                members.iter().map(|(key, member)| (name(key), member)).collect()
            }
            _ => Vec::new(),
        };
        for (name, part) in within {
            let place = format!("{place}/{name}");
            add(part, &place, found);
            found.push(place);
        }
    }
    let mut found = Vec::new();
    add(value, "", &mut found);
    found
}

pub fn with_part(value: &Value, place: &str, part: &Value) -> Value {
    let mut spoiled = value.clone();
    *spoiled.pointer_mut(place).unwrap() = part.clone();
    spoiled
}

/// Every value in it that holds no others.
fn leaves<'a>(value: &'a mut Value, found: &mut Vec<&'a mut Value>) {
    if value.as_array().is_some_and(|items| !items.is_empty()) {
        value.as_array_mut().into_iter().flatten().for_each(|item| leaves(item, found));
    } else if value.as_object().is_some_and(|fields| !fields.is_empty()) {
        value.as_object_mut().into_iter().flatten().for_each(|(_, item)| leaves(item, found));
    } else {
        found.push(value);
    }
}
