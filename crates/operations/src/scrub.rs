//! Texts of suppliers without what they say of people: as they are stored, logged and shown to whoever may read them. This is
//! the one rule of what in a text tells of somebody.

use std::fmt;

use chrono::NaiveDate;
use serde_json::Value;
use wayfare_domain::{has_card_number, spellings};
use wayfare_reference::Telephone;

/// What stands in the place of what was taken out.
pub(crate) const REMOVED: &str = "[removed]";
/// From so many digits on a number may be somebody's: a document, a card, a telephone.
const DIGITS: usize = 6;
/// Members of people whose values are words and codes, the same for many: India's is a word of every other sentence. And what
/// is said beside an order: a sentence that names nobody by itself. Papers say by themselves what tells of somebody.
const WORDS: [&str; 7] = ["kind", "title", "gender", "airline", "country_code", "nationality", "remarks"];
/// Members of whose values a supplier may use a part: one of two names.
const NAMES: [&str; 2] = ["first_name", "last_name"];

/// How people and airlines write a day, beside the form in which it is stored.
const DAYS: [&str; 14] = [
    "%d/%m/%Y",
    "%-d/%-m/%Y",
    "%m/%d/%Y",
    "%-m/%-d/%Y",
    "%d.%m.%Y",
    "%-d.%-m.%Y",
    "%d-%m-%Y",
    "%Y/%m/%d",
    "%-d %b %Y",
    "%-d %B %Y",
    "%b %-d, %Y",
    "%B %-d, %Y",
    "%d-%b-%Y",
    "%d%b%y",
];

/// People, by what a text could name them.
#[derive(Clone, Default)]
pub(crate) struct NamedPeople(Vec<String>);

impl fmt::Debug for NamedPeople {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NamedPeople({})", self.0.len())
    }
}

impl NamedPeople {
    /// Those of whom this is stored or was sent.
    pub fn of<'a>(people: impl IntoIterator<Item = &'a Value>) -> Self {
        let mut values = Vec::new();
        for person in people {
            collect(person, false, &mut values);
        }
        // The longest first: a short name may be a part of a longer one.
        values.sort_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
        values.dedup();
        Self(values)
    }

    /// Whether nobody is known by anything.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text without these people's values, e-mail addresses and long numbers.
    pub fn scrub(&self, text: &str) -> String {
        let text = self.without_values(text);
        let mut before = "";
        let mut kept = String::with_capacity(text.len());
        for word in text.split_inclusive(char::is_whitespace) {
            match names_a_record(before) && !has_card_number(word) && !word.contains(REMOVED) {
                true => kept += word,
                false => kept += &without_numbers(&without_address(word)),
            }
            before = word;
        }
        kept
    }

    /// The text without these people's values and without e-mail addresses; numbers that are nobody's of them stay.
    pub fn scrub_people(&self, text: &str) -> String {
        let text = self.without_values(text);
        let words = text.split_inclusive(char::is_whitespace);
        words.map(without_address).collect()
    }

    /// The text without their values, however names are spelled and numbers are grouped.
    fn without_values(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for value in &self.0 {
            text = without(&text, value);
            text = without_grouped(&text, value);
        }
        without_respelt(&text, &self.0)
    }

    /// Whether the text says something of them, or has an address or a long number.
    pub fn are_in(&self, text: &str) -> bool {
        self.scrub(text) != text
    }
}

