//! Who has which package: the agency one of each product, and each of its agents one of their own.

use chrono::{DateTime, Utc};
use diesel::{
    BoolExpressionMethods, ExpressionMethods, JoinOnDsl, OptionalExtension, PgExpressionMethods, QueryDsl,
    SelectableHelper,
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use serde_json::Value;
use uuid::Uuid;
use wayfare_domain::{AssignmentId, OrganizationId, PackageId, ProductKind, UserId};
use wayfare_pricing::Level;

use crate::{
    Result,
    pricing::packages::{Bands, Package, Row as PackageRow},
    schema::{package_assignments, packages},
    statements::{Write as _, stored},
};

stored! {
    /// That an agency, or one of its agents, has a package.
    #[derive(Clone, Debug)]
    pub struct Assignment of package_assignments {
        pub id: AssignmentId,
        pub organization: OrganizationId = org_id,
        pub product: ProductKind,
        pub package: PackageId = package_id,
        pub agent: Option<UserId> = agent_id,
        pub assigned_by: UserId,
        pub assigned_at: DateTime<Utc>,
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
) -> Result<Option<wayfare_pricing::Package>> {
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
    let Some((row, bands, agent)) = found else { return Ok(None) };
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
) -> Result<Option<Package>> {
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
) -> Result<Vec<(Assignment, Package)>> {
    let rows: Vec<(Assignment, PackageRow, Value)> = packages::table
        .inner_join(package_assignments::table.on(of_package()))
        .filter(package_assignments::org_id.eq(organization.uuid()))
        .filter(package_assignments::product.eq(product.as_ref()))
        .filter(package_assignments::agent_id.is_not_null())
        .order(package_assignments::id.desc())
        .select((Assignment::as_select(), PackageRow::as_select(), Bands))
        .load(connection)
        .await?;
    rows.into_iter().map(|(assignment, package, bands)| Ok((assignment, package.with(bands)?))).collect()
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
pub async fn insert(connection: &mut AsyncPgConnection, assignment: &Assignment) -> Result<()> {
    diesel::insert_into(package_assignments::table)
        .values((
            package_assignments::org_id.eq(assignment.organization.uuid()),
            package_assignments::id.eq(assignment.id.uuid()),
            package_assignments::product.eq(assignment.product.as_ref()),
            package_assignments::package_id.eq(assignment.package.uuid()),
            package_assignments::agent_id.eq(assignment.agent.map(UserId::uuid)),
            package_assignments::assigned_by.eq(assignment.assigned_by.uuid()),
            package_assignments::assigned_at.eq(assignment.assigned_at),
        ))
        .write(connection)
        .await
}

/// Ends what is assigned to this agent, or to the agency where none is named; the package, if there was one.
#[boxed]
pub async fn remove(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    product: ProductKind,
    agent: Option<UserId>,
) -> Result<Option<PackageId>> {
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
) -> Result<()> {
    diesel::delete(package_assignments::table)
        .filter(package_assignments::org_id.eq(organization.uuid()))
        .filter(package_assignments::agent_id.eq(agent.uuid()))
        .write(connection)
        .await
}
