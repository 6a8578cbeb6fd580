//! Access tokens: short-lived JWTs that name a user and the session that they belong to.

use chrono::Duration;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, decode_header, encode};
use serde::{Deserialize, Serialize};
use wayfare_domain::{OrganizationId, SessionId, UserId};

use crate::{Core, Error, Result};

/// What a token says. Status, role and the rest are read from the database on each request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claims {
    pub sub: UserId,
    pub org: OrganizationId,
    /// The session: when it is over, so is the token.
    pub sid: SessionId,
    /// Issued, seconds since 1970.
    pub iat: i64,
    /// Ends, seconds since 1970.
    pub exp: i64,
}

/// A token that lasts so many seconds, signed with the newest key.
///
/// # Errors
/// When signing fails.
pub fn issue(
    core: &Core,
    user: UserId,
    org: OrganizationId,
    session: SessionId,
    seconds: i64,
) -> Result<String> {
    let now = core.clock.now();
    let claims = Claims {
        sub: user,
        org,
        sid: session,
        iat: now.timestamp(),
        exp: (now + Duration::seconds(seconds)).timestamp(),
    };
    core.secrets.signing.with_newest(|key| {
        let header = Header { kid: Some(key.id().to_owned()), ..Header::new(Algorithm::HS256) };
        encode(&header, &claims, &EncodingKey::from_secret(key.secret()))
            .map_err(|error| Error::Internal(error.to_string()))
    })
}

/// What a token says, if we signed it with a key that is still accepted and its time is not over.
///
/// # Errors
/// [`Error::Unauthenticated`] in every other case.
pub fn read(core: &Core, token: &str) -> Result<Claims> {
    let mut validation = Validation::new(Algorithm::HS256);
    // Expiry is judged by our own clock below.
    validation.validate_exp = false;
    validation.required_spec_claims.clear();
    let header = decode_header(token).map_err(|_| Error::Unauthenticated)?;
    let kid = header.kid.ok_or(Error::Unauthenticated)?;
    let now = core.clock.now();
    let claims = core.secrets.signing.with(&kid, now, |key| {
        let key = DecodingKey::from_secret(key.secret());
        let token = decode::<Claims>(token, &key, &validation).map_err(|_| Error::Unauthenticated)?;
        Ok(token.claims)
    })?;
    if claims.exp <= now.timestamp() {
        return Err(Error::Unauthenticated);
    }
    Ok(claims)
}
