//! Every endpoint, a row each, in tables by sections: method, path, rate bucket, handler, id, summary, and how the operation
//! behind it may be refused.

pub mod operator;
mod refusals;

use std::collections::BTreeMap;

use actix_web::{
    HttpRequest, HttpResponse, Resource, ResponseError, Route,
    http::StatusCode,
    web::{self, ServiceConfig},
};

use wayfare_console::Console;
use wayfare_flights::Itinerary;
use wayfare_hotels::Stay;

use crate::{
    http::{
        BASE,
        endpoint::{Endpoint, OwnPasswordWanted, delete, get, post, put},
        rate_limit::{
            Bucket::{self, Logins, Requests, Searches, Unlimited},
            Buckets,
        },
        refusal::Refusal,
    },
    resources::{
        auth,
        bookings::{counts, timeline},
        events, fare_ledger, flights, hotels, me, notifications, organization, packages, reports,
        service::{docs_page, document, health},
        supplier_hooks, users, wallets, webhooks,
    },
};

/// All that agencies are answered, in the order in which one works with it. What suppliers post is no agency's.
#[rustfmt::skip]
pub fn endpoints() -> Vec<Endpoint> {
    [
        section(BASE, "Authentication",    "Log in, stay logged in, log out.",                                             authentication()),
        section(BASE, "Flights",           "Search, price and book flights, in this order.",                               flights()),
        section(BASE, "Flight bookings",   "Read bookings, issue tickets, cancel, reschedule, buy seats, bags and meals.", flight_bookings()),
        section(BASE, "Hotels",            "Search, price and book hotel rooms, in this order.",                           hotels()),
        section(BASE, "Hotel bookings",    "Read bookings, print vouchers, cancel.",                                       hotel_bookings()),
        section(BASE, "Wallets",           "Money: what each wallet has, and what moved it.",                              wallets()),
        section(BASE, "Fare ledger",       "Sales and refunds as the agency's accountant reads them.",                     fare_ledger()),
        section(BASE, "Reports",           "Files of a period, made in the background.",                                   reports()),
        section(BASE, "Profile",           "The user who is logged in.",                                                   profile()),
        section(BASE, "Notifications",     "What happened, for people.",                                                   notifications()),
        section(BASE, "Users",             "The agency's people; for admins of agencies with the portal.",                 users()),
        section(BASE, "Flight packages",   "Markups on flights; for admins of agencies with the portal.",                  flight_packages()),
        section(BASE, "Hotel packages",    "Markups on stays; for admins of agencies with the portal.",                    hotel_packages()),
        section(BASE, "Organization",      "The agency's profile, settings and audit log; for its admins.",                organization()),
        section(BASE, "Feed and webhooks", "What happened, for the agency's own programs.",                                feed_and_webhooks()),
        section("",   "Service",           "Health and this document; for everybody.",                                     service()),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn section(base: &str, name: &'static str, text: &'static str, rows: Vec<Endpoint>) -> Vec<Endpoint> {
    let complete = |row: Endpoint| Endpoint { path: format!("{base}{}", row.path), ..row };
    rows.into_iter().map(|row| complete(row).in_section(name, text)).collect()
}

#[rustfmt::skip]
fn authentication() -> Vec<Endpoint> {
    vec![
        post(  "/auth/login",   Logins, auth::log_in,  "logIn",         "Log in")                                           .refuses(refusals::log_in),
        post(  "/auth/refresh", Logins, auth::refresh, "refreshTokens", "Spend a refresh token for the next pair of tokens").refuses(refusals::refresh),
        post(  "/auth/logout",  Logins, auth::log_out, "logOut",        "End a session")                                    .refuses(refusals::log_out),
        post(  "/auth/sessions",           Logins,   auth::begin_session,       "beginBrowserSession", "Begin a session of a browser, with one token").refuses(refusals::log_in),
        delete("/auth/sessions/current",   Requests, auth::end_current_session, "endCurrentSession",   "End the session of the token that is shown"),
    ]
}

#[rustfmt::skip]
fn flights() -> Vec<Endpoint> {
    use flights::{airlines, airports, book, fare_rules, price, search};
    vec![
        get(   "/airports",              Requests, airports::find,         "findAirports",       "Find airports and cities as somebody types"),
        get(   "/airlines",              Requests, airlines::find,         "findAirlines",       "Find airlines as somebody types"),
        post(  "/flights/search",        Searches, search::search,         "searchFlights",      "Search flights"),
        post(  "/flights/search/stream", Searches, search::search_stream,  "streamFlightSearch", "Search flights and read offers as suppliers answer"),
        post(  "/flights/fare-rules",    Requests, fare_rules::fare_rules, "getFareRules",       "Get the rules of fares")                            .refuses(refusals::offer),
        post(  "/flights/price",         Requests, price::price,           "priceFlight",        "Price flight offers")                               .refuses(refusals::flight_price),
        post(  "/flights/book",          Requests, book::book,             "bookFlight",         "Book flights")                                      .refuses(refusals::flight_purchase).with_own_password(),
    ]
}

#[rustfmt::skip]
fn flight_bookings() -> Vec<Endpoint> {
    use flights::{after_sales::{changes, refunds, reschedule, retrieve, services}, bookings};
    vec![
        get(   "/flights/bookings",                          Requests, bookings::bookings,              "listFlightBookings",      "List flight bookings"),
        get(   "/flights/bookings/counts",                   Requests, counts::<Itinerary>,             "countFlightBookings",     "Count flight bookings"),
        get(   "/flights/bookings/{ref}",                    Requests, bookings::booking,               "getFlightBooking",        "Get a flight booking"),
        get(   "/flights/bookings/{ref}/timeline",           Requests, timeline::<Itinerary>,           "getFlightTimeline",       "Get what happened to a flight booking"),
        post(  "/flights/bookings/{ref}/issue-ticket",       Requests, bookings::issue_ticket,          "issueTickets",            "Issue the tickets of a held booking")            .refuses(refusals::ticket).with_own_password(),
        put(   "/flights/bookings/{ref}/auto-ticket",        Requests, bookings::hold::set_auto_ticket, "setAutoTicket",           "Have a held booking ticketed by itself, or no more").refuses(refusals::auto_ticket).with_own_password(),
        post(  "/flights/bookings/{ref}/penalty",            Requests, bookings::penalty,               "quoteFlightCancellation", "Ask what cancelling a flight booking would cost").refuses(refusals::flight_cancellation),
        post(  "/flights/bookings/{ref}/cancel",             Requests, bookings::cancel,                "cancelFlightBooking",     "Cancel a flight booking")                        .refuses(refusals::flight_cancellation).with_own_password(),
        get(   "/flights/changes",                           Requests, changes::changes,                "listFlightChanges",       "List what airlines have changed"),
        post(  "/flights/bookings/{ref}/changes/{id}/accept", Requests, changes::accept,                "acceptFlightChange",      "Accept what an airline has changed")             .refuses(refusals::acceptance).with_own_password(),
        post(  "/flights/bookings/{ref}/changes/{id}/refuse", Requests, changes::refuse,                "refuseFlightChange",      "Refuse what an airline has changed")             .refuses(refusals::refusal).with_own_password(),
        get(   "/flights/refunds",                           Requests, refunds::refunds::<Itinerary>,   "listFlightRefunds",       "List refunds of flights"),
        post(  "/flights/bookings/{ref}/refund-status",      Requests, refunds::refund_status,          "getRefundStatus",         "Get how the refund of a booking stands")         .refuses(refusals::not_confirmed),
        get(   "/flights/bookings/{ref}/retrieve",           Requests, retrieve::retrieve,              "retrieveFlightBooking",   "Get a booking as its suppliers show it now"),
        get(   "/flights/bookings/{ref}/track",              Requests, retrieve::track,                 "trackFlightBooking",      "Get a booking in its suppliers' own words")      .refuses(refusals::change),
        get(   "/flights/bookings/{ref}/ssr",                Requests, services::services,              "listBookingServices",     "List what can still be bought for a booking")    .refuses(refusals::change),
        post(  "/flights/bookings/{ref}/ssr",                Requests, services::add_services,          "addBookingServices",      "Buy seats, bags or meals for a booking")         .refuses(refusals::services).with_own_password(),
        post(  "/flights/bookings/{ref}/reschedule-avail",   Requests, reschedule::reschedule_avail,    "searchRescheduleOptions", "Search itineraries that could be flown instead") .refuses(refusals::reschedule_options),
        post(  "/flights/bookings/{ref}/reschedule-penalty", Requests, reschedule::reschedule_penalty,  "quoteReschedule",         "Ask what rescheduling would cost")               .refuses(refusals::rescheduling),
        post(  "/flights/bookings/{ref}/reschedule",         Requests, reschedule::reschedule,          "rescheduleFlightBooking", "Reschedule a flight booking")                    .refuses(refusals::rescheduling).with_own_password(),
    ]
}

#[rustfmt::skip]
fn hotels() -> Vec<Endpoint> {
    use hotels::{book, details, price, search};
    vec![
        get(   "/hotels/cities",  Requests, details::cities,  "findCities",      "Find cities as somebody types"),
        post(  "/hotels/search",  Searches, search::search,   "searchHotels",    "Search hotels"),
        post(  "/hotels/details", Requests, details::details, "getHotelDetails", "Get all about hotels")         .refuses(refusals::room),
        post(  "/hotels/price",   Requests, price::price,     "priceHotel",      "Price hotel rooms")            .refuses(refusals::room_price),
        post(  "/hotels/book",    Requests, book::book,       "bookHotel",       "Book hotel rooms")             .refuses(refusals::hotel_purchase).with_own_password(),
    ]
}

#[rustfmt::skip]
fn hotel_bookings() -> Vec<Endpoint> {
    use flights::after_sales::refunds::refunds;
    use hotels::bookings;
    vec![
        get(   "/hotels/bookings",               Requests, bookings::bookings, "listHotelBookings",      "List hotel bookings"),
        get(   "/hotels/bookings/counts",        Requests, counts::<Stay>,     "countHotelBookings",     "Count hotel bookings"),
        get(   "/hotels/bookings/{ref}",         Requests, bookings::booking,  "getHotelBooking",        "Get a hotel booking"),
        get(   "/hotels/bookings/{ref}/timeline", Requests, timeline::<Stay>,   "getHotelTimeline",      "Get what happened to a hotel booking"),
        get(   "/hotels/bookings/{ref}/voucher", Requests, bookings::voucher,  "getHotelVoucher",        "Get what guests show at the hotel")             .refuses(refusals::not_confirmed),
        get(   "/hotels/refunds",                Requests, refunds::<Stay>,    "listHotelRefunds",       "List refunds of stays"),
        post(  "/hotels/bookings/{ref}/penalty", Requests, bookings::penalty,  "quoteHotelCancellation", "Ask what cancelling a hotel booking would cost").refuses(refusals::change),
        post(  "/hotels/bookings/{ref}/cancel",  Requests, bookings::cancel,   "cancelHotelBooking",     "Cancel a hotel booking")                        .refuses(refusals::change).with_own_password(),
    ]
}

#[rustfmt::skip]
fn wallets() -> Vec<Endpoint> {
    vec![
        get(   "/wallet",                              Requests, wallets::own,                          "getWallet",                      "Get the wallet that you pay from"),
        get(   "/wallet/transactions",                 Requests, wallets::own_transactions,             "listWalletTransactions",         "List transactions of the wallet that you pay from"),
        get(   "/org/wallet",                          Requests, wallets::of_organization,              "getOrganizationWallet",          "Get the organization's wallet"),
        get(   "/org/wallet/transactions",             Requests, wallets::transactions_of_organization, "listOrganizationTransactions",   "List transactions of the organization's wallet"),
        get(   "/org/wallet/transactions/export",      Requests, wallets::export,                       "exportOrganizationTransactions", "Export transactions of the organization's wallet as CSV"),
        post(  "/org/wallet/topup/{id}",               Requests, wallets::allocate,                     "allocateToAgent",                "Give money to an agent")                                 .refuses(refusals::allocation).with_own_password(),
        get(   "/org/wallet/summary",                  Requests, wallets::summary,                      "getWalletSummary",               "Get figures of the organization's wallet"),
        get(   "/org/wallet/balance-series",           Requests, wallets::series,                       "getBalanceSeries",               "Get how the balance of the organization's wallet moved"),
        get(   "/org/wallet/agents",                   Requests, wallets::agents,                       "listAgentWallets",               "List what each agent has"),
        get(   "/org/wallet/agents/{id}/transactions", Requests, wallets::transactions_of_agent,        "listAgentTransactions",          "List transactions of an agent's wallet"),
    ]
}

#[rustfmt::skip]
fn fare_ledger() -> Vec<Endpoint> {
    vec![
        get(   "/me/fare-transactions",       Requests, fare_ledger::own,             "listFares",             "List your own sales and refunds"),
        get(   "/org/fare-transactions",      Requests, fare_ledger::of_organization, "listOrganizationFares", "List sales and refunds of the agency"),
        get(   "/org/fare-transactions/{id}", Requests, fare_ledger::of_user,         "listUserFares",         "List sales and refunds of a user"),
        get(   "/org/finance-summary",        Requests, fare_ledger::summary,         "getFinanceSummary",     "Get sums of sales and refunds by supplier"),
    ]
}

#[rustfmt::skip]
fn reports() -> Vec<Endpoint> {
    vec![
        get(   "/reports",                   Requests, reports::own,                      "listReports",                "List your own reports"),
        post(  "/reports",                   Requests, reports::request_own,              "requestReport",              "Ask for a report of what is your own").refuses(refusals::new_report),
        get(   "/reports/{id}/download",     Requests, reports::download_own,             "downloadReport",             "Download one of your own reports")    .refuses(refusals::report),
        get(   "/org/reports",               Requests, reports::of_organization,          "listOrganizationReports",    "List the agency's reports"),
        post(  "/org/reports",               Requests, reports::request_of_organization,  "requestOrganizationReport",  "Ask for a report of the agency")      .refuses(refusals::new_report),
        get(   "/org/reports/{id}/download", Requests, reports::download_of_organization, "downloadOrganizationReport", "Download one of the agency's reports").refuses(refusals::report),
    ]
}

#[rustfmt::skip]
fn profile() -> Vec<Endpoint> {
    vec![
        get(   "/me",          Requests, me::own,             "getProfile",     "Get your own profile"),
        put(   "/me",          Requests, me::change_profile,  "updateProfile",  "Change your own profile"),
        put(   "/me/password", Requests, me::change_password, "changePassword", "Change your own password").refuses(refusals::password),
        get(   "/me/stats",    Requests, me::stats,           "getStats",       "Get your own figures"),
        get(   "/me/sessions",      Requests, me::sessions,    "listOwnSessions", "List your own sessions"),
        delete("/me/sessions/{id}", Requests, me::end_session, "endOwnSession",   "End one of your own sessions"),
    ]
}

#[rustfmt::skip]
fn notifications() -> Vec<Endpoint> {
    vec![
        get(   "/notifications",              Requests, notifications::list,         "listNotifications",        "List your own notifications"),
        get(   "/notifications/unread-count", Requests, notifications::unread_count, "countUnreadNotifications", "Count notifications that you have not read"),
        put(   "/notifications/{id}/read",    Requests, notifications::read,         "markNotificationRead",     "Mark a notification as read"),
        put(   "/notifications/read-all",     Requests, notifications::read_all,     "markAllNotificationsRead", "Mark all notifications as read"),
    ]
}

#[rustfmt::skip]
fn users() -> Vec<Endpoint> {
    vec![
        get(   "/org/users",               Requests, users::list,     "listUsers",    "List users"),
        post(  "/org/users",               Requests, users::create,   "createUser",   "Create a user")            .refuses(refusals::new_user).with_own_password(),
        get(   "/org/users/{id}",          Requests, users::get,      "getUser",      "Get a user"),
        put(   "/org/users/{id}",          Requests, users::change,   "updateUser",   "Change a user")            .refuses(refusals::last_admin).with_own_password(),
        delete("/org/users/{id}",          Requests, users::delete,   "deleteUser",   "Delete a user")            .refuses(refusals::deletion).with_own_password(),
        put(   "/org/users/{id}/suspend",  Requests, users::suspend,  "suspendUser",  "Suspend a user")           .refuses(refusals::last_admin).with_own_password(),
        put(   "/org/users/{id}/activate", Requests, users::activate, "activateUser", "Activate a suspended user").with_own_password(),
    ]
}

#[rustfmt::skip]
fn flight_packages() -> Vec<Endpoint> {
    use packages::Flights;
    vec![
        get(   "/org/packages",                   Requests, packages::list::<Flights>,              "listFlightPackages",             "List flight packages"),
        post(  "/org/packages",                   Requests, packages::create::<Flights>,            "createFlightPackage",            "Create a flight package")                .refuses(refusals::new_package),
        put(   "/org/packages/{id}",              Requests, packages::replace::<Flights>,           "replaceFlightPackage",           "Replace a flight package"),
        delete("/org/packages/{id}",              Requests, packages::delete::<Flights>,            "deleteFlightPackage",            "Delete a flight package"),
        post(  "/org/packages/preview",           Requests, packages::preview::<Flights>,           "previewFlightPackage",           "Preview a flight package"),
        get(   "/org/packages/assigned",          Requests, packages::assigned::<Flights>,          "getAssignedFlightPackage",       "Get the agency's flight package")        .refuses(refusals::unknown),
        post(  "/org/packages/assign",            Requests, packages::assign::<Flights>,            "assignFlightPackage",            "Assign a flight package to the agency")  .refuses(refusals::unknown),
        delete("/org/packages/assign",            Requests, packages::unassign::<Flights>,          "unassignFlightPackage",          "Take the flight package from the agency").refuses(refusals::unknown),
        get(   "/org/packages/agent-assignments", Requests, packages::agent_assignments::<Flights>, "listAgentFlightPackages",        "List agents' flight packages"),
        post(  "/org/packages/assign-agent/{id}", Requests, packages::assign_agent::<Flights>,      "assignFlightPackageToAgent",     "Assign a flight package to an agent"),
        delete("/org/packages/assign-agent/{id}", Requests, packages::unassign_agent::<Flights>,    "unassignFlightPackageFromAgent", "Take the flight package from an agent"),
    ]
}

#[rustfmt::skip]
fn hotel_packages() -> Vec<Endpoint> {
    use packages::Hotels;
    vec![
        get(   "/org/hotel-packages",                   Requests, packages::list::<Hotels>,              "listHotelPackages",             "List hotel packages"),
        post(  "/org/hotel-packages",                   Requests, packages::create::<Hotels>,            "createHotelPackage",            "Create a hotel package")                .refuses(refusals::new_package),
        put(   "/org/hotel-packages/{id}",              Requests, packages::replace::<Hotels>,           "replaceHotelPackage",           "Replace a hotel package"),
        delete("/org/hotel-packages/{id}",              Requests, packages::delete::<Hotels>,            "deleteHotelPackage",            "Delete a hotel package"),
        post(  "/org/hotel-packages/preview",           Requests, packages::preview::<Hotels>,           "previewHotelPackage",           "Preview a hotel package"),
        get(   "/org/hotel-packages/assigned",          Requests, packages::assigned::<Hotels>,          "getAssignedHotelPackage",       "Get the agency's hotel package")        .refuses(refusals::unknown),
        post(  "/org/hotel-packages/assign",            Requests, packages::assign::<Hotels>,            "assignHotelPackage",            "Assign a hotel package to the agency")  .refuses(refusals::unknown),
        delete("/org/hotel-packages/assign",            Requests, packages::unassign::<Hotels>,          "unassignHotelPackage",          "Take the hotel package from the agency").refuses(refusals::unknown),
        get(   "/org/hotel-packages/agent-assignments", Requests, packages::agent_assignments::<Hotels>, "listAgentHotelPackages",     "List agents' hotel packages"),
        post(  "/org/hotel-packages/assign-agent/{id}", Requests, packages::assign_agent::<Hotels>,      "assignHotelPackageToAgent",     "Assign a hotel package to an agent"),
        delete("/org/hotel-packages/assign-agent/{id}", Requests, packages::unassign_agent::<Hotels>,    "unassignHotelPackageFromAgent", "Take the hotel package from an agent"),
    ]
}

#[rustfmt::skip]
fn organization() -> Vec<Endpoint> {
    vec![
        get(   "/org/profile",    Requests, organization::profile,        "getOrganization",    "Get the agency's profile"),
        put(   "/org/profile",    Requests, organization::change_profile, "updateOrganization", "Change the agency's profile"),
        get(   "/org/settings",   Requests, organization::settings,       "listSettings",       "List the agency's settings"),
        put(   "/org/settings",   Requests, organization::set_setting,    "setSetting",         "Set one of the settings").with_own_password(),
        get(   "/org/audit-logs", Requests, organization::audit_logs,     "listAuditLogs",      "List what was done in the agency"),
        get(   "/org/bookings/{ref}/people",        Requests, organization::people,       "exportPeople", "Get all that is stored of whom a booking is for"),
        post(  "/org/bookings/{ref}/people/erase",  Requests, organization::erase_people, "erasePeople",  "Erase whom a booking is for").refuses(refusals::erasure),
    ]
}

#[rustfmt::skip]
fn feed_and_webhooks() -> Vec<Endpoint> {
    vec![
        get(   "/events",                                               Requests, events::read,            "listEvents",            "Read the agency's events in order")           .refuses(refusals::feed),
        get(   "/org/webhooks",                                         Requests, webhooks::list,          "listWebhooks",          "List webhooks"),
        post(  "/org/webhooks",                                         Requests, webhooks::create,        "createWebhook",         "Create a webhook")                            .refuses(refusals::new_webhook).with_own_password(),
        put(   "/org/webhooks/{id}",                                    Requests, webhooks::replace,       "replaceWebhook",        "Replace a webhook").with_own_password(),
        delete("/org/webhooks/{id}",                                    Requests, webhooks::delete,        "deleteWebhook",         "Delete a webhook").with_own_password(),
        post(  "/org/webhooks/{id}/test",                               Requests, webhooks::test,          "testWebhook",           "Send a test event to a webhook")              .refuses(refusals::sending),
        post(  "/org/webhooks/{id}/rotate-secret",                      Requests, webhooks::rotate_secret, "rotateWebhookSecret",   "Give a webhook another secret").with_own_password(),
        get(   "/org/webhooks/{id}/deliveries",                         Requests, webhooks::deliveries,    "listWebhookDeliveries", "List what was sent to a webhook, or is to be"),
        post(  "/org/webhooks/{id}/deliveries/{delivery_id}/redeliver", Requests, webhooks::redeliver,     "redeliverEvent",        "Send an event to a webhook once more")        .refuses(refusals::sending),
    ]
}

#[rustfmt::skip]
fn service() -> Vec<Endpoint> {
    vec![
        get(   "/health/live",  Unlimited, health::live,  "checkLiveness",      "Ask whether the process lives"),
        get(   "/health/ready", Unlimited, health::ready, "checkReadiness",     "Ask whether the service can work").refuses(refusals::not_ready),
        get(   "/openapi.json", Unlimited, document::get, "getOpenApiDocument", "Get this document"),
    ]
}

/// Mounts everything. The methods of a path are one resource, so that the router knows what to allow there; in the
/// order of their paths a word comes before a pattern in its place.
pub fn mount(config: &mut ServiceConfig, console: Option<&Console>) {
    mount_rows(config, endpoints());
    docs_page::mount(config, console.is_some());
    if let Some(console) = console {
        console.mount(config);
    }
    supplier_hooks::mount(config);
    config.default_service(web::to(unknown_path));
}

fn mount_rows(config: &mut ServiceConfig, rows: Vec<Endpoint>) {
    let mut paths = BTreeMap::<String, (Vec<Route>, Buckets, OwnPasswordWanted)>::new();
    for endpoint in rows {
        let (routes, buckets, wanted) = paths.entry(endpoint.path).or_default();
        routes.push(endpoint.route);
        if endpoint.wants_own_password {
            wanted.0.push(endpoint.method.clone());
        }
        buckets.0.push((endpoint.method, endpoint.bucket));
    }
    for (path, (routes, buckets, wanted)) in paths {
        let resource = web::resource(path).app_data(buckets).app_data(wanted);
        config.service(routes.into_iter().fold(resource, Resource::route));
    }
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
        (endpoint.description.describe)(&mut operation);
        let operation = Value::Object(operation.finish());
        let secured = operation["security"] != serde_json::json!([]);
        (secured, operation["responses"].to_string().contains("RateLimit-Limit"))
    }

    #[test]
    fn every_route_takes_from_the_one_bucket_that_suits_it() {
        for endpoint in endpoints() {
            let searches = ["/search", "/search/stream"].iter().any(|end| endpoint.path.ends_with(end));
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
        let mut seen: Vec<(Method, String)> =
            endpoints().into_iter().map(|endpoint| (endpoint.method, endpoint.path)).collect();
        let all = seen.len();
        seen.sort_by_key(|(method, path)| (path.clone(), method.to_string()));
        seen.dedup();
        assert_eq!(seen.len(), all, "a row stands twice");
    }
}
