//! What the operator set for agencies: service fee, GST, platform charge, bounds of the commission.

use chrono::{DateTime, Utc};
use diesel::{
    AsChangeset, ExpressionMethods, Insertable, OptionalExtension, QueryDsl, Queryable, Selectable,
    SelectableHelper,
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use rust_decimal::Decimal;
use wayfare_domain::{Currency, OrganizationId};
use wayfare_pricing::{Fee, MarkupKind, Terms};

use crate::{
    Result,
    error::{money, word},
    schema::terms,
    statements::Write as _,
};

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = terms, check_for_backend(diesel::pg::Pg))]
struct Row {
    service_fee_type: String,
    service_fee_value: Decimal,
    gst_percent: Decimal,
    platform_charge: Decimal,
    min_commission: Decimal,
    max_commission: Decimal,
}

impl From<&Terms> for Row {
    fn from(terms: &Terms) -> Self {
        let (service_fee_type, service_fee_value) = match terms.service_fee {
            Fee::Flat(fee) => (MarkupKind::Flat, fee.amount()),
            Fee::Percent(percent) => (MarkupKind::Percent, percent),
        };
        Self {
            service_fee_type: service_fee_type.as_ref().to_owned(),
            service_fee_value,
            gst_percent: terms.gst_percent,
            platform_charge: terms.platform_charge.amount(),
            min_commission: terms.min_commission.amount(),
            max_commission: terms.max_commission.amount(),
        }
    }
}

impl Row {
    fn read(self, currency: Currency) -> Result<Terms> {
        let service_fee = match word("terms.service_fee_type", &self.service_fee_type)? {
            MarkupKind::Percent => Fee::Percent(self.service_fee_value),
            MarkupKind::Flat => {
                Fee::Flat(money("terms.service_fee_value", self.service_fee_value, currency)?)
            }
        };
        Ok(Terms {
            service_fee,
            gst_percent: self.gst_percent,
            platform_charge: money("terms.platform_charge", self.platform_charge, currency)?,
            min_commission: money("terms.min_commission", self.min_commission, currency)?,
            max_commission: money("terms.max_commission", self.max_commission, currency)?,
        })
    }
}

/// The agency's terms, in its currency; [`Terms::none`] while none are set. One statement.
#[boxed]
pub async fn of(
    mut connection: &AsyncPgConnection,
    organization: OrganizationId,
    currency: Currency,
) -> Result<Terms> {
    let row: Option<Row> = terms::table
        .find(organization.uuid())
        .select(Row::as_select())
        .first(&mut connection)
        .await
        .optional()?;
    row.map_or_else(|| Ok(Terms::none(currency)), |row| row.read(currency))
}

/// Sets the agency's terms, those before are over.
///
/// # Errors
/// When a constraint refuses what no terms can be.
#[boxed]
pub async fn put(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    agreed: &Terms,
    at: DateTime<Utc>,
) -> Result<()> {
    let owner = terms::org_id.eq(organization.uuid());
    let updated_at = terms::updated_at.eq(at);
    diesel::insert_into(terms::table)
        .values((owner, Row::from(agreed), updated_at))
        .on_conflict(terms::org_id)
        .do_update()
        .set((Row::from(agreed), updated_at))
        .write(connection)
        .await
}
