//! The answer of book.

use wayfare_contract::flights::{BookedLeg, FlightBooked};
use wayfare_domain::{Money, Zone};
use wayfare_flights::SupplierOrder;
use wayfare_operations::{
    Order,
    flights::{Booked, BookingHold},
};

use crate::resources::{
    common::{amount, code},
    flights::bookings::hold::shown,
};

/// The booking as the call left it; times of issue in the agency's time zone.
pub fn confirmation(booked: Booked, hold: Option<BookingHold>, zone: Zone) -> FlightBooked {
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
                origin: leg.segments.first().map(|segment| segment.origin.to_string()).unwrap_or_default(),
                destination: leg
                    .segments
                    .last()
                    .map(|segment| segment.destination.to_string())
                    .unwrap_or_default(),
                gross_amount: amount(amounts.next().unwrap_or(Money::zero(currency))),
                currency: code(currency),
            });
        }
    }
    FlightBooked {
        booking_ref: booking.reference.to_string(),
        provider: booking.summary.provider,
        status: booking.status.as_ref().into(),
        total_amount: amount(booking.amount),
        currency: code(currency),
        hold: hold.map(shown),
        legs,
    }
}

fn first_ticket(order: &Order<SupplierOrder>) -> String {
    let tickets = order.content.as_ref().map(|content| content.tickets.as_slice()).unwrap_or_default();
    tickets.first().map(|ticket| ticket.number.clone()).unwrap_or_default()
}
