//! The agency's settings: known keys are typed and checked, any other is free text.

use std::{collections::HashSet, ops::RangeInclusive};

use diesel_async::{AsyncConnection, AsyncPgConnection};
use rust_decimal::Decimal;
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;
use wayfare_boxed::boxed;
use wayfare_contract as contract;
use wayfare_domain::{Actor, Currency, EventKind, Faults, KeptDays, Money, OrganizationId, SettingId};
use wayfare_store::{
    access::{
        organizations,
        settings::{self, LOW_BALANCE_ALERT, Setting},
    },
    booking::quotes::StoredQuote,
};

use crate::{
    Access, Admin, Caller, Core, Error, Result,
    access::password::{self, Fit},
    tools::audit_event::{self, Change},
};

/// Whether a flight booking asks for the ticket password (P-47): `true` or `false`.
const TICKET_PASSWORD_ENABLED: &str = "ticket_password_enabled";
/// The ticket password: kept as a hash, never shown.
const TICKET_PASSWORD: &str = "ticket_password";

/// How flights are bought of which a request does not say so: [`BOOK_INSTANT`] or [`BOOK_HOLD`].
const BOOK_MODE: &str = "book_mode";
const BOOK_INSTANT: &str = "instant";
const BOOK_HOLD: &str = "hold";
/// So many hours before a hold has to be paid somebody is reminded: whole numbers with commas between them.
const HOLD_REMINDER_HOURS: &str = "hold_reminder_hours";
/// Where an agency has not set them.
const USUAL_REMINDER_HOURS: [u32; 3] = [24, 6, 1];
const NO_REMINDERS: &str = "none";
const MOST_REMINDERS: usize = 5;
const EARLIEST_REMINDER: u32 = 720;
/// From how many minutes on a change of times by an airline is told to people: a whole number.
const AIRLINE_CHANGE_MINUTES: &str = "airline_change_minutes";
/// Where an agency has not set it.
const USUAL_CHANGE_MINUTES: u16 = 15;
/// A day: more is told to nobody.
const MOST_CHANGE_MINUTES: u16 = 1440;
/// For how many days after a journey the names on its booking are kept, and papers.
const KEPT_DAYS: [(&str, RangeInclusive<u16>); 2] =
    [("people_kept_days", KeptDays::PEOPLE), ("papers_kept_days", KeptDays::PAPERS)];

/// What stands for a secret wherever it would be shown.
const HIDDEN: &str = "********";
/// Free text has at most so many characters.
const LONGEST: usize = 4000;

/// All settings of the agency, by key, without its secrets.
#[boxed]
pub async fn list(core: &Core, admin: &Admin) -> Result<Vec<contract::Setting>> {
    let mut connection = core.database.connection().await?;
    let all = settings::all(&mut connection, admin.caller().organization()).await?;
    let shown = |setting: Setting| contract::Setting {
        id: setting.id.uuid(),
        org_id: setting.organization.uuid(),
        value: visible(&setting.key, &setting.value).to_owned(),
        key: setting.key,
        created_at: setting.created_at,
        updated_at: setting.updated_at,
    };
    Ok(all.into_iter().map(shown).collect())
}

/// Sets a key to a value.
///
/// # Errors
/// [`Error::Invalid`] for a key or value that can't be, and for asking for a ticket password that there is not
/// (P-47).
#[boxed]
pub async fn set(access: &Access, admin: &Admin, key: &str, value: &str) -> Result<()> {
    let value = stored_value(access, admin.caller().currency(), key, value).await?;
    let (organization, actor) = (admin.caller().organization(), admin.caller().actor());
    let mut connection = access.core.database.connection().await?;
    connection
        .transaction(async |connection| put(&access.core, connection, organization, &actor, key, value).await)
        .await
}

