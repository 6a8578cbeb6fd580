//! Theirs to ours: reviewed fares, what is sold beside them, and what must be remembered to book them.

use std::{borrow::Cow, collections::BTreeMap};

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use wayfare_domain::{Money, MoneyError, Party, PassengerType};

use super::ancillaries::{AncillaryCatalog, SeatCode};
use super::offers::{self, CURRENCY, Part, Terms, indian_time, price};
use super::order_wire::List;
use super::papers::{self, Taken};
use super::parts::{OFFERED, REVIEWED};
use super::wire::{self, TaxParts, Text};
use crate::{Ancillary, AncillaryKind, Offer, Requirements, TaxPart, shared_parts::SharedParts};
use wayfare_supply::amounts::money;
use wayfare_supply::{
    lenient::parse_leniently,
    plain_text::name_of,
    reading::{Unreadable, code, filled, parse},
};

type Segment<'a> = wire::Segment<Text<'a>>;
/// Fares with their flights.
type Fares<'t, 'a> = Vec<(&'t [Segment<'a>], &'t Fare<'a>)>;
type Fare<'a> = wire::Fare<Text<'a>, TaxParts<Text<'a>>>;

/// What is remembered of a review until it is booked or looked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SupplierContext {
    /// The order's id, given before it is made: by it the order is booked and looked up.
    pub booking_id: String,
    /// What TripJack takes for it, and no other amount.
    pub total: Money,
    /// A booking must name somebody for emergencies.
    pub emergency_contact: bool,
    /// What of the travellers is sent beside their names.
    #[serde(default, skip_serializing_if = "Taken::is_nothing")]
    pub taken: Taken,
}

/// Fares that were read again, to be booked under one id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reviewed {
    /// In the order of the price ids that were asked for.
    pub offers: Vec<Offer>,
    /// For whom they are.
    pub party: Party,
    /// When the price ends, where it is told.
    pub expires_at: Option<DateTime<Utc>>,
    /// What can be bought with them, without seats.
    pub ancillaries: Vec<Ancillary>,
    /// Whether there are seats to choose.
    pub has_seats: bool,
    pub(super) supplier_context: SupplierContext,
    pub(super) ancillary_catalog: AncillaryCatalog,
}

/// The answer to a review of these price ids that came now. None when its fares can't be those that were asked for.
pub fn review(body: &[u8], tokens: &[&str], now: DateTime<Utc>) -> Result<Option<Reviewed>, Unreadable> {
    let theirs = parse_leniently::<wire::Review<Text>>(body, "", &REVIEWED)?;
    let party = party(&theirs.search_query.pax_info).map_err(Unreadable::new)?;
    let conditions = theirs.conditions.as_ref();
    let expires_at = conditions.and_then(|conditions| session_end(conditions, now));
    let terms = Terms {
        party,
        expires_at,
        can_hold: Some(conditions.is_some_and(|conditions| conditions.may_hold == Some(true))),
    };
    let routes = theirs.search_query.route_infos.as_deref().unwrap_or_default();
    let Some(fares) = in_order(&theirs.trip_infos, tokens, routes).map_err(Unreadable::new)? else {
        return Ok(None);
    };
    let (mut offers, mut parts) = (Vec::new(), SharedParts::default());
    for (token, (flights, fare)) in tokens.iter().zip(&fares) {
        let mut offer = offers::offer(Part::Whole, flights, fare, terms, &mut parts)
            .map_err(|reason| Unreadable::new(format!("{}: {reason}", &*fare.id)))?;
        offer.token = (*token).to_owned();
        if offer.journeys.len() == 1 {
            offer.route_index = slice(flights, routes);
        }
        name_taxes(&mut offer, fare);
        offers.push(offer);
    }
    let requires = conditions.map_or_else(Vec::new, |conditions| {
        papers::of_review(conditions, offers.iter().flat_map(Offer::segments))
    });
    let taken = Taken::of(&requires);
    let requires = Requirements::from(requires);
    for offer in &mut offers {
        offer.requires = requires.clone();
    }
    let total = theirs.total_price_info.total_fare_detail.amounts.total;
    let total = price("totalPriceInfo.totalFareDetail.fC.TF", total).map_err(Unreadable::new)?;
    let booking_id = theirs.booking_id;
    let flights: Vec<&Segment> = fares.iter().flat_map(|(flights, _)| *flights).collect();
    follow_total(&mut offers, total, &booking_id).map_err(Unreadable::new)?;
    let (ancillaries, others) = ancillaries(&flights);
    Ok(Some(Reviewed {
        offers,
        party,
        expires_at,
        ancillaries,
        has_seats: conditions.is_some_and(|conditions| conditions.has_seats == Some(true)),
        supplier_context: SupplierContext {
            booking_id,
            total,
            emergency_contact: conditions.is_some_and(|conditions| conditions.iecr == Some(true)),
            taken,
        },
        ancillary_catalog: AncillaryCatalog {
            segments: flights.iter().map(|flight| flight.id.as_ref().map(|id| id.to_string())).collect(),
            seat_codes: Vec::new(),
            others,
        },
    }))
}

