//! Hotel bookings: ordering, looking at them, the voucher, giving them back (docs/API.md, Hotels).

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{
    price::{CancellationPolicy, HotelPrice},
    search::HotelFee,
};
use crate::{
    Amount, BookingCost,
    enums::{BookingStatus, ConfirmationSource, GuestType, MealPlan, PaymentStatus, Title},
    flights::PendingStep,
};

/// A booking to be made.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HotelOrder {
    /// What was priced.
    pub price_id: String,
    /// The hotel.
    pub hotel_id: String,
    /// As it was priced.
    pub check_in: NaiveDate,
    /// As it was priced.
    pub check_out: NaiveDate,
    /// One for each room.
    pub rooms: Vec<RoomOrder>,
    /// How the guests are reached.
    pub contact: StayContact,
    /// What the hotel is to know, at most 500 characters; Wayfare's addition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remarks: Option<String>,
    /// The fare that must still be true; 400 where it isn't.
    #[serde(rename = "fare", skip_serializing_if = "Option::is_none")]
    pub agreed_fare: Option<AgreedFare>,
    /// Though the same people were just booked in the same hotel on the same days; Wayfare's addition.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub allow_duplicate: bool,
}

impl HotelOrder {
    /// What was priced, for these people in these rooms.
    pub fn of(
        priced: &HotelPrice,
        (check_in, check_out): (NaiveDate, NaiveDate),
        rooms: Vec<RoomOrder>,
        contact: StayContact,
    ) -> Self {
        Self {
            price_id: priced.price_id.clone(),
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
pub struct RoomOrder {
    /// The room.
    pub room_id: String,
    /// The rate.
    pub rate_id: String,
    /// As many adults and children as were searched for it.
    pub guests: Vec<Guest>,
}

/// Somebody who is to sleep there.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Guest {
    /// Whether they are grown up.
    #[serde(rename = "type")]
    pub kind: GuestType,
    /// How they are addressed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<Title>,
    /// Their first name.
    pub first_name: String,
    /// Their family name.
    pub last_name: String,
    /// ISO 3166-1, two letters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nationality: Option<String>,
    /// A child's age, one of those that were searched for the room; children without one get the others in order. Wayfare's
    /// addition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub age: Option<u8>,
}

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
pub struct StayContact {
    /// Their first name.
    pub first_name: String,
    /// Their family name.
    pub last_name: String,
    /// An e-mail address.
    pub email: String,
    /// Digits, or E.164.
    pub phone: String,
}

/// The fare that must still be true when it is booked.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct AgreedFare {
    /// Read, and not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub public_fare: Option<Amount>,
    /// What the wallet is to pay.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_fare: Option<Amount>,
    /// Read, and not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_commission: Option<Amount>,
    /// Of these amounts, ISO 4217.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
}

/// A booking that was made.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct HotelBooked {
    /// Its reference: `HTL-…`.
    pub booking_id: String,
    /// Confirmed.
    pub status: BookingStatus,
    /// Under which the hotel knows the guests; empty until it is told.
    pub confirmation_number: String,
    /// The supplier's own reference.
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
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct HotelName {
    /// Its name.
    pub name: String,
}

/// A stay.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Reservation {
    /// The first night.
    pub check_in: NaiveDate,
    /// The day of leaving.
    pub check_out: NaiveDate,
    /// How many nights.
    pub nights: u32,
    /// The rooms.
    pub rooms: Vec<ReservedRoom>,
}

/// A room and who sleeps in it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct ReservedRoom {
    /// Its name.
    pub room_type: String,
    /// Who sleeps there.
    pub guests: Vec<GuestName>,
}

/// A guest's name.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct GuestName {
    /// Whether they are grown up.
    #[serde(rename = "type")]
    pub kind: GuestType,
    /// How they are addressed.
    pub title: Option<Title>,
    /// Their first name.
    pub first_name: String,
    /// Their family name.
    pub last_name: String,
    /// A child's age; Wayfare's addition.
    pub age: Option<u8>,
}

/// What a booking costs.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct PaidPricing {
    /// Of these amounts, ISO 4217.
    pub currency: String,
    /// The rooms.
    pub room_charges: Amount,
    /// Taxes.
    pub taxes: Amount,
    /// Fees.
    pub fees: Amount,
    /// Discounts.
    pub discounts: Amount,
    /// What the wallet pays.
    pub total_paid: Amount,
    /// Pending just after booking (P-14).
    pub payment_status: PaymentStatus,
}

