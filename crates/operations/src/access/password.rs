//! Passwords: Argon2id.

use argon2::{
    Argon2,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};
use secrecy::{ExposeSecret, SecretString};
use wayfare_domain::Faults;

use crate::{Error, Platform, Result};

/// Whether it may be the password of a user of this username and this email (P-114).
///
/// # Errors
/// Names `field` and the reason.
pub fn check(field: &str, password: &str, names: [&str; 2]) -> Result<(), Faults> {
    let length = password.chars().count();
    if !(8..=128).contains(&length) {
        return Err(Faults::of(field, "must be between 8 and 128 characters"));
    }
    if names
        .iter()
        .any(|name| name.to_lowercase() == password.to_lowercase())
    {
        return Err(Faults::of(field, "must not be the username or email"));
    }
    Ok(())
}

/// The password's hash with a salt of its own.
///
/// # Errors
/// When the system's randomness fails.
pub async fn hash(platform: &Platform, password: SecretString) -> Result<String> {
    let hashed = platform.password_pool.run(move || {
        Argon2::default()
            .hash_password(password.expose_secret().as_bytes())
            .map(|hash| hash.to_string())
    });
    hashed.await?.map_err(|error| Error::Internal(error.to_string()))
}

/// Whether it is the password of this hash; without a hash as much time is taken and the answer is no.
///
/// # Errors
/// When the work can't be done.
pub async fn verify(platform: &Platform, password: SecretString, hash: Option<String>) -> Result<bool> {
    let known = hash.is_some();
    let hash = match hash {
        Some(hash) => hash,
        None => platform
            .dummy_hash
            .get_or_try_init(|| self::hash(platform, SecretString::from("a password that nobody has")))
            .await?
            .clone(),
    };
    let matches = platform
        .password_pool
        .run(move || {
            PasswordHash::new(&hash).is_ok_and(|hash| {
                Argon2::default()
                    .verify_password(password.expose_secret().as_bytes(), &hash)
                    .is_ok()
            })
        })
        .await?;
    Ok(matches && known)
}
