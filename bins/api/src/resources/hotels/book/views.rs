//! The answer of a booking.

use wayfare_contract::{
    hotels::{HotelBooked, HotelName, PaidPricing, Reservation},
    vocabulary::PaymentStatus,
};
use wayfare_operations::{
    Error,
    hotels::{Booked, Breakdown},
};

use crate::resources::{
    common::{amount, code},
    hotels::common::{confirmation, rooms},
};

/// The answer of a booking (P-2, P-14, P-15).
///
/// # Errors
/// When its stored amounts don't add up.
pub fn booked(booked: Booked) -> Result<HotelBooked, Error> {
    let Booked { booking, orders } = booked;
    let confirmation = confirmation(&orders);
    let parts = Breakdown::of_booking(&booking)?;
    let stay = booking.product;
    Ok(HotelBooked {
        booking_id: booking.reference.to_string(),
        booking_ref: booking.reference.to_string(),
        status: booking.status.as_ref().into(),
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
            currency: code(booking.amount.currency()),
            room_charges: amount(parts.rooms),
            taxes: amount(parts.taxes),
            fees: amount(parts.fees),
            discounts: amount(parts.discounts),
            total_paid: amount(booking.amount),
            payment_status: PaymentStatus::Pending,
        },
    })
}
