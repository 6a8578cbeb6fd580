//! Money that moves: double entry, holds, and a keyed hash chain over each customer wallet.
//!
//! Pure rules without a database, so they can be linked and tested in microseconds. A [`Transfer`] debits
//! and credits accounts by the same amount or cannot be made. A [`Wallet`] first holds money, then posts or
//! voids the hold; what it can spend never goes below zero. Each movement on a wallet is an [`Entry`] whose
//! seal covers its contents, all legs of its transfer and the entry before it.
//!
//! ```
//! use rust_decimal::dec;
//! use wayfare_domain::{Clock, Currency, Money, TransferId, WalletId};
//! use wayfare_ledger::{Account, ChainKey, Leg, Reason, Transfer, Wallet};
//!
//! let clock = Clock::system();
//! let inr = |amount| Money::rounded(amount, Currency::INR);
//! let key = ChainKey::new(b"a secret of at least thirty-two bytes".to_vec())?;
//! let mut wallet = Wallet::open(WalletId::new(&clock), Currency::INR);
//! let mut transfer = |amount, reason, legs| Transfer::new(
//!     TransferId::new(&clock), format!("example:{amount}"), reason, None, "example".into(), None, legs, clock.now());
//!
//! let topup = transfer(1, Reason::Topup, vec![
//!     Leg::debit(Account::Funding, inr(dec!(100))),
//!     Leg::credit(Account::Wallet(wallet.id), inr(dec!(100))),
//! ])?;
//! wallet.apply(&topup, &key)?;
//!
//! wallet.hold(inr(dec!(60)))?;
//! assert!(wallet.hold(inr(dec!(41))).is_err(), "only 40.00 is left to spend");
//!
//! let booking = transfer(2, Reason::Booking, vec![
//!     Leg::debit(Account::Wallet(wallet.id), inr(dec!(60))),
//!     Leg::credit(Account::Supplier("duffel".into()), inr(dec!(60))),
//! ])?;
//! let entry = wallet.post(inr(dec!(60)), &booking, &key)?;
//! assert_eq!((entry.balance_before, entry.balance_after), (inr(dec!(100)), inr(dec!(40))));
//! assert!(wallet.held.is_zero());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod chain;
mod transfer;
mod wallet;

pub use chain::{Audit, Broken, ChainKey, Seal, WeakKey};
pub use transfer::{Account, Leg, Reason, Side, Transfer, Unbalanced};
pub use wallet::{Entry, Refused, Wallet, WalletError};
