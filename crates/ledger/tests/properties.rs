//! Whatever is done in whatever order: books balance, nothing is spent twice, every edit shows.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may panic, and so may its helpers"
)]

use proptest::prelude::*;
use rust_decimal::Decimal;
use wayfare_domain::{Clock, Currency, Money, TransferId, WalletId};
use wayfare_ledger::{
    Account, Audit, Broken, ChainKey, Entry, Leg, Reason, Transfer, Unbalanced, Wallet, WalletError,
};

/// The largest amount, in paise.
const MOST: i64 = 9_999_999_999_999_999;

fn inr(paise: i64) -> Money {
    Money::rounded(Decimal::new(paise, 2), Currency::INR)
}

fn of_legs(legs: Vec<Leg>) -> Result<Transfer, Unbalanced> {
    let clock = Clock::system();
    let id = TransferId::new(&clock);
    Transfer::new(id, id.to_string(), Reason::Booking, None, "test".into(), None, legs, clock.now())
}

fn transfer(wallet: WalletId, paise: i64, credit: bool) -> Transfer {
    let (here, there) = (Account::Wallet(wallet), Account::Funding);
    let (from, to) = if credit { (there, here) } else { (here, there) };
    of_legs(vec![Leg::debit(from, inr(paise)), Leg::credit(to, inr(paise))]).unwrap()
}

fn history(steps: &[(u8, i64)], key: &ChainKey) -> (Wallet, Vec<(Entry, Transfer)>) {
    let mut wallet = Wallet::open(WalletId::new(&Clock::system()), Currency::INR);
    wallet.credit_limit = inr(5_000);
    let mut holds: Vec<Money> = Vec::new();
    let mut entries = Vec::new();
    for &(step, paise) in steps {
        let written = match step {
            0 => {
                let credit = transfer(wallet.id, paise, true);
                wallet.apply(&credit, key).ok().map(|entry| (entry, credit))
            }
            1 => {
                let debit = transfer(wallet.id, paise, false);
                wallet.apply(&debit, key).ok().map(|entry| (entry, debit))
            }
            2 => {
                if wallet.hold(inr(paise)).is_ok() {
                    holds.push(inr(paise));
                }
                None
            }
            3 => holds.pop().and_then(|hold| wallet.void(hold).map(|()| None).unwrap()),
            _ => holds.pop().map(|hold| {
                let debit = transfer(wallet.id, i64::try_from(hold.amount().mantissa()).unwrap(), false);
                (wallet.post(hold, &debit, key).unwrap(), debit)
            }),
        };
        entries.extend(written);
        assert!(!wallet.spendable().unwrap().is_negative(), "never spent below zero");
        assert_eq!(Money::sum(Currency::INR, holds.iter().copied()).unwrap(), wallet.held);
    }
    (wallet, entries)
}

fn audit(key: &ChainKey, wallet: &Wallet, entries: Vec<(Entry, Transfer)>) -> Result<(), Broken> {
    let mut audit = Audit::of(key, wallet);
    entries.iter().try_for_each(|(entry, transfer)| audit.check(entry, transfer))?;
    audit.finish(wallet)
}

