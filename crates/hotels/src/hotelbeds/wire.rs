//! Hotelbeds' words: of their answers the fields we use, and our requests as they read them.
//!
//! What we can't do without has a type of its own, so that serde names its path when it is missing or unreadable. What
//! hotels are is told in [`super::content_wire`]. Unknown fields are ignored.

use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::Decimal;
use serde::de::Deserializer;
use serde::{Deserialize, Serialize};
use serde_json::{Value, value::RawValue};
use wayfare_domain::Amount;
pub(super) use wayfare_supply::reading::Iso;
use wayfare_supply::{
    amounts::{MaybeNumber, Number},
    reading::Through,
    times::instant_with_offset,
};

/// A time with its offset, and as it was written.
#[derive(Clone, Debug)]
pub(super) struct Moment {
    pub instant: DateTime<Utc>,
    pub text: String,
}

/// Degrees, in text or as a number; none where it is neither.
#[derive(Clone, Copy, Debug)]
pub(super) struct Degrees(pub Option<Decimal>);

/// The text of a string without escapes, or of a number.
fn unquoted(raw: &RawValue) -> &str {
    let text = raw.get();
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    inner.unwrap_or(text)
}

fn moment(text: &str) -> Option<Moment> {
    Some(Moment { instant: instant_with_offset(text)?, text: text.to_owned() })
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Through("a time with its offset", moment))
    }
}

impl<'de> Deserialize<'de> for Degrees {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Ok(Self(unquoted(&raw).parse().ok()))
    }
}

/// The answer to a search, its hotels `H` each. One that found nothing has no list.
#[derive(Debug, Deserialize)]
pub(super) struct Search<H> {
    pub hotels: HotelResults<H>,
}

#[derive(Debug, Deserialize)]
pub(super) struct HotelResults<H> {
    pub hotels: Option<Vec<H>>,
}

/// A hotel and its rates, `R` each.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Hotel<R> {
    pub code: u32,
    pub name: Option<String>,
    pub category_code: Option<String>,
    pub latitude: Option<Degrees>,
    pub longitude: Option<Degrees>,
    pub currency: Iso,
    pub rooms: Vec<Room<R>>,
}

/// Of a hotel that can't be read, who it is.
#[derive(Debug, Deserialize)]
pub(super) struct Named {
    pub code: u32,
}

/// A room and its rates, `R` each.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Room<R> {
    pub code: String,
    pub name: Option<String>,
    /// The number by which the hotel's own supplier knows it.
    pub supplier_reference: Option<String>,
    pub rates: Vec<R>,
}

/// One line of an offer, or of what was booked, which has no key any more.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Rate {
    pub rate_key: Option<String>,
    pub rate_class: Option<String>,
    /// For all its rooms and nights.
    pub net: Number,
    pub selling_rate: Option<Number>,
    pub hotel_mandatory: Option<bool>,
    /// Only sold together with a flight or the like.
    pub packaging: Option<bool>,
    pub allotment: Option<u32>,
    pub rate_comments: Option<String>,
    pub payment_type: Option<String>,
    pub board_code: Option<String>,
    pub board_name: Option<String>,
    pub cancellation_policies: Option<Vec<Policy>>,
    pub taxes: Option<Taxes>,
    pub promotions: Option<Vec<Promotion>>,
    pub offers: Option<Vec<Discount>>,
    pub rate_break_down: Option<BreakDown>,
    pub rooms: u16,
    /// In each room.
    pub adults: u16,
    /// In each room.
    pub children: u16,
    /// `5,7`
    pub children_ages: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Policy {
    pub amount: Number,
    pub from: Moment,
}

