//! What answers add to the operation whose handler gives them.

use schemars::JsonSchema;
use serde_json::{Value, json};
use wayfare_contract::Meta;

use crate::http::{
    operation::{Described, Operation},
    refusal::Refusal,
    reply::{Bare, Csv, Data, Either, Message, Paged, Replied, Tagged, WithMessage},
};

const JSON: &str = "application/json";

impl<T: Described> Described for Replied<T> {
    fn describe(operation: &mut Operation<'_>) {
        T::describe(operation);
        operation.refuses(Refusal::broken());
        operation.refuses(Refusal::without_database());
    }
}

impl<V: JsonSchema, const STATUS: u16> Described for Data<V, STATUS> {
    fn describe(operation: &mut Operation<'_>) {
        let data = operation.schema::<V>();
        operation.answers(STATUS, JSON, envelope([("data", data)]));
    }
}

impl<V: JsonSchema, const STATUS: u16> Described for WithMessage<V, STATUS> {
    fn describe(operation: &mut Operation<'_>) {
        let data = operation.schema::<V>();
        operation.answers(STATUS, JSON, envelope([("message", message_schema()), ("data", data)]));
    }
}

impl Described for Message {
    fn describe(operation: &mut Operation<'_>) {
        operation.answers(200, JSON, envelope([("message", message_schema())]));
    }
}

impl<V: JsonSchema> Described for Paged<V> {
    fn describe(operation: &mut Operation<'_>) {
        let (data, meta) = (operation.schema::<Vec<V>>(), operation.schema::<Meta>());
        operation.answers(200, JSON, envelope([("data", data), ("meta", meta)]));
    }
}

impl<V: JsonSchema> Described for Bare<V> {
    fn describe(operation: &mut Operation<'_>) {
        let schema = operation.schema::<V>();
        operation.answers(200, JSON, schema);
    }
}

impl Described for Csv {
    fn describe(operation: &mut Operation<'_>) {
        operation.answers(200, "text/csv; charset=utf-8", json!({ "type": "string" }));
        let attachment = json!({ "required": true, "schema": { "type": "string" } });
        operation.answer_header(200, "Content-Disposition", attachment);
    }
}

impl<A: Described> Described for Tagged<A> {
    fn describe(operation: &mut Operation<'_>) {
        A::describe(operation);
        for status in [200, 304] {
            let tag = json!({ "required": true, "schema": { "type": "string" } });
            operation.answer_header(status, "ETag", tag);
        }
    }
}

impl<A: Described, B: Described> Described for Either<A, B> {
    fn describe(operation: &mut Operation<'_>) {
        A::describe(operation);
        B::describe(operation);
    }
}

fn message_schema() -> Value {
    json!({ "type": "string" })
}

/// The success envelope with these fields.
fn envelope<const FIELDS: usize>(fields: [(&str, Value); FIELDS]) -> Value {
    let mut properties = json!({ "success": { "type": "boolean", "const": true } });
    let mut required = vec!["success"];
    if let Some(properties) = properties.as_object_mut() {
        for (name, schema) in fields {
            required.push(name);
            properties.insert(name.to_owned(), schema);
        }
    }
    json!({ "type": "object", "properties": properties, "required": required })
}
