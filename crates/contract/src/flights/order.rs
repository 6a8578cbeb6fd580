//! Booking flights: what is ordered and how it is confirmed.

use chrono::NaiveDate;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};

use super::{
    hold::BookingHold,
    papers::{Gst, Papers},
    price::FlightPrice,
};
#[cfg(feature = "schema")]
use crate::schema::{BookingRef, CapitalStatus, CurrencyCode};
use crate::{
    Amount,
    vocabulary::{AncillaryType, BookingStatus, Gender, PassengerType, Title},
};

/// A booking to be made.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "BookFlightRequest"))]
pub struct FlightOrder {
    /// The keys of a price call. Either these or `offer_ids`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub booking_keys: Vec<String>,
    /// Offers of a search. Several make one trip together.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub offer_ids: Vec<String>,
    /// How the travellers are reached.
    #[serde(flatten)]
    pub contact: Contact,
    /// Who travels.
    pub passengers: Vec<Passenger>,
    /// The company to which India's goods and services tax is invoiced: all five fields or none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gst: Option<Gst>,
    /// The price as it was shown, to be sure that nothing else is booked.
    #[serde(rename = "agent_price", skip_serializing_if = "Option::is_none")]
    pub agreed_price: Option<AgreedPrice>,
    /// The agency's ticket password, where its settings ask for one.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "crate::secret::exposed_if_any")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub issue_ticket_password: Option<SecretString>,
    /// True: reserve it now and issue tickets later; refused where the supplier can't hold. False: pay at once where possible.
    /// Left out: as the setting `book_mode` says.
    pub hold: bool,
    /// True: have the tickets of what is held issued 30 minutes before it lapses or loses its price. Only with `hold`, or where
    /// the setting `book_mode` is `hold`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub auto_ticket: bool,
    /// True books even if the same people were booked on the same flights, or in the same hotel on the same days, within 10
    /// minutes.
    pub allow_duplicate: bool,
}
body! { FlightOrder {
    gst: Gst, agreed_price: AgreedPrice, issue_ticket_password: SecretString, hold: bool, auto_ticket: bool,
    allow_duplicate: bool,
} }

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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Contact {
    /// E-mail address of whoever is reached about the trip.
    #[serde(rename = "contact_email")]
    pub email: String,
    /// Phone number of whoever is reached about the trip.
    #[serde(rename = "contact_phone")]
    pub phone: String,
    /// The calling code of `contact_phone`, where that has none, such as `91`.
    #[serde(rename = "contact_country_code")]
    pub country_code: String,
}

/// Somebody who is to travel.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "BookFlightPassenger"))]
pub struct Passenger {
    /// The traveller's place in the booking, from 1.
    pub pax_index: u32,
    /// Their age group on the last day of travel.
    #[serde(rename = "type")]
    pub kind: PassengerType,
    /// `Mr`, `Mrs`, `Ms`, `Miss`, `Mstr` or `Dr`, in any case.
    pub title: Title,
    /// Given names, as in the passport.
    pub first_name: String,
    /// Family name, as in the passport; "" of who has one name only.
    pub last_name: String,
    /// As in the passport: `M` or `F`, also `male` and `female`, in any case. Left out, the title tells it; not that of `Dr`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gender: Option<Gender>,
    /// Date of birth, `YYYY-MM-DD`. An adult's may be left out where `requires` has no `date_of_birth`.
    #[serde(rename = "dob", skip_serializing_if = "Option::is_none")]
    pub born_on: Option<NaiveDate>,
    /// Of an infant: the number of the adult who holds it; null: the next one without.
    #[serde(rename = "infant_ref", skip_serializing_if = "Option::is_none")]
    pub held_by: Option<u32>,
    /// Their papers and memberships.
    #[serde(flatten)]
    pub papers: Papers,
    /// Seats, bags and meals for this traveller, out of the price's `ancillaries`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ancillaries: Vec<ChosenAncillary>,
}
body! { Passenger { held_by: u32, papers: Papers, ancillaries: Vec<ChosenAncillary> } }

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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "BookFlightAncillary"))]
pub struct ChosenAncillary {
    /// What it is.
    #[serde(rename = "type")]
    pub kind: AncillaryType,
    /// The code by which it is booked.
    pub code: String,
    /// The segment's id, such as `s1`.
    pub segment_id: String,
}

/// The fare that must still be true when it is booked.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "BookFlightAgentPrice"))]
pub struct AgreedPrice {
    /// The agent fare that was shown. The call is refused if the price is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_fare: Option<Amount>,
    /// As shown in the price; not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service_fee: Option<Amount>,
    /// As shown in the price; not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gst_on_service_fee: Option<Amount>,
    /// As shown in the price; not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub platform_charge: Option<Amount>,
    /// As shown in the price; not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_commission: Option<Amount>,
}
body! { AgreedPrice { agent_fare: Amount } }

/// A booking that was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "FlightConfirmation"))]
pub struct FlightBooked {
    /// The booking's reference, such as `FA-7K2M9Q4X`.
    #[cfg_attr(feature = "schema", schemars(with = "BookingRef"))]
    pub booking_ref: String,
    /// The supplier's code.
    pub provider: String,
    /// Where it stands.
    #[serde(serialize_with = "crate::capitals::serialize")]
    #[cfg_attr(feature = "schema", schemars(with = "CapitalStatus"))]
    pub status: BookingStatus,
    /// What the booking costs, ancillaries included.
    pub total_amount: Amount,
    /// Of these amounts, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
    /// What became of its hold; null of what was never held.
    pub hold: Option<BookingHold>,
    /// The booked journeys, each with its order's references.
    pub legs: Vec<BookedLeg>,
}

/// A journey of a booking that was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BookedLeg {
    /// Our own reference of the supplier order, such as `FA-7K2M9Q4X-1`.
    pub booking_track_id: String,
    /// The supplier's record locator.
    pub provider_pnr: String,
    /// The airline's own record locator.
    pub airline_pnr: String,
    /// The first traveller's; empty until it is issued.
    pub ticket_number: String,
    /// IATA code of the airport of departure.
    pub origin: String,
    /// IATA code of the airport of arrival.
    pub destination: String,
    /// What this part of the trip costs.
    pub gross_amount: Amount,
    /// Of this amount, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
    /// When the ticket was issued, `DD/MM/YYYY HH:MM:SS` in the agency's time zone; "" until then.
    pub issued_date: String,
}
