//! The OpenAPI document: made of the table of endpoints and of the types of their handlers, so that it says what the
//! code does.

pub mod operation;
pub mod refusals;
pub mod shape;

mod extractors;

use std::{
    collections::BTreeMap,
    hash::{DefaultHasher, Hasher},
    sync::LazyLock,
};

use actix_web::{http::header::EntityTag, web::Bytes};
use schemars::{Schema, SchemaGenerator, generate::SchemaSettings, transform::RecursiveTransform};
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

/// Weak, since the document may be sent compressed or not.
static TAG: LazyLock<EntityTag> = LazyLock::new(|| {
    let mut hasher = DefaultHasher::new();
    hasher.write(&DOCUMENT);
    EntityTag::new_weak(format!("{:016x}", hasher.finish()))
});

/// The document as it is served, and its tag.
pub fn served() -> (Bytes, EntityTag) {
    (DOCUMENT.clone(), TAG.clone())
}

/// The document.
pub fn document() -> Value {
    let settings = SchemaSettings::draft2020_12()
        .for_serialize()
        .with_transform(RecursiveTransform(without_sources))
        .with(|settings| {
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
        let path = endpoint.path.clone();
        let operation = describe(endpoint, &mut schemas);
        let path = paths.entry(path).or_insert_with(|| json!({}));
        if let Some(path) = path.as_object_mut() {
            path.insert(method, Value::Object(operation));
        }
    }
    let responses = share(&mut paths);
    let tags: Vec<Value> = tags.into_iter().map(|name| json!({ "name": name })).collect();
    json!({
        "openapi": "3.1.0",
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
            "responses": responses,
            "securitySchemes": {
                "bearer": { "type": "http", "scheme": "bearer", "bearerFormat": "JWT" },
            },
        },
    })
}

fn describe(endpoint: Endpoint, schemas: &mut SchemaGenerator) -> Map<String, Value> {
    let mut operation = Operation::at(&endpoint.path, schemas);
    (endpoint.describe)(&mut operation);
    for refusal in endpoint.refusals {
        operation.refuses(refusal);
    }
    let mut operation = operation.finish();
    operation.insert("operationId".to_owned(), json!(endpoint.name));
    operation.insert("summary".to_owned(), json!(endpoint.summary));
    operation.insert("tags".to_owned(), json!([endpoint.section]));
    operation
}

/// Takes out what several operations answer alike: of each status what most do, under its reason.
fn share(paths: &mut Map<String, Value>) -> Map<String, Value> {
    let answers = |operation: &Value| operation["responses"].as_object().cloned().unwrap_or_default();
    let mut counts = BTreeMap::<(String, String), usize>::new();
    for (status, answer) in paths.values().flat_map(operations).flat_map(answers) {
        *counts.entry((status, answer.to_string())).or_default() += 1;
    }
    let mut shared = BTreeMap::<String, (usize, String)>::new();
    for ((status, answer), count) in counts.into_iter().filter(|(_, count)| *count > 1) {
        let most = shared.entry(status).or_default();
        if count > most.0 {
            *most = (count, answer);
        }
    }
    let mut responses = Map::new();
    for operation in paths
        .values_mut()
        .filter_map(Value::as_object_mut)
        .flat_map(Map::values_mut)
    {
        let Some(answers) = operation.get_mut("responses").and_then(Value::as_object_mut) else {
            continue;
        };
        for (status, answer) in answers {
            let text = answer.to_string();
            if shared.get(status).is_some_and(|(_, most)| *most == text) {
                let name = answer["description"]
                    .as_str()
                    .unwrap_or_default()
                    .replace(' ', "");
                let reference = json!({ "$ref": format!("#/components/responses/{name}") });
                responses.insert(name, std::mem::replace(answer, reference));
            }
        }
    }
    responses
}

fn operations(path: &Value) -> impl Iterator<Item = &Value> {
    path.as_object().into_iter().flat_map(Map::values)
}

/// Without what is said to those who work on the code: where a rule comes from.
fn without_sources(schema: &mut Schema) {
    let Some(Value::String(text)) = schema.get_mut("description") else {
        return;
    };
    for source in [" (P-", " (D-", " (docs/API.md"] {
        if let Some((before, rest)) = text.split_once(source)
            && let Some((_, after)) = rest.split_once(')')
        {
            *text = format!("{before}{after}");
        }
    }
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
