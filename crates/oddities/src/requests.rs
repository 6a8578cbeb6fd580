//! What is odd about requests to the API: names, telephones, places, codes, dates and bodies as people and programs send them.

use serde_json::{Value, json};

use crate::rng::Rng;
use crate::walk::{each, ends_as};
use crate::writing::Style;

/// One way in which requests are odd.
#[derive(Debug)]
pub struct RequestOddity {
    pub name: &'static str,
    pub source: &'static str,
    change: Change,
}

#[derive(Debug)]
enum Change {
    Text(&'static [&'static str], fn(&str) -> Option<String>),
    Body(fn(&mut Value)),
    Style(Style),
    Bytes(&'static str, &'static str),
    Header(&'static str),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OddRequest {
    pub body: Vec<u8>,
    /// Its `Content-Type`.
    pub content_type: &'static str,
}

const JSON: &str = "application/json";
const NAMES: &[&str] = &["first_name", "last_name"];
const PHONES: &[&str] = &["contact_phone", "contact.phone", "phone"];
const PLACES: &[&str] = &["slices.origin", "slices.destination"];
const CODES: &[&str] =
    &["nationality", "guest_nationality", "issuing_country", "preferred_currency", "currency", "airline_id"];
const EMAILS: &[&str] = &["contact_email", "contact.email"];
const PLAIN: Style = Style { reversed: false, between: "", escaped: false };

/// A row of the table but for its source: its name and what it does.
struct Row(&'static str, Change);

impl Row {
    const fn source(self, source: &'static str) -> RequestOddity {
        let Self(name, change) = self;
        RequestOddity { name, source, change }
    }
}

fn if_other(text: &str, odd: String) -> Option<String> {
    (odd != text).then_some(odd)
}

/// Letters with their accents as letters and marks.
fn decomposed(text: &str) -> Option<String> {
    let pairs = [
        ("á", "a\u{301}"),
        ("é", "e\u{301}"),
        ("í", "i\u{301}"),
        ("ó", "o\u{301}"),
        ("ü", "u\u{308}"),
        ("ñ", "n\u{303}"),
    ];
    let odd = pairs.iter().fold(text.to_owned(), |odd, (one, two)| odd.replace(one, two));
    if_other(text, odd)
}

/// The letters `a` and `b` of a text that has them stand for what a phone types instead.
fn with_apostrophe(text: &str, apostrophe: &str) -> Option<String> {
    if_other(text, text.replace(['\'', '’'], apostrophe))
}

pub static REQUESTS: &[RequestOddity] = &[
    Row("names_with_typographic_apostrophe", Change::Text(NAMES, |text| with_apostrophe(text, "\u{2019}")))
        .source("smart punctuation of iOS and Android"),
    Row("names_with_plain_apostrophe", Change::Text(NAMES, |text| with_apostrophe(text, "'")))
        .source("keyboards of computers"),
    Row("names_with_other_apostrophes", Change::Text(NAMES, |text| with_apostrophe(text, "\u{02bc}")))
        .source("Unicode 6.2: the preferred letter apostrophe"),
    Row("names_with_accent_for_apostrophe", Change::Text(NAMES, |text| with_apostrophe(text, "\u{00b4}")))
        .source("keyboards of Spain and Germany, which have the accent on a key"),
    Row(
        "names_with_other_hyphens",
        Change::Text(NAMES, |text| if_other(text, text.replace('-', "\u{2010}"))),
    )
    .source("Unicode's hyphen, as word processors write it"),
    Row("names_with_hard_hyphens", Change::Text(NAMES, |text| if_other(text, text.replace('-', "\u{2011}"))))
        .source("hyphens that don't break, copied from a document"),
    Row("names_with_hard_blanks", Change::Text(NAMES, |text| if_other(text, text.replace(' ', "\u{a0}"))))
        .source("blanks that don't break, copied from a page"),
    Row("names_with_two_blanks", Change::Text(NAMES, |text| if_other(text, text.replace(' ', "  "))))
        .source("people who type"),
    Row("names_with_blanks_around", Change::Text(NAMES, |text| Some(format!(" {text} "))))
        .source("completions of telephones, which end with a blank"),
    Row("names_decomposed", Change::Text(NAMES, decomposed))
        .source("Unicode NFD, as macOS and some keyboards send it"),
    Row("telephones_with_blanks", Change::Text(PHONES, |text| spread(text, " ")))
        .source("numbers as they are printed: 98765 43210"),
    Row("telephones_with_hyphens", Change::Text(PHONES, |text| spread(text, "-")))
        .source("numbers as they are printed: 98765-43210"),
    Row("telephones_with_brackets", Change::Text(PHONES, bracketed))
        .source("numbers as they are printed: (98765) 43210"),
    Row(
        "telephones_with_direction_marks",
        Change::Text(PHONES, |text| Some(format!("\u{202a}{text}\u{202c}"))),
    )
    .source("numbers copied out of the contacts of Windows and iOS"),
    Row("places_in_small_letters", Change::Text(PLACES, |text| if_other(text, text.to_lowercase())))
        .source("people who type"),
    Row("places_with_blanks", Change::Text(PLACES, |text| Some(format!(" {text} "))))
        .source("completions of telephones, which end with a blank"),
    Row("codes_in_small_letters", Change::Text(CODES, |text| if_other(text, text.to_lowercase())))
        .source("programs that store codes in small letters"),
    Row(
        "emails_in_capitals",
        Change::Text(EMAILS, |text| {
            text.split_once('@').map(|(local, host)| format!("{local}@{}", host.to_uppercase()))
        }),
    )
    .source("RFC 5321, 2.3.5: names of hosts have no case"),
    Row("emails_with_blanks", Change::Text(EMAILS, |text| Some(format!(" {text} "))))
        .source("completions of telephones, which end with a blank"),
    Row(
        "bodies_with_nulls",
        Change::Body(|body| {
            if let Value::Object(members) = body {
                members.entry("remarks").or_insert(Value::Null);
                members.entry("special_requests").or_insert(Value::Null);
            }
        }),
    )
    .source("programs that send every member of their type"),
    Row(
        "bodies_with_unknown_members",
        Change::Body(|body| {
            if let Value::Object(members) = body {
                members.insert("client_version".to_owned(), json!({ "app": "7.1", "os": [null] }));
            }
        }),
    )
    .source("programs that send what they know of themselves"),
    Row("bodies_reversed", Change::Style(Style { reversed: true, ..PLAIN }))
        .source("RFC 8259, 4: an object is not ordered"),
    Row("bodies_with_line_ends", Change::Style(Style { between: "\r\n\t", ..PLAIN }))
        .source("bodies that people write in editors on Windows"),
    Row("bodies_escaped", Change::Style(Style { escaped: true, ..PLAIN }))
        .source("RFC 8259, 7: PHP and Python write \\u00e9 and \\/"),
    Row("bodies_with_byte_order_mark", Change::Bytes("\u{feff}", ""))
        .source("RFC 8259, 8.1; .NET's and PowerShell's UTF-8 writes it"),
    Row("bodies_with_blanks_around", Change::Bytes("\r\n ", "\r\n\r\n"))
        .source("RFC 8259, 2: curl --data-binary of a file"),
    Row("bodies_with_charset", Change::Header("application/json; charset=utf-8"))
        .source("axios, Retrofit and most libraries of .NET"),
    Row("bodies_with_charset_in_capitals", Change::Header("Application/JSON;charset=\"UTF-8\""))
        .source("RFC 9110, 8.3.1: types have no case, and a parameter may be quoted"),
];

/// A number of ten digits in two halves, and a longer one without its beginning.
fn spread(number: &str, between: &str) -> Option<String> {
    let (start, end) = number.split_at_checked(number.len().checked_sub(5)?)?;
    (!start.is_empty()).then(|| format!("{start}{between}{end}"))
}

fn bracketed(number: &str) -> Option<String> {
    let (start, end) = number.split_at_checked(number.len().checked_sub(5)?)?;
    let is_plain = !start.is_empty() && start.bytes().all(|byte| byte.is_ascii_digit());
    is_plain.then(|| format!("({start}) {end}"))
}

impl RequestOddity {
    pub fn named(name: &str) -> Option<&'static Self> {
        REQUESTS.iter().find(|row| row.name == name)
    }

    /// So many different rows of [`REQUESTS`] at random.
    pub fn drawn(count: usize, rng: &mut Rng) -> Vec<&'static Self> {
        let mut rows: Vec<&Self> = REQUESTS.iter().collect();
        rng.shuffle(&mut rows);
        rows.truncate(count);
        rows
    }
}