/// A booking as it is listed and looked at.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct HotelBooking {
    /// Its id.
    pub id: Uuid,
    /// Its reference: `HTL-…`.
    pub booking_ref: String,
    /// The supplier's code.
    pub provider: String,
    /// The supplier's id of it.
    pub provider_booking_id: String,
    /// The supplier's own reference.
    pub provider_confirmation: String,
    /// With its supplier's prefix.
    pub hotel_id: String,
    /// The hotel's name.
    pub hotel_name: String,
    /// The first night.
    pub check_in: NaiveDate,
    /// The day of leaving.
    pub check_out: NaiveDate,
    /// How many nights.
    pub nights: u32,
    /// How many rooms.
    pub room_count: u32,
    /// Of its amounts, ISO 4217.
    pub currency: String,
    /// What the wallet pays.
    pub total_amount: Amount,
    /// The supplier's total less its commission.
    pub net_amount: Amount,
    /// What the public pays.
    pub public_fare: Amount,
    /// Where it stands.
    pub status: BookingStatus,
    /// How it is paid.
    pub payment_status: PaymentStatus,
    /// What it has cost until now; Wayfare's addition.
    pub cost: Option<BookingCost>,
    /// When it was confirmed, UTC.
    pub booked_at: Option<DateTime<Utc>>,
    /// When it was erased whom it is for; their names are empty then.
    #[serde(default)]
    pub people_erased_at: Option<DateTime<Utc>>,
    /// When it was given back, UTC; Wayfare's addition.
    pub cancelled_at: Option<DateTime<Utc>>,
    /// What is under way on it; Wayfare's addition.
    #[serde(default)]
    pub pending: Vec<PendingStep>,
    /// How guests are reached.
    pub contact_email: String,
    /// How guests are reached.
    pub contact_phone: String,
    /// When it was asked for, UTC.
    pub created_at: DateTime<Utc>,
    /// Who sleeps there.
    pub guests: Vec<BookedGuest>,
    /// Whose number `provider_confirmation` is; only the detail tells; Wayfare's addition.
    pub confirmation_source: Option<ConfirmationSource>,
    /// The hotel's own numbers; only the detail tells; Wayfare's addition.
    #[serde(default)]
    pub confirmations: Vec<HotelNumber>,
    /// Its rooms; only the detail tells; Wayfare's addition.
    #[serde(default)]
    pub rooms: Vec<BookedRoom>,
    /// What its prices are made of; only the detail tells; Wayfare's addition.
    pub pricing: Option<StayPricing>,
    /// What giving it back costs; only the detail tells; Wayfare's addition.
    pub cancellation_policy: Option<CancellationPolicy>,
    /// What has to be told to guests; only the detail tells; Wayfare's addition.
    #[serde(default)]
    pub remarks: Vec<String>,
}

/// What the guests' price and the agency's are made of; Wayfare's addition.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct StayPricing {
    /// The rooms.
    pub room_charges: Amount,
    /// Taxes.
    pub taxes: Amount,
    /// Fees.
    pub fees: Amount,
    /// What is taken off, not below zero.
    pub discounts: Amount,
    /// The agency's markup on these.
    pub public_markup: Amount,
    /// What the guests pay: rooms, taxes and fees less discounts, with the markup.
    pub public_fare: Amount,
    /// What the organization earns; none without a package.
    pub agent_commission: Option<Amount>,
    /// The platform's fees.
    pub platform_charges: Amount,
    /// What the wallet pays: the public fare less the commission, with the platform's fees.
    pub agent_fare: Amount,
}

/// A guest.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct BookedGuest {
    /// Their id within the booking.
    pub id: String,
    /// How they are addressed.
    pub title: Option<Title>,
    /// Their first name.
    pub first_name: String,
    /// Their family name.
    pub last_name: String,
    /// Whether they are grown up.
    #[serde(rename = "type")]
    pub kind: GuestType,
    /// ISO 3166-1, two letters.
    pub nationality: Option<String>,
    /// A child's age; Wayfare's addition.
    pub age: Option<u8>,
    /// In which room, from 1; Wayfare's addition.
    pub room: Option<u16>,
}

/// The rooms of one kind.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct BookedRoom {
    /// The room.
    pub room_id: String,
    /// Its name.
    pub name: String,
    /// How many of it.
    pub quantity: u16,
    /// What is served.
    pub meal_plan: MealPlan,
    /// What is paid at the hotel.
    pub pay_at_hotel_fees: Amount,
    /// Of that, ISO 4217.
    pub pay_at_hotel_fees_currency: Option<String>,
}

