//! Tables of faults: what is wrong with a field of a body, and what the API says of it.

use serde_json::Value;

/// The good body once for each line of the table, with one field changed, and the faults that the line expects.
///
/// A line has the field's place, what stands there as JSON, and the faults; two spaces or more between them. The place
/// is a JSON pointer; `.` is the whole body.
pub fn faulty_bodies(good: &Value, table: &str) -> Vec<(Value, String)> {
    table.lines().map(str::trim).filter(|line| !line.is_empty()).map(|line| faulty_body(good, line)).collect()
}

fn faulty_body(good: &Value, line: &str) -> (Value, String) {
    let columns: Vec<&str> = line.split("  ").map(str::trim).filter(|column| !column.is_empty()).collect();
    let [place, value, faults] = columns.as_slice() else { panic!("{line}") };
    let value: Value = serde_json::from_str(value).unwrap_or_else(|error| panic!("{line}: {error}"));
    if *place == "." {
        return (value, (*faults).to_owned());
    }
    let mut body = good.clone();
    let (parent, field) = place.rsplit_once('/').unwrap();
    match body.pointer_mut(parent) {
        Some(Value::Array(items)) => items[field.parse::<usize>().unwrap()] = value,
        Some(parent) => parent[field] = value,
        None => panic!("{line}"),
    }
    (body, (*faults).to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_line_changes_one_place() {
        let good = json!({ "rooms": [{ "adults": 2 }], "page": 1 });
        let found = faulty_bodies(
            &good,
            r#"
            /rooms/0/adults  0         {rooms[0].adults must be between 1 and 9}
            /page            "a b"     {page must be a number} {page is odd}
            /rooms/0         {}        {rooms[0].adults this field is required}
            .                [7]       {body must be an object}
            "#,
        );
        let expected = [
            (json!({ "rooms": [{ "adults": 0 }], "page": 1 }), "{rooms[0].adults must be between 1 and 9}"),
            (json!({ "rooms": [{ "adults": 2 }], "page": "a b" }), "{page must be a number} {page is odd}"),
            (json!({ "rooms": [{}], "page": 1 }), "{rooms[0].adults this field is required}"),
            (json!([7]), "{body must be an object}"),
        ];
        assert_eq!(found, expected.map(|(body, faults)| (body, faults.to_owned())));
    }
}
