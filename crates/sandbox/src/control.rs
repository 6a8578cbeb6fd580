//! The control surface, which no real supplier has: is it alive, what was ordered, and what is to go wrong.

use actix_web::error::{Error, InternalError};
use actix_web::web::{Bytes, Data, Path, ServiceConfig, delete, get, post, scope};
use actix_web::{HttpResponse, HttpResponseBuilder, Responder};
use rust_decimal::Decimal;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::airline_delay::AirlineChangeError;
use crate::duffel;
use crate::faults::{Call, Fault, Queued, Supplier};
use crate::hotelbeds;
use crate::oddities::OddCalls;
use crate::orders::{Summary, UnaskedError};
use crate::tripjack;
use crate::world::World;

/// Everything below `/_sandbox`.
pub(crate) fn routes(config: &mut ServiceConfig) {
    config.service(
        scope("/_sandbox")
            .route("/health", get().to(health))
            .route("/orders", get().to(orders))
            .route("/orders/{id}/airline_change", post().to(change_flights))
            .route("/orders/{id}/cancel", post().to(end_by_supplier))
            .route("/orders/{id}/hotel_numbers", post().to(tell_hotel_numbers))
            .route("/content_calls", get().to(content_calls))
            .route("/webhooks", post().to(tell_there))
            .route("/faults", post().to(queue_fault))
            .route("/faults", get().to(faults))
            .route("/faults", delete().to(clear_faults))
            .route("/oddities", post().to(add_oddities))
            .route("/oddities", get().to(oddities))
            .route("/oddities", delete().to(clear_oddities)),
    );
}

/// What was asked, or why it was not done.
type Answer = Result<HttpResponse, Error>;

fn refused_as(mut status: HttpResponseBuilder, reason: String) -> Error {
    let answer = status.json(json!({ "error": reason }));
    InternalError::from_response(reason, answer).into()
}

fn refused(reason: String) -> Error {
    refused_as(HttpResponse::UnprocessableEntity(), reason)
}

/// A body that must be so.
fn read<T: DeserializeOwned>(body: &[u8], must: &str) -> Result<T, Error> {
    serde_json::from_slice(body)
        .map_err(|reason| refused(format!("the body must be JSON with {must}: {reason}")))
}

/// The same of a body that may be left out.
fn read_any<T: DeserializeOwned + Default>(body: &[u8], may: &str) -> Result<T, Error> {
    if body.is_empty() { Ok(T::default()) } else { read(body, &format!("{may}, or nothing")) }
}

async fn health() -> impl Responder {
    HttpResponse::Ok().json(json!({ "status": "ok", "pid": std::process::id() }))
}

/// How often Hotelbeds was asked what hotels are, and how often it refused to say it beside a search.
async fn content_calls(world: Data<World>) -> impl Responder {
    HttpResponse::Ok().json(world.content_calls.counts())
}

async fn orders(world: Data<World>) -> impl Responder {
    let now = world.clock.now();
    let orders: Vec<Summary> = world.orders.all().iter().map(|order| order.summary(now)).collect();
    HttpResponse::Ok().json(orders)
}

/// All flights of a slice leave so many minutes later.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Delay {
    slice: usize,
    minutes: u32,
}

impl Default for Delay {
    fn default() -> Self {
        Self { slice: 0, minutes: 60 }
    }
}

const LONGEST_DELAY: u32 = 7 * 24 * 60;

async fn change_flights(world: Data<World>, id: Path<String>, body: Bytes) -> Answer {
    let Delay { slice, minutes } = read_any(&body, "slice and minutes")?;
    if !(1..=LONGEST_DELAY).contains(&minutes) {
        return Err(refused(format!("minutes must be from 1 to {LONGEST_DELAY}")));
    }
    let changed = match duffel::delay(&world, &id, slice, minutes) {
        Err(AirlineChangeError::NoOrder(_)) => tripjack::delay(&world, &id, slice, minutes).map(|()| None),
        changed => changed.map(Some),
    };
    let change = changed.map_err(|reason| {
        let status = match reason {
            AirlineChangeError::NoOrder(_) => HttpResponse::NotFound(),
            AirlineChangeError::NoSlice(_) | AirlineChangeError::Cancelled => {
                HttpResponse::UnprocessableEntity()
            }
            AirlineChangeError::Unwritable(_) => HttpResponse::InternalServerError(),
        };
        refused_as(status, reason.to_string())
    })?;
    Ok(HttpResponse::Created().json(json!({ "id": change })))
}

