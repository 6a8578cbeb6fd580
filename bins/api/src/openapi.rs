//! The OpenAPI document: made of the table of endpoints and of the types of their handlers, so that it says what the
//! code does.

pub mod operation;
pub mod shape;

mod extractors;

use std::sync::LazyLock;

use actix_web::web::Bytes;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use self::operation::Operation;
use crate::routes::{Endpoint, endpoints};

const DESCRIPTION: &str = "\
Agencies search, price and book flights and hotels and pay from prepaid wallets.

* Log in with `POST /api/v1/auth/login` and send the access token as `Authorization: Bearer …`.
* Amounts are JSON numbers with their exact digits: read them as decimals, not as floats.
* A request that changes something may carry an `Idempotency-Key`; made again under the same key it is answered again, not
  carried out again.
* Every answer has `X-Request-Id`. A method that a path does not know is 405 with `Allow`, an unknown path 404.
* Fields that are not described may come with a later version: pass over what you don't know.";

static DOCUMENT: LazyLock<Bytes> = LazyLock::new(|| document().to_string().into());

/// The document as it is served.
pub fn served() -> Bytes {
    DOCUMENT.clone()
}

/// The document.
pub fn document() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    let mut schemas = settings.into_generator();
    let mut paths = Map::new();
    let mut tags: Vec<&str> = Vec::new();
    for endpoint in endpoints() {
        if !tags.contains(&endpoint.section) {
            tags.push(endpoint.section);
        }
        let method = endpoint.method.as_str().to_lowercase();
        let operation = describe(&endpoint, &mut schemas);
        let path = paths.entry(endpoint.path).or_insert_with(|| json!({}));
        if let Some(path) = path.as_object_mut() {
            path.insert(method, Value::Object(operation));
        }
    }
    let tags: Vec<Value> = tags.into_iter().map(|name| json!({ "name": name })).collect();
    json!({
        "openapi": "3.1.0",
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "info": {
            "title": "Wayfare",
            "version": env!("CARGO_PKG_VERSION"),
            "description": DESCRIPTION,
            "license": { "name": "MIT", "identifier": "MIT" },
        },
        "servers": [{ "url": "/" }],
        "tags": tags,
        "paths": paths,
        "components": {
            "schemas": schemas.take_definitions(true),
            "headers": headers(),
            "securitySchemes": {
                "bearer": { "type": "http", "scheme": "bearer", "bearerFormat": "JWT" },
            },
        },
    })
}

fn describe(endpoint: &Endpoint, schemas: &mut schemars::SchemaGenerator) -> Map<String, Value> {
    let mut operation = Operation::at(&endpoint.path, schemas);
    (endpoint.describe)(&mut operation);
    for refusal in (endpoint.refusals)() {
        operation.refuses(refusal);
    }
    let mut operation = operation.finish();
    operation.insert("operationId".to_owned(), json!(endpoint.name));
    operation.insert("summary".to_owned(), json!(endpoint.summary));
    operation.insert("tags".to_owned(), json!([endpoint.section]));
    operation
}

fn headers() -> Value {
    let number = json!({ "type": "integer", "minimum": 0 });
    json!({
        "X-Request-Id": {
            "description": "The client's own if it is printable and has at most 128 characters, else ours.",
            "required": true,
            "schema": { "type": "string", "minLength": 1, "maxLength": 128 },
        },
        "RateLimit-Limit": { "description": "How many requests a minute; absent where limits are off.", "schema": number },
        "RateLimit-Remaining": { "description": "How many are left.", "schema": number },
        "RateLimit-Reset": { "description": "Seconds until all are there again.", "schema": number },
        "Retry-After": { "description": "Seconds until it is worth another try.", "schema": number },
        "WWW-Authenticate": { "required": true, "schema": { "const": "Bearer" } },
        "Idempotency-Replayed": {
            "description": "The request was carried out before, and this is its answer.",
            "schema": { "const": "true" },
        },
    })
}
