//! Flight bookings as they are listed and looked at, and giving them back (docs/API.md, After-sales).

use chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::changes::{FlightChange, PendingStep};
use crate::{
    Amount, BookingCost,
    enums::{
        AncillaryType, BookingStatus, Cabin, Gender, HoldState, OrderStatus, PassengerStatus, PassengerType,
        SegmentStatus, TicketStatus, Title,
    },
};

/// A booking in the list.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct FlightBookingRow {
    /// Its id.
    pub id: Uuid,
    /// Its reference: `FA-…`.
    pub booking_ref: String,
    /// Its locator.
    pub pnr: String,
    /// The supplier's code.
    pub provider: String,
    /// Where it begins, IATA.
    pub origin: String,
    /// Where it goes, IATA.
    pub destination: String,
    /// How many travel.
    pub passenger_count: u32,
    /// Base fares.
    pub base_fare: Amount,
    /// What the public pays.
    pub public_fare: Amount,
    /// Of these amounts, ISO 4217.
    pub currency: String,
    /// Where it stands.
    pub status: BookingStatus,
    /// What the wallet pays, ancillaries and changes included; Wayfare's addition.
    pub total_payable: Option<Amount>,
    /// What it has cost until now; Wayfare's addition.
    pub cost: Option<BookingCost>,
    /// When it was confirmed, UTC.
    pub booked_at: Option<DateTime<Utc>>,
    /// When it was erased whom it is for; their names are empty then.
    #[serde(default)]
    pub people_erased_at: Option<DateTime<Utc>>,
    /// What became of its hold; none of what was never held. Wayfare's addition.
    #[serde(default)]
    pub hold: Option<BookingHold>,
    /// Whether a change of an airline's waits for a decision; Wayfare's addition.
    #[serde(default)]
    pub has_open_change: bool,
    /// What is under way on it; Wayfare's addition.
    #[serde(default)]
    pub pending: Vec<PendingStep>,
    /// Who travels.
    pub passengers: Vec<ListedPassenger>,
}

/// What became of the hold of a booking.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct BookingHold {
    /// Held, paid, or gone.
    pub state: HoldState,
    /// Until when it must be paid, UTC, or had to; none where the supplier does not say.
    pub pay_by: Option<DateTime<Utc>>,
    /// Until when it keeps its price, UTC, or kept it; none where the supplier does not say.
    pub price_guaranteed_until: Option<DateTime<Utc>>,
    /// Whether its tickets are issued by the service itself in time.
    pub auto_ticket: bool,
    /// When somebody is reminded of it next, UTC.
    pub next_reminder_at: Option<DateTime<Utc>>,
}

/// A booking whose hold was changed.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct AutoTicketSet {
    /// Its reference: `FA-…`.
    pub booking_ref: String,
    /// The hold as it is now.
    pub hold: Option<BookingHold>,
}

/// A traveller in the list.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct ListedPassenger {
    /// How they are addressed; none when that is erased.
    pub title: Option<Title>,
    /// As in the passport.
    pub first_name: String,
    /// As in the passport.
    pub last_name: String,
    /// Their age group.
    #[serde(rename = "type")]
    pub kind: PassengerType,
}

/// A booking in full.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct FlightBooking {
    /// Its id.
    pub booking_id: Uuid,
    /// Its reference: `FA-…`.
    pub booking_ref: String,
    /// The supplier's code.
    pub provider: String,
    /// The supplier's own reference.
    pub provider_ref: String,
    /// Where it stands.
    pub status: BookingStatus,
    /// When it was asked for, UTC.
    pub created_at: DateTime<Utc>,
    /// Of its amounts, ISO 4217.
    pub currency: String,
    /// Its locators, in place of the deprecated `pnr`.
    pub pnr_details: Vec<PnrDetail>,
    /// Who travels.
    pub passengers: Vec<BookedPassenger>,
    /// Its flights as they are flown now.
    pub itinerary: Itinerary,
    /// Its flights as they were sold, where that is not how they are flown now; Wayfare's addition.
    #[serde(default)]
    pub itinerary_sold: Option<Itinerary>,
    /// What its airlines have changed by themselves; Wayfare's addition.
    #[serde(default)]
    pub changes: Vec<FlightChange>,
    /// What is under way on it; Wayfare's addition.
    #[serde(default)]
    pub pending: Vec<PendingStep>,
    /// What it costs.
    pub pricing: BookingPricing,
    /// What it has cost until now; Wayfare's addition.
    pub cost: Option<BookingCost>,
    /// Its tickets.
    pub tickets: Vec<Ticket>,
    /// What may be carried on each flight.
    pub baggage_allowance: Vec<BaggageAllowance>,
    /// How the travellers are reached.
    pub contact_details: ContactDetails,
    /// Whether it is held and can be paid for.
    pub can_issue_ticket: bool,
    /// When it was erased whom it is for; their names are empty then. Wayfare's addition.
    #[serde(default)]
    pub people_erased_at: Option<DateTime<Utc>>,
    /// What became of its hold; none of what was never held. Wayfare's addition.
    #[serde(default)]
    pub hold: Option<BookingHold>,
}

