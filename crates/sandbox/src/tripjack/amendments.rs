//! Cancelling a ticketed booking or a part of it: what it would give back, asking for it, and what has become of that.

use std::collections::BTreeMap;

use actix_web::web::{Bytes, Data};
use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use wayfare_domain::{SaidTraveller, whose};

use super::World;
use super::bookings::{self, Booking, Cancellation, OrderStatus, Seat};
use super::errors::{ApiError, ApiResult, done, json_body};
use super::rules::cancellation_charge;
use super::travellers::Person;
use super::wire::kind_name;
use crate::fault_injection::InjectedFault;
use crate::faults::{Call, Supplier};
use crate::itinerary::{Journey, PassengerType};
use crate::json::Number;
use crate::tariff::Tariff;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wanted {
    booking_id: String,
    #[serde(rename = "type")]
    kind: String,
    /// Left out where everything is cancelled.
    trips: Option<Vec<Trip>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Trip {
    src: String,
    dest: String,
    departure_date: Option<NaiveDate>,
    /// Left out where it is everybody.
    travellers: Option<Vec<Named>>,
}

#[derive(Deserialize)]
struct Named {
    #[serde(rename = "fn")]
    first_name: String,
    #[serde(rename = "ln")]
    last_name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Known {
    amendment_id: String,
}

/// What a cancellation costs for one traveller on one way.
#[derive(Clone, Copy)]
struct Share {
    seat: Seat,
    kind: PassengerType,
    total: Decimal,
    charge: Decimal,
    /// What was bought besides the fare, which is lost.
    extras: Decimal,
}

impl Share {
    fn refund(&self) -> Decimal {
        self.total - self.charge
    }
}

fn body(shares: &[Share]) -> Value {
    let charge: Decimal = shares.iter().map(|share| share.charge).sum();
    let refund: Decimal = shares.iter().map(Share::refund).sum();
    json!({
        "amendmentCharges": Number(charge),
        "refundAmount": Number(refund),
        "totalFare": Number(charge + refund),
    })
}

fn share(tariff: &Tariff, booking: &Booking, seat: Seat) -> Option<Share> {
    let (fare, journey) = booking.ways().nth(seat.way)?;
    let before = booking.ways().take(seat.way).filter(|(other, _)| *other == fare);
    let (sold, place) = (booking.fares.get(fare)?, before.count());
    let kind = booking.people.get(seat.person)?.kind()?;
    let (.., price) = sold.price.by_kind.iter().find(|(each, ..)| *each == kind)?;
    let ways = sold.journeys().count();
    let each = tariff.rounded(price.total() / Decimal::from(ways.max(1)));
    // The last way has what rounding left over.
    let total = match place + 1 == ways {
        true => price.total() - each * Decimal::from(ways.saturating_sub(1)),
        false => each,
    };
    let charge = cancellation_charge(tariff, sold, kind).unwrap_or(total);
    let first: usize = sold.journeys().take(place).map(|earlier| earlier.flights().count()).sum();
    let flights = first..first + journey.flights().count();
    let ids: Vec<String> = flights.map(|flight| sold.segment_id(flight)).collect();
    let own = booking.extras.iter().filter(|bought| bought.person == seat.person);
    let lost = own.filter(|bought| ids.contains(&bought.segment_id));
    Some(Share {
        seat,
        kind,
        total,
        charge: charge.min(total),
        extras: lost.map(|bought| bought.ssr.amount).sum(),
    })
}

/// What a cancellation would take, where a booking can be cancelled in the way that is wanted.
fn wanted_shares(
    world: &World,
    booking: &Booking,
    wanted: &Wanted,
    now: DateTime<Utc>,
) -> Result<Vec<Share>, ApiError> {
    if wanted.kind != "CANCELLATION" {
        let message = format!("Amendment type {} is not allowed for this booking", wanted.kind);
        return Err(ApiError::refused(400, message));
    }
    if booking.order_status(now) != OrderStatus::Success || booking.has_departed(now) {
        return Err(ApiError::refused(400, "Amendment is not allowed for this booking"));
    }
    if booking.is_being_cancelled(now) {
        return Err(ApiError::refused(400, "An amendment of this booking is under way"));
    }
    let seats = match &wanted.trips {
        None => booking.standing(now),
        Some(trips) => named_seats(world, booking, trips, now)?,
    };
    Ok(seats.into_iter().filter_map(|seat| share(&world.tariff, booking, seat)).collect())
}

fn named_seats(
    world: &World,
    booking: &Booking,
    trips: &[Trip],
    now: DateTime<Utc>,
) -> Result<Vec<Seat>, ApiError> {
    let standing = booking.standing(now);
    let mut seats = Vec::new();
    for trip in trips {
        let is_it = |journey: &Journey| {
            let day = journey.first.departs.date();
            journey.first.from.iata == trip.src
                && journey.last().to.iata == trip.dest
                && trip.departure_date.is_none_or(|wanted| wanted == day)
        };
        let way = booking.ways().position(|(_, journey)| is_it(journey));
        let way = way.ok_or_else(|| ApiError::refused(400, "The trip is not of this booking"))?;
        let people = match &trip.travellers {
            None => standing.iter().filter(|seat| seat.way == way).map(|seat| seat.person).collect(),
            Some(named) => people(world, booking, named)?,
        };
        for person in people {
            let seat = Seat { way, person };
            if !seats.contains(&seat) {
                seats.push(seat);
            }
        }
    }
    if seats.is_empty() || !seats.iter().all(|seat| standing.contains(seat)) {
        return Err(ApiError::refused(400, "The traveller is not on this trip any more"));
    }
    for way in 0..booking.ways().count() {
        let on_way =
            |all: &[Seat]| -> Vec<Seat> { all.iter().copied().filter(|seat| seat.way == way).collect() };
        let gone = on_way(&seats);
        let stay: Vec<Seat> = on_way(&standing).into_iter().filter(|seat| !gone.contains(seat)).collect();
        if !gone.is_empty() {
            check_company(booking, &gone, &stay)?;
        }
    }
    Ok(seats)
}

/// An infant goes with its adult and stays with one, and no child stays alone.
fn check_company(booking: &Booking, gone: &[Seat], stay: &[Seat]) -> Result<(), ApiError> {
    let number = |seats: &[Seat], kind: PassengerType| {
        let people = seats.iter().filter_map(|seat| booking.people.get(seat.person));
        people.filter(|person| person.kind() == Some(kind)).count()
    };
    let alone = |seats: &[Seat]| number(seats, PassengerType::Infant) > number(seats, PassengerType::Adult);
    let children_stay_alone = !stay.is_empty() && number(stay, PassengerType::Adult) == 0;
    if alone(gone) || alone(stay) || children_stay_alone {
        let message = "Infants and children can be cancelled with their adult only";
        return Err(ApiError::refused(400, message));
    }
    Ok(())
}

/// Whom a cancellation names. A name is what the booking shows; where answers are odd, it is any spelling that fits one alone.
fn people(world: &World, booking: &Booking, named: &[Named]) -> Result<Vec<usize>, ApiError> {
    let is_odd = world.oddities.strike(Supplier::Tripjack, Some(Call::Lookup));
    let odd = is_odd.then(|| whose_names(booking, named));
    let place = |(number, wanted): (usize, &Named)| {
        let is_it = |person: &Person| {
            person.first_name.eq_ignore_ascii_case(&wanted.first_name)
                && person.last_name.eq_ignore_ascii_case(&wanted.last_name)
        };
        let as_shown = booking.people.iter().position(is_it);
        let as_told = || odd.as_ref()?.get(number).copied().flatten();
        let found = as_shown.or_else(as_told);
        found.ok_or_else(|| ApiError::refused(400, "The traveller is not of this booking"))
    };
    named.iter().enumerate().map(place).collect()
}

fn whose_names(booking: &Booking, named: &[Named]) -> Vec<Option<usize>> {
    let said = |first: &str, last: &str| SaidTraveller::of_supplier(None, None, first, last);
    let theirs: Vec<_> = named.iter().map(|one| said(&one.first_name, &one.last_name)).collect();
    let people = booking.people.iter();
    let ours: Vec<_> = people.map(|one| said(&one.first_name, &one.last_name)).collect();
    whose(&theirs, &ours)
}

fn refund(shares: &[Share]) -> Decimal {
    shares.iter().map(Share::refund).sum()
}

/// `POST /oms/v1/air/amendment/amendment-charges`: the penalty and the refund of a cancellation.
pub(super) async fn charges(world: Data<World>, body: Bytes) -> ApiResult {
    let wanted: Wanted = json_body(&body)?;
    let order = bookings::find(&world, &wanted.booking_id)?;
    let booking = &order.booking;
    let shares = wanted_shares(&world, booking, &wanted, world.clock.now())?;
    let trips = booking.ways().enumerate().filter_map(|(way, (_, journey))| {
        trip_body(journey, shares.iter().filter(|each| each.seat.way == way))
    });
    let total: Decimal = shares.iter().map(|share| share.total + share.extras).sum();
    let refund = refund(&shares);
    Ok(done(json!({
        "bookingId": wanted.booking_id,
        "totalFare": Number(total),
        "amendmentCharges": Number(total - refund),
        "refundableAmount": Number(refund),
        "trips": trips.collect::<Vec<_>>(),
    })))
}

/// A way of which something is cancelled, by the kind of travellers.
fn trip_body<'a>(journey: &Journey, shares: impl Iterator<Item = &'a Share>) -> Option<Value> {
    let mut by_kind: BTreeMap<&str, Vec<Share>> = BTreeMap::new();
    for share in shares {
        by_kind.entry(kind_name(share.kind)).or_default().push(*share);
    }
    let infos: Map<String, Value> =
        by_kind.iter().map(|(kind, shares)| ((*kind).to_owned(), body(shares))).collect();
    (!infos.is_empty()).then(|| {
        json!({
            "src": journey.first.from.iata,
            "dest": journey.last().to.iata,
            "departureDate": journey.first.departs.date(),
            "amendmentInfo": infos,
        })
    })
}

/// `POST /oms/v1/air/amendment/submit-amendment`: cancels, at once or, under `refund_later`, when the time has come.
/// Under `rejected` it is refused then.
pub(super) async fn submit(world: Data<World>, injected: InjectedFault, body: Bytes) -> ApiResult {
    let wanted: Wanted = json_body(&body)?;
    let id = bookings::amendment_id();
    bookings::change(&world, &wanted.booking_id, |booking, now| {
        let shares = wanted_shares(&world, booking, &wanted, now)?;
        let cancellation = Cancellation {
            id: id.clone(),
            refund: refund(&shares),
            from: injected.cancelled_from(now),
            seats: shares.iter().map(|share| share.seat).collect(),
        };
        let is_all = cancellation.seats.len() == booking.standing(now).len();
        match injected.rejected_s {
            Some(_) => booking.rejected.push(cancellation),
            None if is_all => booking.cancellation = Some(cancellation),
            None => booking.parts.push(cancellation),
        }
        Ok(())
    })?;
    Ok(done(json!({ "bookingId": wanted.booking_id, "amendmentId": id })))
}

/// `POST /oms/v1/air/amendment/amendment-details`: what has become of a cancellation.
pub(super) async fn show(world: Data<World>, body: Bytes) -> ApiResult {
    let known: Known = json_body(&body)?;
    let now = world.clock.now();
    for order in world.orders.of::<Booking>() {
        let booking = &order.booking;
        let carried_out = booking.parts.iter().chain(&booking.cancellation);
        let carried_out = carried_out.map(|one| (one, "SUCCESS"));
        let rejected = booking.rejected.iter().map(|one| (one, "REJECTED"));
        let mut all = carried_out.chain(rejected);
        let Some((cancellation, end)) = all.find(|(one, _)| one.id == known.amendment_id) else { continue };
        let status = if cancellation.from <= now { end } else { "REQUESTED" };
        return Ok(done(json!({
            "bookingId": order.id,
            "amendmentId": cancellation.id,
            "amendmentStatus": status,
            "refundableAmount": Number(cancellation.refund),
        })));
    }
    Err(ApiError::refused(400, "Amendment not found"))
}
