#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod exchange;
mod formula;
mod paid;
mod price;
mod rules;
mod sale;
mod trace;

pub use exchange::{KnownRates, NoRate, RateSource, RateTable};
pub use paid::Paid;
pub use price::Price;
pub use rules::{
    ApplyOn, Asked, Contract, Fee, Level, Markup, MarkupKind, Package, PriceRange, Rules, Terms,
};
pub use sale::{Sale, SoldAncillary, SoldChange, Totals};
pub use trace::{Input, Step, Trace};
