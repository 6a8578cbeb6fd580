//! The product of a flight booking: who flies what, under which orders. Stored with the booking as it is.

use serde::{Deserialize, Serialize};
use wayfare_domain::{
    Awaited, Contact, OrderFacts, OrderStatus, Product, ProductKind, TicketStatus, Traveller,
};

use crate::{FareDetails, Journey, PassengerShare, SupplierOrder};

/// What one supplier order covers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItineraryOrder {
    /// The supplier's code.
    pub supplier: String,
    /// The journeys, in order.
    #[serde(rename = "legs")]
    pub journeys: Vec<Journey>,
    /// The kind of fare.
    pub fare: FareDetails,
    /// What each passenger's share was, in the wallet's currency.
    pub shares: Vec<PassengerShare>,
    /// The indices of those who travel by it; everybody where it does not say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub travellers: Vec<u32>,
}

/// What was bought.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Itinerary {
    /// One for each supplier order, in order of their numbers.
    pub orders: Vec<ItineraryOrder>,
    /// Who travels, in order of their index.
    pub travellers: Vec<Traveller>,
    /// How they are reached.
    pub contact: Contact,
}

impl Product for Itinerary {
    const KIND: ProductKind = ProductKind::Flight;
    type Order = SupplierOrder;

    fn facts(order: &SupplierOrder) -> OrderFacts<'_> {
        OrderFacts {
            id: &order.id,
            status: order.status,
            locator: &order.pnr,
            total: order.total,
            awaited: match order.status {
                OrderStatus::Held => Awaited::Payment(order.payment_required_by),
                OrderStatus::Confirmed if order.tickets.is_empty() => Awaited::Documents,
                _ => Awaited::Nothing,
            },
        }
    }

    fn give_back(order: &mut SupplierOrder) {
        order.status = OrderStatus::Cancelled;
        for ticket in &mut order.tickets {
            ticket.status = TicketStatus::Refunded;
        }
    }
}

impl Itinerary {
    /// Every journey in order.
    pub fn journeys(&self) -> impl Iterator<Item = &Journey> {
        self.orders.iter().flat_map(|order| &order.journeys)
    }
}
