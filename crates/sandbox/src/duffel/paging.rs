//! Lists in pages: a limit, and cursors that nobody but this file understands.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE;
use serde_json::{Value, json};

use super::errors::{ApiError, Problem};

/// The query parameters of a call, in their order; a name can come more than once.
pub(super) type Parameters = Vec<(String, String)>;

pub(super) fn parameters(query: &str) -> Parameters {
    actix_web::web::Query::<Parameters>::from_query(query).map(|query| query.into_inner()).unwrap_or_default()
}

pub(super) fn parameter<'a>(parameters: &'a Parameters, name: &str) -> Option<&'a str> {
    parameters.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str())
}

/// The value of a parameter that must be there.
pub(super) fn required<'a>(parameters: &'a Parameters, name: &str) -> Result<&'a str, ApiError> {
    parameter(parameters, name).ok_or_else(|| {
        let message = format!("Parameter '{name}' can't be blank");
        Problem::bad_parameter("validation_required", name, message).into()
    })
}

pub(super) fn flag(parameters: &Parameters, name: &'static str) -> Result<Option<bool>, ApiError> {
    match parameter(parameters, name) {
        None => Ok(None),
        Some("true") => Ok(Some(true)),
        Some("false") => Ok(Some(false)),
        Some(_) => {
            let message = format!("Parameter '{name}' must be true or false");
            Err(Problem::bad_parameter("validation_type", name, message).into())
        }
    }
}

/// A parameter that is a whole number within bounds.
pub(super) fn number(
    parameters: &Parameters,
    name: &'static str,
    low: u64,
    high: u64,
) -> Result<Option<u64>, ApiError> {
    let Some(text) = parameter(parameters, name) else { return Ok(None) };
    let number = text.parse().ok().filter(|number| (low..=high).contains(number));
    number.map(Some).ok_or_else(|| {
        let message = format!("Parameter '{name}' must be a whole number from {low} to {high}");
        Problem::bad_parameter("validation_inclusion", name, message).into()
    })
}

/// One page of a list, and what `meta` says of it.
pub(super) fn page<T>(
    all: Vec<T>,
    id: impl Fn(&T) -> &str,
    parameters: &Parameters,
) -> Result<(Vec<T>, Value), ApiError> {
    let limit = number(parameters, "limit", 1, 200)?.unwrap_or(50);
    let length = usize::try_from(limit).unwrap_or(50);
    let place = |cursor: &'static str| -> Result<Option<usize>, ApiError> {
        let Some(text) = parameter(parameters, cursor) else { return Ok(None) };
        let wanted = URL_SAFE.decode(text).ok();
        let found = all.iter().position(|item| Some(id(item).as_bytes()) == wanted.as_deref());
        found.map(Some).ok_or_else(|| {
            let message = format!("Parameter '{cursor}' is not a cursor of this list");
            Problem::bad_parameter("validation_format", cursor, message).into()
        })
    };
    let (start, end) = match (place("after")?, place("before")?) {
        (Some(_), Some(_)) => {
            let message = "Parameters 'after' and 'before' cannot be used together";
            return Err(Problem::bad_parameter("invalid_field_sets", "before", message).into());
        }
        (Some(after), None) => (after + 1, (after + 1 + length).min(all.len())),
        (None, Some(before)) => (before.saturating_sub(length), before),
        (None, None) => (0, length.min(all.len())),
    };
    let cursor = |item: &T| URL_SAFE.encode(id(item));
    let after =
        (end < all.len()).then(|| end.checked_sub(1).and_then(|last| all.get(last)).map(cursor)).flatten();
    let before = (start > 0).then(|| all.get(start).map(cursor)).flatten();
    let meta = json!({ "limit": limit, "before": before, "after": after });
    Ok((all.into_iter().skip(start).take(end.saturating_sub(start)).collect(), meta))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(query: &str) -> (Vec<&'static str>, Value) {
        page(vec!["a", "b", "c", "d", "e"], |item| item, &parameters(query)).unwrap()
    }

    #[test]
    fn pages_lead_to_each_other_and_end_with_null() {
        let (first, meta) = walk("limit=2");
        assert_eq!((first, &meta["before"]), (vec!["a", "b"], &Value::Null));
        let (second, meta) = walk(&format!("limit=2&after={}", meta["after"].as_str().unwrap()));
        assert_eq!(second, ["c", "d"]);
        let (back, _) = walk(&format!("limit=2&before={}", meta["before"].as_str().unwrap()));
        assert_eq!(back, ["a", "b"]);
        let (last, meta) = walk(&format!("limit=2&after={}", meta["after"].as_str().unwrap()));
        assert_eq!((last, &meta["after"]), (vec!["e"], &Value::Null));
    }

    #[test]
    fn a_limit_out_of_bounds_or_a_strange_cursor_is_refused() {
        for query in ["limit=0", "limit=201", "limit=x", "after=zzz", "after=YQ==&before=Yg=="] {
            assert!(page(vec!["a", "b"], |item| item, &parameters(query)).is_err(), "{query}");
        }
    }
}
