//! Log-ins, the refresh tokens that keep them going, and the tokens of browsers; tokens are kept hashed.

use chrono::{DateTime, Utc};
use diesel::{
    BoolExpressionMethods, ExpressionMethods, JoinOnDsl, OptionalExtension, QueryDsl, Queryable, Selectable,
    SelectableHelper,
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;
use wayfare_domain::{Account, OrganizationId, Origin, SessionId, TokenId, UserId};

use crate::{
    Result,
    access::users::Identity,
    schema::{refresh_tokens, sessions, users},
    statements::Write as _,
};

pub struct NewToken {
    pub id: TokenId,
    /// SHA-256 of the token.
    pub hash: [u8; 32],
    /// When it is made, UTC.
    pub created_at: DateTime<Utc>,
    /// When it ends, UTC.
    pub expires_at: DateTime<Utc>,
}

pub struct NewSession<'a> {
    pub id: SessionId,
    /// When it begins, UTC.
    pub created_at: DateTime<Utc>,
    /// When it ends unless it is renewed, UTC.
    pub expires_at: DateTime<Utc>,
    /// From where it was begun.
    pub origin: &'a Origin,
    pub token: Option<NewSessionToken>,
}

/// The token of a browser's session.
pub struct NewSessionToken {
    /// SHA-256 of the token.
    pub hash: [u8; 32],
    /// Until when it is good without being used, UTC.
    pub idle_until: DateTime<Utc>,
}

#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = sessions, check_for_backend(diesel::pg::Pg))]
pub struct OwnSession {
    pub id: Uuid,
    /// When it began, UTC.
    pub created_at: DateTime<Utc>,
    /// When it ends unless it is renewed, UTC.
    pub expires_at: DateTime<Utc>,
    /// Of a browser's: until when it lasts without being used, UTC.
    pub idle_until: Option<DateTime<Utc>>,
    /// What it was begun with; none of older ones.
    pub user_agent: Option<String>,
    /// From where it was begun; none of older ones.
    pub address: Option<String>,
}

/// A refresh token that was found, and whose it is.
pub struct FoundToken {
    pub id: TokenId,
    pub organization: OrganizationId,
    pub user: UserId,
    pub session: SessionId,
    /// When it ends, UTC.
    pub expires_at: DateTime<Utc>,
    pub spent: bool,
    pub ended: bool,
}

/// Notes a log-in and begins its session; what is left of the user's lapsed sessions goes. False, and nothing is
/// written, when the user's access was ended since the password was looked at.
#[boxed]
pub async fn begin(
    connection: &mut AsyncPgConnection,
    who: &Identity,
    session: &NewSession<'_>,
) -> Result<bool> {
    let (organization, user) = (who.account.organization, who.account.id);
    let updated = diesel::update(users::table.find((organization.uuid(), user.uuid())))
        .filter(users::session_epoch.eq(who.session_epoch))
        .filter(users::deleted_at.is_null())
        .set(users::last_login_at.eq(session.created_at))
        .execute(connection)
        .await?;
    if updated == 0 {
        return Ok(false);
    }
    let lapsed = sessions::table
        .filter(sessions::org_id.eq(organization.uuid()))
        .filter(sessions::user_id.eq(user.uuid()))
        .filter(sessions::expires_at.le(session.created_at));
    diesel::delete(lapsed).execute(connection).await?;
    let token = session.token.as_ref();
    let address = session.origin.address.map(|address| address.to_string());
    diesel::insert_into(sessions::table)
        .values((
            sessions::org_id.eq(organization.uuid()),
            sessions::id.eq(session.id.uuid()),
            sessions::user_id.eq(user.uuid()),
            sessions::session_epoch.eq(who.session_epoch),
            sessions::created_at.eq(session.created_at),
            sessions::expires_at.eq(session.expires_at),
            sessions::token_hash.eq(token.map(|token| token.hash.as_slice())),
            sessions::idle_until.eq(token.map(|token| token.idle_until)),
            sessions::user_agent.eq(&session.origin.user_agent),
            sessions::address.eq(address),
        ))
        .write_one(connection)
        .await
}

/// A user's sessions that last at this time, the newest first.
#[boxed]
pub async fn of_user(
    connection: &mut AsyncPgConnection,
    (account, epoch): (&Account, i32),
    now: DateTime<Utc>,
) -> Result<Vec<OwnSession>> {
    Ok(sessions::table
        .filter(sessions::org_id.eq(account.organization.uuid()))
        .filter(sessions::user_id.eq(account.id.uuid()))
        .filter(sessions::session_epoch.eq(epoch))
        .filter(sessions::ended_at.is_null())
        .filter(sessions::expires_at.gt(now))
        .filter(sessions::idle_until.is_null().or(sessions::idle_until.gt(now)))
        .order((sessions::created_at.desc(), sessions::id.desc()))
        .select(OwnSession::as_select())
        .load(connection)
        .await?)
}

