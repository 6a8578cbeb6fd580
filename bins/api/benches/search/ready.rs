//! The answer of a search as finished types, for the floor: written by nothing but their derived serializers.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use wayfare_domain::{Amount, Currency, SearchId};
use wayfare_flights::{Cabin, OfferKind, RequiredOf, RequirementKind};

#[derive(Serialize, Deserialize)]
pub struct Answer {
    success: bool,
    message: String,
    data: Data,
}

#[derive(Serialize, Deserialize)]
struct Data {
    search_id: SearchId,
    search_meta: Meta,
    dictionaries: Dictionaries,
    segments: Vec<Segment>,
    legs: Vec<Leg>,
    offers: Vec<Offer>,
    debug: Debug,
}

#[derive(Serialize, Deserialize)]
struct Meta {
    currency: Currency,
    created_at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
    total_results: usize,
    duration_ms: u64,
    provider_status: BTreeMap<String, ProviderStatus>,
    places: Vec<Place>,
}

#[derive(Serialize, Deserialize)]
struct Place {
    code: String,
    kind: String,
    airports: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct ProviderStatus {
    status: String,
    duration_ms: u64,
    results: usize,
}

#[derive(Serialize, Deserialize)]
struct Debug {
    provider_errors: BTreeMap<String, String>,
    problems: Vec<Problem>,
}

#[derive(Serialize, Deserialize)]
struct Problem {
    provider: String,
    text: String,
}

#[derive(Serialize, Deserialize)]
struct Dictionaries {
    airlines: BTreeMap<String, Airline>,
    airports: BTreeMap<String, Airport>,
    baggage: BTreeMap<String, Baggage>,
    refund_policies: BTreeMap<String, RefundPolicy>,
}

#[derive(Serialize, Deserialize)]
struct Airline {
    name: Option<String>,
    logo_url: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct Airport {
    name: Option<String>,
    city: Option<String>,
    country: Option<String>,
    iso_country: Option<String>,
    timezone: Option<String>,
    utc_offset: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct Baggage {
    check_in: Option<String>,
    cabin: Option<String>,
    fare_family: Option<String>,
    desc: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct RefundPolicy {
    is_refundable: Option<bool>,
    cancel_fee: Option<Amount>,
    change_fee: Option<Amount>,
    no_show_fee: Option<Amount>,
}

#[derive(Serialize, Deserialize)]
struct Segment {
    segment_id: String,
    airline: String,
    flight_number: String,
    origin: String,
    destination: String,
    departure: String,
    arrival: String,
    duration_minutes: Option<u32>,
    aircraft_type: Option<String>,
    cabin: Option<Cabin>,
    operating_carrier: Option<String>,
    seats_available: Option<u32>,
}

#[derive(Serialize, Deserialize)]
struct Leg {
    leg_id: String,
    route_index: u8,
    origin: String,
    destination: String,
    departure: Option<String>,
    arrival: Option<String>,
    duration_minutes: Option<u32>,
    stops: usize,
    stops_detail: Vec<String>,
    segments: Vec<String>,
    operating_carrier: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct Offer {
    offer_id: String,
    #[serde(rename = "type")]
    kind: OfferKind,
    route_index: u8,
    combination_group_id: Option<String>,
    combinable_with: Vec<String>,
    legs: Vec<String>,
    supplier: String,
    price: Price,
    fare_details: FareDetails,
    requires: Vec<Requirement>,
    supplier_ref: SupplierRef,
    hold: HoldTerms,
}

#[derive(Serialize, Deserialize)]
struct Requirement {
    what: RequirementKind,
    whom: RequiredOf,
    fields: Vec<String>,
    mandatory: Option<bool>,
    due: String,
    due_at: Option<DateTime<Utc>>,
    valid_until: Option<NaiveDate>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    airlines: Vec<String>,
    text: String,
}

#[derive(Serialize, Deserialize)]
struct HoldTerms {
    can_hold: Option<bool>,
    pay_by: Option<DateTime<Utc>>,
    price_guaranteed_until: Option<DateTime<Utc>>,
}

#[derive(Serialize, Deserialize)]
struct Price {
    total: Amount,
    public_fare: Amount,
    agent_price: AgentPrice,
    currency: Currency,
    breakdown: Vec<Share>,
}

#[derive(Serialize, Deserialize)]
struct AgentPrice {
    service_fee: Amount,
    gst_on_service_fee: Amount,
    platform_charge: Amount,
    agent_fare: Amount,
    agent_commission: Amount,
}

#[derive(Serialize, Deserialize)]
struct Share {
    passenger_type: String,
    count: u32,
    unit_base: Amount,
    unit_tax: Amount,
    subtotal: Amount,
}

#[derive(Serialize, Deserialize)]
struct FareDetails {
    fare_class: Option<String>,
    fare_family: Option<String>,
    fare_name: Option<String>,
    seats_left: Option<u32>,
    baggage_ref: String,
    refund_ref: String,
}

#[derive(Serialize, Deserialize)]
struct SupplierRef {
    offer_token: String,
    integrity_hash: String,
    expires_at: DateTime<Utc>,
}
