//! Giving stays back, and what a guest shows at the hotel.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

#[cfg(feature = "schema")]
use super::search::FeeAtHotel;
use super::{CancellationPolicy, HotelFee, HotelNumber, ReservedRoom};
#[cfg(feature = "schema")]
use crate::schema::{BookingRef, CurrencyCode};
use crate::{
    Amount,
    vocabulary::{BookingStatus, ConfirmationSource},
};

/// What a guest shows at the hotel, with all that must stand on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Voucher {
    /// The hotel's confirmation, which guests show.
    pub confirmation_number: String,
    /// Whose number the confirmation is: the hotel's own, or the supplier's until the hotel has told one.
    pub confirmation_source: ConfirmationSource,
    /// The hotel's own numbers, as far as they are told.
    #[serde(default)]
    pub confirmations: Vec<HotelNumber>,
    /// The booking's reference, such as `HTL-7K2M9Q4X`.
    #[cfg_attr(feature = "schema", schemars(with = "BookingRef"))]
    pub booking_ref: String,
    /// The supplier's own id of the booking; "" while there is none.
    pub provider_booking_id: String,
    /// Where it stands.
    pub status: BookingStatus,
    /// The hotel's name.
    pub hotel_name: String,
    /// Where the hotel stands.
    pub hotel_address: String,
    /// The day of arrival, `YYYY-MM-DD`.
    pub check_in: NaiveDate,
    /// The day of departure, `YYYY-MM-DD`.
    pub check_out: NaiveDate,
    /// How many nights.
    pub nights: i64,
    /// Of the price, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
    /// What the public pays; on the wire a text (D-86).
    #[serde(serialize_with = "crate::amount::as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub total_price: Amount,
    /// The supplier's code.
    pub provider: String,
    /// The rooms.
    #[serde(default)]
    pub rooms: Vec<ReservedRoom>,
    /// The meals in the supplier's words.
    #[serde(default)]
    pub meals: Vec<String>,
    /// The name of whoever is reached about the stay.
    pub contact_name: String,
    /// What guests pay at the hotel.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<FeeAtHotel>"))]
    pub pay_at_hotel: Vec<HotelFee>,
    /// What has to be told to guests.
    #[serde(default)]
    pub remarks: Vec<String>,
    /// Texts that must be printed on the voucher.
    #[serde(default)]
    pub mandatory_texts: Vec<String>,
    /// What cancelling costs, and from when.
    pub cancellation_policy: CancellationPolicy,
}

/// Why a stay is given back.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CancelHotelBookingRequest"))]
pub struct HotelCancel {
    /// For the journal, at most 500 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether the guest is to be told; [`HotelCancelled::guest_notified`] says whether they were.
    pub notify_guest: bool,
}
body! { HotelCancel { reason: &str, notify_guest: bool } }

/// A cancellation that was carried out; the refund is in the wallet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "HotelCancellation"))]
pub struct HotelCancelled {
    /// The booking's reference; the same as `booking_ref`.
    #[cfg_attr(feature = "schema", schemars(with = "BookingRef"))]
    pub booking_id: String,
    /// The booking's reference, such as `HTL-7K2M9Q4X`.
    #[cfg_attr(feature = "schema", schemars(with = "BookingRef"))]
    pub booking_ref: String,
    /// Where it stands.
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("enum" = ["cancelled"])))]
    pub status: BookingStatus,
    /// When it was cancelled; null if it is not.
    pub cancelled_at: Option<DateTime<Utc>>,
    /// What the supplier keeps.
    pub cancellation_fee: CancellationFee,
    /// What comes back.
    pub refund: StayRefund,
    /// Whether the guest was told of it: never yet.
    pub guest_notified: bool,
    /// What happened, in words.
    pub message: String,
}

/// What a supplier keeps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CancellationFee {
    /// How much.
    pub amount: Amount,
    /// Of it, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
    /// Why it costs this.
    pub reason: String,
}

/// What came back of a stay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "HotelRefund"))]
pub struct StayRefund {
    /// How much.
    pub amount: Amount,
    /// Of it, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
    /// What of the platform's charges is kept.
    pub platform_charges: Amount,
    /// Where the money goes: `wallet`.
    pub method: String,
    /// How many days the money takes; 0, since it is in the wallet already.
    pub estimated_processing_days: u32,
}

/// What is told of a cancellation whose outcome is not known yet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HotelPending {
    /// The booking's reference; the same as `booking_ref`.
    #[cfg_attr(feature = "schema", schemars(with = "BookingRef"))]
    pub booking_id: String,
    /// The booking's reference, such as `HTL-7K2M9Q4X`.
    #[cfg_attr(feature = "schema", schemars(with = "BookingRef"))]
    pub booking_ref: String,
    /// The outcome is not known yet.
    #[serde(serialize_with = "crate::capitals::serialize")]
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("enum" = ["PENDING"])))]
    pub status: BookingStatus,
    /// Whether the guest was told of it: never yet.
    pub guest_notified: bool,
}

/// What cancelling would cost now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "HotelPenalty"))]
pub struct StayPenalty {
    /// The booking's reference, such as `HTL-7K2M9Q4X`.
    #[cfg_attr(feature = "schema", schemars(with = "BookingRef"))]
    pub booking_ref: String,
    /// What the wallet paid for it: less the next two, and with `waived`, it is `refund_amount`.
    pub total_paid: Amount,
    /// What the supplier keeps.
    pub cancellation_fee: CancellationFee,
    /// What of the platform's charges is kept.
    pub platform_charges: Amount,
    /// What is kept beyond what was paid, and so is charged to nobody: a refund is never below zero.
    pub waived: Amount,
    /// What would come back to the wallet.
    pub refund_amount: Amount,
    /// Of these amounts, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
}