/// Sets the ticket password and has it asked for, or has it asked for no more.
///
/// # Errors
/// [`Error::Invalid`] for one that can't be.
pub(crate) async fn set_ticket_password(
    core: &Core,
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    actor: &Actor,
    hash: Option<String>,
) -> Result<()> {
    let enabled = hash.is_some();
    if let Some(hash) = hash {
        put(core, connection, organization, actor, TICKET_PASSWORD, hash).await?;
    }
    let value = enabled.to_string();
    put(core, connection, organization, actor, TICKET_PASSWORD_ENABLED, value).await
}

/// The hash of a ticket password.
///
/// # Errors
/// [`Error::Invalid`] for one that can't be.
pub(crate) async fn ticket_password(access: &Access, secret: SecretString) -> Result<String> {
    if !(4..=128).contains(&password::length("value", secret.expose_secret())?) {
        return Err(Faults::of("value", "must be between 4 and 128 characters").into());
    }
    password::hash(access, secret).await
}

/// What an agency has set of its flight bookings.
#[derive(Clone, Copy, Debug)]
pub struct BookingSettings {
    /// Whether it asks for the ticket password (P-47).
    asks_ticket_password: bool,
    /// Whether what can be held is held where the request does not say (D-281).
    pub(crate) holds_by_default: bool,
}

/// That whoever books has given the ticket password of their agency, where it asks for it (P-47).
#[derive(Debug)]
pub struct TicketPasswordPassed(());

/// What the caller's agency has set of its flight bookings.
pub(crate) async fn of_bookings(connection: &AsyncPgConnection, caller: &Caller) -> Result<BookingSettings> {
    let keys = [TICKET_PASSWORD_ENABLED, BOOK_MODE];
    let values = settings::values(connection, caller.organization(), &keys).await?;
    let set = |key| values.get(key).map(String::as_str);
    Ok(BookingSettings::of(set(TICKET_PASSWORD_ENABLED), set(BOOK_MODE)))
}

impl BookingSettings {
    /// None where the agency asks for its ticket password: [`check_ticket_password`].
    pub fn without_password(self) -> Option<TicketPasswordPassed> {
        (!self.asks_ticket_password).then_some(TicketPasswordPassed(()))
    }

    pub(crate) fn beside(quote: &StoredQuote) -> Self {
        Self::of(quote.ticket_password_enabled.as_deref(), quote.book_mode.as_deref())
    }

    fn of(ticket_password_enabled: Option<&str>, book_mode: Option<&str>) -> Self {
        Self {
            asks_ticket_password: ticket_password_enabled == Some("true"),
            holds_by_default: book_mode == Some(BOOK_HOLD),
        }
    }
}

/// How many hours before a hold of this agency's has to be paid somebody is reminded.
pub(crate) async fn hold_reminder_hours(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
) -> Result<Vec<u32>> {
    let set = settings::value(connection, organization, HOLD_REMINDER_HOURS).await?;
    let hours = set.and_then(|set| reminder_hours(&set));
    Ok(hours.unwrap_or_else(|| USUAL_REMINDER_HOURS.to_vec()))
}

/// From how many minutes on a change of times by an airline is told to people of this agency.
pub(crate) async fn airline_change_minutes(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
) -> Result<u16> {
    let set = settings::value(connection, organization, AIRLINE_CHANGE_MINUTES).await?;
    let minutes = set.and_then(|set| change_minutes(&set));
    Ok(minutes.unwrap_or(USUAL_CHANGE_MINUTES))
}

fn change_minutes(value: &str) -> Option<u16> {
    let is_whole = value.bytes().all(|byte| byte.is_ascii_digit());
    let minutes = value.parse().ok();
    minutes.filter(|minutes| is_whole && *minutes <= MOST_CHANGE_MINUTES)
}

