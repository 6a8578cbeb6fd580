//! What a supplier said of an order, as it came.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer};
use serde_json::{Value, value::RawValue};

/// A supplier's answer about an order: JSON, which is stored sealed beside the order. Mostly nobody looks into it, so it stays
/// a text until somebody does.
#[derive(Clone, Debug, Default)]
pub struct RawAnswer(Form);

#[derive(Clone, Debug, Default)]
enum Form {
    #[default]
    Nothing,
    Text(Box<RawValue>),
    Tree(Value),
}

impl RawAnswer {
    /// Whether the supplier said nothing, or what it said is stored elsewhere.
    pub fn is_nothing(&self) -> bool {
        matches!(self.0, Form::Nothing)
    }

    /// What it says, to be looked into; null where it says nothing.
    pub fn tree(&self) -> Cow<'_, Value> {
        match &self.0 {
            Form::Nothing => Cow::Owned(Value::Null),
            Form::Text(text) => Cow::Owned(parsed(text)),
            Form::Tree(tree) => Cow::Borrowed(tree),
        }
    }

    /// What [`RawAnswer::tree`] shows, without a copy.
    pub fn into_tree(self) -> Value {
        match self.0 {
            Form::Nothing => Value::Null,
            Form::Text(text) => parsed(&text),
            Form::Tree(tree) => tree,
        }
    }

    /// JSON; `null` where nothing came.
    pub fn text(&self) -> Cow<'_, str> {
        match &self.0 {
            Form::Nothing => Cow::Borrowed("null"),
            Form::Text(text) => Cow::Borrowed(text.get()),
            Form::Tree(tree) => Cow::Owned(tree.to_string()),
        }
    }
}

/// It is JSON already: there is nothing that could fail but a number beyond all bounds, or nesting.
fn parsed(text: &RawValue) -> Value {
    serde_json::from_str(text.get()).unwrap_or_default()
}

impl From<Value> for RawAnswer {
    fn from(tree: Value) -> Self {
        match tree {
            Value::Null => Self::default(),
            tree => Self(Form::Tree(tree)),
        }
    }
}

impl From<Box<RawValue>> for RawAnswer {
    fn from(text: Box<RawValue>) -> Self {
        match text.get() {
            "null" => Self::default(),
            _ => Self(Form::Text(text)),
        }
    }
}

/// By what they say, in whichever form.
impl PartialEq for RawAnswer {
    fn eq(&self, other: &Self) -> bool {
        self.tree() == other.tree()
    }
}

impl Eq for RawAnswer {}

impl<'de> Deserialize<'de> for RawAnswer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{json, value::to_raw_value};

    use super::*;

    #[test]
    fn an_answer_says_the_same_in_whichever_form_it_is() {
        let said = json!({ "id": "ord_1", "total": 12.50 });
        let tree = RawAnswer::from(said.clone());
        let text = RawAnswer::from(to_raw_value(&said).unwrap());
        assert_eq!(tree, text);
        assert_eq!((tree.text(), text.text()), (said.to_string().into(), said.to_string().into()));
        assert_eq!((tree.into_tree(), text.into_tree()), (said.clone(), said));
    }

    #[test]
    fn null_says_nothing() {
        let text: Box<RawValue> = serde_json::from_str("null").unwrap();
        for nothing in [RawAnswer::default(), Value::Null.into(), text.into()] {
            assert!(nothing.is_nothing());
            assert_eq!(nothing.into_tree(), Value::Null);
        }
        assert!(!RawAnswer::from(json!({})).is_nothing());
    }
}
