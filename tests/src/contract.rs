//! Whether an answer is what the OpenAPI document says: every answer that a test is given is compared.

use std::{
    collections::HashMap,
    fs,
    path::Path,
    sync::{Arc, LazyLock, Mutex},
};

use jsonschema::Validator;
use reqwest::{Method, header::HeaderMap};
use serde_json::{Value, json};

use crate::examples;

/// The document, in which no object may have what is not described: what clients pass over is a mistake here.
static DOCUMENT: LazyLock<Value> = LazyLock::new(|| closed(document()));

static OPERATOR_DOCUMENT: LazyLock<Value> = LazyLock::new(|| closed(operator_document()));

fn closed(mut document: Value) -> Value {
    for part in ["schemas", "responses"] {
        close(&mut document["components"][part]);
    }
    for operations in document["paths"].as_object_mut().unwrap().values_mut() {
        for operation in operations.as_object_mut().unwrap().values_mut() {
            close(&mut operation["responses"]);
        }
    }
    document
}

/// The document of the API that has this path.
fn document_of(path: &str) -> &'static Value {
    match path.starts_with("/operator/") {
        true => &OPERATOR_DOCUMENT,
        false => &DOCUMENT,
    }
}

/// The OpenAPI document of agencies' API.
pub fn document() -> Value {
    serde_json::from_str(&kept("openapi.json")).unwrap()
}

/// The OpenAPI document of the operator's API.
pub fn operator_document() -> Value {
    serde_json::from_str(&kept("openapi-operator.json")).unwrap()
}

/// The text of a document as the repository keeps it: the server serves it, and a test of the server compares it with what the
/// code says.
pub fn kept(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(name)).unwrap()
}

/// The schema of each kind of answer, made ready once in a process.
static VALIDATORS: LazyLock<Mutex<HashMap<String, Arc<Validator>>>> = LazyLock::new(Mutex::default);

