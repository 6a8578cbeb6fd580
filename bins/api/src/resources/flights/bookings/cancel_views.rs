//! Penalties and cancellations of flight bookings, of all or of a part.

use schemars::JsonSchema;
use serde::Serialize;
use wayfare_domain::{Amount, BookingRef, Currency};
use wayfare_flights::Itinerary;
use wayfare_operations::{
    Error, RefundTerms,
    bookings::cancel::{PartOfBooking, Penalty},
    flights::RefusalQuote,
};

use crate::resources::{common::CurrencyCode, flights::refund_amounts::RefundAmounts};

/// What cancelling would cost.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FlightPenalty")]
pub struct PenaltyView {
    booking_ref: BookingRef,
    pnr: String,
    total_paid: Amount,
    penalty: Amount,
    platform_charges: Amount,
    change_penalties: Amount,
    waived: Amount,
    refund_amount: Amount,
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
    #[serde(skip_serializing_if = "Option::is_none")]
    asks_operator: Option<bool>,
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
            rest: Rest { total_payable: part.rest.number() },
        }
    }
}

impl TryFrom<Penalty<Itinerary>> for PenaltyView {
    type Error = Error;
    fn try_from(penalty: Penalty<Itinerary>) -> Result<Self, Error> {
        let (total_paid, waived) = (penalty.total_paid()?, penalty.waived()?);
        let Penalty { booking, terms, change_penalties, part, .. } = penalty;
        Ok(Self {
            booking_ref: booking.reference,
            pnr: booking.summary.pnr,
            total_paid: total_paid.number(),
            penalty: terms.cancellation_charge.number(),
            platform_charges: terms.platform_charges.number(),
            change_penalties: change_penalties.number(),
            waived: waived.number(),
            refund_amount: terms.refund_to_wallet.number(),
            currency: booking.amount.currency(),
            asks_operator: None,
            part: part.as_ref().map(PartView::from),
        })
    }
}

impl TryFrom<RefusalQuote> for PenaltyView {
    type Error = Error;
    fn try_from(quote: RefusalQuote) -> Result<Self, Error> {
        Ok(Self { asks_operator: Some(quote.asks_operator), ..Self::try_from(quote.penalty)? })
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
