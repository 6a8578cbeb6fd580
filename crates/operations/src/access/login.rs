//! Who may come in: log-in, and tokens that are refreshed.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::Duration;
use diesel_async::{AsyncConnection, AsyncPgConnection};
use sha2::{Digest, Sha256};
use wayfare_boxed::boxed;
use wayfare_contract::{LogIn, Tokens};
use wayfare_domain::{Actor, ActorKind, AgencyCode, EventKind, Origin, SessionId, TokenId};
use wayfare_store::access::{
    sessions::{self, FoundToken, NewSession, NewToken},
    users::{self, Claimed, Identity},
};

use crate::{
    Access, Core, Error, Result,
    access::{
        access_token,
        login_policy::{self, Refused},
        password::{self, Fit},
    },
    core::random_bytes,
    tools::audit_event::{self, Change},
};

/// Seconds that the access token of a log-in lasts (P-115).
const LOGIN_SECONDS: i64 = 3_600;
/// Seconds that the access token of a refresh lasts (P-74): none lasts longer.
pub const REFRESH_SECONDS: i64 = 21_600;
/// So long a refresh token lasts (P-115).
pub(crate) const REFRESH_LASTS: Duration = Duration::days(30);

/// Logs a user in. A refusal is written into the audit log of the agency, if there is one (P-72).
///
/// # Errors
/// [`Error::Unauthenticated`] for an unknown agency or user, a wrong password and a suspended user or agency
/// alike: nobody learns which. [`Error::AccessDenied`] from an address that the agency does not accept, once all that
/// was right. [`Error::Busy`], before anything is looked up, when too many log in at once.
#[boxed]
pub async fn log_in(
    access: &Access,
    agency: &str,
    username: &str,
    password: &str,
    origin: Origin,
) -> Result<LogIn> {
    let identity = admit(access, agency, username, password, &origin).await?;
    let session = SessionId::new(&access.core.clock);
    let (tokens, kept) = tokens(&access.core, &identity, session, LOGIN_SECONDS)?;
    let new = NewSession {
        id: session,
        created_at: kept.created_at,
        expires_at: kept.expires_at,
        origin: &origin,
        token: None,
    };
    let mut connection = access.core.database.connection().await?;
    let begun = connection
        .transaction(async |connection| {
            let begun = sessions::begin(connection, &identity, &new).await?;
            if begun {
                let organization = identity.account.organization;
                sessions::insert_token(connection, organization, session, &kept).await?;
            }
            Ok::<_, Error>(begun)
        })
        .await?;
    if !begun {
        return Err(Error::Unauthenticated);
    }
    Ok(LogIn {
        agent_id: identity.account.agency_code.to_string(),
        user: crate::access::users::signed_in(identity.account),
        tokens,
    })
}

/// Who this is, if the password is right and they may come in from there; errors as of [`log_in`].
pub(super) async fn admit(
    access: &Access,
    agency: &str,
    username: &str,
    password: &str,
    origin: &Origin,
) -> Result<Identity> {
    let place = access.password_pool.queue().await?;
    // The connection goes back before the slow part.
    let code = AgencyCode::from(agency.to_owned());
    let found = users::for_login(&mut *access.core.database.connection().await?, &code, username).await?;
    let (identity, hash) = found.unzip();
    let turn = place.turn().await?;
    let fit = password::verify(access, password.to_owned().into(), hash.clone()).await?;
    if let (Some(identity), Some(before), Fit::AsTyped) = (&identity, &hash, fit) {
        let anew = password::hash(access, password.to_owned().into()).await?;
        let mut connection = access.core.database.connection().await?;
        let made = connection.transaction(async |connection| {
            users::rehash(connection, &identity.account, (before, &anew)).await?;
            Ok::<_, Error>(())
        });
        made.await?;
    }
    drop(turn);
    drop(place);
    let admitted = match &identity {
        Some(identity) if fit.is_right() => login_policy::check(identity, origin),
        _ => Err(Refused::Password),
    };
    match (identity, admitted) {
        (Some(identity), Ok(())) => Ok(identity),
        (identity, admitted) => {
            let refused = admitted.err().unwrap_or(Refused::Password);
            login_policy::record_refusal(&access.core, agency, identity, refused, origin.clone());
            Err(refused.into())
        }
    }
}

