//! One operation as OpenAPI describes it: filled by the types of what its handler takes and of what it gives.

use std::collections::BTreeMap;

use actix_web::{ResponseError, http::StatusCode};
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};
use wayfare_contract::ApiError;

use crate::http::{json_body::schema, refusal::Refusal};

/// What says of itself how it looks in an operation: extractors, answers, and tuples of extractors.
pub trait Described {
    /// Adds itself.
    fn describe(operation: &mut Operation<'_>);
}

/// An operation while it is being described.
pub struct Operation<'a> {
    path: &'a str,
    schemas: &'a mut SchemaGenerator,
    parameters: Vec<Value>,
    body: Option<Value>,
    answers: BTreeMap<u16, Answer>,
    is_secured: bool,
    is_limited: bool,
    is_keyed: bool,
}

/// What stands under one status.
#[derive(Default)]
struct Answer {
    /// By content type.
    content: BTreeMap<String, Value>,
    headers: Vec<(&'static str, Value)>,
    /// Texts of refusals, with their bodies.
    refusals: BTreeMap<String, Value>,
}

impl<'a> Operation<'a> {
    /// Of this path, with nothing said yet.
    pub fn at(path: &'a str, schemas: &'a mut SchemaGenerator) -> Self {
        Self {
            path,
            schemas,
            parameters: Vec::new(),
            body: None,
            answers: BTreeMap::new(),
            is_secured: false,
            is_limited: false,
            is_keyed: false,
        }
    }

    /// A bearer token is needed.
    pub fn secured(&mut self) {
        self.is_secured = true;
    }

    /// Requests are counted.
    pub fn limited(&mut self) {
        self.is_limited = true;
    }

    /// An `Idempotency-Key` may be sent.
    pub fn keyed(&mut self) {
        self.is_keyed = true;
        self.parameters.push(json!({
            "name": "Idempotency-Key",
            "in": "header",
            "description": "The same request under the same key is carried out once and answered again.",
            "schema": { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]+$" },
        }));
    }

    /// One more parameter of the query.
    pub fn query(&mut self, name: &str, schema: Value, is_required: bool) {
        self.parameters
            .push(json!({ "name": name, "in": "query", "required": is_required, "schema": schema }));
    }

    /// The records that the path names.
    pub fn names_in_path(&mut self) {
        let names = self.path.split('{').skip(1).filter_map(|rest| rest.split('}').next());
        for name in names {
            let schema = match name {
                "id" | "delivery_id" => json!({ "type": "string", "format": "uuid" }),
                "ref" => json!({ "type": "string", "examples": ["FA-7K2M9Q4X"] }),
                "from" | "to" => json!({ "type": "string", "examples": ["INR"] }),
                _ => json!({ "type": "string" }),
            };
            let mut parameter = json!({ "name": name, "in": "path", "required": true, "schema": schema });
            if let ("from" | "to", Some(fields)) = (name, parameter.as_object_mut()) {
                fields.insert("description".to_owned(), json!("ISO 4217 code of a currency."));
            }
            self.parameters.push(parameter);
        }
    }

    /// A JSON body of this name and schema, with complete examples by name.
    pub fn takes(&mut self, name: &str, mut schema: Value, examples: &Map<String, Value>, is_required: bool) {
        if let Some(schema) = schema.as_object_mut() {
            schema.insert(schema::NAME.to_owned(), json!(name));
        }
        let examples: Map<String, Value> =
            examples.iter().map(|(name, value)| (name.clone(), json!({ "value": value }))).collect();
        self.body = Some(json!({
            "required": is_required,
            "content": { "application/json": { "schema": schema, "examples": examples } },
        }));
    }

    /// A text of one of these content types.
    pub fn takes_text(&mut self, content_types: &[&str]) {
        let text = || json!({ "schema": { "type": "string" } });
        let content: Map<String, Value> =
            content_types.iter().map(|kind| ((*kind).to_owned(), text())).collect();
        self.body = Some(json!({ "required": true, "content": content }));
    }

