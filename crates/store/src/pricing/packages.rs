//! The packages of agencies, flight and hotel, with the price bands of the latter.

use chrono::{DateTime, Utc};
use diesel::{
    AppearsOnTable, AsChangeset, BoolExpressionMethods, Expression, ExpressionMethods, Insertable, JoinOnDsl,
    NullableExpressionMethods, OptionalExtension, QueryDsl, QueryResult, Queryable, Selectable,
    SelectableExpression, SelectableHelper,
    expression::{ValidGrouping, is_aggregate},
    pg::Pg,
    query_builder::{AstPass, QueryFragment, QueryId},
    sql_types::Json,
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use rust_decimal::{Decimal, serde as exact};
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;
use wayfare_domain::{OrganizationId, PackageId, PriceRangeId, ProductKind, UserId};
use wayfare_pricing::{Markup, PriceRange};

use crate::{
    Result,
    error::{from_json, word},
    schema::{package_assignments, packages, price_ranges},
    statements::Write as _,
};

/// An agency's own rule of what is added to a price. Amounts are in the agency's currency.
#[derive(Clone, Debug)]
pub struct Package {
    pub id: PackageId,
    pub organization: OrganizationId,
    pub product: ProductKind,
    pub name: String,
    pub description: String,
    /// What counts outside of all bands.
    pub markup: Markup,
    /// For people, who order packages by it; it decides nothing.
    pub priority: i32,
    /// One that is not counts as none, assigned or not.
    pub is_active: bool,
    /// The bands of a hotel package by their order; none for flights.
    pub price_ranges: Vec<(PriceRangeId, PriceRange)>,
    pub created_by: UserId,
    /// When it was made, UTC.
    pub created_at: DateTime<Utc>,
    /// When it was last changed, UTC.
    pub updated_at: DateTime<Utc>,
}

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = packages, primary_key(org_id, id), check_for_backend(Pg))]
pub(crate) struct Row {
    org_id: Uuid,
    id: Uuid,
    product: String,
    name: String,
    description: String,
    markup_type: String,
    markup_value: Decimal,
    markup_apply_on: String,
    priority: i32,
    is_active: bool,
    created_by: Uuid,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

impl From<&Package> for Row {
    fn from(package: &Package) -> Self {
        Self {
            org_id: package.organization.uuid(),
            id: package.id.uuid(),
            product: package.product.as_ref().to_owned(),
            name: package.name.clone(),
            description: package.description.clone(),
            markup_type: package.markup.kind.as_ref().to_owned(),
            markup_value: package.markup.value,
            markup_apply_on: package.markup.apply_on.as_ref().to_owned(),
            priority: package.priority,
            is_active: package.is_active,
            created_by: package.created_by.uuid(),
            created_at: package.created_at,
            updated_at: package.updated_at,
        }
    }
}

impl Row {
    /// The package with its bands, as [`Bands`] gives them.
    pub(crate) fn with(self, bands: Value) -> Result<Package> {
        let bands: Vec<RangeRow> = from_json("price_ranges", bands)?;
        Ok(Package {
            id: PackageId::from_uuid(self.id),
            organization: OrganizationId::from_uuid(self.org_id),
            product: word("packages.product", &self.product)?,
            name: self.name,
            description: self.description,
            markup: Markup {
                kind: word("packages.markup_type", &self.markup_type)?,
                value: self.markup_value,
                apply_on: word("packages.markup_apply_on", &self.markup_apply_on)?,
            },
            priority: self.priority,
            is_active: self.is_active,
            price_ranges: bands.into_iter().map(RangeRow::read).collect::<Result<_, _>>()?,
            created_by: UserId::from_uuid(self.created_by),
            created_at: self.created_at,
            updated_at: self.updated_at,
        })
    }
}

#[derive(Insertable, Deserialize)]
#[diesel(table_name = price_ranges, check_for_backend(Pg))]
struct RangeRow {
    org_id: Uuid,
    id: Uuid,
    package_id: Uuid,
    #[serde(with = "exact::arbitrary_precision")]
    min_amount: Decimal,
    #[serde(with = "exact::arbitrary_precision_option")]
    max_amount: Option<Decimal>,
    markup_type: String,
    #[serde(with = "exact::arbitrary_precision")]
    markup_value: Decimal,
    sort_order: i32,
}

impl RangeRow {
    fn all_of(package: &Package) -> Vec<Self> {
        let row = |(id, range): &(PriceRangeId, PriceRange)| Self {
            org_id: package.organization.uuid(),
            id: id.uuid(),
            package_id: package.id.uuid(),
            min_amount: range.min_amount,
            max_amount: range.max_amount,
            markup_type: range.kind.as_ref().to_owned(),
            markup_value: range.value,
            sort_order: range.sort_order,
        };
        package.price_ranges.iter().map(row).collect()
    }

