//! Passwords: Argon2id, of the form that one password has from every keyboard (RFC 8265, OpaqueString; D-616).

use std::borrow::Cow;

use argon2::{
    Argon2,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};
use precis_profiles::{
    OpaqueString,
    precis_core::{
        DerivedPropertyValue, Error as NoForm, FreeformClass, StringClass, UnexpectedError,
        profile::{Profile, Rules},
    },
};
use secrecy::{ExposeSecret, SecretString};
use wayfare_boxed::boxed;
use wayfare_domain::Faults;

use crate::{Access, Error, Result};

/// The form of what somebody types: keyboards write one letter in several ways, and blanks too.
fn form(typed: &str) -> std::result::Result<String, NoForm> {
    let profile = OpaqueString::new();
    // The library's table ends with Unicode 6.3: what was assigned later is taken as it is.
    let class = FreeformClass::default();
    let is_known =
        |character: &char| class.get_value_from_char(*character) != DerivedPropertyValue::Unassigned;
    let known: String = typed.chars().filter(is_known).collect();
    if !known.is_empty() {
        profile.prepare(known.as_str())?;
    }
    let mapped = profile.additional_mapping_rule(typed)?;
    profile.normalization_rule(mapped).map(Cow::into_owned)
}

/// Why there is no form, as the field's reader is told.
fn problem(error: &NoForm) -> String {
    let character = match error {
        NoForm::BadCodepoint(info)
        | NoForm::Unexpected(
            UnexpectedError::ContextRuleNotApplicable(info) | UnexpectedError::MissingContextRule(info),
        ) => info.cp,
        NoForm::Invalid | NoForm::Unexpected(_) => {
            return "must be letters, digits, signs and blanks".to_owned();
        }
    };
    format!("must not contain the character U+{character:04X}")
}

/// How many characters it has in its form, if it may be a password.
///
/// # Errors
/// Names `field` and the character at fault.
pub fn length(field: &str, password: &str) -> Result<usize, Faults> {
    match form(password) {
        Ok(form) => Ok(form.chars().count()),
        // An empty one is too short, and nothing else.
        Err(_) if password.is_empty() => Ok(0),
        Err(error) => Err(Faults::of(field, problem(&error))),
    }
}

pub fn is_same(one: &str, other: &str) -> bool {
    one == other || matches!((form(one), form(other)), (Ok(one), Ok(other)) if one == other)
}

/// Whether it may be the password of a user of this username and this email (P-114).
///
/// # Errors
/// Names `field` and the reason.
pub fn check(field: &str, password: &str, names: [&str; 2]) -> Result<(), Faults> {
    if !(8..=128).contains(&length(field, password)?) {
        return Err(Faults::of(field, "must be between 8 and 128 characters"));
    }
    let lower = form(password).unwrap_or_default().to_lowercase();
    if names.iter().any(|name| name.to_lowercase() == lower) {
        return Err(Faults::of(field, "must not be the username or email"));
    }
    Ok(())
}

/// The hash of the password's form with a salt of its own.
///
/// # Errors
/// When the system's randomness fails.
#[boxed]
pub async fn hash(access: &Access, password: SecretString) -> Result<String> {
    let argon2 = access.argon2.clone();
    let hashed = access.password_pool.run(move || {
        let typed = password.expose_secret();
        let form = form(typed).map_or_else(|_| SecretString::from(typed), SecretString::from);
        argon2.hash_password(form.expose_secret().as_bytes()).map(|hash| hash.to_string())
    });
    hashed.await?.map_err(|error| Error::Internal(error.to_string()))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    Not,
    Its,
    /// It is the hash of this one as it was typed, from before there were forms: it is to be made anew.
    AsTyped,
}

impl Fit {
    pub fn is_right(self) -> bool {
        self != Self::Not
    }
}

/// Whether it is the password of this hash; without a hash as much time is taken and the answer is no. What was typed is tried
/// in its form first, and as it is only where that is something else: what is tried depends on what was typed alone.
///
/// # Errors
/// When the work can't be done.
#[boxed]
pub async fn verify(access: &Access, password: SecretString, hash: Option<String>) -> Result<Fit> {
    let known = hash.is_some();
    let hash = match hash {
        Some(hash) => hash,
        None => access
            .dummy_hash
            .get_or_try_init(|| self::hash(access, SecretString::from("a password that nobody has")))
            .await?
            .clone(),
    };
    let fit = access.password_pool.run(move || fit(password.expose_secret(), &hash)).await?;
    Ok(if known { fit } else { Fit::Not })
}

