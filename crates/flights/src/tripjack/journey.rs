//! Theirs to ours: journeys, flights, and what may be carried on them.

use super::wire::{self, Text};
use crate::{Baggage, Cabin, Journey, Segment, SharedText, shared_parts::SharedParts};
use wayfare_supply::{
    LossKind, note_loss,
    plain_text::name_of,
    reading::{code, filled},
};

/// A fare's flights as journeys; of a trip that is sold whole there may be several.
pub(super) fn journeys<Taxes>(
    flights: &[wire::Segment<Text>],
    fare: &wire::Fare<Text, Taxes>,
    sold_whole: bool,
    parts: &mut SharedParts,
) -> Result<Vec<Journey>, String> {
    if flights.is_empty() {
        return Err("sI is empty".to_owned());
    }
    let journeys = flights.chunk_by(|before, after| !(sold_whole && begins_a_journey(before, after)));
    let mut journeys: Vec<Journey> = journeys.map(|flights| journey(flights, fare, parts)).collect();
    journeys.shrink_to_fit();
    Ok(journeys)
}

/// Flights as a journey, without what their fare says of them.
pub(super) fn flown_journey(flights: &[wire::Segment<Text>], parts: &mut SharedParts) -> Journey {
    Journey {
        segments: flights.iter().map(|flight| flown(flight, parts)).collect(),
        duration_minutes: minutes(flights),
    }
}

/// The count of flights restarts with each journey, and the way back is marked.
fn begins_a_journey(before: &wire::Segment<Text>, flight: &wire::Segment<Text>) -> bool {
    flight.number == Some(0) || (flight.is_return == Some(true) && before.is_return != Some(true))
}

fn journey<Taxes>(
    flights: &[wire::Segment<Text>],
    fare: &wire::Fare<Text, Taxes>,
    parts: &mut SharedParts,
) -> Journey {
    let segments = flights.iter().map(|flight| segment(flight, fare, parts));
    Journey { segments: segments.collect(), duration_minutes: minutes(flights) }
}

/// In the air and between flights; none where one of them is not told.
fn minutes(flights: &[wire::Segment<Text>]) -> Option<u32> {
    let (last, before) = flights.split_last()?;
    before.iter().try_fold(last.minutes?, |sum, flight| {
        sum.checked_add(flight.minutes?)?.checked_add(flight.layover_minutes?)
    })
}

fn segment<Taxes>(
    flight: &wire::Segment<Text>,
    fare: &wire::Fare<Text, Taxes>,
    parts: &mut SharedParts,
) -> Segment {
    let adult = fare.passengers.adult.as_ref();
    Segment {
        cabin: adult.and_then(|adult| filled(&adult.cabin)).and_then(cabin),
        seats_available: adult.and_then(|adult| adult.seats_left),
        booking_class: parts.optional(adult.and_then(|adult| filled(&adult.booking_class))),
        fare_basis: parts.optional(adult.and_then(|adult| filled(&adult.fare_basis))),
        baggage: baggage(flight, fare, parts),
        ..flown(flight, parts)
    }
}

/// The flight without what its fare says of it.
pub(super) fn flown(flight: &wire::Segment<Text>, parts: &mut SharedParts) -> Segment {
    Segment {
        airline: parts.text(&code(&flight.flight.airline.code)),
        flight_number: parts.text(flight.flight.number.trim()),
        origin: parts.text(&code(&flight.origin.code)),
        destination: parts.text(&code(&flight.destination.code)),
        departure: flight.departure.0,
        arrival: flight.arrival.0,
        duration_minutes: flight.minutes,
        departure_terminal: parts.optional(terminal(&flight.origin)),
        arrival_terminal: parts.optional(terminal(&flight.destination)),
        stops: flight
            .stops
            .as_deref()
            .unwrap_or_default()
            .iter()
            .map(|stop| parts.text(&code(&stop.code)))
            .collect(),
        aircraft: parts.optional(filled(&flight.flight.aircraft)),
        cabin: None,
        operating_carrier: flight.operated_by.as_ref().map(|carrier| parts.text(&code(&carrier.code))),
        seats_available: None,
        booking_class: None,
        fare_basis: None,
        baggage: Baggage::default(),
    }
}