/// A locator.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct PnrDetail {
    /// The supplier's.
    pub pnr: String,
    /// The airline's.
    pub airline_pnr: String,
    /// Whose, IATA.
    pub airline: String,
    /// The supplier's code.
    pub supplier: String,
    /// The supplier's own reference.
    pub supplier_ref: String,
    /// Where its order stands.
    pub status: OrderStatus,
    /// Its flights.
    pub segment_refs: Vec<String>,
    /// What was bought with them.
    pub ancillaries: Vec<BoughtAncillary>,
    /// What can be done with parts of its order. Wayfare's addition.
    #[serde(default)]
    pub can: OrderAbilities,
}

/// What can be done with parts of an order; none where that has to be asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct OrderAbilities {
    /// Some of its journeys can be given back.
    pub cancel_journeys: Option<bool>,
    /// Some of its travellers can be taken off it.
    pub cancel_passengers: Option<bool>,
    /// Some of its journeys can be flown otherwise.
    pub change_journeys: Option<bool>,
}

/// A part of a booking that is given back; nothing said is all that stands. What is said and empty is refused. Wayfare's
/// addition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct NamedPart {
    /// Journeys, by their `leg_index`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journeys: Option<Vec<usize>>,
    /// Flights, which must be all of their journeys.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub segments: Option<Vec<String>>,
    /// Travellers, by their `pax_id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passengers: Option<Vec<String>>,
    /// For the audit log and for suppliers that read one, at most 500 characters; no word of a penalty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remarks: Option<String>,
}

/// What a part of a booking is.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct PartOfBooking {
    /// Its journeys, by their `leg_index`.
    pub journeys: Vec<usize>,
    /// Its travellers, by their `pax_id`.
    pub passengers: Vec<String>,
}

/// What stands beside a part that is given back.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct RestOfBooking {
    /// What was paid for it.
    pub total_payable: Amount,
}

/// What a traveller has besides.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct BoughtAncillary {
    /// What it is.
    #[serde(rename = "type")]
    pub kind: AncillaryType,
    /// Its code.
    pub code: String,
    /// In words.
    pub name: String,
    /// Whose.
    pub pax_id: String,
    /// On which flights.
    pub segment_refs: Vec<String>,
    /// How many.
    pub quantity: u32,
    /// Of all of them, in the booking's currency.
    pub price: Amount,
}

/// A traveller.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct BookedPassenger {
    /// Their number as text.
    pub pax_id: String,
    /// Their age group.
    #[serde(rename = "type")]
    pub kind: PassengerType,
    /// How they are addressed; none when that is erased, as the next ones.
    pub title: Option<Title>,
    /// As in the passport.
    pub first_name: String,
    /// As in the passport.
    pub last_name: String,
    /// When they were born.
    pub dob: Option<NaiveDate>,
    /// As in the passport.
    pub gender: Option<Gender>,
    /// Their passport, where they gave one and it is still kept. Wayfare's addition.
    #[serde(default)]
    pub document: Option<BookedDocument>,
    /// On the first journey, several with commas; empty when there is none.
    pub seat_onward: String,
    /// On the second journey; empty when there is none.
    pub seat_return: String,
    /// Whether they travel. Wayfare's addition.
    #[serde(default)]
    pub status: Option<PassengerStatus>,
}

