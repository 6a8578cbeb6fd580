//! Transfers: balanced legs between accounts, never updated or deleted once written.

use std::{fmt, str::FromStr};

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use thiserror::Error;
use wayfare_domain::{Money, MoneyError, TransferId, UserId, WalletId};

/// Where money stands. Customer wallets keep a running balance; the platform's accounts are the sum of
/// their entries and take no lock.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
pub enum Account {
    /// A customer's wallet.
    Wallet(WalletId),
    /// The operator's money outside: what came in for wallets.
    Funding,
    /// What is owed to a supplier, by its code.
    Supplier(String),
    /// The agency's markups, until the operator settles them.
    Markup,
    /// What suppliers leave to the platform, less what agencies get of it.
    Commission,
    /// The platform's service fees.
    ServiceFee,
    /// Goods and services tax on service fees, owed to the state.
    Gst,
    /// The platform's charges.
    PlatformCharge,
    /// What the operator bears by its own ruling.
    Loss,
}

impl Account {
    /// The customer wallet that this account is.
    pub fn wallet(&self) -> Option<WalletId> {
        match self {
            Self::Wallet(id) => Some(*id),
            _ => None,
        }
    }
}

/// The account's stored name: `wallet:<uuid>`, `supplier:duffel`, `markup`.
impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wallet(id) => write!(f, "wallet:{id}"),
            Self::Supplier(code) => write!(f, "supplier:{code}"),
            Self::Funding => f.write_str("funding"),
            Self::Markup => f.write_str("markup"),
            Self::Commission => f.write_str("commission"),
            Self::ServiceFee => f.write_str("service_fee"),
            Self::Gst => f.write_str("gst"),
            Self::PlatformCharge => f.write_str("platform_charge"),
            Self::Loss => f.write_str("loss"),
        }
    }
}

/// A stored account name that names none.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is no account")]
pub struct NoAccount(String);

impl FromStr for Account {
    type Err = NoAccount;
    fn from_str(name: &str) -> Result<Self, NoAccount> {
        let unknown = || NoAccount(name.to_owned());
        Ok(match name.split_once(':') {
            Some(("wallet", id)) => Self::Wallet(id.parse().map_err(|_| unknown())?),
            Some(("supplier", code)) => Self::Supplier(code.to_owned()),
            Some(_) => return Err(unknown()),
            None => match name {
                "funding" => Self::Funding,
                "markup" => Self::Markup,
                "commission" => Self::Commission,
                "service_fee" => Self::ServiceFee,
                "gst" => Self::Gst,
                "platform_charge" => Self::PlatformCharge,
                "loss" => Self::Loss,
                _ => return Err(unknown()),
            },
        })
    }
}

wayfare_domain::word_enum! { closed
    /// Which side of an account. A wallet is the platform's debt to its owner: a credit raises it.
    pub enum Side {
        /// Lowers a wallet.
        Debit,
        /// Raises a wallet.
        Credit,
    }
}

wayfare_domain::word_enum! {
    /// Why money moves: `ref_type` in the API.
    pub enum Reason {
        /// Money into a wallet, from the operator or as an allocation to or from an agent.
        Topup,
        /// A booking was paid.
        Booking,
        /// A booking was given back.
        Refund,
        /// The operator took money out.
        Deduction,
    }
}

/// One line of a transfer: one account, debited or credited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leg {
    /// The account that is debited or credited.
    pub account: Account,
    /// A credit raises a wallet, a debit lowers it.
    pub side: Side,
    /// Above zero; all legs of a transfer have one currency.
    pub amount: Money,
}

impl Leg {
    /// A line that debits the account.
    pub fn debit(account: Account, amount: Money) -> Self {
        Self { account, side: Side::Debit, amount }
    }

    /// A line that credits the account.
    pub fn credit(account: Account, amount: Money) -> Self {
        Self { account, side: Side::Credit, amount }
    }
}

/// Why legs are no transfer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Unbalanced {
    /// Debits and credits differ.
    #[error("debits of {debits} and credits of {credits} differ")]
    Sums {
        /// Their sum, in the currency of the first leg.
        debits: Decimal,
        /// Their sum, in the currency of the first leg.
        credits: Decimal,
    },
    /// A leg of zero or less, another currency, or one wallet twice.
    #[error("the leg on {0} is zero, negative, in another currency or there twice")]
    Leg(Account),
    /// Fewer than two legs.
    #[error("a transfer needs a debit and a credit")]
    Empty,
    /// Legs whose sum is past what a decimal holds.
    #[error(transparent)]
    Money(#[from] MoneyError),
}

/// One movement of money between accounts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// A UUID of version 7: ids sort by the time at which they were made.
    pub id: TransferId,
    /// Unique in the database: the same movement is written once, however often it is tried.
    pub key: String,
    /// `ref_type` in the API.
    pub reason: Reason,
    /// What it is about, such as a booking reference.
    pub reference: Option<String>,
    /// For people who read statements.
    pub description: String,
    /// The user who caused it; none for the operator and the service.
    pub performed_by: Option<UserId>,
    /// UTC, to the microsecond: finer digits are not sealed.
    pub at: DateTime<Utc>,
    legs: Vec<Leg>,
}

impl Transfer {
    /// A transfer, if its legs balance.
    ///
    /// # Errors
    /// [`Unbalanced`] says which leg or sum is wrong.
    #[allow(clippy::too_many_arguments, reason = "all of it is sealed; a builder could forget a part")]
    pub fn new(
        id: TransferId,
        key: String,
        reason: Reason,
        reference: Option<String>,
        description: String,
        performed_by: Option<UserId>,
        legs: Vec<Leg>,
        at: DateTime<Utc>,
    ) -> Result<Self, Unbalanced> {
        check(&legs)?;
        Ok(Self { id, key, reason, reference, description, performed_by, at, legs })
    }

    /// At least two, whose debits and credits are equal.
    pub fn legs(&self) -> &[Leg] {
        &self.legs
    }

    /// The one leg on this wallet.
    pub fn leg_on(&self, wallet: WalletId) -> Option<&Leg> {
        self.legs.iter().find(|leg| leg.account == Account::Wallet(wallet))
    }
}

fn check(legs: &[Leg]) -> Result<(), Unbalanced> {
    let currency = legs.first().ok_or(Unbalanced::Empty)?.amount.currency();
    let (mut debits, mut credits) = (Money::zero(currency), Money::zero(currency));
    for (index, leg) in legs.iter().enumerate() {
        let twice = leg.account.wallet().is_some()
            && legs.iter().skip(index + 1).any(|other| other.account == leg.account);
        if !leg.amount.is_positive() || leg.amount.currency() != currency || twice {
            return Err(Unbalanced::Leg(leg.account.clone()));
        }
        match leg.side {
            Side::Debit => debits = debits.plus(leg.amount)?,
            Side::Credit => credits = credits.plus(leg.amount)?,
        }
    }
    if debits != credits {
        let (debits, credits) = (debits.amount(), credits.amount());
        return Err(Unbalanced::Sums { debits, credits });
    }
    Ok(())
}
