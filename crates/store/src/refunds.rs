//! Money on its way back to wallets.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use diesel::{ExpressionMethods, QueryDsl};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use rust_decimal::Decimal;
use uuid::Uuid;
use wayfare_domain::{BookingId, Money, OrganizationId, RefundId, RefundStatus, WalletId};

use crate::{
    StoreError,
    among::among,
    error::{currency, money, word},
    schema::refunds,
};

/// One refund and its four amounts, in the wallet's currency (decisions, detail 10).
#[derive(Clone, Debug)]
pub struct Refund {
    /// Its id.
    pub id: RefundId,
    /// The agency.
    pub organization: OrganizationId,
    /// The booking that was given back.
    pub booking: BookingId,
    /// The wallet that paid, to which it returns.
    pub wallet: WalletId,
    /// Where it stands.
    pub status: RefundStatus,
    /// What the supplier keeps.
    pub cancellation_charge: Money,
    /// T less the charge.
    pub provider_refund_amount: Money,
    /// S + G + P.
    pub platform_charges: Money,
    /// What returns to the wallet.
    pub refund_to_wallet: Money,
    /// The supplier's id of it.
    pub provider_refund_id: Option<String>,
    /// When it was asked for, UTC.
    pub requested_at: DateTime<Utc>,
    /// When it was in the wallet, UTC.
    pub refunded_at: Option<DateTime<Utc>>,
}

/// Writes a new refund.
///
/// # Errors
/// A unique violation when the booking has one that has not failed.
pub async fn insert(connection: &mut AsyncPgConnection, refund: &Refund) -> Result<(), StoreError> {
    diesel::insert_into(refunds::table)
        .values((
            refunds::org_id.eq(refund.organization.uuid()),
            refunds::id.eq(refund.id.uuid()),
            refunds::booking_id.eq(refund.booking.uuid()),
            refunds::wallet_id.eq(refund.wallet.uuid()),
            refunds::status.eq(refund.status.as_ref()),
            refunds::currency.eq(refund.refund_to_wallet.currency().code()),
            refunds::cancellation_charge.eq(refund.cancellation_charge.amount()),
            refunds::provider_refund_amount.eq(refund.provider_refund_amount.amount()),
            refunds::platform_charges.eq(refund.platform_charges.amount()),
            refunds::refund_to_wallet.eq(refund.refund_to_wallet.amount()),
            refunds::provider_refund_id.eq(&refund.provider_refund_id),
            refunds::requested_at.eq(refund.requested_at),
            refunds::refunded_at.eq(refund.refunded_at),
        ))
        .execute(connection)
        .await?;
    Ok(())
}

type Row = (
    Uuid,
    Uuid,
    Uuid,
    Uuid,
    String,
    String,
    Decimal,
    Decimal,
    Decimal,
    Decimal,
    Option<String>,
    DateTime<Utc>,
    Option<DateTime<Utc>>,
);

fn read(row: Row) -> Result<Refund, StoreError> {
    let (organization, id, booking, wallet, status, code, ..) = &row;
    let unit = currency(code)?;
    let (.., charge, provider, platform, amount, provider_refund_id, requested_at, refunded_at) = &row;
    Ok(Refund {
        id: RefundId::from_uuid(*id),
        organization: OrganizationId::from_uuid(*organization),
        booking: BookingId::from_uuid(*booking),
        wallet: WalletId::from_uuid(*wallet),
        status: word("refunds.status", status)?,
        cancellation_charge: money("refunds.cancellation_charge", *charge, unit)?,
        provider_refund_amount: money("refunds.provider_refund_amount", *provider, unit)?,
        platform_charges: money("refunds.platform_charges", *platform, unit)?,
        refund_to_wallet: money("refunds.refund_to_wallet", *amount, unit)?,
        provider_refund_id: provider_refund_id.clone(),
        requested_at: *requested_at,
        refunded_at: *refunded_at,
    })
}

/// The refunds of these bookings that are under way or done.
///
/// # Errors
/// When the database can't be asked.
pub async fn of_all(
    mut connection: &AsyncPgConnection,
    of: &[(OrganizationId, BookingId)],
) -> Result<HashMap<BookingId, Refund>, StoreError> {
    if of.is_empty() {
        return Ok(HashMap::new());
    }
    let organizations: Vec<Uuid> = of.iter().map(|(organization, _)| organization.uuid()).collect();
    let bookings: Vec<Uuid> = of.iter().map(|(_, booking)| booking.uuid()).collect();
    let rows: Vec<Row> = refunds::table
        .filter(among::<diesel::sql_types::Uuid, _>(
            "refunds.org_id, refunds.booking_id",
            organizations,
            bookings,
        ))
        .filter(refunds::status.ne(RefundStatus::Failed.as_ref()))
        .select((
            refunds::org_id,
            refunds::id,
            refunds::booking_id,
            refunds::wallet_id,
            refunds::status,
            refunds::currency,
            refunds::cancellation_charge,
            refunds::provider_refund_amount,
            refunds::platform_charges,
            refunds::refund_to_wallet,
            refunds::provider_refund_id,
            refunds::requested_at,
            refunds::refunded_at,
        ))
        .load(&mut connection)
        .await?;
    rows.into_iter()
        .map(|row| read(row).map(|refund| (refund.booking, refund)))
        .collect()
}

/// The booking's refund, if one is under way or done.
///
/// # Errors
/// When the database can't be asked.
pub async fn of(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    booking: BookingId,
) -> Result<Option<Refund>, StoreError> {
    Ok(of_all(connection, &[(organization, booking)])
        .await?
        .remove(&booking))
}