proptest! {
    #[test]
    fn any_history_adds_up_and_any_edit_shows(
        steps in prop::collection::vec((0u8..5, 1i64..10_000), 1..60),
        which in any::<prop::sample::Index>(),
        edit in 0u8..4,
    ) {
        let key = ChainKey::new([1; 32]).unwrap();
        let (wallet, entries) = history(&steps, &key);
        prop_assert_eq!(audit(&key, &wallet, entries.clone()), Ok(()));

        if !entries.is_empty() {
            let place = which.index(entries.len());
            let mut edited = entries.clone();
            match edit {
                0 => edited[place].0.amount = edited[place].0.amount.plus(inr(1)).unwrap(),
                1 => edited[place].1.description.push('!'),
                2 => drop(edited.remove(place)),
                _ => edited.insert(place, entries[place].clone()),
            }
            let broken = audit(&key, &wallet, edited).unwrap_err();
            let at = match broken {
                Broken::Sequence { expected, .. } => expected,
                Broken::Balance(at) | Broken::Seal(at) => at,
                Broken::Wallet { count, .. } => count + 1,
                other => panic!("{other}"),
            };
            let first = if edit == 3 { place + 2 } else { place + 1 };
            prop_assert_eq!(at, i64::try_from(first).unwrap(), "the first wrong entry is named");

            let other = ChainKey::new([2; 32]).unwrap();
            prop_assert_eq!(audit(&other, &wallet, entries), Err(Broken::Seal(1)));
        }
    }

    #[test]
    fn whatever_comes_in_a_wallet_is_read_back_and_only_what_comes_back_fills_it_further(
        steps in prop::collection::vec((0u8..3, 1i64..=MOST), 1..40),
    ) {
        let key = ChainKey::new([1; 32]).unwrap();
        let mut wallet = Wallet::open(WalletId::new(&Clock::system()), Currency::INR);
        let mut entries = Vec::new();
        for (step, paise) in steps {
            let moved = transfer(wallet.id, paise, step != 0);
            let (before, sum) = (wallet.clone(), wallet.balance.plus(inr(paise)).unwrap());
            let done = match step {
                0 | 1 => wallet.apply(&moved, &key),
                _ => wallet.give_back(&moved, &key),
            };
            match (step, &done) {
                (0, _) => {}
                (1, Err(WalletError::Full(full))) => {
                    prop_assert!(sum.bounded().is_err(), "{full}");
                    prop_assert_eq!((full.amount, full.balance), (inr(paise), sum));
                    prop_assert_eq!(&wallet, &before);
                }
                (1, done) => prop_assert!(done.is_ok() && sum.bounded().is_ok()),
                (_, done) => prop_assert!(done.is_ok(), "what was paid from here always fits"),
            }
            entries.extend(done.ok().map(|entry| (entry, moved)));
            let read = Money::stored(wallet.balance.amount(), Currency::INR);
            prop_assert_eq!(read, Ok(wallet.balance));
        }
        prop_assert_eq!(audit(&key, &wallet, entries), Ok(()));
    }

    #[test]
    fn legs_that_do_not_balance_are_no_transfer(debit in 1i64..1_000, credit in 1i64..1_000) {
        let legs = vec![Leg::debit(Account::Funding, inr(debit)), Leg::credit(Account::Markup, inr(credit))];
        prop_assert_eq!(of_legs(legs).is_ok(), debit == credit);
    }
}

#[test]
fn a_transfer_refuses_zero_legs_foreign_currencies_and_one_wallet_twice() {
    let wallet = Account::Wallet(WalletId::new(&Clock::system()));
    let make = |legs| of_legs(legs).map(drop);
    assert_eq!(make(vec![]), Err(Unbalanced::Empty));
    assert_eq!(make(vec![Leg::debit(Account::Funding, inr(0))]), Err(Unbalanced::Leg(Account::Funding)));
    let dollars = Money::rounded(Decimal::ONE, Currency::USD);
    assert_eq!(
        make(vec![Leg::debit(Account::Funding, inr(100)), Leg::credit(Account::Markup, dollars)]),
        Err(Unbalanced::Leg(Account::Markup))
    );
    assert_eq!(
        make(vec![Leg::debit(wallet.clone(), inr(100)), Leg::credit(wallet.clone(), inr(100))]),
        Err(Unbalanced::Leg(wallet))
    );
}

#[test]
fn account_names_read_back() {
    let wallet = Account::Wallet(WalletId::new(&Clock::system()));
    let supplier = Account::Supplier("duffel".into());
    for account in [
        wallet,
        supplier,
        Account::Funding,
        Account::Markup,
        Account::Commission,
        Account::ServiceFee,
        Account::Gst,
        Account::PlatformCharge,
    ] {
        assert_eq!(account.to_string().parse(), Ok(account));
    }
    assert!("wallet:nobody".parse::<Account>().is_err());
    assert!("bank".parse::<Account>().is_err());
}
