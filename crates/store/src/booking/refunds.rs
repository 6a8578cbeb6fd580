//! Money on its way back to wallets.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use diesel::{
    BoolExpressionMethods, ExpressionMethods, JoinOnDsl, PgExpressionMethods, QueryDsl, SelectableHelper,
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use wayfare_domain::{
    BookingId, BookingRef, BookingStatus, CancelledPart, Money, OrganizationId, Page, PageRequest,
    ProductKind, RefundId, RefundStatus, Scope, WalletId,
};

use crate::{
    JsonText, Result, StoreError,
    booking::steps::Step,
    error::{corrupt_json, word},
    schema::{bookings, refunds},
    statements::{Write as _, row_value_in::pairs_in, stored},
};

stored! {
    /// One refund and its four amounts, in the wallet's currency (P-10).
    #[derive(Clone, Debug)]
    pub struct Refund of refunds {
        pub id: RefundId,
        pub organization: OrganizationId = org_id,
        pub booking: BookingId = booking_id,
        /// The number of the supplier order that was.
        pub number: u16,
        /// The wallet that paid, to which it returns.
        pub wallet: WalletId = wallet_id,
        pub status: RefundStatus,
        pub provider_refund_id: Option<String>,
        /// When it was asked for, UTC.
        pub requested_at: DateTime<Utc>,
        /// When it was in the wallet, UTC.
        pub refunded_at: Option<DateTime<Utc>>,
        /// Of which part of the order it is; none of one that is of the order as it was sold.
        pub part: Option<CancelledPart> = part as |part: Option<JsonText>| part.map(|part| part.read("refunds.part")).transpose()?,
    } in currency {
        pub cancellation_charge: Money,
        pub provider_refund_amount: Money,
        pub platform_charges: Money,
        pub refund_to_wallet: Money,
    }
}

impl Refund {
    pub fn is_under_way(&self) -> bool {
        matches!(self.status, RefundStatus::Pending | RefundStatus::Processing)
    }

    /// Whether nothing of its order stands when it has come back.
    pub fn ends_order(&self) -> bool {
        self.part.as_ref().is_none_or(|cancelled| cancelled.is_last)
    }
}

/// Writes a new refund, or over the order's that is under way: it was quoted anew. The booking is locked by the caller.
///
/// # Errors
/// [`StoreError::Overtaken`] when nothing of the order is left to be given back.
#[boxed]
pub async fn put(connection: &mut AsyncPgConnection, refund: &Refund) -> Result<()> {
    let of_order = of_order(connection, refund).await?;
    if of_order.iter().any(|known| known.status == RefundStatus::Refunded && known.ends_order()) {
        return Err(StoreError::Overtaken);
    }
    let part = refund.part.as_ref().map(JsonText::of).transpose();
    let part = part.map_err(corrupt_json("refunds.part"))?;
    let amounts = (
        refunds::status.eq(refund.status.as_ref()),
        refunds::cancellation_charge.eq(refund.cancellation_charge.amount()),
        refunds::provider_refund_amount.eq(refund.provider_refund_amount.amount()),
        refunds::platform_charges.eq(refund.platform_charges.amount()),
        refunds::refund_to_wallet.eq(refund.refund_to_wallet.amount()),
        refunds::provider_refund_id.eq(&refund.provider_refund_id),
        refunds::refunded_at.eq(refund.refunded_at),
        refunds::part.eq(part),
    );
    if let Some(under_way) = of_order.iter().find(|known| known.is_under_way()) {
        diesel::update(refunds::table.find((under_way.organization.uuid(), under_way.id.uuid())))
            .set(amounts)
            .execute(connection)
            .await?;
        return Ok(());
    }
    diesel::insert_into(refunds::table)
        .values((
            refunds::org_id.eq(refund.organization.uuid()),
            refunds::id.eq(refund.id.uuid()),
            refunds::booking_id.eq(refund.booking.uuid()),
            refunds::number.eq(i16::try_from(refund.number).unwrap_or(i16::MAX)),
            refunds::wallet_id.eq(refund.wallet.uuid()),
            refunds::currency.eq(refund.refund_to_wallet.currency().code()),
            refunds::requested_at.eq(refund.requested_at),
            amounts,
        ))
        .write(connection)
        .await
}

/// The refunds of the same order that are under way or done.
async fn of_order(connection: &mut AsyncPgConnection, refund: &Refund) -> Result<Vec<Refund>> {
    let all = of(connection, refund.organization, refund.booking).await?;
    let of_order = all.into_iter().filter(|known| known.number == refund.number);
    Ok(of_order.collect())
}

/// The supplier knows the order's refund, which is under way, by this id.
#[boxed]
pub async fn named(
    connection: &mut AsyncPgConnection,
    step: &Step,
    provider_refund_id: Option<&str>,
) -> Result<()> {
    let under_way = refunds::table
        .filter(refunds::org_id.eq(step.organization.uuid()))
        .filter(refunds::booking_id.eq(step.booking.uuid()))
        .filter(refunds::number.eq(i16::try_from(step.number).unwrap_or(i16::MAX)))
        .filter(refunds::status.eq_any(
            [RefundStatus::Pending, RefundStatus::Processing].map(|status| status.as_ref().to_owned()),
        ));
    diesel::update(under_way).set(refunds::provider_refund_id.eq(provider_refund_id)).write(connection).await
}

