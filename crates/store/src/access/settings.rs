//! The settings of agencies, as texts; what a key means is for the operations to say.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use diesel::{ExpressionMethods, OptionalExtension, QueryDsl, Queryable, Selectable, SelectableHelper};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;
use wayfare_domain::{OrganizationId, SettingId};

use crate::{StoreError, schema::settings, statements::kept_sql::one_of};

/// The key of the amount under which what a wallet may spend is low: the agency is told.
pub const LOW_BALANCE_ALERT: &str = "low_balance_alert";

#[derive(Clone, Debug)]
pub struct Setting {
    /// Its id, which stays when the value changes.
    pub id: SettingId,
    pub organization: OrganizationId,
    pub key: String,
    /// As it is kept: a secret is a hash here.
    pub value: String,
    /// When it was first set, UTC.
    pub created_at: DateTime<Utc>,
    /// When it was last set, UTC.
    pub updated_at: DateTime<Utc>,
}

#[derive(Queryable, Selectable, diesel::Insertable)]
#[diesel(table_name = settings, check_for_backend(diesel::pg::Pg))]
struct Row {
    org_id: Uuid,
    id: Uuid,
    key: String,
    value: String,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

impl From<Row> for Setting {
    fn from(row: Row) -> Self {
        Self {
            id: SettingId::from_uuid(row.id),
            organization: OrganizationId::from_uuid(row.org_id),
            key: row.key,
            value: row.value,
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}

/// All settings of the agency, by key.
#[boxed]
pub async fn all(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
) -> Result<Vec<Setting>, StoreError> {
    let rows: Vec<Row> = settings::table
        .filter(settings::org_id.eq(organization.uuid()))
        .order(settings::key)
        .select(Row::as_select())
        .load(connection)
        .await?;
    Ok(rows.into_iter().map(Setting::from).collect())
}

#[boxed]
pub async fn value(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    key: &str,
) -> Result<Option<String>, StoreError> {
    let value = settings::table
        .filter(settings::org_id.eq(organization.uuid()))
        .filter(settings::key.eq(key))
        .select(settings::value)
        .first(connection)
        .await
        .optional()?;
    Ok(value)
}

/// The values of these keys, as far as they are set, in one statement.
#[boxed]
pub async fn values(
    mut connection: &AsyncPgConnection,
    organization: OrganizationId,
    keys: &[&str],
) -> Result<HashMap<String, String>, StoreError> {
    let values: Vec<(String, String)> = settings::table
        .filter(settings::org_id.eq(organization.uuid()))
        .filter(one_of("settings.key", keys))
        .select((settings::key, settings::value))
        .load(&mut connection)
        .await?;
    Ok(values.into_iter().collect())
}

/// Puts a value in the place of another, where that still stands.
#[boxed]
pub async fn replace(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    key: &str,
    (before, after): (&str, &str),
) -> Result<(), StoreError> {
    let known = settings::table
        .filter(settings::org_id.eq(organization.uuid()))
        .filter(settings::key.eq(key))
        .filter(settings::value.eq(before));
    diesel::update(known).set(settings::value.eq(after)).execute(connection).await?;
    Ok(())
}

/// Sets it; one that the agency has already keeps its id and its first time.
#[boxed]
pub async fn put(connection: &mut AsyncPgConnection, setting: &Setting) -> Result<(), StoreError> {
    let row = Row {
        org_id: setting.organization.uuid(),
        id: setting.id.uuid(),
        key: setting.key.clone(),
        value: setting.value.clone(),
        created_at: setting.created_at,
        updated_at: setting.updated_at,
    };
    diesel::insert_into(settings::table)
        .values(row)
        .on_conflict((settings::org_id, settings::key))
        .do_update()
        .set((settings::value.eq(&setting.value), settings::updated_at.eq(setting.updated_at)))
        .execute(connection)
        .await?;
    Ok(())
}
