//! Every endpoint, a row each, in tables by sections: method, path, rate bucket, handler, summary, and how the operation
//! behind it may be refused.

mod refusals;

use std::collections::BTreeMap;

use actix_web::{
    HttpRequest, HttpResponse, Resource, ResponseError, Route,
    http::StatusCode,
    web::{self, ServiceConfig},
};

use crate::{
    http::{
        BASE,
        endpoint::{Endpoint, delete, get, post, put},
        rate_limit::{
            Bucket::{Logins, Requests, Searches, Unlimited},
            Buckets,
        },
        refusal::Refusal,
    },
    openapi::docs_page,
    resources::{
        auth, events, fare_ledger, flights, hotels, me, notifications, organization, packages, reports,
        service::{document, health},
        users, wallets, webhooks,
    },
};

/// All that the server answers.
#[rustfmt::skip]
pub fn endpoints() -> Vec<Endpoint> {
    [
        //      base  section              ids
        section(BASE, "Authentication",    "access",         authentication()),
        section(BASE, "Profile",           "access",         profile()),
        section(BASE, "Users",             "users",          users()),
        section(BASE, "Organization",      "organization",   organization()),
        section(BASE, "Wallets",           "wallets",        wallets()),
        section(BASE, "Fare ledger",       "fares",          fare_ledger()),
        section(BASE, "Reports",           "reports",        reports()),
        section(BASE, "Flight packages",   "packages",       flight_packages()),
        section(BASE, "Hotel packages",    "hotel_packages", hotel_packages()),
        section(BASE, "Flights",           "flights",        flights()),
        section(BASE, "Flights",           "after_sales",    after_sales()),
        section(BASE, "Hotels",            "hotels",         hotels()),
        section(BASE, "Notifications",     "notifications",  notifications()),
        section(BASE, "Feed and webhooks", "feed",           feed()),
        section(BASE, "Feed and webhooks", "webhooks",       webhooks()),
        section("",   "Service",           "health",         health()),
        section("",   "Service",           "document",       document()),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn section(base: &str, section: &'static str, ids: &str, rows: Vec<Endpoint>) -> Vec<Endpoint> {
    let complete = |row: Endpoint| Endpoint {
        path: format!("{base}{}", row.path),
        operation_id: format!("{ids}_{}", row.operation_id),
        section,
        ..row
    };
    rows.into_iter().map(complete).collect()
}

#[rustfmt::skip]
fn authentication() -> Vec<Endpoint> {
    vec![
        post(  "/auth/login",   Logins, auth::log_in,  "Log in")                                           .refuses(refusals::log_in),
        post(  "/auth/refresh", Logins, auth::refresh, "Spend a refresh token for the next pair of tokens").refuses(refusals::refresh),
        post(  "/auth/logout",  Logins, auth::log_out, "End the session of a refresh token")               .refuses(refusals::log_out),
    ]
}

#[rustfmt::skip]
fn profile() -> Vec<Endpoint> {
    vec![
        get(   "/me",          Requests, me::own,             "The own profile"),
        put(   "/me",          Requests, me::change_profile,  "Change the own profile"),
        put(   "/me/password", Requests, me::change_password, "Change the own password").refuses(refusals::password),
        get(   "/me/stats",    Requests, me::stats,           "The own figures"),
    ]
}

#[rustfmt::skip]
fn users() -> Vec<Endpoint> {
    vec![
        get(   "/org/users",               Requests, users::list,     "The users of the agency"),
        post(  "/org/users",               Requests, users::create,   "Make a user")                  .refuses(refusals::new_user),
        get(   "/org/users/{id}",          Requests, users::get,      "A user"),
        put(   "/org/users/{id}",          Requests, users::change,   "Change a user")                .refuses(refusals::last_admin),
        delete("/org/users/{id}",          Requests, users::delete,   "Delete a user")                .refuses(refusals::deletion),
        put(   "/org/users/{id}/suspend",  Requests, users::suspend,  "Suspend a user")               .refuses(refusals::last_admin),
        put(   "/org/users/{id}/activate", Requests, users::activate, "Let a suspended user in again"),
    ]
}

#[rustfmt::skip]
fn organization() -> Vec<Endpoint> {
    vec![
        get(   "/org/profile",    Requests, organization::profile,        "The profile of the agency"),
        put(   "/org/profile",    Requests, organization::change_profile, "Change the profile of the agency"),
        get(   "/org/settings",   Requests, organization::settings,       "The settings of the agency"),
        put(   "/org/settings",   Requests, organization::set_setting,    "Set a setting"),
        get(   "/org/audit-logs", Requests, organization::audit_logs,     "What was done in the agency"),
    ]
}

#[rustfmt::skip]
fn wallets() -> Vec<Endpoint> {
    vec![
        get(   "/wallet",                              Requests, wallets::own,                          "The wallet that the caller pays from"),
        get(   "/wallet/transactions",                 Requests, wallets::own_transactions,             "Transactions of the wallet that the caller pays from"),
        get(   "/org/wallet",                          Requests, wallets::of_organization,              "The wallet of the organization"),
        get(   "/org/wallet/transactions",             Requests, wallets::transactions_of_organization, "Transactions of the agency"),
        get(   "/org/wallet/transactions/export",      Requests, wallets::export,                       "The same as CSV"),
        post(  "/org/wallet/topup/{id}",               Requests, wallets::allocate,                     "Give money to an agent")                              .refuses(refusals::allocation),
        get(   "/org/wallet/summary",                  Requests, wallets::summary,                      "Figures of the organization's wallet"),
        get(   "/org/wallet/agents",                   Requests, wallets::agents,                       "What each agent has"),
        get(   "/org/wallet/agents/{id}/transactions", Requests, wallets::transactions_of_agent,        "Transactions of an agent"),
    ]
}

#[rustfmt::skip]
fn fare_ledger() -> Vec<Endpoint> {
    vec![
        get(   "/org/fare-transactions",      Requests, fare_ledger::of_organization, "The fare ledger of the agency"),
        get(   "/org/fare-transactions/{id}", Requests, fare_ledger::of_user,         "The fare ledger of a user"),
        get(   "/org/finance-summary",        Requests, fare_ledger::summary,         "Sums by supplier"),
        get(   "/me/fare-transactions",       Requests, fare_ledger::own,             "The own fare ledger"),
    ]
}

#[rustfmt::skip]
fn reports() -> Vec<Endpoint> {
    vec![
        get(   "/org/reports",               Requests, reports::of_organization,          "The reports of the agency"),
        post(  "/org/reports",               Requests, reports::request_of_organization,  "Ask for a report of the agency")       .refuses(refusals::new_report),
        get(   "/org/reports/{id}/download", Requests, reports::download_of_organization, "The file of a report of the agency")   .refuses(refusals::report),
        get(   "/reports",                   Requests, reports::own,                      "The own reports"),
        post(  "/reports",                   Requests, reports::request_own,              "Ask for a report of what is one's own").refuses(refusals::new_report),
        get(   "/reports/{id}/download",     Requests, reports::download_own,             "The file of an own report")            .refuses(refusals::report),
    ]
}

#[rustfmt::skip]
fn flight_packages() -> Vec<Endpoint> {
    vec![
        get(   "/org/packages",                   Requests, packages::list,              "The flight packages"),
        post(  "/org/packages",                   Requests, packages::create,            "Make a flight package")                  .refuses(refusals::new_package),
        put(   "/org/packages/{id}",              Requests, packages::replace,           "Replace a flight package"),
        delete("/org/packages/{id}",              Requests, packages::delete,            "Delete a flight package"),
        get(   "/org/packages/assigned",          Requests, packages::assigned,          "The flight package of the agency")       .refuses(refusals::unknown),
        post(  "/org/packages/assign",            Requests, packages::assign,            "Assign a flight package to the agency")  .refuses(refusals::unknown),
        delete("/org/packages/assign",            Requests, packages::unassign,          "Take the flight package from the agency").refuses(refusals::unknown),
        get(   "/org/packages/agent-assignments", Requests, packages::agent_assignments, "The flight packages of agents"),
        post(  "/org/packages/assign-agent/{id}", Requests, packages::assign_agent,      "Assign a flight package to an agent"),
        delete("/org/packages/assign-agent/{id}", Requests, packages::unassign_agent,    "Take the flight package from an agent"),
    ]
}

#[rustfmt::skip]
fn hotel_packages() -> Vec<Endpoint> {
    vec![
        get(   "/org/hotel-packages",                   Requests, packages::hotel::list,           "The hotel packages"),
        post(  "/org/hotel-packages",                   Requests, packages::hotel::create,         "Make a hotel package")                  .refuses(refusals::new_package),
        put(   "/org/hotel-packages/{id}",              Requests, packages::hotel::replace,        "Replace a hotel package"),
        delete("/org/hotel-packages/{id}",              Requests, packages::hotel::delete,         "Delete a hotel package"),
        post(  "/org/hotel-packages/assign",            Requests, packages::hotel::assign,         "Assign a hotel package to the agency")  .refuses(refusals::unknown),
        delete("/org/hotel-packages/assign",            Requests, packages::hotel::unassign,       "Take the hotel package from the agency").refuses(refusals::unknown),
        post(  "/org/hotel-packages/assign-agent/{id}", Requests, packages::hotel::assign_agent,   "Assign a hotel package to an agent"),
        delete("/org/hotel-packages/assign-agent/{id}", Requests, packages::hotel::unassign_agent, "Take the hotel package from an agent"),
    ]
}

#[rustfmt::skip]
fn flights() -> Vec<Endpoint> {
    use flights::{book, bookings, fare_rules, price, search};
    vec![
        post(  "/flights/search",                      Searches, search::search,         "Search flights"),
        post(  "/flights/search/stream",               Searches, search::search_stream,  "Search flights, told of each supplier as it answers"),
        post(  "/flights/fare-rules",                  Requests, fare_rules::fare_rules, "The rules of fares")                                 .refuses(refusals::offer),
        post(  "/flights/price",                       Requests, price::price,           "Price chosen offers")                                .refuses(refusals::flight_price),
        post(  "/flights/book",                        Requests, book::book,             "Book")                                               .refuses(refusals::flight_purchase),
        get(   "/flights/bookings",                    Requests, bookings::bookings,     "Flight bookings"),
        get(   "/flights/bookings/{ref}",              Requests, bookings::booking,      "A flight booking"),
        post(  "/flights/bookings/{ref}/penalty",      Requests, bookings::penalty,      "What cancelling would cost")                         .refuses(refusals::change),
        post(  "/flights/bookings/{ref}/cancel",       Requests, bookings::cancel,       "Cancel a flight booking")                            .refuses(refusals::change),
        post(  "/flights/bookings/{ref}/issue-ticket", Requests, bookings::issue_ticket, "Have the tickets of a held booking issued")          .refuses(refusals::ticket),
    ]
}

#[rustfmt::skip]
fn after_sales() -> Vec<Endpoint> {
    use flights::after_sales;
    vec![
        get(   "/flights/bookings/{ref}/retrieve",           Requests, after_sales::retrieve,           "A booking as its suppliers show it now"),
        get(   "/flights/bookings/{ref}/track",              Requests, after_sales::track,              "A booking in its suppliers' own words")  .refuses(refusals::change),
        get(   "/flights/bookings/{ref}/ssr",                Requests, after_sales::services,           "What can still be bought for a booking") .refuses(refusals::change),
        post(  "/flights/bookings/{ref}/ssr",                Requests, after_sales::add_services,       "Buy services for a booking")             .refuses(refusals::services),
        post(  "/flights/bookings/{ref}/reschedule-avail",   Requests, after_sales::reschedule_avail,   "Itineraries that could be flown instead").refuses(refusals::rescheduling),
        post(  "/flights/bookings/{ref}/reschedule-penalty", Requests, after_sales::reschedule_penalty, "What rescheduling would cost")           .refuses(refusals::rescheduling),
        post(  "/flights/bookings/{ref}/reschedule",         Requests, after_sales::reschedule,         "Reschedule a booking")                   .refuses(refusals::rescheduling),
        get(   "/flights/refunds",                           Requests, after_sales::refunds,            "Flight refunds"),
        post(  "/flights/bookings/{ref}/refund-status",      Requests, after_sales::refund_status,      "How the refund of a booking stands")     .refuses(refusals::not_confirmed),
    ]
}

#[rustfmt::skip]
fn hotels() -> Vec<Endpoint> {
    use hotels::{book, bookings, details, price, search};
    vec![
        post(  "/hotels/search",                 Searches, search::search,     "Search hotels"),
        get(   "/hotels/cities",                 Requests, details::cities,    "Cities, as one types"),
        post(  "/hotels/details",                Requests, details::details,   "All about hotels")             .refuses(refusals::room),
        post(  "/hotels/price",                  Requests, price::price,       "Price chosen rooms")           .refuses(refusals::room_price),
        post(  "/hotels/book",                   Requests, book::book,         "Book")                         .refuses(refusals::hotel_purchase),
        get(   "/hotels/bookings",               Requests, bookings::bookings, "Hotel bookings"),
        get(   "/hotels/bookings/{ref}",         Requests, bookings::booking,  "A hotel booking"),
        get(   "/hotels/bookings/{ref}/voucher", Requests, bookings::voucher,  "What guests show at the hotel").refuses(refusals::not_confirmed),
        post(  "/hotels/bookings/{ref}/penalty", Requests, bookings::penalty,  "What cancelling would cost")   .refuses(refusals::change),
        post(  "/hotels/bookings/{ref}/cancel",  Requests, bookings::cancel,   "Cancel a hotel booking")       .refuses(refusals::change),
    ]
}

#[rustfmt::skip]
fn notifications() -> Vec<Endpoint> {
    vec![
        get(   "/notifications",              Requests, notifications::list,         "The own notifications"),
        get(   "/notifications/unread-count", Requests, notifications::unread_count, "How many were not read"),
        put(   "/notifications/{id}/read",    Requests, notifications::read,         "Mark a notification as read"),
        put(   "/notifications/read-all",     Requests, notifications::read_all,     "Mark all notifications as read"),
    ]
}

#[rustfmt::skip]
fn feed() -> Vec<Endpoint> {
    vec![
        get(   "/events", Requests, events::read, "The events of the agency, in order").refuses(refusals::feed),
    ]
}

#[rustfmt::skip]
fn webhooks() -> Vec<Endpoint> {
    vec![
        get(   "/org/webhooks",                                         Requests, webhooks::list,          "The webhooks"),
        post(  "/org/webhooks",                                         Requests, webhooks::create,        "Make a webhook")                         .refuses(refusals::new_webhook),
        put(   "/org/webhooks/{id}",                                    Requests, webhooks::replace,       "Replace a webhook"),
        delete("/org/webhooks/{id}",                                    Requests, webhooks::delete,        "Delete a webhook"),
        post(  "/org/webhooks/{id}/test",                               Requests, webhooks::test,          "Send a test event to a webhook")         .refuses(refusals::sending),
        post(  "/org/webhooks/{id}/rotate-secret",                      Requests, webhooks::rotate_secret, "Give a webhook another secret"),
        get(   "/org/webhooks/{id}/deliveries",                         Requests, webhooks::deliveries,    "What was sent to a webhook, or is to be"),
        post(  "/org/webhooks/{id}/deliveries/{delivery_id}/redeliver", Requests, webhooks::redeliver,     "Send an event to a webhook once more")   .refuses(refusals::sending),
    ]
}

#[rustfmt::skip]
fn health() -> Vec<Endpoint> {
    vec![
        get(   "/health/live",  Unlimited, health::live,  "Whether the process lives"),
        get(   "/health/ready", Unlimited, health::ready, "Whether it can work")      .refuses(refusals::not_ready),
    ]
}

#[rustfmt::skip]
fn document() -> Vec<Endpoint> {
    vec![
        get(   "/openapi.json", Unlimited, document::get, "This document"),
    ]
}

/// Mounts everything. The methods of a path are one resource, so that the router knows what to allow there; in the
/// order of their paths a word comes before a pattern in its place.
pub fn mount(config: &mut ServiceConfig) {
    let mut paths = BTreeMap::<String, (Vec<Route>, Buckets)>::new();
    for endpoint in endpoints() {
        let (routes, buckets) = paths.entry(endpoint.path).or_default();
        routes.push(endpoint.route);
        buckets.0.push((endpoint.method, endpoint.bucket));
    }
    for (path, (routes, buckets)) in paths {
        let resource = web::resource(path).app_data(buckets);
        config.service(routes.into_iter().fold(resource, Resource::route));
    }
    docs_page::mount(config);
    config.default_service(web::to(unknown_path));
}

async fn unknown_path(_: HttpRequest) -> HttpResponse {
    Refusal::new(StatusCode::NOT_FOUND, "resource not found").error_response()
}

#[cfg(test)]
mod tests {
    use actix_web::http::Method;
    use schemars::SchemaGenerator;
    use serde_json::Value;

    use super::*;
    use crate::http::operation::Operation;

    /// Whether it wants a token, and whether its answers say how many requests are left.
    fn described(endpoint: &Endpoint) -> (bool, bool) {
        let mut schemas = SchemaGenerator::default();
        let mut operation = Operation::at(&endpoint.path, &mut schemas);
        (endpoint.describe)(&mut operation);
        let operation = Value::Object(operation.finish());
        let secured = operation["security"] != serde_json::json!([]);
        (
            secured,
            operation["responses"].to_string().contains("RateLimit-Limit"),
        )
    }

    #[test]
    fn every_route_takes_from_the_one_bucket_that_suits_it() {
        for endpoint in endpoints() {
            let searches = ["/search", "/search/stream"]
                .iter()
                .any(|end| endpoint.path.ends_with(end));
            let expected = match described(&endpoint) {
                (true, true) if searches => Searches,
                (true, true) => Requests,
                (false, true) => Logins,
                (_, false) => Unlimited,
            };
            assert_eq!(endpoint.bucket, expected, "{} {}", endpoint.method, endpoint.path);
        }
    }

    #[test]
    fn the_methods_of_a_path_have_a_bucket_each() {
        let mut seen: Vec<(Method, String)> = endpoints()
            .into_iter()
            .map(|endpoint| (endpoint.method, endpoint.path))
            .collect();
        let all = seen.len();
        seen.sort_by_key(|(method, path)| (path.clone(), method.to_string()));
        seen.dedup();
        assert_eq!(seen.len(), all, "a row stands twice");
    }
}