/// A passport as it is shown.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct BookedDocument {
    /// `passport`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its last four characters, as in `****4567`.
    pub number: String,
    /// Whose authority issued it, ISO 3166 alpha-2.
    pub issuing_country: String,
    /// Of what country it says that they are a citizen, ISO 3166 alpha-2.
    pub nationality: String,
    /// The first day on which it was valid, where it was said.
    pub issued_on: Option<NaiveDate>,
    /// The last day on which it is valid.
    pub expires_on: NaiveDate,
}

/// The flights of a booking.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Itinerary {
    /// Its journeys, in order.
    pub legs: Vec<ItineraryLeg>,
    /// Its flights, in order: `s1`, `s2` …
    pub segments: Vec<ItinerarySegment>,
}

/// A journey of a booking.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct ItineraryLeg {
    /// Its place, from 0.
    pub leg_index: u32,
    /// IATA.
    pub origin: String,
    /// IATA.
    pub destination: String,
    /// Its flights.
    pub segment_refs: Vec<String>,
}

/// A flight of a booking.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct ItinerarySegment {
    /// Its name.
    pub segment_id: String,
    /// Who sells it, IATA.
    pub airline: String,
    /// Its number.
    pub flight_number: String,
    /// IATA.
    pub origin: String,
    /// IATA.
    pub destination: String,
    /// By the clocks of the origin.
    pub departure: NaiveDateTime,
    /// By the clocks of the destination.
    pub arrival: NaiveDateTime,
    /// In the air, minutes.
    pub duration_minutes: Option<u32>,
    /// Its class.
    pub cabin: Option<Cabin>,
    /// The booking class.
    pub rbd: Option<String>,
    /// Checked in.
    pub baggage: Option<String>,
    /// In the cabin.
    pub cabin_baggage: Option<String>,
    /// Who flies it, IATA.
    pub operating_carrier: Option<String>,
    /// Where it stands.
    pub status: SegmentStatus,
    /// The names of those in whose place it came; Wayfare's addition.
    #[serde(default)]
    pub replaces: Vec<String>,
}

/// What a booking costs.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct BookingPricing {
    /// Of these amounts, ISO 4217.
    pub currency: String,
    /// What the wallet pays, ancillaries included.
    pub total_payable: Amount,
    /// Of the supplier's total, ISO 4217; none where several suppliers charge in several currencies.
    pub supplier_currency: Option<String>,
    /// The supplier's total.
    pub supplier_total: Option<Amount>,
    /// From the supplier's currency.
    pub exchange_rate: Option<Amount>,
    /// Base fares; Wayfare's addition.
    pub base_fare_total: Option<Amount>,
    /// Taxes; Wayfare's addition.
    pub tax_total: Option<Amount>,
    /// What of the public fare is the agency's markup; Wayfare's addition.
    pub public_markup: Option<Amount>,
    /// What the public pays: the three before.
    pub public_fare: Amount,
    /// What the organization earns; none without a package. Wayfare's addition.
    pub agent_commission: Option<Amount>,
    /// The platform's fees in the agent fare; Wayfare's addition.
    pub platform_charges: Option<Amount>,
    /// What the wallet pays without ancillaries: the public fare less the commission, with the platform's fees.
    pub agent_fare: Amount,
    /// What ancillaries cost.
    pub ancillary: Amount,
    /// What changes of its flights at suppliers came to; Wayfare's addition.
    pub changes: Option<Amount>,
    /// What of that is paid beside the difference of the fares, and never comes back; Wayfare's addition.
    pub change_penalties: Option<Amount>,
    /// What the organization pays and why; none without a package.
    pub agent_details: Option<BookingAgentDetails>,
    /// By traveller.
    pub pax_breakdown: Vec<PassengerPrice>,
}

/// What the organization pays and why.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct BookingAgentDetails {
    /// What the wallet pays without ancillaries.
    pub agent_fare: Amount,
    /// The platform's fee in it.
    pub service_fee: Amount,
    /// The tax on that.
    pub gst_on_service_fee: Amount,
    /// The platform's charge in it.
    pub platform_charge: Amount,
    /// The organization's markup.
    pub markup_amount: Amount,
}

