//! The formula of the decisions page: B, X, T, K, M, S, G, P in; public fare, commission, agent fare out.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use wayfare_domain::{Currency, Money, MoneyError};

/// What the supplier asks, converted once into the payer's currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offered {
    /// B: base fare, or room charges.
    pub base: Money,
    /// X: taxes and fees.
    pub taxes: Money,
    /// K: what the supplier leaves to the platform; zero where it leaves nothing.
    pub commission: Money,
}

/// Flat or a percentage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MarkupKind {
    /// An amount per offer.
    Flat,
    /// Per cent of the basis.
    Percent,
}

/// The basis of a percentage, and out of whose pocket the markup goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ApplyOn {
    /// K; the markup is taken from the commission and the public fare stays T.
    Commission,
    /// B; the markup is added to the public fare.
    Fare,
    /// T; the markup is added to the public fare.
    Total,
}

/// The assigned package's markup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Markup {
    /// Flat or percent.
    pub kind: MarkupKind,
    /// The amount in the payer's currency, or the percentage.
    pub value: Decimal,
    /// The basis.
    pub apply_on: ApplyOn,
}

/// A band of a hotel package: its markup counts where `min_amount` ≤ T < `max_amount`, amounts in the payer's currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PriceRange {
    /// The least T.
    pub min_amount: Decimal,
    /// Where it ends; none: nowhere.
    pub max_amount: Option<Decimal>,
    /// Flat or percent.
    pub kind: MarkupKind,
    /// The amount in the payer's currency, or the percentage.
    pub value: Decimal,
    /// Of several bands that hold T the lowest counts.
    pub sort_order: i32,
}

/// What a supplier leaves to the platform by the operator's contract with it, where its own answer doesn't say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contract {
    /// The supplier's code.
    pub supplier: String,
    /// Only for offers of this airline (IATA code); none: of any.
    pub airline: Option<String>,
    /// Only in this cabin, by the contract's word (`ECONOMY`); none: in any.
    pub cabin: Option<String>,
    /// Flat or percent of B.
    pub kind: MarkupKind,
    /// The amount in the payer's currency, or the percentage.
    pub value: Decimal,
}

/// The platform's service fee.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fee {
    /// An amount per offer.
    Flat(Money),
    /// Per cent of T.
    Percent(Decimal),
}

/// What the operator set for the agency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// S.
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

/// What an agency pays for one offer, with all its parts, in the payer's currency. What follows from other
/// parts is worked out again when it is read, so no stored price can contradict itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Parts", into = "Parts")]
pub struct Price {
    parts: Parts,
    total: Money,
    agent_fare: Money,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Parts {
    base: Money,
    taxes: Money,
    commission: Money,
    markup: Money,
    public_fare: Money,
    agent_commission: Option<Money>,
    service_fee: Money,
    gst: Money,
    platform_charge: Money,
}

impl TryFrom<Parts> for Price {
    type Error = MoneyError;
    fn try_from(parts: Parts) -> Result<Self, MoneyError> {
        let zero = Money::zero(parts.base.currency());
        let agent_fare = parts
            .public_fare
            .minus(parts.agent_commission.unwrap_or(zero))?
            .plus(parts.service_fee)?
            .plus(parts.gst)?
            .plus(parts.platform_charge)?;
        Ok(Self {
            parts,
            total: parts.base.plus(parts.taxes)?,
            agent_fare,
        })
    }
}

impl From<Price> for Parts {
    fn from(price: Price) -> Self {
        price.parts
    }
}

impl Price {
    /// B.
    pub fn base(&self) -> Money {
        self.parts.base
    }
    /// X.
    pub fn taxes(&self) -> Money {
        self.parts.taxes
    }
    /// T = B + X.
    pub fn total(&self) -> Money {
        self.total
    }
    /// K.
    pub fn commission(&self) -> Money {
        self.parts.commission
    }
    /// M as it was really taken.
    pub fn markup(&self) -> Money {
        self.parts.markup
    }
    /// What the traveller's bill says.
    pub fn public_fare(&self) -> Money {
        self.parts.public_fare
    }
    /// What the agency earns; none without a package.
    pub fn agent_commission(&self) -> Option<Money> {
        self.parts.agent_commission
    }
    /// S.
    pub fn service_fee(&self) -> Money {
        self.parts.service_fee
    }
    /// G.
    pub fn gst(&self) -> Money {
        self.parts.gst
    }
    /// P.
    pub fn platform_charge(&self) -> Money {
        self.parts.platform_charge
    }
    /// What the wallet pays: public fare − commission + S + G + P.
    pub fn agent_fare(&self) -> Money {
        self.agent_fare
    }
    /// The payer's currency.
    pub fn currency(&self) -> Currency {
        self.parts.base.currency()
    }
    /// S + G + P: what is not given back when a booking is cancelled.
    ///
    /// # Errors
    /// When amounts exceed what a decimal holds.
    pub fn platform_charges(&self) -> Result<Money, MoneyError> {
        self.parts
            .service_fee
            .plus(self.parts.gst)?
            .plus(self.parts.platform_charge)
    }
}

/// The price of one offer under a package's markup, or none, and the platform's terms.
///
/// # Errors
/// [`MoneyError`] when currencies differ or amounts exceed what a decimal holds.
pub fn price(offered: Offered, markup: Option<Markup>, terms: Terms) -> Result<Price, MoneyError> {
    let Offered {
        base,
        taxes,
        commission,
    } = offered;
    let zero = Money::zero(base.currency());
    let total = base.plus(taxes)?;
    let (markup, public_fare, agent_commission) = match markup {
        // Without a package the platform keeps the commission: K counts as 0 for the agency.
        None => (zero, total, None),
        Some(markup) => {
            let asked = asked(markup, offered, total)?;
            let (taken, public_fare, earned) = match markup.apply_on {
                ApplyOn::Commission => {
                    let taken = asked.at_most(commission)?;
                    (taken, total, commission.minus(taken)?)
                }
                ApplyOn::Fare | ApplyOn::Total => (asked, total.plus(asked)?, commission),
            };
            (taken, public_fare, Some(bounded(earned, terms, public_fare)?))
        }
    };
    let service_fee = match terms.service_fee {
        Fee::Flat(fee) => zero.plus(fee)?,
        Fee::Percent(percent) => total.percent(percent)?,
    };
    let gst = service_fee.percent(terms.gst_percent)?;
    let platform_charge = zero.plus(terms.platform_charge)?;
    Price::try_from(Parts {
        base,
        taxes,
        commission,
        markup,
        public_fare,
        agent_commission,
        service_fee,
        gst,
        platform_charge,
    })
}

fn asked(markup: Markup, offered: Offered, total: Money) -> Result<Money, MoneyError> {
    let basis = match markup.apply_on {
        ApplyOn::Commission => offered.commission,
        ApplyOn::Fare => offered.base,
        ApplyOn::Total => total,
    };
    match markup.kind {
        MarkupKind::Flat => Ok(Money::rounded(markup.value, total.currency())),
        MarkupKind::Percent => basis.percent(markup.value),
    }
}

/// The operator's bounds, last, and never more than the public fare (decisions, detail 26).
fn bounded(commission: Money, terms: Terms, public_fare: Money) -> Result<Money, MoneyError> {
    let mut commission = commission;
    if !terms.min_commission.is_zero() {
        commission = commission.at_least(terms.min_commission)?;
    }
    if !terms.max_commission.is_zero() {
        commission = commission.at_most(terms.max_commission)?;
    }
    commission.at_most(public_fare)
}