/// Ends a user's session. False, and nothing is written, where it is another's or has ended.
#[boxed]
pub async fn end_own(
    connection: &mut AsyncPgConnection,
    account: &Account,
    session: SessionId,
    at: DateTime<Utc>,
) -> Result<bool> {
    diesel::update(sessions::table.find((account.organization.uuid(), session.uuid())))
        .filter(sessions::user_id.eq(account.id.uuid()))
        .filter(sessions::ended_at.is_null())
        .filter(sessions::expires_at.gt(at))
        .set(sessions::ended_at.eq(at))
        .write_one(connection)
        .await
}

/// A browser's session was used: so long it lasts from now on.
#[boxed]
pub async fn used(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    session: SessionId,
    idle_until: DateTime<Utc>,
) -> Result<()> {
    diesel::update(sessions::table.find((organization.uuid(), session.uuid())))
        .filter(sessions::idle_until.lt(idle_until))
        .set(sessions::idle_until.eq(idle_until))
        .write(connection)
        .await
}

/// The token of this hash with its session, both locked until the transaction ends: of several uses at once, each
/// sees what the one before it did.
#[boxed]
pub async fn lock(connection: &mut AsyncPgConnection, hash: &[u8; 32]) -> Result<Option<FoundToken>> {
    type Found = (Uuid, Uuid, Uuid, Uuid, DateTime<Utc>, Option<DateTime<Utc>>, Option<DateTime<Utc>>);
    let found: Option<Found> =
        refresh_tokens::table
            .inner_join(sessions::table.on(
                sessions::org_id.eq(refresh_tokens::org_id).and(sessions::id.eq(refresh_tokens::session_id)),
            ))
            .filter(refresh_tokens::token_hash.eq(hash.as_slice()))
            .select((
                refresh_tokens::id,
                refresh_tokens::org_id,
                sessions::user_id,
                sessions::id,
                refresh_tokens::expires_at,
                refresh_tokens::spent_at,
                sessions::ended_at,
            ))
            .for_update()
            .first(connection)
            .await
            .optional()?;
    Ok(found.map(|(id, organization, user, session, expires_at, spent_at, ended_at)| FoundToken {
        id: TokenId::from_uuid(id),
        organization: OrganizationId::from_uuid(organization),
        user: UserId::from_uuid(user),
        session: SessionId::from_uuid(session),
        expires_at,
        spent: spent_at.is_some(),
        ended: ended_at.is_some(),
    }))
}

/// Spends a locked token: the next one of its session takes its place.
#[boxed]
pub async fn replace(connection: &mut AsyncPgConnection, spent: &FoundToken, next: &NewToken) -> Result<()> {
    diesel::update(refresh_tokens::table.find((spent.organization.uuid(), spent.id.uuid())))
        .set(refresh_tokens::spent_at.eq(next.created_at))
        .execute(connection)
        .await?;
    diesel::update(sessions::table.find((spent.organization.uuid(), spent.session.uuid())))
        .set(sessions::expires_at.eq(next.expires_at))
        .execute(connection)
        .await?;
    insert_token(connection, spent.organization, spent.session, next).await
}

/// Ends the session of a locked token: nothing that descends from its log-in is accepted any more.
#[boxed]
pub async fn end(connection: &mut AsyncPgConnection, token: &FoundToken, at: DateTime<Utc>) -> Result<()> {
    diesel::update(sessions::table.find((token.organization.uuid(), token.session.uuid())))
        .set(sessions::ended_at.eq(at))
        .write(connection)
        .await
}

/// Writes a refresh token of a session.
#[boxed]
pub async fn insert_token(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    session: SessionId,
    token: &NewToken,
) -> Result<()> {
    diesel::insert_into(refresh_tokens::table)
        .values((
            refresh_tokens::org_id.eq(organization.uuid()),
            refresh_tokens::id.eq(token.id.uuid()),
            refresh_tokens::session_id.eq(session.uuid()),
            refresh_tokens::token_hash.eq(token.hash.as_slice()),
            refresh_tokens::created_at.eq(token.created_at),
            refresh_tokens::expires_at.eq(token.expires_at),
        ))
        .write(connection)
        .await
}
