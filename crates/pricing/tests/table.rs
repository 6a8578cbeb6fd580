//! Prices worked by hand, never by the code under test.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may panic, and so may its helpers"
)]

use proptest::prelude::*;
use rust_decimal::{Decimal, dec};
use wayfare_domain::{Currency, Money};
use wayfare_pricing::{ApplyOn, Fee, Markup, MarkupKind, Offered, Terms, price};

struct Row {
    base: Decimal,
    taxes: Decimal,
    commission: Decimal,
    markup: Option<(MarkupKind, Decimal, ApplyOn)>,
    /// Service fee (flat or percent), GST percent, platform charge, minimum and maximum commission.
    terms: (
        Option<Decimal>,
        Option<Decimal>,
        Decimal,
        Decimal,
        Decimal,
        Decimal,
    ),
    /// Markup taken, public fare, commission, S, G, agent fare.
    expected: &'static str,
}

use ApplyOn::{Commission, Fare, Total};
use MarkupKind::{Flat, Percent};

const NO_TERMS: (
    Option<Decimal>,
    Option<Decimal>,
    Decimal,
    Decimal,
    Decimal,
    Decimal,
) = (None, None, dec!(0), dec!(0), dec!(0), dec!(0));

fn check(currency: Currency, rows: &[Row]) {
    let money = |amount| Money::rounded(amount, currency);
    for (number, row) in rows.iter().enumerate() {
        let (flat, percent, gst, platform, min, max) = row.terms;
        let terms = Terms {
            service_fee: percent.map_or(Fee::Flat(money(flat.unwrap_or_default())), Fee::Percent),
            gst_percent: gst,
            platform_charge: money(platform),
            min_commission: money(min),
            max_commission: money(max),
        };
        let offered = Offered {
            base: money(row.base),
            taxes: money(row.taxes),
            commission: money(row.commission),
        };
        let markup = row.markup.map(|(kind, value, apply_on)| Markup {
            kind,
            value,
            apply_on,
        });
        let price = price(offered, markup, terms).unwrap();
        let commission = price
            .agent_commission()
            .map_or("-".to_owned(), |commission| commission.to_string());
        let shown = format!(
            "M {} public {} commission {commission} S {} G {} agent {}",
            price.markup(),
            price.public_fare(),
            price.service_fee(),
            price.gst(),
            price.agent_fare()
        );
        assert_eq!(shown, row.expected, "row {}", number + 1);
    }
}

