//! Theirs to ours: journeys and flights.

use std::borrow::Cow;

use chrono::{DateTime, NaiveDateTime, TimeZone, Utc};
use wayfare_domain::Zone;
use wayfare_reference::airport;
use wayfare_supply::{
    plain_text::name_of,
    reading::{code, is_word},
};

use super::wire::{self, Text};
use crate::{Baggage, Cabin, Journey, Segment, shared_parts::SharedParts};
pub(super) use wayfare_supply::reading::filled;

/// The journey of this place. `parts` are those of the answer that it came in.
pub(super) fn journey(
    index: usize,
    slice: &wire::Slice<Text>,
    parts: &mut SharedParts,
) -> Result<Journey, String> {
    let whole = slice.segments.first().zip(slice.segments.last());
    let (first, last) = whole.ok_or_else(|| format!("slices[{index}].segments is empty"))?;
    let stated = slice.duration.as_deref().and_then(minutes);
    let duration_minutes = stated
        .or_else(|| elapsed((&first.origin, first.departing_at.0), (&last.destination, last.arriving_at.0)));
    let mut segments = Vec::with_capacity(slice.segments.len());
    for (number, flight) in slice.segments.iter().enumerate() {
        let segment = segment(flight, parts)
            .map_err(|reason| format!("slices[{index}].segments[{number}].{reason}"))?;
        segments.push(segment);
    }
    Ok(Journey { segments, duration_minutes })
}

fn segment(flight: &wire::Segment<Text>, parts: &mut SharedParts) -> Result<Segment, String> {
    let marketed_by = airline(&flight.marketing_carrier.iata_code);
    let marketed_by = marketed_by.ok_or("marketing_carrier.iata_code is missing")?;
    let departure = flight.departing_at.0;
    let arrival = flight.arriving_at.0;
    let duration = flight.duration.as_deref().and_then(minutes);
    let duration_minutes =
        duration.or_else(|| elapsed((&flight.origin, departure), (&flight.destination, arrival)));
    // Adults come first in our requests, so the first passenger's words are an adult's.
    let passenger = flight.passengers.as_ref().and_then(|passengers| passengers.first());
    let fare_basis = passenger.and_then(|theirs| filled(&theirs.fare_basis_code));
    let stops = flight.stops.iter().flatten();
    Ok(Segment {
        airline: parts.text(&marketed_by),
        flight_number: parts.text(flight.marketing_carrier_flight_number.trim()),
        origin: parts.text(&code(&flight.origin.iata_code)),
        destination: parts.text(&code(&flight.destination.iata_code)),
        departure,
        arrival,
        duration_minutes,
        departure_terminal: parts.optional(filled(&flight.origin_terminal)),
        arrival_terminal: parts.optional(filled(&flight.destination_terminal)),
        stops: stops.map(|stop| parts.text(&code(&stop.airport.iata_code))).collect(),
        aircraft: parts.optional(
            (flight.aircraft.as_ref())
                .and_then(|craft| {
                    name_of(&craft.name).or_else(|| filled(&craft.iata_code).map(Cow::Borrowed))
                })
                .as_deref(),
        ),
        cabin: passenger.and_then(|theirs| read_cabin(theirs.cabin_class.as_deref()?)),
        operating_carrier: parts.optional(
            (flight.operating_carrier.as_ref()).and_then(|carrier| airline(&carrier.iata_code)).as_deref(),
        ),
        seats_available: None,
        booking_class: parts.optional(fare_basis.and_then(booking_class)),
        fare_basis: parts.optional(fare_basis),
        baggage: baggage(passenger.and_then(|theirs| theirs.baggages.as_deref()), parts),
    })
}

/// The code of an airline, where it has one.
pub(super) fn airline<'a>(iata_code: &'a Option<Text>) -> Option<Cow<'a, str>> {
    filled(iata_code).map(code).filter(|code| !code.is_empty())
}

/// Duffel tells no booking class; a fare basis begins with it.
fn booking_class(fare_basis: &str) -> Option<&str> {
    fare_basis.get(..1).filter(|class| class.bytes().all(|letter| letter.is_ascii_uppercase()))
}

fn read_cabin(word: &str) -> Option<Cabin> {
    let mut cabins = [Cabin::Economy, Cabin::PremiumEconomy, Cabin::Business, Cabin::First].into_iter();
    cabins.find(|cabin| is_word(word, cabin_class(*cabin)))
}

/// Their word for the class.
pub(super) fn cabin_class(cabin: Cabin) -> &'static str {
    match cabin {
        Cabin::Economy => "economy",
        Cabin::PremiumEconomy => "premium_economy",
        Cabin::Business => "business",
        Cabin::First => "first",
    }
}

/// A list without a kind of bag says that none is included; no list says nothing.
fn baggage(bags: Option<&[wire::Bags<Text>]>, parts: &mut SharedParts) -> Baggage {
    let Some(bags) = bags else { return Baggage::default() };
    let mut words = |kind: &str| {
        let is_it = |bag: &&wire::Bags<Text>| bag.kind.as_deref().is_some_and(|word| is_word(word, kind));
        let of_kind = bags.iter().filter(is_it);
        let pieces = of_kind.fold(0_u32, |sum, bag| sum.saturating_add(bag.quantity.unwrap_or(0)));
        Some(match pieces {
            0 => parts.text("none"),
            1 => parts.text("1 piece"),
            more => parts.text(&format!("{more} pieces")),
        })
    };
    Baggage { check_in: words("checked"), cabin: words("carry_on") }
}

