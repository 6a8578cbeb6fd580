//! The users of an agency, as its admins manage them.
//!
//! Whatever changes them takes a lock on the agency first, so that of two admins who suspend each other one stays.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};
use wayfare_boxed::boxed;
use wayfare_contract::{OwnProfile, SessionUser, User, UserRow};
use wayfare_domain::{
    Account, AccountStatus, Actor, AuditEvent, EventKind, Faults, Organization, Page, PageRequest, Role,
    UserId, WalletId, is_email,
};
use wayfare_store::{
    access::{organizations, users},
    batch::writes::Writes,
    money::wallets::{self, Owner},
};

pub use wayfare_store::access::users::UserFilter;

use crate::{
    Access, Admin, Core, Error, Result,
    access::{
        idempotency::{CreatedResource, IdempotencyKey},
        password,
    },
    tools::{
        audit_event::{self, Change},
        failpoints::moment,
    },
};

/// The longest username, in characters.
pub const LONGEST_USERNAME: usize = 64;
/// The longest name of a person, in characters.
pub const LONGEST_NAME: usize = 100;
/// The longest telephone number as people write it, in characters.
const LONGEST_PHONE: usize = 32;

pub struct NewUser {
    /// Unique in the agency without regard to case.
    pub username: String,
    /// Unique in the agency without regard to case.
    pub email: String,
    pub name: String,
    pub phone: String,
    pub password: SecretString,
    pub role: Role,
}

impl NewUser {
    /// What is wrong with it; the fields' names come after `path`.
    pub(crate) fn check(&self, path: &str) -> Faults {
        let fields = UserFields {
            username: Some(&self.username),
            email: Some(&self.email),
            name: Some(&self.name),
            phone: Some(&self.phone),
            password: Some(self.password.expose_secret()),
        };
        fields.check(path)
    }
}

/// A user's fields, as far as they are given.
#[derive(Default)]
pub struct UserFields<'a> {
    pub username: Option<&'a str>,
    pub email: Option<&'a str>,
    pub name: Option<&'a str>,
    pub phone: Option<&'a str>,
    pub password: Option<&'a str>,
}

impl UserFields<'_> {
    /// What is wrong with those that are given; their names come after `path`.
    pub fn check(&self, path: &str) -> Faults {
        let mut faults = Faults::default();
        let mut text = |field: &str, value: Option<&str>, shortest: usize, longest: usize| {
            let Some(value) = value else { return };
            let at = format!("{path}{field}");
            if !(shortest..=longest).contains(&value.trim().chars().count()) {
                faults.add(at, format!("must be between {shortest} and {longest} characters"));
            } else if value.chars().any(char::is_control) {
                faults.add(at, "must not contain control characters");
            }
        };
        text("username", self.username, 1, LONGEST_USERNAME);
        text("name", self.name, 1, LONGEST_NAME);
        text("phone", self.phone, 0, LONGEST_PHONE);
        if self.email.is_some_and(|email| !is_email(email)) {
            faults.add(format!("{path}email"), "must be an e-mail address");
        }
        if let Some(password) = self.password {
            let names = [self.username, self.email].map(Option::unwrap_or_default);
            let checked = password::check(&format!("{path}password"), password, names);
            faults.append(checked.err().unwrap_or_default());
        }
        faults
    }
}

/// What is to change of a user; the rest stays.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    pub name: Option<String>,
    pub phone: Option<String>,
    pub status: Option<AccountStatus>,
}

/// A page of the agency's users, newest first.
#[boxed]
pub async fn list(
    core: &Core,
    admin: &Admin,
    filter: UserFilter,
    request: PageRequest,
) -> Result<Page<Account>> {
    let mut connection = core.database.connection().await?;
    Ok(users::list(&mut connection, admin.caller().agency(), filter, request).await?)
}

/// One user of the agency.
///
/// # Errors
/// [`Error::NotFound`] for another agency's or a deleted one.
#[boxed]
pub async fn get(core: &Core, admin: &Admin, id: UserId) -> Result<Account> {
    let mut connection = core.database.connection().await?;
    let found = users::by_id(&mut connection, admin.caller().agency(), id).await?;
    found.ok_or(Error::NotFound)
}

/// Adds a user to the agency; an agent gets a wallet.
///
/// # Errors
/// [`Error::Invalid`], [`Error::Taken`], [`Error::KeyRunning`].
#[boxed]
pub async fn create(
    access: &Access,
    admin: &Admin,
    new: NewUser,
    key: Option<&IdempotencyKey>,
) -> Result<Account> {
    new.check("").or(())?;
    let hash = password::hash(access, new.password.clone()).await?;
    let caller = admin.caller();
    let (agency, actor) = (caller.agency(), caller.actor());
    let mut connection = access.core.database.connection().await?;
    let created = connection.transaction(async |connection| {
        organizations::lock(connection, agency.id).await?;
        if let Some(key) = key {
            key.still_free(&access.core, connection, caller).await?;
        }
        let account = add(&access.core, connection, agency, &actor, new, hash).await?;
        if let Some(key) = key {
            key.record(&access.core, connection, caller, CreatedResource::User(account.id)).await?;
        }
        moment("user:written");
        Ok::<_, Error>(account)
    });
    let account = created.await?;
    moment("user:made");
    Ok(account)
}

