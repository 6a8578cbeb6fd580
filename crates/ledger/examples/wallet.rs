//! A wallet holds money, pays with it, and proves that nobody has changed its history.
//!
//! The rules do no I/O: a service stores wallet, entries and transfers, all of one movement in one transaction.

use std::error::Error;

use rust_decimal::{Decimal, dec};
use wayfare_domain::{Clock, Currency, Money, TransferId, WalletId};
use wayfare_ledger::{
    Account, Audit, Broken, ChainKey, Entry, Leg, Reason, Transfer, Unbalanced, Wallet, WalletError,
};

fn main() -> Result<(), Box<dyn Error>> {
    // Kept where the database is not: who can rewrite every row still can't seal one.
    let key = ChainKey::new(b"at least 32 bytes, out of a secret store")?;
    let mut wallet = Wallet::open(WalletId::new(&Clock::system()), Currency::INR);

    // Money never comes from nowhere: each transfer debits what it credits.
    let purse = Account::Wallet(wallet.id);
    let topup = transfer("topup:1", Reason::Topup, (Account::Funding, purse.clone()), rupees(dec!(10000)))?;
    let mut history = vec![(wallet.apply(&topup, &key)?, topup)];

    // Held before anything is bought, so that the same money is not spent twice.
    let (flight, hotel) = (rupees(dec!(4810.50)), rupees(dec!(3000)));
    wallet.hold(flight)?;
    wallet.hold(hotel)?;
    println!("held {}, {} left to spend", wallet.held, wallet.spendable()?);
    if let Err(WalletError::Refused(refused)) = wallet.hold(rupees(dec!(2500))) {
        println!("refused: {refused}");
    }

    // The flight is bought, and its hold posted. The hotel is not: its hold is voided, and leaves no entry.
    let supplier = Account::Supplier("duffel".to_owned());
    let booking = transfer("booking:1", Reason::Booking, (purse, supplier), flight)?;
    history.push((wallet.post(flight, &booking, &key)?, booking));
    wallet.void(hotel)?;
    println!("held {}, {} left to spend", wallet.held, wallet.spendable()?);

    prove(&key, &wallet, &history)?;
    println!("{} entries are what was written", history.len());

    // Somebody who may write to the database makes the flight cheaper, so that all balances add up again.
    let (mut changed, mut richer) = (history.clone(), wallet.clone());
    if let Some((entry, _)) = changed.last_mut() {
        entry.amount = rupees(dec!(10));
        entry.balance_after = entry.balance_before.minus(entry.amount)?;
        richer.balance = entry.balance_after;
    }
    if let Err(broken) = prove(&key, &richer, &changed) {
        println!("changed: {broken}");
    }
    // Or takes the purchase out.
    history.pop();
    if let Err(broken) = prove(&key, &wallet, &history) {
        println!("taken out: {broken}");
    }
    Ok(())
}

/// From one account to the other. The key is unique: a movement is written once, however often it is tried.
fn transfer(
    key: &str,
    reason: Reason,
    (from, to): (Account, Account),
    amount: Money,
) -> Result<Transfer, Unbalanced> {
    let (clock, description) = (Clock::system(), "an example".to_owned());
    let legs = vec![Leg::debit(from, amount), Leg::credit(to, amount)];
    Transfer::new(TransferId::new(&clock), key.into(), reason, None, description, None, legs, clock.now())
}

/// Adds the history up from nothing and checks each seal.
fn prove(key: &ChainKey, wallet: &Wallet, history: &[(Entry, Transfer)]) -> Result<(), Broken> {
    let mut audit = Audit::of(key, wallet);
    for (entry, transfer) in history {
        audit.check(entry, transfer)?;
    }
    audit.finish(wallet)
}

fn rupees(amount: Decimal) -> Money {
    Money::rounded(amount, Currency::INR)
}
