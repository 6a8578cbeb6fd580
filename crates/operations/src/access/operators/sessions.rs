//! Operators' sessions, each with one opaque token: log-in, who shows a token, the password given once more.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, Duration, Utc};
use diesel_async::AsyncConnection;
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;
use wayfare_boxed::boxed;
use wayfare_contract::operator::{BegunOperatorSession, OwnOperatorSession};
use wayfare_domain::{AccountStatus, Faults, Origin, SessionId};
use wayfare_store::operator::operators::{self, NewOperatorSession, SetBy};

use super::{Operator, OperatorProof, Viewer, accounts, note};
use crate::{
    Access, Core, Error, Result,
    access::{
        login,
        password::{self, Fit},
    },
    core::random_bytes,
};

/// What an operator's token begins with, so that leaked ones can be searched for and none is taken for a user's (D-539).
const PREFIX: &str = "wfo_";
/// So long a session lasts that nobody uses (D-539).
const IDLE: Duration = Duration::hours(1);
/// No session lasts longer: a day's work (D-539).
const LONGEST: Duration = Duration::hours(8);
/// Its end is not moved more often: most requests write nothing.
const MOVED_EVERY: Duration = Duration::minutes(1);

/// Begins a session. Operators queue for their password to be hashed as all do who log in.
///
/// # Errors
/// [`Error::Unauthenticated`] for an unknown or suspended operator and a wrong password alike; [`Error::Busy`] when too many
/// log in at once.
#[boxed]
pub async fn begin(
    access: &Access,
    username: &str,
    password: &str,
    origin: Origin,
) -> Result<BegunOperatorSession> {
    let operator = admit(access, username, password, &origin).await?;
    let token = format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(random_bytes()));
    let now = access.core.clock.now();
    let (idle_until, ends_at) = (now + IDLE, now + LONGEST);
    let address = origin.address.map(|address| address.to_string());
    let address = address.unwrap_or_default();
    let new = NewOperatorSession {
        id: SessionId::new(&access.core.clock),
        hash: login::hash(&token),
        created_at: now,
        idle_until,
        ends_at,
        user_agent: &origin.user_agent,
        address: &address,
    };
    let mut connection = access.core.database.connection().await?;
    let begun = connection.transaction(async |connection| {
        let begun = operators::begin(connection, &operator, &new).await?;
        if begun {
            let by = (Some(operator.id), address.clone());
            note(&access.core, connection, by, "operator.logged_in", operator.id, json!({})).await?;
        }
        Ok::<_, Error>(begun)
    });
    if !begun.await? {
        return Err(Error::Unauthenticated);
    }
    Ok(BegunOperatorSession { token: token.into(), idle_until, ends_at, operator: accounts::shown(operator) })
}

/// Who this is, if the password is right and they may come in.
async fn admit(access: &Access, username: &str, password: &str, origin: &Origin) -> Result<Operator> {
    let place = access.password_pool.queue().await?;
    // The connection goes back before the slow part.
    let found = operators::for_login(&mut *access.core.database.connection().await?, username).await?;
    let (operator, hash) = found.unzip();
    let turn = place.turn().await?;
    let fit = password::verify(access, password.to_owned().into(), hash.clone()).await?;
    if let (Some(operator), Some(before), Fit::AsTyped) = (&operator, &hash, fit) {
        let anew = password::hash(access, password.to_owned().into()).await?;
        let mut connection = access.core.database.connection().await?;
        let made = connection.transaction(async |connection| {
            operators::rehash(connection, operator.id, (before, &anew)).await?;
            Ok::<_, Error>(())
        });
        made.await?;
    }
    drop(turn);
    drop(place);
    match operator {
        Some(operator) if fit.is_right() && operator.status == AccountStatus::Active => Ok(operator),
        operator => {
            // A name that nobody has may be a password in the wrong field.
            let operator = operator.map(|operator| operator.id.to_string());
            let address = origin.address.map(|address| address.to_string());
            tracing::warn!(operator, address, "an operator's log-in was refused");
            Err(Error::Unauthenticated)
        }
    }
}