/// Whole minutes of an ISO 8601 duration: `PT2H26M`, `P1DT35M`.
fn minutes(text: &str) -> Option<u32> {
    let (days, time) = match text.strip_prefix('P')?.split_once('T') {
        Some((days, time)) if !time.is_empty() => (days, time),
        Some(_) => return None,
        None => (text.strip_prefix('P')?, ""),
    };
    if days.is_empty() && time.is_empty() {
        return None;
    }
    let days = if days.is_empty() { 0 } else { days.strip_suffix('D')?.parse::<u32>().ok()? };
    let mut total = days.checked_mul(24 * 60)?;
    for part in time.split_inclusive(['H', 'M', 'S']) {
        let (number, factor) = match (part.strip_suffix('H'), part.strip_suffix('M')) {
            (Some(hours), _) => (hours, 60),
            (_, Some(minutes)) => (minutes, 1),
            // Seconds are below a minute, and flights are not timed by them.
            _ => (part.strip_suffix('S')?, 0),
        };
        let count = number.split('.').next()?.parse::<u32>().ok()?;
        total = total.checked_add(count.checked_mul(factor)?)?;
    }
    Some(total)
}

/// Minutes between two local times, each on its airport's clocks.
fn elapsed(
    from: (&wire::Place<Text>, NaiveDateTime),
    to: (&wire::Place<Text>, NaiveDateTime),
) -> Option<u32> {
    let between = instant(to.0, to.1)? - instant(from.0, from.1)?;
    u32::try_from(between.num_minutes()).ok()
}

/// By our table of airports, else by the zone that Duffel tells.
fn instant(place: &wire::Place<Text>, local: NaiveDateTime) -> Option<DateTime<Utc>> {
    if let Some(known) = airport(&code(&place.iata_code)) {
        return Some(known.instant_of(local));
    }
    let zone: Zone = place.time_zone.as_deref()?.parse().ok()?;
    Some(zone.from_local_datetime(&local).earliest()?.with_timezone(&Utc))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SharedText;

    #[test]
    fn durations_are_whole_minutes_and_may_hold_days() {
        for (text, expected) in [
            ("PT2H26M", Some(146)),
            ("PT02H05M", Some(125)),
            ("P1DT35M", Some(1475)),
            ("P2D", Some(2880)),
            ("PT45M30.5S", Some(45)),
            ("PT95M", Some(95)),
            ("", None),
            ("P", None),
            ("PT", None),
            ("P1DT", None),
            ("PT2", None),
            ("PTH", None),
            ("PT-2H", None),
            ("PT99999999999H", None),
            ("P4294967295D", None),
            ("2H", None),
        ] {
            assert_eq!(minutes(text), expected, "{text}");
        }
    }

    #[test]
    fn a_missing_duration_is_computed_on_the_clocks_of_both_airports() {
        let place = |code: &'static str, zone: Option<&'static str>| wire::Place {
            iata_code: Text::from(code),
            time_zone: zone.map(Text::from),
            name: None,
            city_name: None,
            iata_country_code: None,
        };
        let at = |text: &str| text.parse::<NaiveDateTime>().unwrap();
        let (del, lhr) = (place("DEL", None), place("LHR", None));
        assert_eq!(elapsed((&del, at("2026-05-01T02:00:00")), (&lhr, at("2026-05-01T07:00:00"))), Some(570));
        let nowhere = place("QQQ", Some("Asia/Kolkata"));
        assert_eq!(
            elapsed((&nowhere, at("2026-05-01T02:00:00")), (&lhr, at("2026-05-01T07:00:00"))),
            Some(570)
        );
        assert_eq!(
            elapsed((&place("QQQ", None), at("2026-05-01T02:00:00")), (&lhr, at("2026-05-01T07:00:00"))),
            None
        );
        assert_eq!(elapsed((&lhr, at("2026-05-02T07:00:00")), (&del, at("2026-05-01T02:00:00"))), None);
    }

    #[test]
    fn bags_in_words_keep_none_apart_from_unknown() {
        let bag = |kind: &'static str, quantity| wire::Bags {
            kind: Some(Text::from(kind)),
            quantity: Some(quantity),
        };
        let words = |bags: Option<&[wire::Bags<Text>]>| -> (SharedText, SharedText) {
            let read = baggage(bags, &mut SharedParts::default());
            (read.check_in.unwrap_or_default(), read.cabin.unwrap_or_default())
        };
        assert_eq!(words(None), ("".into(), "".into()));
        assert_eq!(words(Some(&[])), ("none".into(), "none".into()));
        assert_eq!(words(Some(&[bag("checked", 0), bag("carry_on", 1)])), ("none".into(), "1 piece".into()));
        assert_eq!(words(Some(&[bag("checked", 1), bag("checked", 1)])), ("2 pieces".into(), "none".into()));
    }
}
