//! What the API answered, and exact amounts out of it.

use reqwest::header::HeaderMap;
use rust_decimal::Decimal;
use serde_json::Value;

#[derive(Clone, Debug)]
pub struct Reply {
    pub asked: String,
    pub status: u16,
    pub headers: HeaderMap,
    pub text: String,
}

impl Reply {
    /// The body as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text)
            .unwrap_or_else(|error| panic!("{} answered {}: {error}: {}", self.asked, self.status, self.text))
    }

    /// That it is a refusal with exactly this status and text.
    #[track_caller]
    pub fn is(&self, status: u16, text: &str) -> &Self {
        let body = self.json();
        let error = body["error"].as_str().unwrap_or("no error text");
        assert_eq!((self.status, error), (status, text), "{}", self.asked);
        assert_eq!(body["success"], false, "{}", self.asked);
        self
    }

    /// That the request was refused for these faults, each `{field reason}`.
    #[track_caller]
    pub fn is_invalid(&self, faults: &str) -> &Self {
        self.is(422, &format!("code=422, message=[{faults}]"))
    }

    /// That nothing is there for who asked.
    #[track_caller]
    pub fn is_missing(&self) -> &Self {
        self.is(404, "resource not found")
    }

    /// That it is this status with this message; its data.
    #[track_caller]
    pub fn says(&self, status: u16, message: &str) -> Value {
        let body = self.json();
        assert_eq!(
            (self.status, body["message"].as_str()),
            (status, Some(message)),
            "{}: {}",
            self.asked,
            self.text
        );
        assert_eq!(body["success"], true, "{}", self.asked);
        body["data"].clone()
    }

    /// That it is a success with this status; its data.
    #[track_caller]
    pub fn succeeds(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}: {}", self.asked, self.text);
        let body = self.json();
        assert_eq!(body["success"], true, "{}: {}", self.asked, self.text);
        body["data"].clone()
    }

    /// That it is this status with this very text.
    #[track_caller]
    pub fn reads(&self, status: u16, text: &str) {
        assert_eq!((self.status, self.text.as_str()), (status, text), "{}", self.asked);
    }

    /// That it is 200; its data.
    #[track_caller]
    pub fn ok(&self) -> Value {
        self.succeeds(200)
    }

    /// A header's text, empty when it is not there.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}

/// That an answer has what is expected of it, each value at its place: `pnr_details/0/status`. What is not there is null.
#[track_caller]
pub fn assert_has(answer: &Value, expected: &Value) {
    let found = expected.as_object().into_iter().flat_map(|fields| fields.keys()).map(|place| {
        let value = answer.pointer(&format!("/{place}")).cloned();
        (place.clone(), value.unwrap_or_default())
    });
    assert_eq!(Value::Object(found.collect()), *expected, "{answer}");
}

pub const MONEY: &str = "1000000";

/// [`MONEY`] as an amount.
pub fn money() -> Decimal {
    Decimal::from(1_000_000)
}

/// The exact amount that a JSON number states.
#[track_caller]
pub fn amount(value: &Value) -> Decimal {
    let number = value.as_number().unwrap_or_else(|| panic!("{value} is no number"));
    Decimal::from_str_exact(&number.to_string()).unwrap_or_else(|error| panic!("{value}: {error}"))
}

/// The exact sum of one field over an array of objects.
#[track_caller]
pub fn sum(rows: &Value, field: &str) -> Decimal {
    let rows = rows.as_array().unwrap_or_else(|| panic!("{rows} is no array"));
    rows.iter().map(|row| amount(&row[field])).sum()
}
