//! Flight bookings as they are listed and looked at, and their tickets.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{
    changes::FlightChange,
    hold::BookingHold,
    itinerary::{BaggageAllowance, Itinerary, PnrDetail, Ticket},
};
#[cfg(feature = "schema")]
use crate::schema::{BookingRef, CurrencyCode};
use crate::{
    Amount, BookedFacts, BookingCost, PendingStep,
    vocabulary::{BookingStatus, DocumentType, Gender, PassengerStatus, PassengerType, TicketStatus, Title},
};

/// A booking in the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FlightBookingRow {
    /// Its id.
    pub id: Uuid,
    /// The booking's reference, such as `FA-7K2M9Q4X`.
    #[cfg_attr(feature = "schema", schemars(with = "BookingRef"))]
    pub booking_ref: String,
    /// The airline's or supplier's record locator; "" while there is none.
    pub pnr: String,
    /// The supplier's code.
    pub provider: String,
    /// IATA code of the airport of departure.
    pub origin: String,
    /// IATA code of the airport of arrival.
    pub destination: String,
    /// How many travellers.
    pub passenger_count: i32,
    /// The fare without taxes.
    pub base_fare: Amount,
    /// What the traveller pays.
    pub public_fare: Amount,
    /// Of these amounts, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
    /// Where it stands.
    pub status: BookingStatus,
    /// What the wallet pays, ancillaries and changes included.
    pub total_payable: Amount,
    /// What it has cost until now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<BookingCost>,
    /// When the supplier confirmed it; null until then.
    pub booked_at: Option<DateTime<Utc>>,
    /// What bookings of both products show.
    #[serde(flatten)]
    pub facts: BookedFacts,
    /// What became of its hold; null of what was never held.
    pub hold: Option<BookingHold>,
    /// True if a change of an airline's waits for a decision.
    #[serde(default)]
    pub has_open_change: bool,
    /// What is under way on the booking.
    #[serde(default)]
    pub pending: Vec<PendingStep>,
    /// Who travels.
    pub passengers: Vec<ListedPassenger>,
}

/// A traveller in the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ListedPassenger {
    /// How they are addressed; null when that is erased.
    pub title: Option<Title>,
    /// Given names, as in the passport.
    pub first_name: String,
    /// Family name, as in the passport.
    pub last_name: String,
    /// Their age group.
    #[serde(rename = "type")]
    pub kind: PassengerType,
}

/// Whether what is held is ticketed by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "SetAutoTicketRequest"))]
pub struct SetAutoTicket {
    /// Whether tickets are issued by the service itself.
    pub enabled: bool,
}

/// A booking whose hold was changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AutoTicketSet {
    /// The booking's reference, such as `FA-7K2M9Q4X`.
    #[cfg_attr(feature = "schema", schemars(with = "BookingRef"))]
    pub booking_ref: String,
    /// The hold as it is now.
    pub hold: Option<BookingHold>,
}

/// A booking in full.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FlightBooking {
    /// Its id.
    pub booking_id: Uuid,
    /// The booking's reference, such as `FA-7K2M9Q4X`.
    #[cfg_attr(feature = "schema", schemars(with = "BookingRef"))]
    pub booking_ref: String,
    /// The supplier's code.
    pub provider: String,
    /// The supplier's own id of the first order.
    pub provider_ref: String,
    /// The first locator; deprecated in favour of `pnr_details`.
    pub pnr: String,
    /// Where it stands.
    pub status: BookingStatus,
    /// When it was asked for, UTC.
    pub created_at: DateTime<Utc>,
    /// Of its amounts, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
    /// Its locators, in place of the deprecated `pnr`.
    pub pnr_details: Vec<PnrDetail>,
    /// Who travels.
    pub passengers: Vec<BookedPassenger>,
    /// Its flights as they are flown now.
    pub itinerary: Itinerary,
    /// Its flights as they were sold, where that is not how they are flown now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub itinerary_sold: Option<Itinerary>,
    /// What airlines have changed by themselves, in the order in which it was found.
    #[serde(default)]
    pub changes: Vec<FlightChange>,
    /// What is under way on the booking.
    #[serde(default)]
    pub pending: Vec<PendingStep>,
    /// What it costs.
    pub pricing: BookingPricing,
    /// What it has cost until now.
    pub cost: BookingCost,
    /// The tickets.
    pub tickets: Vec<Ticket>,
    /// What may be taken along on each segment.
    pub baggage_allowance: Vec<BaggageAllowance>,
    /// How the travellers are reached.
    pub contact_details: ContactDetails,
    /// True while the booking is held and its tickets can be issued.
    pub can_issue_ticket: bool,
    /// What became of its hold; null of what was never held.
    pub hold: Option<BookingHold>,
    /// What bookings of both products show.
    #[serde(flatten)]
    pub facts: BookedFacts,
}

