//! One offer's price with all its parts, which can't contradict each other.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use wayfare_domain::{Currency, Money, MoneyError};

/// What an agency pays for one offer, with all its parts, in the payer's currency.
///
/// Always, however it was made: agent fare + agent commission (0 where there is none) = public fare + S + G + P;
/// the public fare is T or T + M; the commission is at most the public fare; nothing but X is below zero; all parts
/// have one currency and at most 14 digits before the point. What follows from other parts is worked out again when a
/// price is read, and one that breaks a rule is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Parts", into = "Parts")]
pub struct Price {
    parts: Parts,
    total: Money,
    agent_fare: Money,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Parts {
    pub(crate) base: Money,
    pub(crate) taxes: Money,
    pub(crate) commission: Money,
    pub(crate) markup: Money,
    pub(crate) public_fare: Money,
    pub(crate) agent_commission: Option<Money>,
    pub(crate) service_fee: Money,
    pub(crate) gst: Money,
    pub(crate) platform_charge: Money,
}

/// Why stored parts are no price.
#[derive(Debug, Error)]
pub(crate) enum Contradiction {
    #[error(transparent)]
    Money(#[from] MoneyError),
    #[error("the public fare is neither the total nor the total and the markup")]
    PublicFare,
    #[error("the commission is more than the public fare")]
    Commission,
}

impl TryFrom<Parts> for Price {
    type Error = Contradiction;
    fn try_from(parts: Parts) -> Result<Self, Contradiction> {
        let price = Self::new(parts)?;
        if ![price.total, price.total.plus(parts.markup)?].contains(&parts.public_fare) {
            return Err(Contradiction::PublicFare);
        }
        if parts.agent_commission.is_some_and(|earned| earned.amount() > parts.public_fare.amount()) {
            return Err(Contradiction::Commission);
        }
        Ok(price)
    }
}

impl From<Price> for Parts {
    fn from(price: Price) -> Self {
        price.parts
    }
}

impl Price {
    /// The price of parts that the formula made: only amounts that are no money are refused.
    pub(crate) fn new(parts: Parts) -> Result<Self, MoneyError> {
        let currency = parts.base.currency();
        let zero = Money::zero(currency);
        let earned = parts.agent_commission.unwrap_or(zero);
        let total = parts.base.plus(parts.taxes)?;
        let agent_fare = parts
            .public_fare
            .minus(earned)?
            .plus(parts.service_fee)?
            .plus(parts.gst)?
            .plus(parts.platform_charge)?;
        parts.taxes.bounded()?;
        // Those that are in no sum: all of one currency.
        zero.plus(parts.commission)?;
        zero.plus(parts.markup)?;
        for part in [
            parts.base,
            total,
            parts.commission,
            parts.markup,
            parts.public_fare,
            earned,
            parts.service_fee,
            parts.gst,
            parts.platform_charge,
            agent_fare,
        ] {
            part.bounded()?;
            if part.is_negative() {
                return Err(MoneyError::Negative);
            }
        }
        Ok(Self { parts, total, agent_fare })
    }

    /// The same price to be shown in another currency, at `rate` units of it for one of the payer's: each part is
    /// converted and rounded once, and what follows from others is worked out from those, so that all that is true
    /// of a price is true of this one. Nothing is ever charged by it.
    ///
    /// # Errors
    /// [`MoneyError::Rate`] for a rate that is not above zero, [`MoneyError::TooLarge`] for amounts that are no
    /// money at it.
    pub fn shown_in(&self, rate: Decimal, currency: Currency) -> Result<Self, MoneyError> {
        let shown = |amount: Money| amount.converted(rate, currency);
        let parts = &self.parts;
        let (base, taxes, markup) = (shown(parts.base)?, shown(parts.taxes)?, shown(parts.markup)?);
        let total = base.plus(taxes)?;
        let public_fare = if parts.public_fare == self.total { total } else { total.plus(markup)? };
        // Rounded apart from the fare, it could be more than that by a minor unit.
        let agent_commission =
            parts.agent_commission.map(|earned| shown(earned)?.at_most(public_fare)).transpose()?;
        Self::new(Parts {
            base,
            taxes,
            commission: shown(parts.commission)?.at_most(total)?,
            markup,
            public_fare,
            agent_commission,
            service_fee: shown(parts.service_fee)?,
            gst: shown(parts.gst)?,
            platform_charge: shown(parts.platform_charge)?,
        })
    }

    /// Both, part by part. By one package's rules the public fare of both is T, or of both T + M.
    pub(crate) fn plus(&self, other: &Self) -> Result<Self, MoneyError> {
        let (one, two) = (&self.parts, &other.parts);
        let agent_commission = match (one.agent_commission, two.agent_commission) {
            (Some(one), Some(two)) => Some(one.plus(two)?),
            (one, None) | (None, one) => one,
        };
        Self::new(Parts {
            base: one.base.plus(two.base)?,
            taxes: one.taxes.plus(two.taxes)?,
            commission: one.commission.plus(two.commission)?,
            markup: one.markup.plus(two.markup)?,
            public_fare: one.public_fare.plus(two.public_fare)?,
            agent_commission,
            service_fee: one.service_fee.plus(two.service_fee)?,
            gst: one.gst.plus(two.gst)?,
            platform_charge: one.platform_charge.plus(two.platform_charge)?,
        })
    }

    /// B, the supplier's base fare.
    pub fn base(&self) -> Money {
        self.parts.base
    }
    /// X, the supplier's taxes; may be below zero.
    pub fn taxes(&self) -> Money {
        self.parts.taxes
    }
    /// T = B + X.
    pub fn total(&self) -> Money {
        self.total
    }
    /// K, what the supplier leaves to the platform.
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
    /// S, the platform's service fee.
    pub fn service_fee(&self) -> Money {
        self.parts.service_fee
    }
    /// G, the GST on S.
    pub fn gst(&self) -> Money {
        self.parts.gst
    }
    /// P, the platform's charge for each offer.
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
    pub fn platform_charges(&self) -> Result<Money, MoneyError> {
        self.parts.service_fee.plus(self.parts.gst)?.plus(self.parts.platform_charge)
    }
}