/// A traveller's share of the price.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct PassengerPrice {
    /// Whose.
    pub pax_id: String,
    /// Their age group.
    #[serde(rename = "type")]
    pub kind: PassengerType,
    /// The base fare.
    pub base: Amount,
    /// Taxes.
    pub tax: Amount,
    /// Both.
    pub total: Amount,
}

/// A ticket.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Ticket {
    /// Its number.
    pub tkt_number: String,
    /// Whose.
    pub pax_id: String,
    /// Under which locator.
    pub pnr_ref: String,
    /// Where it stands.
    pub status: TicketStatus,
    /// For which flights.
    pub segment_refs: Vec<String>,
}

/// What may be carried on a flight, in words.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct BaggageAllowance {
    /// The flight.
    pub segment_id: String,
    /// Checked in.
    pub check_in: Option<String>,
    /// In the cabin.
    pub cabin: Option<String>,
}

/// How travellers are reached.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct ContactDetails {
    /// Without a plus; may be empty.
    pub country_code: String,
    /// Their telephone.
    pub phone: String,
    /// Their e-mail address.
    pub email: String,
}

/// What cancelling would cost now.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct FlightPenalty {
    /// The booking.
    pub booking_ref: String,
    /// Its locator.
    pub pnr: String,
    /// What the wallet paid for what would be given back, changes included: less the next three, and with `waived`, it is
    /// `refund_amount`. Wayfare's addition.
    pub total_paid: Option<Amount>,
    /// What the suppliers keep.
    pub penalty: Amount,
    /// What the platform keeps; Wayfare's addition.
    pub platform_charges: Option<Amount>,
    /// What earlier changes cost beside the difference of the fares, which never comes back; Wayfare's addition.
    pub change_penalties: Option<Amount>,
    /// What is kept beyond what was paid, and so is charged to nobody; Wayfare's addition.
    pub waived: Option<Amount>,
    /// What comes back to the wallet.
    pub refund_amount: Amount,
    /// Of these amounts, ISO 4217.
    pub currency: String,
    /// Of a change that would be refused: that nothing is cancelled then, and the operator is asked to get all of it back.
    /// Wayfare's addition.
    pub asks_operator: Option<bool>,
    /// Which part of the booking it is of; none of all of it. Wayfare's addition.
    #[serde(default)]
    pub part: Option<PartOfBooking>,
    /// What stands beside that part.
    #[serde(default)]
    pub rest: Option<RestOfBooking>,
}

/// A cancellation that was carried out; the refund is in the wallet.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct FlightCancelled {
    /// The booking.
    pub booking_ref: String,
    /// Cancelled.
    pub status: BookingStatus,
    /// What the suppliers keep.
    pub cancellation_charge: Amount,
    /// What the suppliers give back.
    pub provider_refund_amount: Amount,
    /// What the platform keeps.
    pub platform_charges: Amount,
    /// What came back to the wallet.
    pub refund_to_wallet: Amount,
    /// Of these amounts, ISO 4217.
    pub currency: String,
    /// Which part of the booking it is of; none of all of it. Wayfare's addition.
    #[serde(default)]
    pub part: Option<PartOfBooking>,
    /// What stands beside that part.
    #[serde(default)]
    pub rest: Option<RestOfBooking>,
}

/// What is to be paid for a held booking: what it costs, said again.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TicketRequest {
    /// The whole of it, ancillaries included.
    pub amount: Amount,
    /// Without ancillaries; compared where it is stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_fare: Option<Amount>,
    /// Read, and not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub public_fare: Option<Amount>,
    /// Read, and not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_commission: Option<Amount>,
}

impl TicketRequest {
    /// So much, ancillaries included.
    pub fn of(amount: impl Into<Amount>) -> Self {
        Self { amount: amount.into(), agent_fare: None, public_fare: None, agent_commission: None }
    }
}

/// Tickets that were issued.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct TicketsIssued {
    /// Their numbers; none where the supplier tells them later.
    pub ticket_numbers: Vec<String>,
    /// Where they stand.
    pub status: TicketStatus,
    /// Whether they were paid before, so that nothing was sent. Wayfare's addition.
    #[serde(default)]
    pub already_issued: bool,
}
