//! The control surface, which no real supplier has: is it alive, what was ordered, and what is to go wrong.

use actix_web::web::{Bytes, Data, ServiceConfig, delete, get, post, scope};
use actix_web::{HttpResponse, Responder};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::faults::{Call, Fault, Queued, Supplier};
use crate::orders::Summary;
use crate::server::World;

/// Everything below `/_sandbox`.
pub(crate) fn routes(config: &mut ServiceConfig) {
    config.service(
        scope("/_sandbox")
            .route("/health", get().to(health))
            .route("/orders", get().to(orders))
            .route("/faults", post().to(queue_fault))
            .route("/faults", get().to(faults))
            .route("/faults", delete().to(clear_faults)),
    );
}

async fn health() -> impl Responder {
    HttpResponse::Ok().json(json!({ "status": "ok", "pid": std::process::id() }))
}

async fn orders(world: Data<World>) -> impl Responder {
    let now = world.clock.now();
    let orders: Vec<Summary> = world
        .orders
        .all()
        .iter()
        .map(|order| order.summary(now))
        .collect();
    HttpResponse::Ok().json(orders)
}

#[derive(Deserialize)]
struct Wanted {
    supplier: String,
    call: String,
    fault: String,
    #[serde(default = "once")]
    times: u32,
}

fn once() -> u32 {
    1
}

#[derive(Serialize)]
struct Shown {
    supplier: Supplier,
    call: Call,
    fault: String,
    times: u32,
}

impl From<Queued> for Shown {
    fn from(queued: Queued) -> Self {
        Self {
            supplier: queued.supplier,
            call: queued.call,
            fault: queued.fault.to_string(),
            times: queued.times,
        }
    }
}

async fn queue_fault(world: Data<World>, body: Bytes) -> impl Responder {
    match wanted(&body) {
        Ok(queued) => {
            world.faults.queue(queued.clone());
            HttpResponse::Created().json(Shown::from(queued))
        }
        Err(reason) => HttpResponse::UnprocessableEntity().json(json!({ "error": reason })),
    }
}

fn wanted(body: &[u8]) -> Result<Queued, String> {
    let wanted: Wanted = serde_json::from_slice(body).map_err(|reason| {
        format!("the body must be JSON with supplier, call and fault, and times if more than once: {reason}")
    })?;
    let supplier: Supplier = wanted.supplier.parse()?;
    let call: Call = wanted.call.parse()?;
    let fault: Fault = wanted.fault.parse()?;
    if !fault.fits(supplier, call) {
        let (call, supplier) = (wanted.call, wanted.supplier);
        return Err(format!(
            "fault '{fault}' cannot happen to call '{call}' of {supplier}"
        ));
    }
    if wanted.times == 0 {
        return Err("times must be at least 1".to_owned());
    }
    Ok(Queued {
        supplier,
        call,
        fault,
        times: wanted.times,
    })
}

async fn faults(world: Data<World>) -> impl Responder {
    let waiting: Vec<Shown> = world.faults.list().into_iter().map(Shown::from).collect();
    HttpResponse::Ok().json(waiting)
}

async fn clear_faults(world: Data<World>) -> impl Responder {
    world.faults.clear();
    HttpResponse::NoContent().finish()
}