/// The hotel's own number of a room.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct HotelNumber {
    /// The room, from 1; none where it is of all of them.
    pub room: Option<u16>,
    /// The number.
    pub number: String,
    /// When it was told, UTC.
    pub told_at: Option<DateTime<Utc>>,
}

/// What a guest shows at the hotel.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Voucher {
    /// Under which the hotel knows the guests.
    pub confirmation_number: String,
    /// Whose number that is; Wayfare's addition.
    pub confirmation_source: Option<ConfirmationSource>,
    /// The hotel's own numbers; Wayfare's addition.
    #[serde(default)]
    pub confirmations: Vec<HotelNumber>,
    /// The booking; Wayfare's addition.
    pub booking_ref: Option<String>,
    /// The supplier's id of it; Wayfare's addition.
    pub provider_booking_id: Option<String>,
    /// Where it stands.
    pub status: BookingStatus,
    /// The hotel's name.
    pub hotel_name: String,
    /// Where it stands.
    pub hotel_address: String,
    /// The first night.
    pub check_in: NaiveDate,
    /// The day of leaving.
    pub check_out: NaiveDate,
    /// How many nights; Wayfare's addition.
    pub nights: Option<u32>,
    /// Of the price, ISO 4217.
    pub currency: String,
    /// What the public pays; on the wire a text (D-86).
    pub total_price: Amount,
    /// The supplier's code.
    pub provider: String,
    /// The rooms; Wayfare's addition.
    #[serde(default)]
    pub rooms: Vec<ReservedRoom>,
    /// What is served, in words; Wayfare's addition.
    #[serde(default)]
    pub meals: Vec<String>,
    /// Whom to ask for; Wayfare's addition.
    pub contact_name: Option<String>,
    /// What is paid at the hotel; Wayfare's addition.
    #[serde(default)]
    pub pay_at_hotel: Vec<HotelFee>,
    /// What has to be told to guests; Wayfare's addition.
    #[serde(default)]
    pub remarks: Vec<String>,
    /// What must be printed; Wayfare's addition.
    #[serde(default)]
    pub mandatory_texts: Vec<String>,
    /// What giving it back costs; Wayfare's addition.
    pub cancellation_policy: Option<CancellationPolicy>,
}

/// Why a stay is given back.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct HotelCancel {
    /// For the journal, at most 500 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether the guest is to be told; [`HotelCancelled::guest_notified`] says whether they were.
    pub notify_guest: bool,
}

/// A cancellation that was carried out; the refund is in the wallet.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct HotelCancelled {
    /// The booking.
    pub booking_id: String,
    /// Cancelled.
    pub status: BookingStatus,
    /// When, UTC.
    pub cancelled_at: Option<DateTime<Utc>>,
    /// What the supplier keeps.
    pub cancellation_fee: CancellationFee,
    /// What came back.
    pub refund: StayRefund,
    /// Whether the guest was told of it; Wayfare's addition.
    pub guest_notified: Option<bool>,
    /// In words.
    pub message: String,
}

/// What a supplier keeps.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct CancellationFee {
    /// How much.
    pub amount: Amount,
    /// Of it, ISO 4217.
    pub currency: String,
    /// Why.
    pub reason: String,
}

/// What came back of a stay.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct StayRefund {
    /// How much.
    pub amount: Amount,
    /// Of it, ISO 4217.
    pub currency: String,
    /// What the platform keeps; Wayfare's addition.
    pub platform_charges: Option<Amount>,
    /// `wallet`.
    pub method: String,
    /// 0: it is there already.
    pub estimated_processing_days: u32,
}

/// What cancelling would cost now.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct StayPenalty {
    /// The booking.
    pub booking_ref: String,
    /// What the wallet paid for it: less the next two, and with `waived`, it is `refund_amount`. Wayfare's addition.
    pub total_paid: Option<Amount>,
    /// What the supplier keeps.
    pub cancellation_fee: CancellationFee,
    /// What the platform keeps.
    pub platform_charges: Amount,
    /// What is kept beyond what was paid, and so is charged to nobody; Wayfare's addition.
    pub waived: Option<Amount>,
    /// What comes back to the wallet.
    pub refund_amount: Amount,
    /// Of these amounts, ISO 4217.
    pub currency: String,
}
