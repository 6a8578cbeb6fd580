//! Hotel bookings as they are listed and looked at.

use std::ops::Deref;

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

#[cfg(feature = "schema")]
use crate::schema::{BookingRef, CurrencyCode};
use crate::{
    Amount, BookedFacts, BookingCost, PendingStep,
    vocabulary::{BookingStatus, ConfirmationSource, GuestType, MealPlan, PaymentStatus, Title},
};

/// A booking in the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HotelBookingRow {
    /// Its id.
    pub id: Uuid,
    /// The booking's reference, such as `HTL-7K2M9Q4X`.
    #[cfg_attr(feature = "schema", schemars(with = "BookingRef"))]
    pub booking_ref: String,
    /// The supplier's code.
    pub provider: String,
    /// The supplier's own id of the booking; "" while there is none.
    pub provider_booking_id: String,
    /// The supplier's confirmation; "" while there is none.
    pub provider_confirmation: String,
    /// The hotel: the provider's code, a colon and the supplier's own id, such as `liteapi:lp1897`.
    pub hotel_id: String,
    /// The hotel's name.
    pub hotel_name: String,
    /// The day of arrival, `YYYY-MM-DD`.
    pub check_in: NaiveDate,
    /// The day of departure, `YYYY-MM-DD`.
    pub check_out: NaiveDate,
    /// How many nights.
    pub nights: i64,
    /// How many rooms.
    pub room_count: usize,
    /// Of its amounts, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
    /// What the booking costs, ancillaries included.
    pub total_amount: Amount,
    /// The supplier's total less its commission.
    pub net_amount: Amount,
    /// What the traveller pays.
    pub public_fare: Amount,
    /// Where it stands.
    pub status: BookingStatus,
    /// Whether the stay is paid.
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("enum" = ["pending", "paid", "refunded"])))]
    pub payment_status: PaymentStatus,
    /// What it has cost until now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<BookingCost>,
    /// When the supplier confirmed it; null until then.
    pub booked_at: Option<DateTime<Utc>>,
    /// When it was cancelled; null if it is not.
    pub cancelled_at: Option<DateTime<Utc>>,
    /// E-mail address of whoever is reached about the trip.
    pub contact_email: String,
    /// Phone number of whoever is reached about the trip.
    pub contact_phone: String,
    /// When it was asked for, UTC.
    pub created_at: DateTime<Utc>,
    /// What bookings of both products show.
    #[serde(flatten)]
    pub facts: BookedFacts,
    /// What is under way on the booking.
    #[serde(default)]
    pub pending: Vec<PendingStep>,
    /// Who sleeps there.
    pub guests: Vec<BookedGuest>,
}

/// A booking with what it costs to give it back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HotelBooking {
    /// The booking as lists have it.
    #[serde(flatten)]
    pub row: HotelBookingRow,
    /// Whose number the confirmation is: the hotel's own, or the supplier's until the hotel has told one.
    pub confirmation_source: ConfirmationSource,
    /// The hotel's own numbers, as far as they are told.
    #[serde(default)]
    pub confirmations: Vec<HotelNumber>,
    /// Its rooms.
    #[serde(default)]
    pub rooms: Vec<BookedRoom>,
    /// What its prices are made of.
    pub pricing: StayPricing,
    /// What giving it back costs, and from when.
    pub cancellation_policy: CancellationPolicy,
    /// What has to be told to guests.
    #[serde(default)]
    pub remarks: Vec<String>,
}

wayfare_digits::keep_digits!(HotelBooking);

impl Deref for HotelBooking {
    type Target = HotelBookingRow;

    fn deref(&self) -> &HotelBookingRow {
        &self.row
    }
}

/// What the guests' price and the agency's are made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "HotelBookingPricing"))]
pub struct StayPricing {
    /// What the rooms cost.
    pub room_charges: Amount,
    /// Taxes that the price has in it.
    pub taxes: Amount,
    /// Fees that the price has in it.
    pub fees: Amount,
    /// What is taken off, not below zero.
    pub discounts: Amount,
    /// What of the public fare is the agency's markup; 0 where that is taken from the commission.
    pub public_markup: Amount,
    /// What the guests pay: rooms, taxes and fees less discounts, with the markup.
    pub public_fare: Amount,
    /// What the organization earns; null without a package.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_commission: Option<Amount>,
    /// The platform's fees in the agent fare.
    pub platform_charges: Amount,
    /// What the wallet pays: the public fare less the commission, with the platform's fees.
    pub agent_fare: Amount,
}

/// A guest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Guest"))]
pub struct BookedGuest {
    /// The guest's place in the booking.
    pub id: String,
    /// How the person is addressed.
    pub title: Option<Title>,
    /// Given names, as in the passport.
    pub first_name: String,
    /// Family name, as in the passport.
    pub last_name: String,
    /// Whether they are grown up.
    #[serde(rename = "type")]
    pub kind: GuestType,
    /// ISO 3166 code of the country whose passport the person has.
    pub nationality: Option<String>,
    /// A child's age; null of an adult.
    pub age: Option<u8>,
    /// The place of the guest's room in the booking, from 1.
    pub room: u16,
}

/// The rooms of one kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BookedRoom {
    /// The room.
    pub room_id: String,
    /// The name.
    pub name: String,
    /// How many of it.
    pub quantity: u16,
    /// Which meals are included.
    pub meal_plan: MealPlan,
    /// What guests pay at the hotel, in no total; if there are several currencies, the sum in the first one.
    pub pay_at_hotel_fees: Amount,
    /// Of that, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "Option<CurrencyCode>"))]
    pub pay_at_hotel_fees_currency: Option<String>,
}

/// The hotel's own number of a room.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "HotelConfirmationNumber"))]
pub struct HotelNumber {
    /// Of which room of the supplier's list, from 1; missing where it is of all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room: Option<u16>,
    /// The hotel's own number of the room.
    pub number: String,
    /// When we were told of it, UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub told_at: Option<DateTime<Utc>>,
}

/// What giving a stay back costs, each deadline as an instant, by the hotel's clocks and in the supplier's words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Policy"))]
pub struct CancellationPolicy {
    /// Whether anything comes back; false if everything is kept from now on, null where it isn't known.
    pub refundable: Option<bool>,
    /// Until when cancelling is free, UTC; null if that time is over or never was.
    pub free_until: Option<DateTime<Utc>>,
    /// The hotel's time zone; null where it isn't known.
    pub time_zone: Option<String>,
    /// From when cancelling costs how much, in order.
    pub deadlines: Vec<Deadline>,
    /// What else guests should know.
    pub remarks: Vec<String>,
}

/// From when giving a stay back costs how much.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Deadline {
    /// From when it costs this, UTC.
    pub from: DateTime<Utc>,
    /// The same by the hotel's clocks.
    pub local: Option<String>,
    /// As the supplier wrote it.
    pub text: String,
    /// What is kept: on a voucher of what the guests pay, elsewhere of what the supplier was paid.
    pub fee: Amount,
    /// Of it, ISO 4217: the supplier's, and on a voucher that of the price.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
    /// What does not come back to the wallet, in its currency; absent where nobody knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_fee: Option<Amount>,
    /// What the guests bear of their price, in the wallet's currency; absent where nobody knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guest_fee: Option<Amount>,
}
