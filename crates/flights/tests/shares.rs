//! A party's price shared out by heads is that price, whatever it is.

use proptest::prelude::*;
use rust_decimal::Decimal;
use wayfare_domain::{Currency, Money, Party};
use wayfare_flights::shares;

proptest! {
    #[test]
    fn shares_add_up_exactly_and_differ_by_a_minor_unit(
        base in 0..i64::MAX,
        taxes in -1_000_000..10_000_000_000_i64,
        (adults, children, infants) in (1..=9_u8, 0..=8_u8, 0..=9_u8),
        (currency, units) in prop::sample::select(vec![
            (Currency::JPY, 0),
            (Currency::INR, 2),
            (Currency::KWD, 3),
        ]),
    ) {
        let money = |minor| Money::rounded(Decimal::new(minor, units), currency);
        let (base, taxes) = (money(base), money(taxes));
        let party = Party { adults, children, infants };
        let rows = shares(base, taxes, party);

        let heads: u32 = rows.iter().map(|row| row.count).sum();
        prop_assert_eq!(usize::try_from(heads), Ok(party.size()));
        for (whole, part) in [
            (base, rows.iter().map(|row| (row.base, row.count)).collect::<Vec<_>>()),
            (taxes, rows.iter().map(|row| (row.taxes, row.count)).collect()),
        ] {
            let parts = part.iter().map(|(share, count)| share.times(Decimal::from(*count)));
            let sum = Money::sum(currency, parts.collect::<Result<Vec<_>, _>>()?);
            prop_assert_eq!(sum, Ok(whole));
            let amounts = part.iter().map(|(share, _)| share.amount());
            let apart = amounts.clone().max().unwrap_or_default() - amounts.min().unwrap_or_default();
            prop_assert!(apart <= Decimal::new(1, units));
        }
    }
}
