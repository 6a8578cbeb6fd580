//! Texts of suppliers as they are stored where everybody may read them: without what they say of people.

use serde_json::Value;

/// What stands in the place of what was taken out.
const REMOVED: &str = "[removed]";
/// From so many digits on a number may be somebody's.
const DIGITS: usize = 6;
/// Members whose values name nobody: words of ours, the same for many people, and what is said beside an order, of which
/// only the names are taken out.
const WORDS: [&str; 5] = ["kind", "title", "gender", "type", "remarks"];

/// The text without these people's values, e-mail addresses and long numbers.
pub(crate) fn scrub(text: &str, people: &[&Value]) -> String {
    let mut values = Vec::new();
    for person in people {
        collect(person, &mut values);
    }
    // The longest first: a short name may be a part of a longer one.
    values.sort_by_key(|value| std::cmp::Reverse(value.len()));
    let mut text = text.to_owned();
    for value in &values {
        text = without(&text, value);
    }
    let words = text.split_inclusive(char::is_whitespace);
    words
        .map(without_address)
        .map(|word| without_numbers(&word))
        .collect()
}

/// Every text of a value, in lower case; words of ours and single characters are none.
fn collect(value: &Value, values: &mut Vec<String>) {
    match value {
        Value::String(text) if text.trim().chars().count() > 1 => values.push(text.trim().to_lowercase()),
        Value::Array(items) => items.iter().for_each(|item| collect(item, values)),
        Value::Object(members) => {
            let of_people = members.iter().filter(|(name, _)| !WORDS.contains(&name.as_str()));
            of_people.for_each(|(_, member)| collect(member, values));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The text with each whole word, or words, that are this value taken out, in any case.
fn without(text: &str, value: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((start, end)) = find(rest, value) {
        let (before, after) = (
            rest.get(..start).unwrap_or_default(),
            rest.get(end..).unwrap_or_default(),
        );
        let is_word = !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric);
        match is_word {
            true => {
                kept += before;
                kept += REMOVED;
            }
            false => kept += rest.get(..end).unwrap_or_default(),
        }
        rest = after;
    }
    kept + rest
}

/// Where this value, which is in lower case, stands in a text of any case.
fn find(text: &str, value: &str) -> Option<(usize, usize)> {
    text.char_indices().find_map(|(start, _)| {
        let mut wanted = value.chars();
        let mut next = wanted.next();
        for (at, character) in text.get(start..)?.char_indices() {
            for lower in character.to_lowercase() {
                if next != Some(lower) {
                    return None;
                }
                next = wanted.next();
            }
            if next.is_none() {
                return Some((start, start + at + character.len_utf8()));
            }
        }
        None
    })
}

fn without_address(word: &str) -> String {
    let address = word.trim_end();
    let is_address = address
        .split_once('@')
        .is_some_and(|(name, host)| !name.is_empty() && host.contains('.'));
    match is_address {
        true => format!("{REMOVED}{}", word.get(address.len()..).unwrap_or_default()),
        false => word.to_owned(),
    }
}

/// The word without its long numbers. A digit beside a letter counts as well: numbers of passports have letters.
fn without_numbers(word: &str) -> String {
    let mut kept = String::new();
    let mut digits = String::new();
    let flush = |digits: &mut String, kept: &mut String| {
        match digits.len() >= DIGITS {
            true => kept.push_str(REMOVED),
            false => kept.push_str(digits),
        }
        digits.clear();
    };
    for character in word.chars() {
        match character.is_ascii_digit() {
            true => digits.push(character),
            false => {
                flush(&mut digits, &mut kept);
                kept.push(character);
            }
        }
    }
    flush(&mut digits, &mut kept);
    kept
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_text_loses_what_it_says_of_people_and_nothing_else() {
        let people = json!({
            "travellers": [{
                "title": "Mr", "kind": "ADT", "first_name": "Li", "last_name": "O'Neil Ann", "born_on": "1990-01-02",
                "loyalty": [{"airline": "AI", "number": "FF77"}],
            }],
            "contact": {"email": "li@a.example", "phone": "98123"},
        });
        for (text, scrubbed) in [
            ("seat 12A is gone", "seat 12A is gone"),
            (
                "Mr LI O'NEIL ANN (1990-01-02) is on a list",
                "Mr [removed] [removed] ([removed]) is on a list",
            ),
            ("the annulled alliance", "the annulled alliance"),
            ("call 98123, or x@y.example", "call [removed], or [removed]"),
            ("number Z1234567 and 12345", "number Z[removed] and 12345"),
            ("FF77/AI", "[removed]/[removed]"),
            ("ÄÖ li", "ÄÖ [removed]"),
            ("", ""),
        ] {
            assert_eq!(scrub(text, &[&people]), scrubbed, "{text}");
        }
        assert_eq!(scrub("pay @ once", &[]), "pay @ once");
    }
}
