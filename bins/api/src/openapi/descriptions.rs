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

/// What a parameter of this name means, or a field that has no text in the code.
pub fn of_parameter(name: &str) -> Option<&'static str> {
    tests::note_use(name);
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
        of_fields(owner, schema);
        let Some(fields) = schema.as_object_mut().filter(|fields| !fields.contains_key("description")) else {
            continue;
        };
        if let Some(text) = of_parameter(&format!("{owner}.{field}")).or_else(|| of_parameter(field)) {
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
    use std::{collections::HashSet, sync::Mutex};

    use super::*;
    use crate::{
        openapi::Document,
        routes::{endpoints, operator},
    };

    static USED: Mutex<Vec<String>> = Mutex::new(Vec::new());

    pub fn note_use(name: &str) {
        USED.lock().unwrap().push(name.to_owned());
    }

    #[test]
    fn every_line_says_what_the_code_does_not_say() {
        let made = [Document::of(endpoints()), Document::of_operator(operator::endpoints())];
        drop(made);
        let used: HashSet<String> = USED.lock().unwrap().drain(..).collect();
        let fields = FIELDS.keys().filter(|name| !used.contains(**name));
        let all = endpoints().into_iter().chain(operator::endpoints());
        let ids: HashSet<&str> = all.map(|endpoint| endpoint.description.operation_id).collect();
        let operations = OPERATIONS.keys().filter(|id| !ids.contains(**id));
        let mut unused: Vec<&&str> = fields.chain(operations).collect();
        unused.sort_unstable();
        assert!(unused.is_empty(), "{unused:#?}");
    }
}
