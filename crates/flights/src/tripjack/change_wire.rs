//! TripJack's words for reissues, Air API v1: what is sent to search, review and make one, and what is told of it.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::order_wire::{NewContact, NewGst, NewTraveller};
use super::wire::{Carrier, Code, Number, Passengers, Segment, Succeeded};
use wayfare_domain::Amount;

/// `POST /fms/v1/reissue/poll/searchquery-list`: which journey of which travellers is to be flown when. All of it stands
/// beside each other, in no `searchQuery`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewReissueQuery<'a> {
    pub old_booking_id: &'a str,
    pub pnr: String,
    pub pax_ids: Vec<String>,
    pub pax_info: Passengers<u8>,
    /// One journey at a time.
    pub route_infos: [NewReissueRoute<'a>; 1],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewReissueRoute<'a> {
    pub from_city_or_airport: Code<'a>,
    pub to_city_or_airport: Code<'a>,
    pub travel_date: NaiveDate,
}

/// The names of the searches that answer it: a list where it ran, one name in the documentation.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReissueQueries {
    #[serde(rename = "status")]
    _succeeded: Option<Succeeded>,
    pub request_ids: Option<Vec<Value>>,
    pub request_id: Option<Value>,
}

/// `POST /fms/v1/reissue/poll/search`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewReissueSearch<'a> {
    pub request_id: &'a str,
}

/// Flights, and the fares at which a ticket is reissued for them.
#[derive(Debug, Deserialize)]
pub(super) struct ReissueTrip<T> {
    #[serde(rename = "sI")]
    pub segments: Vec<Segment<T>>,
    #[serde(rename = "totalPriceList")]
    pub fares: Vec<ReissueFare<T>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct ReissueFare<T> {
    pub id: T,
    #[serde(rename = "fd")]
    pub passengers: Passengers<ReissuePassenger>,
    #[serde(rename = "pc")]
    pub seller: Option<Carrier<T>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct ReissuePassenger {
    #[serde(rename = "fC")]
    pub amounts: ReissueAmounts,
}

/// What one traveller, or all of them, pay for a reissue.
#[derive(Debug, Deserialize)]
pub(super) struct ReissueAmounts {
    /// Fees of airline and supplier, which are a part of the total.
    #[serde(rename = "AFS")]
    pub fees: Option<Number>,
    /// Below zero where something would come back.
    #[serde(rename = "TF")]
    pub total: Number,
}

/// `POST /fms/v1/reissue/review`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewReissueReview<'a> {
    pub old_booking_id: &'a str,
    pub price_ids: [&'a str; 1],
    pub price_validation: bool,
}

/// The answer to it: a session under the id that the order has after its reissue.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", bound(deserialize = "T: Deserialize<'de>"))]
pub(super) struct ReissueReview<T> {
    #[serde(rename = "status")]
    _succeeded: Option<Succeeded>,
    pub booking_id: String,
    pub trip_infos: Vec<ReissueTrip<T>>,
    pub total_price_info: ReissueTotal,
    pub conditions: Option<ReissueConditions>,
    pub travellers: Option<Vec<ReissuedTraveller>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReissueTotal {
    pub total_fare_detail: ReissuePassenger,
}

#[derive(Debug, Deserialize)]
pub(super) struct ReissueConditions {
    /// How long the review is good, in seconds.
    pub st: Option<u32>,
}

/// Somebody whose ticket is reissued.
#[derive(Deserialize)]
pub(super) struct ReissuedTraveller {
    pub id: Option<Value>,
    #[serde(rename = "pt")]
    pub kind: Option<String>,
    #[serde(rename = "ti")]
    pub title: Option<String>,
    #[serde(rename = "fN")]
    pub first_name: Option<String>,
    #[serde(rename = "lN")]
    pub last_name: Option<String>,
}

/// `POST /oms/v1/air/amendment/auto-reissue`: it is always paid, with 0 where it costs nothing; a booking without payment would
/// be held.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewReissue<'a> {
    pub booking_id: &'a str,
    pub old_booking_id: &'a str,
    #[serde(rename = "paymentInfos")]
    pub payments: [NewReissuePayment<'a>; 1],
    #[serde(rename = "travellerInfo")]
    pub travellers: Vec<NewReissuedTraveller<'a>>,
    #[serde(rename = "deliveryInfo")]
    pub delivery: NewContact<'a>,
    #[serde(rename = "gstInfo", skip_serializing_if = "Option::is_none")]
    pub gst: Option<NewGst<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewReissuePayment<'a> {
    pub amount: Amount,
    pub booking_id: &'a str,
}

#[derive(Serialize)]
pub(super) struct NewReissuedTraveller<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<&'a str>,
    #[serde(flatten)]
    pub traveller: NewTraveller<'a>,
}
