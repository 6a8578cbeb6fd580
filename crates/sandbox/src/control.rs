//! The control surface, which no real supplier has: is it alive, what was ordered, and what is to go wrong.

use actix_web::web::{Bytes, Data, Path, ServiceConfig, delete, get, post, scope};
use actix_web::{HttpResponse, Responder};
use rust_decimal::Decimal;
use serde::Deserialize;
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

impl Delay {
    const LONGEST: u32 = 7 * 24 * 60;

    fn of(body: &[u8]) -> Result<Self, String> {
        if body.is_empty() {
            return Ok(Self::default());
        }
        let delay: Self = serde_json::from_slice(body).map_err(|reason| {
            format!("the body must be JSON with slice and minutes, or nothing: {reason}")
        })?;
        if !(1..=Self::LONGEST).contains(&delay.minutes) {
            return Err(format!("minutes must be from 1 to {}", Self::LONGEST));
        }
        Ok(delay)
    }
}

async fn change_flights(world: Data<World>, id: Path<String>, body: Bytes) -> impl Responder {
    let delay = match Delay::of(&body) {
        Ok(delay) => delay,
        Err(reason) => return refused(&reason),
    };
    let changed = match duffel::delay(&world, &id, delay.slice, delay.minutes) {
        Err(AirlineChangeError::NoOrder(_)) => {
            tripjack::delay(&world, &id, delay.slice, delay.minutes).map(|()| None)
        }
        changed => changed.map(Some),
    };
    match changed {
        Ok(change) => HttpResponse::Created().json(json!({ "id": change })),
        Err(reason) => {
            let mut answer = match reason {
                AirlineChangeError::NoOrder(_) => HttpResponse::NotFound(),
                AirlineChangeError::NoSlice(_) | AirlineChangeError::Cancelled => {
                    HttpResponse::UnprocessableEntity()
                }
                AirlineChangeError::Unwritable(_) => HttpResponse::InternalServerError(),
            };
            answer.json(json!({ "error": reason.to_string() }))
        }
    }
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

async fn end_by_supplier(world: Data<World>, id: Path<String>, body: Bytes) -> impl Responder {
    let end = if body.is_empty() { Ok(End::default()) } else { serde_json::from_slice(&body) };
    match end {
        Ok(End { refund, told, currency }) => {
            let now = world.clock.now();
            done_unasked(world.orders.end_by_supplier(&id, refund, (told, currency), now))
        }
        Err(reason) => {
            refused(&format!("the body must be JSON with refund, told and currency, or nothing: {reason}"))
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HotelNumbers {
    numbers: Vec<String>,
}

async fn tell_hotel_numbers(world: Data<World>, id: Path<String>, body: Bytes) -> impl Responder {
    match serde_json::from_slice(&body) {
        Ok(HotelNumbers { numbers }) => {
            let told = world.orders.tell_hotel_numbers(&id, numbers);
            if told.is_ok() {
                hotelbeds::push_reconfirmation(&world, &id);
            }
            done_unasked(told)
        }
        Err(reason) => refused(&format!("the body must be JSON with numbers: {reason}")),
    }
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

async fn tell_there(world: Data<World>, body: Bytes) -> impl Responder {
    let agreed = serde_json::from_slice::<Agreed>(&body).map_err(|reason| {
        format!("the body must be JSON with supplier and url, and secret where it signs: {reason}")
    });
    let agreed = agreed.and_then(|agreed| {
        let supplier: Supplier = agreed.supplier.parse()?;
        world.webhooks.agree(supplier, &agreed.url, agreed.secret, world.clock.now())
    });
    match agreed {
        Ok(_) => HttpResponse::NoContent().finish(),
        Err(reason) => refused(&reason),
    }
}

fn done_unasked(done: Result<(), UnaskedError>) -> HttpResponse {
    let Err(reason) = done else { return HttpResponse::NoContent().finish() };
    let mut answer = match reason {
        UnaskedError::NoOrder(_) => HttpResponse::NotFound(),
        UnaskedError::Unwritable(_) => HttpResponse::InternalServerError(),
        UnaskedError::Ended | UnaskedError::NoHotel | UnaskedError::Refund(_) => {
            HttpResponse::UnprocessableEntity()
        }
    };
    answer.json(json!({ "error": reason.to_string() }))
}

fn refused(reason: &str) -> HttpResponse {
    HttpResponse::UnprocessableEntity().json(json!({ "error": reason }))
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

async fn queue_fault(world: Data<World>, body: Bytes) -> impl Responder {
    match parse_fault(&body) {
        Ok(queued) => {
            world.faults.queue(queued.clone());
            HttpResponse::Created().json(queued)
        }
        Err(reason) => refused(&reason),
    }
}

fn parse_fault(body: &[u8]) -> Result<Queued, String> {
    let request: FaultRequest = serde_json::from_slice(body).map_err(|reason| {
        format!("the body must be JSON with supplier, call and fault, and times if more than once: {reason}")
    })?;
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

async fn add_oddities(world: Data<World>, body: Bytes) -> impl Responder {
    let asked = serde_json::from_slice::<OddCalls>(&body).map_err(|reason| {
        format!(
            "the body must be JSON with names, drawn or both, and may have supplier, call and seed: {reason}"
        )
    });
    match asked.and_then(|asked| world.oddities.add(asked.clone()).map(|()| asked)) {
        Ok(asked) => HttpResponse::Created().json(asked),
        Err(reason) => refused(&reason),
    }
}

async fn oddities(world: Data<World>) -> impl Responder {
    HttpResponse::Ok().json(world.oddities.list())
}

async fn clear_oddities(world: Data<World>) -> impl Responder {
    world.oddities.clear();
    HttpResponse::NoContent().finish()
}
