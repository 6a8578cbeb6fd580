//! Operators as those see and change them who look after them.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use diesel_async::{AsyncConnection, AsyncPgConnection};
use secrecy::SecretString;
use serde_json::{Value, json};
use wayfare_boxed::boxed;
use wayfare_contract::operator as contract;
use wayfare_domain::{AccountStatus, Faults, OperatorId, OperatorRole};
use wayfare_store::operator::operators::{self, SetBy};

use super::{By, ConfirmedAdmin, Operator, note};
use crate::{Access, Core, Error, Result, access::password, core::random_bytes};

pub const LONGEST_USERNAME: usize = 64;
pub const LONGEST_NAME: usize = 100;

#[derive(Clone, Debug)]
pub struct NewOperator {
    pub username: String,
    pub name: String,
    pub role: OperatorRole,
}

/// What is changed of an operator; what is none stays.
#[derive(Clone, Copy, Debug, Default)]
pub struct OperatorChange {
    pub role: Option<OperatorRole>,
    pub status: Option<AccountStatus>,
}

/// All operators in the order in which they were added.
#[boxed]
pub async fn list(core: &Core) -> Result<Vec<contract::Operator>> {
    let mut connection = core.database.connection().await?;
    Ok(operators::all(&mut connection).await?.into_iter().map(shown).collect())
}

pub fn shown(operator: Operator) -> contract::Operator {
    contract::Operator {
        id: operator.id.uuid(),
        username: operator.username,
        name: operator.name,
        role: operator.role.as_ref().into(),
        status: operator.status.as_ref().into(),
        created_at: operator.created_at,
        last_login_at: operator.last_login_at,
    }
}

/// The operator of this username.
///
/// # Errors
/// [`Error::NotFound`].
#[boxed]
pub async fn of_username(core: &Core, username: &str) -> Result<Operator> {
    let mut connection = core.database.connection().await?;
    let found = operators::for_login(&mut connection, username).await?;
    found.map(|(operator, _)| operator).ok_or(Error::NotFound)
}

/// Adds an operator, with a password that is told once: nobody can read it afterwards. Until they have set one of their own
/// they move no money and give no power (D-611).
///
/// # Errors
/// [`Error::Invalid`]; [`Error::Taken`].
#[boxed]
pub async fn add(
    access: &Access,
    by: By<ConfirmedAdmin>,
    new: NewOperator,
) -> Result<(Operator, SecretString)> {
    added(access, by, new, SetBy::SomebodyElse).await
}

/// Adds whoever runs this program as an operator: nobody else is told the password.
///
/// # Errors
/// As [`add`].
#[boxed]
pub async fn add_oneself(access: &Access, new: NewOperator) -> Result<(Operator, SecretString)> {
    added(access, By::command_line(), new, SetBy::Themselves).await
}

async fn added(
    access: &Access,
    by: By<ConfirmedAdmin>,
    new: NewOperator,
    password_of: SetBy,
) -> Result<(Operator, SecretString)> {
    check(&new).or(())?;
    let (password, hash) = new_password(access).await?;
    let operator = Operator {
        id: OperatorId::new(&access.core.clock),
        username: new.username,
        name: new.name,
        role: new.role,
        status: AccountStatus::Active,
        epoch: 0,
        created_at: access.core.clock.now(),
        last_login_at: None,
        has_own_password: password_of == SetBy::Themselves,
    };
    let mut connection = access.core.database.connection().await?;
    let added = connection.transaction(async |connection| {
        if !operators::insert(connection, &operator, &hash).await? {
            return Err(Error::Taken("username"));
        }
        let value = json!({ "username": operator.username, "role": operator.role });
        record(&access.core, &by, connection, "operator.added", operator.id, value).await
    });
    added.await?;
    Ok((operator, password))
}

/// Changes what an operator may do, and ends their sessions when they are suspended.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::LastOperatorAdmin`] when nobody would be left to look after operators.
#[boxed]
pub async fn change(
    core: &Core,
    by: By<ConfirmedAdmin>,
    id: OperatorId,
    change: OperatorChange,
) -> Result<Operator> {
    let mut connection = core.database.connection().await?;
    let changed = connection.transaction(async |connection| {
        let all = operators::lock_all(connection).await?;
        let before = all.iter().find(|operator| operator.id == id);
        let before = before.ok_or(Error::NotFound)?;
        let mut after = before.clone();
        after.role = change.role.unwrap_or(before.role);
        after.status = change.status.unwrap_or(before.status);
        if (after.role, after.status) == (before.role, before.status) {
            return Ok(after);
        }
        let others = all.iter().filter(|operator| operator.id != id);
        if is_admin(before) && !is_admin(&after) && !others.into_iter().any(is_admin) {
            return Err(Error::LastOperatorAdmin);
        }
        if after.status == AccountStatus::Suspended {
            after.epoch += 1;
            operators::end_all(connection, id).await?;
        }
        operators::update(connection, &after).await?;
        let values = |operator: &Operator| json!({ "role": operator.role, "status": operator.status });
        let value = json!({ "before": values(before), "after": values(&after) });
        record(core, &by, connection, "operator.changed", id, value).await?;
        Ok(after)
    });
    changed.await
}

/// Gives an operator another password, which is told once, and ends their sessions.
///
/// # Errors
/// [`Error::NotFound`].
#[boxed]
pub async fn reset_password(
    access: &Access,
    by: By<ConfirmedAdmin>,
    id: OperatorId,
) -> Result<(Operator, SecretString)> {
    let (password, hash) = new_password(access).await?;
    let mut connection = access.core.database.connection().await?;
    let reset = connection.transaction(async |connection| {
        let operator = operators::find(connection, id).await?.ok_or(Error::NotFound)?;
        operators::set_password(connection, id, &hash, SetBy::SomebodyElse).await?;
        record(&access.core, &by, connection, "operator.password_reset", id, json!({})).await?;
        Ok::<_, Error>(operator)
    });
    Ok((reset.await?, password))
}

fn is_admin(operator: &Operator) -> bool {
    operator.role == OperatorRole::Admin && operator.status == AccountStatus::Active
}

async fn record<P>(
    core: &Core,
    by: &By<P>,
    connection: &mut AsyncPgConnection,
    action: &str,
    operator: OperatorId,
    value: Value,
) -> Result<()> {
    let actor = (by.operator(), String::new());
    note(core, connection, actor, action, operator, value).await
}

/// A password that nobody can guess.
pub fn random_password() -> SecretString {
    let bytes = random_bytes();
    let half = bytes.get(..16).unwrap_or_default();
    SecretString::from(URL_SAFE_NO_PAD.encode(half))
}

async fn new_password(access: &Access) -> Result<(SecretString, String)> {
    let password = random_password();
    let hash = password::hash(access, password.clone()).await?;
    Ok((password, hash))
}

fn check(new: &NewOperator) -> Faults {
    let mut faults = Faults::default();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let length = new.username.chars().count();
    if !(1..=LONGEST_USERNAME).contains(&length) || !new.username.chars().all(is_plain) {
        let reason = "must be 1 to 64 letters, digits, dots, hyphens or underscores";
        faults.add("username", reason);
    }
    let length = new.name.chars().count();
    if new.name.trim().is_empty() || length > LONGEST_NAME {
        faults.add("name", "must be between 1 and 100 characters");
    }
    faults
}