/// The refunds of these bookings that are under way or done, in order of their orders' numbers, each order's oldest first.
#[boxed]
pub async fn of_all(
    mut connection: &AsyncPgConnection,
    of: &[(OrganizationId, BookingId)],
) -> Result<HashMap<BookingId, Vec<Refund>>> {
    if of.is_empty() {
        return Ok(HashMap::new());
    }
    let rows: Vec<Refund> = refunds::table
        .filter(pairs_in("refunds.org_id, refunds.booking_id", of))
        .filter(refunds::status.ne(RefundStatus::Failed.as_ref()))
        .select(Refund::as_select())
        .order((refunds::booking_id, refunds::number, refunds::id))
        .load(&mut connection)
        .await?;
    let mut found: HashMap<_, Vec<_>> = HashMap::new();
    for refund in rows {
        found.entry(refund.booking).or_default().push(refund);
    }
    Ok(found)
}

/// The booking's refunds that are under way or done, in order of its orders' numbers.
#[boxed]
pub async fn of(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    booking: BookingId,
) -> Result<Vec<Refund>> {
    Ok(of_all(connection, &[(organization, booking)]).await?.remove(&booking).unwrap_or_default())
}

/// The refunds of the booking's orders that are under way or done, in order of the orders' numbers; of an order that has none
/// of these, the last one that failed.
#[boxed]
pub async fn last_of(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    booking: BookingId,
) -> Result<Vec<Refund>> {
    let rows: Vec<Refund> = refunds::table
        .filter(refunds::org_id.eq(organization.uuid()))
        .filter(refunds::booking_id.eq(booking.uuid()))
        .order((refunds::number, refunds::id))
        .select(Refund::as_select())
        .load(connection)
        .await?;
    let mut last: Vec<Refund> = Vec::new();
    for refund in rows {
        match last.last_mut() {
            Some(known) if known.number == refund.number && known.status == RefundStatus::Failed => {
                *known = refund;
            }
            Some(known) if known.number == refund.number && refund.status == RefundStatus::Failed => {}
            _ => last.push(refund),
        }
    }
    Ok(last)
}

/// A refund with what lists tell of its booking.
#[derive(Clone, Debug)]
pub struct RefundRow {
    pub refund: Refund,
    pub booking_ref: BookingRef,
    /// Its first record locator.
    pub pnr: String,
    pub booking_status: BookingStatus,
    pub user_name: String,
    /// When all of it was cancelled, UTC.
    pub cancelled_at: Option<DateTime<Utc>>,
}

/// A page of the refunds in scope, in any state or in one, newest first: two statements.
#[boxed]
pub async fn list(
    connection: &mut AsyncPgConnection,
    scope: Scope,
    product: ProductKind,
    status: Option<RefundStatus>,
    request: PageRequest,
) -> Result<Page<RefundRow>> {
    let in_scope = || {
        let mut query = refunds::table
            .inner_join(
                bookings::table
                    .on(bookings::org_id.eq(refunds::org_id).and(bookings::id.eq(refunds::booking_id))),
            )
            .filter(refunds::org_id.eq(scope.organization().uuid()))
            // From refunds to bookings, not the other way round: no index of lists of bookings is entered by these.
            .filter(bookings::product.is_not_distinct_from(product.as_ref().to_owned()))
            .into_boxed();
        if let Some(user) = scope.user() {
            query = query.filter(bookings::user_id.is_not_distinct_from(user.uuid()));
        }
        if let Some(status) = status {
            // Said so that no partial index is entered by it.
            query = query.filter(refunds::status.is_not_distinct_from(status.as_ref().to_owned()));
        }
        query
    };
    type OfBooking = (String, String, String, String, Option<DateTime<Utc>>);
    let total = in_scope().count().get_result(connection).await?;
    let rows: Vec<(Refund, OfBooking)> = in_scope()
        .order(refunds::id.desc())
        .limit(request.per_page.into())
        .offset(request.offset())
        .select((
            Refund::as_select(),
            (
                bookings::booking_ref,
                bookings::pnr,
                bookings::status,
                bookings::user_name,
                bookings::cancelled_at,
            ),
        ))
        .load(connection)
        .await?;
    let row = |(refund, (booking_ref, pnr, status, user_name, cancelled_at)): (Refund, OfBooking)| {
        Ok(RefundRow {
            refund,
            booking_ref: BookingRef::from(booking_ref),
            pnr,
            booking_status: word("bookings.status", &status)?,
            user_name,
            cancelled_at,
        })
    };
    Ok(Page { items: rows.into_iter().map(row).collect::<Result<_>>()?, request, total })
}
