//! The wallet's rules as a table that an accountant can read: a start, steps, and what stands after each.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may panic, and so may its helpers"
)]

use rust_decimal::{Decimal, dec};
use wayfare_domain::{Clock, Currency, Money, TransferId, WalletId};
use wayfare_ledger::{Account, ChainKey, Leg, Reason, Transfer, Wallet, WalletError};

enum Step {
    Hold(Decimal),
    Void(Decimal),
    /// The hold, and what is taken of it.
    Post(Decimal, Decimal),
    Credit(Decimal),
    GiveBack(Decimal),
    Debit(Decimal),
    Freeze,
    Limit(Decimal),
}
use Step::{Credit, Debit, Freeze, GiveBack, Hold, Limit, Post, Void};

fn inr(amount: Decimal) -> Money {
    Money::rounded(amount, Currency::INR)
}

fn transfer(wallet: WalletId, credit: bool, amount: Decimal) -> Transfer {
    let clock = Clock::system();
    let (here, there) = (Account::Wallet(wallet), Account::Funding);
    let (from, to) = if credit { (there, here) } else { (here, there) };
    let id = TransferId::new(&clock);
    let legs = vec![Leg::debit(from, inr(amount)), Leg::credit(to, inr(amount))];
    Transfer::new(id, id.to_string(), Reason::Topup, None, String::new(), None, legs, clock.now()).unwrap()
}

fn check(balance: Decimal, credit_limit: Decimal, steps: &[(Step, &str)]) {
    let key = ChainKey::new([7; 32]).unwrap();
    let mut wallet = Wallet::open(WalletId::new(&Clock::system()), Currency::INR);
    wallet.balance = inr(balance);
    wallet.credit_limit = inr(credit_limit);
    for (index, (step, expected)) in steps.iter().enumerate() {
        let before = wallet.clone();
        let end = match *step {
            Hold(amount) => wallet.hold(inr(amount)),
            Void(amount) => wallet.void(inr(amount)),
            Post(hold, amount) => wallet.post(inr(hold), &transfer(wallet.id, false, amount), &key).map(drop),
            Credit(amount) => wallet.apply(&transfer(wallet.id, true, amount), &key).map(drop),
            GiveBack(amount) => wallet.give_back(&transfer(wallet.id, true, amount), &key).map(drop),
            Debit(amount) => wallet.apply(&transfer(wallet.id, false, amount), &key).map(drop),
            Limit(limit) => wallet.set_credit_limit(inr(limit)),
            Freeze => {
                wallet.is_active = false;
                Ok(())
            }
        };
        let shown = match end {
            Ok(()) => {
                let spendable = wallet.spendable().unwrap();
                format!(
                    "balance {} held {} spendable {spendable} entries {}",
                    wallet.balance, wallet.held, wallet.sequence
                )
            }
            Err(error) => {
                assert_eq!(wallet, before, "a refused step changes nothing");
                match error {
                    WalletError::Refused(refused) => format!("refused, {refused}"),
                    WalletError::Full(full) => format!("refused, {full}"),
                    WalletError::NotHeld(_) => "refused, not held".to_owned(),
                    other => other.to_string(),
                }
            }
        };
        assert_eq!(shown, *expected, "step {}", index + 1);
    }
}

#[test]
fn a_hold_is_less_to_spend_and_no_entry_until_it_is_posted() {
    check(
        dec!(100),
        dec!(0),
        &[
            (Hold(dec!(60)), "balance 100.00 held 60.00 spendable 40.00 entries 0"),
            (Hold(dec!(40.01)), "refused, available: 40.00, required: 40.01"),
            (Post(dec!(60), dec!(60)), "balance 40.00 held 0.00 spendable 40.00 entries 1"),
            (Hold(dec!(40)), "balance 40.00 held 40.00 spendable 0.00 entries 1"),
            (Void(dec!(40)), "balance 40.00 held 0.00 spendable 40.00 entries 1"),
        ],
    );
}

#[test]
fn credit_pays_for_bookings_but_not_for_allocations() {
    check(
        dec!(100),
        dec!(50),
        &[
            (Debit(dec!(100.01)), "refused, available: 100.00, required: 100.01"),
            (Hold(dec!(150)), "balance 100.00 held 150.00 spendable 0.00 entries 0"),
            (Debit(dec!(1)), "refused, available: 0.00, required: 1.00"),
            (Post(dec!(150), dec!(150)), "balance -50.00 held 0.00 spendable 0.00 entries 1"),
            (Credit(dec!(20)), "balance -30.00 held 0.00 spendable 20.00 entries 2"),
            (Hold(dec!(20.01)), "refused, available: 20.00, required: 20.01"),
        ],
    );
}

