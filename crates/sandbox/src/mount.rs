//! One supplier's calls: who is let in, where queued faults happen, and what every answer carries.

use std::time::Duration;

use actix_web::body::{BoxBody, MessageBody, to_bytes};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::ContentType;
use actix_web::middleware::{Next, from_fn};
use actix_web::web::{Data, ServiceConfig, scope, to};
use actix_web::{Error, HttpMessage, HttpRequest, HttpResponse, ResponseError};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::connection;
use crate::fault_injection::InjectedFault;
use crate::faults::{Call, Fault};
use crate::supplier_api::{ApiError, SupplierApi};
use crate::world::{Hosted, World};

const BAD_GATEWAY_PAGE: &str =
    "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>";

pub(crate) fn mount<S: SupplierApi>(config: &mut ServiceConfig, hosted: Data<Hosted<S::State>>) {
    let routes = S::ENDPOINTS.iter();
    let api = routes.fold(scope(S::BASE), |api, (method, path, _, handler)| {
        api.route(path, handler().method(method.clone()))
    });
    config.app_data(hosted);
    config.service(api.default_service(to(not_played::<S>)).wrap(from_fn(serve::<S>)));
}

async fn not_played<S: SupplierApi>(request: HttpRequest) -> Result<HttpResponse, ApiError<S>> {
    let path = request.path();
    let path = path.strip_prefix(S::BASE).unwrap_or(path);
    Err(S::not_played(&format!(
        "The sandbox does not play {} {path}; docs/SUPPLIERS.md says what it plays.",
        request.method()
    )))
}

/// Who sends a request with this header is answered without oddities: whoever audits what the supplier has.
const PLAIN: &str = "sandbox-plain";

/// Lets a caller in, lets a queued fault happen, makes the answer odd where it is to be, and labels it.
async fn serve<S: SupplierApi>(
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let Some(world) = request.app_data::<Data<Hosted<S::State>>>().cloned() else {
        return Ok(request.into_response(S::of_status(500).error_response()));
    };
    world.oddities.own_keys(S::SUPPLIER, &mut request).await;
    let call = call_of::<S>(&request);
    let is_plain = request.headers().contains_key(PLAIN);
    let mut response = match S::authenticate(request.request(), world.clock.now()) {
        Ok(()) => inject::<S>(&world, call, request, next).await?,
        Err(error) => request.into_response(error.error_response()),
    };
    if !is_plain && world.oddities.strike(S::SUPPLIER, call) {
        response = rewritten(response, |body| Some(world.oddities.odd(S::SUPPLIER, call, body))).await;
    }
    S::label(&world, &mut response);
    Ok(response)
}

fn call_of<S: SupplierApi>(request: &ServiceRequest) -> Option<Call> {
    let pattern = request.match_pattern()?;
    let path = pattern.strip_prefix(S::BASE)?;
    let mut endpoints = S::ENDPOINTS.iter();
    let (.., call, _) = endpoints.find(|(method, each, ..)| method == request.method() && *each == path)?;
    call.map(|call| S::refine(call, request.query_string()))
}

