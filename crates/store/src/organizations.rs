//! Agencies.

use chrono::{DateTime, Utc};
use diesel::{ExpressionMethods, OptionalExtension, QueryDsl, Queryable, Selectable, SelectableHelper};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;
use wayfare_domain::{AgencyCode, Organization, OrganizationId};

use crate::{
    StoreError,
    error::{currency, word},
    schema::organizations::{self, table},
};

#[derive(Queryable, Selectable, diesel::Insertable)]
#[diesel(table_name = organizations, check_for_backend(diesel::pg::Pg))]
pub(crate) struct Row {
    id: Uuid,
    agent_id: String,
    name: String,
    slug: String,
    email: String,
    phone: String,
    address: String,
    country: String,
    subscription_type: String,
    status: String,
    ip_whitelist_enabled: bool,
    currency: String,
    timezone: String,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

impl TryFrom<Row> for Organization {
    type Error = StoreError;
    fn try_from(row: Row) -> Result<Self, StoreError> {
        Ok(Self {
            id: OrganizationId::from_uuid(row.id),
            code: AgencyCode::from(row.agent_id),
            name: row.name,
            slug: row.slug,
            email: row.email,
            phone: row.phone,
            address: row.address,
            country: row.country,
            tier: word("organizations.subscription_type", &row.subscription_type)?,
            standing: word("organizations.status", &row.status)?,
            ip_whitelist_enabled: row.ip_whitelist_enabled,
            currency: currency(&row.currency)?,
            time_zone: word("organizations.timezone", &row.timezone)?,
            created_at: row.created_at,
        })
    }
}

/// Writes a new agency.
///
/// # Errors
/// A unique violation when its code or slug is taken.
pub async fn insert(connection: &mut AsyncPgConnection, agency: &Organization) -> Result<(), StoreError> {
    let row = Row {
        id: agency.id.uuid(),
        agent_id: agency.code.to_string(),
        name: agency.name.clone(),
        slug: agency.slug.clone(),
        email: agency.email.clone(),
        phone: agency.phone.clone(),
        address: agency.address.clone(),
        country: agency.country.clone(),
        subscription_type: agency.tier.as_ref().to_owned(),
        status: agency.standing.as_ref().to_owned(),
        ip_whitelist_enabled: agency.ip_whitelist_enabled,
        currency: agency.currency.code().to_owned(),
        timezone: agency.time_zone.name().to_owned(),
        created_at: agency.created_at,
        updated_at: agency.created_at,
    };
    diesel::insert_into(table).values(row).execute(connection).await?;
    Ok(())
}

/// The agency with this public code.
///
/// # Errors
/// When the database can't be asked.
pub async fn by_code(
    connection: &mut AsyncPgConnection,
    code: &AgencyCode,
) -> Result<Option<Organization>, StoreError> {
    let row = table
        .filter(organizations::agent_id.eq(code.as_ref()))
        .select(Row::as_select())
        .first(connection)
        .await
        .optional()?;
    row.map(Organization::try_from).transpose()
}

/// The number of the agency's next user, counted up in the database.
///
/// # Errors
/// When the agency doesn't exist or the database can't be asked.
pub async fn next_user_number(
    connection: &mut AsyncPgConnection,
    id: OrganizationId,
) -> Result<i32, StoreError> {
    let number = diesel::update(table.find(id.uuid()))
        .set(organizations::user_counter.eq(organizations::user_counter + 1))
        .returning(organizations::user_counter)
        .get_result(connection)
        .await?;
    Ok(number)
}

/// Locks the agency until the transaction ends: what must hold over all its users changes one after the other.
/// Bookings don't wait for it.
///
/// # Errors
/// When the agency doesn't exist or the database can't be asked.
pub async fn lock(connection: &mut AsyncPgConnection, id: OrganizationId) -> Result<(), StoreError> {
    table
        .find(id.uuid())
        .select(organizations::id)
        .for_no_key_update()
        .first::<Uuid>(connection)
        .await?;
    Ok(())
}
