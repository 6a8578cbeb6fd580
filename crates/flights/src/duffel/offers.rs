//! Theirs to ours: offers and their prices.

use std::{borrow::Cow, collections::BTreeMap};

use chrono::{DateTime, Utc};
use wayfare_domain::Money;
use wayfare_supply::{plain_text, reading::code, times};

use super::conditions;
use super::journey::{airline, filled, journey};
use super::money::{optional_money, price};
use super::papers;
use super::wire::{self, Text};
use crate::shared_parts::SharedParts;
use crate::{Airline, Charge, FareDetails, Journey, Offer, OfferKind, Offers, UnknownPlace};

/// Duffel documents this one-way route of its test mode for orders that are held, and nothing in the offers
/// tells that it is special: they say `requires_instant_payment: false` like any offer that may be held. There
/// we hold, so that a hold can be seen at all (P-13); no live offer is ever taken for it.
const HELD_IN_TEST_MODE: (&str, &str) = ("JFK", "EWR");

/// The offer in our words, or the field for which it can't be. `parts` are those of the answer that it came in.
pub(super) fn offer(
    theirs: &wire::Offer<Text>,
    test_mode: bool,
    parts: &mut SharedParts,
) -> Result<Offer, String> {
    let charge = charge(theirs)?;
    let kind = if theirs.slices.len() == 1 { OfferKind::Offer } else { OfferKind::Bundled };
    let must = theirs.payment_requirements.as_ref();
    let holdable = must.is_some_and(|must| must.requires_instant_payment == Some(false));
    let told = must.filter(|_| holdable);
    let fare_name = fare_name(&theirs.slices).map(|name| parts.text(&name));
    let mut journeys: Vec<Journey> = Vec::with_capacity(theirs.slices.len());
    for (index, slice) in theirs.slices.iter().enumerate() {
        journeys.push(journey(index, slice, parts)?);
    }
    let first = journeys.first().and_then(|journey| journey.segments.first()).ok_or("slices is empty")?;
    let fare = FareDetails {
        fare_class: first.booking_class.clone(),
        fare_family: fare_name.clone(),
        fare_name,
        fare_type: Some(parts.text(&fare_type(theirs.private_fares.as_deref()))),
        seats_left: None,
        baggage: first.baggage.clone(),
        refund: conditions::refund_policy(theirs),
    };
    let instant = !(holdable && test_mode && goes(&journeys, HELD_IN_TEST_MODE));
    Ok(Offer {
        token: theirs.id.to_string(),
        kind,
        route_index: 0,
        combination: None,
        journeys,
        owner: parts.optional(theirs.owner.as_ref().and_then(|owner| airline(&owner.iata_code)).as_deref()),
        charge,
        shares: None,
        fare: parts.fare(fare),
        expires_at: theirs.expires_at,
        instant,
        can_hold: Some(holdable),
        pay_by: told.and_then(|told| instant_of(told.payment_required_by.as_deref())),
        price_guaranteed_until: told.and_then(|told| instant_of(told.price_guarantee_expires_at.as_deref())),
        requires: parts.requirements.shared(papers::requires(theirs)),
    })
}

/// An instant that we can do without: a strange one must not cost an offer.
fn instant_of(theirs: Option<&str>) -> Option<DateTime<Utc>> {
    times::instant(theirs?)
}

/// The airlines that an offer names, by their codes.
pub(super) fn note_airlines(theirs: &wire::Offer<Text>, airlines: &mut BTreeMap<String, Airline>) {
    let segments = theirs.slices.iter().flat_map(|slice| &slice.segments);
    let carriers =
        segments.flat_map(|segment| [Some(&segment.marketing_carrier), segment.operating_carrier.as_ref()]);
    for carrier in carriers.chain([theirs.owner.as_ref()]).flatten() {
        let (Some(code), Some(name)) = (airline(&carrier.iata_code), plain_text::name_of(&carrier.name))
        else {
            continue;
        };
        if !airlines.contains_key(&*code) {
            let airline = Airline {
                name: name.into_owned(),
                logo_url: carrier.logo_symbol_url.as_deref().map(str::to_owned),
            };
            airlines.insert(code.into_owned(), airline);
        }
    }
}

/// The places that an offer names and our tables don't know.
pub(super) fn note_places(theirs: &wire::Offer<Text>, found: &mut Offers) {
    for segment in theirs.slices.iter().flat_map(|slice| &slice.segments) {
        let stops = segment.stops.iter().flatten().map(|stop| &stop.airport);
        for place in [&segment.origin, &segment.destination].into_iter().chain(stops) {
            let owned = |text: &Option<Text>| plain_text::name_of(text).map(Cow::into_owned);
            found.note_place(&code(&place.iata_code), || UnknownPlace {
                name: owned(&place.name),
                city: owned(&place.city_name),
                country_code: owned(&place.iata_country_code),
                time_zone: owned(&place.time_zone),
            });
        }
    }
}

/// The party's price. Their total always wins: taxes are what it has over the base, whatever they say. A base
/// in another currency can't be set against the total, which then stands as the base, without taxes.
fn charge(theirs: &wire::Offer<Text>) -> Result<Charge, String> {
    let currency = theirs.total_currency.0;
    let total = price("total_amount", theirs.total_amount, currency)?;
    if code(&theirs.base_currency) != currency.code() {
        tracing::warn!(
            offer = &*theirs.id,
            base_currency = &*theirs.base_currency,
            total_currency = currency.code(),
            "the base is in another currency than the total, and is left out"
        );
        return Ok(Charge { base: total, taxes: Money::zero(currency), total, commission: None });
    }
    let base = price("base_amount", theirs.base_amount, currency)?;
    let taxes = total.minus(base).map_err(|error| format!("base_amount {error}"))?;
    let stated = optional_money("tax_amount", theirs.tax_amount.as_ref(), theirs.tax_currency.as_deref());
    if theirs.tax_amount.is_some() && stated != Some(taxes) {
        tracing::warn!(
            offer = &*theirs.id,
            ?total,
            ?base,
            tax_amount = ?theirs.tax_amount,
            tax_currency = theirs.tax_currency.as_deref(),
            "base and taxes don't add up to the total, which wins"
        );
    }
    Ok(Charge { base, taxes, total, commission: None })
}

/// The brands of the slices, each once.
fn fare_name<'a>(slices: &'a [wire::Slice<Text>]) -> Option<Cow<'a, str>> {
    let mut names: Vec<Cow<'a, str>> = Vec::new();
    for name in slices.iter().filter_map(|slice| plain_text::name_of(&slice.fare_brand_name)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    match names.len() {
        0 | 1 => names.pop(),
        _ => Some(Cow::Owned(names.join(" / "))),
    }
}

fn fare_type<'a>(private: Option<&'a [wire::PrivateFare<Text>]>) -> Cow<'a, str> {
    match private.and_then(<[_]>::first) {
        None => "published".into(),
        Some(fare) => match filled(&fare.kind) {
            None => "private".into(),
            Some(kind) if kind.bytes().any(|byte| byte.is_ascii_uppercase()) => {
                kind.to_ascii_lowercase().into()
            }
            Some(kind) => kind.into(),
        },
    }
}

fn goes(journeys: &[Journey], route: (&str, &str)) -> bool {
    let [Journey { segments, .. }] = journeys else { return false };
    let ends = segments.first().zip(segments.last());
    ends.is_some_and(|(first, last)| (first.origin.as_str(), last.destination.as_str()) == route)
}
