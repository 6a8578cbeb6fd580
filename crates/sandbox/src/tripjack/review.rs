//! `POST /fms/v1/review`: fares read again, and a session to book them in.

use actix_web::web::{Bytes, Data};
use serde::Deserialize;
use serde_json::{Value, json};

use super::World;
use super::conditions::conditions;
use super::errors::{ApiError, ApiResult, done, json_body};
use super::offers::{self, Offered};
use super::pricing::{Price, fare_alert, total_detail};
use super::reviews::Review;
use super::rules;
use super::sold_fare::Sold;
use super::ssr::Offering;
use super::trip_body;
use super::trip_parts::{TripType, is_domestic, parts};
use super::wire::{cabin_name, kind_name, place};
use crate::fault_injection::InjectedFault;
use crate::itinerary::{PassengerType, Search};
use crate::json::{insert, without_nulls};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    price_ids: Vec<String>,
}

/// Reads fares again and opens a session for them.
pub(super) async fn review(world: Data<World>, injected: InjectedFault, body: Bytes) -> ApiResult {
    let body: Body = json_body(&body)?;
    if body.price_ids.is_empty() {
        return Err(ApiError::refused(1009, "Price id cannot be empty"));
    }
    let mut offers = Vec::new();
    for id in &body.price_ids {
        offers.push(offers::read(&world, id, injected)?);
    }
    offers.sort_by_key(|offered| offered.price_ref.part);
    fit_together(&offers)?;
    if offers.iter().any(|offered| offered.gone) {
        return Err(ApiError::sold_out());
    }
    let review = Review::open(&world, offers);
    Ok(done(body_of(&world, &review)))
}

/// Whether fares, in the order of travel, make up one whole trip that is sold so.
fn fit_together(offers: &[Offered]) -> Result<(), ApiError> {
    let Some(first) = offers.first() else { return Err(ApiError::expired()) };
    let request = &first.price_ref.request;
    let needed = parts(&request.stamped.search).len();
    let covers_each_part_once = offers.len() == needed
        && (0_u8..)
            .zip(offers)
            .all(|(part, offered)| offered.price_ref.part == part && offered.price_ref.request == *request);
    if !covers_each_part_once {
        let details = format!("{needed} price ids of one search are needed, one for each of its keys");
        return Err(ApiError::refused(1080, "Selected fares cannot be combined").about(details));
    }
    let are_twins = match offers {
        [there, back] => {
            let names = |one: &Offered, other: &Offered| one.price_ref.twin == Some(other.price_ref.place);
            let alone = there.price_ref.twin.is_none() && back.price_ref.twin.is_none();
            alone || (names(there, back) && names(back, there))
        }
        _ => true,
    };
    if !are_twins {
        let details = "A SPECIAL_RETURN fare is sold with the fare that its msri names and with no other";
        return Err(ApiError::refused(1080, "Selected fares cannot be combined").about(details));
    }
    let in_order = offers.windows(2).all(|pair| match pair {
        [there, back] => offers::follows(&there.sold.bundle, &back.sold.bundle),
        _ => true,
    });
    if !in_order {
        let details = "A flight leaves before the one before it has arrived";
        return Err(ApiError::refused(1080, "Selected fares cannot be combined").about(details));
    }
    Ok(())
}

fn body_of(world: &World, review: &Review) -> Value {
    let prices: Vec<&Price> = review.sold().map(|sold| &sold.price).collect();
    without_nulls(json!({
        "tripInfos": trip_infos(world, review),
        "searchQuery": review.search().map(|search| search_query(world, review, search)),
        "bookingId": review.booking_id,
        "totalPriceInfo": { "totalFareDetail": total_detail(prices, world.tariff.zero()) },
        "conditions": conditions(world, review),
        "alerts": fare_alert(review.searched_total(), review.total()),
    }))
}

/// The trips of a review, each with the one fare that was chosen.
fn trip_infos(world: &World, review: &Review) -> Vec<Value> {
    let trip_info = |sold: &Sold| {
        let offering = Offering::of(world, sold);
        let mut segments = trip_body::segments(sold);
        for (at, segment) in segments.iter_mut().enumerate() {
            insert(segment, "ac", json!([]));
            if let Some(info) = offering.info(at) {
                insert(segment, "ssrInfo", info);
            }
        }
        json!({
            "sI": segments,
            "totalPriceList": [chosen_fare(world, sold)],
            "airFlowType": "SEARCH",
        })
    };
    review.sold().map(trip_info).collect()
}

fn chosen_fare(world: &World, sold: &Sold) -> Value {
    let mut fare = trip_body::chosen(world, sold);
    if sold.terms(world).discloses_rules {
        let rules = json!({ "fr": {}, "tfr": rules::at_review(world, sold) });
        insert(&mut fare, "fareRuleInformation", rules);
    }
    fare
}

fn search_query(world: &World, review: &Review, search: &Search) -> Value {
    let routes = search.slices.iter().map(|slice| {
        json!({
            "fromCityOrAirport": place(&slice.from),
            "toCityOrAirport": place(&slice.to),
            "travelDate": slice.date,
        })
    });
    let pax: serde_json::Map<String, Value> = PassengerType::ALL
        .into_iter()
        .map(|kind| (kind_name(kind).to_owned(), json!(kind.number_in(&search.party))))
        .collect();
    let (trip, is_domestic) = (TripType::of(search), is_domestic(search));
    let request = review.request();
    json!({
        "routeInfos": routes.collect::<Vec<_>>(),
        "cabinClass": search.cabin.map(cabin_name),
        "paxInfo": pax,
        "requestId": request.map(|request| request.number(world.seed).to_string()),
        "searchType": trip.name(),
        "searchModifiers": {
            "isDirectFlight": search.max_connections == 0,
            "isConnectingFlight": request.is_some_and(|request| request.only_connections),
            "pft": "REGULAR",
            "pfts": ["REGULAR"],
        },
        "sourceIds": [4],
        "isDomestic": is_domestic,
        "isCustomCombination": false,
        "isOneWay": trip == TripType::OneWay,
        "isDomesticMultiCity": is_domestic && trip == TripType::MultiCity,
        "isDomesticReturn": is_domestic && trip == TripType::Return,
        "isMultiCity": trip == TripType::MultiCity,
    })
}
