//! What a body has to look like, learnt by watching how it is read: each field that a reader asks its object for is noted
//! with what the object checks, so that the document can't say anything else than the reader does.
//!
//! The reader is watched at complete examples. A field that is needed in each reading is required.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::schema::NAME;

/// An object as it was read, once or several times.
#[derive(Debug, Default)]
pub struct Shape {
    readings: u32,
    fields: BTreeMap<String, Field>,
}

#[derive(Debug, Default)]
struct Field {
    /// What is known of it; nothing of one that was only asked whether it is there.
    keywords: Map<String, Value>,
    /// Of an object, or of each item of a list; by the word that says which of several it is, where there are several.
    inner: BTreeMap<String, Shape>,
    /// In how many readings it was needed, and the last of them.
    needed: u32,
    last_needed: u32,
}

impl Shape {
    /// One more reading begins.
    pub fn begin(&mut self) {
        self.readings += 1;
    }

    fn field(&mut self, name: &str) -> &mut Field {
        self.fields.entry(name.to_owned()).or_default()
    }

    /// A field is looked for.
    pub fn name(&mut self, name: &str) {
        self.field(name);
    }

    /// A field is needed in this reading.
    pub fn need(&mut self, name: &str) {
        let reading = self.readings;
        let field = self.field(name);
        if field.last_needed != reading {
            field.last_needed = reading;
            field.needed += 1;
        }
    }

    /// A field is read of which this is known; it is added to what was known before.
    pub fn note(&mut self, name: &str, keywords: Value) {
        if let Value::Object(keywords) = keywords {
            self.field(name).keywords.extend(keywords);
        }
    }

    /// A field is read of which nothing else is known.
    pub fn note_only(&mut self, name: &str, keywords: Value) {
        self.field(name).keywords.clear();
        self.note(name, keywords);
    }

    /// A field is read that is an object, or an item of a list of objects, of which this is known: a reading of that begins.
    /// `kind` is the word that says which fields it has; empty where all have the same.
    pub fn inner(&mut self, name: &str, keywords: Value, kind: &str) -> &mut Self {
        self.note(name, keywords);
        let inner = self.field(name).inner.entry(kind.to_owned()).or_default();
        inner.begin();
        inner
    }

    /// Its schema. What may be missing may be null too.
    ///
    /// # Errors
    /// Names a field that no example has.
    pub fn schema(&self) -> Result<Value, String> {
        let mut properties = Map::new();
        let mut required = Vec::new();
        for (name, field) in &self.fields {
            let mut schema = field.schema().map_err(|inner| format!("{name}{inner}"))?;
            if field.needed == self.readings {
                required.push(name.as_str());
            } else {
                allow_null(&mut schema);
            }
            properties.insert(name.clone(), Value::Object(schema));
        }
        let mut schema = json!({ "type": "object", "properties": properties });
        if let (Some(schema), false) = (schema.as_object_mut(), required.is_empty()) {
            schema.insert("required".to_owned(), json!(required));
        }
        Ok(schema)
    }
}

impl Field {
    fn schema(&self) -> Result<Map<String, Value>, String> {
        let mut schema = self.keywords.clone();
        if schema.is_empty() {
            return Err(String::new());
        }
        let of_items = schema.get("type").is_some_and(|kind| kind == "array");
        let inner = self.inner.values().map(Shape::schema).collect::<Result<Vec<_>, _>>();
        let mut inner = inner.map_err(|field| format!(".{field}"))?;
        match (inner.pop(), inner.is_empty()) {
            (None, _) => {}
            (Some(items), true) if of_items => _ = schema.insert("items".to_owned(), items),
            (Some(fields), true) => schema.extend(fields.as_object().cloned().unwrap_or_default()),
            (Some(last), false) => {
                inner.push(last);
                schema.insert("oneOf".to_owned(), Value::Array(inner));
            }
        }
        Ok(schema)
    }
}

/// What has a name of its own is either that or null: no name is of something that may be null.
fn allow_null(schema: &mut Map<String, Value>) {
    let is_named = schema.contains_key(NAME) || schema.get("type").is_some_and(|kind| kind == "object");
    if is_named {
        let either = json!([std::mem::take(schema), { "type": "null" }]);
        schema.insert("anyOf".to_owned(), either);
    } else if let Some(kind) = schema.get_mut("type") {
        *kind = json!([kind.clone(), "null"]);
    }
}
