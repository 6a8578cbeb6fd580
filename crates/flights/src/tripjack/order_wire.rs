//! TripJack's words for orders, Air API v1: what is sent to make, pay for and give back one, and what is told of it.
//!
//! Answers about orders are kept as they came, so that these are read out of a value and borrow nothing.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use wayfare_domain::Amount;

use super::wire::{Entries, MaybeNumber, Number, Passengers, Status, Succeeded};

/// A booking: paid at once with `payments`, held without.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewOrder<'a> {
    pub booking_id: &'a str,
    #[serde(rename = "paymentInfos", skip_serializing_if = "Option::is_none")]
    pub payments: Option<[NewPayment; 1]>,
    #[serde(rename = "travellerInfo")]
    pub travellers: Vec<NewTraveller<'a>>,
    #[serde(rename = "deliveryInfo")]
    pub delivery: NewContact<'a>,
    #[serde(rename = "contactInfo", skip_serializing_if = "Option::is_none")]
    pub emergency: Option<NewContact<'a>>,
    #[serde(rename = "gstInfo", skip_serializing_if = "Option::is_none")]
    pub gst: Option<NewGst<'a>>,
}

#[derive(Debug, Serialize)]
pub(super) struct NewPayment {
    pub amount: Amount,
}

#[derive(Debug, Serialize)]
pub(super) struct NewContact<'a> {
    pub emails: [&'a str; 1],
    pub contacts: [&'a str; 1],
    /// Of an emergency contact.
    #[serde(rename = "ecn", skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

#[derive(Serialize)]
pub(super) struct NewTraveller<'a> {
    #[serde(rename = "ti")]
    pub title: &'static str,
    #[serde(rename = "pt")]
    pub kind: &'static str,
    #[serde(rename = "fN")]
    pub first_name: String,
    #[serde(rename = "lN")]
    pub last_name: String,
    #[serde(rename = "dob", skip_serializing_if = "Option::is_none")]
    pub born_on: Option<NaiveDate>,
    #[serde(flatten)]
    pub papers: NewPapers<'a>,
    #[serde(flatten)]
    pub services: BTreeMap<List, Vec<NewService<'a>>>,
}

/// A traveller's papers and memberships.
#[derive(Serialize)]
pub(super) struct NewPapers<'a> {
    #[serde(rename = "pNum", skip_serializing_if = "Option::is_none")]
    pub passport_number: Option<&'a str>,
    #[serde(rename = "eD", skip_serializing_if = "Option::is_none")]
    pub passport_expires_on: Option<NaiveDate>,
    #[serde(rename = "pNat", skip_serializing_if = "Option::is_none")]
    pub nationality: Option<&'a str>,
    #[serde(rename = "pid", skip_serializing_if = "Option::is_none")]
    pub passport_issued_on: Option<NaiveDate>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pan: Option<&'a str>,
    #[serde(rename = "di", skip_serializing_if = "Option::is_none")]
    pub fare_document: Option<&'a str>,
    /// By the airline's code.
    #[serde(rename = "ff", skip_serializing_if = "BTreeMap::is_empty")]
    pub memberships: BTreeMap<&'a str, &'a str>,
}

/// To whom the tax is invoiced: all of it or none.
#[derive(Serialize)]
pub(super) struct NewGst<'a> {
    #[serde(rename = "gstNumber")]
    pub number: &'a str,
    #[serde(rename = "registeredName")]
    pub company_name: &'a str,
    pub email: &'a str,
    #[serde(rename = "mobile")]
    pub phone: &'a str,
    pub address: &'a str,
}

/// A traveller's list of what is bought beside the fare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum List {
    #[serde(rename = "ssrBaggageInfos")]
    Baggage,
    #[serde(rename = "ssrMealInfos")]
    Meal,
    #[serde(rename = "ssrSeatInfos")]
    Seat,
    #[serde(rename = "ssrFastForwardInfos")]
    FastForward,
    #[serde(rename = "ssrExtraServiceInfos")]
    ExtraService,
}

/// Something that is bought for one flight.
#[derive(Debug, Serialize)]
pub(super) struct NewService<'a> {
    /// The flight's id in the review.
    pub key: &'a str,
    pub code: &'a str,
}

/// The payment of a held order.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewConfirmation<'a> {
    pub booking_id: &'a str,
    #[serde(rename = "paymentInfos")]
    pub payments: [NewPayment; 1],
}

/// What is asked to be undone, or what that would cost.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewAmendment<'a> {
    pub booking_id: &'a str,
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub remarks: &'a str,
    /// Of which journeys; of all that stands where none is named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub trips: Vec<NewAmendedTrip<'a>>,
}

/// A journey that some do not fly.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewAmendedTrip<'a> {
    pub src: &'a str,
    pub dest: &'a str,
    pub departure_date: NaiveDate,
    pub travellers: Vec<NewAmendedTraveller>,
}

#[derive(Serialize)]
pub(super) struct NewAmendedTraveller {
    #[serde(rename = "fn")]
    pub first_name: String,
    #[serde(rename = "ln")]
    pub last_name: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OfAmendment<'a> {
    pub amendment_id: &'a str,
}

