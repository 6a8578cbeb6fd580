//! `POST /oms/v1/booking-details`: what has become of a booking.

use actix_web::web::{Bytes, Data};
use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::World;
use super::bookings::{self, Booking, OrderStatus, Seat};
use super::conditions::indian_time;
use super::errors::{ApiResult, done, json_body};
use super::pricing::{pax_detail, total_detail};
use super::reissues::traveller_id;
use super::rules::way;
use super::ssr::SsrKind;
use super::travellers::Person;
use super::trip_body;
use crate::airlines::Style;
use crate::json::{Number, without_nulls};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    booking_id: String,
    #[serde(default)]
    require_pax_pricing: bool,
}

pub(super) async fn show(world: Data<World>, body: Bytes) -> ApiResult {
    let body: Body = json_body(&body)?;
    let found = bookings::find(&world, &body.booking_id)?;
    let (booking, now) = (&found.booking, world.clock.now());
    let order = without_nulls(json!({
        "bookingId": found.id,
        "amount": Number(booking.total()),
        "deliveryInfo": booking.delivery_info,
        "status": booking.order_status(now),
        "createdOn": indian_time(found.created_at),
        "gstInfo": booking.gst_info,
    }));
    let trips = booking.fares.iter().map(|sold| {
        let price = trip_body::chosen(&world, sold);
        json!({ "sI": trip_body::segments(sold), "totalPriceList": [price] })
    });
    let people = booking.people.iter().enumerate().map(|(at, person)| {
        let mut traveller = traveller(booking, at, person, now);
        if body.require_pax_pricing {
            traveller.insert("fd".to_owned(), prices_of(booking, person));
        }
        Value::Object(traveller)
    });
    let prices = booking.fares.iter().map(|sold| &sold.price);
    let is_held = booking.order_status(now) == OrderStatus::OnHold
        && booking.limit_told_from.is_none_or(|from| from <= now);
    let air = without_nulls(json!({
        "tripInfos": trips.collect::<Vec<_>>(),
        "travellerInfos": people.collect::<Vec<_>>(),
        "totalPriceInfo": { "totalFareDetail": total_detail(prices, booking.extras_total()) },
        "timeLimit": booking.pay_by.filter(|_| is_held).map(indian_time),
    }));
    Ok(done(json!({ "order": order, "itemInfos": { "AIR": air } })))
}

/// One traveller: who it is, and references, tickets and extras by way.
fn traveller(booking: &Booking, at: usize, person: &Person, now: DateTime<Utc>) -> Map<String, Value> {
    let mut body = match serde_json::to_value(person) {
        Ok(Value::Object(members)) => members,
        // A person is an object of texts and dates.
        _ => Map::new(),
    };
    body.insert("id".to_owned(), json!(traveller_id(at)));
    let status = booking.order_status(now);
    // While it is pending, the airline has said nothing.
    if status != OrderStatus::Pending {
        let ways = || booking.ways().map(|(place, journey)| (place, way(journey)));
        let pnr = |(place, way): (usize, String)| Some((way, json!(booking.pnrs.get(place)?)));
        let pnrs: Map<String, Value> = ways().filter_map(pnr).collect();
        let through_gds = |place: usize| {
            let sold = booking.fares.get(place);
            sold.is_some_and(|sold| sold.bundle.airline.style != Style::LowCost)
        };
        let gds: Map<String, Value> =
            ways().filter(|(place, _)| through_gds(*place)).filter_map(pnr).collect();
        let standing = booking.standing(now);
        let state = |way: usize| {
            let stands = standing.contains(&Seat { way, person: at });
            if stands || status != OrderStatus::Cancelled && booking.parts.is_empty() {
                "CONFIRMED"
            } else {
                "CANCELLED"
            }
        };
        let states: Map<String, Value> =
            ways().enumerate().map(|(number, (_, way))| (way, json!(state(number)))).collect();
        body.insert("pnrDetails".to_owned(), Value::Object(pnrs));
        if !gds.is_empty() {
            body.insert("gdsPnrs".to_owned(), Value::Object(gds));
        }
        body.insert("statusMap".to_owned(), Value::Object(states));
        if let Some(own) = booking.tickets.get(at) {
            let tickets: Map<String, Value> =
                ways().zip(own).map(|((_, way), ticket)| (way, json!(ticket))).collect();
            body.insert("ticketNumberDetails".to_owned(), Value::Object(tickets));
        }
    }
    for kind in SsrKind::ALL {
        let extras = extras(booking, at, kind);
        if !extras.is_empty() {
            body.insert(kind.list().to_owned(), Value::Object(extras));
        }
    }
    body
}

/// What a traveller bought of a kind, by the flight it is for.
fn extras(booking: &Booking, at: usize, kind: SsrKind) -> Map<String, Value> {
    let flights = booking.fares.iter().flat_map(|sold| {
        let name = move |(place, flight): (usize, &crate::itinerary::Flight)| {
            (sold.segment_id(place), format!("{}-{}", flight.from.iata, flight.to.iata))
        };
        sold.flights().enumerate().map(name)
    });
    let mut extras = Map::new();
    for (segment_id, name) in flights {
        let own = booking
            .extras
            .iter()
            .find(|bought| bought.person == at && bought.kind == kind && bought.segment_id == segment_id);
        if let Some(bought) = own {
            let ssr = &bought.ssr;
            let body = json!({ "code": ssr.code, "amount": Number(ssr.amount), "desc": ssr.description });
            extras.insert(name, body);
        }
    }
    extras
}

fn prices_of(booking: &Booking, person: &Person) -> Value {
    let own = booking.fares.iter().filter_map(|sold| {
        let mut by_kind = sold.price.by_kind.iter();
        by_kind.find(|(kind, ..)| Some(*kind) == person.kind())
    });
    pax_detail(own.map(|(.., price)| price))
}
