//! Theirs to ours: fares and their prices.

use std::{borrow::Cow, collections::BTreeMap};

use chrono::{DateTime, TimeZone, Utc};
use rust_decimal::Decimal;
use wayfare_domain::{Currency, Money, MoneyError, Party, PassengerType, Zone};

use super::journey::journeys;
use super::wire::{self, Number, Text};
use crate::{
    Airline, Charge, Combination, FareDetails, Offer, OfferKind, Offers, PassengerShare, RefundPolicy,
    Requirements, UnknownPlace, shared_parts::SharedParts,
};
use wayfare_supply::{
    LossKind,
    amounts::{self, MaybeNumber},
    note_loss,
    plain_text::name_of,
    reading::{code, filled},
    times::local_time,
};

/// No body names a currency: TripJack sells in rupees.
pub(super) const CURRENCY: Currency = Currency::INR;

/// What part of the journey a trip is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The slice of this number: the others are other trips.
    Slice(u8),
    /// All of it.
    Whole,
}

/// The part by the key of its list in an answer to a search.
pub(super) fn part(key: &str) -> Option<Part> {
    match key {
        "ONWARD" => Some(Part::Slice(0)),
        "RETURN" => Some(Part::Slice(1)),
        "COMBO" => Some(Part::Whole),
        number => number.parse().ok().map(Part::Slice),
    }
}

/// What is the same for all offers of an answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    pub party: Party,
    pub expires_at: Option<DateTime<Utc>>,
    /// Only a review tells it.
    pub can_hold: Option<bool>,
}

/// The fare of a trip in our words, or the field for which it can't be. What is wanted of travellers is said elsewhere.
/// `parts` are those of the answer that it came in.
pub(super) fn offer<Taxes>(
    part: Part,
    flights: &[wire::Segment<Text>],
    fare: &wire::Fare<Text, Taxes>,
    terms: Terms,
    parts: &mut SharedParts,
) -> Result<Offer, String> {
    let journeys = journeys(flights, fare, part == Part::Whole, parts)?;
    let (charge, shares) = charge(fare, terms.party)?;
    let combination = filled(&fare.group).map(|group| Combination {
        group: parts.text(group),
        with: fare.goes_with.as_deref().unwrap_or_default().iter().map(|group| parts.text(group)).collect(),
    });
    let kind = match &combination {
        _ if journeys.len() > 1 => OfferKind::Bundled,
        Some(_) => OfferKind::Combinable,
        None => OfferKind::OneWay,
    };
    let first = journeys.first().and_then(|journey| journey.segments.first()).ok_or("sI is empty")?;
    let name = name_of(&fare.name);
    let fare_type = name.as_ref().map(|name| name.to_ascii_lowercase());
    let name = parts.optional(name.as_deref());
    let adult = fare.passengers.adult.as_ref();
    let details = FareDetails {
        fare_class: first.booking_class.clone(),
        fare_family: name.clone(),
        fare_name: name,
        fare_type: parts.optional(fare_type.as_deref()),
        seats_left: first.seats_available,
        baggage: first.baggage.clone(),
        refund: RefundPolicy {
            refundable: adult.and_then(|adult| adult.refundable.as_ref()).and_then(refundable),
            ..RefundPolicy::default()
        },
    };
    Ok(Offer {
        token: fare.id.to_string(),
        kind,
        route_index: match part {
            Part::Slice(number) => number,
            Part::Whole => 0,
        },
        combination,
        journeys,
        owner: fare.seller.as_ref().map(|seller| parts.text(&code(&seller.code))),
        charge,
        shares: Some(shares),
        fare: parts.fare(details),
        expires_at: terms.expires_at,
        instant: true,
        can_hold: terms.can_hold,
        pay_by: None,
        price_guaranteed_until: None,
        requires: Requirements::default(),
    })
}

/// Some of the money comes back of a fare that is refundable (1) or partly so (2). Of one of which that is said in another way,
/// nobody is promised any.
fn refundable(theirs: &MaybeNumber) -> Option<bool> {
    let Number(word) = theirs.known("fd.rT").unwrap_or(Number(Decimal::ZERO));
    let is_known = [0, 1, 2].map(Decimal::from).contains(&word);
    if !is_known {
        note_loss(LossKind::UnknownWord, "fd.rT", word);
    }
    Some(is_known && !word.is_zero())
}

