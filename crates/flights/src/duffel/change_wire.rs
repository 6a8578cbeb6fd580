//! Duffel's words for changes of orders, v2: our requests as they read them, and of their answers the fields we use.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use wayfare_supply::times::optional_instant;

use super::wire::{Iso, NewPayment, Number, Slice};

/// `POST /air/order_change_requests`.
#[derive(Debug, Serialize)]
pub(super) struct NewChangeRequest<'a> {
    pub order_id: &'a str,
    pub slices: NewSlices<'a>,
}

#[derive(Debug, Serialize)]
pub(super) struct NewSlices<'a> {
    pub remove: Vec<RemovedSlice<'a>>,
    pub add: Vec<AddedSlice<'a>>,
}

#[derive(Debug, Serialize)]
pub(super) struct RemovedSlice<'a> {
    pub slice_id: &'a str,
}

#[derive(Debug, Serialize)]
pub(super) struct AddedSlice<'a> {
    pub origin: &'a str,
    pub destination: &'a str,
    pub departure_date: NaiveDate,
    pub cabin_class: &'static str,
}

/// `POST /air/order_changes`.
#[derive(Debug, Serialize)]
pub(super) struct NewChange<'a> {
    pub selected_order_change_offer: &'a str,
}

/// `POST /air/order_changes/{id}/actions/confirm`: nothing is paid for what costs nothing.
#[derive(Debug, Serialize)]
pub(super) struct Confirmation {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payment: Option<NewPayment>,
}

/// The answer to a request: other flights.
#[derive(Debug, Deserialize)]
pub(super) struct ChangeRequest<O> {
    pub order_change_offers: Vec<O>,
}

#[derive(Debug, Deserialize)]
pub(super) struct ChangeOffer<T> {
    pub id: String,
    #[serde(flatten)]
    pub amounts: Amounts,
    #[serde(default, deserialize_with = "optional_instant")]
    pub expires_at: Option<DateTime<Utc>>,
    pub slices: OfferedSlices<T>,
}

#[derive(Debug, Deserialize)]
pub(super) struct OfferedSlices<T> {
    pub add: Vec<Slice<T>>,
}

/// A change, pending or confirmed.
#[derive(Debug, Deserialize)]
pub(super) struct Change {
    #[serde(flatten)]
    pub state: ChangeState,
    #[serde(flatten)]
    pub amounts: Amounts,
}

/// How a change stands, whatever it says of money.
#[derive(Debug, Deserialize)]
pub(super) struct ChangeState {
    pub id: String,
    #[serde(default, deserialize_with = "optional_instant")]
    pub expires_at: Option<DateTime<Utc>>,
    #[serde(default, deserialize_with = "optional_instant")]
    pub confirmed_at: Option<DateTime<Utc>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Amounts {
    pub change_total_amount: Number,
    pub change_total_currency: Iso,
    pub penalty_total_amount: Option<Number>,
    pub penalty_total_currency: Option<Iso>,
    pub refund_to: Option<String>,
}

/// A slice of an order as a change names it.
#[derive(Debug, Deserialize)]
pub(super) struct ChangeableSlice {
    pub id: String,
    /// Null: only asking tells.
    pub changeable: Option<bool>,
}
