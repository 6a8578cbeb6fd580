//! Who has which package: the agency one of each product, and each of its agents one of their own.

use chrono::{DateTime, Utc};
use diesel::{
    BoolExpressionMethods, ExpressionMethods, Insertable, JoinOnDsl, OptionalExtension, PgExpressionMethods,
    QueryDsl, Queryable, Selectable, SelectableHelper, pg::Pg,
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use serde_json::Value;
use uuid::Uuid;
use wayfare_domain::{AssignmentId, OrganizationId, PackageId, ProductKind, UserId};
use wayfare_pricing::Level;

use crate::{
    StoreError,
    error::word,
    pricing::packages::{Bands, Package, Row as PackageRow},
    schema::{package_assignments, packages},
};

/// That an agency, or one of its agents, has a package.
#[derive(Clone, Debug)]
pub struct Assignment {
    pub id: AssignmentId,
    pub organization: OrganizationId,
    pub product: ProductKind,
    pub package: PackageId,
    pub agent: Option<UserId>,
    pub assigned_by: UserId,
    pub assigned_at: DateTime<Utc>,
}

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = package_assignments, check_for_backend(Pg))]
struct Row {
    org_id: Uuid,
    id: Uuid,
    product: String,
    package_id: Uuid,
    agent_id: Option<Uuid>,
    assigned_by: Uuid,
    assigned_at: DateTime<Utc>,
}

impl From<&Assignment> for Row {
    fn from(assignment: &Assignment) -> Self {
        Self {
            org_id: assignment.organization.uuid(),
            id: assignment.id.uuid(),
            product: assignment.product.as_ref().to_owned(),
            package_id: assignment.package.uuid(),
            agent_id: assignment.agent.map(UserId::uuid),
            assigned_by: assignment.assigned_by.uuid(),
            assigned_at: assignment.assigned_at,
        }
    }
}

impl TryFrom<Row> for Assignment {
    type Error = StoreError;
    fn try_from(row: Row) -> Result<Self, StoreError> {
        Ok(Self {
            id: AssignmentId::from_uuid(row.id),
            organization: OrganizationId::from_uuid(row.org_id),
            product: word("package_assignments.product", &row.product)?,
            package: PackageId::from_uuid(row.package_id),
            agent: row.agent_id.map(UserId::from_uuid),
            assigned_by: UserId::from_uuid(row.assigned_by),
            assigned_at: row.assigned_at,
        })
    }
}

/// The package that counts for this user: their own if one is assigned to them and active, else the agency's if that
/// is active, else none (P-99). One statement. Without a user, or for one who has none of their own (an
/// admin), it is the agency's.
#[boxed]
pub async fn applied(
    mut connection: &AsyncPgConnection,
    organization: OrganizationId,
    user: Option<UserId>,
    product: ProductKind,
) -> Result<Option<wayfare_pricing::Package>, StoreError> {
    let whose = package_assignments::agent_id;
    let found: Option<(PackageRow, Value, Option<Uuid>)> = packages::table
        .inner_join(package_assignments::table.on(of_package()))
        .filter(package_assignments::org_id.eq(organization.uuid()))
        .filter(package_assignments::product.eq(product.as_ref()))
        .filter(whose.is_null().or(whose.eq(user.map(UserId::uuid))))
        .filter(packages::is_active)
        // Nulls come last.
        .order(whose)
        .select((PackageRow::as_select(), Bands, whose))
        .first(&mut connection)
        .await
        .optional()?;
    let Some((row, bands, agent)) = found else {
        return Ok(None);
    };
    let package = row.with(bands)?;
    Ok(Some(wayfare_pricing::Package {
        id: package.id,
        name: package.name,
        level: match agent {
            Some(_) => Level::Agent,
            None => Level::Agency,
        },
        markup: package.markup,
        price_ranges: package.price_ranges.into_iter().map(|(_, range)| range).collect(),
    }))
}

/// The package that is assigned to this agent, or to the agency where none is named, active or not.
#[boxed]
pub async fn assigned(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    product: ProductKind,
    agent: Option<UserId>,
) -> Result<Option<Package>, StoreError> {
    let found: Option<(PackageRow, Value)> = packages::table
        .inner_join(package_assignments::table.on(of_package()))
        .filter(package_assignments::org_id.eq(organization.uuid()))
        .filter(package_assignments::product.eq(product.as_ref()))
        .filter(package_assignments::agent_id.is_not_distinct_from(agent.map(UserId::uuid)))
        .select((PackageRow::as_select(), Bands))
        .first(connection)
        .await
        .optional()?;
    found.map(|(row, bands)| row.with(bands)).transpose()
}

/// What is assigned to the agency's agents, newest first, with the packages.
#[boxed]
pub async fn of_agents(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    product: ProductKind,
) -> Result<Vec<(Assignment, Package)>, StoreError> {
    let rows: Vec<(Row, PackageRow, Value)> = packages::table
        .inner_join(package_assignments::table.on(of_package()))
        .filter(package_assignments::org_id.eq(organization.uuid()))
        .filter(package_assignments::product.eq(product.as_ref()))
        .filter(package_assignments::agent_id.is_not_null())
        .order(package_assignments::id.desc())
        .select((Row::as_select(), PackageRow::as_select(), Bands))
        .load(connection)
        .await?;
    rows.into_iter()
        .map(|(assignment, package, bands)| Ok((assignment.try_into()?, package.with(bands)?)))
        .collect()
}

#[diesel::dsl::auto_type(no_type_alias)]
fn of_package() -> _ {
    package_assignments::org_id.eq(packages::org_id).and(package_assignments::package_id.eq(packages::id))
}

/// Writes an assignment.
///
/// # Errors
/// A unique violation (`package_of_agency`, `package_of_agent`) while there is another.
#[boxed]
pub async fn insert(connection: &mut AsyncPgConnection, assignment: &Assignment) -> Result<(), StoreError> {
    diesel::insert_into(package_assignments::table).values(Row::from(assignment)).execute(connection).await?;
    Ok(())
}

/// Ends what is assigned to this agent, or to the agency where none is named; the package, if there was one.
#[boxed]
pub async fn remove(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    product: ProductKind,
    agent: Option<UserId>,
) -> Result<Option<PackageId>, StoreError> {
    let package: Option<Uuid> = diesel::delete(package_assignments::table)
        .filter(package_assignments::org_id.eq(organization.uuid()))
        .filter(package_assignments::product.eq(product.as_ref()))
        .filter(package_assignments::agent_id.is_not_distinct_from(agent.map(UserId::uuid)))
        .returning(package_assignments::package_id)
        .get_result(connection)
        .await
        .optional()?;
    Ok(package.map(PackageId::from_uuid))
}

/// Ends whatever is assigned to this agent.
#[boxed]
pub async fn remove_all_of(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    agent: UserId,
) -> Result<(), StoreError> {
    diesel::delete(package_assignments::table)
        .filter(package_assignments::org_id.eq(organization.uuid()))
        .filter(package_assignments::agent_id.eq(agent.uuid()))
        .execute(connection)
        .await?;
    Ok(())
}
