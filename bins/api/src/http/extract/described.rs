//! What extractors add to the operation whose handler takes them, with the refusals that they make.

use std::sync::Arc;

use actix_web::{
    HttpRequest,
    http::StatusCode,
    web::{Data, Path},
};
use serde_json::json;
use wayfare_domain::Faults;
use wayfare_operations::{Error, Person, Platform};

use crate::http::{
    extract::{Anyone, Ask, Body, File, FromFile, Keyed, Maybe, Nothing, Query, With},
    json_body::{FromJson, examples},
    operation::{Described, Operation},
    query::{self, FromQuery},
    refusal::Refusal,
};

/// Is no part of what a client sends.
impl Described for Data<Arc<Platform>> {
    fn describe(_: &mut Operation<'_>) {}
}

impl Described for HttpRequest {
    fn describe(_: &mut Operation<'_>) {}
}

impl<T> Described for Path<T> {
    fn describe(operation: &mut Operation<'_>) {
        operation.names_in_path();
        operation.refuses(Error::NotFound);
    }
}

impl<Who: Described, What: Described> Described for Ask<Who, What> {
    fn describe(operation: &mut Operation<'_>) {
        Who::describe(operation);
        What::describe(operation);
    }
}

impl Described for Anyone {
    fn describe(operation: &mut Operation<'_>) {
        operation.limited();
        operation.refuses(Refusal::too_many(std::time::Duration::from_secs(1)));
    }
}

impl Described for Person {
    fn describe(operation: &mut Operation<'_>) {
        Anyone::describe(operation);
        operation.secured();
        operation.refuses(Error::Unauthenticated);
        operation.refuses(Error::AccessDenied);
    }
}

impl Described for Nothing {
    fn describe(_: &mut Operation<'_>) {}
}

impl<T: FromJson> Described for Body<T> {
    fn describe(operation: &mut Operation<'_>) {
        body::<T>(operation, true);
        collected(operation);
    }
}

impl<T: FromJson> Described for Maybe<T> {
    fn describe(operation: &mut Operation<'_>) {
        body::<T>(operation, false);
        collected(operation);
    }
}

impl<T: FromFile> Described for File<T> {
    fn describe(operation: &mut Operation<'_>) {
        operation.takes_text(T::CONTENT_TYPES);
        operation.refuses(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported content type"));
        operation.refuses(Faults::of("file", "must be UTF-8"));
        collected(operation);
    }
}

impl<Q: FromQuery, What: Described> Described for With<Q, What> {
    fn describe(operation: &mut Operation<'_>) {
        Query::<Q>::describe(operation);
        What::describe(operation);
    }
}

impl<T: Described> Described for Keyed<T> {
    fn describe(operation: &mut Operation<'_>) {
        T::describe(operation);
        collected(operation);
        operation.keyed();
        operation.refuses(Faults::of("Idempotency-Key", "must have between 1 and 255 characters"));
        operation.refuses(Error::KeyMismatch);
        operation.refuses(Error::KeyRunning);
    }
}

impl<T: FromQuery> Described for Query<T> {
    fn describe(operation: &mut Operation<'_>) {
        query::describe::<T>(operation);
        operation.refuses(Refusal::new(StatusCode::BAD_REQUEST, "malformed query string"));
        operation.refuses(Faults::of("page", "must be a whole number of at least 1"));
    }
}

fn body<T: FromJson>(operation: &mut Operation<'_>, is_required: bool) {
    let bodies = examples::of(T::NAME);
    // What is wrong with an example is told by the test that makes the document.
    let schema = examples::schema::<T>(&bodies);
    let schema = schema.unwrap_or_else(|wrong| json!({ "not": {}, "description": wrong }));
    operation.takes(T::NAME, schema, &bodies, is_required);
    for (status, text) in [
        (StatusCode::BAD_REQUEST, "malformed JSON at line 1 column 2"),
        (StatusCode::BAD_REQUEST, "the body must be UTF-8, not UTF-16"),
        (StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported content type"),
    ] {
        operation.refuses(Refusal::new(status, text));
    }
    operation.refuses(Faults::of("body", "must be an object"));
}

/// What may be said of any body that is read to its end.
fn collected(operation: &mut Operation<'_>) {
    for (status, text) in [
        (StatusCode::BAD_REQUEST, "the body could not be read"),
        (StatusCode::REQUEST_TIMEOUT, "request took too long"),
        (StatusCode::PAYLOAD_TOO_LARGE, "request body too large"),
    ] {
        operation.refuses(Refusal::new(status, text));
    }
}
