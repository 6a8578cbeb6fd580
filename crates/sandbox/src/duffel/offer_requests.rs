//! Searching: `POST /air/offer_requests`, and reading a search again.

use std::cell::RefCell;

use actix_web::web::{Bytes, Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use chrono::{DateTime, Utc};

use super::errors::{Answer, Failure};
use super::fields::{self, Fields};
use super::offer_body::{OfferBody, OfferRequestBody};
use super::wire::Single;
use super::{offers, paging};
use crate::airlines::Cabin;
use crate::asked::{Asked, kind_at};
use crate::itinerary::{Kind, Leg, Place, Search, Traveller};
use crate::server::World;
use crate::special::{self, Situation};

const MOST_SLICES: usize = 6;
const MOST_PASSENGERS: usize = 9;

/// Makes a search.
pub(super) async fn create(world: Data<World>, request: HttpRequest, body: Bytes) -> Answer {
    let parameters = paging::parameters(request.query_string());
    let return_offers = paging::flag(&parameters, "return_offers")?.unwrap_or(true);
    paging::number(&parameters, "supplier_timeout", 2_000, 60_000)?;
    let now = world.clock.now();
    let data = fields::data(&request, &body)?;
    let problems = RefCell::default();
    let search = search(&Fields::of(&data, &problems), now);
    let search = match search {
        Some(search) if problems.borrow().is_empty() => search,
        _ => return Err(problems.into_inner().into()),
    };
    if special::situation(&search.legs) == Some(Situation::SearchTimesOut) {
        return Err(Failure::of_status(504));
    }
    let asked = Asked::now(now, search);
    let offers = return_offers.then(|| bodies(&world, &asked));
    Ok(HttpResponse::Created().json(Single {
        data: OfferRequestBody::of(&world, &asked, offers),
    }))
}

/// Reads a search again, with its offers.
pub(super) async fn show(world: Data<World>, id: Path<String>) -> Answer {
    let asked = Asked::of_request_id(world.seed, &id).ok_or_else(Failure::not_found)?;
    let offers = Some(bodies(&world, &asked));
    Ok(HttpResponse::Ok().json(Single {
        data: OfferRequestBody::of(&world, &asked, offers),
    }))
}

fn bodies(world: &World, asked: &Asked) -> Vec<OfferBody> {
    let passenger_ids = asked.passenger_ids(world.seed);
    offers::answering(world, asked)
        .iter()
        .map(|offered| OfferBody::of(world, offered, &passenger_ids))
        .collect()
}

fn search(fields: &Fields<'_>, now: DateTime<Utc>) -> Option<Search> {
    let slices = fields.list("slices");
    if slices.len() > MOST_SLICES {
        fields.wrong(
            "slices",
            "validation_length",
            format!("Field 'slices' can have at most {MOST_SLICES} items"),
        );
    }
    let legs: Vec<Option<Leg>> = slices.iter().map(|slice| leg(slice, now)).collect();
    let dates: Vec<_> = legs.iter().flatten().map(|leg| leg.date).collect();
    if let Some(late) = dates.windows(2).position(|pair| pair.first() > pair.last()) {
        let name = format!("slices/{}/departure_date", late + 1);
        fields.wrong(
            &name,
            "validation_inclusion",
            "Field 'departure_date' must not be before the previous slice's",
        );
    }
    let party = party(fields);
    let cabin = match fields.has("cabin_class").then(|| cabin(fields)) {
        None => None,
        Some(cabin) => Some(cabin?),
    };
    let max_connections = match fields.has("max_connections") {
        true => u8::try_from(fields.optional_number("max_connections", 0, 2)?).ok()?,
        false => 1,
    };
    let legs: Vec<Leg> = legs.into_iter().collect::<Option<_>>()?;
    let wishes = special::wishes(&legs);
    Some(Search {
        legs,
        party: party?,
        cabin,
        max_connections,
        wishes,
    })
}

fn leg(slice: &Fields<'_>, now: DateTime<Utc>) -> Option<Leg> {
    let place = |name: &str| {
        let code = slice.text(name)?;
        let place = Place::of(code);
        if place.is_none() {
            let message = format!("Field '{name}' must be the IATA code of an airport or a city");
            slice.wrong(name, "validation_inclusion", message);
        }
        place
    };
    let (from, to) = (place("origin"), place("destination"));
    let date = slice.date("departure_date");
    let (from, to, date) = (from?, to?, date?);
    let today = from
        .airports
        .first()
        .map(|airport| airport.local_time_at(now).date())?;
    // An id holds a date as days in sixteen bits, until 2149.
    if date < today || date > today + chrono::TimeDelta::days(40_000) {
        let message = format!(
            "Field 'departure_date' must be after {}",
            today.pred_opt().unwrap_or(today)
        );
        slice.wrong("departure_date", "validation_inclusion", message);
    }
    Some(Leg { from, to, date })
}

fn party(fields: &Fields<'_>) -> Option<Vec<Traveller>> {
    let passengers = fields.list("passengers");
    if passengers.len() > MOST_PASSENGERS {
        let message = format!("Field 'passengers' can have at most {MOST_PASSENGERS} items");
        fields.wrong("passengers", "validation_length", message);
    }
    let party: Vec<Traveller> = passengers.iter().map(traveller).collect::<Option<_>>()?;
    let number = |kind| party.iter().filter(|traveller| traveller.kind == kind).count();
    if number(Kind::Infant) > number(Kind::Adult) {
        let message = "Field 'passengers' can't have more infants without a seat than adults";
        fields.wrong("passengers", "validation_inclusion", message);
    }
    Some(party)
}

fn traveller(passenger: &Fields<'_>) -> Option<Traveller> {
    if passenger.has("age") {
        let age = u8::try_from(passenger.optional_number("age", 0, 130)?).ok()?;
        return Some(Traveller {
            kind: kind_at(age),
            age: Some(age),
        });
    }
    let kind = match passenger.one_of("type", &["adult", "child", "infant_without_seat"])? {
        "adult" => Kind::Adult,
        "child" => Kind::Child,
        _ => Kind::Infant,
    };
    Some(Traveller { kind, age: None })
}

fn cabin(fields: &Fields<'_>) -> Option<Cabin> {
    Some(
        match fields.one_of(
            "cabin_class",
            &["economy", "premium_economy", "business", "first"],
        )? {
            "economy" => Cabin::Economy,
            "premium_economy" => Cabin::PremiumEconomy,
            "business" => Cabin::Business,
            _ => Cabin::First,
        },
    )
}
