//! The bytes of a seal: they are stored with each entry, and whoever seals otherwise finds every wallet broken.
#![allow(clippy::unwrap_used, reason = "a test may panic, and so may its helpers")]

use proptest::prelude::*;
use rust_decimal::{Decimal, dec};
use wayfare_domain::{Currency, Money};
use wayfare_ledger::{Account, ChainKey, Entry, Leg, Reason, Seal, Side, Transfer};

fn transfer(legs: Vec<Leg>) -> Transfer {
    Transfer::new(
        "0197c0de-0000-7000-8000-000000000002".parse().unwrap(),
        "refund:0197c0de-0000-7000-8000-000000000003".to_owned(),
        Reason::Refund,
        Some("WF-7KQ2M9".to_owned()),
        "refund of booking WF-7KQ2M9".to_owned(),
        Some("0197c0de-0000-7000-8000-000000000004".parse().unwrap()),
        legs,
        "2027-01-10T12:00:00.123456Z".parse().unwrap(),
    )
    .unwrap()
}

/// An entry of this amount, in a wallet that was overdrawn before it.
fn sealed(amount: Money) -> Seal {
    let wallet = "0197c0de-0000-7000-8000-000000000001".parse().unwrap();
    let transfer = transfer(vec![
        Leg::credit(Account::Wallet(wallet), amount),
        Leg::debit(Account::Supplier("duffel".to_owned()), amount),
    ]);
    let before = Money::rounded(dec!(-0.05), amount.currency());
    let entry = Entry {
        wallet,
        sequence: 7,
        side: Side::Credit,
        amount,
        balance_before: before,
        balance_after: before.plus(amount).unwrap(),
        previous: Seal([9; 32]),
        seal: Seal::START,
    };
    ChainKey::new([7; 32]).unwrap().seal(&entry, &transfer)
}

#[test]
fn a_seal_has_the_bytes_that_it_always_had() {
    for (amount, currency, expected) in [
        (dec!(4810.50), Currency::INR, "c8528b190bcb17ba0e35dec7fdab708ffe5e729094e903db0eec1a3465aeea52"),
        (dec!(4810), Currency::JPY, "c41e8c9e6e349db46d7436601189c16aae8ae38be46d29c51e0f1658aef11f8a"),
        (dec!(0.005), Currency::KWD, "d2722bbd5bf8aad682fde7e18a46a0435119197eeb6b23fb87fb2477aac9c3b4"),
        (
            dec!(99999999999999.99),
            Currency::USD,
            "42e499dd9980a80bbdfb6de3101a39c0ee4fdfeeb26c535582e351c82648ab78",
        ),
    ] {
        let seal = sealed(Money::rounded(amount, currency));
        assert_eq!(format!("{seal:?}"), expected, "{amount} {}", currency.code());
    }
}

proptest! {
    /// However large its legs are, they are a transfer or they are none.
    #[test]
    fn no_legs_are_too_large_to_be_looked_at(
        units in prop::collection::vec(1_i64.., 2..5), sides in prop::collection::vec(any::<bool>(), 2..5),
    ) {
        let most = Money::stored(dec!(792281625142643375935439503.35), Currency::INR).unwrap();
        let legs: Vec<Leg> = units.into_iter().zip(sides).map(|(units, is_debit)| {
            let amount = match units % 3 {
                0 => most,
                _ => Money::rounded(Decimal::new(units, 2), Currency::INR),
            };
            match is_debit {
                true => Leg::debit(Account::Funding, amount),
                false => Leg::credit(Account::Markup, amount),
            }
        }).collect();
        let id = "0197c0de-0000-7000-8000-000000000002".parse().unwrap();
        let at = "2027-01-10T12:00:00Z".parse().unwrap();
        let made = Transfer::new(id, "k".to_owned(), Reason::Topup, None, String::new(), None, legs.clone(), at);
        if let Ok(made) = made {
            prop_assert_eq!(made.legs(), legs.as_slice());
        }
    }
}