fn fit(typed: &str, hash: &str) -> Fit {
    let Ok(hash) = PasswordHash::new(hash) else { return Fit::Not };
    let is_of = |text: &str| Argon2::default().verify_password(text.as_bytes(), &hash).is_ok();
    let form = form(typed).map(SecretString::from);
    match form.as_ref().map(|form| form.expose_secret()) {
        Ok(form) if is_of(form) => Fit::Its,
        Ok(form) if form != typed && is_of(typed) => Fit::AsTyped,
        // Of what has no form no other hash can be made.
        Err(_) if is_of(typed) => Fit::Its,
        Ok(_) | Err(_) => Fit::Not,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What OWASP asks for at least: 19 MiB, two passes.
    #[test]
    fn a_hash_costs_what_it_should_by_default() {
        let cost = crate::access::PasswordCost::default();
        assert!(cost.m_cost() >= 19_456 && cost.t_cost() >= 2, "{cost:?}");
    }

    #[test]
    fn a_password_has_one_form_from_every_keyboard() {
        for (typed, expected) in [
            ("Zürich-Zürich", "Zürich-Zürich"),
            ("Zu\u{308}rich-Zu\u{308}rich", "Zürich-Zürich"),
            ("no\u{a0}break\u{3000}here", "no break here"),
            ("\u{212b}ngstr\u{f6}m", "\u{c5}ngstr\u{f6}m"),
            (
                "\u{939}\u{93f}\u{928}\u{94d}\u{926}\u{940}-2027",
                "\u{939}\u{93f}\u{928}\u{94d}\u{926}\u{940}-2027",
            ),
            // Assigned after the library's table was made.
            ("robot \u{1f916} walks \u{1fae0}", "robot \u{1f916} walks \u{1fae0}"),
            // Letters of another width stay what they are, and so does case.
            ("\u{ff21}\u{ff22}\u{ff23}-abc-ABC", "\u{ff21}\u{ff22}\u{ff23}-abc-ABC"),
        ] {
            assert_eq!(form(typed).as_deref(), Ok(expected), "{typed}");
            assert!(is_same(typed, expected));
        }
        assert!(!is_same("password", "Password"));
    }

    #[test]
    fn what_is_refused_is_named() {
        for (typed, reason) in [
            ("tab\there is", "password must not contain the character U+0009"),
            ("zero\u{200b}width", "password must not contain the character U+200B"),
            ("bell\u{7}bell", "password must not contain the character U+0007"),
            ("short", "password must be between 8 and 128 characters"),
            ("", "password must be between 8 and 128 characters"),
            ("ASHA@a.example", "password must not be the username or email"),
        ] {
            let refused = check("password", typed, ["asha", "asha@a.example"]).unwrap_err();
            assert!(refused.to_string().contains(reason), "{typed:?}: {refused}");
        }
        // Eight letters that are typed as sixteen characters, and seven that are typed as fourteen.
        assert!(check("password", &"u\u{308}".repeat(8), ["", ""]).is_ok());
        assert!(check("password", &"u\u{308}".repeat(7), ["", ""]).is_err());
    }

    #[test]
    fn a_hash_of_before_fits_what_was_typed_and_is_to_be_made_anew() {
        let hash = |text: &str| {
            let hash = Argon2::default().hash_password(text.as_bytes());
            hash.unwrap().to_string()
        };
        let (composed, decomposed) = ("Zürich-Zürich", "Zu\u{308}rich-Zu\u{308}rich");
        assert_eq!(fit(decomposed, &hash(composed)), Fit::Its);
        assert_eq!(fit(composed, &hash(composed)), Fit::Its);
        assert_eq!(fit(decomposed, &hash(decomposed)), Fit::AsTyped);
        // The other keyboard never fitted.
        assert_eq!(fit(composed, &hash(decomposed)), Fit::Not);
        assert_eq!(fit("tab\there is", &hash("tab\there is")), Fit::Its);
        assert_eq!(fit("other", &hash(composed)), Fit::Not);
        assert_eq!(fit("other", "no hash"), Fit::Not);
    }
}
