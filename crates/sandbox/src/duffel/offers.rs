//! Offers: listing them, reading one again, pricing one for a purchase.

use std::cell::RefCell;
use std::cmp::Reverse;

use actix_web::HttpRequest;
use actix_web::web::{Bytes, Data, Path};
use chrono::TimeDelta;
use rust_decimal::{Decimal, dec};
use serde_json::{Value, json};

use super::errors::{ApiError, ApiResult, Problem};
use super::fields::{self, Fields};
use super::offer_body::offer;
use super::offer_ids::OfferRef;
use super::{offer_services, paging, wire};
use crate::expiring_map::OfferChanges;
use crate::fares::{self, Deadlines, Fare};
use crate::fault_injection::InjectedFault;
use crate::inventory::Inventory;
use crate::itinerary::{Bundle, Journey};
use crate::json::insert;
use crate::search_ids::StampedSearch;
use crate::server::World;
use crate::tariff::Tariff;
use crate::test_routes::{self, Situation};

#[derive(Debug, Clone)]
pub(super) struct Offered {
    pub(super) id: String,
    pub(super) stamped: StampedSearch,
    pub(super) bundle: Bundle,
    /// At the present price.
    pub(super) fare: Fare,
    pub(super) state: OfferState,
}

impl Offered {
    /// Until when to pay, where the offer can be held.
    pub(super) fn deadlines(&self) -> Option<Deadlines> {
        let departure = self.bundle.departure()?;
        self.fare.hold?.deadlines(self.stamped.at, departure)
    }

    pub(super) fn situation(&self) -> Option<Situation> {
        test_routes::situation(&self.stamped.search.slices)
    }

    pub(super) fn gone(&self) -> ApiError {
        ApiError::offer_no_longer_available(self.bundle.airline.name)
    }
}

/// What has happened to one offer since it was made. Lost with the process, as prices are.
#[derive(Debug, Clone, Default)]
pub(super) struct OfferState {
    pub(super) changes: OfferChanges,
    /// Each time it was found dearer by 10.00.
    rises: u32,
    /// The latest reading of its extras and of its seats: ids of earlier readings are void.
    pub(super) bags_reading: Option<u32>,
    pub(super) seats_reading: Option<u32>,
}

impl OfferState {
    fn applied_to(&self, fare: Fare, tariff: &Tariff) -> Fare {
        let percents = self.changes.percents.iter();
        let moved = percents.fold(fare, |fare, percent| fare.moved(tariff, *percent));
        let risen = tariff.rounded(dec!(10) * Decimal::from(self.rises));
        Fare {
            base: moved.base + risen,
            ..moved
        }
    }
}

pub(super) fn answering(world: &World, stamped: &StampedSearch) -> Vec<Offered> {
    let bundles = world.inventory.bundles(&stamped.search).into_iter().enumerate();
    bundles
        .filter(|(_, bundle)| Inventory::is_sold_at(bundle, stamped.at))
        .filter_map(|(place, bundle)| {
            let id = stamped.offer_id(world.seed, u16::try_from(place).ok()?);
            let state = world.duffel.offers.get(&id).unwrap_or_default();
            let fare = fares::fare(world.seed, &world.tariff, &bundle, &stamped.search);
            Some(Offered {
                id,
                stamped: stamped.clone(),
                bundle,
                fare: state.applied_to(fare, &world.tariff),
                state,
            })
        })
        .collect()
}

/// An offer by its id, after something has happened to it.
pub(super) fn find(world: &World, id: &str, change: impl FnOnce(&mut OfferState)) -> Option<Offered> {
    let offer = OfferRef::of_id(world.seed, id)?;
    let bundles = world.inventory.bundles(&offer.stamped.search);
    let bundle = bundles.into_iter().nth(usize::from(offer.place))?;
    let (expires_at, now) = (offer.stamped.expires_at(), world.clock.now());
    let state = world.duffel.offers.change(id.to_owned(), expires_at, now, change);
    let fare = fares::fare(world.seed, &world.tariff, &bundle, &offer.stamped.search);
    let fare = state.applied_to(fare, &world.tariff);
    Some(Offered {
        id: id.to_owned(),
        stamped: offer.stamped,
        bundle,
        fare,
        state,
    })
}