/// A word that nobody knows costs the fare nothing but that.
fn cabin(theirs: &str) -> Option<Cabin> {
    let cabin = code(theirs).parse().ok();
    if cabin.is_none() {
        note_loss(LossKind::UnknownWord, "fd.cc", "");
    }
    cabin
}

fn terminal<'a>(place: &'a wire::Place<Text>) -> Option<&'a str> {
    let text = filled(&place.terminal)?;
    Some(text.strip_prefix("Terminal ").unwrap_or(text))
}

/// An adult's: as the segment says, and where it says nothing, as the fare says.
fn baggage<Taxes>(
    flight: &wire::Segment<Text>,
    fare: &wire::Fare<Text, Taxes>,
    parts: &mut SharedParts,
) -> Baggage {
    let by_segment = fare.more.as_ref().and_then(|more| more.baggage.as_ref());
    let of_flight = by_segment.zip(flight.id.as_ref()).and_then(|(entries, id)| {
        let (_, types) = entries.0.iter().find(|(segment, _)| **segment == **id)?;
        types.iter().find_map(|types| types.adult.as_ref())
    });
    let of_fare = fare.passengers.adult.as_ref().and_then(|adult| adult.baggage.as_ref());
    let mut said = [of_flight, of_fare].into_iter().flatten();
    let mut words = |text: &Option<Text>| -> Option<SharedText> {
        let words = allowance(&name_of(text)?)?;
        Some(parts.text(&words))
    };
    Baggage {
        check_in: said.clone().find_map(|bags| words(&bags.check_in)),
        cabin: said.find_map(|bags| words(&bags.cabin)),
    }
}

/// Their free text with its unit written one way: `15KG`, `15 Kg` and `15 Kilograms` are `15 kg`. What else they say is
/// kept; `0Default` says nothing.
fn allowance(text: &str) -> Option<String> {
    let text = text.trim();
    let (count, rest) = split_where(text, |c| !c.is_ascii_digit());
    let (unit, remark) = split_where(rest.trim_start(), |c| !c.is_ascii_alphabetic());
    let unit = unit.to_ascii_lowercase();
    if text.is_empty() || unit == "default" {
        return None;
    }
    let number = count.trim_start_matches('0');
    let number = if number.is_empty() { "0" } else { number };
    let unit = match unit.as_str() {
        _ if count.is_empty() => return Some(text.to_owned()),
        "kg" | "kgs" | "kilo" | "kilos" | "kilogram" | "kilograms" => "kg",
        "pc" | "pcs" | "piece" | "pieces" if number == "1" => "piece",
        "pc" | "pcs" | "piece" | "pieces" => "pieces",
        _ => return Some(text.to_owned()),
    };
    Some(format!("{number} {unit}{remark}"))
}

fn split_where(text: &str, ends: fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(ends).unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_allowance_is_written_one_way_whatever_its_shape() {
        for (theirs, ours) in [
            ("15 Kg", "15 kg"),
            ("15KG", "15 kg"),
            ("30 Kilograms", "30 kg"),
            ("07 kgs", "7 kg"),
            ("0 Kg", "0 kg"),
            ("25 Kg (01 Piece only)", "25 kg (01 Piece only)"),
            ("1 PC", "1 piece"),
            ("02Pieces", "2 pieces"),
            ("7.5 Kg", "7.5 Kg"),
            ("No baggage", "No baggage"),
            ("Kg", "Kg"),
            ("2 बैग", "2 बैग"),
            (" 20 Kg ", "20 kg"),
            ("0Default", ""),
            ("0 default", ""),
            ("", ""),
            ("  ", ""),
        ] {
            assert_eq!(allowance(theirs).unwrap_or_default(), ours, "{theirs}");
        }
    }
}
