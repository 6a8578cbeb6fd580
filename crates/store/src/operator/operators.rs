//! Operators: who works for the platform, and their sessions. They belong to no agency.

use chrono::{DateTime, Utc};
use diesel::{
    ExpressionMethods, JoinOnDsl, OptionalExtension, QueryDsl, Queryable, Selectable, SelectableHelper,
    define_sql_function, sql_types::Text,
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;
use wayfare_domain::{AccountStatus, OperatorId, OperatorRole, SessionId};

use crate::{
    Result,
    schema::{operator_sessions, operators},
    statements::{Write as _, stored},
};

define_sql_function!(
    fn lower(text: Text) -> Text;
);

stored! {
    /// An operator, without their secrets.
    #[derive(Clone, Debug)]
    pub struct Operator of operators {
        pub id: OperatorId,
        /// With what they log in; unique without regard to case.
        pub username: String,
        pub name: String,
        pub role: OperatorRole,
        pub status: AccountStatus,
        /// Their sessions of another epoch are over.
        pub epoch: i32 = session_epoch,
        /// When they were added, UTC.
        pub created_at: DateTime<Utc>,
        /// Their last log-in, UTC.
        pub last_login_at: Option<DateTime<Utc>>,
        /// Whether they have set their password themselves: somebody else knows the one that they were given.
        pub has_own_password: bool = (password_hash, given_password_hash) as |hashes: (String, Option<String>)| hashes.1 != Some(hashes.0),
    }
}

pub struct NewOperatorSession<'a> {
    pub id: SessionId,
    /// SHA-256 of its token.
    pub hash: [u8; 32],
    /// When it begins, UTC.
    pub created_at: DateTime<Utc>,
    /// Until when it lasts without being used, UTC.
    pub idle_until: DateTime<Utc>,
    pub ends_at: DateTime<Utc>,
    pub user_agent: &'a str,
    pub address: &'a str,
}

#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = operator_sessions, check_for_backend(diesel::pg::Pg))]
pub struct OperatorSession {
    pub id: Uuid,
    /// When it began, UTC.
    pub created_at: DateTime<Utc>,
    /// Until when it lasts without being used, UTC.
    pub idle_until: DateTime<Utc>,
    pub ends_at: DateTime<Utc>,
    /// When the password was given last, UTC.
    pub confirmed_at: DateTime<Utc>,
    pub user_agent: String,
    pub address: String,
    session_epoch: i32,
}

/// Adds an operator with a password of this hash, which is their own or was given to them. False, and nothing is written, when the username is in use.
#[boxed]
pub async fn insert(connection: &mut AsyncPgConnection, operator: &Operator, hash: &str) -> Result<bool> {
    diesel::insert_into(operators::table)
        .values((
            operators::id.eq(operator.id.uuid()),
            operators::username.eq(&operator.username),
            operators::name.eq(&operator.name),
            operators::password_hash.eq(hash),
            operators::given_password_hash.eq((!operator.has_own_password).then_some(hash)),
            operators::role.eq(operator.role.as_ref()),
            operators::status.eq(operator.status.as_ref()),
            operators::session_epoch.eq(operator.epoch),
            operators::created_at.eq(operator.created_at),
        ))
        .on_conflict_do_nothing()
        .write_one(connection)
        .await
}

/// All operators in the order in which they were added.
#[boxed]
pub async fn all(connection: &mut AsyncPgConnection) -> Result<Vec<Operator>> {
    Ok(operators::table
        .order((operators::created_at, operators::id))
        .select(Operator::as_select())
        .load(connection)
        .await?)
}

#[boxed]
pub async fn find(connection: &mut AsyncPgConnection, id: OperatorId) -> Result<Option<Operator>> {
    Ok(operators::table.find(id.uuid()).select(Operator::as_select()).first(connection).await.optional()?)
}

/// The operator of this username with the hash of their password.
#[boxed]
pub async fn for_login(
    connection: &mut AsyncPgConnection,
    username: &str,
) -> Result<Option<(Operator, String)>> {
    Ok(operators::table
        .filter(lower(operators::username).eq(lower(username)))
        .select((Operator::as_select(), operators::password_hash))
        .first(connection)
        .await
        .optional()?)
}

/// All operators, locked until the transaction ends: whoever changes one sees what the others are.
#[boxed]
pub async fn lock_all(connection: &mut AsyncPgConnection) -> Result<Vec<Operator>> {
    Ok(operators::table
        .order(operators::id)
        .select(Operator::as_select())
        .for_update()
        .load(connection)
        .await?)
}

