//! One supplier order's price as it is sold, and what several of them come to.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use wayfare_domain::{Currency, Money, MoneyError};

use crate::{Asked, Price, Rules, Trace, trace::Record};

/// What one supplier order is sold for: kept with the quote and the booking, so that every charge can be
/// explained later.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sale {
    /// The supplier's code.
    pub supplier: String,
    /// T in the supplier's currency.
    pub supplier_total: Money,
    /// Units of the wallet's currency for one of the supplier's, fixed when the quote was made.
    #[serde(with = "wayfare_domain::exact_number")]
    pub exchange_rate: Decimal,
    /// The price, in the wallet's currency.
    pub price: Price,
    /// How it came about; none where nothing was promised yet, as in a search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<Trace>,
    /// What was bought beside the fare: at the supplier's price, without markup or commission (P-11).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ancillaries: Vec<SoldAncillary>,
    /// What changes of its flights at the supplier came to: the price stays as it was promised.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<SoldChange>,
}

/// What a change of flights came to after the sale, in the wallet's currency where it does not say otherwise. Amounts are below
/// zero where something came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SoldChange {
    /// By how much the supplier's total differs since, in its currency.
    pub supplier_difference: Money,
    /// The same in the wallet's currency, converted once.
    pub difference: Money,
    /// What is paid beside the difference and never comes back.
    pub penalty: Money,
}

impl SoldChange {
    /// What the wallet pays, or gets below zero.
    pub fn total(&self) -> Result<Money, MoneyError> {
        self.difference.plus(self.penalty)
    }
}

/// Something that one traveller gets beside the fare, and what it is sold for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SoldAncillary {
    /// The traveller's index.
    pub traveller: u32,
    /// What it is, in the API's word: `SEAT`.
    pub kind: String,
    /// Names it within its order, kind and segments.
    pub code: String,
    /// As people read it.
    pub name: String,
    /// The flights that it covers, by their places among all of the order, from 0.
    pub segments: Vec<u16>,
    /// How many of it one traveller gets.
    pub quantity: u32,
    /// What the supplier charges for all of them, in its currency.
    pub supplier_total: Money,
    /// The same in the wallet's currency, converted once.
    pub total: Money,
}

impl Sale {
    /// What a supplier asks in its own currency, converted once and priced, without a trace.
    ///
    /// # Errors
    /// [`MoneyError`] for a rate that is not above zero, and as [`Rules::price`].
    pub fn new(rules: &Rules, asked: &Asked<'_>, exchange_rate: Decimal) -> Result<Self, MoneyError> {
        Self::recorded(rules, asked, exchange_rate, &mut ())
    }

    /// The same sale with its trace, which begins with the conversion.
    pub fn explained(rules: &Rules, asked: &Asked<'_>, exchange_rate: Decimal) -> Result<Self, MoneyError> {
        let mut trace = Trace::new(rules.currency());
        let sale = Self::recorded(rules, asked, exchange_rate, &mut trace)?;
        Ok(Self { trace: Some(trace), ..sale })
    }

    /// What the supplier is to charge for all of it, in its currency.
    pub fn supplier_due(&self) -> Result<Money, MoneyError> {
        let ancillaries = self.ancillaries.iter().map(|sold| sold.supplier_total);
        let changes = self.changes.iter().map(|change| change.supplier_difference);
        ancillaries.chain(changes).try_fold(self.supplier_total, Money::plus)
    }

    /// What it costs with its supplier, in the wallet's currency: T, its ancillaries, and by how much changes made it differ.
    pub fn supplied(&self) -> Result<Money, MoneyError> {
        self.price.total().plus(self.ancillary()?)?.plus(self.changed()?)
    }

    /// By how much changes of its flights made it differ, in the wallet's currency.
    pub fn changed(&self) -> Result<Money, MoneyError> {
        let currency = self.price.total().currency();
        Money::sum(currency, self.changes.iter().map(|change| change.difference))
    }

    /// What its ancillaries cost, in the wallet's currency.
    pub fn ancillary(&self) -> Result<Money, MoneyError> {
        let currency = self.price.total().currency();
        Money::sum(currency, self.ancillaries.iter().map(|sold| sold.total))
    }

    /// What the wallet pays for it: agent fare, ancillaries and changes, without their penalties.
    pub fn payable(&self) -> Result<Money, MoneyError> {
        self.price.agent_fare().plus(self.ancillary()?)?.plus(self.changed()?)
    }

    /// Several offers of one supplier sold as one order: each part is the sum of theirs, and the trace has one
    /// calculation after the other. None for no sale at all.
    ///
    /// # Errors
    /// [`MoneyError`] when their rates differ.
    pub fn together(sales: Vec<Self>) -> Result<Option<Self>, MoneyError> {
        let mut sales = sales.into_iter();
        let Some(first) = sales.next() else { return Ok(None) };
        sales.try_fold(first, Self::and).map(Some)
    }

