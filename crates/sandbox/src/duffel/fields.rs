//! Reading a request's body field by field, so that every wrong field is named as Duffel names it.

use std::cell::RefCell;

use actix_web::dev::Payload;
use actix_web::web::Bytes;
use actix_web::{FromRequest, HttpRequest};
use chrono::NaiveDate;
use futures_util::future::{FutureExt, LocalBoxFuture};
use rust_decimal::Decimal;
use serde_json::{Map, Value};

use super::errors::{ApiError, FORMAT, INCLUSION, Problem, REQUIRED, TYPE};
use crate::supplier_api::header_text;

/// The object under `data` of a body, and what is wrong with it.
#[derive(Default)]
pub(super) struct Sent {
    data: Map<String, Value>,
    problems: RefCell<Vec<Problem>>,
}

impl Sent {
    pub(super) fn read(request: &HttpRequest, body: &[u8]) -> Result<Self, ApiError> {
        Ok(Self { data: data(request, body)?, problems: RefCell::default() })
    }

    /// Its members; what is wrong with them is noted here.
    pub(super) fn fields(&self) -> Fields<'_> {
        Fields { members: &self.data, pointer: String::new(), problems: &self.problems }
    }

    /// Whether nothing was wrong until now.
    pub(super) fn is_right(&self) -> bool {
        self.problems.borrow().is_empty()
    }

    /// What was wrong until now.
    pub(super) fn error(&self) -> ApiError {
        self.problems.take().into()
    }

    pub(super) fn check(&self) -> Result<(), ApiError> {
        if self.is_right() { Ok(()) } else { Err(self.error()) }
    }
}

impl FromRequest for Sent {
    type Error = actix_web::Error;
    type Future = LocalBoxFuture<'static, Result<Self, actix_web::Error>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, body) = (request.clone(), Bytes::from_request(request, payload));
        async move { Ok(Self::read(&request, &body.await?)?) }.boxed_local()
    }
}

fn data(request: &HttpRequest, body: &[u8]) -> Result<Map<String, Value>, ApiError> {
    match header_text(request, "Content-Type") {
        "" => {
            let message = "The 'Content-Type' header needs to be set to 'application/json'.";
            return Err(ApiError::bad_request("missing_content_type_header", message));
        }
        kind if !kind.starts_with("application/json") => {
            let message = "The 'Content-Type' header should be set to 'application/json'.";
            return Err(ApiError::bad_request("invalid_content_type_header", message));
        }
        _ => {}
    }
    let mut body: Value = serde_json::from_slice(body).map_err(|reason| {
        let message = format!("The data in the request body is not valid JSON: {reason}");
        ApiError::bad_request("malformed_data_param", &message).titled("Malformed data")
    })?;
    match body.get_mut("data").map(Value::take) {
        Some(Value::Object(data)) => Ok(data),
        Some(_) => {
            let message = "The data in the request body should be a JSON object.";
            Err(ApiError::bad_request("invalid_data_param", message).titled("Invalid data"))
        }
        None => {
            let message = "The data in the request body should be nested under the 'data' key.";
            Err(ApiError::bad_request("missing_data_param", message).titled("Missing data"))
        }
    }
}

/// The members of one object; what is wrong with them is gathered.
#[derive(Clone)]
pub(super) struct Fields<'a> {
    members: &'a Map<String, Value>,
    pointer: String,
    problems: &'a RefCell<Vec<Problem>>,
}

impl<'a> Fields<'a> {
    /// A note that a member is wrong, which says what it must be.
    pub(super) fn wrong(&self, name: &str, code: &str, must: impl AsRef<str>) {
        let field = name.rsplit('/').next().unwrap_or(name);
        self.wrong_message(name, code, format!("Field '{field}' {}", must.as_ref()));
    }

    pub(super) fn wrong_message(&self, name: &str, code: &str, message: impl AsRef<str>) {
        let pointer = format!("{}/{name}", self.pointer);
        self.problems.borrow_mut().push(Problem::invalid(code, &pointer, message));
    }

    /// The value, or a note that the member is wrong: `must be …`.
    fn or_wrong<T>(&self, name: &str, code: &str, value: Option<T>, must: &str) -> Option<T> {
        if value.is_none() {
            self.wrong_message(name, code, format!("Field '{name}' {must}"));
        }
        value
    }

