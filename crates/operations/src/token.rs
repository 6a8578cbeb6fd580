//! Access tokens: short-lived JWTs that name a user and the epoch of their access.

use chrono::{DateTime, Duration, Utc};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, encode};
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize};
use wayfare_domain::{OrganizationId, UserId};

use crate::{Error, Platform, Result};

/// What a token says. Status, role and the rest are read from the database on each request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claims {
    /// The user.
    pub sub: UserId,
    /// The agency.
    pub org: OrganizationId,
    /// The user's session epoch when it was issued.
    pub epoch: i32,
    /// Issued, seconds since 1970.
    pub iat: i64,
    /// Ends, seconds since 1970.
    pub exp: i64,
}

/// The `kid` of a key: names it without telling it.
fn key_id(platform: &Platform) -> String {
    let [a, b, c, d, ..] = platform.secrets.mac("key-id", b"");
    format!("{a:02x}{b:02x}{c:02x}{d:02x}")
}

/// A signed token.
///
/// # Errors
/// When signing fails.
pub fn issue(
    platform: &Platform,
    user: UserId,
    org: OrganizationId,
    epoch: i32,
    seconds: i64,
) -> Result<String> {
    let now: DateTime<Utc> = platform.clock.now();
    let claims = Claims {
        sub: user,
        org,
        epoch,
        iat: now.timestamp(),
        exp: (now + Duration::seconds(seconds)).timestamp(),
    };
    let header = Header {
        kid: Some(key_id(platform)),
        ..Header::new(Algorithm::HS256)
    };
    let key = EncodingKey::from_secret(platform.secrets.signing.expose_secret());
    encode(&header, &claims, &key).map_err(|error| Error::Internal(error.to_string()))
}

/// What a token says, if we signed it with the present key and its time is not over.
///
/// # Errors
/// [`Error::Unauthenticated`] in every other case.
pub fn read(platform: &Platform, token: &str) -> Result<Claims> {
    let mut validation = Validation::new(Algorithm::HS256);
    // Expiry is judged by our own clock below.
    validation.validate_exp = false;
    validation.required_spec_claims.clear();
    let key = DecodingKey::from_secret(platform.secrets.signing.expose_secret());
    let token = decode::<Claims>(token, &key, &validation).map_err(|_| Error::Unauthenticated)?;
    let in_time = platform.clock.now().timestamp() < token.claims.exp;
    if !in_time || token.header.kid.as_deref() != Some(&key_id(platform)) {
        return Err(Error::Unauthenticated);
    }
    Ok(token.claims)
}
