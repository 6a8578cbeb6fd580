//! Bodies that are accepted, each under what it shows. The document is made by reading them.

use std::sync::LazyLock;

use chrono::{NaiveDate, NaiveTime};
use serde_json::{Map, Value};
use wayfare_domain::{Currency, Faults};

use super::{FromJson, Known, declaration::describe, read_watched, shape::Shape, watcher::Watcher};

/// By the name of the body. Together the examples of one have every field; each field that may be missing is missing in one
/// of them.
static EXAMPLES: LazyLock<Map<String, Value>> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../openapi/bodies.json")).unwrap());

/// The day on which examples are read, UTC: their dates are later.
const EXAMPLE_DAY: NaiveDate = NaiveDate::from_ymd_opt(2027, 1, 4).unwrap();

/// The examples of the body of this name.
pub fn of(name: &str) -> Map<String, Value> {
    EXAMPLES.get(name).and_then(Value::as_object).cloned().unwrap_or_default()
}

/// The schema of a body, watched while its examples are read.
///
/// # Errors
/// The faults of an example, or a field that none of them has.
pub fn schema<T: FromJson>(examples: &Map<String, Value>) -> Result<Value, String> {
    if examples.is_empty() {
        return Err(format!("openapi/bodies.json has no example of {}", T::NAME));
    }
    let known = Known {
        now: EXAMPLE_DAY.and_time(NaiveTime::MIN).and_utc(),
        currency: Some(Currency::INR),
        country: None,
    };
    let mut shape = Shape::default();
    for (name, example) in examples {
        shape.begin();
        let read: Result<T, Faults> = read_watched(example, known, Watcher(Some(&mut shape)));
        read.map_err(|faults| format!("{name}: {faults}"))?;
    }
    let mut schema = shape.schema()?;
    describe::<T::Declared>(&mut schema)?;
    Ok(schema)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::EXAMPLES;
    use crate::{
        openapi::Document,
        routes::{endpoints, operator},
    };

    #[test]
    fn every_example_is_of_a_body_that_is_taken() {
        let made = [Document::of(endpoints()), Document::of_operator(operator::endpoints())];
        let made = made.map(|document| json!(document));
        for name in EXAMPLES.keys() {
            assert!(made.iter().any(|made| made["components"]["schemas"].get(name).is_some()), "{name}");
        }
    }
}