/// A held order to be let go.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewRelease<'a> {
    pub booking_id: &'a str,
    pub pnrs: &'a [String],
}

/// An answer that says no more than that the call succeeded.
#[derive(Debug, Deserialize)]
pub(super) struct Acknowledged {
    #[serde(rename = "status")]
    _succeeded: Acknowledgement,
}

/// The word that the call succeeded, said.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Status")]
struct Acknowledgement;

impl TryFrom<Status> for Acknowledgement {
    type Error = &'static str;

    fn try_from(status: Status) -> Result<Self, Self::Error> {
        match status.success {
            Some(true) => Ok(Self),
            _ => Err("the supplier does not say that it succeeded"),
        }
    }
}

/// Whether a held order's fare still stands.
#[derive(Debug, Deserialize)]
pub(super) struct Validated {
    #[serde(rename = "status")]
    _succeeded: Acknowledgement,
    pub alerts: Option<Vec<Alert>>,
    /// Whether the fare is guaranteed no more.
    #[serde(rename = "iobfe")]
    pub is_stale: Option<bool>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Alert {
    /// What it costs now, where the fare has moved.
    #[serde(rename = "newFare")]
    pub new_fare: Option<Number>,
}

/// An order as it stands.
#[derive(Debug, Deserialize)]
pub(super) struct BookingDetails {
    #[serde(rename = "status")]
    _succeeded: Option<Succeeded>,
    pub order: Order,
    #[serde(rename = "itemInfos")]
    pub items: Option<Items>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Order {
    #[serde(rename = "bookingId")]
    pub booking_id: String,
    pub amount: Option<Number>,
    pub status: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Items {
    #[serde(rename = "AIR")]
    pub air: Option<AirItem>,
}

#[derive(Debug, Deserialize)]
pub(super) struct AirItem {
    #[serde(rename = "travellerInfos")]
    pub traveller_infos: Option<Vec<BookedTraveller>>,
    /// Until when a hold must be paid; in no list of fields, so that nothing depends on its shape.
    #[serde(rename = "timeLimit")]
    pub time_limit: Option<Value>,
}

/// A traveller of an order; what differs by flight is by route (`DEL-BOM`).
#[derive(Debug, Deserialize)]
pub(super) struct BookedTraveller {
    /// Now a number and now a text.
    pub id: Option<Value>,
    #[serde(rename = "pt")]
    pub kind: Option<String>,
    #[serde(rename = "ti")]
    pub title: Option<String>,
    #[serde(rename = "fN")]
    pub first_name: Option<String>,
    #[serde(rename = "lN")]
    pub last_name: Option<String>,
    #[serde(rename = "pnrDetails")]
    pub pnr_details: Option<Entries<String, Option<String>>>,
    #[serde(rename = "gdsPnrs")]
    pub gds_pnrs: Option<Entries<String, Option<String>>>,
    #[serde(rename = "ticketNumberDetails")]
    pub ticket_number_details: Option<Entries<String, Option<String>>>,
    /// How its own cancellation stands.
    #[serde(rename = "statusMap")]
    pub status_map: Option<Entries<String, Option<String>>>,
}

/// What a cancellation would cost: of all, or for each trip and passenger type.
#[derive(Debug, Deserialize)]
pub(super) struct AmendmentCharges {
    #[serde(rename = "status")]
    _succeeded: Option<Succeeded>,
    #[serde(rename = "refundAmount")]
    pub refund_amount: Option<Number>,
    #[serde(rename = "refundableAmount")]
    pub refundable_amount: Option<Number>,
    /// What it was sold for.
    #[serde(rename = "totalFare")]
    pub total_fare: Option<Number>,
    pub trips: Option<Vec<AmendedTrip>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct AmendedTrip {
    pub src: Option<String>,
    pub dest: Option<String>,
    #[serde(rename = "amendmentInfo")]
    pub amendment_info: Passengers<AmendedFare>,
}

#[derive(Debug, Deserialize)]
pub(super) struct AmendedFare {
    #[serde(rename = "refundAmount")]
    pub refund_amount: Option<Number>,
    #[serde(rename = "refundableAmount")]
    pub refundable_amount: Option<Number>,
    #[serde(rename = "totalFare")]
    pub total_fare: Option<Number>,
}

/// A cancellation that was taken.
#[derive(Debug, Deserialize)]
pub(super) struct Submitted {
    #[serde(rename = "status")]
    _succeeded: Option<Succeeded>,
    #[serde(rename = "amendmentId")]
    pub amendment_id: String,
}

/// A cancellation as it stands; how much comes back must not hide that it was carried out.
#[derive(Debug, Deserialize)]
pub(super) struct AmendmentDetails {
    #[serde(rename = "status")]
    _succeeded: Option<Succeeded>,
    #[serde(rename = "amendmentId")]
    pub amendment_id: String,
    #[serde(rename = "amendmentStatus")]
    pub amendment_status: String,
    #[serde(rename = "refundAmount")]
    pub refund_amount: Option<MaybeNumber>,
    #[serde(rename = "refundableAmount")]
    pub refundable_amount: Option<MaybeNumber>,
}
