//! What giving a fare back, changing it or not showing up costs, by the hours before departure.

use serde::{Deserialize, Serialize};
use strum::{AsRefStr, VariantNames};
use wayfare_domain::{Money, PassengerType};

/// For what a fee is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, AsRefStr, VariantNames, Serialize, Deserialize)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
pub enum FeeKind {
    /// The fare is given back.
    Cancellation,
    /// The date is changed.
    DateChange,
    /// The traveller does not come.
    NoShow,
}

/// One line of a supplier's rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FareFee {
    /// What the traveller does that costs it.
    pub kind: FeeKind,
    /// The part of the journey, as the supplier names it (`DEL-BOM`); none for all of it.
    pub route: Option<String>,
    /// For whom; none for everybody.
    pub passenger: Option<PassengerType>,
    /// Whether it is possible at all; none when the supplier doesn't say.
    pub allowed: Option<bool>,
    /// What the airline takes, in the currency in which the supplier says it; none when it doesn't say.
    pub amount: Option<Money>,
    /// What the supplier takes beside that.
    pub supplier_fee: Option<Money>,
    /// From so many hours before departure; none = from the booking on.
    pub from_hours: Option<u32>,
    /// Until so many hours before departure; none = until departure.
    pub until_hours: Option<u32>,
    /// It is for what is done after departure; then no hours are told.
    #[serde(default)]
    pub after_departure: bool,
    /// In the supplier's own words.
    pub text: Option<String>,
}

impl FareFee {
    /// What is done before departure, whoever does it: whether it is allowed, and what it costs.
    pub fn of(kind: FeeKind, allowed: bool, amount: Option<Money>) -> Self {
        Self {
            kind,
            route: None,
            passenger: None,
            allowed: Some(allowed),
            amount,
            supplier_fee: None,
            from_hours: None,
            until_hours: None,
            after_departure: false,
            text: None,
        }
    }
}

/// The rules of one offer, as far as its supplier tells them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FareRules {
    /// In the supplier's order.
    pub fees: Vec<FareFee>,
    /// What the supplier says beside them, in its own words; empty when nothing.
    pub text: String,
}