/// What a supplier gives back for an order that it ends by itself: all that was paid where nothing is said.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
struct End {
    #[serde(with = "rust_decimal::serde::arbitrary_precision_option")]
    refund: Option<Decimal>,
    told: bool,
    currency: Option<String>,
}

impl Default for End {
    fn default() -> Self {
        Self { refund: None, told: true, currency: None }
    }
}

async fn end_by_supplier(world: Data<World>, id: Path<String>, body: Bytes) -> Answer {
    let End { refund, told, currency } = read_any(&body, "refund, told and currency")?;
    done_unasked(world.orders.end_by_supplier(&id, refund, (told, currency), world.clock.now()))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HotelNumbers {
    numbers: Vec<String>,
}

async fn tell_hotel_numbers(world: Data<World>, id: Path<String>, body: Bytes) -> Answer {
    let HotelNumbers { numbers } = read(&body, "numbers")?;
    let told = done_unasked(world.orders.tell_hotel_numbers(&id, numbers))?;
    hotelbeds::push_reconfirmation(&world, &id);
    Ok(told)
}

/// Where a supplier is to tell of news, and what then proves it: as it is agreed with the supplier's people.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Agreed {
    supplier: String,
    url: String,
    /// What signs at Duffel; elsewhere the address is the secret.
    secret: Option<String>,
}

async fn tell_there(world: Data<World>, body: Bytes) -> Answer {
    let Agreed { supplier, url, secret } = read(&body, "supplier and url, and secret where it signs")?;
    let supplier: Supplier = supplier.parse().map_err(refused)?;
    world.webhooks.agree(supplier, &url, secret, world.clock.now()).map_err(refused)?;
    Ok(HttpResponse::NoContent().finish())
}

fn done_unasked(done: Result<(), UnaskedError>) -> Answer {
    let Err(reason) = done else { return Ok(HttpResponse::NoContent().finish()) };
    let status = match reason {
        UnaskedError::NoOrder(_) => HttpResponse::NotFound(),
        UnaskedError::Unwritable(_) => HttpResponse::InternalServerError(),
        UnaskedError::Ended | UnaskedError::NoHotel | UnaskedError::Refund(_) => {
            HttpResponse::UnprocessableEntity()
        }
    };
    Err(refused_as(status, reason.to_string()))
}

#[derive(Deserialize)]
struct FaultRequest {
    supplier: String,
    call: String,
    fault: String,
    #[serde(default = "once")]
    times: u32,
}

fn once() -> u32 {
    1
}

async fn queue_fault(world: Data<World>, body: Bytes) -> Answer {
    let request = read(&body, "supplier, call and fault, and times if more than once")?;
    let queued = parse_fault(request).map_err(refused)?;
    world.faults.queue(queued.clone());
    Ok(HttpResponse::Created().json(queued))
}

fn parse_fault(request: FaultRequest) -> Result<Queued, String> {
    let supplier: Supplier = request.supplier.parse()?;
    let call: Call = request.call.parse()?;
    let fault: Fault = request.fault.parse()?;
    if !fault.fits(supplier, call) {
        let (call, supplier) = (request.call, request.supplier);
        return Err(format!("fault '{fault}' cannot happen to call '{call}' of {supplier}"));
    }
    if request.times == 0 {
        return Err("times must be at least 1".to_owned());
    }
    Ok(Queued { supplier, call, fault, times: request.times })
}

async fn faults(world: Data<World>) -> impl Responder {
    HttpResponse::Ok().json(world.faults.list())
}

async fn clear_faults(world: Data<World>) -> impl Responder {
    world.faults.clear();
    HttpResponse::NoContent().finish()
}

async fn add_oddities(world: Data<World>, body: Bytes) -> Answer {
    let asked: OddCalls = read(&body, "names, drawn or both, and may have supplier, call and seed")?;
    world.oddities.add(asked.clone()).map_err(refused)?;
    Ok(HttpResponse::Created().json(asked))
}

async fn oddities(world: Data<World>) -> impl Responder {
    HttpResponse::Ok().json(world.oddities.list())
}

async fn clear_oddities(world: Data<World>) -> impl Responder {
    world.oddities.clear();
    HttpResponse::NoContent().finish()
}