/// Writes a new user, whose password has this hash, in the caller's transaction.
pub(crate) async fn add(
    core: &Core,
    connection: &mut AsyncPgConnection,
    agency: &Organization,
    actor: &Actor,
    new: NewUser,
    hash: String,
) -> Result<Account> {
    let number = organizations::next_user_number(connection, agency.id).await?;
    let account = Account {
        id: UserId::new(&core.clock),
        organization: agency.id,
        agency_code: agency.code.clone(),
        username: new.username,
        email: new.email,
        name: new.name,
        phone: new.phone,
        role: new.role,
        status: AccountStatus::Active,
        sub_agent_id: agency.code.sub_agent(number),
        created_at: core.clock.now(),
        last_login_at: None,
    };
    users::insert(connection, &account, &hash).await.map_err(|error| match error.unique_violation() {
        Some("users_username_key") => Error::Taken("username"),
        Some("users_email_key") => Error::Taken("email"),
        _ => error.into(),
    })?;
    if account.role.has_own_wallet() {
        let owner = Owner::User(agency.id, account.id);
        wallets::open(connection, owner, WalletId::new(&core.clock), agency.currency).await?;
    }
    let created = (None, Some(audit_value(&account)));
    audit_event::write(connection, &event(core, actor, &account, EventKind::UserCreated, created)).await?;
    Ok(account)
}

/// Changes a user of the agency. One who is suspended is out at once.
///
/// # Errors
/// [`Error::NotFound`], [`Error::LastAdmin`].
#[boxed]
pub async fn change(core: &Core, admin: &Admin, id: UserId, changes: Changes) -> Result<Account> {
    let caller = admin.caller();
    change_account(core, caller.agency(), &caller.actor(), id, changes).await
}

/// Changes a user of the agency, who may be the actor.
pub(crate) async fn change_account(
    core: &Core,
    agency: &Organization,
    actor: &Actor,
    id: UserId,
    changes: Changes,
) -> Result<Account> {
    let mut connection = core.database.connection().await?;
    let changed = connection.transaction(async |connection| {
        organizations::lock(connection, agency.id).await?;
        let before = users::by_id(connection, agency, id).await?.ok_or(Error::NotFound)?;
        let mut after = before.clone();
        after.name = changes.name.unwrap_or(after.name);
        after.phone = changes.phone.unwrap_or(after.phone);
        after.status = changes.status.unwrap_or(after.status);

        let mut writes = Writes::default();
        let described = |account: &Account| json!({ "name": account.name, "phone": account.phone });
        if described(&before) != described(&after) {
            let values = (Some(described(&before)), Some(described(&after)));
            writes.event(&event(core, actor, &after, EventKind::UserUpdated, values));
        }
        if before.status != after.status {
            let action = match after.status {
                AccountStatus::Active => EventKind::UserActivated,
                AccountStatus::Suspended => {
                    leaves_an_admin(connection, &before).await?;
                    users::end_sessions(connection, &before).await?;
                    EventKind::UserSuspended
                }
            };
            let status = |account: &Account| Some(json!({ "role": account.role, "status": account.status }));
            writes.event(&event(core, actor, &after, action, (status(&before), status(&after))));
        }
        users::update(connection, &after, core.clock.now()).await?;
        writes.send(connection).await?;
        Ok::<_, Error>(after)
    });
    changed.await
}

/// That the agency has an active admin without this user; asked under the agency's lock.
pub(crate) async fn leaves_an_admin(connection: &mut AsyncPgConnection, account: &Account) -> Result<()> {
    let counts = account.role.is_admin() && account.status == AccountStatus::Active;
    if counts && users::active_admins(connection, account.organization).await? <= 1 {
        return Err(Error::LastAdmin);
    }
    Ok(())
}

pub(crate) fn audit_value(account: &Account) -> Value {
    json!({
        "username": account.username,
        "email": account.email,
        "name": account.name,
        "phone": account.phone,
        "role": account.role,
        "status": account.status,
    })
}

/// The event that this happened to a user, with what was and what is.
pub(crate) fn event(
    core: &Core,
    actor: &Actor,
    account: &Account,
    action: EventKind,
    (old_value, new_value): (Option<Value>, Option<Value>),
) -> AuditEvent {
    let change = Change::of(account.organization, actor, action, account.id);
    audit_event::event(core, Change { old_value, new_value, ..change })
}

pub fn shown(account: Account) -> User {
    User {
        id: account.id.uuid(),
        username: account.username,
        email: account.email,
        name: account.name,
        phone: account.phone,
        role: account.role.as_ref().into(),
        status: account.status.as_ref().into(),
        org_id: account.organization.uuid(),
        sub_agent_id: account.sub_agent_id,
        created_at: account.created_at,
    }
}

pub fn row(account: Account) -> UserRow {
    let User { id, username, email, name, role, status, created_at, .. } = shown(account);
    UserRow { id, username, email, name, role, status, created_at }
}

pub fn own_profile(account: Account) -> OwnProfile {
    OwnProfile {
        id: account.id.uuid(),
        username: account.username,
        email: account.email,
        name: account.name,
        phone: account.phone,
        role: account.role.as_ref().into(),
        status: account.status.as_ref().into(),
        org_id: account.organization.uuid(),
        sub_agent_id: account.sub_agent_id,
        created_at: account.created_at,
        last_login_at: account.last_login_at,
    }
}

pub fn signed_in(account: Account) -> SessionUser {
    let User { id, username, email, name, role, status, org_id, sub_agent_id, .. } = shown(account);
    SessionUser { id, username, email, name, role, status, org_id, sub_agent_id }
}
