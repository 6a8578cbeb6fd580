//! Penalties and cancellations of flight bookings, of all or of a part.

use schemars::JsonSchema;
use serde::Serialize;
use wayfare_domain::{Amount, BookingRef, Currency};
use wayfare_flights::Itinerary;
use wayfare_operations::{
    RefundTerms,
    bookings::cancel::{PartOfBooking, Penalty},
};

use crate::resources::{common::CurrencyCode, flights::refund_amounts::RefundAmounts};

/// What cancelling would cost.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FlightPenalty")]
pub struct PenaltyView {
    booking_ref: BookingRef,
    pnr: String,
    penalty: Amount,
    refund_amount: Amount,
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
    #[serde(flatten)]
    part: Option<PartView>,
}

/// What was asked of a part of a booking, and what was paid for the rest.
#[derive(Serialize, JsonSchema)]
struct PartView {
    part: JourneysAndPassengers,
    rest: Rest,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "PartOfBooking")]
struct JourneysAndPassengers {
    journeys: Vec<usize>,
    passengers: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "RestOfBooking")]
struct Rest {
    total_payable: Amount,
}

impl From<&PartOfBooking> for PartView {
    fn from(part: &PartOfBooking) -> Self {
        Self {
            part: JourneysAndPassengers {
                journeys: part.journeys.clone(),
                passengers: part.travellers.iter().map(u32::to_string).collect(),
            },
            rest: Rest {
                total_payable: part.rest.number(),
            },
        }
    }
}

impl From<Penalty<Itinerary>> for PenaltyView {
    fn from(Penalty { booking, terms, part }: Penalty<Itinerary>) -> Self {
        Self {
            booking_ref: booking.reference,
            pnr: booking.summary.pnr,
            penalty: terms.cancellation_charge.number(),
            refund_amount: terms.refund_to_wallet.number(),
            currency: booking.amount.currency(),
            part: part.as_ref().map(PartView::from),
        }
    }
}

/// A cancellation that was carried out.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FlightCancellation")]
pub struct CancelledView {
    booking_ref: BookingRef,
    #[schemars(extend("enum" = ["cancelled"]))]
    status: &'static str,
    #[serde(flatten)]
    amounts: RefundAmounts,
    #[serde(flatten)]
    part: Option<PartView>,
}

impl CancelledView {
    /// What was given back of this booking, which is all of it or this part.
    pub fn of(booking_ref: BookingRef, terms: &RefundTerms, part: Option<&PartOfBooking>) -> Self {
        Self {
            booking_ref,
            status: "cancelled",
            amounts: RefundAmounts::from(terms),
            part: part.map(PartView::from),
        }
    }
}
