//! The fare ledger: one row when a booking is confirmed, one negative row when it is refunded.

use chrono::{DateTime, Utc};
use diesel::ExpressionMethods;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use wayfare_domain::{BookingId, BookingRef, FareTransactionId, Money, OrganizationId, ProductKind, UserId};

use crate::{StoreError, schema::fare_transactions};

/// One row; amounts in the wallet's currency, negative on a refund (decisions, details 24 and 84).
#[derive(Clone, Debug)]
pub struct FareTransaction {
    /// Its id.
    pub id: FareTransactionId,
    /// The agency.
    pub organization: OrganizationId,
    /// The booking.
    pub booking: BookingId,
    /// Its reference.
    pub reference: BookingRef,
    /// What was bought.
    pub product: ProductKind,
    /// The record locator.
    pub pnr: String,
    /// The supplier's code.
    pub provider: String,
    /// Who booked.
    pub user: UserId,
    /// Their name then.
    pub user_name: String,
    /// What the travellers' bill says.
    pub public_fare: Money,
    /// What the wallet paid or got back.
    pub agent_fare: Money,
    /// What the agency earned or lost again.
    pub agent_commission: Money,
    /// What the package added or took.
    pub markup: Money,
    /// When, UTC.
    pub issued_at: DateTime<Utc>,
}

/// Writes a row.
///
/// # Errors
/// When the database can't be asked.
pub async fn insert(connection: &mut AsyncPgConnection, row: &FareTransaction) -> Result<(), StoreError> {
    diesel::insert_into(fare_transactions::table)
        .values((
            fare_transactions::org_id.eq(row.organization.uuid()),
            fare_transactions::id.eq(row.id.uuid()),
            fare_transactions::booking_id.eq(row.booking.uuid()),
            fare_transactions::booking_ref.eq(row.reference.as_ref()),
            fare_transactions::product.eq(row.product.as_ref()),
            fare_transactions::pnr.eq(&row.pnr),
            fare_transactions::provider.eq(&row.provider),
            fare_transactions::user_id.eq(row.user.uuid()),
            fare_transactions::user_name.eq(&row.user_name),
            fare_transactions::currency.eq(row.agent_fare.currency().code()),
            fare_transactions::public_fare.eq(row.public_fare.amount()),
            fare_transactions::agent_fare.eq(row.agent_fare.amount()),
            fare_transactions::agent_commission.eq(row.agent_commission.amount()),
            fare_transactions::markup.eq(row.markup.amount()),
            fare_transactions::issued_at.eq(row.issued_at),
        ))
        .execute(connection)
        .await?;
    Ok(())
}
