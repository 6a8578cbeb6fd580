//! What is read out of forms, and what the document says of them.

use super::*;
use serde_json::json;

#[derive(Debug, PartialEq, schemars::JsonSchema)]
struct Sample {
    name: String,
    count: u8,
    #[schemars(with = "Option<u8>")]
    amount: Option<Decimal>,
    days: Vec<Day>,
}

#[derive(Debug, PartialEq, schemars::JsonSchema)]
struct Day {
    on: NaiveDate,
}

impl FromJson for Sample {
    const NAME: &str = "SampleRequest";
    type Declared = Self;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let name = body.text("name", 5);
        let count = body.number("count", 1..=9);
        let count = body.required("count", count);
        let amount = body.decimal("amount");
        let days = body.list("days", 1..=2, |day| Some(Day { on: day.date("on")? }));
        Some(Self { name: name?, count: count?, amount, days: days? })
    }
}

#[test]
fn the_document_says_what_the_reader_checks() {
    let text = json!({ "type": "string", "minLength": 1, "maxLength": 5,
        "pattern": "^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$" });
    let days = json!({ "type": "array", "minItems": 1, "maxItems": 2, "items": {
        "type": "object",
        "properties": { "on": { "type": "string", "format": "date" } },
        "required": ["on"],
    } });
    let expected = json!({
        "type": "object",
        "properties": {
            "name": text,
            "count": { "type": "integer", "minimum": 1, "maximum": 9 },
            "amount": { "type": ["number", "null"] },
            "days": days,
        },
        "required": ["count", "days", "name"],
    });
    let least = json!({ "name": "a", "count": 1, "days": [{ "on": "2027-01-31" }] });
    let mut all = least.clone();
    all["amount"] = json!(0.5);
    let bodies = json!({ "least": least, "all": all });
    assert_eq!(examples::schema::<Sample>(bodies.as_object().unwrap()).unwrap(), expected);
}

fn check(body: &Value) -> String {
    match read::<Sample>(body, Known::default()) {
        Ok(sample) => format!("{} {} {:?} {}", sample.name, sample.count, sample.amount, sample.days.len()),
        Err(faults) => faults.to_string(),
    }
}

#[test]
fn every_field_at_fault_is_named_with_its_path() {
    for (body, expected) in [
        (json!({ "name": " a ", "count": 9, "days": [{ "on": "2026-01-31" }] }), "a 9 None 1"),
        (json!([]), "{body must be an object}"),
        (
            json!({}),
            "{name this field is required} {count this field is required} {days this field is required}",
        ),
        (
            json!({ "name": 7, "count": 10, "amount": "x", "days": [{ "on": "31/01/2026" }, 5] }),
            "{name must be a string} {count must be between 1 and 9} {amount must be a number} \
             {days[0].on must be a date (YYYY-MM-DD)} {days[1] must be an object}",
        ),
        (
            json!({ "name": "sixsix", "count": 1.5, "days": [] }),
            "{name must have at most 5 characters} {count must be a whole number} \
             {days must have between 1 and 2 items}",
        ),
    ] {
        assert_eq!(check(&body), expected);
    }
}

#[test]
fn numbers_keep_their_digits() {
    let body: Value = serde_json::from_str(
        r#"{"name":"a","count":1,"amount":12345678901234.56,"days":[{"on":"2026-01-31"}]}"#,
    )
    .unwrap();
    assert_eq!(
        read::<Sample>(&body, Known::default()).unwrap().amount.unwrap().to_string(),
        "12345678901234.56"
    );
}
