//! Booking flights: what is ordered and how it is confirmed (docs/API.md, Book).

use chrono::NaiveDate;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};

use super::{FlightPrice, Gst, Papers};
use crate::{
    Amount,
    enums::{AncillaryType, BookingStatus, Gender, PassengerType, Title},
    users::exposed_if_any,
};

/// A booking to be made.
#[derive(Clone, Debug, Serialize)]
pub struct FlightOrder {
    /// What was priced; or else offers are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub booking_keys: Vec<String>,
    /// Offers, to price and book in one call.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub offer_ids: Vec<String>,
    /// How the travellers are reached.
    #[serde(flatten)]
    pub contact: Contact,
    /// Who travels.
    pub passengers: Vec<Passenger>,
    /// To whom the tax is invoiced; Wayfare's addition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gst: Option<Gst>,
    /// The fare that must still be true; 400 where it isn't.
    #[serde(rename = "agent_price", skip_serializing_if = "Option::is_none")]
    pub agreed_price: Option<AgreedPrice>,
    /// Where the organization asks for it.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "exposed_if_any")]
    pub issue_ticket_password: Option<SecretString>,
    /// Space is only held at the supplier, where it can; Wayfare's addition.
    pub hold: bool,
    /// What is held has its tickets issued in time by the service itself; only with `hold`. Wayfare's addition.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub auto_ticket: bool,
    /// Though the same people were just booked on the same flights; Wayfare's addition.
    pub allow_duplicate: bool,
}

impl FlightOrder {
    /// What was priced, for these people.
    pub fn of(priced: &FlightPrice, contact: Contact, passengers: Vec<Passenger>) -> Self {
        Self {
            booking_keys: priced.booking_keys.clone(),
            offer_ids: Vec::new(),
            contact,
            passengers,
            gst: None,
            agreed_price: None,
            issue_ticket_password: None,
            hold: false,
            auto_ticket: false,
            allow_duplicate: false,
        }
    }
}

/// How travellers are reached.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Contact {
    /// An e-mail address.
    #[serde(rename = "contact_email")]
    pub email: String,
    /// Digits, or E.164.
    #[serde(rename = "contact_phone")]
    pub phone: String,
    /// Before digits: `91`.
    #[serde(rename = "contact_country_code")]
    pub country_code: String,
}

/// Somebody who is to travel.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Passenger {
    /// Their number, from 1.
    pub pax_index: u32,
    /// Their age group on the last day of travel.
    #[serde(rename = "type")]
    pub kind: PassengerType,
    /// How they are addressed.
    pub title: Title,
    /// As in the passport.
    pub first_name: String,
    /// As in the passport; empty for who has one name.
    pub last_name: String,
    /// As in the passport; none where the title tells it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gender: Option<Gender>,
    /// When they were born; an adult's may be none where no requirement wants it.
    #[serde(rename = "dob", skip_serializing_if = "Option::is_none")]
    pub born_on: Option<NaiveDate>,
    /// Of an infant: the number of the adult who holds it; none = the next one without.
    #[serde(rename = "infant_ref", skip_serializing_if = "Option::is_none")]
    pub held_by: Option<u32>,
    /// Their papers and memberships.
    #[serde(flatten)]
    pub papers: Papers,
    /// What they have besides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ancillaries: Vec<ChosenAncillary>,
}

impl Passenger {
    /// A traveller of this number, from 1, born on that day, without anything besides.
    pub fn new(
        pax_index: u32,
        kind: PassengerType,
        (title, first_name, last_name): (Title, &str, &str),
        gender: Gender,
        born_on: NaiveDate,
    ) -> Self {
        Self {
            pax_index,
            kind,
            title,
            first_name: first_name.to_owned(),
            last_name: last_name.to_owned(),
            gender: Some(gender),
            born_on: Some(born_on),
            held_by: None,
            papers: Papers::default(),
            ancillaries: Vec::new(),
        }
    }
}

/// What a traveller has besides: one of the price's `ancillaries`; the same twice is two of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChosenAncillary {
    /// What it is.
    #[serde(rename = "type")]
    pub kind: AncillaryType,
    /// Its code.
    pub code: String,
    /// A flight that it covers.
    pub segment_id: String,
}

/// The fare that must still be true when it is booked.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct AgreedPrice {
    /// What the wallet is to pay, without ancillaries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_fare: Option<Amount>,
    /// Read, and not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service_fee: Option<Amount>,
    /// Read, and not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gst_on_service_fee: Option<Amount>,
    /// Read, and not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub platform_charge: Option<Amount>,
    /// Read, and not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_commission: Option<Amount>,
}

/// A booking that was made.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct FlightBooked {
    /// Its reference: `FA-…`.
    pub booking_ref: String,
    /// The supplier's code.
    pub provider: String,
    /// Confirmed.
    pub status: BookingStatus,
    /// What the wallet paid.
    pub total_amount: Amount,
    /// Of these amounts, ISO 4217.
    pub currency: String,
    /// What became of its hold; none of what was never held. Wayfare's addition.
    #[serde(default)]
    pub hold: Option<super::BookingHold>,
    /// Its journeys, in order.
    pub legs: Vec<BookedLeg>,
}

/// A journey of a booking that was made.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct BookedLeg {
    /// The supplier order: `FA-…-1`.
    pub booking_track_id: String,
    /// The supplier's locator.
    pub provider_pnr: String,
    /// The airline's locator.
    pub airline_pnr: String,
    /// The first traveller's; empty until it is issued.
    pub ticket_number: String,
    /// IATA.
    pub origin: String,
    /// IATA.
    pub destination: String,
    /// Its share of the total.
    pub gross_amount: Amount,
    /// Of this amount, ISO 4217.
    pub currency: String,
    /// `dd/mm/yyyy hh:mm:ss` in the organization's time zone; empty until it is issued.
    pub issued_date: String,
}