/// Lets the fault that is queued for such a call happen to it.
pub(crate) async fn inject<S: SupplierApi>(
    world: &World,
    call: Option<Call>,
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    // Whoever has seen that a fault has struck can end it.
    let cleared = world.faults.cleared();
    let Some(fault) = call.and_then(|call| world.faults.take(S::SUPPLIER, call)) else {
        return handle(request, next).await;
    };
    tracing::info!(%fault, path = request.path(), "a fault is injected");
    let mut injected = InjectedFault::default();
    match fault.clone() {
        Fault::Slow(ms) => drop(timeout(Duration::from_millis(ms), cleared).await),
        Fault::Status(502) => {
            let mut page = HttpResponse::BadGateway();
            let page = page.content_type(ContentType::html()).body(BAD_GATEWAY_PAGE);
            return Ok(request.into_response(page));
        }
        Fault::Status(status) => return Ok(request.into_response(S::of_status(status).error_response())),
        Fault::Complains(complaint) => {
            return Ok(request.into_response(S::complaint(complaint).error_response()));
        }
        Fault::RateLimited => return Ok(request.into_response(S::of_status(429).error_response())),
        Fault::BrokenJson => {
            let mut cut = HttpResponse::Ok();
            let cut = cut.content_type(ContentType::json()).body(S::CUT_JSON);
            return Ok(request.into_response(cut));
        }
        Fault::DropBefore => {
            connection::cut(request.request());
            return Ok(request.into_response(HttpResponse::ServiceUnavailable()));
        }
        Fault::DropAfter | Fault::Says(..) | Fault::SaysMore | Fault::SendsMarkup | Fault::Respells(_) => {}
        Fault::PriceChanged(percent) => injected.price_changed = Some(percent),
        Fault::SoldOut => injected.sold_out = true,
        Fault::RefundLater(seconds) => injected.refund_later_s = Some(seconds),
        Fault::GivesBack(percent) => injected.gives_back = Some(percent),
        Fault::RefundUntold => injected.refund_untold = true,
        Fault::Rejected(seconds) => injected.rejected_s = Some(seconds),
        Fault::AppearsAfter(ms) => injected.appears_after_ms = ms,
        Fault::Pending(seconds) => injected.pending_s = Some(seconds),
        Fault::Aborted(seconds) => injected.aborted_s = Some(seconds),
        Fault::Lapses(seconds) => injected.hold_expires_s = Some(seconds),
        Fault::FareStale => injected.fare_stale = true,
        Fault::LimitLater(seconds) => injected.limit_later_s = Some(seconds),
        // Of calls that are not made here.
        Fault::WebhookLost | Fault::WebhookTwice | Fault::WebhookForged => {}
    }
    request.extensions_mut().insert(injected);
    let response = handle(request, next).await?;
    match fault {
        Fault::DropAfter | Fault::AppearsAfter(_) => connection::cut(response.request()),
        Fault::Says(member, said) => return Ok(changed(response, |answer| say(answer, &member, &said)).await),
        Fault::SaysMore => return Ok(changed(response, say_more).await),
        Fault::SendsMarkup => return Ok(changed(response, send_markup).await),
        Fault::Respells(how) => return Ok(changed(response, |answer| how.respell(answer)).await),
        _ => {}
    }
    Ok(response)
}

/// The answer as it is changed; one that is no JSON as it is.
async fn changed(
    response: ServiceResponse<BoxBody>,
    change: impl FnOnce(&mut Value),
) -> ServiceResponse<BoxBody> {
    let change = |body: &[u8]| {
        let mut answer = serde_json::from_slice(body).ok()?;
        change(&mut answer);
        Some(answer.to_string().into_bytes())
    };
    rewritten(response, change).await
}

/// The answer with another body, where there is one.
async fn rewritten(
    response: ServiceResponse<BoxBody>,
    change: impl FnOnce(&[u8]) -> Option<Vec<u8>>,
) -> ServiceResponse<BoxBody> {
    let (request, response) = response.into_parts();
    let (head, body) = response.into_parts();
    let body = to_bytes(body).await.unwrap_or_default();
    let body = change(&body).map_or(body, Into::into);
    ServiceResponse::new(request, head.set_body(body).map_into_boxed_body())
}

/// Members with texts that people read.
const READ: [&str; 7] =
    ["name", "fare_brand_name", "fareIdentifier", "boardName", "description", "remarks", "rateComments"];
/// Would run where somebody took it for a part of a page. It has no end, so that it is no tag that is taken out of a text.
const MARKUP: &str = " <img src=x onerror=\"document.title='run'\" ";

fn send_markup(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                match value {
                    Value::String(text) if READ.contains(&name.as_str()) => text.push_str(MARKUP),
                    value => send_markup(value),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(send_markup),
        _ => {}
    }
}

fn say(value: &mut Value, member: &str, said: &Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| say(item, member, said)),
        Value::Object(members) => {
            for (name, value) in members {
                if name == member { *value = said.clone() } else { say(value, member, said) }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn say_more(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(say_more),
        Value::Object(members) => {
            members.values_mut().for_each(say_more);
            // What is listed by route or by kind of traveller has no members of the format's.
            let is_listed = |name: &String| name.starts_with(char::is_uppercase);
            if members.keys().any(is_listed) {
                return;
            }
            let said = json!({ "about": "Zqmorelast", "of": [{ "name": "Zqmorefirst" }] });
            members.insert("said_more".to_owned(), said);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

async fn handle(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    next.call(request).await.map(ServiceResponse::map_into_boxed_body)
}
