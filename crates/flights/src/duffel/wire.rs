//! Duffel's words, v2: of their answers the fields we use, and our requests as they read them.
//!
//! A field that we can't do without has its own type here, so that serde names its path when it is missing or
//! unreadable. What we can do without is optional text, read leniently in [`super::map`]: a strange terminal
//! must not cost an offer. Unknown fields are ignored.

use std::fmt;

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, Utc};
use rust_decimal::Decimal;
use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use wayfare_domain::{Currency, parse_currency};

/// Every body, theirs and ours, is wrapped so.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Envelope<T> {
    pub data: T,
}

/// An amount: a decimal in text, exact to its last digit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exact(pub Decimal);

/// A currency that is money.
#[derive(Clone, Copy, Debug)]
pub(super) struct Iso(pub Currency);

/// A local time without zone.
#[derive(Clone, Copy, Debug)]
pub(super) struct LocalTime(pub NaiveDateTime);

/// Reads `12.50` and nothing that a decimal parser would forgive, such as `1_000` or an exponent.
pub(super) fn exact(text: &str) -> Option<Decimal> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.bytes().all(|c| c.is_ascii_digit() || c == b'.');
    if plain {
        Decimal::from_str_exact(text).ok()
    } else {
        None
    }
}

/// Years outside these are no flight, and the arithmetic of zones need not bear them.
fn local_time(text: &str) -> Option<NaiveDateTime> {
    let time: NaiveDateTime = text.parse().ok()?;
    (1970..=2200).contains(&time.year()).then_some(time)
}

/// Deserializes text through a function, so that a failure has the field's path.
struct Text<T>(&'static str, fn(&str) -> Option<T>);

impl<T> Visitor<'_> for Text<T> {
    type Value = T;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        (self.1)(text).ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
    }
}

impl<'de> Deserialize<'de> for Exact {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer
            .deserialize_str(Text("a decimal amount in text", exact))
            .map(Self)
    }
}

impl<'de> Deserialize<'de> for Iso {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer
            .deserialize_str(Text("an ISO 4217 currency code", parse_currency))
            .map(Self)
    }
}

impl<'de> Deserialize<'de> for LocalTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer
            .deserialize_str(Text("a local time without zone", local_time))
            .map(Self)
    }
}

/// The answer to an offer request.
#[derive(Debug, Deserialize)]
pub(super) struct OfferRequest<T> {
    pub offers: Vec<T>,
}