/// A traveller.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Passenger"))]
pub struct BookedPassenger {
    /// The traveller's place in the booking.
    pub pax_id: String,
    /// Their age group.
    #[serde(rename = "type")]
    pub kind: PassengerType,
    /// How they are addressed; null when that is erased, as the next ones.
    pub title: Option<Title>,
    /// Given names, as in the passport.
    pub first_name: String,
    /// Family name, as in the passport.
    pub last_name: String,
    /// Date of birth, `YYYY-MM-DD`.
    pub dob: Option<NaiveDate>,
    /// `M` or `F`, as in the passport.
    pub gender: Option<Gender>,
    /// Their passport, where they gave one and it is still kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document: Option<BookedDocument>,
    /// On the first journey, several with commas; empty when there is none.
    pub seat_onward: String,
    /// On the second journey, several with commas; empty when there is none.
    pub seat_return: String,
    /// Whether they travel.
    pub status: PassengerStatus,
}

/// A passport as answers show it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BookedDocument {
    /// What kind of document it is.
    #[serde(rename = "type")]
    pub kind: DocumentType,
    /// Its last four characters, as in `****4567`.
    pub number: String,
    /// ISO 3166 code of the country that issued it.
    pub issuing_country: String,
    /// Of what country it says that they are a citizen, ISO 3166 alpha-2.
    pub nationality: String,
    /// The first day on which it was valid, where it was said.
    pub issued_on: Option<NaiveDate>,
    /// The last day on which it is valid. Not before the last arrival, or `requires[].valid_until` where that is later.
    pub expires_on: NaiveDate,
}

/// How travellers are reached.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ContactDetails {
    /// The calling code of the phone number.
    pub country_code: String,
    /// Their telephone.
    pub phone: String,
    /// Their e-mail address.
    pub email: String,
}

/// What a booking costs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "FlightBookingPricing"))]
pub struct BookingPricing {
    /// Of these amounts, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
    /// What the wallet pays, ancillaries included.
    pub total_payable: Amount,
    /// Of the supplier's total, ISO 4217; null where several suppliers charge in several currencies.
    #[cfg_attr(feature = "schema", schemars(with = "Option<CurrencyCode>"))]
    pub supplier_currency: Option<String>,
    /// What the supplier charges, in its currency.
    pub supplier_total: Option<Amount>,
    /// By what an amount in the first supplier's currency is multiplied to have it in the wallet's.
    pub exchange_rate: Option<Amount>,
    /// The fares of all travellers without taxes.
    pub base_fare_total: Amount,
    /// Taxes of all travellers.
    pub tax_total: Amount,
    /// What of the public fare is the agency's markup; 0 where that is taken from the commission.
    pub public_markup: Amount,
    /// What the public pays: the three before.
    pub public_fare: Amount,
    /// What the organization earns; null without a package.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_commission: Option<Amount>,
    /// The platform's fees in the agent fare.
    pub platform_charges: Amount,
    /// What the wallet pays without ancillaries: the public fare less the commission, with the platform's fees.
    pub agent_fare: Amount,
    /// What all ancillaries cost together.
    pub ancillary: Amount,
    /// What changes of its flights at suppliers came to, where there were any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changes: Option<Amount>,
    /// What of the changes is paid beside the difference of the fares, and never comes back; absent where there were none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change_penalties: Option<Amount>,
    /// What the organization pays and why; null without a package.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_details: Option<BookingAgentDetails>,
    /// What each traveller pays.
    pub pax_breakdown: Vec<PassengerPrice>,
}

/// What the organization pays and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BookingAgentDetails {
    /// What the agency pays: fare, markups, fees and taxes together, without ancillaries.
    pub agent_fare: Amount,
    /// The platform's fee in it.
    pub service_fee: Amount,
    /// The tax on that.
    pub gst_on_service_fee: Amount,
    /// The platform's charge in it.
    pub platform_charge: Amount,
    /// The agency's own markup on the booking.
    pub markup_amount: Amount,
}

/// A traveller's share of the price.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "PaxShare"))]
pub struct PassengerPrice {
    /// The traveller's place in the booking.
    pub pax_id: String,
    /// Their age group.
    #[serde(rename = "type")]
    pub kind: PassengerType,
    /// The base fare.
    pub base: Amount,
    /// Taxes of the traveller.
    pub tax: Amount,
    /// The whole sum.
    pub total: Amount,
}

/// What is to be paid for a held booking: what it costs, said again.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "IssueTicketRequest"))]
pub struct TicketRequest {
    /// What the booking costs, ancillaries included. It must be right.
    pub amount: Amount,
    /// The agent fare of the booking, without ancillaries. If stated, it must be right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_fare: Option<Amount>,
    /// As shown in the price; not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub public_fare: Option<Amount>,
    /// As shown in the price; not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_commission: Option<Amount>,
}
body! { TicketRequest of(amount: impl Into<Amount>) { agent_fare: Amount, public_fare: Amount, agent_commission: Amount } }

/// Tickets as they were issued.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Issued"))]
pub struct TicketsIssued {
    /// Their numbers; empty where the supplier tells them later.
    pub ticket_numbers: Vec<String>,
    /// Where they stand.
    pub status: TicketStatus,
    /// True when the booking was paid before, with `book` or by an earlier call: nothing was sent and no money moved.
    #[serde(default)]
    pub already_issued: bool,
}
