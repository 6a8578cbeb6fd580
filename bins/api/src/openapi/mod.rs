//! The OpenAPI document: made of the table of endpoints and of the types of their handlers, so that it says what the
//! code does. Tests make it and compare it with the repository's, which is served.

mod contract_words;
mod descriptions;
mod examples;
mod named;
mod schemas;
mod webhooks;

use std::collections::BTreeMap;

use schemars::{SchemaGenerator, generate::SchemaSettings, transform::RecursiveTransform};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use wayfare_domain::EventKind;

use crate::http::{endpoint::Endpoint, operation::Operation};

const DESCRIPTION: &str = "\
Agencies search, price and book flights and hotels and pay from prepaid wallets.

* Log in with `POST /api/v1/auth/login` and send the access token as `Authorization: Bearer …`.
* Amounts are JSON numbers with their exact digits: read them as decimals, not as floats.
* A request that changes something may carry an `Idempotency-Key`; made again under the same key it is answered again, not
  carried out again.
* Every answer has `X-Request-Id`. A method that a path does not know is 405 with `Allow`, an unknown path 404.
* Fields that are not described may come with a later version: pass over what you don't know.

Places and airlines: data of [GeoNames](https://www.geonames.org/) and \
[OpenTravelData](https://github.com/opentraveldata/opentraveldata), \
[CC BY 4.0](https://creativecommons.org/licenses/by/4.0/), and of [airportsdata](https://pypi.org/project/airportsdata/).";

const OPERATOR_DESCRIPTION: &str = "\
What the operator of the service sees and decides, over all agencies. It is served on a listener of its own.

* Begin a session with `POST /operator/v1/sessions` and send its token as `Authorization: Bearer …`. It ends an hour after it
  was used last, and 8 hours after it began.
* Roles: `viewer` reads all; `desk` decides incidents, rules on bookings and closes suppliers; `finance` moves money and sets
  prices; `admin` does all of it, and looks after operators and agencies.
* Moving money needs the password, given within the last 10 minutes: `POST /operator/v1/sessions/current/confirm`.
* Amounts are JSON numbers with their exact digits: read them as decimals, not as floats.
* Every answer has `X-Request-Id`. A method that a path does not know is 405 with `Allow`, an unknown path 404.
* Fields that are not described may come with a later version: pass over what you don't know.";

/// The document of some endpoints, in their order.
#[derive(Serialize)]
pub struct Document {
    openapi: &'static str,
    info: Value,
    servers: Value,
    tags: Vec<Value>,
    paths: InOrder,
    #[serde(skip_serializing_if = "Option::is_none")]
    webhooks: Option<Map<String, Value>>,
    components: Value,
}

/// An object whose fields keep their order: pages show operations in the order in which they stand.
struct InOrder(Vec<(String, Value)>);

impl Serialize for InOrder {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// What a document says of itself.
struct About {
    title: &'static str,
    summary: &'static str,
    text: &'static str,
    server: &'static str,
    /// With what a caller proves who they are.
    token: &'static str,
    token_format: Option<&'static str>,
    has_webhooks: bool,
}

const AGENCIES: About = About {
    title: "Wayfare",
    summary: "Flights and hotels for travel agencies",
    text: DESCRIPTION,
    server: "http://127.0.0.1:8080",
    token: "The `access_token` of a log-in.",
    token_format: Some("JWT"),
    has_webhooks: true,
};

const OPERATOR: About = About {
    title: "Wayfare, the operator's API",
    summary: "What the operator of the service sees and decides, over all agencies",
    text: OPERATOR_DESCRIPTION,
    server: "http://127.0.0.1:8081",
    token: "The `token` of an operator's session; it begins with `wfo_`.",
    token_format: None,
    has_webhooks: false,
};

impl Document {
    /// The document of these endpoints of agencies.
    pub fn of(endpoints: Vec<Endpoint>) -> Self {
        Self::about(&AGENCIES, endpoints)
    }

    /// The document of these endpoints of the operator.
    pub fn of_operator(endpoints: Vec<Endpoint>) -> Self {
        Self::about(&OPERATOR, endpoints)
    }

    fn about(about: &About, endpoints: Vec<Endpoint>) -> Self {
        let settings = SchemaSettings::draft2020_12()
            .for_serialize()
            .with_transform(RecursiveTransform(schemas::without_sources))
            .with_transform(RecursiveTransform(schemas::without_defaults))
            .with_transform(RecursiveTransform(schemas::local_times_as_texts))
            .with_transform(RecursiveTransform(schemas::words_in_one_enum))
            .with(|settings| {
                settings.definitions_path = "/components/schemas".into();
                settings.meta_schema = None;
            });
        let mut schemas = settings.into_generator();
        let mut paths = Map::new();
        let mut order: Vec<String> = Vec::new();
        let mut tags: Vec<Value> = Vec::new();
        for endpoint in endpoints {
            let (name, text) = endpoint.description.section;
            let tag = json!({ "name": name, "description": text });
            if !tags.contains(&tag) {
                tags.push(tag);
            }
            if !order.contains(&endpoint.path) {
                order.push(endpoint.path.clone());
            }
            let method = endpoint.method.as_str().to_lowercase();
            let path = endpoint.path.clone();
            let operation = describe(endpoint, &mut schemas);
            let path = paths.entry(path).or_insert_with(|| json!({}));
            if let Some(path) = path.as_object_mut() {
                path.insert(method, Value::Object(operation));
            }
        }
        let webhooks = about.has_webhooks.then(|| webhooks::all(&mut schemas));
        if about.has_webhooks {
            let text = "What is sent to webhooks, by kinds of events.";
            tags.push(json!({ "name": webhooks::TAG, "description": text }));
        }
        let responses = share(&mut paths);
        let mut schemas = schemas.take_definitions(true);
        name_parts(&mut paths, &mut schemas);
        descriptions::add(&mut schemas);
        if let Some(action) = schemas.get_mut("TimelineAction") {
            let words: Vec<&str> = EventKind::of_timelines().map(EventKind::text).collect();
            action["enum"] = json!(words);
        }
        let paths = order.into_iter().filter_map(|path| paths.remove_entry(&path));
        Self {
            openapi: "3.1.0",
            info: info(about),
            servers: json!([{
                "url": about.server,
                "description": "A server that was started with nothing configured",
            }]),
            tags,
            paths: InOrder(paths.collect()),
            webhooks,
            components: json!({
                "schemas": schemas,
                "headers": headers(),
                "responses": responses,
                "securitySchemes": { "bearer": bearer(about) },
            }),
        }
    }
}

fn bearer(about: &About) -> Value {
    let (token, format) = (about.token, about.token_format);
    match format {
        Some(format) => {
            json!({ "type": "http", "scheme": "bearer", "bearerFormat": format, "description": token })
        }
        None => json!({ "type": "http", "scheme": "bearer", "description": token }),
    }
}

fn info(about: &About) -> Value {
    json!({
        "title": about.title,
        "version": env!("CARGO_PKG_VERSION"),
        "summary": about.summary,
        "description": about.text,
        "contact": { "name": "The operator of the service" },
        "license": { "name": "MIT", "identifier": "MIT" },
    })
}

fn describe(endpoint: Endpoint, schemas: &mut SchemaGenerator) -> Map<String, Value> {
    let mut operation = Operation::at(&endpoint.path, schemas);
    let description = endpoint.description;
    (description.describe)(&mut operation);
    for refusal in description.refusals {
        operation.refuses(refusal);
    }
    let id = description.operation_id;
    let mut operation = operation.finish();
    operation.insert("operationId".to_owned(), json!(id));
    operation.insert("summary".to_owned(), json!(description.summary));
    operation.insert("tags".to_owned(), json!([description.section.0]));
    if let Some(text) = descriptions::of_operation(id) {
        operation.insert("description".to_owned(), json!(text));
    }
    for parameter in operation.get_mut("parameters").and_then(Value::as_array_mut).into_iter().flatten() {
        if let (Some(text), true) = (
            parameter["name"].as_str().and_then(descriptions::of_parameter),
            parameter.get("description").is_none(),
        ) {
            parameter["description"] = json!(text);
        }
    }
    for answer in
        operation.get_mut("responses").and_then(Value::as_object_mut).into_iter().flat_map(Map::values_mut)
    {
        let contents = answer.get_mut("content").and_then(Value::as_object_mut);
        for content in contents.into_iter().flat_map(Map::values_mut) {
            descriptions::of_fields("", &mut content["schema"]);
        }
    }
    examples::add(id, &mut operation);
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
    for operation in paths.values_mut().filter_map(Value::as_object_mut).flat_map(Map::values_mut) {
        let Some(answers) = operation.get_mut("responses").and_then(Value::as_object_mut) else { continue };
        for (status, answer) in answers {
            let text = answer.to_string();
            if shared.get(status).is_some_and(|(_, most)| *most == text) {
                let name = answer["description"].as_str().unwrap_or_default().replace(' ', "");
                let reference = json!({ "$ref": format!("#/components/responses/{name}") });
                responses.insert(name, std::mem::replace(answer, reference));
            }
        }
    }
    responses
}

/// Gives what requests are made of its names.
fn name_parts(paths: &mut Map<String, Value>, schemas: &mut Map<String, Value>) {
    for operation in paths.values_mut().filter_map(Value::as_object_mut).flat_map(Map::values_mut) {
        if let Some(schema) = operation.pointer_mut("/requestBody/content/application~1json/schema") {
            named::of_body(schema, schemas);
        }
        let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
        for parameter in parameters.into_iter().flatten() {
            named::of_parameter(&mut parameter["schema"], schemas);
        }
    }
}

fn operations(path: &Value) -> impl Iterator<Item = &Value> {
    path.as_object().into_iter().flat_map(Map::values)
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
        "WWW-Authenticate": { "required": true, "schema": { "type": "string", "const": "Bearer" } },
        "Idempotency-Replayed": {
            "description": "The request was carried out before, and this is its answer.",
            "schema": { "type": "string", "const": "true" },
        },
    })
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::Document;
    use crate::routes::{endpoints, operator};

    #[test]
    fn the_repository_has_the_documents() {
        let documents = [
            ("openapi.json", Document::of(endpoints())),
            ("openapi-operator.json", Document::of_operator(operator::endpoints())),
        ];
        for (name, document) in documents {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
            let made = serde_json::to_string_pretty(&document).unwrap() + "\n";
            if std::env::var_os("WAYFARE_RENEW_OPENAPI").is_some() {
                fs::write(&path, &made).unwrap();
            }
            let kept = fs::read_to_string(&path).unwrap_or_default();
            assert!(kept == made, "docs/{name} is not what the code says: `just openapi` renews it");
        }
    }
}
