//! Duffel's words for an offer and for the search it answers.

use serde_json::{Value, json};

use super::World;
use super::offered::Offered;
use super::slice_body::Trip;
use super::{papers, places, wire};
use crate::itinerary::Search;
use crate::json::insert;
use crate::search_ids::StampedSearch;

/// A search, with its offers where they are asked for.
pub(super) fn offer_request(world: &World, stamped: &StampedSearch, offers: Option<Vec<Value>>) -> Value {
    let search = &stamped.search;
    let created_at = wire::instant(stamped.at);
    let slices = search.slices.iter().filter_map(|slice| {
        let (origin, origin_type) = places::place(&slice.from)?;
        let (destination, destination_type) = places::place(&slice.to)?;
        Some(json!({
            "origin": origin,
            "origin_type": origin_type,
            "destination": destination,
            "destination_type": destination_type,
            "departure_date": slice.date,
            "created_at": created_at,
        }))
    });
    let mut body = json!({
        "id": stamped.request_id(world.seed),
        "client_key": format!("sandbox.{}", stamped.request_id(world.seed)),
        "live_mode": false,
        "created_at": created_at,
        "cabin_class": search.cabin,
        "slices": slices.collect::<Vec<_>>(),
        "passengers": passengers(search, &stamped.passenger_ids(world.seed)),
        "airline_credit_ids": [],
    });
    if let Some(offers) = offers {
        insert(&mut body, "offers", offers);
    }
    body
}

fn passengers(search: &Search, ids: &[String]) -> Vec<Value> {
    let party = search.party.iter().zip(ids);
    party
        .map(|(traveller, id)| {
            json!({
                "id": id, "type": wire::passenger_type(traveller.kind), "age": traveller.age,
                "given_name": null, "family_name": null, "fare_type": null, "loyalty_programme_accounts": [],
            })
        })
        .collect()
}

pub(super) fn offer(world: &World, offered: &Offered, passenger_ids: &[String]) -> Value {
    let currency = world.tariff.currency;
    let (search, fare) = (&offered.stamped.search, &offered.fare);
    let trip = Trip {
        seed: world.seed,
        id: &offered.id,
        offer_id: &offered.id,
        bundle: &offered.bundle,
        fare,
        currency,
        party: &search.party,
        passenger_ids,
        scenario: search.scenario,
        bought: None,
        changes: &[],
        is_changeable: false,
    };
    let papers = papers::terms(offered);
    let deadlines = offered.deadlines();
    let price_until = deadlines.and_then(|deadlines| deadlines.price_until);
    json!({
        "id": offered.id,
        "live_mode": false,
        "partial": false,
        "created_at": wire::instant(offered.stamped.at),
        "updated_at": wire::instant(world.clock.now()),
        "expires_at": wire::instant(offered.stamped.expires_at()),
        "owner": places::airline(offered.bundle.airline),
        "total_amount": fare.total(),
        "total_currency": currency,
        "base_amount": fare.base,
        "base_currency": currency,
        "tax_amount": fare.tax,
        "tax_currency": currency,
        "total_emissions_kg": fare.emissions_kg.to_string(),
        "payment_requirements": {
            "requires_instant_payment": deadlines.is_none(),
            "price_guarantee_expires_at": price_until.map(wire::deadline),
            "payment_required_by": deadlines.map(|deadlines| wire::deadline(deadlines.pay_by)),
        },
        "conditions": wire::conditions(fare, currency),
        "passenger_identity_documents_required": papers.required,
        "supported_passenger_identity_document_types": papers.types,
        "allowed_passenger_identity_document_types": papers.types,
        "supported_loyalty_programmes": papers.programmes,
        "available_airline_credit_ids": [],
        "private_fares": [],
        "passengers": passengers(search, passenger_ids),
        "slices": trip.slices(),
        "available_services": null,
    })
}