/// Writes what a locked operator may do, and ends the sessions of another epoch.
#[boxed]
pub async fn update(connection: &mut AsyncPgConnection, operator: &Operator) -> Result<()> {
    diesel::update(operators::table.find(operator.id.uuid()))
        .set((
            operators::role.eq(operator.role.as_ref()),
            operators::status.eq(operator.status.as_ref()),
            operators::session_epoch.eq(operator.epoch),
        ))
        .write(connection)
        .await
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetBy {
    Themselves,
    SomebodyElse,
}

/// Gives an operator another password, and ends their sessions.
#[boxed]
pub async fn set_password(
    connection: &mut AsyncPgConnection,
    id: OperatorId,
    hash: &str,
    by: SetBy,
) -> Result<()> {
    diesel::update(operators::table.find(id.uuid()))
        .set((
            operators::password_hash.eq(hash),
            operators::given_password_hash.eq((by == SetBy::SomebodyElse).then_some(hash)),
            operators::session_epoch.eq(operators::session_epoch + 1),
        ))
        .execute(connection)
        .await?;
    end_all(connection, id).await
}

/// Puts another hash of the same password in the place of one: whose doing the password is stays as it is.
#[boxed]
pub async fn rehash(
    connection: &mut AsyncPgConnection,
    id: OperatorId,
    (before, after): (&str, &str),
) -> Result<()> {
    diesel::update(operators::table.find(id.uuid()))
        .filter(operators::given_password_hash.eq(before))
        .set(operators::given_password_hash.eq(after))
        .execute(connection)
        .await?;
    diesel::update(operators::table.find(id.uuid()))
        .filter(operators::password_hash.eq(before))
        .set(operators::password_hash.eq(after))
        .write(connection)
        .await
}

/// Ends all sessions of an operator.
#[boxed]
pub async fn end_all(connection: &mut AsyncPgConnection, id: OperatorId) -> Result<()> {
    diesel::delete(operator_sessions::table.filter(operator_sessions::operator_id.eq(id.uuid())))
        .write(connection)
        .await
}

/// Begins a session. False, and nothing is written, when the operator's access was ended since the password was looked at.
#[boxed]
pub async fn begin(
    connection: &mut AsyncPgConnection,
    who: &Operator,
    session: &NewOperatorSession<'_>,
) -> Result<bool> {
    let updated = diesel::update(operators::table.find(who.id.uuid()))
        .filter(operators::session_epoch.eq(who.epoch))
        .set(operators::last_login_at.eq(session.created_at))
        .execute(connection)
        .await?;
    if updated == 0 {
        return Ok(false);
    }
    diesel::insert_into(operator_sessions::table)
        .values((
            operator_sessions::id.eq(session.id.uuid()),
            operator_sessions::token_hash.eq(session.hash.as_slice()),
            operator_sessions::operator_id.eq(who.id.uuid()),
            operator_sessions::session_epoch.eq(who.epoch),
            operator_sessions::created_at.eq(session.created_at),
            operator_sessions::idle_until.eq(session.idle_until),
            operator_sessions::ends_at.eq(session.ends_at),
            operator_sessions::confirmed_at.eq(session.created_at),
            operator_sessions::user_agent.eq(session.user_agent),
            operator_sessions::address.eq(session.address),
        ))
        .write_one(connection)
        .await
}

/// Who shows the token of this hash, with the session, if that was not ended.
#[boxed]
pub async fn identify(
    connection: &mut AsyncPgConnection,
    hash: &[u8; 32],
) -> Result<Option<(Operator, OperatorSession)>> {
    let found: Option<(Operator, OperatorSession)> = operator_sessions::table
        .inner_join(operators::table.on(operators::id.eq(operator_sessions::operator_id)))
        .filter(operator_sessions::token_hash.eq(hash.as_slice()))
        .select((Operator::as_select(), OperatorSession::as_select()))
        .first(connection)
        .await
        .optional()?;
    Ok(found.filter(|(operator, session)| operator.epoch == session.session_epoch))
}

/// A session was used: so long it lasts from now on.
#[boxed]
pub async fn used(
    connection: &mut AsyncPgConnection,
    session: SessionId,
    idle_until: DateTime<Utc>,
) -> Result<()> {
    diesel::update(operator_sessions::table.find(session.uuid()))
        .filter(operator_sessions::idle_until.lt(idle_until))
        .set(operator_sessions::idle_until.eq(idle_until))
        .write(connection)
        .await
}

/// The password was given in this session.
#[boxed]
pub async fn confirm(
    connection: &mut AsyncPgConnection,
    session: SessionId,
    at: DateTime<Utc>,
) -> Result<()> {
    diesel::update(operator_sessions::table.find(session.uuid()))
        .set(operator_sessions::confirmed_at.eq(at))
        .write(connection)
        .await
}

/// An operator's sessions that last at this time, the newest first.
#[boxed]
pub async fn sessions_of(
    connection: &mut AsyncPgConnection,
    operator: &Operator,
    now: DateTime<Utc>,
) -> Result<Vec<OperatorSession>> {
    Ok(operator_sessions::table
        .filter(operator_sessions::operator_id.eq(operator.id.uuid()))
        .filter(operator_sessions::session_epoch.eq(operator.epoch))
        .filter(operator_sessions::idle_until.gt(now))
        .filter(operator_sessions::ends_at.gt(now))
        .order((operator_sessions::created_at.desc(), operator_sessions::id.desc()))
        .select(OperatorSession::as_select())
        .load(connection)
        .await?)
}

/// Ends a session of an operator's. False where it is another's or has ended.
#[boxed]
pub async fn end(
    connection: &mut AsyncPgConnection,
    operator: OperatorId,
    session: SessionId,
) -> Result<bool> {
    diesel::delete(operator_sessions::table.find(session.uuid()))
        .filter(operator_sessions::operator_id.eq(operator.uuid()))
        .write_one(connection)
        .await
}
