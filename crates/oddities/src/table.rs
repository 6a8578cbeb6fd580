//! The table of what is odd about answers: each row's name, what it does, and who sends such a thing.

use serde_json::Value;

use crate::members::Nothing;
use crate::names::{self, Name};
use crate::place::{Place, Wrapping};
use crate::rng::Rng;
use crate::writing::Style;
use crate::{amounts, texts, times};

/// One way in which answers are odd.
#[derive(Debug)]
pub struct AnswerOddity {
    /// What reports and the sandbox call it.
    pub name: &'static str,
    /// Who sends such a thing: a recorded answer, a report, a supplier's document.
    pub source: &'static str,
    pub(crate) change: Change,
}

#[derive(Debug)]
pub(crate) enum Change {
    Value(Place, fn(&Value) -> Option<Value>),
    Text(Place, fn(&str) -> Option<String>),
    Name(fn(&Name, &str) -> Option<Name>),
    LeftOut(Nothing),
    Unknown,
    Doubled,
    Reordered,
    Keys,
    Style(Style),
    Bytes(Wrapping),
}
use Change::{Bytes, Doubled, Keys, LeftOut, Reordered, Style as Written, Text, Unknown, Value as Scalar};

/// A row of the table but for its source: its name and what it does.
struct Row(&'static str, Change);

impl Row {
    const fn source(self, source: &'static str) -> AnswerOddity {
        let Self(name, change) = self;
        AnswerOddity { name, source, change }
    }
}

const PLAIN: Style = Style { reversed: false, between: "", escaped: false };

/// What changes answers and nothing that goes back to a supplier.
pub static ANSWERS: &[AnswerOddity] = &[
    Row("names_in_capitals", Change::Name(|name, _| names::in_capitals(name))).source(
        "IATA reservations manual: A to Z and blanks; reports of ONEIL SMITH and JOSE in booking \
         details",
    ),
    Row("names_as_in_passports", Change::Name(|name, _| names::as_in_passports(name)))
        .source("ICAO 9303, part 3: Ü is UE, Å is AA; reports of MUELLER"),
    Row("names_with_title_behind", Change::Name(names::with_title))
        .source("passenger name records of Amadeus and Sabre: DARCY MR"),
    Row("names_with_title_joined", Change::Name(names::with_title_joined))
        .source("itinerary receipts of airlines: DARCYMR"),
    Row("names_joined", Change::Name(|name, _| names::joined(name)))
        .source("reports of ANNEMARIE for Anne-Marie"),
    Row("names_cut", Change::Name(|name, _| names::cut(name)))
        .source("reports of names cut off at 24 letters"),
    Row("names_exchanged", Change::Name(|name, _| names::exchanged(name)))
        .source("reports of airlines that write family names first"),
    Row("names_first_unknown", Change::Name(|name, _| names::with_unknown_first(name)))
        .source("IATA resolution 766: FNU where a passport has one name"),
    Row("amounts_as_text", Scalar(Place::Amounts, amounts::as_text))
        .source("recorded: Hotelbeds' net, LiteAPI's sellingPrice and retail_rate"),
    Row("amounts_as_numbers", Scalar(Place::Amounts, amounts::as_number))
        .source("recorded: Hotelbeds' totalNet of a booking beside the hotel's, which is a text"),
    Row("amounts_with_noise", Scalar(Place::Amounts, amounts::with_noise)).source(
        "recorded: LiteAPI's client_commission 58.995000000000005; reports of TripJack's TF \
         5267.660000000001",
    ),
    Row("amounts_with_noise_below", Scalar(Place::Amounts, amounts::with_noise_below))
        .source("sums of binary floats: 0.1 + 0.7 is 0.7999999999999999"),
    Row("amounts_with_exponent", Scalar(Place::Amounts, amounts::with_exponent))
        .source("RFC 8259, 6: Java and Go write large and small numbers so"),
    Row("amounts_with_more_zeros", Scalar(Place::Amounts, amounts::with_more_zeros))
        .source("recorded: Hotelbeds' 42.98302410000000000000"),
    Row("amounts_without_zeros", Scalar(Place::Amounts, amounts::without_zeros))
        .source("recorded: LiteAPI's price 115"),
    Row("optional_null", LeftOut(Nothing::Null))
        .source("recorded: Hotelbeds' offers, Duffel's terminals, LiteAPI's cancelledAt"),
    Row("optional_absent", LeftOut(Nothing::Absent))
        .source("recorded: TripJack's terminal, stops and bI of infants"),
    Row("optional_empty", LeftOut(Nothing::Empty))
        .source("recorded: LiteAPI's remarks and hotelRemarks, TripJack's msri and messages"),
    Row("members_reversed", Written(Style { reversed: true, ..PLAIN }))
        .source("RFC 8259, 4: an object is not ordered; recorded: TripJack's fares begin with INFANT"),
    Row("members_doubled", Doubled).source(
        "recorded: Duffel's departure_datetime beside departing_at, Hotelbeds' totalNet of hotel \
         and booking, LiteAPI's policies of room and booking; two readings of TripJack's refund",
    ),
    Row("members_unknown", Unknown)
        .source("every supplier's rules of versions: members are added without notice"),
    Row("flight_numbers_with_zeros", Text(Place::FlightNumbers, texts::with_leading_zeros))
        .source("IATA SSIM: numbers of flights have three or four digits; reports of BA 0117"),
    Row("codes_in_other_case", Text(Place::Codes, texts::in_other_case))
        .source("reports of currencies and airports in small letters"),
    Row("codes_with_blanks", Text(Place::Codes, texts::with_blanks))
        .source("fields of fixed length of reservation systems"),
    Row("words_in_other_case", Text(Place::Words, texts::in_other_case))
        .source("LiteAPI's documents write CONFIRMED and confirmed; reports of Success for SUCCESS"),
    Row("times_with_seconds", Text(Place::LocalTimes, times::with_seconds))
        .source("recorded: Duffel's and LiteAPI's times have seconds, TripJack's have none"),
    Row("times_with_blank", Text(Place::LocalTimes, times::with_blank))
        .source("recorded: LiteAPI's cancelTime; reports of 2027-02-10 06:30"),
    Row("times_with_fraction", Text(Place::LocalTimes, times::with_fraction))
        .source("recorded: TripJack's sct 2020-02-13T20:53:57.285"),
    Row("instants_with_other_offset", Text(Place::Instants, times::with_other_offset))
        .source("RFC 3339, 4.3; recorded: LiteAPI's 2024-11-15T00:00:00+00:00 beside …Z"),
    Row("instants_with_short_offset", Text(Place::Instants, times::with_short_offset))
        .source("ISO 8601, basic form: Java's pattern Z writes +0100"),
    Row("instants_with_blank", Text(Place::Instants, times::instant_with_blank))
        .source("RFC 3339, 5.6: a blank may stand for T; recorded: Hotelbeds' 2024-02-25 13:12:06.367"),
    Row("texts_with_entities", Text(Place::Texts, texts::with_entities))
        .source("reports of Hotel &amp; Spa and Caf&eacute; in names of hotels"),
    Row("texts_with_blanks", Text(Place::Texts, texts::with_blanks))
        .source("recorded: Hotelbeds' names and rate comments begin and end with blanks"),
    Row("byte_order_mark", Bytes(Wrapping::ByteOrderMark))
        .source("RFC 8259, 8.1: a reader may ignore it; reports of .NET services that send it"),
    Row("blanks_around", Bytes(Wrapping::Blanks)).source("RFC 8259, 2: blanks before and after a value"),
    Row("line_ends", Written(Style { between: "\r\n\t", ..PLAIN }))
        .source("recorded: answers that were indented; services on Windows end lines with CR LF"),
    Row("letters_escaped", Written(Style { escaped: true, ..PLAIN }))
        .source("RFC 8259, 7: PHP and Python write \\u00e9 and \\/"),
    Row("lists_reordered", Reordered)
        .source("recorded: two answers to one search of TripJack's; no document promises an order"),
];

/// What goes back to the supplier has an entity, capitals and a blank in it, and must come back byte by byte.
pub static KEYS: AnswerOddity = Row("keys_odd", Keys)
    .source("recorded: blanks, &, | and ~ in Hotelbeds' rate keys and TripJack's price ids");

pub fn named(name: &str) -> Option<&'static AnswerOddity> {
    ANSWERS.iter().chain([&KEYS]).find(|row| row.name == name)
}

/// So many different rows of [`ANSWERS`] at random.
pub fn drawn(count: usize, rng: &mut Rng) -> Vec<&'static AnswerOddity> {
    let mut rows: Vec<&AnswerOddity> = ANSWERS.iter().collect();
    rng.shuffle(&mut rows);
    rows.truncate(count);
    rows
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_row_has_a_name_of_its_own_and_a_source() {
        let names: BTreeSet<&str> = ANSWERS.iter().map(|row| row.name).collect();
        assert_eq!(names.len(), ANSWERS.len());
        assert!(ANSWERS.iter().all(|row| row.source.len() > 10 && named(row.name).is_some()));
        assert_eq!(named("keys_odd").map(|row| row.name), Some(KEYS.name));
    }

    #[test]
    fn the_same_seed_draws_the_same_rows() {
        let names = |seed| -> Vec<&str> { drawn(3, &mut Rng::of(seed)).iter().map(|row| row.name).collect() };
        assert_eq!(names(1), names(1));
        assert_ne!(names(1), names(2));
        assert_eq!(names(1).len(), 3);
    }
}
