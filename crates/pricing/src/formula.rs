//! The formula of P-98, written once for prices and for their explanations.

use rust_decimal::Decimal;
use wayfare_domain::{Money, MoneyError};

use crate::{
    ApplyOn, Asked, Fee, MarkupKind, Package, Price, Rules, Terms, Trace,
    price::Parts,
    trace::{Figure, Record},
};

impl Rules {
    /// The price of one offer whose amounts are in the payer's currency already.
    ///
    /// # Errors
    /// [`MoneyError`] when currencies differ, a part is below zero or has more digits than money has.
    pub fn price(&self, asked: &Asked<'_>) -> Result<Price, MoneyError> {
        self.calculated(asked, &mut ())
    }

    /// As [`Rules::price`], with how the price came about.
    pub fn explain(&self, asked: &Asked<'_>) -> Result<(Price, Trace), MoneyError> {
        let mut trace = Trace::new(self.currency());
        let given = [("B", Some(asked.base)), ("X", Some(asked.taxes)), ("K", asked.commission)];
        for (symbol, amount) in given {
            if let Some(amount) = amount {
                trace.step(symbol, "what the supplier says", &[], amount.amount(), amount);
            }
        }
        let price = self.calculated(asked, &mut trace)?;
        Ok((price, trace))
    }

    /// The formula, from T on: where B, X and the supplier's own K are from, the caller has recorded.
    pub(crate) fn calculated(
        &self,
        asked: &Asked<'_>,
        record: &mut impl Record,
    ) -> Result<Price, MoneyError> {
        let (base, taxes) = (asked.base, asked.taxes);
        let total = Money::zero(self.currency()).plus(base)?.plus(taxes)?;
        let inputs = [("B", base.amount()), ("X", taxes.amount())];
        record.step("T", "B + X", &inputs, total.amount(), total);

        let commission = self.commission(asked, total, record)?;
        let earnings = match &self.package {
            Some(package) => earnings(package, &self.terms, asked, total, commission, record)?,
            None => unpackaged(total, record),
        };
        let (service_fee, gst, platform_charge) = fees(&self.terms, total, record)?;
        let price = Price::new(Parts {
            base,
            taxes,
            commission,
            markup: earnings.markup,
            public_fare: earnings.public_fare,
            agent_commission: earnings.agent_commission,
            service_fee,
            gst,
            platform_charge,
        })?;
        let earned = price.agent_commission().unwrap_or(Money::zero(self.currency()));
        let inputs = [
            ("public fare", price.public_fare().amount()),
            ("commission", earned.amount()),
            ("S", service_fee.amount()),
            ("G", gst.amount()),
            ("P", platform_charge.amount()),
        ];
        let fare = price.agent_fare();
        record.step("agent fare", "public fare − commission + S + G + P", &inputs, fare.amount(), fare);
        Ok(price)
    }

    /// K: the supplier's own, else that of a supplier contract, and never more than T.
    fn commission(
        &self,
        asked: &Asked<'_>,
        total: Money,
        record: &mut impl Record,
    ) -> Result<Money, MoneyError> {
        let commission = match (asked.commission, self.contract(asked)) {
            (Some(named), _) => named.bounded()?,
            (None, Some(contract)) => {
                let (exact, of) = worked(contract.kind, contract.value, ("B", asked.base))?;
                let result = Money::rounded(exact, total.currency()).bounded()?;
                record.step("K", contract, of.as_slice(), exact, result);
                result
            }
            (None, None) => {
                let zero = Money::zero(total.currency());
                record.step("K", "neither the supplier nor a contract names one", &[], zero.amount(), zero);
                zero
            }
        };
        limited("K", commission, ("T", total), record)
    }
}

/// What the package decides.
struct Earnings {
    markup: Money,
    public_fare: Money,
    agent_commission: Option<Money>,
}

/// Without a package the platform keeps the commission: K counts as 0 for the agency (P-3).
fn unpackaged(total: Money, record: &mut impl Record) -> Earnings {
    let zero = Money::zero(total.currency());
    record.step("M", "no package", &[], zero.amount(), zero);
    record.step("public fare", "T", &[("T", total.amount())], total.amount(), total);
    record.step("commission", "no package: the platform keeps K", &[], zero.amount(), zero);
    Earnings { markup: zero, public_fare: total, agent_commission: None }
}