    /// What a type is called by others.
    pub fn schema<T: JsonSchema>(&mut self) -> Value {
        self.schemas.subschema_for::<T>().to_value()
    }

    /// A success of this content. Where a status has two, either may come.
    pub fn answers(&mut self, status: u16, content_type: &str, schema: Value) {
        let answer = self.answers.entry(status).or_default();
        let schema = match answer.content.remove(content_type) {
            Some(other) if other != schema => json!({ "anyOf": [other, schema] }),
            _ => schema,
        };
        answer.content.insert(content_type.to_owned(), schema);
    }

    /// A header of what is answered with this status.
    pub fn answer_header(&mut self, status: u16, name: &'static str, header: Value) {
        self.answers.entry(status).or_default().headers.push((name, header));
    }

    /// A way in which it may be refused.
    pub fn refuses(&mut self, refusal: impl Into<Refusal>) {
        let refusal: Refusal = refusal.into();
        let answer = self.answers.entry(refusal.status_code().as_u16()).or_default();
        answer.refusals.insert(refusal.to_string(), refusal.example());
    }

    /// All of it.
    pub fn finish(mut self) -> Map<String, Value> {
        let error = self.schema::<ApiError>();
        let (is_limited, is_keyed) = (self.is_limited, self.is_keyed);
        let responses: Map<String, Value> = self
            .answers
            .into_iter()
            .map(|(status, answer)| (status.to_string(), answer.finish(status, &error, is_limited, is_keyed)))
            .collect();
        let mut operation = Map::new();
        if !self.parameters.is_empty() {
            operation.insert("parameters".to_owned(), Value::Array(self.parameters));
        }
        if let Some(body) = self.body {
            operation.insert("requestBody".to_owned(), body);
        }
        operation.insert("responses".to_owned(), Value::Object(responses));
        let security = match self.is_secured {
            true => json!([{ "bearer": [] }]),
            false => json!([]),
        };
        operation.insert("security".to_owned(), security);
        operation
    }
}

impl Answer {
    fn finish(self, status: u16, error: &Value, is_limited: bool, is_keyed: bool) -> Value {
        let header = |name: &str| json!({ "$ref": format!("#/components/headers/{name}") });
        let mut names = vec!["X-Request-Id"];
        if is_limited {
            names.extend(["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"]);
        }
        match status {
            401 => names.push("WWW-Authenticate"),
            429 | 503 => names.push("Retry-After"),
            // A refusal leaves the key free.
            200..=399 if is_keyed => names.push("Idempotency-Replayed"),
            _ => {}
        }
        let mut headers: Map<String, Value> =
            names.into_iter().map(|name| (name.to_owned(), header(name))).collect();
        headers.extend(self.headers.into_iter().map(|(name, header)| (name.to_owned(), header)));
        let mut content: Map<String, Value> =
            self.content.into_iter().map(|(kind, schema)| (kind, json!({ "schema": schema }))).collect();
        if !self.refusals.is_empty() {
            let examples: Map<String, Value> =
                self.refusals.into_iter().map(|(text, body)| (text, json!({ "value": body }))).collect();
            content.insert("application/json".to_owned(), json!({ "schema": error, "examples": examples }));
        }
        let reason = StatusCode::from_u16(status).ok();
        let reason = reason.and_then(|status| status.canonical_reason()).unwrap_or_default();
        json!({ "description": reason, "headers": headers, "content": content })
    }
}

macro_rules! describe_tuples {
    ($($part:ident)*) => {
        impl<$($part: Described),*> Described for ($($part,)*) {
            fn describe(_operation: &mut Operation<'_>) {
                $($part::describe(_operation);)*
            }
        }
    };
}

describe_tuples!();
describe_tuples!(A);
describe_tuples!(A B);
describe_tuples!(A B C);
describe_tuples!(A B C D);