/// An offer by its id, read as the airline sees it now.
fn read(world: &World, id: &str, injected: InjectedFault) -> Result<Offered, ApiError> {
    let offered = find(world, id, |state| state.changes.add(injected));
    let mut offered = offered.ok_or_else(ApiError::not_found)?;
    let expired = offered.stamped.expires_at() <= world.clock.now();
    if expired || offered.state.changes.sold_out || offered.situation() == Some(Situation::OfferGone) {
        return Err(offered.gone());
    }
    if offered.situation() == Some(Situation::PriceRises) {
        offered = find(world, id, |state| state.rises += 1).ok_or_else(ApiError::not_found)?;
    }
    Ok(offered)
}

/// `GET /air/offers`: the offers of a search, in pages.
pub(super) async fn list(world: Data<World>, request: HttpRequest) -> ApiResult {
    let parameters = paging::parameters(request.query_string());
    let request_id = paging::required(&parameters, "offer_request_id")?;
    let stamped = StampedSearch::of_request_id(world.seed, request_id).ok_or_else(ApiError::not_found)?;
    let mut offers = answering(&world, &stamped);
    if let Some(most) = paging::number(&parameters, "max_connections", 0, 2)? {
        let most = usize::try_from(most).unwrap_or_default();
        offers.retain(|offered| {
            offered
                .bundle
                .journeys
                .iter()
                .all(|journey| journey.then.len() <= most)
        });
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
pub(super) async fn show(world: Data<World>, request: HttpRequest, id: Path<String>) -> ApiResult {
    let parameters = paging::parameters(request.query_string());
    let return_services = paging::flag(&parameters, "return_available_services")?.unwrap_or(false);
    let offered = read(&world, &id, InjectedFault::of(&request))?;
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
    id: Path<String>,
    body: Bytes,
) -> ApiResult {
    let data = if body.is_empty() {
        serde_json::Map::new()
    } else {
        fields::data(&request, &body)?
    };
    let offered = read(&world, &id, InjectedFault::of(&request))?;
    let problems = RefCell::default();
    let fields = Fields::of(&data, &problems);
    let methods = fields.optional_list("intended_payment_methods");
    let methods = methods
        .iter()
        .filter_map(|method| method.one_of("type", &["balance", "arc_bsp_cash", "card"]));
    let methods: Vec<Value> = methods.map(|kind| json!({ "type": kind })).collect();
    let wanted = offer_services::wanted(&fields, "intended_services");
    let bought = offer_services::buy(&world, &offered, &wanted, &fields, "intended_services");
    let problems = problems.take();
    if !problems.is_empty() {
        return Err(problems.into());
    }
    let services_cost = offer_services::cost(&world.tariff, &bought?);
    let services = wanted
        .iter()
        .map(|each| json!({ "id": each.id, "quantity": each.quantity }));
    let passenger_ids = offered.stamped.passenger_ids(world.seed);
    let mut body = offer(&world, &offered, &passenger_ids);
    insert(
        &mut body,
        "total_amount",
        json!(offered.fare.total() + services_cost),
    );
    insert(&mut body, "base_amount", json!(offered.fare.base + services_cost));
    insert(&mut body, "intended_payment_methods", methods);
    insert(&mut body, "intended_services", services.collect::<Vec<_>>());
    if let Some(reading) = offered.state.bags_reading {
        let services = offer_services::bag_bodies(&world, &offered, reading, &passenger_ids);
        insert(&mut body, "available_services", services);
    }
    Ok(wire::ok(body))
}
