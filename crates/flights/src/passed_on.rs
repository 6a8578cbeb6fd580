//! What is passed on of a supplier's order in the supplier's own words: members that a list names, and nothing else. A
//! supplier that says more one day, say of travellers, says it to nobody else.

use serde_json::{Map, Value};

/// A supplier's order as it is passed on.
#[derive(Clone, Debug, PartialEq)]
pub struct PassedOn {
    /// What of it is named by the supplier's list.
    pub order: Value,
    /// How many members were left out.
    pub omitted: usize,
}

/// A code of a tax or a fee is shorter than most words.
const LONGEST_CODE: usize = 6;

/// What may be passed on of a value. Of a list it is said of each item.
#[derive(Clone, Copy)]
pub(crate) enum Allowed {
    /// A text, a number, true or false.
    Plain,
    /// Such values under names that the supplier chooses, say routes.
    Named,
    /// Numbers, at any depth, under codes that the supplier chooses, say of taxes.
    Numbers,
    /// Members of these names.
    Members(&'static [(&'static str, Allowed)]),
}

/// What is allowed of a value. A null says nothing of anybody.
pub(crate) fn passed_on(value: Value, allowed: Allowed) -> PassedOn {
    let mut omitted = 0;
    let order = kept(value, allowed, &mut omitted).unwrap_or(Value::Null);
    PassedOn { order, omitted }
}

/// The value, if anything of it is allowed; else it is counted.
fn kept(value: Value, allowed: Allowed, omitted: &mut usize) -> Option<Value> {
    match (value, allowed) {
        (Value::Null, _) => Some(Value::Null),
        (Value::Array(items), _) => {
            let kept = items.into_iter().filter_map(|item| kept(item, allowed, omitted));
            Some(Value::Array(kept.collect()))
        }
        (number @ Value::Number(_), Allowed::Numbers) => Some(number),
        (value @ (Value::String(_) | Value::Number(_) | Value::Bool(_)), Allowed::Plain) => Some(value),
        (Value::Object(members), Allowed::Named) => {
            Some(of_members(members, omitted, |_| Some(Allowed::Plain)))
        }
        (Value::Object(members), Allowed::Numbers) => Some(of_members(members, omitted, |name| {
            is_code(name).then_some(Allowed::Numbers)
        })),
        (Value::Object(members), Allowed::Members(named)) => {
            let of = |name: &str| named.iter().find(|(known, _)| *known == name);
            Some(of_members(members, omitted, |name| {
                of(name).map(|(_, allowed)| *allowed)
            }))
        }
        _ => {
            *omitted += 1;
            None
        }
    }
}

/// A few capital letters and digits.
fn is_code(name: &str) -> bool {
    let is_of_code = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    name.len() <= LONGEST_CODE && name.bytes().all(is_of_code)
}

fn of_members(
    members: Map<String, Value>,
    omitted: &mut usize,
    allowed: impl Fn(&str) -> Option<Allowed>,
) -> Value {
    let mut shown = Map::new();
    for (name, value) in members {
        match allowed(&name) {
            Some(allowed) => {
                let value = kept(value, allowed, omitted);
                shown.extend(value.map(|value| (name, value)));
            }
            None => *omitted += 1,
        }
    }
    Value::Object(shown)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const LIST: Allowed = Allowed::Members(&[
        ("id", Allowed::Plain),
        ("pnrs", Allowed::Named),
        ("sums", Allowed::Numbers),
        ("parts", Allowed::Members(&[("at", Allowed::Plain)])),
    ]);

    #[test]
    fn only_what_the_list_names_is_passed_on_and_the_rest_is_counted() {
        for (order, kept, omitted) in [
            (json!({"id": "a", "name": "ASHA"}), json!({"id": "a"}), 1),
            (json!({"id": {"name": "ASHA"}}), json!({}), 1),
            (json!({"id": ["a", {"name": "ASHA"}]}), json!({"id": ["a"]}), 1),
            (
                json!({"pnrs": {"DEL-BOM": "ABC", "BOM-GOI": {"name": "ASHA"}}}),
                json!({"pnrs": {"DEL-BOM": "ABC"}}),
                1,
            ),
            (
                json!({"sums": {"FC": {"TF": 12.5, "FOR": "ASHA", "mobile": 98123}, "said": {"TF": 1}}}),
                json!({"sums": {"FC": {"TF": 12.5}}}),
                3,
            ),
            (
                json!({"parts": [{"at": true, "who": "ASHA"}, {"at": null}]}),
                json!({"parts": [{"at": true}, {"at": null}]}),
                1,
            ),
            (json!({"parts": "ASHA"}), json!({}), 1),
            (json!("ASHA"), json!(null), 1),
        ] {
            let shown = passed_on(order.clone(), LIST);
            assert_eq!((shown.order, shown.omitted), (kept, omitted), "{order}");
        }
    }
}
