//! Keywords of JSON Schema that several readers note.

use std::any::type_name;

use serde_json::{Value, json};
use strum::VariantNames;

/// The keyword under which a schema has its name until it stands under that name.
pub const NAME: &str = "x-name";

/// The keyword that says which field tells one of several kinds of objects from the others.
pub const TAG: &str = "x-tag";

/// Words of a type, under its name.
pub fn words<T: VariantNames>() -> Value {
    let name = type_name::<T>().rsplit("::").next().unwrap_or_default();
    json!({ "type": "string", "enum": T::VARIANTS, NAME: name })
}

/// An object; where `tag` is not empty it has other fields for each word that this field may be.
pub fn object(tag: &str) -> Value {
    match tag {
        "" => json!({ "type": "object" }),
        tag => json!({ "type": "object", TAG: tag }),
    }
}
