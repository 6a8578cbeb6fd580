//! Every endpoint on one screen.

use std::collections::BTreeMap;

use actix_web::{
    FromRequest, Handler, HttpRequest, HttpResponse, Resource, Responder, ResponseError, Route,
    http::{Method, StatusCode},
    web::{self, ServiceConfig},
};

use crate::{
    handlers::{
        access, after_sales, fares, flights, health, hotel_packages, hotels, organization, packages, users,
        wallets,
    },
    refusal::Refusal,
};

/// What every path of the contract begins with.
const BASE: &str = "/api/v1";

/// A method at a path, and what answers it.
pub struct Endpoint {
    /// The method.
    pub method: Method,
    /// The whole path; a part that names a record is written `{id}` or `{ref}`.
    pub path: String,
    route: Route,
}

/// All that the server answers.
pub fn endpoints() -> Vec<Endpoint> {
    let health = [
        get("/health/live", health::live),
        get("/health/ready", health::ready),
    ];
    let contract = [
        post("/auth/login", access::log_in),
        post("/auth/refresh", access::refresh),
        post("/auth/logout", access::log_out),
        get("/me", access::own),
        put("/me", access::change_profile),
        put("/me/password", access::change_password),
        get("/me/stats", access::stats),
        get("/org/users", users::list),
        post("/org/users", users::create),
        get("/org/users/{id}", users::get),
        put("/org/users/{id}", users::change),
        delete("/org/users/{id}", users::delete),
        put("/org/users/{id}/suspend", users::suspend),
        put("/org/users/{id}/activate", users::activate),
        get("/wallet", wallets::own),
        get("/wallet/transactions", wallets::own_transactions),
        get("/org/profile", organization::profile),
        put("/org/profile", organization::change_profile),
        get("/org/settings", organization::settings),
        put("/org/settings", organization::set_setting),
        get("/org/audit-logs", organization::audit_logs),
        get("/org/wallet", wallets::of_organization),
        get("/org/wallet/transactions", wallets::transactions_of_organization),
        get("/org/wallet/transactions/export", wallets::export),
        post("/org/wallet/topup/{id}", wallets::allocate),
        get("/org/wallet/summary", wallets::summary),
        get("/org/wallet/agents", wallets::agents),
        get(
            "/org/wallet/agents/{id}/transactions",
            wallets::transactions_of_agent,
        ),
        get("/org/fare-transactions", fares::of_organization),
        get("/org/fare-transactions/{id}", fares::of_user),
        get("/org/finance-summary", fares::summary),
        get("/me/fare-transactions", fares::own),
        get("/org/packages", packages::list),
        post("/org/packages", packages::create),
        put("/org/packages/{id}", packages::replace),
        delete("/org/packages/{id}", packages::delete),
        get("/org/packages/assigned", packages::assigned),
        post("/org/packages/assign", packages::assign),
        delete("/org/packages/assign", packages::unassign),
        get("/org/packages/agent-assignments", packages::agent_assignments),
        post("/org/packages/assign-agent/{id}", packages::assign_agent),
        delete("/org/packages/assign-agent/{id}", packages::unassign_agent),
        get("/org/hotel-packages", hotel_packages::list),
        post("/org/hotel-packages", hotel_packages::create),
        put("/org/hotel-packages/{id}", hotel_packages::replace),
        delete("/org/hotel-packages/{id}", hotel_packages::delete),
        post("/org/hotel-packages/assign", hotel_packages::assign),
        delete("/org/hotel-packages/assign", hotel_packages::unassign),
        post(
            "/org/hotel-packages/assign-agent/{id}",
            hotel_packages::assign_agent,
        ),
        delete(
            "/org/hotel-packages/assign-agent/{id}",
            hotel_packages::unassign_agent,
        ),
        post("/flights/search", flights::search),
        post("/flights/search/stream", flights::search_stream),
        post("/flights/fare-rules", flights::fare_rules),
        post("/flights/price", flights::price),
        post("/flights/book", flights::book),
        get("/flights/bookings", flights::bookings),
        get("/flights/bookings/{ref}", flights::booking),
        post("/flights/bookings/{ref}/penalty", flights::penalty),
        post("/flights/bookings/{ref}/cancel", flights::cancel),
        post("/flights/bookings/{ref}/issue-ticket", flights::issue_ticket),
        get("/flights/bookings/{ref}/retrieve", after_sales::retrieve),
        get("/flights/bookings/{ref}/track", after_sales::track),
        get("/flights/bookings/{ref}/ssr", after_sales::services),
        post("/flights/bookings/{ref}/ssr", after_sales::add_services),
        post(
            "/flights/bookings/{ref}/reschedule-avail",
            after_sales::reschedule_avail,
        ),
        post(
            "/flights/bookings/{ref}/reschedule-penalty",
            after_sales::reschedule_penalty,
        ),
        post("/flights/bookings/{ref}/reschedule", after_sales::reschedule),
        post("/hotels/search", hotels::search),
        get("/hotels/cities", hotels::cities),
        post("/hotels/details", hotels::details),
        post("/hotels/price", hotels::price),
        post("/hotels/book", hotels::book),
        get("/hotels/bookings", hotels::bookings),
        get("/hotels/bookings/{ref}", hotels::booking),
        get("/hotels/bookings/{ref}/voucher", hotels::voucher),
        post("/hotels/bookings/{ref}/penalty", hotels::penalty),
        post("/hotels/bookings/{ref}/cancel", hotels::cancel),
        get("/flights/refunds", after_sales::refunds),
        post(
            "/flights/bookings/{ref}/refund-status",
            after_sales::refund_status,
        ),
    ];
    let contract = contract.map(|endpoint| Endpoint {
        path: format!("{BASE}{}", endpoint.path),
        ..endpoint
    });
    health.into_iter().chain(contract).collect()
}

/// Mounts everything. The methods of a path are one resource, so that the router knows what to allow there; in the
/// order of their paths a word comes before a pattern in its place.
pub fn mount(config: &mut ServiceConfig) {
    let mut paths = BTreeMap::<String, Vec<Route>>::new();
    for Endpoint { path, route, .. } in endpoints() {
        paths.entry(path).or_default().push(route);
    }
    for (path, routes) in paths {
        config.service(routes.into_iter().fold(web::resource(path), Resource::route));
    }
    config.default_service(web::to(unknown_path));
}

async fn unknown_path(_: HttpRequest) -> HttpResponse {
    Refusal::new(StatusCode::NOT_FOUND, "resource not found").error_response()
}

fn get<Args: FromRequest + 'static>(path: &str, handler: impl Answers<Args>) -> Endpoint {
    endpoint(Method::GET, path, handler)
}

fn post<Args: FromRequest + 'static>(path: &str, handler: impl Answers<Args>) -> Endpoint {
    endpoint(Method::POST, path, handler)
}

fn put<Args: FromRequest + 'static>(path: &str, handler: impl Answers<Args>) -> Endpoint {
    endpoint(Method::PUT, path, handler)
}

fn delete<Args: FromRequest + 'static>(path: &str, handler: impl Answers<Args>) -> Endpoint {
    endpoint(Method::DELETE, path, handler)
}

fn endpoint<Args: FromRequest + 'static>(
    method: Method,
    path: &str,
    handler: impl Answers<Args>,
) -> Endpoint {
    Endpoint {
        method: method.clone(),
        path: path.to_owned(),
        route: web::method(method).to(handler),
    }
}

/// What can answer: shorter to say than actix's own bounds.
trait Answers<Args>: Handler<Args, Output: Responder> {}

impl<Args, T: Handler<Args, Output: Responder>> Answers<Args> for T {}
