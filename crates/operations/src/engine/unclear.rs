//! Travellers of an order of whom nobody can tell surely who they are of those whom its supplier names.

use serde::Deserialize;
use serde_json::{Value, json};
use wayfare_store::JsonText;

use crate::Result;

pub(crate) const PROBLEM: &str = "the supplier names travellers so that nobody can tell surely who is who; what it has for them is nobody's";

/// What the operator needs to know of it: names are only in the supplier's answer.
pub(crate) fn details(order_id: &str, travellers: &[u32]) -> Value {
    json!({ "order_id": order_id, "travellers": travellers })
}

/// Those of an order as it was stored.
///
/// # Errors
/// When it can't be read.
pub(crate) fn travellers_of(content: &JsonText) -> Result<Vec<u32>> {
    #[derive(Clone, Deserialize)]
    struct Stored {
        #[serde(default)]
        unclear_travellers: Vec<u32>,
    }
    Ok(content.parse::<Stored>()?.unclear_travellers)
}
