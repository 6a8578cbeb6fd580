//! Gives the parts of request bodies and the words of queries their names: a client that is generated then has
//! `BookFlightPassenger`, not a type that is named after its place.

use serde_json::{Map, Value, json};

use crate::http::json_body::{
    beside_null,
    schema::{NAME, TAG},
};

/// Takes what has a name out of a schema of a body, and puts it among the schemas.
pub fn of_body(schema: &mut Value, schemas: &mut Map<String, Value>) {
    let Some(name) = schema[NAME].as_str().map(str::to_owned) else { return };
    let stem = name.strip_suffix("Request").unwrap_or(&name).to_owned();
    fields(schema, &stem, schemas);
    set_aside(schema, &name, schemas);
}

/// The same of the schema of a parameter.
pub fn of_parameter(schema: &mut Value, schemas: &mut Map<String, Value>) {
    words(schema, schemas);
}

fn fields(schema: &mut Value, stem: &str, schemas: &mut Map<String, Value>) {
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for (field, schema) in properties.into_iter().flatten() {
        // It is said of the field, not of what it has its name for.
        let text = schema.as_object_mut().and_then(|schema| schema.remove("description"));
        if let Some(inner) = schema.pointer_mut(beside_null(schema)) {
            part(inner, stem, field, schemas);
        }
        if let (Some(text), Some(schema)) = (text, schema.as_object_mut()) {
            schema.insert("description".to_owned(), text);
        }
    }
}

fn part(schema: &mut Value, stem: &str, field: &str, schemas: &mut Map<String, Value>) {
    if let Some(items) = schema.get_mut("items") {
        return part(items, stem, singular(field), schemas);
    }
    let name = format!("{stem}{}", pascal(field));
    if schema["oneOf"].is_array() {
        kinds(schema, stem, &name, schemas);
        set_aside(schema, &name, schemas);
    } else if schema["properties"].is_object() {
        fields(schema, stem, schemas);
        set_aside(schema, &name, schemas);
    } else {
        words(schema, schemas);
    }
}

/// Objects of several kinds, each under a name of its own, told apart by one of their fields.
fn kinds(schema: &mut Value, stem: &str, name: &str, schemas: &mut Map<String, Value>) {
    let tag = schema[TAG].as_str().unwrap_or_default().to_owned();
    let mut mapping = Map::new();
    for kind in schema["oneOf"].as_array_mut().into_iter().flatten() {
        let word = kind["properties"].get(&tag);
        let word = word.and_then(|word| word["const"].as_str()).unwrap_or_default().to_owned();
        fields(kind, stem, schemas);
        set_aside(kind, &format!("{name}{}", pascal(&word)), schemas);
        mapping.insert(word, kind["$ref"].clone());
    }
    if let Some(schema) = schema.as_object_mut() {
        // Each of the kinds says it.
        schema.remove("type");
        schema.remove(TAG);
        schema.insert("discriminator".to_owned(), json!({ "propertyName": tag, "mapping": mapping }));
    }
}

/// Words under the name of their type, or under the name that the same words have already.
fn words(schema: &mut Value, schemas: &mut Map<String, Value>) {
    let Some(own) = schema[NAME].as_str().map(str::to_owned) else { return };
    let same = |known: &&String| schemas.get(*known).is_some_and(|known| known["enum"] == schema["enum"]);
    let name = [&own].into_iter().chain(schemas.keys()).find(same).cloned();
    match name {
        Some(name) => *schema = reference(&name),
        None => set_aside(schema, &own, schemas),
    }
}

/// Puts a schema among the others, and its name in its place.
fn set_aside(schema: &mut Value, name: &str, schemas: &mut Map<String, Value>) {
    let mut schema_itself = std::mem::replace(schema, reference(name));
    if let Some(fields) = schema_itself.as_object_mut() {
        fields.remove(NAME);
    }
    schemas.insert(name.to_owned(), schema_itself);
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// `RoomSelection` of `room_selection`.
fn pascal(name: &str) -> String {
    name.split('_')
        .filter_map(|word| word.split_at_checked(1))
        .map(|(first, rest)| first.to_uppercase() + rest)
        .collect()
}

/// A field's name for one of its items.
fn singular(name: &str) -> &str {
    match name {
        "ancillaries" => "ancillary",
        "ssr" => "service",
        name => name.strip_suffix('s').unwrap_or(name),
    }
}
