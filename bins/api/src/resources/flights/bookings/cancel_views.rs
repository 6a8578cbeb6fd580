//! Penalties and cancellations of flight bookings, of all or of a part.

use wayfare_contract::{
    flights::{FlightCancelled, FlightPenalty, PartOfBooking, RestOfBooking},
    vocabulary::BookingStatus,
};
use wayfare_domain::BookingRef;
use wayfare_flights::Itinerary;
use wayfare_operations::{
    Error, RefundTerms,
    bookings::cancel::{self, Penalty},
    flights::RefusalQuote,
};

use crate::resources::{
    common::{amount, code},
    flights::refund_amounts::refund_amounts,
};

fn part_of(part: &cancel::PartOfBooking) -> PartOfBooking {
    PartOfBooking {
        journeys: part.journeys.clone(),
        passengers: part.travellers.iter().map(u32::to_string).collect(),
    }
}

fn rest_of(part: &cancel::PartOfBooking) -> RestOfBooking {
    RestOfBooking { total_payable: amount(part.rest) }
}

/// What cancelling would cost.
///
/// # Errors
/// When amounts don't add up.
pub fn penalty(penalty: Penalty<Itinerary>) -> Result<FlightPenalty, Error> {
    let (total_paid, waived) = (penalty.total_paid()?, penalty.waived()?);
    let Penalty { booking, terms, change_penalties, part, .. } = penalty;
    Ok(FlightPenalty {
        booking_ref: booking.reference.to_string(),
        pnr: booking.summary.pnr,
        total_paid: amount(total_paid),
        penalty: amount(terms.cancellation_charge),
        platform_charges: amount(terms.platform_charges),
        change_penalties: amount(change_penalties),
        waived: amount(waived),
        refund_amount: amount(terms.refund_to_wallet),
        currency: code(booking.amount.currency()),
        asks_operator: None,
        part: part.as_ref().map(part_of),
        rest: part.as_ref().map(rest_of),
    })
}

/// What refusing a change would give back.
///
/// # Errors
/// When amounts don't add up.
pub fn refusal(quote: RefusalQuote) -> Result<FlightPenalty, Error> {
    Ok(FlightPenalty { asks_operator: Some(quote.asks_operator), ..penalty(quote.penalty)? })
}

/// What was given back of this booking, which is all of it or this part.
pub fn cancelled(
    booking_ref: &BookingRef,
    terms: &RefundTerms,
    part: Option<&cancel::PartOfBooking>,
) -> FlightCancelled {
    let amounts = refund_amounts(terms);
    FlightCancelled {
        booking_ref: booking_ref.to_string(),
        status: BookingStatus::Cancelled,
        amounts,
        part: part.map(part_of),
        rest: part.map(rest_of),
    }
}