/// Who shows this token: their session lasts, and they may act.
///
/// # Errors
/// [`Error::Unauthenticated`] otherwise.
#[boxed]
pub async fn authenticate(core: &Core, token: &str, origin: Origin) -> Result<Viewer> {
    if !token.starts_with(PREFIX) {
        return Err(Error::Unauthenticated);
    }
    let mut connection = core.database.connection().await?;
    let found = operators::identify(&mut connection, &login::hash(token)).await?;
    let (operator, session) = found.ok_or(Error::Unauthenticated)?;
    let now = core.clock.now();
    if session.ends_at <= now || session.idle_until <= now || operator.status != AccountStatus::Active {
        return Err(Error::Unauthenticated);
    }
    let idle_until = (now + IDLE).min(session.ends_at);
    if idle_until - session.idle_until >= MOVED_EVERY {
        operators::used(&mut connection, SessionId::from_uuid(session.id), idle_until).await?;
    }
    Ok(Viewer::new(operator, &session, origin))
}

/// The operator's sessions that last, the newest first.
#[boxed]
pub async fn list(core: &Core, viewer: &Viewer) -> Result<Vec<OwnOperatorSession>> {
    let mut connection = core.database.connection().await?;
    let own = operators::sessions_of(&mut connection, viewer.operator(), core.clock.now()).await?;
    let shown = own.into_iter().map(|session| OwnOperatorSession {
        is_current: session.id == viewer.session().uuid(),
        id: session.id,
        created_at: session.created_at,
        idle_until: session.idle_until,
        ends_at: session.ends_at,
        confirmed_at: session.confirmed_at,
        user_agent: session.user_agent,
        ip_address: session.address,
    });
    Ok(shown.collect())
}

/// Ends one of the operator's sessions.
///
/// # Errors
/// [`Error::NotFound`] where it is another's or has ended.
#[boxed]
pub async fn end(core: &Core, viewer: &Viewer, session: SessionId) -> Result<()> {
    let mut connection = core.database.connection().await?;
    let ended = connection.transaction(async |connection| {
        if !operators::end(connection, viewer.id(), session).await? {
            return Err(Error::NotFound);
        }
        let by = (Some(viewer.id()), viewer.address());
        note(core, connection, by, "operator.logged_out", viewer.id(), json!({})).await
    });
    ended.await
}

/// Confirms that it is still the operator: for a while money may be moved and power given.
///
/// # Errors
/// [`Error::WrongPassword`]; [`Error::OwnPassword`] where somebody else knows the password.
#[boxed]
pub async fn confirm(access: &Access, viewer: &Viewer, password: SecretString) -> Result<DateTime<Utc>> {
    check(access, viewer, password).await?;
    if !viewer.operator().has_own_password {
        return Err(Error::OwnPassword);
    }
    let now = access.core.clock.now();
    let mut connection = access.core.database.connection().await?;
    operators::confirm(&mut connection, viewer.session(), now).await?;
    Ok(now)
}

/// Changes the operator's own password, and ends all their sessions, this one too.
///
/// # Errors
/// [`Error::Invalid`] for a new password that can't be one; [`Error::WrongPassword`].
#[boxed]
pub async fn change_password(
    access: &Access,
    viewer: &Viewer,
    current: SecretString,
    new: SecretString,
) -> Result<()> {
    let operator = viewer.operator();
    password::check("new_password", new.expose_secret(), [&operator.username, &operator.name])?;
    if !operator.has_own_password && password::is_same(new.expose_secret(), current.expose_secret()) {
        return Err(Faults::of("new_password", "must be another one than you were given").into());
    }
    check(access, viewer, current).await?;
    let hash = password::hash(access, new).await?;
    let mut connection = access.core.database.connection().await?;
    let changed = connection.transaction(async |connection| {
        operators::set_password(connection, operator.id, &hash, SetBy::Themselves).await?;
        let by = (Some(operator.id), viewer.address());
        let action = "operator.password_changed";
        note(&access.core, connection, by, action, operator.id, json!({})).await
    });
    changed.await
}

async fn check(access: &Access, viewer: &Viewer, password: SecretString) -> Result<()> {
    let username = &viewer.viewer().operator().username;
    // The connection goes back before the slow part.
    let found = operators::for_login(&mut *access.core.database.connection().await?, username).await?;
    let fit = password::verify(access, password, found.map(|(_, hash)| hash)).await?;
    match fit.is_right() {
        true => Ok(()),
        false => Err(Error::WrongPassword),
    }
}
