//! Every body, path and query of the operator's API with what should not be there: refused or taken, never a broken server. What
//! there is to send is read from the API's own document, so that a new operation is sent it as well.

use reqwest::Method;
use serde_json::{Value, json};
use wayfare_domain::OperatorRole;
use wayfare_tests::{OperatorPerson, World, contract::operator_document};

use crate::protocol::hostile_input::{STRANGE, places, with};

/// As JSON, for a place in a body, beside what is strange to the other API.
const STRANGE_TOO: [&str; 5] =
    [r#""\u0000""#, "-1", "0.001", r#""9999-12-31""#, r#""00000000-0000-7000-8000-000000000000""#];
/// In the spelling of an address, for a part of a path or a value of a query.
const IN_ADDRESSES: [&str; 14] = [
    "%25",
    "_",
    "%5C",
    "%27",
    "%27%20or%201%3D1--",
    "%3B%20drop%20table%20users%3B--",
    "x%00",
    "%FF",
    "%C0%AF",
    "%E2%80%A8",
    "%0D%0Ax%3A%20y",
    "-1",
    "99999999999999999999",
    "2027-02-30",
];

struct Operation {
    method: Method,
    path: String,
    queries: Vec<String>,
    /// As the document describes it, each field filled.
    body: Option<Value>,
}

fn operations() -> Vec<Operation> {
    let document = operator_document();
    let mut found = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
            let queries = parameters.iter().filter(|parameter| parameter["in"] == "query");
            let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
            found.push(Operation {
                method: method.to_uppercase().parse().unwrap(),
                path: path.trim_start_matches("/operator/v1").to_owned(),
                queries: queries.map(|parameter| parameter["name"].as_str().unwrap().to_owned()).collect(),
                body: (!schema.is_null()).then(|| filled(&document, schema)),
            });
        }
    }
    found
}

/// A value of this schema with all of its fields.
fn filled(document: &Value, schema: &Value) -> Value {
    if let Some(name) = schema["$ref"].as_str() {
        return filled(document, document.pointer(name.trim_start_matches('#')).unwrap());
    }
    for several in ["oneOf", "anyOf", "allOf"] {
        let choices = schema[several].as_array().into_iter().flatten();
        if let Some(choice) = choices.into_iter().find(|choice| choice["type"] != "null") {
            return filled(document, choice);
        }
    }
    if let Some(value) = schema["enum"].get(0) {
        return value.clone();
    }
    if let Some(fields) = schema["properties"].as_object() {
        let fields = fields.iter().map(|(name, field)| (name.clone(), filled(document, field)));
        return Value::Object(fields.collect());
    }
    match schema["type"].as_str().or_else(|| schema["type"][0].as_str()) {
        Some("array") => json!([filled(document, &schema["items"])]),
        Some("integer" | "number") => json!(1),
        Some("boolean") => json!(true),
        Some("object") => json!({}),
        _ => json!("x"),
    }
}

fn named(path: &str, name: &str) -> String {
    let parts = path.split('/').map(|part| match part.starts_with('{') {
        true => name,
        false => part,
    });
    parts.collect::<Vec<_>>().join("/")
}

async fn send(operator: &OperatorPerson, operation: &Operation, path: &str, body: Option<String>) {
    let request = operator.request(operation.method.clone(), path).header("Idempotency-Key", "hostile");
    let shown: String = body.clone().unwrap_or_default().chars().take(300).collect();
    let request = match body {
        Some(body) => request.header("content-type", "application/json").body(body),
        None => request,
    };
    let reply = operator.send(request).await;
    assert!(reply.status < 500, "{} {path} {shown}: {}", operation.method, reply.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_operators_send_nothing_breaks() {
    let (mut world, agency, _) = World::start().await.and_admin("1000").await;
    let operator = world.operator_api().operator("olga", OperatorRole::Admin).await;
    operator.confirm().await.succeeds(200);
    let operations = operations();
    assert!(operations.iter().filter(|operation| operation.body.is_some()).count() > 10);
    for operation in &operations {
        let usual = named(&operation.path, agency.code.as_ref());
        let Some(body) = &operation.body else { continue };
        let mut found = Vec::new();
        places(body, "", &mut found);
        for place in &found {
            for written in STRANGE.iter().chain(&STRANGE_TOO) {
                send(&operator, operation, &usual, Some(with(body, place, written))).await;
            }
        }
        for text in ["", "[]", "null", "{", "\"x\"", "{\"a\":1,\"a\":2}"] {
            send(&operator, operation, &usual, Some(text.to_owned())).await;
        }
    }
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_stands_in_an_operators_address_nothing_breaks() {
    let (mut world, _, _) = World::start().await.and_admin("1000").await;
    let operator = world.operator_api().operator("olga", OperatorRole::Admin).await;
    operator.confirm().await.succeeds(200);
    for operation in operations() {
        // It would end the session of who asks.
        if operation.path == "/sessions/current" {
            continue;
        }
        let body = operation.body.as_ref().map(Value::to_string);
        for value in IN_ADDRESSES {
            if operation.path.contains('{') {
                send(&operator, &operation, &named(&operation.path, value), body.clone()).await;
            }
            for query in &operation.queries {
                let path = format!("{}?{query}={value}", named(&operation.path, "nothing"));
                send(&operator, &operation, &path, body.clone()).await;
            }
        }
    }
    world.books_agree().await;
}
