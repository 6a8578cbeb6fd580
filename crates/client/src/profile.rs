//! The caller's own profile, figures and wallet.

use chrono::{DateTime, Utc};
use reqwest::Method;
use secrecy::SecretString;
use serde::Deserialize;
use uuid::Uuid;
use wayfare_boxed::boxed;
use wayfare_contract::{ChangePassword, OwnProfile, ProfileChange};

use crate::{
    Amount,
    call::Ask,
    enums::{OwnerType, TransactionType},
    error::Result,
    list::List,
    retries::Effort,
    session::part_of_session,
};

/// A user's own figures, in the currency of their wallet.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Stats {
    /// Bookings in any status.
    pub total_bookings: u64,
    /// Bookings that stand.
    pub confirmed_bookings: u64,
    /// Bookings that were given back.
    pub cancelled_bookings: u64,
    /// What was paid less what came back.
    pub total_spent: Amount,
    /// Of it what is not fare: seats, bags, meals; Wayfare's addition.
    pub total_ancillaries: Option<Amount>,
    /// What was earned.
    pub total_commissions: Amount,
    /// What is in the wallet.
    pub wallet_balance: Amount,
}

/// A wallet.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Wallet {
    /// Its id.
    pub id: Uuid,
    /// Whose it is.
    pub owner_id: Uuid,
    /// The organization's or a user's.
    pub owner_type: OwnerType,
    /// What is in it.
    pub balance: Amount,
    /// Of an agent's wallet: what the organization put into it.
    pub allocated_balance: Option<Amount>,
    /// Of all its amounts, ISO 4217.
    pub currency: String,
    /// What may be spent beyond the balance.
    pub credit_limit: Amount,
    /// Whether it pays for bookings.
    pub is_active: bool,
    /// What is set aside for bookings that are not settled yet.
    pub held: Option<Amount>,
    /// What it can pay now: balance and credit limit less what is held; nothing while it is frozen.
    pub spendable: Option<Amount>,
}

/// A session of the caller's that lasts.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct OwnSession {
    /// Its id.
    pub id: Uuid,
    /// When it began, UTC.
    pub created_at: DateTime<Utc>,
    /// When it ends unless it is renewed, UTC.
    pub ends_at: DateTime<Utc>,
    /// Of a browser's: when it ends unless it is used, UTC.
    pub idle_until: Option<DateTime<Utc>>,
    /// With which program it was begun; may be empty.
    pub user_agent: String,
    /// From which address it was begun; may be empty.
    pub ip_address: String,
    /// Whether it is the one that asks.
    pub is_current: bool,
}

/// A line of the own wallet's ledger.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct WalletEntry {
    /// Its id.
    pub id: Uuid,
    /// Which way the money moved.
    #[serde(rename = "type")]
    pub kind: TransactionType,
    /// How much, in the wallet's currency.
    pub amount: Amount,
    /// Why, in words.
    pub description: String,
    /// When, UTC.
    pub created_at: DateTime<Utc>,
}

part_of_session! {
    /// The caller's own profile.
    Profile, profile
}

part_of_session! {
    /// The caller's own wallet; an admin's is the organization's.
    OwnWallet, wallet
}

#[boxed]
impl Profile<'_> {
    /// `GET /me`.
    pub async fn read(&self) -> Result<OwnProfile> {
        self.0.data(Ask::get(&["me"])).await
    }

    /// `PUT /me`.
    pub async fn change(&self, change: &ProfileChange) -> Result<OwnProfile> {
        self.0.data(Ask::set(&["me"]).body(change)?).await
    }

    /// `PUT /me/password`: ends every session of the user, this one too. 400 when the current one is wrong. It isn't sent
    /// again when no answer comes, since the password may be the new one by then.
    pub async fn change_password(&self, current: &SecretString, new: &SecretString) -> Result<()> {
        let body = ChangePassword { current_password: current.clone(), new_password: new.clone() };
        let ask = Ask::of(Method::PUT, &["me", "password"], Effort::Once);
        self.0.done(ask.body(&body)?).await
    }

    /// `GET /me/sessions`, newest first.
    pub async fn sessions(&self) -> Result<Vec<OwnSession>> {
        self.0.data(Ask::get(&["me", "sessions"])).await
    }

    /// `DELETE /me/sessions/{id}`. 404 where it is another's or has ended.
    pub async fn end_session(&self, id: Uuid) -> Result<()> {
        self.0.done(Ask::delete(&["me", "sessions", &id.to_string()])).await
    }

    /// `GET /me/stats`.
    pub async fn stats(&self) -> Result<Stats> {
        self.0.data(Ask::get(&["me", "stats"])).await
    }
}

#[boxed]
impl OwnWallet<'_> {
    /// `GET /wallet`.
    pub async fn read(&self) -> Result<Wallet> {
        self.0.data(Ask::get(&["wallet"])).await
    }

    /// `GET /wallet/transactions`, newest first.
    pub fn transactions(&self) -> List<WalletEntry> {
        List::of(self.0, &["wallet", "transactions"], Vec::new())
    }
}