    fn given(&self, name: &str) -> Option<&'a Value> {
        self.members.get(name).filter(|value| !value.is_null())
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.given(name).is_some()
    }

    fn needed(&self, name: &str) -> Option<&'a Value> {
        let given = self
            .given(name)
            .filter(|value| value.as_str() != Some("") && value.as_array() != Some(&Vec::new()));
        self.or_wrong(name, REQUIRED, given, "can't be blank")
    }

    fn typed<T>(&self, name: &str, kind: &str, typed: Option<T>) -> Option<T> {
        self.or_wrong(name, TYPE, typed, &format!("should be {kind}"))
    }

    pub(super) fn text(&self, name: &str) -> Option<&'a str> {
        self.needed(name).and_then(|value| self.typed(name, "a string", value.as_str()))
    }

    pub(super) fn optional_text(&self, name: &str) -> Option<&'a str> {
        self.given(name).and_then(|value| self.typed(name, "a string", value.as_str()))
    }

    /// A text that must be one of a few, each the name of a value.
    pub(super) fn choice<T: Copy>(&self, name: &str, allowed: &[(&'static str, T)]) -> Option<T> {
        let names: Vec<&'static str> = allowed.iter().map(|(text, _)| *text).collect();
        let text = self.one_of(name, &names)?;
        let found = allowed.iter().find(|(each, _)| *each == text);
        found.map(|(_, value)| *value)
    }

    /// A text that must be one of a few.
    pub(super) fn one_of(&self, name: &str, allowed: &[&'static str]) -> Option<&'static str> {
        let text = self.text(name)?;
        let found = allowed.iter().find(|each| **each == text).copied();
        let must = format!("must be one of: {}", allowed.join(", "));
        self.or_wrong(name, INCLUSION, found, &must)
    }

    pub(super) fn date(&self, name: &str) -> Option<NaiveDate> {
        let date = self.text(name)?.parse().ok();
        self.or_wrong(name, FORMAT, date, "must be an ISO 8601 date")
    }

    /// An amount that must be there, as a decimal string.
    pub(super) fn amount(&self, name: &str) -> Option<Decimal> {
        let amount = self.text(name)?.parse().ok();
        self.or_wrong(name, FORMAT, amount, "must be a decimal amount")
    }

    /// A whole number that may be there, within bounds.
    pub(super) fn optional_number(&self, name: &str, low: u64, high: u64) -> Option<u64> {
        let number = self.typed(name, "an integer", self.given(name)?.as_u64())?;
        let number = Some(number).filter(|number| (low..=high).contains(number));
        self.or_wrong(name, INCLUSION, number, &format!("must be from {low} to {high}"))
    }

    /// The objects of a list that must be there.
    pub(super) fn list(&self, name: &str) -> Vec<Fields<'a>> {
        self.needed(name).map(|value| self.objects(name, value)).unwrap_or_default()
    }

    /// The objects of a list that may be there.
    pub(super) fn optional_list(&self, name: &str) -> Vec<Fields<'a>> {
        self.given(name).map(|value| self.objects(name, value)).unwrap_or_default()
    }

    fn objects(&self, name: &str, value: &'a Value) -> Vec<Fields<'a>> {
        let list = self.typed(name, "a list", value.as_array());
        let members = list.into_iter().flatten().enumerate().filter_map(|(at, value)| {
            let members = self.typed(&format!("{name}/{at}"), "an object", value.as_object())?;
            let pointer = format!("{}/{name}/{at}", self.pointer);
            Some(Fields { members, pointer, problems: self.problems })
        });
        members.collect()
    }

    /// The texts of a list that must be there.
    pub(super) fn texts(&self, name: &str) -> Vec<&'a str> {
        let list = self.needed(name).and_then(|value| self.typed(name, "a list", value.as_array()));
        list.into_iter()
            .flatten()
            .filter_map(|value| self.typed(name, "a list of strings", value.as_str()))
            .collect()
    }

    pub(super) fn optional_object(&self, name: &str) -> Option<Fields<'a>> {
        let members = self.typed(name, "an object", self.given(name)?.as_object())?;
        Some(Fields { members, pointer: format!("{}/{name}", self.pointer), problems: self.problems })
    }

    pub(super) fn members(&self) -> impl Iterator<Item = (&'a String, &'a Value)> {
        self.members.iter()
    }
}