fn party(theirs: &wire::Passengers<wire::Loose>) -> Result<Party, String> {
    let count = |kind| match theirs.of(kind) {
        None => Ok(0),
        Some(count) => count
            .text()
            .parse()
            .map_err(|_| format!("searchQuery.paxInfo.{} is no count", wire::passenger_word(kind))),
    };
    Ok(Party {
        adults: count(PassengerType::Adult)?,
        children: count(PassengerType::Child)?,
        infants: count(PassengerType::Infant)?,
    })
}

/// Of each price id its fare. Ids are found as they were asked for; else, as a review may give them other names, they are
/// told by what they cover: ids are asked for in the order of their journeys. None when the fares are not of one journey
/// each.
fn in_order<'t, 'a>(
    trips: &'t [wire::Trip<Text<'a>, Fare<'a>>],
    tokens: &[&str],
    routes: &[wire::ReviewedRoute<Text>],
) -> Result<Option<Fares<'t, 'a>>, String> {
    let mut all: Vec<_> = trips
        .iter()
        .flat_map(|trip| trip.fares.iter().map(|fare| (trip.segments.as_slice(), fare)))
        .collect();
    let named = |token: &&str| all.iter().find(|(_, fare)| *fare.id == **token).copied();
    if let Some(fares) = tokens.iter().map(named).collect() {
        return Ok(Some(fares));
    }
    if all.len() != tokens.len() {
        return Err(format!("{} fares came for {} price ids", all.len(), tokens.len()));
    }
    all.sort_by_key(|(flights, _)| slice(flights, routes));
    let slices = all.iter().map(|(flights, _)| slice(flights, routes));
    let are_apart = slices.is_sorted_by(|one, next| one < next);
    Ok(are_apart.then_some(all))
}

/// Which slice of the search a single journey is: by its day and whence it goes; else by its mark of a way back.
fn slice(flights: &[Segment], routes: &[wire::ReviewedRoute<Text>]) -> u8 {
    let Some(first) = flights.first() else { return 0 };
    let is_of = |route: &wire::ReviewedRoute<Text>| {
        let from = &*route.from_city_or_airport.code;
        let from = code(from);
        let airport_or_city =
            code(&first.origin.code) == from || filled(&first.origin.city_code).map(code) == Some(from);
        airport_or_city && route.travel_date == first.departure.0.date()
    };
    let place = routes.iter().position(is_of).and_then(|place| u8::try_from(place).ok());
    place.unwrap_or(u8::from(first.is_return == Some(true)))
}

/// Each type's taxes by their codes, where they add up.
fn name_taxes(offer: &mut Offer, fare: &Fare) {
    for share in offer.shares.iter_mut().flatten() {
        let theirs = fare.passengers.of(share.kind).and_then(|theirs| theirs.taxes.as_ref()?.parts.as_ref());
        let part = |(code, amount): &(Text, wire::Number)| {
            let code = code.to_string();
            money("afC.TAF", *amount, CURRENCY).map(|amount| TaxPart { code, amount })
        };
        let parts = theirs.into_iter().flat_map(|parts| &parts.0).map(part);
        let Ok(parts) = parts.collect::<Result<Vec<_>, _>>() else { continue };
        if Money::sum(CURRENCY, parts.iter().map(|part| part.amount)) == Ok(share.taxes) {
            share.tax_parts = parts;
        }
    }
}

/// The order's total wins over the sum of its parts (P-102): the first offer's taxes take up the
/// difference, and its shares are not known then.
fn follow_total(offers: &mut [Offer], total: Money, booking_id: &str) -> Result<(), String> {
    let sum = Money::sum(CURRENCY, offers.iter().map(|offer| offer.charge.total));
    let sum = sum.map_err(|error| error.to_string())?;
    let Some(first) = offers.first_mut().filter(|_| sum != total) else { return Ok(()) };
    tracing::warn!(order = booking_id, ?total, ?sum, "the parts don't add up to the total, which wins");
    let follow = |first: &mut Offer| -> Result<(), MoneyError> {
        let difference = total.minus(sum)?;
        first.charge.total = first.charge.total.plus(difference)?;
        first.charge.taxes = first.charge.taxes.plus(difference)?;
        if first.charge.total.is_negative() {
            return Err(MoneyError::Negative);
        }
        first.shares = None;
        Ok(())
    };
    follow(first).map_err(|error| format!("totalPriceInfo.totalFareDetail.fC.TF {error}"))
}

