//! Money that moves: double entry, holds, and a keyed hash chain over each customer wallet.
//!
//! Pure rules without a database, so they can be linked and tested in microseconds. A [`Transfer`] debits
//! and credits accounts by the same amount or cannot be made. A [`Wallet`] first holds money, then posts or
//! voids the hold; what it can spend never goes below zero. Each movement on a wallet is an [`Entry`] whose
//! seal covers its contents, all legs of its transfer and the entry before it; an [`Audit`] checks a history.
//! The crate `wayfare-store` writes what [`Wallet`] decides.
//!
//! A refusal changes nothing. A wallet takes no credit that would leave more in it than an amount may be
//! ([`WalletError::Full`]); only what is given back always fits. Sums that exceed what a decimal holds are the error
//! [`MoneyError::TooLarge`](wayfare_domain::MoneyError::TooLarge).
//!
//! ```
//! use rust_decimal::dec;
//! use wayfare_domain::{Clock, Currency, Money, TransferId, WalletId};
//! use wayfare_ledger::{Account, Audit, ChainKey, Leg, Reason, Transfer, Wallet};
//!
//! let clock = Clock::system();
//! let inr = |amount| Money::rounded(amount, Currency::INR);
//! let key = ChainKey::new(b"a secret of at least thirty-two bytes")?;
//! let transfer = |key: &str, reason, legs| Transfer::new(
//!     TransferId::new(&clock), key.into(), reason, None, "example".into(), None, legs, clock.now());
//!
//! let mut wallet = Wallet::open(WalletId::new(&clock), Currency::INR);
//! let topup = transfer("topup:1", Reason::Topup, vec![
//!     Leg::debit(Account::Funding, inr(dec!(100))),
//!     Leg::credit(Account::Wallet(wallet.id), inr(dec!(100))),
//! ])?;
//! let first = wallet.apply(&topup, &key)?;
//!
//! // Two phases: money is held before anything is bought, and spent when it was.
//! wallet.hold(inr(dec!(60)))?;
//! assert!(wallet.hold(inr(dec!(41))).is_err(), "only 40.00 is left to spend");
//! wallet.hold(inr(dec!(40)))?;
//! wallet.void(inr(dec!(40)))?;
//! let booking = transfer("booking:1", Reason::Booking, vec![
//!     Leg::debit(Account::Wallet(wallet.id), inr(dec!(60))),
//!     Leg::credit(Account::Supplier("duffel".into()), inr(dec!(60))),
//! ])?;
//! let second = wallet.post(inr(dec!(60)), &booking, &key)?;
//! assert_eq!((wallet.balance, wallet.held), (inr(dec!(40)), inr(dec!(0))));
//!
//! // Whoever has the key can show that nothing was changed or taken out.
//! let mut audit = Audit::of(&key, &wallet);
//! audit.check(&first, &topup)?;
//! audit.check(&second, &booking)?;
//! audit.finish(&wallet)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(missing_docs)]

mod audit;
mod chain;
mod transfer;
mod wallet;

pub use audit::{Audit, Broken};
pub use chain::{ChainKey, Entry, Seal, WeakKey};
pub use transfer::{Account, Leg, Reason, Side, Transfer, Unbalanced};
pub use wallet::{Refused, Wallet, WalletError, WalletFull};