/// A pair of tokens, and how the refresh token is kept.
fn tokens(core: &Core, who: &Identity, session: SessionId, seconds: i64) -> Result<(Tokens, NewToken)> {
    let (user, organization) = (who.account.id, who.organization.id);
    let refresh = URL_SAFE_NO_PAD.encode(random_bytes());
    let now = core.clock.now();
    let kept = NewToken {
        id: TokenId::new(&core.clock),
        hash: hash(&refresh),
        created_at: now,
        expires_at: now + REFRESH_LASTS,
    };
    let access_token = access_token::issue(core, user, organization, session, seconds)?.into();
    Ok((Tokens { access_token, refresh_token: refresh.into(), expires_in_seconds: seconds }, kept))
}

pub(super) fn hash(token: &str) -> [u8; 32] {
    Sha256::digest(token).into()
}

/// Exchanges a refresh token for a new pair; it is spent. The use of a spent one ends its session, since one of the
/// two who have it is a thief (P-41): of two uses at once, one gets a pair that is worth nothing.
///
/// # Errors
/// [`Error::Unauthenticated`] for a token that is unknown, spent or over, and when its user or agency may not act;
/// [`Error::AccessDenied`] from an address that the agency does not accept, which does not spend the token.
#[boxed]
pub async fn refresh(core: &Core, refresh_token: &str, origin: Origin) -> Result<Tokens> {
    let mut connection = core.database.connection().await?;
    let refreshed = connection.transaction(async |connection| {
        let Some(found) = sessions::lock(connection, &hash(refresh_token)).await? else {
            return Ok(Err(Error::Unauthenticated));
        };
        if found.spent && !found.ended {
            sessions::end(connection, &found, core.clock.now()).await?;
            note_session(core, connection, &found, EventKind::AuthTokenReused, origin.clone()).await?;
        }
        // What the transaction has written must stay, so that a refusal is no error in here.
        if !lasts(core, &found) {
            return Ok(Err(Error::Unauthenticated));
        }
        let (organization, user) = (found.organization, found.user);
        let claimed = Claimed { organization, user, session: found.session };
        let identified = users::identify(connection, &[claimed]).await?.remove(&claimed);
        let Some(identified) = identified else { return Ok(Err(Error::Unauthenticated)) };
        let identity = identified.read()?;
        if let Err(refused) = login_policy::check(&identity, &origin) {
            return Ok(Err(refused.into()));
        }
        let (tokens, kept) = tokens(core, &identity, found.session, REFRESH_SECONDS)?;
        sessions::replace(connection, &found, &kept).await?;
        Ok::<_, Error>(Ok(tokens))
    });
    refreshed.await?
}

/// Logs a session out: none of its tokens is accepted any more.
///
/// # Errors
/// [`Error::Unauthenticated`] for a token that is unknown, spent or over; a spent one ends its session all the same.
#[boxed]
pub async fn log_out(core: &Core, refresh_token: &str, origin: Origin) -> Result<()> {
    let mut connection = core.database.connection().await?;
    let was_good = connection.transaction(async |connection| {
        let Some(found) = sessions::lock(connection, &hash(refresh_token)).await? else { return Ok(false) };
        if !found.ended {
            let action = if found.spent { EventKind::AuthTokenReused } else { EventKind::AuthLoggedOut };
            sessions::end(connection, &found, core.clock.now()).await?;
            note_session(core, connection, &found, action, origin).await?;
        }
        Ok::<_, Error>(lasts(core, &found))
    });
    if was_good.await? { Ok(()) } else { Err(Error::Unauthenticated) }
}

/// Whether the token could be used when it was locked.
fn lasts(core: &Core, token: &FoundToken) -> bool {
    !token.spent && !token.ended && core.clock.now() < token.expires_at
}

async fn note_session(
    core: &Core,
    connection: &AsyncPgConnection,
    token: &FoundToken,
    action: EventKind,
    origin: Origin,
) -> Result<()> {
    let actor = Actor { kind: ActorKind::OrgUser, user: Some(token.user), operator: None, origin };
    let change = Change::of(token.organization, &actor, action, token.session);
    audit_event::write(connection, &audit_event::event(core, change)).await
}
