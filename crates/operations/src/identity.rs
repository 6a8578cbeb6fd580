//! Who may come in: log-in and the proof of each request.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::Duration;
use diesel_async::AsyncConnection;
use sha2::{Digest, Sha256};
use wayfare_domain::{Account, Origin, Standing, TokenId};
use wayfare_store::users::{self, Identity, RefreshToken};

use crate::{Caller, Error, Platform, Result, password, platform::random_bytes, token};

/// Seconds that the access token of a log-in lasts (contract, authentication 2).
const LOGIN_SECONDS: i64 = 3600;
/// Days that a refresh token lasts (decisions, identity and access).
const REFRESH_DAYS: i64 = 30;

/// What a log-in gives.
#[derive(Clone, Debug)]
pub struct SignedIn {
    /// Who it is.
    pub account: Account,
    /// With what they prove it.
    pub tokens: Tokens,
}

/// A pair of tokens.
#[derive(Clone, Debug)]
pub struct Tokens {
    /// For each request.
    pub access: String,
    /// For the next pair; kept hashed.
    pub refresh: String,
    /// How long the access token lasts.
    pub expires_in_seconds: i64,
}

/// Logs a user in.
///
/// # Errors
/// [`Error::Unauthenticated`] for an unknown agency or user, a wrong password and a suspended user or agency
/// alike: nobody learns which.
pub async fn log_in(
    platform: &Platform,
    agency: &str,
    username: &str,
    password: &str,
    _origin: Origin,
) -> Result<SignedIn> {
    // The connection goes back before the slow part.
    let found = users::for_login(&mut *platform.database.connection().await?, agency, username).await?;
    let (identity, hash) = found.unzip();
    let right = password::verify(platform, password.to_owned().into(), hash).await?;
    let identity = identity
        .filter(|identity| right && may_act(identity))
        .ok_or(Error::Unauthenticated)?;

    let access = token::issue(
        platform,
        identity.account.id,
        identity.organization.id,
        identity.session_epoch,
        LOGIN_SECONDS,
    )?;
    let refresh = URL_SAFE_NO_PAD.encode(random_bytes());
    let id = TokenId::new(&platform.clock);
    let now = platform.clock.now();
    let kept = RefreshToken {
        id,
        family: id,
        hash: Sha256::digest(&refresh).into(),
        created_at: now,
        expires_at: now + Duration::days(REFRESH_DAYS),
    };
    let mut connection = platform.database.connection().await?;
    connection
        .transaction(async |connection| {
            users::log_in(connection, &identity.account, &kept).await?;
            Ok::<_, Error>(())
        })
        .await?;
    let tokens = Tokens {
        access,
        refresh,
        expires_in_seconds: LOGIN_SECONDS,
    };
    Ok(SignedIn {
        account: identity.account,
        tokens,
    })
}

fn may_act(identity: &Identity) -> bool {
    identity.account.standing == Standing::Active && identity.organization.standing == Standing::Active
}

/// Who a request comes from: the token is ours and in time, and its user and agency may act now.
///
/// # Errors
/// [`Error::Unauthenticated`] otherwise.
pub async fn authenticate(platform: &Platform, access_token: &str, origin: Origin) -> Result<Caller> {
    let claims = token::read(platform, access_token)?;
    let mut connection = platform.database.connection().await?;
    let identity = users::identify(&mut connection, claims.org, claims.sub).await?;
    let identity = identity
        .filter(|identity| may_act(identity) && identity.session_epoch == claims.epoch)
        .ok_or(Error::Unauthenticated)?;
    Ok(Caller::new(identity, origin))
}