/// The hours that this says; none where it does not say any.
fn reminder_hours(value: &str) -> Option<Vec<u32>> {
    if value == NO_REMINDERS {
        return Some(Vec::new());
    }
    let hour = |text: &str| {
        let text = text.trim();
        let is_whole = text.bytes().all(|byte| byte.is_ascii_digit());
        let hour = text.parse().ok();
        hour.filter(|hour| is_whole && (1..=EARLIEST_REMINDER).contains(hour))
    };
    let hours: Vec<u32> = value.split(',').map(hour).collect::<Option<_>>()?;
    let different: HashSet<u32> = hours.iter().copied().collect();
    (hours.len() <= MOST_REMINDERS && different.len() == hours.len()).then_some(hours)
}

pub(crate) async fn asks(connection: &mut AsyncPgConnection, organization: OrganizationId) -> Result<bool> {
    let enabled = settings::value(connection, organization, TICKET_PASSWORD_ENABLED).await?;
    Ok(enabled.as_deref() == Some("true"))
}

/// That this is the ticket password of the caller's agency. It may be guessed at: whoever asks limits how often.
///
/// # Errors
/// [`Error::Invalid`] when there is none given, [`Error::AccessDenied`] for a wrong one (P-47).
#[boxed]
pub async fn check_ticket_password(
    access: &Access,
    caller: &Caller,
    given: Option<SecretString>,
) -> Result<TicketPasswordPassed> {
    let given = given.ok_or_else(|| Faults::of("issue_ticket_password", "this field is required"))?;
    // The connection goes back before the slow part.
    let hash = settings::value(
        &mut *access.core.database.connection().await?,
        caller.organization(),
        TICKET_PASSWORD,
    )
    .await?;
    match password::verify(access, given.clone(), hash.clone()).await? {
        Fit::Not => return Err(Error::AccessDenied),
        Fit::Its => {}
        Fit::AsTyped => {
            let anew = password::hash(access, given).await?;
            let (organization, before) = (caller.organization(), hash.unwrap_or_default());
            let mut connection = access.core.database.connection().await?;
            settings::replace(&mut connection, organization, TICKET_PASSWORD, (&before, &anew)).await?;
        }
    }
    Ok(TicketPasswordPassed(()))
}

/// The value as it is stored, if it can be one of this key.
async fn stored_value(access: &Access, currency: Currency, key: &str, value: &str) -> Result<String> {
    if !is_key(key) {
        let reason = "must be 1 to 64 lower case letters, digits, dots and underscores, a letter first";
        return Err(Faults::of("key", reason).into());
    }
    match key {
        TICKET_PASSWORD => return ticket_password(access, value.into()).await,
        TICKET_PASSWORD_ENABLED if !["true", "false"].contains(&value) => {
            return Err(Faults::of("value", "must be true or false").into());
        }
        BOOK_MODE if ![BOOK_INSTANT, BOOK_HOLD].contains(&value) => {
            return Err(Faults::of("value", "must be instant or hold").into());
        }
        HOLD_REMINDER_HOURS if reminder_hours(value).is_none() => {
            let reason = format!(
                "must be {NO_REMINDERS}, or up to {MOST_REMINDERS} different whole hours from 1 to {EARLIEST_REMINDER} such as 24,6,1"
            );
            return Err(Faults::of("value", reason).into());
        }
        AIRLINE_CHANGE_MINUTES if change_minutes(value).is_none() => {
            let reason = format!("must be a whole number of minutes from 0 to {MOST_CHANGE_MINUTES}");
            return Err(Faults::of("value", reason).into());
        }
        LOW_BALANCE_ALERT => check_amount(value, currency)?,
        _ if kept_days(key).is_some() => check_days(key, value)?,
        _ if value.chars().count() > LONGEST => {
            return Err(Faults::of("value", format!("must have at most {LONGEST} characters")).into());
        }
        // No text of PostgreSQL's has a NUL.
        _ if value.contains('\0') => return Err(Faults::of("value", "must not contain NUL").into()),
        _ => {}
    }
    Ok(value.to_owned())
}

