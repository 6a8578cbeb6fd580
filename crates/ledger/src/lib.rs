//! Money that moves: double entry, holds, and a keyed hash chain over each customer wallet.
//!
//! Pure rules without a database, so they can be linked and tested in microseconds. A [`Transfer`] debits
//! and credits accounts by the same amount or cannot be made. A [`Wallet`] first holds money, then posts or
//! voids the hold; what it can spend never goes below zero. Each movement on a wallet is an [`Entry`] whose
//! seal covers its contents, all legs of its transfer and the entry before it.
//!
//! A [`Book`] is a whole ledger in memory under these rules. PostgreSQL's ledger follows the same ones: the crate
//! `wayfare-store` writes what [`Wallet`] decides.
//!
//! ```
//! use rust_decimal::dec;
//! use wayfare_domain::{Clock, Currency, HoldId, Money, TransferId, WalletId};
//! use wayfare_ledger::{Account, Book, ChainKey, Leg, Reason, Transfer, Wallet};
//!
//! let clock = Clock::system();
//! let inr = |amount| Money::rounded(amount, Currency::INR);
//! let mut book = Book::new(ChainKey::new(b"a secret of at least thirty-two bytes".to_vec())?);
//! let transfer = |key: &str, reason, legs| Transfer::new(
//!     TransferId::new(&clock), key.into(), reason, None, "example".into(), None, legs, clock.now());
//!
//! let wallet = WalletId::new(&clock);
//! book.open(Wallet::open(wallet, Currency::INR))?;
//! let topup = transfer("topup:1", Reason::Topup, vec![
//!     Leg::debit(Account::Funding, inr(dec!(100))),
//!     Leg::credit(Account::Wallet(wallet), inr(dec!(100))),
//! ])?;
//! assert!(book.apply(topup.clone())?, "made now");
//! assert!(!book.apply(topup)?, "the same key is carried out once");
//!
//! // Two phases: money is held before anything is bought, and spent when it was.
//! let (bought, sold_out) = (HoldId::new(&clock), HoldId::new(&clock));
//! book.hold(bought, wallet, inr(dec!(60)))?;
//! assert!(book.hold(sold_out, wallet, inr(dec!(41))).is_err(), "only 40.00 is left to spend");
//! book.hold(sold_out, wallet, inr(dec!(40)))?;
//! book.void(sold_out)?;
//! let booking = transfer("booking:1", Reason::Booking, vec![
//!     Leg::debit(Account::Wallet(wallet), inr(dec!(60))),
//!     Leg::credit(Account::Supplier("duffel".into()), inr(dec!(60))),
//! ])?;
//! book.post(bought, booking.clone())?;
//!
//! // Nothing is changed or taken out: what was wrong is reversed.
//! let refund = booking.reversal(
//!     TransferId::new(&clock), "refund:1".into(), Reason::Refund, "wrong dates".into(), None, clock.now());
//! book.apply(refund)?;
//!
//! let entries: Vec<_> = book.entries(wallet).map(|entry| entry.balance_after).collect();
//! assert_eq!(entries, [inr(dec!(100)), inr(dec!(40)), inr(dec!(100))]);
//! let supplier = &book.trial_balance()?[&(Account::Supplier("duffel".into()), Currency::INR)];
//! assert!(supplier.balance()?.is_zero());
//! book.verify().expect("every balance and every seal is what was written");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod book;
mod chain;
mod transfer;
mod wallet;

pub use book::{Book, BookError, Sums};
pub use chain::{Audit, Broken, ChainKey, Seal, WeakKey};
pub use transfer::{Account, Leg, Reason, Side, Transfer, Unbalanced};
pub use wallet::{Entry, Refused, Wallet, WalletError};
