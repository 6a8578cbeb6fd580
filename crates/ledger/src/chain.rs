//! The keyed hash chain: an edit made behind the ledger's back shows, even by somebody who can rewrite
//! every row, because the key is not in the database.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use thiserror::Error;
use wayfare_domain::{Money, WalletId};

use crate::transfer::{Side, Transfer};

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

/// One movement on one wallet, numbered and sealed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Whose balance it moves, and in whose chain it is sealed.
    pub wallet: WalletId,
    /// Counted from 1 in each wallet, without gaps.
    pub sequence: i64,
    /// A debit lowers the balance, a credit raises it.
    pub side: Side,
    /// Above zero, in the wallet's currency.
    pub amount: Money,
    /// What the wallet held until then, in its currency.
    pub balance_before: Money,
    /// What it holds from then on.
    pub balance_after: Money,
    /// The seal of the entry before it.
    pub previous: Seal,
    /// Covers all of this and its transfer.
    pub seal: Seal,
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
    /// A key of these bytes.
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
        field(&optional(transfer.performed_by.map(|user| user.to_string()).as_deref()));
        field(&transfer.at.timestamp_micros().to_be_bytes());
        for leg in transfer.legs() {
            field(leg.account.to_string().as_bytes());
            field(leg.side.as_ref().as_bytes());
            field(money(leg.amount).as_bytes());
        }
        Seal(mac.finalize().into_bytes().into())
    }
}

/// `-1250.00 INR`: the sign of what is below zero, all digits of the currency's minor units with one before the point at least,
/// and the currency's code. Seals that were made stay right only as long as it is written so.
fn money(money: Money) -> String {
    let amount = money.amount();
    let units = usize::try_from(amount.scale()).unwrap_or_default();
    let mut written = format!("{:0>1$}", amount.mantissa().unsigned_abs(), units + 1);
    if units > 0 {
        written.insert(written.len() - units, '.');
    }
    let sign = if money.is_negative() { "-" } else { "" };
    format!("{sign}{written} {}", money.currency().code())
}

/// Nothing and an empty text are different contents.
fn optional(text: Option<&str>) -> Vec<u8> {
    text.map_or(vec![0], |text| [&[1], text.as_bytes()].concat())
}
