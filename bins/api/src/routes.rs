//! Every endpoint, in a table by sections.

use std::{any::type_name, collections::BTreeMap};

use actix_web::{
    FromRequest, Handler, HttpRequest, HttpResponse, Resource, Responder, ResponseError, Route,
    http::{Method, StatusCode},
    web::{self, ServiceConfig},
};

use crate::{
    docs,
    handlers::{
        access, after_sales, document, fares, feed, flights, health, hotel_packages, hotels, notifications,
        organization, packages, reports, users, wallets, webhooks,
    },
    openapi::{
        operation::{Described, Operation},
        refusals,
    },
    refusal::Refusal,
};

/// What every path of the API begins with.
pub(crate) const BASE: &str = "/api/v1";

/// A method at a path, what answers it, and how it is described.
pub struct Endpoint {
    /// The method.
    pub method: Method,
    /// The whole path; a part that names a record is written `{id}` or `{ref}`.
    pub path: String,
    /// What it is, in a line.
    pub(crate) summary: &'static str,
    /// Where it stands in the document.
    pub(crate) section: &'static str,
    /// What it is called, like no other: `flights_book`.
    pub(crate) name: String,
    /// Adds what its handler takes and gives.
    pub(crate) describe: fn(&mut Operation<'_>),
    /// How the operation behind it may end, beside what its handler's types say.
    pub(crate) refusals: Vec<Refusal>,
    route: Route,
}

impl Endpoint {
    /// With these ends of the operation behind it. Values in them are examples.
    fn refuses<E: Into<Refusal>>(self, refusals: fn() -> Vec<E>) -> Self {
        Self {
            refusals: refusals().into_iter().map(Into::into).collect(),
            ..self
        }
    }
}

/// All that the server answers.
pub fn endpoints() -> Vec<Endpoint> {
    let at = |base: &str, section: &'static str, endpoints: Vec<Endpoint>| {
        let place = |endpoint: Endpoint| Endpoint {
            path: format!("{base}{}", endpoint.path),
            section,
            ..endpoint
        };
        endpoints.into_iter().map(place).collect::<Vec<_>>()
    };
    [
        at(BASE, "Authentication", authentication()),
        at(BASE, "Profile", profile()),
        at(BASE, "Users", users()),
        at(BASE, "Organization", organization()),
        at(BASE, "Wallets", wallets()),
        at(BASE, "Fare ledger", fare_ledger()),
        at(BASE, "Reports", self::reports()),
        at(BASE, "Flight packages", flight_packages()),
        at(BASE, "Hotel packages", hotel_packages()),
        at(BASE, "Flights", flights()),
        at(BASE, "Hotels", hotels()),
        at(BASE, "Notifications", notifications()),
        at(BASE, "Feed and webhooks", feed_and_webhooks()),
        at("", "Service", service()),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn authentication() -> Vec<Endpoint> {
    vec![
        post("/auth/login", "Log in", access::log_in).refuses(refusals::log_in),
        post(
            "/auth/refresh",
            "Spend a refresh token for the next pair of tokens",
            access::refresh,
        )
        .refuses(refusals::refresh),
        post(
            "/auth/logout",
            "End the session of a refresh token",
            access::log_out,
        )
        .refuses(refusals::log_out),
    ]
}

fn profile() -> Vec<Endpoint> {
    vec![
        get("/me", "The own profile", access::own),
        put("/me", "Change the own profile", access::change_profile),
        put("/me/password", "Change the own password", access::change_password).refuses(refusals::password),
        get("/me/stats", "The own figures", access::stats),
    ]
}

fn users() -> Vec<Endpoint> {
    vec![
        get("/org/users", "The users of the agency", users::list),
        post("/org/users", "Make a user", users::create).refuses(refusals::new_user),
        get("/org/users/{id}", "A user", users::get),
        put("/org/users/{id}", "Change a user", users::change).refuses(refusals::last_admin),
        delete("/org/users/{id}", "Delete a user", users::delete).refuses(refusals::deletion),
        put("/org/users/{id}/suspend", "Suspend a user", users::suspend).refuses(refusals::last_admin),
        put(
            "/org/users/{id}/activate",
            "Let a suspended user in again",
            users::activate,
        ),
    ]
}

fn organization() -> Vec<Endpoint> {
    vec![
        get("/org/profile", "The profile of the agency", organization::profile),
        put(
            "/org/profile",
            "Change the profile of the agency",
            organization::change_profile,
        ),
        get(
            "/org/settings",
            "The settings of the agency",
            organization::settings,
        ),
        put("/org/settings", "Set a setting", organization::set_setting),
        get(
            "/org/audit-logs",
            "What was done in the agency",
            organization::audit_logs,
        ),
    ]
}

fn wallets() -> Vec<Endpoint> {
    vec![
        get("/wallet", "The wallet that the caller pays from", wallets::own),
        get(
            "/wallet/transactions",
            "Transactions of the wallet that the caller pays from",
            wallets::own_transactions,
        ),
        get(
            "/org/wallet",
            "The wallet of the organization",
            wallets::of_organization,
        ),
        get(
            "/org/wallet/transactions",
            "Transactions of the agency",
            wallets::transactions_of_organization,
        ),
        get(
            "/org/wallet/transactions/export",
            "The same as CSV",
            wallets::export,
        ),
        post(
            "/org/wallet/topup/{id}",
            "Give money to an agent",
            wallets::allocate,
        )
        .refuses(refusals::allocation),
        get(
            "/org/wallet/summary",
            "Figures of the organization's wallet",
            wallets::summary,
        ),
        get("/org/wallet/agents", "What each agent has", wallets::agents),
        get(
            "/org/wallet/agents/{id}/transactions",
            "Transactions of an agent",
            wallets::transactions_of_agent,
        ),
    ]
}

fn notifications() -> Vec<Endpoint> {
    vec![
        get("/notifications", "The own notifications", notifications::list),
        get(
            "/notifications/unread-count",
            "How many were not read",
            notifications::unread_count,
        ),
        put(
            "/notifications/{id}/read",
            "Mark a notification as read",
            notifications::read,
        ),
        put(
            "/notifications/read-all",
            "Mark all notifications as read",
            notifications::read_all,
        ),
    ]
}

fn feed_and_webhooks() -> Vec<Endpoint> {
    vec![
        get("/events", "The events of the agency, in order", feed::read).refuses(refusals::feed),
        get("/org/webhooks", "The webhooks", webhooks::list),
        post("/org/webhooks", "Make a webhook", webhooks::create).refuses(refusals::new_webhook),
        put("/org/webhooks/{id}", "Replace a webhook", webhooks::replace),
        delete("/org/webhooks/{id}", "Delete a webhook", webhooks::delete),
        post(
            "/org/webhooks/{id}/test",
            "Send a test event to a webhook",
            webhooks::test,
        )
        .refuses(refusals::sending),
        post(
            "/org/webhooks/{id}/rotate-secret",
            "Give a webhook another secret",
            webhooks::rotate_secret,
        ),
        get(
            "/org/webhooks/{id}/deliveries",
            "What was sent to a webhook, or is to be",
            webhooks::deliveries,
        ),
        post(
            "/org/webhooks/{id}/deliveries/{delivery_id}/redeliver",
            "Send an event to a webhook once more",
            webhooks::redeliver,
        )
        .refuses(refusals::sending),
    ]
}

fn fare_ledger() -> Vec<Endpoint> {
    vec![
        get(
            "/org/fare-transactions",
            "The fare ledger of the agency",
            fares::of_organization,
        ),
        get(
            "/org/fare-transactions/{id}",
            "The fare ledger of a user",
            fares::of_user,
        ),
        get("/org/finance-summary", "Sums by supplier", fares::summary),
        get("/me/fare-transactions", "The own fare ledger", fares::own),
    ]
}

fn reports() -> Vec<Endpoint> {
    vec![
        get(
            "/org/reports",
            "The reports of the agency",
            reports::of_organization,
        ),
        post(
            "/org/reports",
            "Ask for a report of the agency",
            reports::request_of_organization,
        )
        .refuses(refusals::new_report),
        get(
            "/org/reports/{id}/download",
            "The file of a report of the agency",
            reports::download_of_organization,
        )
        .refuses(refusals::report),
        get("/reports", "The own reports", reports::own),
        post(
            "/reports",
            "Ask for a report of what is one's own",
            reports::request_own,
        )
        .refuses(refusals::new_report),
        get(
            "/reports/{id}/download",
            "The file of an own report",
            reports::download_own,
        )
        .refuses(refusals::report),
    ]
}

fn flight_packages() -> Vec<Endpoint> {
    vec![
        get("/org/packages", "The flight packages", packages::list),
        post("/org/packages", "Make a flight package", packages::create).refuses(refusals::new_package),
        put(
            "/org/packages/{id}",
            "Replace a flight package",
            packages::replace,
        ),
        delete("/org/packages/{id}", "Delete a flight package", packages::delete),
        get(
            "/org/packages/assigned",
            "The flight package of the agency",
            packages::assigned,
        )
        .refuses(refusals::unknown),
        post(
            "/org/packages/assign",
            "Assign a flight package to the agency",
            packages::assign,
        )
        .refuses(refusals::unknown),
        delete(
            "/org/packages/assign",
            "Take the flight package from the agency",
            packages::unassign,
        )
        .refuses(refusals::unknown),
        get(
            "/org/packages/agent-assignments",
            "The flight packages of agents",
            packages::agent_assignments,
        ),
        post(
            "/org/packages/assign-agent/{id}",
            "Assign a flight package to an agent",
            packages::assign_agent,
        ),
        delete(
            "/org/packages/assign-agent/{id}",
            "Take the flight package from an agent",
            packages::unassign_agent,
        ),
    ]
}

fn hotel_packages() -> Vec<Endpoint> {
    vec![
        get("/org/hotel-packages", "The hotel packages", hotel_packages::list),
        post(
            "/org/hotel-packages",
            "Make a hotel package",
            hotel_packages::create,
        )
        .refuses(refusals::new_package),
        put(
            "/org/hotel-packages/{id}",
            "Replace a hotel package",
            hotel_packages::replace,
        ),
        delete(
            "/org/hotel-packages/{id}",
            "Delete a hotel package",
            hotel_packages::delete,
        ),
        post(
            "/org/hotel-packages/assign",
            "Assign a hotel package to the agency",
            hotel_packages::assign,
        )
        .refuses(refusals::unknown),
        delete(
            "/org/hotel-packages/assign",
            "Take the hotel package from the agency",
            hotel_packages::unassign,
        )
        .refuses(refusals::unknown),
        post(
            "/org/hotel-packages/assign-agent/{id}",
            "Assign a hotel package to an agent",
            hotel_packages::assign_agent,
        ),
        delete(
            "/org/hotel-packages/assign-agent/{id}",
            "Take the hotel package from an agent",
            hotel_packages::unassign_agent,
        ),
    ]
}

fn flights() -> Vec<Endpoint> {
    vec![
        post("/flights/search", "Search flights", flights::search),
        post(
            "/flights/search/stream",
            "Search flights, told of each supplier as it answers",
            flights::search_stream,
        ),
        post("/flights/fare-rules", "The rules of fares", flights::fare_rules).refuses(refusals::offer),
        post("/flights/price", "Price chosen offers", flights::price).refuses(refusals::flight_price),
        post("/flights/book", "Book", flights::book).refuses(refusals::flight_purchase),
        get("/flights/bookings", "Flight bookings", flights::bookings),
        get("/flights/bookings/{ref}", "A flight booking", flights::booking),
        post(
            "/flights/bookings/{ref}/penalty",
            "What cancelling would cost",
            flights::penalty,
        )
        .refuses(refusals::change),
        post(
            "/flights/bookings/{ref}/cancel",
            "Cancel a flight booking",
            flights::cancel,
        )
        .refuses(refusals::change),
        post(
            "/flights/bookings/{ref}/issue-ticket",
            "Have the tickets of a held booking issued",
            flights::issue_ticket,
        )
        .refuses(refusals::ticket),
        get(
            "/flights/bookings/{ref}/retrieve",
            "A booking as its suppliers show it now",
            after_sales::retrieve,
        ),
        get(
            "/flights/bookings/{ref}/track",
            "A booking in its suppliers' own words",
            after_sales::track,
        )
        .refuses(refusals::change),
        get(
            "/flights/bookings/{ref}/ssr",
            "What can still be bought for a booking",
            after_sales::services,
        )
        .refuses(refusals::change),
        post(
            "/flights/bookings/{ref}/ssr",
            "Buy services for a booking",
            after_sales::add_services,
        )
        .refuses(refusals::services),
        post(
            "/flights/bookings/{ref}/reschedule-avail",
            "Itineraries that could be flown instead",
            after_sales::reschedule_avail,
        )
        .refuses(refusals::rescheduling),
        post(
            "/flights/bookings/{ref}/reschedule-penalty",
            "What rescheduling would cost",
            after_sales::reschedule_penalty,
        )
        .refuses(refusals::rescheduling),
        post(
            "/flights/bookings/{ref}/reschedule",
            "Reschedule a booking",
            after_sales::reschedule,
        )
        .refuses(refusals::rescheduling),
        get("/flights/refunds", "Flight refunds", after_sales::refunds),
        post(
            "/flights/bookings/{ref}/refund-status",
            "How the refund of a booking stands",
            after_sales::refund_status,
        )
        .refuses(refusals::standing),
    ]
}

fn hotels() -> Vec<Endpoint> {
    vec![
        post("/hotels/search", "Search hotels", hotels::search),
        get("/hotels/cities", "Cities, as one types", hotels::cities),
        post("/hotels/details", "All about hotels", hotels::details).refuses(refusals::room),
        post("/hotels/price", "Price chosen rooms", hotels::price).refuses(refusals::room_price),
        post("/hotels/book", "Book", hotels::book).refuses(refusals::hotel_purchase),
        get("/hotels/bookings", "Hotel bookings", hotels::bookings),
        get("/hotels/bookings/{ref}", "A hotel booking", hotels::booking),
        get(
            "/hotels/bookings/{ref}/voucher",
            "What guests show at the hotel",
            hotels::voucher,
        )
        .refuses(refusals::standing),
        post(
            "/hotels/bookings/{ref}/penalty",
            "What cancelling would cost",
            hotels::penalty,
        )
        .refuses(refusals::change),
        post(
            "/hotels/bookings/{ref}/cancel",
            "Cancel a hotel booking",
            hotels::cancel,
        )
        .refuses(refusals::change),
    ]
}

fn service() -> Vec<Endpoint> {
    vec![
        get("/health/live", "Whether the process lives", health::live),
        get("/health/ready", "Whether it can work", health::ready).refuses(refusals::not_ready),
        get("/openapi.json", "This document", document::get),
    ]
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
    docs::mount(config);
    config.default_service(web::to(unknown_path));
}

async fn unknown_path(_: HttpRequest) -> HttpResponse {
    Refusal::new(StatusCode::NOT_FOUND, "resource not found").error_response()
}

fn get<Args: Takes>(path: &str, summary: &'static str, handler: impl Answers<Args>) -> Endpoint {
    endpoint(Method::GET, path, summary, handler)
}

fn post<Args: Takes>(path: &str, summary: &'static str, handler: impl Answers<Args>) -> Endpoint {
    endpoint(Method::POST, path, summary, handler)
}

fn put<Args: Takes>(path: &str, summary: &'static str, handler: impl Answers<Args>) -> Endpoint {
    endpoint(Method::PUT, path, summary, handler)
}

fn delete<Args: Takes>(path: &str, summary: &'static str, handler: impl Answers<Args>) -> Endpoint {
    endpoint(Method::DELETE, path, summary, handler)
}

fn endpoint<Args: Takes, H: Answers<Args>>(
    method: Method,
    path: &str,
    summary: &'static str,
    handler: H,
) -> Endpoint {
    Endpoint {
        method: method.clone(),
        path: path.to_owned(),
        summary,
        section: "",
        name: name::<H>(),
        describe: |operation| {
            Args::describe(operation);
            H::Output::describe(operation);
        },
        refusals: Vec::new(),
        route: web::method(method).to(handler),
    }
}

/// The handler's own name with its module's: `flights_book`.
fn name<H>() -> String {
    let path: Vec<&str> = type_name::<H>().rsplit("::").take(2).collect();
    path.into_iter().rev().collect::<Vec<_>>().join("_")
}

/// What can be given to a handler.
trait Takes: FromRequest + Described + 'static {}

impl<T: FromRequest + Described + 'static> Takes for T {}

/// What can answer: shorter to say than actix's own bounds.
trait Answers<Args>: Handler<Args, Output: Responder + Described> {}

impl<Args, T: Handler<Args, Output: Responder + Described>> Answers<Args> for T {}
