//! `POST /hooks/{supplier_code}`: where suppliers post that something has happened to an order. No agency has to do with it, and
//! nothing that is answered tells of one; so it stands beside the API, not in it.

use std::{num::NonZeroU32, time::Duration};

use actix_web::{
    HttpRequest, HttpResponse,
    http::StatusCode,
    web::{self, Data, Payload, ServiceConfig},
};
use governor::{
    DefaultKeyedRateLimiter, Quota, RateLimiter,
    clock::{Clock as _, DefaultClock},
};
use wayfare_operations::engine::supplier_hooks::{self, HookCall, HookRefusal};

use crate::http::{App, extract, refusal::Refusal};

/// No supplier's hook is larger.
const BODY_LIMIT: usize = 256 * 1024;
/// How many hooks of one supplier are taken in a second.
const A_SECOND: NonZeroU32 = NonZeroU32::MIN.saturating_add(49);

/// How many hooks of each supplier are still taken now. Only proven ones count: who can't prove anything can't shut a
/// supplier out (D-351).
pub struct HookLimits(DefaultKeyedRateLimiter<String>);

impl Default for HookLimits {
    fn default() -> Self {
        Self(RateLimiter::keyed(Quota::per_second(A_SECOND)))
    }
}

impl HookLimits {
    fn take(&self, supplier: &str) -> Result<(), Refusal> {
        let taken = self.0.check_key(&supplier.to_owned());
        taken.map_err(|empty| {
            let wait = empty.wait_time_from(DefaultClock::default().now());
            Refusal::too_many(wait.max(Duration::from_secs(1)))
        })
    }
}

/// Mounts it, with and without the token that stands in the address where a supplier signs nothing.
pub fn mount(config: &mut ServiceConfig) {
    for path in ["/hooks/{supplier}", "/hooks/{supplier}/{token}"] {
        config.service(web::resource(path).route(web::post().to(receive)));
    }
}

/// What a supplier posts. It is answered when it is stored.
async fn receive(
    app: App,
    limits: Data<HookLimits>,
    request: HttpRequest,
    payload: Payload,
) -> Result<HttpResponse, Refusal> {
    let body = extract::collect_up_to(BODY_LIMIT, &request, payload.into_inner()).await?;
    let address = request.match_info();
    let call = HookCall {
        supplier: address.query("supplier"),
        token: address.get("token"),
        header: &|name: &str| request.headers().get(name)?.to_str().ok(),
        body: &body,
    };
    let hook = supplier_hooks::prove(&app.engine, call).map_err(|refusal| match refusal {
        HookRefusal::NoAddress => Refusal::new(StatusCode::NOT_FOUND, "resource not found"),
        HookRefusal::Unproven => Refusal::new(StatusCode::UNAUTHORIZED, "the signature is not good"),
    })?;
    limits.take(hook.supplier())?;
    supplier_hooks::ring(&app.core, hook).await?;
    Ok(HttpResponse::Ok().finish())
}