fn is_key(key: &str) -> bool {
    let letter = |byte: u8| byte.is_ascii_lowercase();
    let rest = |byte: u8| letter(byte) || byte.is_ascii_digit() || b"_.".contains(&byte);
    key.len() <= 64 && key.bytes().next().is_some_and(letter) && key.bytes().all(rest)
}

/// How many days may be said under this key, if any.
fn kept_days(key: &str) -> Option<RangeInclusive<u16>> {
    let known = KEPT_DAYS.into_iter().find(|(known, _)| *known == key);
    known.map(|(_, days)| days)
}

fn check_days(key: &str, value: &str) -> Result<(), Faults> {
    let Some(days) = kept_days(key) else { return Ok(()) };
    let is_whole = value.bytes().all(|byte| byte.is_ascii_digit());
    match value.parse().ok().filter(|number| is_whole && days.contains(number)) {
        Some(_) => Ok(()),
        None => Err(Faults::of("value", format!("must be between {} and {} days", days.start(), days.end()))),
    }
}

fn check_amount(value: &str, currency: Currency) -> Result<(), Faults> {
    let amount = Decimal::from_str_exact(value)
        .ok()
        .filter(|amount| !amount.is_sign_negative())
        .ok_or_else(|| Faults::of("value", "must be an amount of at least 0"))?;
    match Money::exact(amount, currency) {
        Ok(_) => Ok(()),
        Err(error) => Err(Faults::of("value", error.to_string())),
    }
}

/// Writes a value that was checked, with its event, under the agency's lock.
async fn put(
    core: &Core,
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    actor: &Actor,
    key: &str,
    value: String,
) -> Result<()> {
    organizations::lock(connection, organization).await?.ok_or(Error::NotFound)?;
    if key == TICKET_PASSWORD_ENABLED
        && value == "true"
        && settings::value(connection, organization, TICKET_PASSWORD).await?.is_none()
    {
        return Err(Faults::of("value", "must be false while no ticket_password is set").into());
    }
    let before = settings::value(connection, organization, key).await?;
    let change = Change {
        old_value: before.map(|before| json!({ "value": visible(key, &before) })),
        new_value: Some(json!({ "value": visible(key, &value) })),
        ..Change::of(organization, actor, EventKind::SettingUpdated, key)
    };
    let event = audit_event::event(core, change);
    let setting = Setting {
        id: SettingId::at(event.at),
        organization,
        key: key.to_owned(),
        value,
        created_at: event.at,
        updated_at: event.at,
    };
    settings::put(connection, &setting).await?;
    audit_event::write(connection, &event).await
}

fn visible<'a>(key: &str, value: &'a str) -> &'a str {
    if key == TICKET_PASSWORD { HIDDEN } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reminders_are_a_few_different_hours() {
        for (text, hours) in [
            ("24,6,1", Some(vec![24, 6, 1])),
            (" 48 , 2 ", Some(vec![48, 2])),
            ("none", Some(vec![])),
            ("", None),
            ("720", Some(vec![720])),
            ("1,2,3,4,5", Some(vec![1, 2, 3, 4, 5])),
            ("1,2,3,4,5,6", None),
            ("6,6", None),
            ("0", None),
            ("721", None),
            ("1.5", None),
            ("+3", None),
            ("24 6", None),
            ("24,", None),
        ] {
            assert_eq!(reminder_hours(text), hours, "{text:?}");
        }
    }

    #[test]
    fn keys_are_dotted_lower_case_words() {
        let longest = "a".repeat(64);
        for key in ["a", "a.b_c9", TICKET_PASSWORD, longest.as_str()] {
            assert!(is_key(key), "{key}");
        }
        let too_long = "a".repeat(65);
        for key in ["", "9a", "_a", ".a", "A", "aB", "a-b", "a b", "é", too_long.as_str()] {
            assert!(!is_key(key), "{key}");
        }
    }
}
