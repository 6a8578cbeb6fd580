//! Money that is asked: what an agency pays for an offer, and why.
//!
//! [`Rules`] are everything that turns a supplier's amounts into one payer's price: the package that counts for the
//! payer, the operator's terms, the contracts with suppliers (P-98). The crate promises:
//!
//! * It is pure and total: no database, no clock, no panic; what is no money is an error.
//! * `agent_fare + agent_commission = public_fare + S + G + P` in every [`Price`], also in one that was read back or
//!   is shown in another currency: no other price can be made.
//! * Each part is rounded once, half away from zero, to the minor units of the currency; what follows from parts is
//!   their exact sum.
//! * The same code works out a price and its explanation, so that they can't differ.
//! * A sum is [`MoneyError`](wayfare_domain::MoneyError) when currencies differ or it exceeds what a decimal holds;
//!   where more can be wrong, the function says so.
//!
//! The parts of a price: B the supplier's base fare, X its taxes, T = B + X, K what the supplier leaves to the platform,
//! M the agency's markup, S the platform's service fee, G the GST on S, P the platform's charge for each offer. A
//! [`Price`] has them in the payer's currency.
//!
//! ```
//! use rust_decimal::dec;
//! use wayfare_domain::{Currency, Money, PackageId};
//! use wayfare_pricing::{
//!     ApplyOn, Asked, Contract, Fee, Level, Markup, MarkupKind, Package, Rules, Sale, Terms,
//! };
//!
//! let inr = |amount| Money::rounded(amount, Currency::INR);
//! let rules = Rules {
//!     package: Some(Package {
//!         id: "0197a9f0-0000-7000-8000-000000000001".parse::<PackageId>()?,
//!         name: "Monsoon".to_owned(),
//!         level: Level::Agency,
//!         markup: Markup { kind: MarkupKind::Percent, value: dec!(5), apply_on: ApplyOn::Fare },
//!         price_ranges: Vec::new(),
//!     }),
//!     terms: Terms {
//!         service_fee: Fee::Flat(inr(dec!(100))),
//!         gst_percent: dec!(18),
//!         ..Terms::none(Currency::INR)
//!     },
//!     contracts: vec![Contract {
//!         supplier: "duffel".to_owned(),
//!         airline: Some("BA".to_owned()),
//!         cabin: None,
//!         kind: MarkupKind::Percent,
//!         value: dec!(3),
//!     }],
//! };
//! let asked = Asked {
//!     supplier: "duffel",
//!     airline: Some("BA"),
//!     cabin: Some("ECONOMY"),
//!     together: None,
//!     base: Money::rounded(dec!(38.01), Currency::GBP),
//!     taxes: Money::rounded(dec!(7.70), Currency::GBP),
//!     commission: None,
//! };
//!
//! let sale = Sale::explained(&rules, &asked, dec!(105.25))?; // rupees for one pound
//! assert_eq!(sale.price.agent_fare().to_string(), "5008.99");
//! assert_eq!(sale.price.agent_commission(), Some(inr(dec!(120.02))));
//! let trace = sale.trace.map(|trace| trace.to_string());
//! let expected = r#"
//! part             exact      INR  how
//! B            4000.5525  4000.55  what the supplier says × exchange rate [GBP 38.01, exchange rate 105.25]
//! X              810.425   810.43  what the supplier says × exchange rate [GBP 7.70, exchange rate 105.25]
//! T              4810.98  4810.98  B + X [B 4000.55, X 810.43]
//! K             120.0165   120.02  contract with duffel, airline BA: 3 % of B [B 4000.55]
//! M             200.0275   200.03  the agency's package "Monsoon" (0197a9f0-0000-7000-8000-000000000001): 5 % of B [B 4000.55]
//! public fare    5011.01  5011.01  T + M [T 4810.98, M 200.03]
//! commission      120.02   120.02  K [K 120.02]
//! S                  100   100.00  terms: service fee, flat
//! G                   18    18.00  terms: GST, 18 % of S [S 100.00]
//! P                    0     0.00  terms: platform charge
//! agent fare     5008.99  5008.99  public fare − commission + S + G + P [public fare 5011.01, commission 120.02, S 100.00, G 18.00, P 0.00]
//! "#;
//! assert_eq!(trace.as_deref(), expected.strip_prefix('\n'));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
