//! Every endpoint of the operator's API, a row each, as those of agencies are in `routes`.

use actix_web::web::{self, ServiceConfig};

use super::{
    Bucket::{Logins, Requests, Unlimited},
    mount_rows, refusals, section, unknown_path,
};
use crate::{
    http::endpoint::{Endpoint, delete, get, post, put},
    resources::{
        operator::{operators, sessions},
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
        section(BASE, "Operators", "Who works for the platform; for admins.",   people()),
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
        post(  "/sessions/current/confirm", Requests, sessions::confirm,         "confirmPassword",        "Confirm the password, so that money may be moved").refuses(refusals::wrong_password),
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
    ]
}

#[rustfmt::skip]
fn service() -> Vec<Endpoint> {
    vec![
        get("/openapi.json", Unlimited, document::get, "getOperatorOpenApiDocument", "Get this document"),
    ]
}

/// Mounts everything.
pub fn mount(config: &mut ServiceConfig) {
    mount_rows(config, endpoints());
    config.default_service(web::to(unknown_path));
}
