//! Duffel's words, v2: of their answers the fields we use, and our requests as they read them.
//!
//! A field that we can't do without has its own type here, so that serde names its path when it is missing or
//! unreadable. What we can do without is optional text, read leniently in [`super::map`]: a strange terminal
//! must not cost an offer. Unknown fields are ignored.

use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::Decimal;
use serde::de::Deserializer;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use wayfare_domain::{Currency, parse_currency};

pub(super) use crate::reading::Text;
use crate::reading::{LocalTime, Through};

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

impl<'de> Deserialize<'de> for Exact {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer
            .deserialize_str(Through("a decimal amount in text", exact))
            .map(Self)
    }
}

impl<'de> Deserialize<'de> for Iso {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer
            .deserialize_str(Through("an ISO 4217 currency code", parse_currency))
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

/// An offer whose text is `T`: [`Text`] wherever it is only looked at.
#[derive(Debug, Deserialize)]
pub(super) struct Offer<T> {
    pub id: T,
    pub created_at: Option<T>,
    pub expires_at: Option<DateTime<Utc>>,
    pub total_amount: Exact,
    pub total_currency: Iso,
    pub base_amount: Exact,
    pub base_currency: T,
    pub tax_amount: Option<T>,
    pub tax_currency: Option<T>,
    pub owner: Option<Carrier<T>>,
    pub slices: Vec<Slice<T>>,
    pub passengers: Option<Vec<OfferPassenger<T>>>,
    pub payment_requirements: Option<PaymentRequirements>,
    pub conditions: Option<Conditions<T>>,
    pub private_fares: Option<Vec<PrivateFare<T>>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Carrier<T> {
    pub name: Option<T>,
    pub iata_code: Option<T>,
    pub logo_symbol_url: Option<T>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Slice<T> {
    pub duration: Option<T>,
    pub fare_brand_name: Option<T>,
    pub segments: Vec<Segment<T>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Segment<T> {
    pub origin: Place<T>,
    pub destination: Place<T>,
    pub origin_terminal: Option<T>,
    pub destination_terminal: Option<T>,
    pub departing_at: LocalTime,
    pub arriving_at: LocalTime,
    pub duration: Option<T>,
    pub marketing_carrier: Carrier<T>,
    pub marketing_carrier_flight_number: T,
    pub operating_carrier: Option<Carrier<T>>,
    pub aircraft: Option<Aircraft<T>>,
    pub stops: Option<Vec<Stop<T>>>,
    pub passengers: Option<Vec<SegmentPassenger<T>>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Place<T> {
    pub iata_code: T,
    pub time_zone: Option<T>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Aircraft<T> {
    pub name: Option<T>,
    pub iata_code: Option<T>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Stop<T> {
    pub airport: Place<T>,
}

#[derive(Debug, Deserialize)]
pub(super) struct SegmentPassenger<T> {
    pub cabin_class: Option<T>,
    pub fare_basis_code: Option<T>,
    pub baggages: Option<Vec<Bags<T>>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Bags<T> {
    #[serde(rename = "type")]
    pub kind: Option<T>,
    pub quantity: Option<u32>,
}

#[derive(Debug, Deserialize)]
pub(super) struct OfferPassenger<T> {
    pub id: T,
    #[serde(rename = "type")]
    pub kind: Option<T>,
    pub age: Option<u32>,
}

#[derive(Debug, Deserialize)]
pub(super) struct PaymentRequirements {
    pub requires_instant_payment: Option<bool>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Conditions<T> {
    pub refund_before_departure: Option<Condition<T>>,
    pub change_before_departure: Option<Condition<T>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Condition<T> {
    pub allowed: Option<bool>,
    pub penalty_amount: Option<T>,
    pub penalty_currency: Option<T>,
}

#[derive(Debug, Deserialize)]
pub(super) struct PrivateFare<T> {
    #[serde(rename = "type")]
    pub kind: Option<T>,
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