#[derive(Debug, Deserialize)]
pub(super) struct Taxes {
    pub taxes: Option<Vec<Tax>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Tax {
    pub included: Option<bool>,
    /// In the hotel's currency where it isn't included.
    pub amount: Option<Number>,
    pub currency: Option<String>,
    pub client_amount: Option<Number>,
    pub client_currency: Option<String>,
    #[serde(rename = "type")]
    pub kind: Option<String>,
    pub sub_type: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Promotion {
    pub code: Option<String>,
    pub name: Option<String>,
    pub remark: Option<String>,
}

/// Below zero; the price has it taken off already.
#[derive(Debug, Deserialize)]
pub(super) struct Discount {
    pub amount: Option<Number>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BreakDown {
    pub rate_discounts: Option<Vec<Discount>>,
}

/// The answer to a check of rates.
#[derive(Debug, Deserialize)]
pub(super) struct Check {
    pub hotel: CheckedHotel,
}

/// Empty when nothing is left of what was checked.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CheckedHotel {
    pub code: Option<u32>,
    pub currency: Option<Iso>,
    pub rooms: Option<Vec<Room<Rate>>>,
    /// A card's data have to be sent with the booking.
    pub payment_data_required: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Booking {
    pub reference: String,
    pub client_reference: Option<String>,
    /// Only of one that was cancelled.
    pub cancellation_reference: Option<String>,
    pub status: String,
    /// What is charged now: of one that was cancelled no more than that costs.
    pub total_net: Option<Number>,
    pub currency: Option<Iso>,
    pub hotel: BookedHotel,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BookedHotel {
    pub rooms: Option<Vec<Room<Rate>>>,
    pub total_net: Option<Number>,
    pub currency: Option<Iso>,
    pub supplier: Option<Supplier>,
    pub cancellation_amount: Option<MaybeNumber>,
}

/// Who is answerable for the stay.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Supplier {
    pub name: Option<String>,
    pub vat_number: Option<String>,
}

/// A page of bookings.
#[derive(Debug, Deserialize)]
pub(super) struct Listing {
    pub bookings: Page,
}

#[derive(Debug, Deserialize)]
pub(super) struct Page {
    pub bookings: Option<Vec<Listed>>,
    pub total: Option<u32>,
}

/// A page of bookings whose hotels have told their own numbers.
#[derive(Debug, Deserialize)]
pub(super) struct Reconfirmations {
    pub bookings: ReconfirmationPage,
}

#[derive(Debug, Deserialize)]
pub(super) struct ReconfirmationPage {
    pub bookings: Option<Vec<Value>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Listed {
    pub reference: String,
    pub client_reference: Option<String>,
    pub creation_date: Option<String>,
    pub status: Option<String>,
}

/// What every refusal has: in Hotelbeds' own words, or a text of the gateway before it.
#[derive(Debug, Deserialize)]
pub(super) struct Failure {
    pub error: Complaint,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Complaint {
    Theirs { code: String, message: Option<String> },
    Gateway(String),
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewSearch<'a> {
    pub stay: NewStay,
    pub occupancies: Vec<NewOccupancy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hotels: Option<NewHotels>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub geolocation: Option<NewGeolocation>,
    pub source_market: &'a str,
    pub language: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewStay {
    pub check_in: NaiveDate,
    pub check_out: NaiveDate,
}

#[derive(Debug, Serialize)]
pub(super) struct NewOccupancy {
    pub rooms: u16,
    pub adults: u8,
    pub children: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub paxes: Vec<NewPax<'static>>,
}

#[derive(Debug, Serialize)]
pub(super) struct NewHotels {
    pub hotel: Vec<u32>,
}

#[derive(Debug, Serialize)]
pub(super) struct NewGeolocation {
    pub latitude: Amount,
    pub longitude: Amount,
    pub radius: Amount,
    pub unit: &'static str,
}

/// A check of rates.
#[derive(Debug, Serialize)]
pub(super) struct NewCheck<'a> {
    pub rooms: [NewKey<'a>; 1],
    pub upselling: bool,
    pub language: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewKey<'a> {
    pub rate_key: &'a str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewBooking<'a> {
    pub holder: NewHolder<'a>,
    pub client_reference: &'a str,
    /// For the hotel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remark: Option<&'a str>,
    pub rooms: Vec<NewRoom<'a>>,
}

#[derive(Debug, Serialize)]
pub(super) struct NewHolder<'a> {
    pub name: &'a str,
    pub surname: &'a str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewRoom<'a> {
    pub rate_key: &'a str,
    pub paxes: Vec<NewPax<'a>>,
}

/// A guest: without a name where one is searched for.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewPax<'a> {
    /// Counted from 1 among the rooms of one key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room_id: Option<u16>,
    #[serde(rename = "type")]
    pub kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub age: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub surname: Option<&'a str>,
}
