//! Every value of a JSON document with the names of the members that lead to it. A list is passed through: its items have the
//! path of the list.

use serde_json::Value;

/// The names of the members that lead to a value, from outside.
pub(crate) type Path = Vec<String>;

/// Shows every value, what holds it before what it holds.
pub(crate) fn each(value: &mut Value, path: &mut Path, see: &mut impl FnMut(&mut Value, &[String])) {
    see(value, path);
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| each(item, path, see)),
        Value::Object(members) => {
            for (name, member) in members {
                path.push(name.clone());
                each(member, path, see);
                path.pop();
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Whether a path ends as one of these patterns says: names with points between them, `*` for any.
pub(crate) fn ends_as(path: &[String], patterns: &[&str]) -> bool {
    patterns.iter().any(|pattern| {
        let mut path = path.iter().rev();
        pattern.rsplit('.').all(|part| path.next().is_some_and(|name| part == "*" || part == name))
    })
}
