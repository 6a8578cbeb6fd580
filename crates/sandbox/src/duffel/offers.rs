//! Offers: listing them, reading one again, pricing one for a purchase.

use std::cmp::Reverse;

use actix_web::HttpRequest;
use actix_web::web::{Bytes, Data, Path};
use chrono::TimeDelta;
use serde_json::{Value, json};

use super::World;
use super::errors::{ApiError, ApiResult, Problem};
use super::fields::Sent;
use super::offer_body::offer;
use super::offered::{Offered, answering, find, read};
use super::{offer_services, paging, wire};
use crate::fault_injection::InjectedFault;
use crate::itinerary::Journey;
use crate::json::insert;
use crate::search_ids::StampedSearch;

/// `GET /air/offers`: the offers of a search, in pages.
pub(super) async fn list(world: Data<World>, request: HttpRequest) -> ApiResult {
    let parameters = paging::parameters(request.query_string());
    let request_id = paging::required(&parameters, "offer_request_id")?;
    let stamped = StampedSearch::of_request_id(world.seed, request_id).ok_or_else(ApiError::not_found)?;
    let mut offers = answering(&world, &stamped);
    if let Some(most) = paging::number(&parameters, "max_connections", 0, 2)? {
        let most = usize::try_from(most).unwrap_or_default();
        offers.retain(|offered| offered.bundle.journeys.iter().all(|journey| journey.then.len() <= most));
    }
    let duration =
        |offered: &Offered| -> TimeDelta { offered.bundle.journeys.iter().map(Journey::duration).sum() };
    match paging::parameter(&parameters, "sort") {
        None => {}
        Some("total_amount") => offers.sort_by_key(|offered| offered.fare.total()),
        Some("-total_amount") => offers.sort_by_key(|offered| Reverse(offered.fare.total())),
        Some("total_duration") => offers.sort_by_key(duration),
        Some("-total_duration") => offers.sort_by_key(|offered| Reverse(duration(offered))),
        Some(_) => {
            let message = "Parameter 'sort' must be one of: total_amount, -total_amount, total_duration, -total_duration";
            return Err(Problem::bad_parameter("validation_inclusion", "sort", message).into());
        }
    }
    let passenger_ids = stamped.passenger_ids(world.seed);
    let (page, meta) = paging::page(offers, |offered| &offered.id, &parameters)?;
    let page = page.iter().map(|offered| offer(&world, offered, &passenger_ids));
    Ok(wire::listed(meta, page.collect()))
}

/// `GET /air/offers/{id}`: the offer at its present price.
pub(super) async fn show(
    world: Data<World>,
    request: HttpRequest,
    injected: InjectedFault,
    id: Path<String>,
) -> ApiResult {
    let parameters = paging::parameters(request.query_string());
    let return_services = paging::flag(&parameters, "return_available_services")?.unwrap_or(false);
    let offered = read(&world, &id, injected)?;
    let passenger_ids = offered.stamped.passenger_ids(world.seed);
    let mut body = offer(&world, &offered, &passenger_ids);
    if return_services {
        let reading = rand::random();
        find(&world, &id, |state| state.bags_reading = Some(reading));
        let services = offer_services::bag_bodies(&world, &offered, reading, &passenger_ids);
        insert(&mut body, "available_services", services);
    }
    Ok(wire::ok(body))
}

/// `POST /air/offers/{id}/actions/price`: the offer with what one intends to buy, at what that costs.
pub(super) async fn price(
    world: Data<World>,
    request: HttpRequest,
    injected: InjectedFault,
    id: Path<String>,
    body: Bytes,
) -> ApiResult {
    let sent = if body.is_empty() { Sent::default() } else { Sent::read(&request, &body)? };
    let offered = read(&world, &id, injected)?;
    let fields = sent.fields();
    let methods = fields.optional_list("intended_payment_methods");
    let methods =
        methods.iter().filter_map(|method| method.one_of("type", &["balance", "arc_bsp_cash", "card"]));
    let methods: Vec<Value> = methods.map(|kind| json!({ "type": kind })).collect();
    let wanted = offer_services::wanted(&fields, "intended_services");
    let bought = offer_services::buy(&world, &offered, &wanted, &fields, "intended_services");
    sent.check()?;
    let services_cost = offer_services::cost(&world.tariff, &bought?);
    let services = wanted.iter().map(|each| json!({ "id": each.id, "quantity": each.quantity }));
    let passenger_ids = offered.stamped.passenger_ids(world.seed);
    let mut body = offer(&world, &offered, &passenger_ids);
    insert(&mut body, "total_amount", json!(offered.fare.total() + services_cost));
    insert(&mut body, "base_amount", json!(offered.fare.base + services_cost));
    insert(&mut body, "intended_payment_methods", methods);
    insert(&mut body, "intended_services", services.collect::<Vec<_>>());
    if let Some(reading) = offered.state.bags_reading {
        let services = offer_services::bag_bodies(&world, &offered, reading, &passenger_ids);
        insert(&mut body, "available_services", services);
    }
    Ok(wire::ok(body))
}
