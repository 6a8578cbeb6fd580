//! Money that is asked: what an agency pays for an offer, and why.
//!
//! Pure and total: no database, no clock. A [`Price`] can only be made by [`price`], so its parts always add
//! up: `agent_fare + agent_commission = public_fare + S + G + P` (decisions, prices).
//!
//! ```
//! use rust_decimal::dec;
//! use wayfare_domain::{Currency, Money};
//! use wayfare_pricing::{ApplyOn, Markup, MarkupKind, Offered, Terms, price};
//!
//! let inr = |amount| Money::rounded(amount, Currency::INR);
//! let offered = Offered { base: inr(dec!(4000)), taxes: inr(dec!(810.50)), commission: inr(dec!(120)) };
//! let markup = Markup { kind: MarkupKind::Percent, value: dec!(5), apply_on: ApplyOn::Fare };
//! let price = price(offered, Some(markup), Terms::none(Currency::INR))?;
//!
//! assert_eq!(price.public_fare().to_string(), "5010.50"); // 4810.50 + 5 % of 4000
//! assert_eq!(price.agent_commission().map(|c| c.to_string()), Some("120.00".into()));
//! assert_eq!(price.agent_fare().to_string(), "4890.50");
//! # Ok::<(), wayfare_domain::MoneyError>(())
//! ```

mod exchange;
mod price;
mod sale;

pub use exchange::{NoRate, RateSource, RateTable};
pub use price::{ApplyOn, Contract, Fee, Markup, MarkupKind, Offered, Price, PriceRange, Terms, price};
pub use sale::{Sale, Totals};
