//! Duffel's words, v2: of their answers the fields we use, and our requests as they read them.
//!
//! A field that we can't do without has its own type here, so that serde names its path when it is missing or
//! unreadable. What we can do without is optional: what of it can't be read is left out ([`super::parts`]), so that a strange
//! terminal does not cost an offer. Unknown fields are ignored.

use chrono::{DateTime, NaiveDate, Utc};
use serde::de::Deserializer;
use serde::{Deserialize, Serialize};
use serde_json::{Value, value::RawValue};

use crate::local_time::LocalTime;
use wayfare_supply::times::optional_instant;
pub(super) use wayfare_supply::{
    amounts::{MaybeNumber, Number},
    reading::{Iso, Text},
};

/// Every body, theirs and ours, is wrapped so.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Envelope<T> {
    pub data: T,
}

/// The answer to an offer request, with a list of offers.
#[derive(Debug, Deserialize)]
pub(super) struct OfferRequest<List> {
    pub offers: List,
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
    #[serde(default, deserialize_with = "optional_instant")]
    pub expires_at: Option<DateTime<Utc>>,
    pub total_amount: Number,
    pub total_currency: Iso,
    pub base_amount: Number,
    pub base_currency: T,
    pub tax_amount: Option<MaybeNumber>,
    pub tax_currency: Option<T>,
    pub owner: Option<Carrier<T>>,
    pub slices: Vec<Slice<T>>,
    pub passengers: Option<Vec<OfferPassenger<T>>>,
    pub payment_requirements: Option<PaymentRequirements<T>>,
    pub conditions: Option<Conditions<T>>,
    pub private_fares: Option<Vec<PrivateFare<T>>>,
    pub passenger_identity_documents_required: Option<bool>,
    pub supported_passenger_identity_document_types: Option<Vec<T>>,
    /// What older answers call the same.
    pub allowed_passenger_identity_document_types: Option<Vec<T>>,
    /// IATA codes of airlines.
    pub supported_loyalty_programmes: Option<Vec<T>>,
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
    pub conditions: Option<SliceConditions<T>>,
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
    pub name: Option<T>,
    pub city_name: Option<T>,
    pub iata_country_code: Option<T>,
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
pub(super) struct PaymentRequirements<T> {
    pub requires_instant_payment: Option<bool>,
    pub payment_required_by: Option<T>,
    pub price_guarantee_expires_at: Option<T>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Conditions<T> {
    pub refund_before_departure: Option<Condition<T>>,
    pub change_before_departure: Option<Condition<T>>,
}

/// What is told beside the conditions proper is a value each: a strange one must not cost an offer.
#[derive(Debug, Deserialize)]
pub(super) struct SliceConditions<T> {
    pub refund_before_departure: Option<Condition<T>>,
    pub change_before_departure: Option<Condition<T>>,
    pub advance_seat_selection: Option<Value>,
    pub priority_boarding: Option<Value>,
    pub priority_check_in: Option<Value>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Condition<T> {
    pub allowed: Option<bool>,
    pub penalty_amount: Option<MaybeNumber>,
    pub penalty_currency: Option<T>,
}

#[derive(Debug, Deserialize)]
pub(super) struct PrivateFare<T> {
    #[serde(rename = "type")]
    pub kind: Option<T>,
    pub corporate_code: Option<T>,
    pub tracking_reference: Option<T>,
}

/// Of an offer that was read alone, what is sold beside the fare; `S` is a service, still as it came.
#[derive(Debug, Deserialize)]
pub(super) struct Shop<T, S> {
    pub slices: Vec<ShopSlice<T>>,
    pub available_services: Option<Vec<S>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct ShopSlice<T> {
    pub segments: Vec<ShopSegment<T>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct ShopSegment<T> {
    pub id: Option<T>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Service<T> {
    pub id: T,
    #[serde(rename = "type")]
    pub kind: T,
    /// Of one.
    pub total_amount: Number,
    pub total_currency: Iso,
    /// One purchase is for all of them.
    pub passenger_ids: Vec<T>,
    pub segment_ids: Vec<T>,
    pub maximum_quantity: Option<u32>,
    pub metadata: Option<ServiceMetadata<T>>,
}

/// What is told of a bag and of a seat; other kinds have none of these.
#[derive(Debug, Deserialize)]
pub(super) struct ServiceMetadata<T> {
    pub designator: Option<T>,
    #[serde(rename = "type")]
    pub kind: Option<T>,
    pub maximum_weight_kg: Option<serde_json::Number>,
    pub maximum_length_cm: Option<serde_json::Number>,
    pub maximum_height_cm: Option<serde_json::Number>,
    pub maximum_depth_cm: Option<serde_json::Number>,
}

/// A service that is on an order.
#[derive(Debug, Deserialize)]
pub(super) struct BoughtService<T> {
    pub id: T,
    #[serde(rename = "type")]
    pub kind: T,
    pub quantity: u32,
    pub passenger_ids: Vec<T>,
    pub segment_ids: Vec<T>,
    pub metadata: Option<ServiceMetadata<T>>,
}

/// The cabins of one flight.
#[derive(Debug, Deserialize)]
pub(super) struct SeatMap<T> {
    pub segment_id: T,
    pub cabins: Vec<SeatCabin<T>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct SeatCabin<T> {
    pub rows: Vec<SeatRow<T>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct SeatRow<T> {
    pub sections: Vec<SeatSection<T>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct SeatSection<T> {
    pub elements: Vec<SeatElement<T>>,
}

/// A seat, or what else there is in a cabin, which has no designator and sells nothing.
#[derive(Debug, Deserialize)]
pub(super) struct SeatElement<T> {
    pub designator: Option<T>,
    pub name: Option<T>,
    pub disclosures: Option<Vec<T>>,
    pub available_services: Option<Vec<SeatService<T>>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct SeatService<T> {
    pub id: T,
    pub passenger_id: T,
    pub total_amount: Number,
    pub total_currency: Iso,
}

#[derive(Debug, Deserialize)]
pub(super) struct Order {
    pub id: String,
    #[serde(default, deserialize_with = "optional_instant")]
    pub created_at: Option<DateTime<Utc>>,
    #[serde(default, deserialize_with = "optional_instant")]
    pub cancelled_at: Option<DateTime<Utc>>,
    #[serde(default, deserialize_with = "optional_instant")]
    pub void_window_ends_at: Option<DateTime<Utc>>,
    pub booking_reference: Option<String>,
    pub booking_references: Option<Vec<CarrierReference>>,
    pub total_amount: Option<Number>,
    pub total_currency: Option<Iso>,
    pub payment_status: PaymentStatus,
    pub documents: Option<Vec<Document>>,
}

/// The flights of an order, and what their airlines have changed of them: each is read by itself, since one that can't be read
/// must not cost the order.
#[derive(Debug, Deserialize)]
pub(super) struct ShownFlights {
    pub id: String,
    pub slices: Option<Box<RawValue>>,
    pub airline_initiated_changes: Option<Box<RawValue>>,
}

/// What an order costs.
#[derive(Debug, Deserialize)]
pub(super) struct Total {
    pub total_amount: Number,
    pub total_currency: Iso,
}

/// Another carrier's own name of the order.
#[derive(Debug, Deserialize)]
pub(super) struct CarrierReference {
    pub booking_reference: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct PaymentStatus {
    pub awaiting_payment: bool,
    #[serde(default, deserialize_with = "optional_instant")]
    pub payment_required_by: Option<DateTime<Utc>>,
    #[serde(default, deserialize_with = "optional_instant")]
    pub price_guarantee_expires_at: Option<DateTime<Utc>>,
    #[serde(default, deserialize_with = "optional_instant")]
    pub paid_at: Option<DateTime<Utc>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Document {
    #[serde(rename = "type")]
    pub kind: Option<String>,
    pub unique_identifier: String,
    pub passenger_ids: Option<Vec<String>>,
}

/// A change of an order's flights that its airline has made by itself.
#[derive(Debug, Deserialize)]
pub(super) struct AirlineChange<T> {
    pub id: String,
    #[serde(default, deserialize_with = "optional_instant")]
    pub created_at: Option<DateTime<Utc>>,
    pub removed: Vec<Slice<T>>,
    pub added: Vec<Slice<T>>,
    pub available_actions: Option<Vec<String>>,
    pub action_taken: Option<String>,
}

/// What was done about such a change.
#[derive(Debug, Deserialize)]
pub(super) struct TakenAction {
    pub action_taken: Option<String>,
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
    #[serde(default, deserialize_with = "optional_instant")]
    pub expires_at: Option<DateTime<Utc>>,
    #[serde(default, deserialize_with = "optional_instant")]
    pub confirmed_at: Option<DateTime<Utc>>,
    pub refund_to: Option<String>,
}

/// What every refusal has.
#[derive(Debug, Deserialize)]
pub(super) struct Errors {
    pub errors: Vec<Error>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Error {
    #[serde(rename = "type")]
    pub kind: Option<String>,
    #[serde(default, deserialize_with = "word_or_number")]
    pub code: Option<String>,
    pub title: Option<String>,
    pub message: Option<String>,
    /// Where in the request it is, or the airline that it comes from.
    pub source: Option<Value>,
}

/// The code of "unsupported operation" is the number 400, that of everything else a word.
fn word_or_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(match Option::<Value>::deserialize(deserializer)? {
        Some(Value::String(word)) => Some(word),
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => None,
    })
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
#[derive(Serialize)]
pub(super) struct NewOrder<'a> {
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub selected_offers: [&'a str; 1],
    pub passengers: Vec<NewTraveller<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub services: Vec<NewService<'a>>,
    /// Left out of a hold, which Duffel refuses with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payments: Option<[NewPayment; 1]>,
    pub metadata: NewMetadata<'a>,
}

#[derive(Serialize)]
pub(super) struct NewTraveller<'a> {
    pub id: &'a str,
    pub title: &'static str,
    pub given_name: String,
    pub family_name: String,
    pub gender: &'static str,
    pub born_on: NaiveDate,
    pub email: &'a str,
    pub phone_number: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub infant_passenger_id: Option<&'a str>,
    /// Left out where there are none: an offer that takes none refuses an empty list too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub identity_documents: Vec<NewIdentityDocument<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub loyalty_programme_accounts: Vec<NewLoyaltyAccount<'a>>,
}

wayfare_domain::word_enum! {
    /// A type of identity documents.
    pub enum DocumentKind { Passport, TaxId, KnownTravelerNumber, PassengerRedressNumber }
}

/// A paper of a passenger. Only a passport has a day on which it ends.
#[derive(Serialize)]
pub(super) struct NewIdentityDocument<'a> {
    #[serde(rename = "type")]
    pub kind: DocumentKind,
    pub unique_identifier: &'a str,
    pub issuing_country_code: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_on: Option<NaiveDate>,
}

#[derive(Serialize)]
pub(super) struct NewLoyaltyAccount<'a> {
    pub airline_iata_code: &'a str,
    pub account_number: &'a str,
}

/// A service to be bought.
#[derive(Debug, Serialize)]
pub(super) struct NewService<'a> {
    pub id: &'a str,
    pub quantity: u32,
}

/// Services to be added to an order.
#[derive(Debug, Serialize)]
pub(super) struct NewServices<'a> {
    pub add_services: Vec<NewService<'a>>,
    /// Left out of a hold, whose services are paid for with it: Duffel refuses one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payment: Option<NewPayment>,
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