/// So many seconds from the review on. They tell when that was without a zone; read as India's time it is only believed
/// where it shortens a session that begins now, and has not ended already.
fn session_end(conditions: &wire::Conditions<Text>, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let session = TimeDelta::seconds(conditions.st?.into());
    let reviewed = conditions.sct.as_deref().and_then(indian_time);
    let stated = reviewed.map(|reviewed| reviewed + session);
    let latest = now + session;
    Some(stated.filter(|end| (now..latest).contains(end)).unwrap_or(latest))
}

/// Services of the flights, and in which lists those of other kinds are ordered. One without an amount is that of the
/// flight before, going on: bags are paid once for connecting flights. Of any other its price is not known, and it is left
/// out; so is what no booking could order.
fn ancillaries(flights: &[&Segment]) -> (Vec<Ancillary>, BTreeMap<String, List>) {
    let mut found: Vec<Ancillary> = Vec::new();
    let mut others = BTreeMap::new();
    let with_ids = (0_u16..).zip(flights).filter(|(_, flight)| flight.id.is_some());
    let by_kind = with_ids.flat_map(|(segment, flight)| {
        let services = flight.services.iter().flat_map(|services| &services.0);
        services.map(move |(word, services)| (segment, word, services))
    });
    for (segment, word, services) in by_kind {
        let Some(list) = List::of(word) else {
            tracing::warn!(kind = &**word, "services that no booking is known to take are left out");
            continue;
        };
        let kind = list.kind();
        for service in services {
            match service.amount.map(|amount| price("ssrInfo.amount", amount)) {
                Some(Ok(price)) => {
                    if kind == AncillaryKind::Other {
                        others.entry(service.code.to_string()).or_insert(list);
                    }
                    found.push(Ancillary {
                        kind,
                        code: service.code.to_string(),
                        name: name_of(&service.desc)
                            .map_or_else(|| service.code.to_string(), Cow::into_owned),
                        price,
                        segments: vec![segment],
                        most: 1,
                    });
                }
                Some(Err(_)) => {}
                None => {
                    let goes_on = |earlier: &&mut Ancillary| {
                        (earlier.kind, earlier.code.as_str()) == (kind, &*service.code)
                            && earlier.segments.last().is_some_and(|last| last + 1 == segment)
                    };
                    if let Some(earlier) = found.iter_mut().find(goes_on) {
                        earlier.segments.push(segment);
                    }
                }
            }
        }
    }
    (found, others)
}

/// The answer to a question for the seats of a review: those that are free, at their prices.
pub fn seats(body: &[u8], reviewed: &mut Reviewed) -> Result<(), Unreadable> {
    let theirs = parse::<wire::SeatMaps>(body)?;
    let mut texts = Vec::new();
    for (key, text) in theirs.trip_seat_map.0 {
        if &*key == "tripSeat" {
            texts.extend(parse::<wire::Entries<Text, &RawValue>>(text.get().as_bytes())?.0);
        } else {
            texts.push((key, text));
        }
    }
    let mut maps: Vec<(Text, Option<Vec<wire::Seat<Text>>>)> = Vec::new();
    for (key, text) in texts {
        // A map that can't be read costs the seats of its flight.
        let map = parse_leniently::<wire::SeatMap<Text>>(text.get().as_bytes(), "tripSeatMap.*", &OFFERED);
        if let Ok(map) = map {
            maps.push((key, map.seats));
        }
    }
    for (segment, id) in (0_u16..).zip(reviewed.ancillary_catalog.segments.clone()) {
        let map =
            maps.iter().find(|(key, _)| Some(&**key) == id.as_deref()).and_then(|(_, seats)| seats.as_ref());
        let free = map.into_iter().flatten().filter(|seat| seat.is_booked != Some(true));
        for seat in free {
            if let Some(Ok(price)) = seat.amount.map(|amount| price("sInfo.amount", amount)) {
                reviewed.ancillaries.push(Ancillary {
                    kind: AncillaryKind::Seat,
                    code: seat.seat_no.to_string(),
                    name: seat_name(seat),
                    price,
                    segments: vec![segment],
                    most: 1,
                });
                if *seat.code != *seat.seat_no {
                    reviewed.ancillary_catalog.seat_codes.push(SeatCode {
                        segment,
                        seat: seat.seat_no.to_string(),
                        code: seat.code.to_string(),
                    });
                }
            }
        }
    }
    Ok(())
}

fn seat_name(seat: &wire::Seat<Text>) -> String {
    let marks =
        [(seat.is_window, ", window"), (seat.is_aisle, ", aisle"), (seat.is_legroom, ", extra legroom")];
    let said = marks.into_iter().filter(|(is, _)| *is == Some(true)).map(|(_, word)| word);
    format!("Seat {}{}", &*seat.seat_no, said.collect::<String>())
}
