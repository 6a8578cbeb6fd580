#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod audit;
mod chain;
mod transfer;
mod wallet;

pub use audit::{Audit, Broken};
pub use chain::{ChainKey, Entry, Seal, WeakKey};
pub use transfer::{Account, Leg, Reason, Side, Transfer, Unbalanced};
pub use wallet::{Refused, Wallet, WalletError, WalletFull};
