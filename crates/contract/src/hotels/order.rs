//! Booking rooms: what is ordered and how it is confirmed.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use super::HotelPrice;
#[cfg(feature = "schema")]
use crate::schema::{BookingRef, CapitalStatus, CurrencyCode};
use crate::{
    Amount,
    vocabulary::{BookingStatus, GuestType, PaymentStatus, Title},
};

/// A booking to be made.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "BookHotelRequest"))]
pub struct HotelOrder {
    /// Names the price to book, until `expires_at`.
    pub price_id: String,
    /// The hotel: the provider's code, a colon and the supplier's own id, such as `liteapi:lp1897`.
    pub hotel_id: String,
    /// The day of arrival, `YYYY-MM-DD`.
    pub check_in: NaiveDate,
    /// The day of departure, `YYYY-MM-DD`.
    pub check_out: NaiveDate,
    /// One for each room, with its guests.
    pub rooms: Vec<RoomOrder>,
    /// How the guests are reached.
    pub contact: StayContact,
    /// What the hotel is to know, at most 500 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remarks: Option<String>,
    /// The price as it was shown, to be sure that nothing else is booked.
    #[serde(rename = "fare", skip_serializing_if = "Option::is_none")]
    pub agreed_fare: Option<AgreedFare>,
    /// True books even if the same people were booked on the same flights, or in the same hotel on the same days, within 10
    /// minutes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub allow_duplicate: bool,
}
body! { HotelOrder { remarks: &str, agreed_fare: AgreedFare, allow_duplicate: bool } }

impl HotelOrder {
    /// What was priced, for these people in these rooms.
    pub fn of(
        priced: &HotelPrice,
        (check_in, check_out): (NaiveDate, NaiveDate),
        rooms: Vec<RoomOrder>,
        contact: StayContact,
    ) -> Self {
        Self {
            price_id: priced.price_id.to_string(),
            hotel_id: priced.hotel_id.clone(),
            check_in,
            check_out,
            rooms,
            contact,
            remarks: None,
            agreed_fare: None,
            allow_duplicate: false,
        }
    }
}

/// A room and who sleeps in it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "BookHotelRoom"))]
pub struct RoomOrder {
    /// The room.
    pub room_id: String,
    /// The rate at which the room is sold.
    pub rate_id: String,
    /// As many adults and children as were searched for it.
    pub guests: Vec<Guest>,
}

/// Somebody who is to sleep there.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "BookHotelGuest"))]
pub struct Guest {
    /// Whether they are grown up.
    #[serde(rename = "type")]
    pub kind: GuestType,
    /// `Mr`, `Mrs`, `Ms`, `Miss`, `Mstr` or `Dr`, in any case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<Title>,
    /// Given names, as in the passport.
    pub first_name: String,
    /// Family name, as in the passport.
    pub last_name: String,
    /// ISO 3166 code of the country whose passport the person has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nationality: Option<String>,
    /// A child's age, one of those that were searched for the room; children without one get the others in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub age: Option<u8>,
}
body! { Guest { title: Title, nationality: &str } }

impl Guest {
    /// An adult.
    pub fn adult(first_name: &str, last_name: &str) -> Self {
        Self {
            kind: GuestType::Adult,
            title: None,
            first_name: first_name.to_owned(),
            last_name: last_name.to_owned(),
            nationality: None,
            age: None,
        }
    }

    /// A child of this age.
    pub fn child(first_name: &str, last_name: &str, age: u8) -> Self {
        Self { kind: GuestType::Child, age: Some(age), ..Self::adult(first_name, last_name) }
    }
}

/// How guests are reached.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "BookHotelContact"))]
pub struct StayContact {
    /// Given names, as in the passport.
    pub first_name: String,
    /// Family name, as in the passport.
    pub last_name: String,
    /// An e-mail address.
    pub email: String,
    /// Digits, or E.164.
    pub phone: String,
}

/// The fare that must still be true when it is booked.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "BookHotelFare"))]
pub struct AgreedFare {
    /// As shown in the price; not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub public_fare: Option<Amount>,
    /// The agent fare that was shown. The call is refused if the price is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_fare: Option<Amount>,
    /// As shown in the price; not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_commission: Option<Amount>,
    /// ISO 4217 code of the currency of these amounts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
}
body! { AgreedFare { public_fare: Amount, agent_fare: Amount, agent_commission: Amount, currency: &str } }

/// The answer of a booking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "HotelConfirmation"))]
pub struct HotelBooked {
    /// The booking's reference; the same as `booking_ref`.
    #[cfg_attr(feature = "schema", schemars(with = "BookingRef"))]
    pub booking_id: String,
    /// The booking's reference, such as `HTL-7K2M9Q4X`.
    #[cfg_attr(feature = "schema", schemars(with = "BookingRef"))]
    pub booking_ref: String,
    /// Where it stands.
    #[serde(serialize_with = "crate::capitals::serialize")]
    #[cfg_attr(feature = "schema", schemars(with = "CapitalStatus"))]
    pub status: BookingStatus,
    /// Under which the hotel knows the guests; empty until it is told.
    pub confirmation_number: String,
    /// The supplier's confirmation; "" while there is none.
    pub provider_confirmation: String,
    /// When it was asked for, UTC.
    pub created_at: DateTime<Utc>,
    /// The hotel.
    pub hotel: HotelName,
    /// The stay.
    pub reservation: Reservation,
    /// What it costs.
    pub pricing: PaidPricing,
}

/// A hotel's name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HotelName {
    /// Its name.
    pub name: String,
}

/// A stay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reservation {
    /// The day of arrival, `YYYY-MM-DD`.
    pub check_in: NaiveDate,
    /// The day of departure, `YYYY-MM-DD`.
    pub check_out: NaiveDate,
    /// How many nights.
    pub nights: i64,
    /// The rooms.
    pub rooms: Vec<ReservedRoom>,
}

/// A room and who sleeps in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReservedRoom {
    /// The room in the supplier's words.
    pub room_type: String,
    /// Who sleeps there.
    pub guests: Vec<GuestName>,
}

/// A guest's name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GuestName {
    /// Whether they are grown up.
    #[serde(rename = "type")]
    pub kind: GuestType,
    /// How the person is addressed.
    pub title: Option<Title>,
    /// Given names, as in the passport.
    pub first_name: String,
    /// Family name, as in the passport.
    pub last_name: String,
    /// A child's age; null of an adult.
    pub age: Option<u8>,
}

/// What a booking costs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PaidPricing {
    /// Of these amounts, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
    /// What the rooms cost.
    pub room_charges: Amount,
    /// Taxes that the price has in it.
    pub taxes: Amount,
    /// Fees that the price has in it.
    pub fees: Amount,
    /// What was taken off.
    pub discounts: Amount,
    /// What the wallet pays.
    pub total_paid: Amount,
    /// Pending just after booking (P-14).
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("enum" = ["pending"])))]
    pub payment_status: PaymentStatus,
}
