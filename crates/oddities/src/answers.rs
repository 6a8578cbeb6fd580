//! An answer, and the requests that follow it, between socket and reader.

use serde_json::{Map, Value};

use crate::members;
use crate::place::Wrapping;
use crate::rng::Rng;
use crate::table::{AnswerOddity, Change};
use crate::walk::{each, ends_as};
use crate::wire_format::{Wire, Words};
use crate::writing::Style;

/// The answer with these oddities. One that is neither JSON nor a stream of events with JSON stays as it is.
pub fn odd_answer(body: &[u8], wire: Wire, oddities: &[&AnswerOddity], seed: u64) -> Vec<u8> {
    let mut rng = Rng::of(seed);
    let mut style = Style::default();
    for oddity in oddities {
        if let Change::Style(more) = oddity.change {
            style = style.and(more);
        }
    }
    let odd = match serde_json::from_slice::<Value>(body) {
        Ok(value) => style.write(&odd_value(value, wire, oddities, &mut rng)),
        Err(_) => match odd_events(body, wire, oddities, style, &mut rng) {
            Some(events) => events,
            None => return body.to_vec(),
        },
    };
    let mut odd = odd.into_bytes();
    let is = |wanted: fn(&Change) -> bool| oddities.iter().any(|oddity| wanted(&oddity.change));
    if is(|change| matches!(change, Change::Bytes(Wrapping::Blanks))) {
        odd = [b"\r\n \t".as_slice(), &odd, b" \n\r\n"].concat();
    }
    if is(|change| matches!(change, Change::Bytes(Wrapping::ByteOrderMark))) {
        odd = ["\u{feff}".as_bytes(), &odd].concat();
    }
    odd
}

/// Each event's JSON is changed by itself. Line ends within it would end it.
fn odd_events(
    body: &[u8],
    wire: Wire,
    oddities: &[&AnswerOddity],
    style: Style,
    rng: &mut Rng,
) -> Option<String> {
    let text = std::str::from_utf8(body).ok()?;
    let is_stream = text.starts_with("data:") || text.starts_with("event:");
    if !is_stream {
        return None;
    }
    let end = if style.between.is_empty() { "\n" } else { "\r\n" };
    let within = Style { between: if style.between.is_empty() { "" } else { " " }, ..style };
    let mut odd = String::with_capacity(text.len());
    for line in text.lines() {
        let value = line.strip_prefix("data:").map(serde_json::from_str::<Value>);
        match value {
            Some(Ok(value)) => {
                odd.push_str("data: ");
                odd.push_str(&within.write(&odd_value(value, wire, oddities, rng)));
            }
            Some(Err(_)) | None => odd.push_str(line),
        }
        odd.push_str(end);
    }
    Some(odd)
}

fn odd_value(mut value: Value, wire: Wire, oddities: &[&AnswerOddity], rng: &mut Rng) -> Value {
    let words = wire.words();
    for oddity in oddities {
        match &oddity.change {
            Change::Value(place, change) => {
                let places = place.of(words);
                each(&mut value, &mut Vec::new(), &mut |value, path| {
                    if ends_as(path, places)
                        && let Some(odd) = change(value)
                    {
                        *value = odd;
                    }
                });
            }
            Change::Text(place, change) => {
                let places = place.of(words);
                each(&mut value, &mut Vec::new(), &mut |value, path| {
                    if let Value::String(text) = value
                        && ends_as(path, places)
                        && !ends_as(path, &words.keys)
                        && let Some(odd) = change(text)
                    {
                        *text = odd;
                    }
                });
            }
            Change::Name(change) => each(&mut value, &mut Vec::new(), &mut |value, path| {
                let row = words.people.iter().find(|(of, ..)| ends_as(path, &[*of]));
                if let (Value::Object(person), Some((_, given, family))) = (value, row) {
                    rename(person, (*given, *family), *change);
                }
            }),
            Change::LeftOut(nothing) => members::left_out(&mut value, words, *nothing, &mut Vec::new()),
            Change::Unknown => members::say_more(&mut value, words, &mut Vec::new()),
            Change::Doubled => members::doubled(&mut value, words),
            Change::Reordered => members::reordered(&mut value, words, rng),
            Change::Keys => odd_keys(&mut value, words),
            Change::Style(_) | Change::Bytes(_) => {}
        }
    }
    value
}

fn rename(
    person: &mut Map<String, Value>,
    (given, family): (&str, &str),
    change: fn(&crate::names::Name, &str) -> Option<crate::names::Name>,
) {
    let text = |name: &str| person.get(name).and_then(Value::as_str).map(str::to_owned);
    let (Some(given_name), Some(family_name)) = (text(given), text(family)) else { return };
    let title = text("title").or_else(|| text("ti")).unwrap_or_default();
    if let Some((odd_given, odd_family)) = change(&(given_name, family_name), &title) {
        person.insert(given.to_owned(), odd_given.into());
        person.insert(family.to_owned(), odd_family.into());
    }
}

const ODD_END: &str = "&amp;Ab c";
/// Behind one that goes into a path: an id of other letters than its supplier's is not sent there, so that none leads elsewhere.
const PATH_END: &str = "-Odd_End-0";

