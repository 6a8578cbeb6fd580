//! The caller's own profile, figures and wallet.

use reqwest::Method;
use secrecy::SecretString;
use uuid::Uuid;
use wayfare_boxed::boxed;
use wayfare_contract::{ChangePassword, OwnProfile, OwnSession, ProfileChange, Stats, Wallet, WalletEntry};

use crate::{call::Ask, error::Result, list::List, retries::Effort, session::part_of_session};

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
