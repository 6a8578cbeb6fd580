//! The answer of book.

use schemars::JsonSchema;
use serde::Serialize;
use wayfare_domain::{Amount, BookingRef, Currency, Money, Zone};
use wayfare_flights::SupplierOrder;
use wayfare_operations::{
    Order,
    flights::{Booked, BookingHold},
};

use crate::resources::{
    common::{CapitalStatus, CurrencyCode},
    flights::bookings::hold::HoldView,
};

/// The answer of book.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FlightConfirmation")]
pub struct Confirmation {
    booking_ref: BookingRef,
    provider: String,
    #[schemars(with = "CapitalStatus")]
    status: String,
    total_amount: Amount,
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
    hold: Option<HoldView>,
    legs: Vec<BookedLeg>,
}

#[derive(Serialize, JsonSchema)]
struct BookedLeg {
    booking_track_id: String,
    provider_pnr: String,
    airline_pnr: String,
    ticket_number: String,
    origin: String,
    destination: String,
    gross_amount: Amount,
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
    issued_date: String,
}

impl Confirmation {
    /// The booking as the call left it; times of issue in the agency's time zone.
    pub fn of(booked: Booked, hold: Option<BookingHold>, zone: Zone) -> Self {
        let Booked { booking, orders } = booked;
        let currency = booking.amount.currency();
        let mut legs = Vec::new();
        for ((order, bought), sale) in orders.iter().zip(&booking.product.orders).zip(&booking.sales) {
            let paid = sale.payable().unwrap_or(Money::zero(currency));
            let mut amounts = paid.split(bought.journeys.len());
            for leg in &bought.journeys {
                let ticket = first_ticket(order);
                legs.push(BookedLeg {
                    booking_track_id: order.reference.to_string(),
                    provider_pnr: order.content.as_ref().map(|order| order.pnr.clone()).unwrap_or_default(),
                    airline_pnr: order
                        .content
                        .as_ref()
                        .map(|order| order.airline_pnr.clone())
                        .unwrap_or_default(),
                    issued_date: match booking.booked_at {
                        Some(at) if !ticket.is_empty() => {
                            at.with_timezone(&zone).format("%d/%m/%Y %H:%M:%S").to_string()
                        }
                        _ => String::new(),
                    },
                    ticket_number: ticket,
                    origin: leg
                        .segments
                        .first()
                        .map(|segment| segment.origin.to_string())
                        .unwrap_or_default(),
                    destination: leg
                        .segments
                        .last()
                        .map(|segment| segment.destination.to_string())
                        .unwrap_or_default(),
                    gross_amount: amounts.next().unwrap_or(Money::zero(currency)).number(),
                    currency,
                });
            }
        }
        Self {
            booking_ref: booking.reference,
            provider: booking.summary.provider,
            status: booking.status.as_ref().to_uppercase(),
            total_amount: booking.amount.number(),
            currency,
            hold: hold.map(HoldView::from),
            legs,
        }
    }

    /// Whether its outcome is not known yet.
    pub fn is_pending(&self) -> bool {
        self.status == "PENDING"
    }
}

fn first_ticket(order: &Order<SupplierOrder>) -> String {
    let tickets = order.content.as_ref().map(|content| content.tickets.as_slice()).unwrap_or_default();
    tickets.first().map(|ticket| ticket.number.clone()).unwrap_or_default()
}
