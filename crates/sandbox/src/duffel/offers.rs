//! Offers: listing them, reading one again, pricing one for a purchase.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::PoisonError;

use actix_web::web::{Bytes, Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use chrono::{DateTime, Utc};
use rust_decimal::{Decimal, dec};
use serde_json::json;

use super::errors::{ApiError, ApiResult, Problem};
use super::fields::{self, Fields};
use super::offer_body::{Intended, OfferBody};
use super::offer_ids::OfferRef;
use super::wire::{Listed, Single};
use super::{offer_services, paging};
use crate::fares::{self, Deadlines, Fare};
use crate::fault_injection::InjectedFault;
use crate::inventory::Inventory;
use crate::itinerary::{Bundle, Journey};
use crate::search_ids::StampedSearch;
use crate::server::World;
use crate::tariff::Tariff;
use crate::test_routes::{self, Situation};

/// An offer as it stands.
#[derive(Debug, Clone)]
pub(super) struct Offered {
    pub(super) id: String,
    pub(super) stamped: StampedSearch,
    pub(super) bundle: Bundle,
    /// At the present price.
    pub(super) fare: Fare,
    pub(super) moved: Moved,
}

impl Offered {
    /// Until when to pay, where the offer can be held.
    pub(super) fn deadlines(&self) -> Option<Deadlines> {
        let departure = self.bundle.departure()?;
        self.fare.hold?.deadlines(self.stamped.at, departure)
    }

    /// What Duffel's test mode rehearses with it.
    pub(super) fn situation(&self) -> Option<Situation> {
        test_routes::situation(&self.stamped.search.slices)
    }

    /// Who says that it is gone.
    pub(super) fn gone(&self) -> ApiError {
        ApiError::offer_no_longer_available(self.bundle.airline.name)
    }
}

/// What has happened to offers since they were made. Lost with the process, as prices are.
#[derive(Debug, Default)]
pub(super) struct Moves {
    by_offer: HashMap<String, Moved>,
}

/// What has happened to one offer.
#[derive(Debug, Clone, Default)]
pub(super) struct Moved {
    /// Each time it was found dearer by 10.00.
    rises: u32,
    /// By how many percent its price moved, one after the other.
    pub(super) percents: Vec<Decimal>,
    pub(super) gone: bool,
    /// The latest reading of its extras and of its seats: ids of earlier readings are void.
    pub(super) bags_reading: Option<u32>,
    pub(super) seats_reading: Option<u32>,
    expires_at: DateTime<Utc>,
}

const MOST_MOVES: usize = 20_000;

impl Moved {
    fn applied_to(&self, fare: Fare, tariff: &Tariff) -> Fare {
        let moved = self.percents.iter().fold(fare, |fare, percent| {
            let (total, tax) = (
                tariff.moved(fare.total(), *percent),
                tariff.moved(fare.tax, *percent),
            );
            Fare {
                base: total - tax,
                tax,
                ..fare
            }
        });
        Fare {
            base: moved.base + tariff.rounded(dec!(10) * Decimal::from(self.rises)),
            ..moved
        }
    }
}

/// Lets something happen to an offer, and says what has happened to it by then.
pub(super) fn touch(world: &World, offer: &OfferRef, id: &str, happen: impl FnOnce(&mut Moved)) -> Moved {
    let mut moves = world.duffel.offers.lock().unwrap_or_else(PoisonError::into_inner);
    if moves.by_offer.len() >= MOST_MOVES {
        let now = world.clock.now();
        moves.by_offer.retain(|_, moved| moved.expires_at > now);
    }
    let moved = moves.by_offer.entry(id.to_owned()).or_default();
    moved.expires_at = offer.stamped.expires_at();
    happen(moved);
    moved.clone()
}

/// All offers that answer a search.
pub(super) fn answering(world: &World, stamped: &StampedSearch) -> Vec<Offered> {
    let moves = world.duffel.offers.lock().unwrap_or_else(PoisonError::into_inner);
    let bundles = world.inventory.bundles(&stamped.search).into_iter().enumerate();
    bundles
        .filter(|(_, bundle)| Inventory::is_sold_at(bundle, stamped.at))
        .filter_map(|(place, bundle)| {
            let id = stamped.offer_id(world.seed, u16::try_from(place).ok()?);
            let moved = moves.by_offer.get(&id).cloned().unwrap_or_default();
            let fare = fares::fare(world.seed, &world.tariff, &bundle, &stamped.search);
            Some(Offered {
                id,
                stamped: stamped.clone(),
                bundle,
                fare: moved.applied_to(fare, &world.tariff),
                moved,
            })
        })
        .collect()
}

/// An offer by its id, after something has happened to it.
pub(super) fn find(world: &World, id: &str, happen: impl FnOnce(&mut Moved)) -> Option<Offered> {
    let offer = OfferRef::of_id(world.seed, id)?;
    let bundles = world.inventory.bundles(&offer.stamped.search);
    let bundle = bundles.into_iter().nth(usize::from(offer.place))?;
    let moved = touch(world, &offer, id, happen);
    let fare = fares::fare(world.seed, &world.tariff, &bundle, &offer.stamped.search);
    let fare = moved.applied_to(fare, &world.tariff);
    Some(Offered {
        id: id.to_owned(),
        stamped: offer.stamped,
        bundle,
        fare,
        moved,
    })
}

/// An offer by its id, read as the airline sees it now.
fn read(world: &World, id: &str, injected: InjectedFault) -> Result<Offered, ApiError> {
    let offered = find(world, id, |moved| {
        moved.percents.extend(injected.price_changed);
        moved.gone |= injected.sold_out;
    });
    let mut offered = offered.ok_or_else(ApiError::not_found)?;
    let expired = offered.stamped.expires_at() <= world.clock.now();
    if expired || offered.moved.gone || offered.situation() == Some(Situation::OfferGone) {
        return Err(offered.gone());
    }
    if offered.situation() == Some(Situation::PriceRises) {
        offered = find(world, id, |moved| moved.rises += 1).ok_or_else(ApiError::not_found)?;
    }
    Ok(offered)
}

/// `GET /air/offers`: the offers of a search, in pages.
pub(super) async fn list(world: Data<World>, request: HttpRequest) -> ApiResult {
    let parameters = paging::parameters(request.query_string());
    let Some(request_id) = paging::parameter(&parameters, "offer_request_id") else {
        let message = "Parameter 'offer_request_id' can't be blank";
        return Err(Problem::bad_parameter("validation_required", "offer_request_id", message).into());
    };
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
    let duration = |offered: &Offered| {
        offered
            .bundle
            .journeys
            .iter()
            .map(Journey::duration)
            .sum::<chrono::TimeDelta>()
    };
    match paging::parameter(&parameters, "sort") {
        None => {}
        Some("total_amount") => offers.sort_by_key(|offered| offered.fare.total()),
        Some("-total_amount") => offers.sort_by_key(|offered| std::cmp::Reverse(offered.fare.total())),
        Some("total_duration") => offers.sort_by_key(duration),
        Some("-total_duration") => offers.sort_by_key(|offered| std::cmp::Reverse(duration(offered))),
        Some(_) => {
            let message = "Parameter 'sort' must be one of: total_amount, -total_amount, total_duration, -total_duration";
            return Err(Problem::bad_parameter("validation_inclusion", "sort", message).into());
        }
    }
    let passenger_ids = stamped.passenger_ids(world.seed);
    let (page, meta) = paging::page(offers, |offered| &offered.id, &parameters)?;
    let page: Vec<OfferBody> = page
        .iter()
        .map(|offered| OfferBody::of(&world, offered, &passenger_ids))
        .collect();
    Ok(HttpResponse::Ok().json(Listed { meta, data: page }))
}

/// `GET /air/offers/{id}`: the offer at its present price.
pub(super) async fn show(world: Data<World>, request: HttpRequest, id: Path<String>) -> ApiResult {
    let parameters = paging::parameters(request.query_string());
    let return_services = paging::flag(&parameters, "return_available_services")?.unwrap_or(false);
    let offered = read(&world, &id, InjectedFault::of(&request))?;
    let passenger_ids = offered.stamped.passenger_ids(world.seed);
    let body = OfferBody::of(&world, &offered, &passenger_ids);
    let body = if return_services {
        let reading = rand::random();
        find(&world, &id, |moved| moved.bags_reading = Some(reading));
        body.with_services(offer_services::bag_bodies(
            &world,
            &offered,
            reading,
            &passenger_ids,
        ))
    } else {
        body
    };
    Ok(HttpResponse::Ok().json(Single { data: body }))
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
    let intended_payment_methods = methods.map(|kind| json!({ "type": kind })).collect();
    let wanted = offer_services::wanted(&fields, "intended_services");
    let bought = offer_services::buy(&world, &offered, &wanted, &fields, "intended_services");
    let problems = problems.take();
    if !problems.is_empty() {
        return Err(problems.into());
    }
    let bought = bought?;
    let intended = Intended {
        intended_payment_methods,
        intended_services: wanted
            .iter()
            .map(|request| json!({ "id": request.id, "quantity": request.quantity }))
            .collect(),
        services_cost: offer_services::cost(&world.tariff, &bought),
    };
    let passenger_ids = offered.stamped.passenger_ids(world.seed);
    let body = OfferBody::of(&world, &offered, &passenger_ids).intended(&offered, intended);
    let body = match offered.moved.bags_reading {
        Some(reading) => body.with_services(offer_services::bag_bodies(
            &world,
            &offered,
            reading,
            &passenger_ids,
        )),
        None => body,
    };
    Ok(HttpResponse::Ok().json(Single { data: body }))
}
