//! The people of agencies.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use diesel::{
    BoolExpressionMethods, ExpressionMethods, JoinOnDsl, OptionalExtension, QueryDsl, Queryable, Selectable,
    SelectableHelper,
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;
use wayfare_domain::{
    Account, AccountStatus, AgencyCode, Organization, OrganizationId, Page, PageRequest, Role, SessionId,
    UserId,
};

use crate::{
    Result,
    access::organizations::Row as OrganizationRow,
    error::word,
    schema::{organizations, sessions, users},
    statements::{
        Write as _,
        row_value_in::{ids_in, pairs_in},
    },
};

diesel::define_sql_function! {
    /// PostgreSQL's `lower`.
    fn lower(text: diesel::sql_types::Text) -> diesel::sql_types::Text;
}

#[derive(Clone, Queryable, Selectable)]
#[diesel(table_name = users, check_for_backend(diesel::pg::Pg))]
struct Row {
    org_id: Uuid,
    id: Uuid,
    username: String,
    email: String,
    name: String,
    phone: String,
    password_hash: String,
    given_password_hash: Option<String>,
    role: String,
    status: String,
    sub_agent_id: String,
    session_epoch: i32,
    created_at: DateTime<Utc>,
    last_login_at: Option<DateTime<Utc>>,
}

impl Row {
    fn account(self, agency_code: AgencyCode) -> Result<Account> {
        Ok(Account {
            id: UserId::from_uuid(self.id),
            organization: OrganizationId::from_uuid(self.org_id),
            agency_code,
            username: self.username,
            email: self.email,
            name: self.name,
            phone: self.phone,
            role: word("users.role", &self.role)?,
            status: word("users.status", &self.status)?,
            sub_agent_id: self.sub_agent_id,
            created_at: self.created_at,
            last_login_at: self.last_login_at,
        })
    }
}

/// A person and their agency, as a request needs them: one statement.
#[derive(Clone, Debug)]
pub struct Identity {
    pub account: Account,
    pub organization: Organization,
    /// Sessions of another epoch are over.
    pub session_epoch: i32,
    /// Whether no operator has given them the password that counts.
    pub has_own_password: bool,
}

/// Writes a new user.
///
/// # Errors
/// A unique violation (`users_username_key`, `users_email_key`) when the name or address is taken.
#[boxed]
pub async fn insert(
    connection: &mut AsyncPgConnection,
    account: &Account,
    password_hash: &str,
) -> Result<()> {
    diesel::insert_into(users::table)
        .values((
            users::org_id.eq(account.organization.uuid()),
            users::id.eq(account.id.uuid()),
            users::username.eq(&account.username),
            users::email.eq(&account.email),
            users::name.eq(&account.name),
            users::phone.eq(&account.phone),
            users::role.eq(account.role.as_ref()),
            users::status.eq(account.status.as_ref()),
            users::sub_agent_id.eq(&account.sub_agent_id),
            users::password_hash.eq(password_hash),
            users::created_at.eq(account.created_at),
            users::updated_at.eq(account.created_at),
        ))
        .write(connection)
        .await
}