impl OddRequest {
    /// The request with this body and these oddities.
    pub fn of(body: &Value, oddities: &[&RequestOddity]) -> Self {
        let mut body = body.clone();
        let mut style = Style::default();
        let (mut before, mut behind) = ("", "");
        let mut content_type = JSON;
        for oddity in oddities {
            match oddity.change {
                Change::Text(places, change) => {
                    each(&mut body, &mut Vec::new(), &mut |value, path| {
                        if let Value::String(text) = value
                            && ends_as(path, places)
                            && let Some(odd) = change(text)
                        {
                            *text = odd;
                        }
                    });
                }
                Change::Body(change) => change(&mut body),
                Change::Style(more) => style = style.and(more),
                Change::Bytes(first, last) => (before, behind) = (first, last),
                Change::Header(of_it) => content_type = of_it,
            }
        }
        Self { body: format!("{before}{}{behind}", style.write(&body)).into_bytes(), content_type }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body_with(name: &str) -> String {
        let body = json!({
            "passengers": [{ "first_name": "Siobhán", "last_name": "O'Brien-Smith" }],
            "contact_phone": "9876543210", "contact_email": "desk@sunrise.example",
            "slices": [{ "origin": "DEL", "destination": "BOM" }],
        });
        let row = RequestOddity::named(name).unwrap();
        String::from_utf8(OddRequest::of(&body, &[row]).body).unwrap()
    }

    #[test]
    fn requests_are_written_as_people_and_programs_write_them() {
        let cases = [
            ("names_with_typographic_apostrophe", "O’Brien-Smith"),
            ("names_with_other_hyphens", "O'Brien\u{2010}Smith"),
            ("names_decomposed", "Siobha\u{301}n"),
            ("telephones_with_blanks", "98765 43210"),
            ("telephones_with_brackets", "(98765) 43210"),
            ("places_in_small_letters", "\"origin\":\"del\""),
            ("emails_in_capitals", "desk@SUNRISE.EXAMPLE"),
            ("bodies_with_byte_order_mark", "\u{feff}{"),
            ("bodies_escaped", "Siobh\\u00e1n"),
        ];
        for (name, part) in cases {
            let body = body_with(name);
            assert!(body.contains(part), "{name}: {body}");
        }
    }
}
