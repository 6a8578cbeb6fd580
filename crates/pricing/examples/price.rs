//! What an agency pays for a hotel room, with the rule and the figures of each part.

use std::error::Error;

use rust_decimal::dec;
use wayfare_domain::{Currency, Money};
use wayfare_pricing::{
    ApplyOn, Asked, Fee, Level, Markup, MarkupKind, Package, PriceRange, Rules, Sale, Terms,
};

fn main() -> Result<(), Box<dyn Error>> {
    let kind = MarkupKind::Percent;
    let band = |from, to, value| PriceRange { min_amount: from, max_amount: to, kind, value, sort_order: 0 };
    // All rules are in the payer's currency.
    let rules = Rules {
        // The agency adds 12 % to what is cheap and 6 % to what is not. Where no band holds the price, its own markup counts.
        package: Some(Package {
            id: "0197a9f0-0000-7000-8000-000000000001".parse()?,
            name: "City breaks".to_owned(),
            level: Level::Agency,
            markup: Markup { kind, value: dec!(8), apply_on: ApplyOn::Total },
            price_ranges: vec![band(dec!(0), Some(dec!(5000)), dec!(12)), band(dec!(5000), None, dec!(6))],
        }),
        // The operator of the platform takes a service fee, and the state its tax on that.
        terms: Terms {
            service_fee: Fee::Flat(Money::rounded(dec!(99), Currency::INR)),
            gst_percent: dec!(18),
            ..Terms::none(Currency::INR)
        },
        contracts: Vec::new(),
    };

    let euros = |amount| Money::rounded(amount, Currency::EUR);
    for (room, base) in [("a bed", dec!(31.40)), ("a suite", dec!(118.75))] {
        // The supplier says in its answer what it leaves to the platform.
        let asked = Asked {
            commission: Some(euros(dec!(4.15))),
            ..Asked::of("hotelbeds", euros(base), euros(dec!(6.28)))
        };
        // Converted once, at a rate that is kept with the sale.
        let sale = Sale::explained(&rules, &asked, dec!(97.3155))?;
        println!("{room}");
        if let Some(trace) = &sale.trace {
            print!("{trace}");
        }

        // True of every price, however it was made: what the wallet pays and the agency earns is the public fare and the fees.
        let price = &sale.price;
        let earned = price.agent_commission().unwrap_or(Money::zero(price.currency()));
        let sum = price.agent_fare().plus(earned)?;
        assert_eq!(sum, price.public_fare().plus(price.platform_charges()?)?);
        println!("{} + {earned} = {sum}", price.agent_fare());
    }
    Ok(())
}
