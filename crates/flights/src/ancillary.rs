//! What a supplier sells beside the fare: seats, bags, meals.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use wayfare_domain::{Money, MoneyError};

/// How much longer than its offer seats are waited for. They are nice to have, and somebody is waiting.
pub(crate) const SEATS_WAIT: Duration = Duration::from_secs(3);

wayfare_domain::word_enum! {
    /// What it is (docs/API.md, Price).
    #[derive(Hash)]
    pub enum AncillaryKind in "SCREAMING_SNAKE_CASE" {
        /// A meal on board.
        Meal,
        /// Baggage beyond what the fare includes.
        Baggage,
        /// A seat of the traveller's choice.
        Seat,
        /// Anything else.
        Other,
    }
}

/// Something that one traveller can buy with a priced order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ancillary {
    /// Seat, bag, meal or something else.
    pub kind: AncillaryKind,
    /// Names it within its order, kind and segments: a seat's is its designator (`12A`). The same for every traveller
    /// who can have it at this price.
    pub code: String,
    /// For people: `Checked bag 23 kg`.
    pub name: String,
    /// Of one for one traveller, in the supplier's currency.
    pub price: Money,
    /// The flights that it covers, by their places among all of the order, from 0; never empty.
    pub segments: Vec<u16>,
    /// How many one traveller may buy.
    pub most: u32,
}

/// An ancillary that one traveller is to get.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AncillaryChoice {
    /// The traveller's index.
    pub traveller: u32,
    /// As the quote, or the order's catalog, sells it.
    pub ancillary: Ancillary,
    /// How many of it, at most [`Ancillary::most`].
    pub quantity: u32,
    /// What the adapter sends for it ([`crate::FlightSupplier::order_wire_format`]), null until it was asked; opaque to
    /// others.
    #[serde(rename = "words")]
    pub wire_format: Value,
}

impl AncillaryChoice {
    /// A choice of which the supplier does not know yet.
    pub fn new(traveller: u32, ancillary: Ancillary, quantity: u32) -> Self {
        Self { traveller, ancillary, quantity, wire_format: Value::Null }
    }

    /// What it costs, in the supplier's currency.
    pub fn cost(&self) -> Result<Money, MoneyError> {
        self.ancillary.price.times(self.quantity.into())
    }
}

/// What can still be bought for an order that stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SoldServices {
    /// Empty where nothing can be added any more.
    pub ancillaries: Vec<Ancillary>,
    /// What the adapter needs to sell them ([`crate::FlightSupplier::order_wire_format`]); opaque to others.
    #[serde(rename = "shelf")]
    pub ancillary_catalog: Value,
    /// What the adapter needs to know of the order as it is before anything is added, so that what was added is told from
    /// what was there; opaque to others.
    #[serde(rename = "memory")]
    pub supplier_context: Value,
}

/// Services to be added to an order that stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddedServices {
    /// What, each for one traveller; never empty.
    #[serde(rename = "extras")]
    pub ancillaries: Vec<AncillaryChoice>,
    /// The order before them ([`SoldServices::supplier_context`]).
    #[serde(rename = "memory")]
    pub supplier_context: Value,
    /// What they cost together, in the supplier's currency.
    pub total: Money,
}
