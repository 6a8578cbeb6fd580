//! Texts of the document that stand at no type: what operations do, what fields and parameters mean.

use std::{collections::HashMap, sync::LazyLock};

use serde_json::{Map, Value, json};

static FIELDS: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| lines(include_str!("fields.txt")));
static OPERATIONS: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| lines(include_str!("operations.txt")));

fn lines(text: &'static str) -> HashMap<&'static str, &'static str> {
    text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(": ")).collect()
}

/// What the operation of this id does.
pub fn of_operation(id: &str) -> Option<&'static str> {
    OPERATIONS.get(id).copied()
}

/// What a parameter of this name means.
pub fn of_parameter(name: &str) -> Option<&'static str> {
    FIELDS.get(name).copied()
}

/// Adds what the fields of these schemas mean where their code doesn't say it.
pub fn add(schemas: &mut Map<String, Value>) {
    for (name, schema) in schemas {
        of_fields(name, schema);
    }
}

/// Adds what the fields of a schema and of what stands in it mean.
pub fn of_fields(owner: &str, schema: &mut Value) {
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for (field, schema) in properties.into_iter().flatten() {
        let own = FIELDS.get(format!("{owner}.{field}").as_str());
        let text = own.or_else(|| FIELDS.get(field.as_str()));
        of_fields(owner, schema);
        let Some(fields) = schema.as_object_mut() else {
            continue;
        };
        if let (false, Some(text)) = (fields.contains_key("description"), text) {
            fields.insert("description".to_owned(), json!(text));
        }
    }
    for part in ["allOf", "anyOf", "oneOf"] {
        for part in schema.get_mut(part).and_then(Value::as_array_mut).into_iter().flatten() {
            of_fields(owner, part);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::{
        openapi::Document,
        routes::{endpoints, operator},
    };

    /// The names of all fields and parameters below a value, alone and with their schema's name.
    fn names(owner: &str, value: &Value, found: &mut HashSet<String>) {
        for (name, field) in value["properties"].as_object().into_iter().flatten() {
            found.extend([name.clone(), format!("{owner}.{name}")]);
            names(owner, field, found);
        }
        found.extend(value["name"].as_str().map(str::to_owned));
        match value {
            Value::Object(fields) => fields.values().for_each(|inner| names(owner, inner, found)),
            Value::Array(items) => items.iter().for_each(|inner| names(owner, inner, found)),
            _ => {}
        }
    }

    #[test]
    fn every_line_is_of_something_that_is_there() {
        let documents = [Document::of(endpoints()), Document::of_operator(operator::endpoints())];
        let mut found = HashSet::new();
        for document in documents.map(|document| serde_json::to_value(document).unwrap()) {
            names("", &document["paths"], &mut found);
            for (owner, schema) in document["components"]["schemas"].as_object().unwrap() {
                names(owner, schema, &mut found);
            }
        }
        let fields = FIELDS.keys().filter(|name| !found.contains(**name));
        let all = endpoints().into_iter().chain(operator::endpoints());
        let ids: HashSet<&str> = all.map(|endpoint| endpoint.operation_id).collect();
        let operations = OPERATIONS.keys().filter(|id| !ids.contains(**id));
        let mut unused: Vec<&&str> = fields.chain(operations).collect();
        unused.sort_unstable();
        assert!(unused.is_empty(), "{unused:#?}");
    }
}
