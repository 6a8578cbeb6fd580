//! A body as `wayfare_contract` declares it. The reader in this program says what each field takes, the declaration what it means.

use std::collections::BTreeSet;

use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::{Value, json};

use super::schema::TAG;

/// Adds what its type in `wayfare_contract` says of the fields to the schema that the body's reader was watched for.
///
/// # Errors
/// Names an object whose fields are not those that are declared.
pub fn describe<T: JsonSchema>(read: &mut Value) -> Result<(), String> {
    let settings = SchemaSettings::draft2020_12().for_serialize().with(|settings| {
        settings.inline_subschemas = true;
    });
    described("the body", read, &settings.into_generator().into_root_schema_for::<T>().to_value())
}

/// Where the schema itself stands in one that may be null: beside null.
pub fn beside_null(schema: &Value) -> &'static str {
    match schema.pointer("/anyOf/0") {
        Some(_) => "/anyOf/0",
        None => "",
    }
}

fn described(at: &str, read: &mut Value, declared: &Value) -> Result<(), String> {
    if let (Some(text), Some(read)) = (declared.get("description"), read.as_object_mut()) {
        read.insert("description".to_owned(), json!(text));
    }
    let Some(read) = read.pointer_mut(beside_null(read)) else { return Ok(()) };
    let declared = declared.pointer(beside_null(declared)).unwrap_or(declared);
    if let (Some(items), Some(declared)) = (read.get_mut("items"), declared.get("items")) {
        return described(at, items, declared);
    }
    let tag = read[TAG].as_str().map(str::to_owned);
    if let (Some(tag), Some(kinds)) = (tag, read.get_mut("oneOf").and_then(Value::as_array_mut)) {
        let declared = declared["oneOf"].as_array().map(Vec::as_slice).unwrap_or_default();
        if kinds.len() != declared.len() {
            return Err(format!("{at} is declared in {} kinds and read in {}", declared.len(), kinds.len()));
        }
        let word = |kind: &Value| kind["properties"][&tag]["const"].clone();
        return kinds.iter_mut().try_for_each(|kind| {
            let same = declared.iter().find(|declared| word(declared) == word(kind));
            described(at, kind, same.unwrap_or(&Value::Null))
        });
    }
    let Some(fields) = read.get_mut("properties").and_then(Value::as_object_mut) else { return Ok(()) };
    let names = |fields: &serde_json::Map<String, Value>| fields.keys().cloned().collect::<BTreeSet<_>>();
    let declared = declared.get("properties").and_then(Value::as_object);
    let (is, ought) = (names(fields), declared.map(names).unwrap_or_default());
    if is != ought {
        return Err(format!("{at} is declared with {ought:?} and read with {is:?}"));
    }
    for (name, field) in fields {
        described(name, field, declared.and_then(|fields| fields.get(name)).unwrap_or(&Value::Null))?;
    }
    Ok(())
}