fn earnings(
    package: &Package,
    terms: &Terms,
    asked: &Asked<'_>,
    total: Money,
    commission: Money,
    record: &mut impl Record,
) -> Result<Earnings, MoneyError> {
    let (markup, range) = package.markup_at(asked.together.unwrap_or(total));
    let basis = match markup.apply_on {
        ApplyOn::Commission => ("K", commission),
        ApplyOn::Fare => ("B", asked.base),
        ApplyOn::Total => ("T", total),
    };
    let (exact, of) = worked(markup.kind, markup.value, basis)?;
    let mut taken = Money::rounded(exact, total.currency()).bounded()?;
    match range {
        Some(range) => {
            record.step("M", format_args!("{package}, {range}: {markup}"), of.as_slice(), exact, taken)
        }
        None => record.step("M", format_args!("{package}: {markup}"), of.as_slice(), exact, taken),
    }

    let (t, k) = (("T", total.amount()), ("K", commission.amount()));
    let (public_fare, earned) = if markup.apply_on == ApplyOn::Commission {
        taken = limited("M", taken, ("K", commission), record)?;
        record.step("public fare", "T: the markup is taken from K", &[t], total.amount(), total);
        let earned = commission.minus(taken)?;
        record.step("commission", "K − M", &[k, ("M", taken.amount())], earned.amount(), earned);
        (total, earned)
    } else {
        let public_fare = total.plus(taken)?;
        record.step("public fare", "T + M", &[t, ("M", taken.amount())], public_fare.amount(), public_fare);
        record.step("commission", "K", &[k], commission.amount(), commission);
        (public_fare, commission)
    };
    Ok(Earnings {
        markup: taken,
        public_fare,
        agent_commission: Some(bounded(earned, terms, public_fare, record)?),
    })
}

/// The operator's bounds, last, and never more than the public fare (P-26).
fn bounded(
    earned: Money,
    terms: &Terms,
    public_fare: Money,
    record: &mut impl Record,
) -> Result<Money, MoneyError> {
    let mut earned = earned;
    if !terms.min_commission.is_zero() {
        let least = terms.min_commission;
        earned = earned.at_least(least)?;
        let inputs = [("minimum", least.amount())];
        record.step("commission", "terms: not less than the minimum", &inputs, earned.amount(), earned);
    }
    if !terms.max_commission.is_zero() {
        let most = terms.max_commission;
        earned = earned.at_most(most)?;
        let inputs = [("maximum", most.amount())];
        record.step("commission", "terms: not more than the maximum", &inputs, earned.amount(), earned);
    }
    limited("commission", earned, ("public fare", public_fare), record)
}

/// S, G and P.
fn fees(terms: &Terms, total: Money, record: &mut impl Record) -> Result<(Money, Money, Money), MoneyError> {
    let currency = total.currency();
    let zero = Money::zero(currency);
    let service_fee = match terms.service_fee {
        Fee::Flat(fee) => {
            let fee = zero.plus(fee)?;
            record.step("S", "terms: service fee, flat", &[], fee.amount(), fee);
            fee
        }
        Fee::Percent(percent) => {
            let exact = percentage(total, percent)?;
            let fee = Money::rounded(exact, currency).bounded()?;
            let rule = format_args!("terms: service fee, {percent} % of T");
            record.step("S", rule, &[("T", total.amount())], exact, fee);
            fee
        }
    };
    let exact = percentage(service_fee, terms.gst_percent)?;
    let gst = Money::rounded(exact, currency).bounded()?;
    let rule = format_args!("terms: GST, {} % of S", terms.gst_percent);
    record.step("G", rule, &[("S", service_fee.amount())], exact, gst);
    let charge = zero.plus(terms.platform_charge)?;
    record.step("P", "terms: platform charge", &[], charge.amount(), charge);
    Ok((service_fee, gst, charge))
}

/// A flat value, or a percentage of the basis before it is rounded and that basis.
fn worked(
    kind: MarkupKind,
    value: Decimal,
    (name, basis): (&'static str, Money),
) -> Result<(Decimal, Option<Figure<'static>>), MoneyError> {
    Ok(match kind {
        MarkupKind::Flat => (value, None),
        MarkupKind::Percent => (percentage(basis, value)?, Some((name, basis.amount()))),
    })
}

fn percentage(basis: Money, percent: Decimal) -> Result<Decimal, MoneyError> {
    percent
        .checked_mul(Decimal::new(1, 2))
        .and_then(|factor| basis.amount().checked_mul(factor))
        .ok_or(MoneyError::TooLarge)
}

/// The amount, or what it may not exceed; a step only where that changes it.
fn limited(
    symbol: &str,
    amount: Money,
    (name, most): (&str, Money),
    record: &mut impl Record,
) -> Result<Money, MoneyError> {
    let result = amount.at_most(most)?;
    if result != amount {
        let rule = format_args!("never more than {name}");
        record.step(symbol, rule, &[(name, most.amount())], result.amount(), result);
    }
    Ok(result)
}