fn close(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            fields.values_mut().for_each(close);
            if fields.get("properties").is_some_and(Value::is_object) {
                fields.insert("unevaluatedProperties".to_owned(), json!(false));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}

/// Compares an answer of the API with the document. Paths and methods that are not the API's are no concern of it.
pub fn check(method: &Method, path: &str, status: u16, headers: &HeaderMap, body: &str) {
    let Some((template, operation)) = operation(method, path) else { return };
    let asked = format!("{method} {template} answered {status}");
    let document = document_of(path);
    if let Err(wrong) = compare(
        document,
        &asked,
        resolve(document, &operation["responses"][status.to_string()]),
        headers,
        body,
    ) {
        panic!("{asked} otherwise than the OpenAPI document says: {wrong}\n{body}");
    }
    let is_json = headers.get("content-type").is_some_and(|kind| kind == "application/json");
    examples::offer(operation["operationId"].as_str().unwrap(), status, is_json, body);
}

/// Compares an event as a webhook gets it with the document.
pub fn check_webhook(event: &Value) {
    let kind = event["type"].as_str().unwrap();
    let body = &DOCUMENT["webhooks"][kind]["post"]["requestBody"];
    if let Err(wrong) = validate(&DOCUMENT, kind, &body["content"]["application/json"]["schema"], event) {
        panic!("a webhook got something else than the OpenAPI document says: {wrong}\n{event}");
    }
}

/// Compares the data of an event of a search with the document.
pub fn check_event(data: &Value) {
    let search = &DOCUMENT["paths"]["/api/v1/flights/search"]["post"];
    let answer = &search["responses"]["200"]["content"]["application/json"]["schema"];
    if let Err(wrong) = validate(&DOCUMENT, "an event", answer, data) {
        panic!("an event is not as the OpenAPI document says: {wrong}\n{data}");
    }
}

fn compare(
    document: &Value,
    asked: &str,
    answer: &Value,
    headers: &HeaderMap,
    body: &str,
) -> Result<(), String> {
    if !answer.is_object() {
        return Err("the status is not described".to_owned());
    }
    for (name, header) in answer["headers"].as_object().unwrap() {
        if resolve(document, header)["required"] == true && !headers.contains_key(name) {
            return Err(format!("the header {name} is missing"));
        }
    }
    let essence = |kind: &str| kind.split(';').next().unwrap_or_default().to_owned();
    let kind = headers.get("content-type").map(|kind| kind.to_str().unwrap());
    let kind = essence(kind.unwrap_or_default());
    let mut contents = answer["content"].as_object().unwrap().iter();
    let Some((_, content)) = contents.find(|(described, _)| essence(described) == kind) else {
        return Err(format!("the content type {kind} is not described"));
    };
    if kind != "application/json" {
        return Ok(());
    }
    let body: Value = serde_json::from_str(body).map_err(|error| error.to_string())?;
    validate(document, asked, &content["schema"], &body)
}

fn validate(document: &Value, asked: &str, schema: &Value, value: &Value) -> Result<(), String> {
    let validator = validator(document, asked, schema);
    let wrongs: Vec<String> =
        validator.iter_errors(value).map(|wrong| format!("{}: {wrong}", wrong.instance_path())).collect();
    match wrongs.is_empty() {
        true => Ok(()),
        false => Err(wrongs.join("\n  ")),
    }
}

fn validator(document: &Value, asked: &str, schema: &Value) -> Arc<Validator> {
    if let Some(validator) = VALIDATORS.lock().unwrap().get(asked) {
        return validator.clone();
    }
    let schema = with_what_it_names(document, schema);
    let validator = jsonschema::draft202012::options().should_validate_formats(true).build(&schema).unwrap();
    VALIDATORS.lock().unwrap().entry(asked.to_owned()).or_insert(Arc::new(validator)).clone()
}

/// The schema with the components that it refers to, and no others: to make all of a document ready takes long.
fn with_what_it_names(document: &Value, schema: &Value) -> Value {
    let mut whole = schema.clone();
    let mut open = references(schema);
    while let Some(reference) = open.pop() {
        let pointer = reference.trim_start_matches('#');
        if whole.pointer(pointer).is_some() {
            continue;
        }
        let component = resolve(document, &json!({ "$ref": reference })).clone();
        open.extend(references(&component));
        let place = pointer.split('/').skip(1).fold(&mut whole, |place, name| &mut place[name]);
        *place = component;
    }
    whole
}

/// Wherever a schema says that another one is meant.
fn references(schema: &Value) -> Vec<String> {
    match schema {
        Value::Object(fields) => {
            let own = fields.get("$ref").and_then(Value::as_str).map(str::to_owned);
            own.into_iter().chain(fields.values().flat_map(references)).collect()
        }
        Value::Array(items) => items.iter().flat_map(references).collect(),
        _ => Vec::new(),
    }
}

/// The operation that a request is for: of several that fit, the one with the most words.
fn operation(method: &Method, path: &str) -> Option<(&'static str, &'static Value)> {
    let paths = document_of(path)["paths"].as_object().unwrap();
    let fitting = paths.iter().filter(|(template, _)| fits(template, path));
    let (template, operations) = fitting.min_by_key(|(template, _)| template.matches('{').count())?;
    Some((template, operations.get(method.as_str().to_lowercase())?))
}

fn fits(template: &str, path: &str) -> bool {
    let (mut parts, mut words) = (template.split('/'), path.split('/'));
    loop {
        match (parts.next(), words.next()) {
            (None, None) => return true,
            (Some(part), Some(word)) if part == word || (part.starts_with('{') && !word.is_empty()) => {}
            _ => return false,
        }
    }
}

fn resolve<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    match value["$ref"].as_str() {
        Some(reference) => document
            .pointer(reference.trim_start_matches('#'))
            .unwrap_or_else(|| panic!("{reference} is not in the document")),
        None => value,
    }
}