fn odd_keys(value: &mut Value, words: &Words) {
    each(value, &mut Vec::new(), &mut |value, path| match value {
        Value::String(key) if ends_as(path, &words.keys) && !key.is_empty() => {
            let goes_into_a_path = ends_as(path, &words.path_keys);
            key.push_str(if goes_into_a_path { PATH_END } else { ODD_END });
        }
        Value::Object(members) if ends_as(path, &words.keyed) => {
            let own = std::mem::take(members);
            members.extend(own.into_iter().map(|(key, member)| (key + ODD_END, member)));
        }
        _ => {}
    });
}

/// The key as [`crate::KEYS`] makes it look.
pub fn odd_key(key: &str) -> String {
    format!("{key}{ODD_END}")
}

/// A request's target or body in which [`crate::KEYS`] is taken back from keys that came back byte by byte. A key that was
/// changed on its way stays as it came.
pub fn own_keys(request: &str) -> String {
    let mut own = request.to_owned();
    // As JSON has it, as a target has it in its path, and in its query.
    for end in [ODD_END, PATH_END, "&amp;Ab%20c", "%26amp;Ab%20c", "%26amp%3BAb%20c", "%26amp%3BAb+c"] {
        own = own.replace(end, "");
    }
    own
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{ANSWERS, KEYS, named};

    fn odd(value: &Value, wire: Wire, name: &str) -> String {
        let row = named(name).unwrap();
        String::from_utf8(odd_answer(value.to_string().as_bytes(), wire, &[row], 1)).unwrap()
    }

    #[test]
    fn keys_are_left_alone_by_every_row_but_one() {
        let answer = json!({ "data": [
            { "id": "off_1 A&b", "total_amount": "20.00", "owner": { "iata_code": "BA", "name": "Q & A" } },
            { "id": "off_2", "passengers": [{ "id": "pas_1", "given_name": "José", "family_name": "Rao" }] },
        ] });
        let keys = ["off_1 A&b", "off_2", "pas_1"];
        for row in ANSWERS {
            let odd = odd_answer(answer.to_string().as_bytes(), Wire::Duffel, &[row], 1);
            let odd = String::from_utf8(odd).unwrap();
            for key in keys {
                assert!(odd.contains(&format!("\"{key}\"")), "{}: {odd}", row.name);
            }
        }
        let odd = odd_answer(answer.to_string().as_bytes(), Wire::Duffel, &[&KEYS], 1);
        let odd = String::from_utf8(odd).unwrap();
        assert!(odd.contains("off_1 A&b-Odd_End-0") && odd.contains("pas_1&amp;Ab c"), "{odd}");
        assert_eq!(own_keys(&odd), answer.to_string());
    }

    #[test]
    fn keys_that_came_back_in_a_target_are_what_they_were() {
        for (target, own) in [
            ("/air/offers/off_1&amp;Ab%20c?x=1", "/air/offers/off_1?x=1"),
            ("/air/offers/off_1%26amp%3BAb%20c", "/air/offers/off_1"),
            ("/air/seat_maps?offer_id=off_1%26amp%3BAb+c", "/air/seat_maps?offer_id=off_1"),
            ("/air/offers/off_1&Ab%20c", "/air/offers/off_1&Ab%20c"),
        ] {
            assert_eq!(own_keys(target), own);
        }
    }

    #[test]
    fn a_stream_stays_a_stream() {
        let stream = "data: {\"rates\":[{\"hotelId\":\"lp1\",\"roomTypes\":[]}]}\n\ndata: [DONE]\n\n";
        for row in ANSWERS {
            let odd = odd_answer(stream.as_bytes(), Wire::Liteapi, &[row], 1);
            let odd = String::from_utf8(odd).unwrap();
            let data: Vec<&str> = odd
                .trim_start_matches('\u{feff}')
                .trim()
                .lines()
                .filter_map(|line| line.strip_prefix("data: "))
                .collect();
            assert_eq!(data.len(), 2, "{}: {odd}", row.name);
            assert_eq!(data[1], "[DONE]");
            assert_eq!(serde_json::from_str::<Value>(data[0]).unwrap()["rates"][0]["hotelId"], "lp1");
        }
    }

    #[test]
    fn people_codes_times_and_texts_are_found_by_their_places() {
        let order = json!({ "order": { "bookingId": "TJ1", "status": "SUCCESS", "amount": 10 }, "itemInfos": { "AIR": {
            "travellerInfos": [{ "ti": "Mrs", "fN": "Siobhán", "lN": "O’Brien-Smith" }],
            "tripInfos": [{ "sI": [{ "id": "5", "fD": { "fN": "117", "aI": { "code": "BA" } }, "dt": "2027-02-10T06:30" }] }],
        } } });
        let cases = [
            ("names_in_capitals", r#""fN":"SIOBHAN","lN":"OBRIEN SMITH""#),
            ("names_with_title_behind", r#""fN":"SIOBHAN MRS""#),
            ("flight_numbers_with_zeros", r#""fN":"0117""#),
            ("codes_in_other_case", r#""code":"ba""#),
            ("words_in_other_case", r#""status":"success""#),
            ("times_with_blank", r#""dt":"2027-02-10 06:30""#),
            ("amounts_as_text", r#""amount":"10""#),
            ("members_doubled", r#""bookingId":"TJ1","itemInfos""#),
        ];
        for (name, part) in cases {
            let odd = odd(&order, Wire::Tripjack, name);
            assert!(odd.contains(part), "{name}: {odd}");
        }
    }
}