#[test]
fn a_post_takes_at_most_its_hold() {
    check(
        dec!(100),
        dec!(0),
        &[
            (Hold(dec!(60)), "balance 100.00 held 60.00 spendable 40.00 entries 0"),
            (Post(dec!(60), dec!(60.01)), "refused, not held"),
            (Post(dec!(61), dec!(60)), "refused, not held"),
            (Void(dec!(60.01)), "refused, not held"),
            (Post(dec!(60), dec!(59)), "balance 41.00 held 0.00 spendable 41.00 entries 1"),
        ],
    );
}

#[test]
fn a_frozen_wallet_pays_for_nothing_but_still_receives() {
    check(
        dec!(100),
        dec!(0),
        &[
            (Hold(dec!(10)), "balance 100.00 held 10.00 spendable 90.00 entries 0"),
            (Freeze, "balance 100.00 held 10.00 spendable 90.00 entries 0"),
            (Hold(dec!(1)), "refused, available: 0.00, required: 1.00"),
            (Post(dec!(10), dec!(10)), "balance 90.00 held 0.00 spendable 90.00 entries 1"),
            (Credit(dec!(5)), "balance 95.00 held 0.00 spendable 95.00 entries 2"),
        ],
    );
}

#[test]
fn a_wallet_holds_at_most_what_an_amount_may_be_and_gets_back_what_it_paid() {
    check(
        dec!(99999999999999.98),
        dec!(0),
        &[
            (
                Credit(dec!(0.02)),
                "refused, 0.02 can't be added: the wallet would hold 100000000000000.00, \
                 and a wallet holds at most 99999999999999.99",
            ),
            (Credit(dec!(0.01)), "balance 99999999999999.99 held 0.00 spendable 99999999999999.99 entries 1"),
            (
                GiveBack(dec!(99999999999999.99)),
                "balance 199999999999999.98 held 0.00 spendable 199999999999999.98 entries 2",
            ),
            (
                Hold(dec!(199999999999999.98)),
                "balance 199999999999999.98 held 199999999999999.98 spendable 0.00 entries 2",
            ),
            (
                Void(dec!(199999999999999.98)),
                "balance 199999999999999.98 held 0.00 spendable 199999999999999.98 entries 2",
            ),
            (
                Debit(dec!(0.01)),
                "balance 199999999999999.97 held 0.00 spendable 199999999999999.97 entries 3",
            ),
        ],
    );
}

#[test]
fn a_credit_limit_is_at_least_what_is_owed_and_held() {
    check(
        dec!(100),
        dec!(5),
        &[
            (Hold(dec!(105)), "balance 100.00 held 105.00 spendable 0.00 entries 0"),
            (Limit(dec!(4.99)), "refused, available: 4.99, required: 5.00"),
            (Limit(dec!(6)), "balance 100.00 held 105.00 spendable 1.00 entries 0"),
        ],
    );
}

#[test]
fn a_transfer_between_others_is_not_written_on_a_wallet() {
    let key = ChainKey::new([7; 32]).unwrap();
    let clock = Clock::system();
    let mut wallet = Wallet::open(WalletId::new(&clock), Currency::INR);
    wallet.apply(&transfer(wallet.id, true, dec!(10)), &key).unwrap();
    wallet.hold(inr(dec!(5))).unwrap();
    let before = wallet.clone();
    let elsewhere = transfer(WalletId::new(&clock), false, dec!(1));
    let credit = transfer(wallet.id, true, dec!(1));
    let no_leg = Err(WalletError::NoLeg(wallet.id));
    assert_eq!(wallet.apply(&elsewhere, &key), no_leg);
    assert_eq!(wallet.post(inr(dec!(5)), &elsewhere, &key), no_leg);
    assert_eq!(wallet.post(inr(dec!(5)), &credit, &key), no_leg);
    assert_eq!(wallet.give_back(&elsewhere, &key), no_leg);
    let debit = transfer(wallet.id, false, dec!(1));
    assert_eq!(wallet.give_back(&debit, &key), no_leg);
    assert_eq!(wallet, before);
}
