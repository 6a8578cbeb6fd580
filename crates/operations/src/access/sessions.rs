//! Sessions of browsers, each with one opaque token, and what a user sees and ends of all sessions of theirs.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::Duration;
use diesel_async::AsyncConnection;
use wayfare_boxed::boxed;
use wayfare_contract::{BrowserSession, OwnSession};
use wayfare_domain::{EventKind, Origin, SessionId};
use wayfare_store::access::{
    sessions::{self, NewSession, NewSessionToken},
    users,
};

use crate::{
    Access, Core, Error, Person, Result,
    access::{login, login_policy},
    core::random_bytes,
    tools::audit_event::{self, Change},
};

/// What a token of a browser's session begins with, so that leaked ones can be searched for (D-520).
const PREFIX: &str = "wfs_";
/// A browser's session ends this long after its last use: a working day needs no second log-in.
const IDLE: Duration = Duration::hours(12);
/// No session of a browser lasts longer, used or not.
const LONGEST: Duration = Duration::days(7);
/// Its end is not moved more often: most requests write nothing.
const MOVED_EVERY: Duration = Duration::minutes(1);

/// Begins a session of a browser.
///
/// # Errors
/// As of a log-in.
#[boxed]
pub async fn begin(
    access: &Access,
    agency: &str,
    username: &str,
    password: &str,
    origin: Origin,
) -> Result<BrowserSession> {
    let identity = login::admit(access, agency, username, password, &origin).await?;
    let token = format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(random_bytes()));
    let now = access.core.clock.now();
    let (idle_until, ends_at) = (now + IDLE, now + LONGEST);
    let new = NewSession {
        id: SessionId::new(&access.core.clock),
        created_at: now,
        expires_at: ends_at,
        origin: &origin,
        token: Some(NewSessionToken { hash: login::hash(&token), idle_until }),
    };
    let mut connection = access.core.database.connection().await?;
    let begun = connection
        .transaction(async |connection| Ok::<_, Error>(sessions::begin(connection, &identity, &new).await?));
    if !begun.await? {
        return Err(Error::Unauthenticated);
    }
    Ok(BrowserSession {
        token: token.into(),
        idle_until,
        ends_at,
        agent_id: identity.account.agency_code.to_string(),
        user: crate::access::users::signed_in(identity.account),
    })
}

/// The token, if it is one of a browser's session.
pub(super) fn token(bearer: &str) -> Option<&str> {
    bearer.starts_with(PREFIX).then_some(bearer)
}

/// Who shows the token of a browser's session.
pub(super) async fn authenticate(core: &Core, token: &str, origin: Origin) -> Result<Person> {
    let mut connection = core.database.connection().await?;
    let found = users::identify_token(&mut connection, &login::hash(token)).await?;
    let found = found.ok_or(Error::Unauthenticated)?;
    let now = core.clock.now();
    if found.expires_at <= now || found.idle_until <= now {
        return Err(Error::Unauthenticated);
    }
    login_policy::check(&found.identity, &origin)?;
    let idle_until = (now + IDLE).min(found.expires_at);
    if idle_until - found.idle_until >= MOVED_EVERY {
        let organization = found.identity.organization.id;
        sessions::used(&mut connection, organization, found.session, idle_until).await?;
    }
    Ok(Person::new(found.identity, found.session, origin))
}

/// The person's sessions that last, the newest first.
#[boxed]
pub async fn list(core: &Core, person: &Person) -> Result<Vec<OwnSession>> {
    let mut connection = core.database.connection().await?;
    let whose = (person.account(), person.session_epoch());
    let all = sessions::of_user(&mut connection, whose, core.clock.now()).await?;
    let shown = |session: sessions::OwnSession| OwnSession {
        is_current: session.id == person.session().uuid(),
        id: session.id,
        created_at: session.created_at,
        ends_at: session.expires_at,
        idle_until: session.idle_until,
        user_agent: session.user_agent.unwrap_or_default(),
        ip_address: session.address.unwrap_or_default(),
    };
    Ok(all.into_iter().map(shown).collect())
}

/// Ends one of the person's sessions, of whatever kind: none of its tokens is accepted any more.
///
/// # Errors
/// [`Error::NotFound`] where it is another's or has ended.
#[boxed]
pub async fn end(core: &Core, person: &Person, session: SessionId) -> Result<()> {
    let mut connection = core.database.connection().await?;
    let ended = connection.transaction(async |connection| {
        let now = core.clock.now();
        if !sessions::end_own(connection, person.account(), session, now).await? {
            return Err(Error::NotFound);
        }
        let actor = person.actor();
        let change = Change::of(person.organization(), &actor, EventKind::AuthLoggedOut, session);
        audit_event::write(connection, &audit_event::event(core, change)).await
    });
    ended.await
}