    fn and(self, other: Self) -> Result<Self, MoneyError> {
        if self.exchange_rate != other.exchange_rate {
            return Err(MoneyError::Rate);
        }
        let trace = match (self.trace, other.trace) {
            (Some(mut trace), Some(more)) => {
                trace.steps.extend(more.steps);
                Some(trace)
            }
            _ => None,
        };
        Ok(Self {
            supplier_total: self.supplier_total.plus(other.supplier_total)?.bounded()?,
            price: self.price.plus(&other.price)?,
            trace,
            ..self
        })
    }

    fn recorded(
        rules: &Rules,
        asked: &Asked<'_>,
        exchange_rate: Decimal,
        record: &mut impl Record,
    ) -> Result<Self, MoneyError> {
        let mut converted = |symbol, theirs: Money| -> Result<Money, MoneyError> {
            let ours = theirs.bounded()?.converted(exchange_rate, rules.currency())?;
            let exact = theirs.amount().checked_mul(exchange_rate);
            let inputs = [(theirs.currency().code(), theirs.amount()), ("exchange rate", exchange_rate)];
            record.step(
                symbol,
                "what the supplier says × exchange rate",
                &inputs,
                exact.ok_or(MoneyError::TooLarge)?,
                ours,
            );
            Ok(ours)
        };
        let ours = Asked {
            base: converted("B", asked.base)?,
            taxes: converted("X", asked.taxes)?,
            commission: asked.commission.map(|named| converted("K", named)).transpose()?,
            together: asked
                .together
                .map(|all| all.bounded()?.converted(exchange_rate, rules.currency()))
                .transpose()?,
            ..*asked
        };
        Ok(Self {
            supplier: asked.supplier.to_owned(),
            supplier_total: asked.base.plus(asked.taxes)?.bounded()?,
            exchange_rate,
            price: rules.calculated(&ours, record)?,
            trace: None,
            ancillaries: Vec::new(),
            changes: Vec::new(),
        })
    }
}

/// What several sales come to, in the wallet's currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Totals {
    /// B, the base fare.
    pub base: Money,
    /// X, the taxes.
    pub taxes: Money,
    /// T.
    pub total: Money,
    /// What the travellers' bill says.
    pub public_fare: Money,
    /// What the wallet pays for the fare.
    pub agent_fare: Money,
    /// What it pays for what is bought beside the fare.
    pub ancillary: Money,
    /// By how much changes made it differ.
    pub changed: Money,
    /// What the agency earns; none without a package.
    pub agent_commission: Option<Money>,
    /// M, the markup.
    pub markup: Money,
    /// S, the service fee.
    pub service_fee: Money,
    /// G, the GST on the service fee.
    pub gst: Money,
    /// P, the platform's charge.
    pub platform_charge: Money,
}

impl Totals {
    /// What of the public fare is markup: nothing where it is taken from the commission.
    ///
    /// # Errors
    /// When amounts don't add up.
    pub fn public_markup(&self) -> Result<Money, MoneyError> {
        self.public_fare.minus(self.total)
    }

    /// The sums over all sales, part by part.
    pub fn of(sales: &[Sale], currency: Currency) -> Result<Self, MoneyError> {
        let sum =
            |part: fn(&Price) -> Money| Money::sum(currency, sales.iter().map(|sale| part(&sale.price)));
        let commissions: Vec<Money> = sales.iter().filter_map(|sale| sale.price.agent_commission()).collect();
        Ok(Self {
            base: sum(Price::base)?,
            taxes: sum(Price::taxes)?,
            total: sum(Price::total)?,
            public_fare: sum(Price::public_fare)?,
            agent_fare: sum(Price::agent_fare)?,
            ancillary: sales
                .iter()
                .try_fold(Money::zero(currency), |sum, sale| sum.plus(sale.ancillary()?))?,
            changed: sales.iter().try_fold(Money::zero(currency), |sum, sale| sum.plus(sale.changed()?))?,
            agent_commission: if commissions.is_empty() {
                None
            } else {
                Some(Money::sum(currency, commissions)?)
            },
            markup: sum(Price::markup)?,
            service_fee: sum(Price::service_fee)?,
            gst: sum(Price::gst)?,
            platform_charge: sum(Price::platform_charge)?,
        })
    }

    /// What the wallet pays: agent fare, ancillaries and changes, without their penalties (P-4, P-11).
    pub fn payable(&self) -> Result<Money, MoneyError> {
        self.agent_fare.plus(self.ancillary)?.plus(self.changed)
    }

    /// T, ancillaries and changes: what it costs with its suppliers.
    pub fn supplied(&self) -> Result<Money, MoneyError> {
        self.total.plus(self.ancillary)?.plus(self.changed)
    }

    /// S + G + P.
    pub fn platform_charges(&self) -> Result<Money, MoneyError> {
        self.service_fee.plus(self.gst)?.plus(self.platform_charge)
    }
}
