//! What turns a supplier's amounts into one payer's price: package, terms, contracts. All in the payer's currency.

use std::fmt;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use wayfare_domain::{Currency, Money, PackageId};

wayfare_domain::word_enum! {
    /// Flat or a percentage.
    pub enum MarkupKind {
        /// An amount per offer.
        Flat,
        /// Per cent of the basis.
        Percent,
    }

    /// The basis of a percentage, and out of whose pocket the markup goes.
    pub enum ApplyOn {
        /// K; the markup is taken from the commission and the public fare stays T.
        Commission,
        /// B; the markup is added to the public fare.
        Fare,
        /// T; the markup is added to the public fare.
        Total,
    }
}

/// A package's markup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Markup {
    /// Whether the value is an amount or a percentage.
    pub kind: MarkupKind,
    /// The amount in the payer's currency, or the percentage.
    pub value: Decimal,
    /// What a percentage is of, and out of whose pocket it goes.
    pub apply_on: ApplyOn,
}

/// A band of a hotel package: its markup counts where `min_amount` ≤ T < `max_amount`, amounts in the payer's currency.
/// Of what it is a percentage, and out of whose pocket it goes, the package says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PriceRange {
    /// The least T.
    pub min_amount: Decimal,
    /// Where it ends; none: nowhere.
    pub max_amount: Option<Decimal>,
    /// Whether the value is an amount or a percentage.
    pub kind: MarkupKind,
    /// The amount in the payer's currency, or the percentage.
    pub value: Decimal,
    /// Of several bands that hold T the lowest counts.
    pub sort_order: i32,
}

impl PriceRange {
    fn holds(&self, total: Money) -> bool {
        self.min_amount <= total.amount() && self.max_amount.is_none_or(|max| total.amount() < max)
    }
}

/// To whom a package was assigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
pub enum Level {
    /// To the agent who asks.
    Agent,
    /// To the agency; it counts for agents without an active package of their own.
    Agency,
}

/// The package that counts for the payer (P-99): the agent's, else the agency's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    /// Of the package's row; the trace names it.
    pub id: PackageId,
    /// Its name, for whoever reads the trace.
    pub name: String,
    /// To whom it was assigned.
    pub level: Level,
    /// What counts outside of all bands.
    pub markup: Markup,
    /// The bands of a hotel package, in any order; none for flights.
    pub price_ranges: Vec<PriceRange>,
}

impl Package {
    /// The markup for this T and the band it is from, if any.
    pub(crate) fn markup_at(&self, total: Money) -> (Markup, Option<&PriceRange>) {
        let range =
            self.price_ranges.iter().filter(|range| range.holds(total)).min_by_key(|range| range.sort_order);
        let markup = range.map_or(self.markup, |range| Markup {
            kind: range.kind,
            value: range.value,
            apply_on: self.markup.apply_on,
        });
        (markup, range)
    }
}

/// What a supplier leaves to the platform by the operator's contract with it, where its own answer doesn't say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contract {
    /// The supplier's code.
    pub supplier: String,
    /// Only for offers of this airline (IATA code); none: of any.
    pub airline: Option<String>,
    /// Only in this cabin, by the API's word (`ECONOMY`); none: in any.
    pub cabin: Option<String>,
    /// Flat or percent of B.
    pub kind: MarkupKind,
    /// The amount in the payer's currency, or the percentage.
    pub value: Decimal,
}

impl Contract {
    fn fits(&self, asked: &Asked<'_>) -> bool {
        let narrows = |named: &Option<String>, asked: Option<&str>| {
            named.as_deref().is_none_or(|named| asked == Some(named))
        };
        self.supplier == asked.supplier
            && narrows(&self.airline, asked.airline)
            && narrows(&self.cabin, asked.cabin)
    }
}

/// The platform's service fee.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
pub enum Fee {
    /// An amount per offer.
    Flat(Money),
    /// Per cent of T.
    Percent(Decimal),
}

/// What the operator set for the agency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// S: an amount, or per cent of T.
    pub service_fee: Fee,
    /// G, per cent of S.
    pub gst_percent: Decimal,
    /// P, per offer.
    pub platform_charge: Money,
    /// The least commission; zero sets no bound.
    pub min_commission: Money,
    /// The largest commission; zero sets no bound.
    pub max_commission: Money,
}

