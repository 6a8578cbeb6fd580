//! Every endpoint of the operator's API, a row each, as those of agencies are in `routes`.

use actix_web::{
    HttpResponse,
    http::header,
    web::{self, ServiceConfig},
};
use wayfare_console::Console;

use super::{
    Bucket::{Logins, Requests, Unlimited},
    mount_rows, refusals, section, unknown_path,
};
use crate::{
    http::endpoint::{Endpoint, delete, get, post, put},
    resources::{
        operator::{self, operators, sessions},
        service::document,
    },
};

/// What every path of the operator's API begins with.
pub const BASE: &str = "/operator/v1";

/// All that operators are answered.
#[rustfmt::skip]
pub fn endpoints() -> Vec<Endpoint> {
    [
        section(BASE, "Sessions",  "Log in, confirm the password, log out.",    own_sessions()),
        section(BASE, "Operators", "Who works for the platform, and what they did; for admins.", people()),
        section(BASE, "Overview",  "What needs a person.",                      overview()),
        section(BASE, "Incidents", "What the service can't settle by itself.",   incidents()),
        section(BASE, "Bookings",  "Bookings of all agencies.",                 bookings()),
        section(BASE, "Agencies",  "Agencies and their people.",                agencies()),
        section(BASE, "Money",     "Money into wallets and out of them.",       money()),
        section(BASE, "Prices",    "Agencies' terms and contracts, and exchange rates.", prices()),
        section(BASE, "Ledger",    "Proofs of the ledger, and its accounts.",   ledger()),
        section(BASE, "Suppliers", "How suppliers do, and what is sold of them.", suppliers()),
        section(BASE, "Service",   "This document; for everybody.",             service()),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[rustfmt::skip]
fn own_sessions() -> Vec<Endpoint> {
    vec![
        post(  "/sessions",                 Logins,   sessions::begin,           "beginOperatorSession",   "Begin a session").refuses(refusals::operator_log_in),
        delete("/sessions/current",         Requests, sessions::end_current,     "endOperatorSession",     "End the session of the token that is shown"),
        post(  "/sessions/current/confirm", Requests, sessions::confirm,         "confirmPassword",        "Confirm the password, so that money may be moved and power given").refuses(refusals::confirmation),
        get(   "/me",                       Requests, sessions::own,             "getOwnOperator",         "Get your own profile"),
        put(   "/me/password",              Requests, sessions::change_password, "changeOperatorPassword", "Change your own password").refuses(refusals::wrong_password),
        get(   "/me/sessions",              Requests, sessions::list,            "listOperatorSessions",   "List your own sessions"),
        delete("/me/sessions/{id}",         Requests, sessions::end,             "endOwnOperatorSession",  "End one of your own sessions"),
    ]
}

#[rustfmt::skip]
fn people() -> Vec<Endpoint> {
    vec![
        get( "/operators",                     Requests, operators::list,           "listOperators",         "List operators"),
        post("/operators",                     Requests, operators::add,            "addOperator",           "Add an operator").refuses(refusals::new_operator),
        put( "/operators/{id}",                Requests, operators::change,         "changeOperator",        "Change what an operator may do").refuses(refusals::last_operator_admin),
        post("/operators/{id}/reset-password", Requests, operators::reset_password, "resetOperatorPassword", "Give an operator another password"),
        get( "/events",                        Requests, operator::audit_logs::of_operators, "listOperatorEvents", "List what was done about operators, suppliers and exchange rates"),
    ]
}

#[rustfmt::skip]
fn overview() -> Vec<Endpoint> {
    vec![
        get("/overview", Requests, operator::overview::get, "getOverview", "Get what needs a person"),
    ]
}

#[rustfmt::skip]
fn incidents() -> Vec<Endpoint> {
    use operator::incidents;
    vec![
        get( "/incidents",              Requests, incidents::list,    "listIncidents",   "List incidents").refuses(refusals::unknown),
        get( "/incidents/{id}",         Requests, incidents::get,     "getIncident",     "Get an incident, its booking and all that happened to it"),
        post("/incidents/{id}/claim",   Requests, incidents::claim,   "claimIncident",   "Say that you work on an incident").refuses(refusals::claim),
        post("/incidents/{id}/release", Requests, incidents::release, "releaseIncident", "Say that you do not work on it any more").refuses(refusals::claimed),
        post("/incidents/{id}/resolve", Requests, incidents::resolve, "resolveIncident", "Decide an incident").refuses(refusals::claim),
    ]
}

#[rustfmt::skip]
fn bookings() -> Vec<Endpoint> {
    use operator::bookings;
    vec![
        get( "/bookings",               Requests, bookings::find,    "findBookings",      "Find bookings").refuses(refusals::unknown),
        get( "/bookings/{ref}",         Requests, bookings::get,     "getDeskBooking",    "Get a booking and all that happened to it"),
        post("/bookings/{ref}/people",  Requests, bookings::people,  "readBookingPeople", "Read whom a booking is for"),
        post("/bookings/{ref}/look",    Requests, bookings::look,    "lookAtBooking",     "Have its orders looked at now"),
        post("/bookings/{ref}/correct", Requests, bookings::correct, "correctBooking",    "Correct a number of an order"),
        post("/bookings/{ref}/rulings", Requests, bookings::rule,    "ruleOnBooking",     "Rule about an order's money").refuses(refusals::ruling),
        post("/bookings/{ref}/rulings/{id}/withdraw", Requests, bookings::withdraw, "withdrawRuling", "Withdraw a debit note that is due"),
    ]
}

#[rustfmt::skip]
fn agencies() -> Vec<Endpoint> {
    use operator::agencies;
    vec![
        get( "/agencies",                                        Requests, agencies::list,           "listAgencies",            "List agencies"),
        post("/agencies",                                        Requests, agencies::create,         "createAgency",            "Create an agency"),
        get( "/agencies/{code}",                                 Requests, agencies::get,            "getAgency",               "Get an agency"),
        put( "/agencies/{code}",                                 Requests, agencies::change,         "changeAgency",            "Change an agency"),
        post("/agencies/{code}/suspend",                         Requests, agencies::suspend,        "suspendAgency",           "Suspend an agency"),
        post("/agencies/{code}/activate",                        Requests, agencies::activate,       "activateAgency",          "Activate an agency"),
        get( "/agencies/{code}/users",                           Requests, agencies::list_users,          "listAgencyUsers",         "List an agency's users"),
        post("/agencies/{code}/users",                           Requests, agencies::add_user,       "addAgencyUser",           "Add a user to an agency").refuses(refusals::new_operator),
        post("/agencies/{code}/users/{username}/suspend",        Requests, agencies::suspend_user,   "suspendAgencyUser",       "Suspend a user of an agency").refuses(refusals::last_admin),
        post("/agencies/{code}/users/{username}/activate",       Requests, agencies::activate_user,  "activateAgencyUser",      "Activate a user of an agency"),
        post("/agencies/{code}/users/{username}/reset-password", Requests, agencies::reset_password, "resetAgencyUserPassword", "Give a user of an agency another password"),
        get( "/agencies/{code}/audit-logs",                      Requests, operator::audit_logs::of_agency, "listAgencyAuditLogs", "List who did what in an agency"),
    ]
}

#[rustfmt::skip]
fn money() -> Vec<Endpoint> {
    use operator::wallets;
    vec![
        post("/agencies/{code}/wallet/topup",        Requests, wallets::top_up,           "topUpWallet",    "Put money into a wallet").refuses(refusals::top_up),
        post("/agencies/{code}/wallet/deduct",       Requests, wallets::deduct,           "deductWallet",   "Take money out of a wallet").refuses(refusals::deduction),
        put( "/agencies/{code}/wallet/credit-limit", Requests, wallets::set_credit_limit, "setCreditLimit", "Set what a wallet may spend beyond its balance"),
        post("/agencies/{code}/wallet/freeze",       Requests, wallets::freeze,           "freezeWallet",   "Freeze a wallet"),
        post("/agencies/{code}/wallet/unfreeze",     Requests, wallets::unfreeze,         "unfreezeWallet", "Unfreeze a wallet"),
        get( "/agencies/{code}/statement",           Requests, wallets::statement,        "getStatement",   "Get a wallet's statement"),
    ]
}

#[rustfmt::skip]
fn prices() -> Vec<Endpoint> {
    use operator::{prices, rates};
    vec![
        get(   "/agencies/{code}/terms",     Requests, prices::terms,           "getTerms",       "Get an agency's terms"),
        put(   "/agencies/{code}/terms",     Requests, prices::set_terms,       "setTerms",       "Change an agency's terms"),
        get(   "/contracts",                 Requests, prices::contracts,       "listContracts",  "List contracts with suppliers").refuses(refusals::unknown),
        put(   "/agencies/{code}/contracts", Requests, prices::set_contract,    "setContract",    "Set what a supplier leaves for an agency's bookings"),
        delete("/agencies/{code}/contracts", Requests, prices::remove_contract, "removeContract", "End a contract"),
        post(  "/agencies/{code}/preview",   Requests, prices::preview,         "previewPrice",   "See what terms and a contract would make of a price"),
        get(   "/rates",                     Requests, rates::list,             "listRates",      "List exchange rates"),
        get(   "/rates/{from}/{to}",         Requests, rates::get,              "getRate",        "Get the exchange rate that counts").refuses(refusals::same_currency),
        put(   "/rates/{from}/{to}",         Requests, rates::set,              "setRate",        "Set an exchange rate of your own").refuses(refusals::unconfirmed),
        delete("/rates/{from}/{to}",         Requests, rates::remove,           "removeRate",     "Take your own exchange rate back"),
        post(  "/rates/import",              Requests, rates::import,           "importRates",    "Import the European Central Bank's daily file").refuses(refusals::unconfirmed),
    ]
}

#[rustfmt::skip]
fn ledger() -> Vec<Endpoint> {
    use operator::ledger;
    vec![
        post("/ledger/verifications",      Requests, ledger::begin,         "beginLedgerVerification", "Have the ledger proven"),
        get( "/ledger/verifications",      Requests, ledger::list,          "listLedgerVerifications", "List proofs of the ledger"),
        get( "/ledger/verifications/{id}", Requests, ledger::get,           "getLedgerVerification",   "Get a proof of the ledger"),
        get( "/trial-balance",             Requests, ledger::trial_balance, "getTrialBalance",         "Get the trial balance").refuses(refusals::unknown),
    ]
}

#[rustfmt::skip]
fn suppliers() -> Vec<Endpoint> {
    use operator::suppliers;
    vec![
        get( "/suppliers",                Requests, suppliers::list,          "listSuppliers",        "List suppliers and how they do"),
        get( "/suppliers/{code}",         Requests, suppliers::get,           "getSupplier",          "Get a supplier, how it does and what was done about it"),
        post("/suppliers/{code}/close",   Requests, suppliers::close,         "closeSupplier",        "Sell nothing new of a supplier"),
        post("/suppliers/{code}/open",    Requests, suppliers::open,          "openSupplier",         "Sell a supplier again"),
        put( "/suppliers/{code}/balance", Requests, suppliers::state_balance, "stateSupplierBalance", "State what our account with a supplier holds"),
        put( "/suppliers/{code}/limits",  Requests, suppliers::set_limits,    "setSupplierLimits",    "Set when our account with a supplier is low"),
        get( "/look-to-book",             Requests, suppliers::look_to_book,  "getLookToBook",        "Get how often agencies search for each order"),
    ]
}

#[rustfmt::skip]
fn service() -> Vec<Endpoint> {
    vec![
        get("/openapi.json", Unlimited, document::get, "getOperatorOpenApiDocument", "Get this document"),
    ]
}

/// Mounts everything. Whoever opens the address of the listener finds the screens, where there are any.
pub fn mount(config: &mut ServiceConfig, console: Option<&Console>) {
    mount_rows(config, endpoints());
    config.service(web::scope(BASE).default_service(web::to(unknown_path)));
    if let Some(console) = console {
        config.service(web::resource("/").get(to_the_screens));
        console.mount_operator(config);
    }
    config.default_service(web::to(unknown_path));
}

async fn to_the_screens() -> HttpResponse {
    HttpResponse::SeeOther().insert_header((header::LOCATION, "/operator")).finish()
}
