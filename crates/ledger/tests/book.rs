//! A ledger in memory: every rule at its bound, and whatever is done, the books balance.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may panic, and so may its helpers"
)]

use std::collections::BTreeMap;

use proptest::prelude::*;
use rust_decimal::Decimal;
use wayfare_domain::{Clock, Currency, HoldId, Money, TransferId, WalletId};
use wayfare_ledger::{
    Account, Book, BookError, ChainKey, Leg, Reason, Refused, Transfer, Wallet, WalletError,
};

fn inr(paise: i64) -> Money {
    Money::rounded(Decimal::new(paise, 2), Currency::INR)
}

fn transfer(key: &str, from: Account, to: Account, paise: i64) -> Transfer {
    let clock = Clock::system();
    Transfer::new(
        TransferId::new(&clock),
        key.to_owned(),
        Reason::Topup,
        None,
        "test".to_owned(),
        None,
        vec![Leg::debit(from, inr(paise)), Leg::credit(to, inr(paise))],
        clock.now(),
    )
    .unwrap()
}

/// A book with so many wallets of 100.00 each.
fn book(wallets: usize) -> (Book, Vec<WalletId>) {
    let mut book = Book::new(ChainKey::new([7; 32]).unwrap());
    let ids: Vec<WalletId> = (0..wallets).map(|_| WalletId::new(&Clock::system())).collect();
    for (number, id) in ids.iter().enumerate() {
        book.open(Wallet::open(*id, Currency::INR)).unwrap();
        let topup = transfer(
            &format!("topup:{number}"),
            Account::Funding,
            Account::Wallet(*id),
            10_000,
        );
        assert_eq!(book.apply(topup), Ok(true));
    }
    (book, ids)
}

fn hold() -> HoldId {
    HoldId::new(&Clock::system())
}

#[test]
fn a_transfer_between_wallets_moves_all_or_nothing() {
    let (mut book, ids) = book(2);
    let [from, to] = [Account::Wallet(ids[0]), Account::Wallet(ids[1])];
    let refused = book.apply(transfer("much", from.clone(), to.clone(), 10_001));
    let expected = Refused {
        available: inr(10_000),
        required: inr(10_001),
    };
    assert_eq!(refused, Err(BookError::Wallet(WalletError::Refused(expected))));
    assert!(book.transfer("much").is_none());
    let nobody = WalletId::new(&Clock::system());
    let lost = book.apply(transfer("lost", from.clone(), Account::Wallet(nobody), 1));
    assert_eq!(lost, Err(BookError::NoWallet(nobody)));
    assert_eq!(book.apply(transfer("all", from, to, 10_000)), Ok(true));
    assert_eq!(book.wallet(ids[0]).unwrap().balance, inr(0));
    assert_eq!(book.wallet(ids[1]).unwrap().balance, inr(20_000));
    assert_eq!([0, 1].map(|place| book.entries(ids[place]).count()), [2, 2]);
    assert_eq!(book.verify(), Ok(()));
}

#[test]
fn a_key_is_carried_out_once_and_names_one_transfer() {
    let (mut book, ids) = book(1);
    let wallet = Account::Wallet(ids[0]);
    let spend = |paise| transfer("spend", wallet.clone(), Account::Funding, paise);
    assert_eq!(book.apply(spend(100)), Ok(true));
    assert_eq!(book.apply(spend(100)), Ok(false));
    assert_eq!(
        book.apply(spend(101)),
        Err(BookError::KeyUsed("spend".to_owned()))
    );
    assert_eq!(book.wallet(ids[0]).unwrap().balance, inr(9_900));
}

#[test]
fn a_hold_ends_once() {
    let (mut book, ids) = book(1);
    let (first, second) = (hold(), hold());
    book.hold(first, ids[0], inr(6_000)).unwrap();
    assert_eq!(book.hold(first, ids[0], inr(1)), Err(BookError::HoldTwice(first)));
    assert!(book.hold(second, ids[0], inr(4_001)).is_err());
    let pay = |key, paise| {
        transfer(
            key,
            Account::Wallet(ids[0]),
            Account::Supplier("duffel".into()),
            paise,
        )
    };
    let more = book.post(first, pay("more", 6_001));
    assert_eq!(more, Err(BookError::Wallet(WalletError::NotHeld(ids[0]))));
    let elsewhere = transfer("elsewhere", Account::Funding, Account::Markup, 1);
    let not_of_it = book.post(first, elsewhere);
    assert_eq!(not_of_it, Err(BookError::Wallet(WalletError::NoLeg(ids[0]))));
    // What was not spent of it is free again.
    assert_eq!(book.post(first, pay("less", 5_000)), Ok(true));
    assert_eq!(book.post(first, pay("less", 5_000)), Ok(false));
    assert_eq!(book.post(first, pay("again", 1)), Err(BookError::NoHold(first)));
    assert_eq!(book.void(first), Err(BookError::NoHold(first)));
    let wallet = book.wallet(ids[0]).unwrap();
    assert_eq!((wallet.balance, wallet.held), (inr(5_000), inr(0)));
    book.hold(second, ids[0], inr(5_000)).unwrap();
    book.void(second).unwrap();
    assert_eq!(book.wallet(ids[0]).unwrap().held, inr(0));
}

