//! Agencies.

use chrono::{DateTime, Utc};
use diesel::{
    BoolExpressionMethods, ExpressionMethods, OptionalExtension, QueryDsl, Queryable, Selectable,
    SelectableHelper, dsl::exists,
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use rust_decimal::Decimal;
use uuid::Uuid;
use wayfare_domain::{AccountStatus, AgencyCode, Network, Organization, OrganizationId};

use crate::{
    Result, StoreError,
    error::{currency, word},
    schema::{
        contracts,
        organizations::{self, table},
        packages, price_ranges, terms,
    },
    statements::Write as _,
};

#[derive(Clone, Queryable, Selectable, diesel::Insertable, diesel::AsChangeset)]
#[diesel(table_name = organizations, check_for_backend(diesel::pg::Pg), treat_none_as_null = true)]
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
    whitelist: Vec<String>,
    suppliers: Option<Vec<String>>,
}

impl Row {
    fn of(agency: &Organization, updated_at: DateTime<Utc>) -> Self {
        Self {
            id: agency.id.uuid(),
            agent_id: agency.code.to_string(),
            name: agency.name.clone(),
            slug: agency.slug.clone(),
            email: agency.email.clone(),
            phone: agency.phone.clone(),
            address: agency.address.clone(),
            country: agency.country.clone(),
            subscription_type: agency.tier.as_ref().to_owned(),
            status: agency.status.as_ref().to_owned(),
            ip_whitelist_enabled: agency.ip_whitelist_enabled,
            currency: agency.currency.code().to_owned(),
            timezone: agency.time_zone.name().to_owned(),
            created_at: agency.created_at,
            updated_at,
            whitelist: agency.whitelist.iter().map(Network::to_string).collect(),
            suppliers: agency.suppliers.clone(),
        }
    }
}

impl TryFrom<Row> for Organization {
    type Error = StoreError;
    fn try_from(row: Row) -> Result<Self> {
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
            status: word("organizations.status", &row.status)?,
            ip_whitelist_enabled: row.ip_whitelist_enabled,
            whitelist: row
                .whitelist
                .iter()
                .map(|network| word("organizations.whitelist", network))
                .collect::<Result<_, _>>()?,
            suppliers: row.suppliers,
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
#[boxed]
pub async fn insert(connection: &mut AsyncPgConnection, agency: &Organization) -> Result<()> {
    let row = Row::of(agency, agency.created_at);
    diesel::insert_into(table).values(row).write(connection).await
}

/// The agency with this public code.
#[boxed]
pub async fn by_code(connection: &mut AsyncPgConnection, code: &AgencyCode) -> Result<Option<Organization>> {
    // No database keeps a NUL, and none looks for one.
    if code.as_ref().contains('\0') {
        return Ok(None);
    }
    let row = table
        .filter(organizations::agent_id.eq(code.as_ref()))
        .select(Row::as_select())
        .first(connection)
        .await
        .optional()?;
    row.map(Organization::try_from).transpose()
}

#[boxed]
pub async fn is_active(connection: &mut AsyncPgConnection, id: OrganizationId) -> Result<bool> {
    let status: Option<String> =
        table.find(id.uuid()).select(organizations::status).first(connection).await.optional()?;
    Ok(status.as_deref() == Some(AccountStatus::Active.as_ref()))
}

/// The agency, locked until the transaction ends: nobody else changes it, its settings or its people meanwhile.
/// Bookings don't wait for it.
#[boxed]
pub async fn lock(connection: &mut AsyncPgConnection, id: OrganizationId) -> Result<Option<Organization>> {
    let row = table
        .find(id.uuid())
        .select(Row::as_select())
        .for_no_key_update()
        .first(connection)
        .await
        .optional()?;
    row.map(Organization::try_from).transpose()
}

/// Writes what a locked agency has become.
#[boxed]
pub async fn update(
    connection: &mut AsyncPgConnection,
    agency: &Organization,
    at: DateTime<Utc>,
) -> Result<()> {
    diesel::update(table.find(agency.id.uuid())).set(Row::of(agency, at)).write(connection).await
}

/// Where amounts of an agency's currency are stated for its prices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatedAmounts {
    pub terms: bool,
    pub contracts: bool,
    /// In flat packages, or in the price bands of any.
    pub packages: bool,
}

/// Where amounts of the agency's currency are stated for its prices; zero is none, and the same in every currency.
#[boxed]
pub async fn stated_amounts(connection: &mut AsyncPgConnection, id: OrganizationId) -> Result<StatedAmounts> {
    let id = id.uuid();
    let charged = terms::service_fee_type.eq("flat").and(terms::service_fee_value.gt(Decimal::ZERO));
    let in_terms = terms::table.filter(terms::org_id.eq(id)).filter(
        charged
            .or(terms::platform_charge.gt(Decimal::ZERO))
            .or(terms::min_commission.gt(Decimal::ZERO))
            .or(terms::max_commission.gt(Decimal::ZERO)),
    );
    let in_contracts = contracts::table
        .filter(contracts::org_id.eq(id))
        .filter(contracts::commission_type.eq("flat"))
        .filter(contracts::commission_value.gt(Decimal::ZERO));
    let in_packages = packages::table
        .filter(packages::org_id.eq(id))
        .filter(packages::markup_type.eq("flat"))
        .filter(packages::markup_value.gt(Decimal::ZERO));
    let in_bands = price_ranges::table.filter(price_ranges::org_id.eq(id));
    let (terms, contracts, packages) =
        diesel::select((exists(in_terms), exists(in_contracts), exists(in_packages).or(exists(in_bands))))
            .get_result(connection)
            .await?;
    Ok(StatedAmounts { terms, contracts, packages })
}

/// The number of the agency's next user, counted up in the database.
///
/// # Errors
/// When the agency doesn't exist or the database can't be asked.
#[boxed]
pub async fn next_user_number(connection: &mut AsyncPgConnection, id: OrganizationId) -> Result<i32> {
    Ok(diesel::update(table.find(id.uuid()))
        .set(organizations::user_counter.eq(organizations::user_counter + 1))
        .returning(organizations::user_counter)
        .get_result(connection)
        .await?)
}
