//! What suppliers leave to the platform by the operator's contracts with them, by agency.

use chrono::{DateTime, Utc};
use diesel::{ExpressionMethods, Insertable, JoinOnDsl, QueryDsl, Queryable, Selectable, SelectableHelper};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use rust_decimal::Decimal;
use wayfare_domain::{AgencyCode, Currency, OrganizationId};
use wayfare_pricing::Contract;

use crate::{
    Result, StoreError,
    error::{currency, word},
    schema::{contracts, organizations},
    statements::Write as _,
};

/// A contract in a list of many agencies'.
#[derive(Clone, Debug)]
pub struct ListedContract {
    pub agency: AgencyCode,
    /// The agency's currency, in which a flat amount is.
    pub currency: Currency,
    pub contract: Contract,
    /// When it was last set, UTC.
    pub updated_at: DateTime<Utc>,
}

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = contracts, check_for_backend(diesel::pg::Pg))]
struct Row {
    supplier: String,
    airline: String,
    cabin: String,
    commission_type: String,
    commission_value: Decimal,
}

impl From<&Contract> for Row {
    fn from(contract: &Contract) -> Self {
        let any = |narrowed: &Option<String>| narrowed.clone().unwrap_or_default();
        Self {
            supplier: contract.supplier.clone(),
            airline: any(&contract.airline),
            cabin: any(&contract.cabin),
            commission_type: contract.kind.as_ref().to_owned(),
            commission_value: contract.value,
        }
    }
}

impl TryFrom<Row> for Contract {
    type Error = StoreError;
    fn try_from(row: Row) -> Result<Self> {
        let narrowed = |column: String| (!column.is_empty()).then_some(column);
        Ok(Self {
            supplier: row.supplier,
            airline: narrowed(row.airline),
            cabin: narrowed(row.cabin),
            kind: word("contracts.commission_type", &row.commission_type)?,
            value: row.commission_value,
        })
    }
}

/// The agency's contracts, by supplier, airline and cabin; those of any come first. One statement.
#[boxed]
pub async fn of(mut connection: &AsyncPgConnection, organization: OrganizationId) -> Result<Vec<Contract>> {
    let rows: Vec<Row> = contracts::table
        .filter(contracts::org_id.eq(organization.uuid()))
        .order((contracts::supplier, contracts::airline, contracts::cabin))
        .select(Row::as_select())
        .load(&mut connection)
        .await?;
    rows.into_iter().map(Contract::try_from).collect()
}

/// The contracts for this agency, or for all of them, the oldest agency first.
#[boxed]
pub async fn listed(
    connection: &mut AsyncPgConnection,
    organization: Option<OrganizationId>,
) -> Result<Vec<ListedContract>> {
    let mut query = contracts::table
        .inner_join(organizations::table.on(organizations::id.eq(contracts::org_id)))
        .order((contracts::org_id, contracts::supplier, contracts::airline, contracts::cabin))
        .select((organizations::agent_id, organizations::currency, Row::as_select(), contracts::updated_at))
        .into_boxed();
    if let Some(organization) = organization {
        query = query.filter(contracts::org_id.eq(organization.uuid()));
    }
    let rows: Vec<(String, String, Row, DateTime<Utc>)> = query.load(connection).await?;
    rows.into_iter()
        .map(|(agency, code, row, updated_at)| {
            Ok(ListedContract {
                agency: AgencyCode::from(agency),
                currency: currency(&code)?,
                contract: row.try_into()?,
                updated_at,
            })
        })
        .collect()
}

/// Sets a contract; that of the same supplier, airline and cabin before it is over.
///
/// # Errors
/// When a constraint refuses what no contract can be.
#[boxed]
pub async fn put(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    contract: &Contract,
    at: DateTime<Utc>,
) -> Result<()> {
    let row = Row::from(contract);
    diesel::insert_into(contracts::table)
        .values((contracts::org_id.eq(organization.uuid()), &row, contracts::updated_at.eq(at)))
        .on_conflict((contracts::org_id, contracts::supplier, contracts::airline, contracts::cabin))
        .do_update()
        .set((
            contracts::commission_type.eq(&row.commission_type),
            contracts::commission_value.eq(row.commission_value),
            contracts::updated_at.eq(at),
        ))
        .write(connection)
        .await
}

/// Ends the contract of this one's supplier, airline and cabin.
#[boxed]
pub async fn remove(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    contract: &Contract,
) -> Result<()> {
    let Row { supplier, airline, cabin, .. } = contract.into();
    diesel::delete(contracts::table.find((organization.uuid(), supplier, airline, cabin)))
        .write(connection)
        .await
}