#[test]
#[rustfmt::skip]
fn rupees() {
    check(Currency::INR, &[
        // No package: the platform keeps the commission, the agency pays T and the fees.
        Row { base: dec!(4000), taxes: dec!(810.50), commission: dec!(120), markup: None, terms: NO_TERMS,
            expected: "M 0.00 public 4810.50 commission - S 0.00 G 0.00 agent 4810.50" },
        Row { base: dec!(4000), taxes: dec!(810.50), commission: dec!(120), markup: None,
            terms: (Some(dec!(100)), None, dec!(18), dec!(25), dec!(0), dec!(0)),
            expected: "M 0.00 public 4810.50 commission - S 100.00 G 18.00 agent 4953.50" },
        // Markup on fare and total adds to the public fare.
        Row { base: dec!(4000), taxes: dec!(810.50), commission: dec!(120), markup: Some((Flat, dec!(250), Fare)), terms: NO_TERMS,
            expected: "M 250.00 public 5060.50 commission 120.00 S 0.00 G 0.00 agent 4940.50" },
        Row { base: dec!(4000), taxes: dec!(810.50), commission: dec!(120), markup: Some((Percent, dec!(5), Fare)), terms: NO_TERMS,
            expected: "M 200.00 public 5010.50 commission 120.00 S 0.00 G 0.00 agent 4890.50" },
        Row { base: dec!(4000), taxes: dec!(810.50), commission: dec!(120), markup: Some((Percent, dec!(5), Total)), terms: NO_TERMS,
            expected: "M 240.53 public 5051.03 commission 120.00 S 0.00 G 0.00 agent 4931.03" },
        // Markup on the commission is taken out of it; the public fare stays.
        Row { base: dec!(4000), taxes: dec!(810.50), commission: dec!(120), markup: Some((Percent, dec!(25), Commission)), terms: NO_TERMS,
            expected: "M 30.00 public 4810.50 commission 90.00 S 0.00 G 0.00 agent 4720.50" },
        Row { base: dec!(4000), taxes: dec!(810.50), commission: dec!(120), markup: Some((Flat, dec!(200), Commission)), terms: NO_TERMS,
            expected: "M 120.00 public 4810.50 commission 0.00 S 0.00 G 0.00 agent 4810.50" },
        // Bounds come last, capped at the public fare.
        Row { base: dec!(4000), taxes: dec!(810.50), commission: dec!(120), markup: Some((Flat, dec!(200), Commission)),
            terms: (None, None, dec!(0), dec!(0), dec!(50), dec!(0)),
            expected: "M 120.00 public 4810.50 commission 50.00 S 0.00 G 0.00 agent 4760.50" },
        Row { base: dec!(4000), taxes: dec!(810.50), commission: dec!(120), markup: Some((Flat, dec!(0), Fare)),
            terms: (None, None, dec!(0), dec!(0), dec!(0), dec!(80)),
            expected: "M 0.00 public 4810.50 commission 80.00 S 0.00 G 0.00 agent 4730.50" },
        Row { base: dec!(10), taxes: dec!(5), commission: dec!(0), markup: Some((Flat, dec!(0), Fare)),
            terms: (None, None, dec!(0), dec!(0), dec!(50), dec!(0)),
            expected: "M 0.00 public 15.00 commission 15.00 S 0.00 G 0.00 agent 0.00" },
        // Fees in per cent of T, GST of the fee, half away from zero.
        Row { base: dec!(99.99), taxes: dec!(0.26), commission: dec!(0), markup: None,
            terms: (None, Some(dec!(2)), dec!(18), dec!(0), dec!(0), dec!(0)),
            expected: "M 0.00 public 100.25 commission - S 2.01 G 0.36 agent 102.62" },
    ]);
}

#[test]
#[rustfmt::skip]
fn yen_and_dinars() {
    check(Currency::JPY, &[
        Row { base: dec!(10001), taxes: dec!(500), commission: dec!(0), markup: Some((Percent, dec!(2.5), Fare)), terms: NO_TERMS,
            expected: "M 250 public 10751 commission 0 S 0 G 0 agent 10751" },
    ]);
    check(Currency::KWD, &[
        Row { base: dec!(10.005), taxes: dec!(0.001), commission: dec!(0), markup: Some((Percent, dec!(5), Total)), terms: NO_TERMS,
            expected: "M 0.500 public 10.506 commission 0.000 S 0.000 G 0.000 agent 10.506" },
    ]);
}

proptest! {
    #[test]
    fn the_identity_holds_for_every_price(
        parts in (0i64..10_000_000, 0i64..1_000_000, 0i64..100_000),
        value in 0i64..10_000,
        kind in prop::sample::select(vec![Flat, Percent]),
        apply_on in prop::sample::select(vec![Commission, Fare, Total]),
        packaged in any::<bool>(),
        fees in (0i64..10_000, 0i64..2_800, 0i64..10_000, 0i64..10_000, 0i64..10_000),
    ) {
        let inr = |paise| Money::rounded(Decimal::new(paise, 2), Currency::INR);
        let terms = Terms {
            service_fee: Fee::Flat(inr(fees.0)),
            gst_percent: Decimal::new(fees.1, 2),
            platform_charge: inr(fees.2),
            min_commission: inr(fees.3),
            max_commission: inr(fees.4),
        };
        let offered = Offered { base: inr(parts.0), taxes: inr(parts.1), commission: inr(parts.2) };
        let markup = packaged.then_some(Markup { kind, value: Decimal::new(value, 2), apply_on });
        let price = price(offered, markup, terms).unwrap();

        let zero = Money::zero(Currency::INR);
        let left = price.agent_fare().plus(price.agent_commission().unwrap_or(zero)).unwrap();
        let right = price.public_fare().plus(price.platform_charges().unwrap()).unwrap();
        prop_assert_eq!(left, right);
        prop_assert!(!price.public_fare().is_negative());
        prop_assert!(!price.agent_fare().is_negative());
        prop_assert_eq!(price.total(), price.base().plus(price.taxes()).unwrap());
    }
}
