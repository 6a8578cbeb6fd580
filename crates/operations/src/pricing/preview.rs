//! What rules would make of a price: an example is priced and explained, and nothing is written. Packages, terms and contracts
//! are tried by it.

use rust_decimal::Decimal;
use wayfare_contract::{ExamplePrice, PricePreview, TraceInput, TraceStep};
use wayfare_domain::{Currency, Faults, Money};
use wayfare_pricing::{Asked, Price, Rules, Sale, Step, Trace};

#[derive(Clone, Debug, Default)]
pub struct Example {
    /// The supplier's code, whose contract counts then; none: no contract does.
    pub supplier: Option<String>,
    /// The airline that sells it, by its IATA code.
    pub airline: Option<String>,
    /// The cabin by the API's word (`ECONOMY`).
    pub cabin: Option<String>,
    pub base: Decimal,
    pub taxes: Decimal,
    /// The commission that the supplier names; none: it names none, and a contract may.
    pub commission: Option<Decimal>,
}

#[derive(Clone, Debug)]
pub struct Preview {
    pub price: Price,
    pub trace: Trace,
}

/// Prices an example in the payer's currency.
///
/// # Errors
/// The amounts at fault, as fields of `example`.
pub(crate) fn priced(rules: &Rules, example: &Example) -> Result<Preview, Faults> {
    // Amounts that are money each may come to more digits than money has.
    let explained = rules.explain(&asked(example, rules.currency())?);
    let (price, trace) = explained.map_err(|error| Faults::of("example.base", error.to_string()))?;
    Ok(Preview { price, trace })
}

/// Prices an example in this currency as a sale at this rate: to the last digit what it would be sold for.
///
/// # Errors
/// The amounts at fault, as fields of `example`.
pub(crate) fn sold(
    rules: &Rules,
    example: &Example,
    currency: Currency,
    exchange_rate: Decimal,
) -> Result<Preview, Faults> {
    let sale = Sale::explained(rules, &asked(example, currency)?, exchange_rate);
    let sale = sale.map_err(|error| Faults::of("example.base", error.to_string()))?;
    Ok(Preview {
        price: sale.price,
        trace: sale.trace.unwrap_or(Trace { currency: rules.currency(), steps: Vec::new() }),
    })
}

fn asked(example: &Example, currency: Currency) -> Result<Asked<'_>, Faults> {
    let mut faults = Faults::default();
    let mut amount = |field: &str, amount: Decimal| {
        let exact = Money::exact(amount, currency);
        exact.unwrap_or_else(|error| {
            faults.add(format!("example.{field}"), error.to_string());
            Money::zero(currency)
        })
    };
    let asked = Asked {
        supplier: example.supplier.as_deref().unwrap_or_default(),
        airline: example.airline.as_deref(),
        cabin: example.cabin.as_deref(),
        together: None,
        base: amount("base", example.base),
        taxes: amount("taxes", example.taxes),
        commission: example.commission.map(|commission| amount("commission", commission)),
    };
    faults.or(asked)
}

impl From<Preview> for PricePreview {
    fn from(Preview { price, trace }: Preview) -> Self {
        Self {
            currency: price.currency().code().to_owned(),
            price: ExamplePrice {
                base_fare: price.base().amount().into(),
                taxes: price.taxes().amount().into(),
                total: price.total().amount().into(),
                commission: price.commission().amount().into(),
                markup: price.markup().amount().into(),
                public_fare: price.public_fare().amount().into(),
                agent_commission: price.agent_commission().map(|earned| earned.amount().into()),
                service_fee: price.service_fee().amount().into(),
                gst_on_service_fee: price.gst().amount().into(),
                platform_charge: price.platform_charge().amount().into(),
                agent_fare: price.agent_fare().amount().into(),
            },
            trace: trace.steps.into_iter().map(line).collect(),
        }
    }
}

fn line(step: Step) -> TraceStep {
    let inputs = step.inputs.into_iter();
    TraceStep {
        part: step.symbol,
        rule: step.rule,
        inputs: inputs.map(|input| TraceInput { name: input.name, value: input.value.0.into() }).collect(),
        exact: step.exact.0.into(),
        result: step.result.0.into(),
    }
}

#[cfg(test)]
mod tests {
    use rust_decimal::dec;
    use wayfare_pricing::{Contract, MarkupKind};

    use super::*;

    fn rules() -> Rules {
        let contract = Contract {
            supplier: "duffel".to_owned(),
            airline: Some("BA".to_owned()),
            cabin: None,
            kind: MarkupKind::Percent,
            value: dec!(3),
        };
        Rules { contracts: vec![contract], ..Rules::none(Currency::INR) }
    }

    fn example(airline: Option<&str>) -> Example {
        Example {
            supplier: Some("duffel".to_owned()),
            airline: airline.map(str::to_owned),
            base: dec!(38.01),
            taxes: dec!(7.70),
            ..Example::default()
        }
    }

    #[test]
    fn an_example_abroad_is_what_a_sale_is() {
        for (airline, commission) in [(Some("BA"), dec!(120.02)), (Some("AI"), dec!(0)), (None, dec!(0))] {
            let (rules, example) = (rules(), example(airline));
            let preview = sold(&rules, &example, Currency::GBP, dec!(105.25)).unwrap();
            assert_eq!(preview.price.commission().amount(), commission, "{airline:?}");
            let asked = asked(&example, Currency::GBP).unwrap();
            let sale = Sale::explained(&rules, &asked, dec!(105.25)).unwrap();
            assert_eq!((preview.price, Some(preview.trace)), (sale.price, sale.trace));
        }
    }

    #[test]
    fn in_the_payers_currency_both_come_to_the_same() {
        let (rules, example) = (rules(), example(Some("BA")));
        let plain = priced(&rules, &example).unwrap();
        let sale = sold(&rules, &example, Currency::INR, dec!(1)).unwrap();
        assert_eq!(plain.price, sale.price);
    }

    #[test]
    fn what_is_no_money_is_told_at_its_field() {
        for (base, commission, expected) in [
            (dec!(0.001), None, "{example.base must have at most 2 decimals}"),
            (
                dec!(100000000000000),
                Some(dec!(0.001)),
                "{example.base must have at most 14 digits before the decimal point} \
                 {example.commission must have at most 2 decimals}",
            ),
        ] {
            let example = Example { base, commission, ..Example::default() };
            assert_eq!(priced(&rules(), &example).unwrap_err().to_string(), expected);
        }
        // Together they are more than money can be.
        let much = Example { base: dec!(99999999999999.99), taxes: dec!(900), ..Example::default() };
        for refused in
            [priced(&rules(), &much).unwrap_err(), sold(&rules(), &much, Currency::INR, dec!(1)).unwrap_err()]
        {
            assert!(refused.to_string().starts_with("{example.base "), "{refused}");
        }
    }
}