/// Who logs in under this agency code and username (without regard to case), with the password's hash.
#[boxed]
pub async fn for_login(
    connection: &mut AsyncPgConnection,
    agency: &AgencyCode,
    username: &str,
) -> Result<Option<(Identity, String)>> {
    let found: Option<(Row, OrganizationRow, String)> = users::table
        .inner_join(organizations::table.on(organizations::id.eq(users::org_id)))
        .filter(
            organizations::agent_id
                .eq(agency.as_ref())
                .and(lower(users::username).eq(lower(username.to_owned())))
                .and(users::deleted_at.is_null()),
        )
        .select((Row::as_select(), OrganizationRow::as_select(), users::password_hash))
        .first(connection)
        .await
        .optional()?;
    found.map(|(user, agency, hash)| Ok((identity(user, agency)?, hash))).transpose()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Claimed {
    pub organization: OrganizationId,
    pub user: UserId,
    pub session: SessionId,
}

/// The person of a session that lasts, as their rows have them.
#[derive(Clone)]
pub struct Identified(Row, OrganizationRow);

impl Identified {
    /// The person and their agency.
    ///
    /// # Errors
    /// [`crate::StoreError::Corrupt`] when their rows make no sense.
    pub fn read(self) -> Result<Identity> {
        identity(self.0, self.1)
    }
}

/// The people of these sessions, as far as they are still there and the sessions last.
#[boxed]
pub async fn identify(
    mut connection: &AsyncPgConnection,
    claimed: &[Claimed],
) -> Result<HashMap<Claimed, Identified>> {
    type Found = (Row, OrganizationRow, Option<DateTime<Utc>>, Uuid, Uuid);
    let lasting = sessions::org_id
        .eq(users::org_id)
        .and(sessions::session_epoch.eq(users::session_epoch))
        .and(sessions::ended_at.is_null());
    let [organizations, users_of, sessions_of] = [
        |one: &Claimed| one.organization.uuid(),
        |one: &Claimed| one.user.uuid(),
        |one: &Claimed| one.session.uuid(),
    ]
    .map(|id| claimed.iter().map(id).collect::<Vec<_>>());
    // Each is looked up by its key alone: no condition leads to another index, which PostgreSQL might read whole instead.
    let found: Vec<Found> = users::table
        .inner_join(organizations::table.on(organizations::id.eq(users::org_id)))
        .inner_join(sessions::table.on(lasting))
        .filter(ids_in("users.org_id, users.id, sessions.id", [organizations, users_of, sessions_of]))
        .select((
            Row::as_select(),
            OrganizationRow::as_select(),
            users::deleted_at,
            sessions::id,
            sessions::user_id,
        ))
        .load(&mut connection)
        .await?;
    let theirs = |(row, agency, deleted_at, session, of): Found| {
        let claimed = Claimed {
            organization: OrganizationId::from_uuid(row.org_id),
            user: UserId::from_uuid(row.id),
            session: SessionId::from_uuid(session),
        };
        let is_theirs = deleted_at.is_none() && of == row.id;
        is_theirs.then_some((claimed, Identified(row, agency)))
    };
    Ok(found.into_iter().filter_map(theirs).collect())
}

/// Who shows the token of a browser's session, and how long it lasts.
pub struct TokenHolder {
    pub identity: Identity,
    pub session: SessionId,
    /// When it ends, UTC.
    pub expires_at: DateTime<Utc>,
    /// When it ends unless it is used, UTC.
    pub idle_until: DateTime<Utc>,
}

/// The person of the session that has this token, if they are still there and nobody has ended it. Whether its time is over
/// is the caller's to say, who has the clock.
#[boxed]
pub async fn identify_token(
    connection: &mut AsyncPgConnection,
    hash: &[u8; 32],
) -> Result<Option<TokenHolder>> {
    type Found = (
        Row,
        OrganizationRow,
        Option<DateTime<Utc>>,
        Uuid,
        DateTime<Utc>,
        Option<DateTime<Utc>>,
        Option<DateTime<Utc>>,
    );
    let theirs = users::org_id
        .eq(sessions::org_id)
        .and(users::id.eq(sessions::user_id))
        .and(users::session_epoch.eq(sessions::session_epoch));
    // By its key alone: whether it was ended is looked at behind it.
    let found: Option<Found> = sessions::table
        .inner_join(users::table.on(theirs))
        .inner_join(organizations::table.on(organizations::id.eq(users::org_id)))
        .filter(sessions::token_hash.eq(hash.as_slice()))
        .select((
            Row::as_select(),
            OrganizationRow::as_select(),
            users::deleted_at,
            sessions::id,
            sessions::expires_at,
            sessions::idle_until,
            sessions::ended_at,
        ))
        .get_result(connection)
        .await
        .optional()?;
    let Some((user, agency, None, session, expires_at, Some(idle_until), None)) = found else {
        return Ok(None);
    };
    Ok(Some(TokenHolder {
        identity: identity(user, agency)?,
        session: SessionId::from_uuid(session),
        expires_at,
        idle_until,
    }))
}

/// The agency's user of this name, without regard to case.
#[boxed]
pub async fn by_username(
    connection: &mut AsyncPgConnection,
    agency: &Organization,
    username: &str,
) -> Result<Option<Account>> {
    let row = users::table
        .filter(
            users::org_id
                .eq(agency.id.uuid())
                .and(lower(users::username).eq(lower(username.to_owned())))
                .and(users::deleted_at.is_null()),
        )
        .select(Row::as_select())
        .first(connection)
        .await
        .optional()?;
    row.map(|row: Row| row.account(agency.code.clone())).transpose()
}

/// Which of an agency's users a list shows.
#[derive(Clone, Copy, Debug, Default)]
pub struct UserFilter {
    pub role: Option<Role>,
    pub status: Option<AccountStatus>,
}

/// A page of the agency's users who are not deleted, newest first.
#[boxed]
pub async fn list(
    connection: &mut AsyncPgConnection,
    agency: &Organization,
    filter: UserFilter,
    request: PageRequest,
) -> Result<Page<Account>> {
    let wanted = || {
        let mut query = users::table
            .filter(users::org_id.eq(agency.id.uuid()))
            .filter(users::deleted_at.is_null())
            .into_boxed();
        if let Some(role) = filter.role {
            query = query.filter(users::role.eq(role.as_ref().to_owned()));
        }
        if let Some(status) = filter.status {
            query = query.filter(users::status.eq(status.as_ref().to_owned()));
        }
        query
    };
    let total = wanted().count().get_result(connection).await?;
    let rows: Vec<Row> = wanted()
        .order((users::created_at.desc(), users::id.desc()))
        .limit(request.per_page.into())
        .offset(request.offset())
        .select(Row::as_select())
        .load(connection)
        .await?;
    let account = |row: Row| row.account(agency.code.clone());
    Ok(Page { items: rows.into_iter().map(account).collect::<Result<_, _>>()?, request, total })
}

/// All of the agency's people who are not deleted, in the order in which they came.
#[boxed]
pub async fn all(connection: &mut AsyncPgConnection, agency: &Organization) -> Result<Vec<Account>> {
    let rows: Vec<Row> = users::table
        .filter(users::org_id.eq(agency.id.uuid()))
        .filter(users::deleted_at.is_null())
        .order(users::id)
        .select(Row::as_select())
        .load(connection)
        .await?;
    let account = |row: Row| row.account(agency.code.clone());
    rows.into_iter().map(account).collect()
}

/// The agency's user of this id, unless deleted.
#[boxed]
pub async fn by_id(
    connection: &mut AsyncPgConnection,
    agency: &Organization,
    id: UserId,
) -> Result<Option<Account>> {
    let row = users::table
        .find((agency.id.uuid(), id.uuid()))
        .filter(users::deleted_at.is_null())
        .select(Row::as_select())
        .first(connection)
        .await
        .optional()?;
    row.map(|row: Row| row.account(agency.code.clone())).transpose()
}

/// Whether the agency has a user of this id, or had one.
#[boxed]
pub async fn was_ever(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    id: UserId,
) -> Result<bool> {
    let found = users::table.find((organization.uuid(), id.uuid()));
    Ok(diesel::select(diesel::dsl::exists(found)).get_result(connection).await?)
}

/// How many active admins the agency has.
#[boxed]
pub async fn active_admins(connection: &mut AsyncPgConnection, organization: OrganizationId) -> Result<i64> {
    Ok(users::table
        .filter(users::org_id.eq(organization.uuid()))
        .filter(users::role.eq(Role::OrgAdmin.as_ref()))
        .filter(users::status.eq(AccountStatus::Active.as_ref()))
        .filter(users::deleted_at.is_null())
        .count()
        .get_result(connection)
        .await?)
}

/// Writes what of a user may change: name, phone and status.
#[boxed]
pub async fn update(connection: &mut AsyncPgConnection, account: &Account, at: DateTime<Utc>) -> Result<()> {
    diesel::update(users::table.find((account.organization.uuid(), account.id.uuid())))
        .set((
            users::name.eq(&account.name),
            users::phone.eq(&account.phone),
            users::status.eq(account.status.as_ref()),
            users::updated_at.eq(at),
        ))
        .write(connection)
        .await
}

/// Ends every session of a user: what they logged in with counts from now on as never given.
#[boxed]
pub async fn end_sessions(connection: &mut AsyncPgConnection, account: &Account) -> Result<()> {
    diesel::update(users::table.find((account.organization.uuid(), account.id.uuid())))
        .set(users::session_epoch.eq(users::session_epoch + 1))
        .write(connection)
        .await
}

/// Marks a user as deleted: they are found no more, and their username and address are free.
#[boxed]
pub async fn delete(connection: &mut AsyncPgConnection, account: &Account, at: DateTime<Utc>) -> Result<()> {
    diesel::update(users::table.find((account.organization.uuid(), account.id.uuid())))
        .set((users::deleted_at.eq(at), users::updated_at.eq(at)))
        .write(connection)
        .await
}

#[boxed]
pub async fn password_hash(connection: &mut AsyncPgConnection, account: &Account) -> Result<Option<String>> {
    Ok(users::table
        .find((account.organization.uuid(), account.id.uuid()))
        .filter(users::deleted_at.is_null())
        .select(users::password_hash)
        .first(connection)
        .await
        .optional()?)
}

/// Gives a user the password of this hash, whatever theirs was.
#[boxed]
pub async fn give_password(
    connection: &mut AsyncPgConnection,
    account: &Account,
    hash: &str,
    at: DateTime<Utc>,
) -> Result<()> {
    diesel::update(users::table.find((account.organization.uuid(), account.id.uuid())))
        .set((users::password_hash.eq(hash), users::given_password_hash.eq(hash), users::updated_at.eq(at)))
        .write(connection)
        .await
}

/// Puts another hash of the same password in the place of one: whose doing the password is stays as it is.
#[boxed]
pub async fn rehash(
    connection: &mut AsyncPgConnection,
    account: &Account,
    (before, after): (&str, &str),
) -> Result<()> {
    let key = (account.organization.uuid(), account.id.uuid());
    diesel::update(users::table.find(key))
        .filter(users::given_password_hash.eq(before))
        .set(users::given_password_hash.eq(after))
        .execute(connection)
        .await?;
    diesel::update(users::table.find(key))
        .filter(users::password_hash.eq(before))
        .set(users::password_hash.eq(after))
        .write(connection)
        .await
}

/// Puts a new password's hash in the place of another. False, and nothing is written, when that one has gone.
#[boxed]
pub async fn replace_password(
    connection: &mut AsyncPgConnection,
    account: &Account,
    (before, after): (&str, &str),
    at: DateTime<Utc>,
) -> Result<bool> {
    diesel::update(users::table.find((account.organization.uuid(), account.id.uuid())))
        .filter(users::password_hash.eq(before))
        .filter(users::deleted_at.is_null())
        .set((users::password_hash.eq(after), users::updated_at.eq(at)))
        .write_one(connection)
        .await
}

fn identity(user: Row, agency: OrganizationRow) -> Result<Identity> {
    let organization = Organization::try_from(agency)?;
    let session_epoch = user.session_epoch;
    let has_own_password = user.given_password_hash.as_ref() != Some(&user.password_hash);
    Ok(Identity {
        account: user.account(organization.code.clone())?,
        organization,
        session_epoch,
        has_own_password,
    })
}

/// Which of these users are deleted.
#[boxed]
pub async fn deleted_among(
    connection: &mut AsyncPgConnection,
    users: &[(OrganizationId, UserId)],
) -> Result<HashSet<(OrganizationId, UserId)>> {
    if users.is_empty() {
        return Ok(HashSet::new());
    }
    let rows: Vec<(Uuid, Uuid)> = users::table
        .filter(pairs_in("users.org_id, users.id", users))
        .filter(users::deleted_at.is_not_null())
        .select((users::org_id, users::id))
        .load(connection)
        .await?;
    let key = |(organization, user)| (OrganizationId::from_uuid(organization), UserId::from_uuid(user));
    Ok(rows.into_iter().map(key).collect())
}