    fn read(self) -> Result<(PriceRangeId, PriceRange)> {
        let range = PriceRange {
            min_amount: self.min_amount,
            max_amount: self.max_amount,
            kind: word("price_ranges.markup_type", &self.markup_type)?,
            value: self.markup_value,
            sort_order: self.sort_order,
        };
        Ok((PriceRangeId::from_uuid(self.id), range))
    }
}

/// The bands of a statement's package, in their order, so that one statement reads packages whole.
#[derive(Clone, Copy, QueryId)]
pub(crate) struct Bands;

impl Expression for Bands {
    type SqlType = Json;
}

impl ValidGrouping<()> for Bands {
    type IsAggregate = is_aggregate::Never;
}

impl<From> AppearsOnTable<From> for Bands {}
impl<From> SelectableExpression<From> for Bands {}

impl QueryFragment<Pg> for Bands {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql(
            "(select coalesce(json_agg(r order by r.sort_order), '[]') from price_ranges r \
              where r.org_id = packages.org_id and r.package_id = packages.id)",
        );
        Ok(())
    }
}

/// Writes a new package with its bands: at most two statements.
///
/// # Errors
/// When a constraint refuses what no package can be.
#[boxed]
pub async fn insert(connection: &mut AsyncPgConnection, package: &Package) -> Result<()> {
    diesel::insert_into(packages::table).values(Row::from(package)).execute(connection).await?;
    insert_ranges(connection, package).await
}

/// Writes what a package has become; the bands before are gone.
///
/// # Errors
/// As [`insert`].
#[boxed]
pub async fn update(connection: &mut AsyncPgConnection, package: &Package) -> Result<()> {
    let key = (package.organization.uuid(), package.id.uuid());
    diesel::update(packages::table.find(key)).set(Row::from(package)).execute(connection).await?;
    diesel::delete(price_ranges::table)
        .filter(price_ranges::org_id.eq(package.organization.uuid()))
        .filter(price_ranges::package_id.eq(package.id.uuid()))
        .execute(connection)
        .await?;
    insert_ranges(connection, package).await
}

async fn insert_ranges(connection: &mut AsyncPgConnection, package: &Package) -> Result<()> {
    if !package.price_ranges.is_empty() {
        diesel::insert_into(price_ranges::table)
            .values(RangeRow::all_of(package))
            .execute(connection)
            .await?;
    }
    Ok(())
}

/// Deletes a package for good, with its bands and assignments.
#[boxed]
pub async fn delete(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    id: PackageId,
) -> Result<()> {
    diesel::delete(packages::table.find((organization.uuid(), id.uuid()))).write(connection).await
}

/// How many packages the agency has, of all products.
#[boxed]
pub async fn count(connection: &mut AsyncPgConnection, organization: OrganizationId) -> Result<i64> {
    Ok(packages::table
        .filter(packages::org_id.eq(organization.uuid()))
        .count()
        .get_result(connection)
        .await?)
}

/// The agency's package of this id, if it is one for this product.
#[boxed]
pub async fn by_id(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    product: ProductKind,
    id: PackageId,
) -> Result<Option<Package>> {
    let found: Option<(Row, Value)> = packages::table
        .find((organization.uuid(), id.uuid()))
        .filter(packages::product.eq(product.as_ref()))
        .select((Row::as_select(), Bands))
        .first(connection)
        .await
        .optional()?;
    found.map(|(row, bands)| row.with(bands)).transpose()
}

/// The agency's packages for this product, newest first, and whether each is assigned to the agency.
#[boxed]
pub async fn list(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    product: ProductKind,
) -> Result<Vec<(Package, bool)>> {
    let to_agency = package_assignments::org_id
        .eq(packages::org_id)
        .and(package_assignments::package_id.eq(packages::id))
        .and(package_assignments::agent_id.is_null());
    let rows: Vec<(Row, Value, Option<Uuid>)> = packages::table
        .left_join(package_assignments::table.on(to_agency))
        .filter(packages::org_id.eq(organization.uuid()))
        .filter(packages::product.eq(product.as_ref()))
        .order(packages::id.desc())
        .select((Row::as_select(), Bands, package_assignments::id.nullable()))
        .load(connection)
        .await?;
    rows.into_iter().map(|(row, bands, assignment)| Ok((row.with(bands)?, assignment.is_some()))).collect()
}
