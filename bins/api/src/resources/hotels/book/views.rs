//! The answer of a booking.

use chrono::{DateTime, NaiveDate, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use wayfare_domain::{Amount, BookingRef, Currency};
use wayfare_operations::{
    Error,
    hotels::{Booked, Breakdown},
};

use crate::resources::{
    common::{CapitalStatus, CurrencyCode},
    hotels::common::{ReservedRoom, confirmation, rooms},
};

/// The answer of a booking (P-2, P-14, P-15).
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "HotelConfirmation")]
pub struct Confirmation {
    booking_id: BookingRef,
    booking_ref: BookingRef,
    #[schemars(with = "CapitalStatus")]
    status: String,
    confirmation_number: String,
    provider_confirmation: String,
    created_at: DateTime<Utc>,
    hotel: HotelName,
    reservation: Reservation,
    pricing: PaidPricing,
}

#[derive(Serialize, JsonSchema)]
struct HotelName {
    name: String,
}

#[derive(Serialize, JsonSchema)]
struct Reservation {
    check_in: NaiveDate,
    check_out: NaiveDate,
    nights: i64,
    rooms: Vec<ReservedRoom>,
}

#[derive(Serialize, JsonSchema)]
struct PaidPricing {
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
    room_charges: Amount,
    taxes: Amount,
    fees: Amount,
    discounts: Amount,
    total_paid: Amount,
    #[schemars(extend("enum" = ["pending"]))]
    payment_status: &'static str,
}

impl TryFrom<Booked> for Confirmation {
    type Error = Error;
    fn try_from(booked: Booked) -> Result<Self, Error> {
        let Booked { booking, orders } = booked;
        let confirmation = confirmation(&orders);
        let parts = Breakdown::of_booking(&booking)?;
        let stay = booking.product;
        Ok(Self {
            booking_id: booking.reference.clone(),
            booking_ref: booking.reference,
            status: booking.status.as_ref().to_uppercase(),
            confirmation_number: confirmation.clone(),
            provider_confirmation: confirmation,
            created_at: booking.created_at,
            reservation: Reservation {
                check_in: stay.check_in,
                check_out: stay.check_out,
                nights: stay.nights(),
                rooms: rooms(&stay),
            },
            hotel: HotelName { name: stay.hotel_name },
            pricing: PaidPricing {
                currency: booking.amount.currency(),
                room_charges: parts.rooms.number(),
                taxes: parts.taxes.number(),
                fees: parts.fees.number(),
                discounts: parts.discounts.number(),
                total_paid: booking.amount.number(),
                payment_status: "pending",
            },
        })
    }
}

impl Confirmation {
    /// Whether its outcome is not known yet.
    pub fn is_pending(&self) -> bool {
        self.status == "PENDING"
    }
}
