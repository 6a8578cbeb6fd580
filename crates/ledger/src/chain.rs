//! The keyed hash chain: an edit made behind the ledger's back shows, even by somebody who can rewrite
//! every row, because the key is not in the database.

use std::fmt;

use hmac::{Hmac, Mac};
use sha2::Sha256;
use subtle::ConstantTimeEq;
use thiserror::Error;
use wayfare_domain::Money;

use crate::{
    transfer::{Side, Transfer},
    wallet::{Entry, Wallet},
};

/// HMAC-SHA256 over an entry, its transfer and the seal before it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Seal(pub [u8; 32]);

impl Seal {
    /// What stands before a wallet's first entry.
    pub const START: Self = Self([0; 32]);
}

impl fmt::Debug for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The key that the database does not hold.
#[derive(Clone)]
pub struct ChainKey(Hmac<Sha256>);

/// A key that is too short to be one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the ledger's key must have at least 32 bytes")]
pub struct WeakKey;

impl fmt::Debug for ChainKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ChainKey(secret)")
    }
}

impl ChainKey {
    /// The chain's key.
    ///
    /// # Errors
    /// [`WeakKey`] under 32 bytes.
    pub fn new(secret: impl AsRef<[u8]>) -> Result<Self, WeakKey> {
        let secret = secret.as_ref();
        if secret.len() < 32 {
            return Err(WeakKey);
        }
        Hmac::new_from_slice(secret).map(Self).map_err(|_| WeakKey)
    }

    /// The seal of this entry of this transfer. Every field goes in with its length, so that no two
    /// different entries have the same bytes.
    pub fn seal(&self, entry: &Entry, transfer: &Transfer) -> Seal {
        let mut mac = self.0.clone();
        let mut field = |bytes: &[u8]| {
            mac.update(&(bytes.len() as u64).to_be_bytes());
            mac.update(bytes);
        };
        field(&entry.previous.0);
        field(entry.wallet.uuid().as_bytes());
        field(&entry.sequence.to_be_bytes());
        field(entry.side.as_ref().as_bytes());
        for amount in [entry.amount, entry.balance_before, entry.balance_after] {
            field(money(amount).as_bytes());
        }
        field(transfer.id.uuid().as_bytes());
        field(transfer.key.as_bytes());
        field(transfer.reason.as_ref().as_bytes());
        field(&optional(transfer.reference.as_deref()));
        field(transfer.description.as_bytes());
        field(&optional(
            transfer.performed_by.map(|user| user.to_string()).as_deref(),
        ));
        field(&transfer.at.timestamp_micros().to_be_bytes());
        for leg in transfer.legs() {
            field(leg.account.to_string().as_bytes());
            field(leg.side.as_ref().as_bytes());
            field(money(leg.amount).as_bytes());
        }
        Seal(mac.finalize().into_bytes().into())
    }
}

fn money(amount: Money) -> String {
    format!("{amount:?}")
}

/// Nothing and an empty text are different contents.
fn optional(text: Option<&str>) -> Vec<u8> {
    text.map_or(vec![0], |text| [&[1], text.as_bytes()].concat())
}

/// The first place where a wallet's history is not what was written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Broken {
    /// An entry is missing, there twice or out of order.
    #[error("entry {expected} is missing: entry {found} stands in its place")]
    Sequence {
        /// The number that should come.
        expected: i64,
        /// The number that came.
        found: i64,
    },
    /// The balances before and after don't follow from the entry before and the amount.
    #[error("the balances of entry {0} don't add up")]
    Balance(i64),
    /// Contents that the seal doesn't cover: something was changed.
    #[error("entry {0} is not what was sealed")]
    Seal(i64),
    /// The wallet's row disagrees with its last entry.
    #[error("the wallet says {wallet}, its {count} entries say {entries}")]
    Wallet {
        /// What the wallet's row says.
        wallet: Money,
        /// What the entries add up to.
        entries: Money,
        /// How many there are.
        count: i64,
    },
}

/// Re-adds a wallet from its entries, one after the other in order, and checks each seal.
pub struct Audit<'a> {
    key: &'a ChainKey,
    replayed: Wallet,
}

impl<'a> Audit<'a> {
    /// An audit of this wallet, before its first entry.
    pub fn of(key: &'a ChainKey, wallet: &Wallet) -> Self {
        Self {
            key,
            replayed: Wallet::open(wallet.id, wallet.balance.currency()),
        }
    }

    /// The next entry and its transfer.
    ///
    /// # Errors
    /// How it is [`Broken`].
    pub fn check(&mut self, entry: &Entry, transfer: &Transfer) -> Result<(), Broken> {
        let replayed = &mut self.replayed;
        let expected = replayed.sequence + 1;
        if entry.sequence != expected {
            return Err(Broken::Sequence {
                expected,
                found: entry.sequence,
            });
        }
        let after = match entry.side {
            Side::Debit => replayed.balance.minus(entry.amount),
            Side::Credit => replayed.balance.plus(entry.amount),
        };
        if entry.balance_before != replayed.balance || after != Ok(entry.balance_after) {
            return Err(Broken::Balance(entry.sequence));
        }
        let leg = transfer.leg_on(replayed.id);
        let agrees = leg.is_some_and(|leg| (leg.side, leg.amount) == (entry.side, entry.amount));
        let sealed = self.key.seal(entry, transfer).0.ct_eq(&entry.seal.0);
        if entry.previous != replayed.head || !agrees || !bool::from(sealed) {
            return Err(Broken::Seal(entry.sequence));
        }
        replayed.balance = entry.balance_after;
        replayed.sequence = entry.sequence;
        replayed.head = entry.seal;
        Ok(())
    }

    /// After the last entry: whether the wallet's row says the same.
    ///
    /// # Errors
    /// [`Broken::Wallet`] when it doesn't.
    pub fn finish(self, wallet: &Wallet) -> Result<(), Broken> {
        let Wallet {
            balance,
            sequence,
            head,
            ..
        } = self.replayed;
        if (balance, sequence, head) != (wallet.balance, wallet.sequence, wallet.head) {
            return Err(Broken::Wallet {
                wallet: wallet.balance,
                entries: balance,
                count: sequence,
            });
        }
        Ok(())
    }
}