/// The party's price and each type's share of it. What one passenger pays (TF) is the truth: taxes are what it has
/// over the base (BF), whatever is said of them.
fn charge<Taxes>(
    fare: &wire::Fare<Text, Taxes>,
    party: Party,
) -> Result<(Charge, Vec<PassengerShare>), String> {
    let nothing = Money::zero(CURRENCY);
    let (mut base, mut total, mut commission) = (nothing, nothing, None);
    let sorts = [party.adults, party.children, party.infants];
    let mut shares = Vec::with_capacity(sorts.iter().filter(|count| **count > 0).count());
    for (kind, count) in [
        (PassengerType::Adult, party.adults),
        (PassengerType::Child, party.children),
        (PassengerType::Infant, party.infants),
    ] {
        if count == 0 {
            continue;
        }
        let word = wire::passenger_word(kind);
        let theirs = fare.passengers.of(kind).ok_or_else(|| format!("fd.{word} is missing"))?;
        let amounts = &theirs.amounts;
        let of_type = |reason: String| format!("fd.{word}.{reason}");
        let one_base = price("fC.BF", amounts.base).map_err(of_type)?;
        let one = price("fC.TF", amounts.total).map_err(of_type)?;
        let taxes = one.minus(one_base).map_err(|error| format!("fd.{word}.fC {error}"))?;
        if let Some(stated) = amounts.taxes
            && !taxes.is_nearly(stated.0)
        {
            tracing::warn!(
                fare = &*fare.id,
                passenger = word,
                total = ?one,
                base = ?one_base,
                taxes = %stated.0,
                "base and taxes don't add up to the total, which wins"
            );
        }
        let all = |one: Money| one.times(Decimal::from(count));
        let sums = || -> Result<_, MoneyError> {
            let more = match amounts.commission {
                Some(one) => {
                    let one = amounts::money("fC.NCM", one, CURRENCY)?;
                    Some(all(one)?.plus(commission.unwrap_or(nothing))?)
                }
                None => commission,
            };
            Ok((base.plus(all(one_base)?)?, total.plus(all(one)?)?, more))
        };
        (base, total, commission) = sums().map_err(|error| format!("fd.{word}.fC {error}"))?;
        shares.push(PassengerShare {
            kind,
            count: count.into(),
            base: one_base,
            taxes,
            tax_parts: Vec::new(),
        });
    }
    let charge = Charge {
        base,
        taxes: total.minus(base).map_err(|error| error.to_string())?,
        total,
        commission: commission.filter(|commission| !commission.is_negative()),
    };
    Ok((charge, shares))
}

/// An amount that somebody pays; an error has the field's name.
pub(super) fn price(field: &str, theirs: Number) -> Result<Money, String> {
    amounts::price(field, theirs, CURRENCY).map_err(|error| format!("{field} {error}"))
}

/// A time of theirs that is not at an airport: without a zone, and taken for India's.
pub(super) fn indian_time(text: &str) -> Option<DateTime<Utc>> {
    let time = Zone::KOLKATA.from_local_datetime(&local_time(text)?).earliest()?;
    Some(time.to_utc())
}

/// The airlines that flights name, by their codes.
pub(super) fn note_airlines(flights: &[wire::Segment<Text>], airlines: &mut BTreeMap<String, Airline>) {
    let carriers =
        flights.iter().flat_map(|flight| [Some(&flight.flight.airline), flight.operated_by.as_ref()]);
    for carrier in carriers.flatten() {
        if let Some(name) = name_of(&carrier.name)
            && !airlines.contains_key(&*code(&carrier.code))
        {
            let airline = Airline { name: name.into_owned(), logo_url: None };
            airlines.insert(code(&carrier.code).into_owned(), airline);
        }
    }
}

/// The places that flights name and our tables don't know.
pub(super) fn note_places(flights: &[wire::Segment<Text>], found: &mut Offers) {
    for flight in flights {
        let stops = flight.stops.iter().flatten();
        for place in [&flight.origin, &flight.destination].into_iter().chain(stops) {
            let owned = |text: &Option<Text>| name_of(text).map(Cow::into_owned);
            found.note_place(&code(&place.code), || UnknownPlace {
                name: owned(&place.name),
                city: owned(&place.city),
                country_code: owned(&place.country_code),
                time_zone: None,
            });
        }
    }
}