/// Every text of a value, in lower case, and of names each part; words of ours and single characters are none.
fn collect(value: &Value, is_name: bool, values: &mut Vec<String>) {
    let mut add = |text: &str| {
        let text = text.trim();
        if text.chars().nth(1).is_some() {
            values.push(text.to_lowercase());
        }
    };
    match value {
        Value::String(text) => {
            add(text);
            if let Ok(day) = text.parse::<NaiveDate>() {
                DAYS.iter().for_each(|form| add(&day.format(form).to_string()));
            }
            // A note has it as it is dialled at home.
            if text.starts_with('+')
                && let Ok(telephone) = Telephone::read(text, "")
            {
                add(telephone.national());
            }
            if is_name {
                text.split(|c: char| !c.is_alphanumeric()).for_each(&mut add);
                // As an airline may spell it.
                spellings(text).iter().for_each(|spelling| add(spelling));
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, is_name, values)),
        Value::Object(members) => {
            let of_people = members.iter().filter(|(name, _)| !WORDS.contains(&name.as_str()));
            of_people.for_each(|(name, member)| collect(member, NAMES.contains(&name.as_str()), values));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The text with each whole word, or words, that are this value taken out, in any case.
fn without(text: &str, value: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((start, end)) = find(rest, value) {
        let (before, after) = (rest.get(..start).unwrap_or_default(), rest.get(end..).unwrap_or_default());
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

/// The text without words that spell a name of these values with other accents or apostrophes.
fn without_respelt(text: &str, values: &[String]) -> String {
    let is_of_word =
        |c: char| (!c.is_ascii() && !c.is_whitespace()) || c.is_ascii_alphanumeric() || c == '\'';
    let mut kept = String::with_capacity(text.len());
    for word in text.split_inclusive(|c: char| !is_of_word(c)) {
        let end = word.trim_end_matches(|c: char| !is_of_word(c)).len();
        let (name, after) = (word.get(..end).unwrap_or_default(), word.get(end..).unwrap_or_default());
        let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let is_one = !is_plain && spellings(name).iter().any(|spelling| values.contains(spelling));
        kept += if is_one { REMOVED } else { name };
        kept += after;
    }
    kept
}

/// The text without this number of somebody's, with whatever stands between its digits and letters: people write telephones and
/// passports in groups.
fn without_grouped(text: &str, value: &str) -> String {
    let wanted: Vec<char> = value.chars().filter(|c| c.is_alphanumeric()).collect();
    let is_number = wanted.len() >= DIGITS - 1 && wanted.iter().any(char::is_ascii_digit);
    if !is_number {
        return text.to_owned();
    }
    // Each letter and digit with where it begins and ends.
    let plain: Vec<(char, usize, usize)> = text
        .char_indices()
        .filter(|(_, character)| character.is_alphanumeric())
        .flat_map(|(start, character)| {
            let end = start + character.len_utf8();
            character.to_lowercase().map(move |lower| (lower, start, end))
        })
        .collect();
    let mut kept = String::with_capacity(text.len());
    let (mut from, mut place) = (0, 0);
    while let Some(found) = plain.get(place..place + wanted.len()) {
        let (Some((_, start, _)), Some((_, _, end))) = (found.first(), found.last()) else { break };
        let between = text.get(*start..*end).unwrap_or_default();
        let is_it = found.iter().map(|(lower, ..)| lower).eq(wanted.iter())
            && between
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '.' | '/' | '(' | ')' | '\u{a0}'));
        if is_it && *start >= from {
            kept += text.get(from..*start).unwrap_or_default();
            kept += REMOVED;
            from = *end;
            place += wanted.len();
        } else {
            place += 1;
        }
    }
    kept + text.get(from..).unwrap_or_default()
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

/// Whether the word after this one is a supplier's id of an order, a booking or an amendment: without it an operator has nothing to
/// ask the supplier about.
fn names_a_record(word: &str) -> bool {
    let word = word.trim_end();
    ["order", "booking", "amendment"].iter().any(|name| word.eq_ignore_ascii_case(name))
}

fn without_address(word: &str) -> String {
    let address = word.trim_end();
    let is_address =
        address.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'));
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
        match digits.chars().count() >= DIGITS {
            true => kept.push_str(REMOVED),
            false => kept.push_str(digits),
        }
        digits.clear();
    };
    for character in word.chars() {
        match character.is_numeric() {
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
        let people = NamedPeople::of([&json!({
            "travellers": [{
                "title": "Mr", "kind": "ADT", "first_name": "Li", "last_name": "O'Neil Ann", "born_on": "1990-01-02",
                "loyalty": [{"airline": "AI", "number": "FF77"}],
                "nationality": "IN", "document": {"number": "K77"},
            }],
            "contact": {"country_code": "91", "email": "li@a.example", "phone": "98123"},
        })]);
        for (text, scrubbed) in [
            ("seat 12A is gone", "seat 12A is gone"),
            ("Mr LI O'NEIL ANN (1990-01-02) is on a list", "Mr [removed] [removed] ([removed]) is on a list"),
            ("ONEIL ANN/LI, ONEILANN", "[removed]/[removed], [removed]"),
            ("ANN/LI, and NEIL", "[removed]/[removed], and [removed]"),
            ("the annulled alliance", "the annulled alliance"),
            ("call 98123, or x@y.example", "call [removed], or [removed]"),
            ("number Z1234567 and 12345", "number Z[removed] and 12345"),
            ("number \u{967}\u{968}\u{969}\u{96a}\u{96b}\u{96c}", "number [removed]"),
            ("FF77/AI", "[removed]/AI"),
            // An id is nobody's number, but somebody's number behind that word is.
            ("the supplier told of order TJS101200001234", "the supplier told of order TJS101200001234"),
            ("order 209123456: gone", "order 209123456: gone"),
            ("Order 4111111111111111", "Order [removed]"),
            ("order 98123", "order [removed]"),
            ("of order number 209123456", "of order number [removed]"),
            ("call +91 98-12 3 today", "call +91 [removed] today"),
            ("sold out in AI's cabin", "sold out in AI's cabin"),
            ("\u{c4}\u{d6} li", "\u{c4}\u{d6} [removed]"),
            ("", ""),
        ] {
            assert_eq!(people.scrub(text), scrubbed, "{text}");
            assert_eq!(people.are_in(text), scrubbed != text, "{text}");
        }
        assert_eq!(NamedPeople::default().scrub("pay @ once"), "pay @ once");
    }

    #[test]
    fn a_birth_date_is_taken_out_however_it_is_written() {
        let people = NamedPeople::of([&json!({ "travellers": [{ "born_on": "1987-06-05" }] })]);
        for note in [
            "1987-06-05",
            "05/06/1987",
            "5/6/1987",
            "06/05/1987",
            "05.06.1987",
            "5.6.1987",
            "05-06-1987",
            "1987/06/05",
            "5 Jun 1987",
            "5 June 1987",
            "JUN 5, 1987",
            "June 5, 1987",
            "05-JUN-1987",
            "05JUN87",
        ] {
            let scrubbed = people.scrub_people(&format!("born {note}, flies 05/06/2027"));
            assert_eq!(scrubbed, "born [removed], flies 05/06/2027", "{note}");
        }
    }

    #[test]
    fn a_telephone_is_taken_out_as_it_is_dialled_at_home_and_from_abroad() {
        for (stored, notes) in [
            ("+919812345678", ["98123 45678", "+91 98123-45678"]),
            ("+33612345678", ["6 12 34 56 78", "0033 6 12 34 56 78"]),
        ] {
            let people = NamedPeople::of([&json!({ "contact": { "phone": stored } })]);
            for note in notes {
                let scrubbed = people.scrub_people(&format!("called {note} at noon"));
                assert!(scrubbed.contains(REMOVED) && !scrubbed.contains("45678"), "{scrubbed}");
                assert!(!scrubbed.contains("56 78"), "{scrubbed}");
            }
        }
    }

    #[test]
    fn a_note_keeps_the_numbers_that_are_nobodys() {
        let people = NamedPeople::of([&json!({
            "first_name": "Mira", "last_name": "Sharma",
            "contact": {"phone": "9812345678"}, "document": {"number": "Z1234567"},
        })]);
        for (text, scrubbed) in [
            (
                "credit note 4711-220033, ticket 589-1234567890 of 2027-02-10",
                "credit note 4711-220033, ticket 589-1234567890 of 2027-02-10",
            ),
            ("Mira called from (98123) 456-78", "[removed] called from ([removed]"),
            ("passport z 123 4567, mira@x.example", "passport [removed], [removed]"),
            ("Z1234567Z1234567", "[removed][removed]"),
            ("M\u{ed}ra, SH\u{c1}RMA and Sh'arma", "[removed], [removed] and [removed]"),
            ("Mir\u{e1}culous caf\u{e9}", "Mir\u{e1}culous caf\u{e9}"),
            ("", ""),
        ] {
            assert_eq!(people.scrub_people(text), scrubbed, "{text}");
        }
    }

    #[test]
    fn a_log_line_has_nobody_in_it() {
        let people = NamedPeople::of([&json!({ "first_name": "Mira", "last_name": "Sharma" })]);
        let text = "Sharma, passport 1234567, mira@example.com: refused in 90 minutes";
        let line = "[removed], passport [removed], [removed] refused in 90 minutes";
        assert_eq!(people.scrub(text), line);
        assert_eq!(format!("{people:?}"), "NamedPeople(2)");
    }
}
