//! Members of objects and the order of lists: what is missing, what is more, and what stands elsewhere.

use serde_json::{Map, Value, json};

use crate::rng::Rng;
use crate::walk::ends_as;
use crate::wire_format::Words;

/// How an optional member says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nothing {
    Null,
    Absent,
    Empty,
}

/// Optional members of every object that say nothing any more.
pub(crate) fn left_out(value: &mut Value, words: &Words, nothing: Nothing, path: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| left_out(item, words, nothing, path)),
        Value::Object(members) => {
            let names: Vec<String> = members.keys().cloned().collect();
            for name in names {
                path.push(name.clone());
                match members.get_mut(&name) {
                    Some(member) if ends_as(path, &words.optional) => match nothing {
                        Nothing::Absent => drop(members.remove(&name)),
                        Nothing::Null => *member = Value::Null,
                        Nothing::Empty => empty(member),
                    },
                    Some(member) => left_out(member, words, nothing, path),
                    None => {}
                }
                path.pop();
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn empty(member: &mut Value) {
    match member {
        Value::String(text) => text.clear(),
        Value::Array(items) => items.clear(),
        // An object without its members, a number or a flag is no form of nothing that anybody sends.
        Value::Object(_) | Value::Number(_) | Value::Bool(_) | Value::Null => *member = Value::Null,
    }
}

/// Every object but those that list something by name says more than anybody knows.
pub(crate) fn say_more(value: &mut Value, words: &Words, path: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| say_more(item, words, path)),
        Value::Object(members) => {
            for (name, member) in members.iter_mut() {
                path.push(name.clone());
                say_more(member, words, path);
                path.pop();
            }
            if !ends_as(path, &words.maps) {
                members.insert("_links".to_owned(), json!({ "self": { "href": "/v9/odd" } }));
                members.insert("newSince2027".to_owned(), json!([null, 1, "2", { "amount": "1e400" }]));
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Members that stand under a second name, or further out, too. One that is there already stays.
pub(crate) fn doubled(value: &mut Value, words: &Words) {
    let mut outer: Vec<Map<String, Value>> = Vec::new();
    double(value, words, &mut Vec::new(), &mut outer);
}

fn double(value: &mut Value, words: &Words, path: &mut Vec<String>, outer: &mut Vec<Map<String, Value>>) {
    match value {
        Value::Array(items) => {
            for item in items {
                double(item, words, path, outer);
            }
        }
        Value::Object(members) => {
            outer.push(Map::new());
            for (name, member) in members.iter_mut() {
                path.push(name.clone());
                let rows = words.doubled.iter().filter(|(from, ..)| ends_as(path, &[*from]));
                for (_, out, second) in rows {
                    let place = outer.len().checked_sub(1 + out);
                    if let Some(more) = place.and_then(|place| outer.get_mut(place)) {
                        more.insert((*second).to_owned(), member.clone());
                    }
                }
                double(member, words, path, outer);
                path.pop();
            }
            for (name, member) in outer.pop().unwrap_or_default() {
                members.entry(name).or_insert(member);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Lists whose order says nothing, in another one.
pub(crate) fn reordered(value: &mut Value, words: &Words, rng: &mut Rng) {
    crate::walk::each(value, &mut Vec::new(), &mut |value, path| {
        if let Value::Array(items) = value
            && ends_as(path, &words.unordered)
        {
            match items.len() {
                2 => items.reverse(),
                _ => rng.shuffle(items),
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire_format::Wire;

    #[test]
    fn optional_members_say_nothing_in_three_ways() {
        let segment =
            json!({ "sI": [{ "da": { "code": "DEL", "terminal": "3" }, "stops": 0, "msri": ["1"] }] });
        let cases = [
            (
                Nothing::Null,
                json!({ "sI": [{ "da": { "code": "DEL", "terminal": null }, "stops": null, "msri": null }] }),
            ),
            (Nothing::Absent, json!({ "sI": [{ "da": { "code": "DEL" } }] })),
            (
                Nothing::Empty,
                json!({ "sI": [{ "da": { "code": "DEL", "terminal": "" }, "stops": null, "msri": [] }] }),
            ),
        ];
        for (nothing, odd) in cases {
            let mut value = segment.clone();
            left_out(&mut value, Wire::Tripjack.words(), nothing, &mut Vec::new());
            assert_eq!(value, odd);
        }
    }

    #[test]
    fn what_lists_by_name_lists_nothing_more() {
        let mut value = json!({ "fd": { "ADULT": { "fC": { "TF": 1 } } } });
        say_more(&mut value, Wire::Tripjack.words(), &mut Vec::new());
        assert_eq!(value["fd"].as_object().unwrap().len(), 1);
        assert_eq!(value["fd"]["ADULT"]["fC"], json!({ "TF": 1 }));
        assert!(value["fd"]["ADULT"]["_links"].is_object() && value["_links"].is_object());
    }

    #[test]
    fn a_member_stands_in_a_second_place() {
        let mut value =
            json!({ "booking": { "hotel": { "totalNet": "1.00", "currency": "EUR" }, "currency": "GBP" } });
        doubled(&mut value, Wire::Hotelbeds.words());
        assert_eq!(value["booking"]["totalNet"], "1.00");
        assert_eq!(value["booking"]["currency"], "GBP");
    }
}
