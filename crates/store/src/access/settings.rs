//! The settings of agencies, as texts; what a key means is for the operations to say.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use diesel::{ExpressionMethods, OptionalExtension, QueryDsl, SelectableHelper};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use wayfare_domain::{OrganizationId, SettingId};

use crate::{
    Result,
    schema::settings,
    statements::{Write as _, kept_sql::one_of, stored},
};

/// The key of the amount under which what a wallet may spend is low: the agency is told.
pub const LOW_BALANCE_ALERT: &str = "low_balance_alert";

stored! {
    #[derive(Clone, Debug)]
    pub struct Setting of settings {
        /// Its id, which stays when the value changes.
        pub id: SettingId,
        pub organization: OrganizationId = org_id,
        pub key: String,
        /// As it is kept: a secret is a hash here.
        pub value: String,
        /// When it was first set, UTC.
        pub created_at: DateTime<Utc>,
        /// When it was last set, UTC.
        pub updated_at: DateTime<Utc>,
    }
}

/// All settings of the agency, by key.
#[boxed]
pub async fn all(connection: &mut AsyncPgConnection, organization: OrganizationId) -> Result<Vec<Setting>> {
    Ok(settings::table
        .filter(settings::org_id.eq(organization.uuid()))
        .order(settings::key)
        .select(Setting::as_select())
        .load(connection)
        .await?)
}

#[boxed]
pub async fn value(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    key: &str,
) -> Result<Option<String>> {
    Ok(settings::table
        .filter(settings::org_id.eq(organization.uuid()))
        .filter(settings::key.eq(key))
        .select(settings::value)
        .first(connection)
        .await
        .optional()?)
}

/// The values of these keys, as far as they are set, in one statement.
#[boxed]
pub async fn values(
    mut connection: &AsyncPgConnection,
    organization: OrganizationId,
    keys: &[&str],
) -> Result<HashMap<String, String>> {
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
) -> Result<()> {
    let known = settings::table
        .filter(settings::org_id.eq(organization.uuid()))
        .filter(settings::key.eq(key))
        .filter(settings::value.eq(before));
    diesel::update(known).set(settings::value.eq(after)).write(connection).await
}

/// Sets it; one that the agency has already keeps its id and its first time.
#[boxed]
pub async fn put(connection: &mut AsyncPgConnection, setting: &Setting) -> Result<()> {
    diesel::insert_into(settings::table)
        .values((
            settings::org_id.eq(setting.organization.uuid()),
            settings::id.eq(setting.id.uuid()),
            settings::key.eq(&setting.key),
            settings::value.eq(&setting.value),
            settings::created_at.eq(setting.created_at),
            settings::updated_at.eq(setting.updated_at),
        ))
        .on_conflict((settings::org_id, settings::key))
        .do_update()
        .set((settings::value.eq(&setting.value), settings::updated_at.eq(setting.updated_at)))
        .write(connection)
        .await
}