#[test]
fn credit_and_standing_bound_what_is_spent() {
    let (mut book, ids) = book(1);
    book.set_credit_limit(ids[0], inr(500)).unwrap();
    book.hold(hold(), ids[0], inr(10_500)).unwrap();
    let less = book.set_credit_limit(ids[0], inr(499));
    let expected = Refused {
        available: inr(499),
        required: inr(500),
    };
    assert_eq!(less, Err(BookError::Wallet(WalletError::Refused(expected))));
    book.set_active(ids[0], false).unwrap();
    assert!(book.hold(hold(), ids[0], inr(0)).is_err());
    assert_eq!(
        book.open(Wallet::open(ids[0], Currency::INR)),
        Err(BookError::WalletTwice(ids[0]))
    );
}

#[test]
fn a_reversal_takes_back_and_leaves_its_trace() {
    let (mut book, ids) = book(1);
    let (wallet, clock) = (Account::Wallet(ids[0]), Clock::system());
    let paid = transfer("paid", wallet, Account::Supplier("duffel".into()), 700);
    book.apply(paid.clone()).unwrap();
    let back = paid.reversal(
        TransferId::new(&clock),
        "back".to_owned(),
        Reason::Refund,
        "taken back".to_owned(),
        None,
        clock.now(),
    );
    assert_eq!(book.apply(back), Ok(true));
    assert_eq!(book.wallet(ids[0]).unwrap().balance, inr(10_000));
    assert_eq!(book.entries(ids[0]).count(), 3);
    let sums = book.trial_balance().unwrap();
    let supplier = sums[&(Account::Supplier("duffel".into()), Currency::INR)];
    assert_eq!((supplier.debits, supplier.credits), (inr(700), inr(700)));
}

proptest! {
    #[test]
    fn whatever_is_done_the_books_balance(
        steps in prop::collection::vec((0_u8..6, 0_usize..3, 0_usize..3, 1_i64..8_000), 1..120),
    ) {
        let (mut book, ids) = book(3);
        let mut holds: Vec<(HoldId, WalletId, i64)> = Vec::new();
        for (number, (step, one, other, paise)) in steps.into_iter().enumerate() {
            let (key, here) = (format!("step:{number}"), Account::Wallet(ids[one]));
            match step {
                0 if one != other => {
                    let _ = book.apply(transfer(&key, here, Account::Wallet(ids[other]), paise));
                }
                1 => {
                    let _ = book.apply(transfer(&key, here, Account::Funding, paise));
                }
                2 | 3 => {
                    let id = hold();
                    if book.hold(id, ids[one], inr(paise)).is_ok() {
                        holds.push((id, ids[one], paise));
                    }
                }
                4 if !holds.is_empty() => {
                    let (id, wallet, held) = holds.swap_remove(one % holds.len());
                    let pay = transfer(&key, Account::Wallet(wallet), Account::Supplier("duffel".into()), held);
                    prop_assert_eq!(book.post(id, pay), Ok(true));
                }
                5 if !holds.is_empty() => {
                    let (id, ..) = holds.swap_remove(one % holds.len());
                    prop_assert_eq!(book.void(id), Ok(()));
                }
                _ => {}
            }
        }
        prop_assert_eq!(book.verify(), Ok(()));
        let sums = book.trial_balance().unwrap();
        let all: Decimal = sums.values().map(|sums| sums.balance().unwrap().amount()).sum();
        prop_assert_eq!(all, Decimal::ZERO);
        let mut held: BTreeMap<WalletId, i64> = BTreeMap::new();
        for (_, wallet, paise) in holds {
            *held.entry(wallet).or_default() += paise;
        }
        for id in ids {
            let wallet = book.wallet(id).unwrap();
            prop_assert_eq!(wallet.held, inr(held.get(&id).copied().unwrap_or_default()));
            prop_assert_eq!(sums[&(Account::Wallet(id), Currency::INR)].balance().unwrap(), wallet.balance);
            prop_assert!(!wallet.spendable().unwrap().is_negative());
        }
    }
}