/// Of an offer that can't be read, who it is.
#[derive(Debug, Deserialize)]
pub(super) struct Named {
    pub id: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Offer {
    pub id: String,
    pub created_at: Option<String>,
    pub expires_at: Option<DateTime<Utc>>,
    pub total_amount: Exact,
    pub total_currency: Iso,
    pub base_amount: Exact,
    pub base_currency: String,
    pub tax_amount: Option<String>,
    pub tax_currency: Option<String>,
    pub owner: Option<Carrier>,
    pub slices: Vec<Slice>,
    pub passengers: Option<Vec<OfferPassenger>>,
    pub payment_requirements: Option<PaymentRequirements>,
    pub conditions: Option<Conditions>,
    pub private_fares: Option<Vec<PrivateFare>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Carrier {
    pub name: Option<String>,
    pub iata_code: Option<String>,
    pub logo_symbol_url: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Slice {
    pub duration: Option<String>,
    pub fare_brand_name: Option<String>,
    pub segments: Vec<Segment>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Segment {
    pub origin: Place,
    pub destination: Place,
    pub origin_terminal: Option<String>,
    pub destination_terminal: Option<String>,
    pub departing_at: LocalTime,
    pub arriving_at: LocalTime,
    pub duration: Option<String>,
    pub marketing_carrier: Carrier,
    pub marketing_carrier_flight_number: String,
    pub operating_carrier: Option<Carrier>,
    pub aircraft: Option<Aircraft>,
    pub stops: Option<Vec<Stop>>,
    pub passengers: Option<Vec<SegmentPassenger>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Place {
    pub iata_code: String,
    pub time_zone: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Aircraft {
    pub name: Option<String>,
    pub iata_code: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Stop {
    pub airport: Place,
}

#[derive(Debug, Deserialize)]
pub(super) struct SegmentPassenger {
    pub cabin_class: Option<String>,
    pub fare_basis_code: Option<String>,
    pub baggages: Option<Vec<Bags>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Bags {
    #[serde(rename = "type")]
    pub kind: Option<String>,
    pub quantity: Option<u32>,
}

#[derive(Debug, Deserialize)]
pub(super) struct OfferPassenger {
    pub id: String,
    #[serde(rename = "type")]
    pub kind: Option<String>,
    pub age: Option<u32>,
}

#[derive(Debug, Deserialize)]
pub(super) struct PaymentRequirements {
    pub requires_instant_payment: Option<bool>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Conditions {
    pub refund_before_departure: Option<Condition>,
    pub change_before_departure: Option<Condition>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Condition {
    pub allowed: Option<bool>,
    pub penalty_amount: Option<String>,
    pub penalty_currency: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct PrivateFare {
    #[serde(rename = "type")]
    pub kind: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Order {
    pub id: String,
    pub created_at: Option<DateTime<Utc>>,
    pub cancelled_at: Option<DateTime<Utc>>,
    pub void_window_ends_at: Option<DateTime<Utc>>,
    pub booking_reference: Option<String>,
    pub booking_references: Option<Vec<CarrierReference>>,
    pub total_amount: Exact,
    pub total_currency: Iso,
    pub payment_status: PaymentStatus,
    pub documents: Option<Vec<Document>>,
}

/// Another carrier's own name of the order.
#[derive(Debug, Deserialize)]
pub(super) struct CarrierReference {
    pub booking_reference: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct PaymentStatus {
    pub awaiting_payment: bool,
    pub payment_required_by: Option<DateTime<Utc>>,
    pub price_guarantee_expires_at: Option<DateTime<Utc>>,
    pub paid_at: Option<DateTime<Utc>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Document {
    #[serde(rename = "type")]
    pub kind: Option<String>,
    pub unique_identifier: String,
    pub passenger_ids: Option<Vec<String>>,
}

/// A page of orders. Each is a value, so that one that is strange doesn't hide the others.
#[derive(Debug, Deserialize)]
pub(super) struct Orders {
    pub data: Vec<Value>,
    pub meta: Option<ListMeta>,
}

#[derive(Debug, Deserialize)]
pub(super) struct ListMeta {
    pub after: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Cancellation {
    pub id: String,
    pub expires_at: Option<DateTime<Utc>>,
    pub confirmed_at: Option<DateTime<Utc>>,
    pub refund_amount: Option<Exact>,
    pub refund_currency: Option<Iso>,
    pub refund_to: Option<String>,
}

/// What every refusal has.
#[derive(Debug, Deserialize)]
pub(super) struct Errors {
    pub errors: Vec<Error>,
}

/// `source` is left out: an object for some errors, a word for others.
#[derive(Debug, Deserialize)]
pub(super) struct Error {
    #[serde(rename = "type")]
    pub kind: Option<String>,
    pub code: Option<String>,
    pub title: Option<String>,
    pub message: Option<String>,
}

/// A search.
#[derive(Debug, Serialize)]
pub(super) struct NewOfferRequest<'a> {
    pub slices: Vec<NewSlice<'a>>,
    pub passengers: Vec<NewPassenger>,
    pub cabin_class: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_connections: Option<u8>,
}

#[derive(Debug, Serialize)]
pub(super) struct NewSlice<'a> {
    pub origin: &'a str,
    pub destination: &'a str,
    pub departure_date: NaiveDate,
}

#[derive(Debug, Serialize)]
pub(super) struct NewPassenger {
    #[serde(rename = "type")]
    pub kind: &'static str,
}

/// A booking.
#[derive(Debug, Serialize)]
pub(super) struct NewOrder<'a> {
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub selected_offers: [&'a str; 1],
    pub passengers: Vec<NewTraveller<'a>>,
    /// Left out of a hold, which Duffel refuses with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payments: Option<[NewPayment; 1]>,
    pub metadata: NewMetadata<'a>,
}

#[derive(Debug, Serialize)]
pub(super) struct NewTraveller<'a> {
    pub id: &'a str,
    pub title: &'static str,
    pub given_name: &'a str,
    pub family_name: &'a str,
    pub gender: &'static str,
    pub born_on: NaiveDate,
    pub email: &'a str,
    pub phone_number: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub infant_passenger_id: Option<&'a str>,
}

#[derive(Debug, Serialize)]
pub(super) struct NewPayment {
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub amount: String,
    pub currency: &'static str,
}

/// Readable in lists of orders, though no filter: by it an order is found again.
#[derive(Debug, Serialize)]
pub(super) struct NewMetadata<'a> {
    pub reference: &'a str,
}

#[derive(Debug, Serialize)]
pub(super) struct NewCancellation<'a> {
    pub order_id: &'a str,
}
