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
    /// Plain members of the names that the text lists, and members of these names.
    Members(&'static str, &'static [(&'static str, Allowed)]),
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
        (Value::Object(members), Allowed::Numbers) => {
            Some(of_members(members, omitted, |name| is_code(name).then_some(Allowed::Numbers)))
        }
        (Value::Object(members), Allowed::Members(plain, named)) => {
            let is_plain = |name: &str| plain.split_whitespace().any(|known| known == name);
            let named =
                |name: &str| named.iter().find(|(known, _)| *known == name).map(|(_, allowed)| *allowed);
            Some(of_members(members, omitted, |name| {
                is_plain(name).then_some(Allowed::Plain).or_else(|| named(name))
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
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    const LIST: Allowed = Allowed::Members(
        "id",
        &[("pnrs", Allowed::Named), ("sums", Allowed::Numbers), ("parts", Allowed::Members("at", &[]))],
    );

    /// What a supplier says, what is passed on of it, and how much is omitted.
    const PASSED_ON: &str = r#"
{"id": "a", "name": "ASHA"}            | {"id": "a"}   | 1
{"id": {"name": "ASHA"}}               | {}            | 1
{"id": ["a", {"name": "ASHA"}]}        | {"id": ["a"]} | 1
{"pnrs": {"DEL-BOM": "ABC", "BOM-GOI": {"name": "ASHA"}}} | {"pnrs": {"DEL-BOM": "ABC"}} | 1
{"sums": {"FC": {"TF": 12.5, "FOR": "ASHA", "mobile": 98123}, "said": {"TF": 1}}} | {"sums": {"FC": {"TF": 12.5}}} | 3
{"parts": [{"at": true, "who": "ASHA"}, {"at": null}]} | {"parts": [{"at": true}, {"at": null}]} | 1
{"parts": "ASHA"}                      | {}            | 1
"ASHA"                                 | null          | 1"#;

    #[test]
    fn only_what_the_list_names_is_passed_on_and_the_rest_is_counted() {
        for line in PASSED_ON.trim().lines() {
            let cells = line.split('|').collect::<Vec<_>>();
            let [order, kept, omitted] = cells.try_into().unwrap();
            let read = |text| serde_json::from_str::<Value>(text).unwrap();
            let shown = passed_on(read(order), LIST);
            assert_eq!(
                (shown.order, shown.omitted),
                (read(kept), omitted.trim().parse::<usize>().unwrap()),
                "{line}"
            );
        }
    }

    /// Names that lists know, and others.
    fn name() -> impl Strategy<Value = String> {
        prop_oneof![
            "(id|pnrs|sums|parts|at|name|slices|order|itemInfos|AIR|travellerInfos|documents|services)",
            "[A-Z0-9]{1,8}",
            "[a-z]{1,8}",
        ]
    }

    /// Any JSON, a part of whose texts is somebody's name.
    fn any_order() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(json!("ASHA")),
            Just(json!(null)),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            "[a-z]{0,6}".prop_map(Value::from),
        ];
        leaf.prop_recursive(6, 60, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::btree_map(name(), inner, 0..6).prop_map(Value::from_iter),
            ]
        })
    }

    /// Whether all of the value is what the list allows, judged anew.
    fn is_allowed(value: &Value, allowed: Allowed) -> bool {
        match (value, allowed) {
            (Value::Null, _) => true,
            (Value::Array(items), _) => items.iter().all(|item| is_allowed(item, allowed)),
            (Value::Object(members), Allowed::Named) => {
                members.values().all(|value| is_allowed(value, Allowed::Plain))
            }
            (Value::Object(members), Allowed::Numbers) => members.iter().all(|(name, value)| {
                name.len() <= 6
                    && name.chars().all(|one| one.is_ascii_uppercase() || one.is_ascii_digit())
                    && is_allowed(value, allowed)
            }),
            (Value::Object(members), Allowed::Members(plain, named)) => {
                members.iter().all(|(name, value)| {
                    let is_plain = plain.split_whitespace().any(|known| known == name);
                    is_plain && is_allowed(value, Allowed::Plain)
                        || named.iter().any(|(known, allowed)| known == name && is_allowed(value, *allowed))
                })
            }
            (Value::Number(_), Allowed::Numbers | Allowed::Plain) => true,
            (Value::String(_) | Value::Bool(_), Allowed::Plain) => true,
            _ => false,
        }
    }

    /// How many leaves and empty containers there are.
    fn size(value: &Value) -> usize {
        match value {
            Value::Array(items) => items.iter().map(size).sum(),
            Value::Object(members) => members.values().map(size).sum(),
            _ => 1,
        }
    }

    proptest! {
        #[test]
        fn whatever_a_supplier_says_nothing_is_passed_on_that_its_list_does_not_name(order in any_order()) {
            for list in [LIST, crate::duffel::passed_on::ORDER, crate::tripjack::passed_on::ORDER] {
                let shown = passed_on(order.clone(), list);
                prop_assert!(is_allowed(&shown.order, list), "{}", shown.order);
                // What is not there is counted, and nothing else is.
                prop_assert!(size(&shown.order) <= size(&order).max(1));
                prop_assert_eq!(shown.omitted == 0, shown.order == order);
                // Who is passed on what was passed on is passed on all of it.
                let again = passed_on(shown.order.clone(), list);
                prop_assert_eq!((again.order, again.omitted), (shown.order, 0));
            }
        }
    }
}
