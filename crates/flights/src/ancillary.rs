//! What a supplier sells beside the fare: seats, bags, meals.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use strum::{AsRefStr, EnumString, VariantNames};
use wayfare_domain::Money;

/// How much longer than its offer seats are waited for. They are nice to have, and somebody is waiting.
pub(crate) const SEATS_WAIT: Duration = Duration::from_secs(3);

/// What it is (contract, `ssr[].type`).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, AsRefStr, EnumString, VariantNames, Serialize, Deserialize,
)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum AncillaryKind {
    /// A meal on board.
    Meal,
    /// Baggage beyond what the fare includes.
    Baggage,
    /// A seat of the traveller's choice.
    Seat,
    /// Anything else.
    Other,
}

/// Something that one traveller can buy with a priced order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ancillary {
    /// What it is.
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