impl Terms {
    /// No fees and no bounds.
    pub fn none(currency: Currency) -> Self {
        let zero = Money::zero(currency);
        Self {
            service_fee: Fee::Flat(zero),
            gst_percent: Decimal::ZERO,
            platform_charge: zero,
            min_commission: zero,
            max_commission: zero,
        }
    }
}

/// Everything that turns a supplier's amounts into one payer's price, in the payer's currency, which is that of
/// the terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The package that counts for the payer; none: the platform keeps the commission.
    pub package: Option<Package>,
    /// What the operator set for the agency.
    pub terms: Terms,
    /// What suppliers leave to the platform; at most one for each supplier, airline and cabin.
    pub contracts: Vec<Contract>,
}

impl Rules {
    /// No package, no fees, no contracts.
    pub fn none(currency: Currency) -> Self {
        Self { package: None, terms: Terms::none(currency), contracts: Vec::new() }
    }

    /// The payer's currency.
    pub fn currency(&self) -> Currency {
        self.terms.platform_charge.currency()
    }

    /// The supplier contract that counts: of those that fit the most specific, an airline before a cabin.
    pub(crate) fn contract(&self, asked: &Asked<'_>) -> Option<&Contract> {
        self.contracts
            .iter()
            .filter(|contract| contract.fits(asked))
            .max_by_key(|contract| (contract.airline.is_some(), contract.cabin.is_some()))
    }
}

/// What a supplier asks for one offer or room selection. [`Rules::price`] takes it in the payer's currency,
/// [`Sale`](crate::Sale) in the supplier's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked<'a> {
    /// The supplier's code.
    pub supplier: &'a str,
    /// The airline that sells it (IATA code), where there is one.
    pub airline: Option<&'a str>,
    /// The cabin by the API's word (`ECONOMY`), where there is one.
    pub cabin: Option<&'a str>,
    /// T of all that is bought together at this price, rooms of one selection, where that is more than this: a package's
    /// bands hold it (P-99).
    pub together: Option<Money>,
    /// B: base fare, or room charges.
    pub base: Money,
    /// X: taxes and fees; below zero where the supplier's base is more than its total, which wins.
    pub taxes: Money,
    /// K as the supplier's answer says it; none: it says nothing, and a contract may.
    pub commission: Option<Money>,
}

impl<'a> Asked<'a> {
    /// Of no airline or cabin, bought alone, without a word about commission.
    pub const fn of(supplier: &'a str, base: Money, taxes: Money) -> Self {
        Self { supplier, airline: None, cabin: None, together: None, base, taxes, commission: None }
    }
}

/// As the trace prints it: `5 % of B`, `flat`.
impl fmt::Display for Markup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let basis = match self.apply_on {
            ApplyOn::Commission => "K",
            ApplyOn::Fare => "B",
            ApplyOn::Total => "T",
        };
        match self.kind {
            MarkupKind::Flat => f.write_str("flat"),
            MarkupKind::Percent => write!(f, "{} % of {basis}", self.value),
        }
    }
}

/// As the trace prints it: `the agency's package "Monsoon" (0197…)`.
impl fmt::Display for Package {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let owner = match self.level {
            Level::Agent => "agent",
            Level::Agency => "agency",
        };
        write!(f, "the {owner}'s package \"{}\" ({})", self.name, self.id)
    }
}

/// As the trace prints it: `price range 1000 ≤ T < 5000`.
impl fmt::Display for PriceRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "price range {} ≤ T", self.min_amount)?;
        self.max_amount.map_or(Ok(()), |max| write!(f, " < {max}"))
    }
}

/// As the trace prints it: `contract with duffel (airline BA): 5 % of B`.
impl fmt::Display for Contract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "contract with {}", self.supplier)?;
        for (what, which) in [("airline", &self.airline), ("cabin", &self.cabin)] {
            if let Some(which) = which {
                write!(f, ", {what} {which}")?;
            }
        }
        match self.kind {
            MarkupKind::Flat => f.write_str(": flat"),
            MarkupKind::Percent => write!(f, ": {} % of B", self.value),
        }
    }
}
