//! What suppliers have posted to us. A hook makes an order due, or a step whose outcome is not known; it changes nothing else.

use chrono::{DateTime, TimeDelta, Utc};
use diesel_async::{AsyncPgConnection, RunQueryDsl};

use crate::{
    Result,
    statements::{Columns, by_name, statement},
};

/// How many steps one hook makes due at most.
const MOST_STEPS: i64 = 20;

#[derive(Clone, Copy, Debug)]
pub struct NewHook<'a> {
    pub supplier: &'a str,
    pub event_id: &'a str,
    /// What has happened, in the supplier's word.
    pub kind: &'a str,
    pub order_id: Option<&'a str>,
    /// Whether it tells how the making of an order has ended.
    pub ends_making: bool,
}

by_name! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Rung {
        /// Whether it had not come before.
        pub is_new: bool,
        pub orders: i64,
        pub steps: i64,
    }
}

/// Stores a hook and makes its order due now, whichever agency's it is. One that tells how the making of an order has ended
/// makes those steps at its supplier due that wait longer than anybody's lease lasts. One that came before changes nothing; one
/// of an order that nobody knows yet is taken up after `again_after`. One statement.
///
/// A poll that is under way at the order is followed by another, as with [`crate::booking::orders_to_poll::ring_for_news`].
#[boxed]
pub async fn ring(
    connection: &mut AsyncPgConnection,
    hook: NewHook<'_>,
    now: DateTime<Utc>,
    (again_after, lease): (TimeDelta, TimeDelta),
) -> Result<Rung> {
    Ok(statement(
        "with stored as (
             insert into supplier_hooks (supplier, event_id, kind, order_id, created_at, again_at, handled_at)
             select $1, $2, $3, $4, $6, case when known then null else $7 end, case when known then $6 end
             from (select $4 is null or exists (
                 select from supplier_orders where supplier = $1 and supplier_order_id = $4) as known) as k
             on conflict (supplier, event_id) do nothing
             returning 1
         ), rung as (
             update supplier_orders o set next_poll_at = $6 from stored
             where o.supplier = $1 and o.supplier_order_id = $4 and o.status in ('held', 'confirmed')
             returning 1
         ), waiting as (
             select e.org_id, e.id from effects e, stored
             where $5 and e.supplier = $1 and e.state = 'open' and e.problem is not null and e.due_at > $8
             order by e.due_at limit $9 for update of e skip locked
         ), due as (
             update effects e set due_at = $6 from waiting w where (e.org_id, e.id) = (w.org_id, w.id)
             returning 1
         )
         select exists (select from stored) as is_new, (select count(*) from rung) as orders,
             (select count(*) from due) as steps",
        (
            hook.supplier,
            hook.event_id,
            hook.kind,
            hook.order_id,
            hook.ends_making,
            now,
            now + again_after,
            now + lease,
            MOST_STEPS,
        ),
    )
    .get_result(connection)
    .await?)
}

/// Takes up hooks of orders that nobody knew: those that are known by now are due. One that is still of none is taken up once
/// more, so long after it came. How many orders are due. One statement.
#[boxed]
pub async fn ring_again(
    connection: &mut AsyncPgConnection,
    now: DateTime<Utc>,
    last_after: TimeDelta,
) -> Result<i64> {
    let Columns(rung) = statement(
        "with taken as materialized (
             select h.supplier, h.event_id, h.order_id, h.created_at + $2 * interval '1 second' as last_at,
                 exists (select from supplier_orders o
                     where o.supplier = h.supplier and o.supplier_order_id = h.order_id) as known
             from supplier_hooks h where h.again_at <= $1 order by h.again_at limit 1000 for update skip locked
         ), noted as (
             update supplier_hooks h set handled_at = case when t.known then $1 end,
                 again_at = case when t.known or t.last_at <= $1 then null else t.last_at end
             from taken t where (h.supplier, h.event_id) = (t.supplier, t.event_id)
             returning 1
         ), rung as (
             update supplier_orders o set next_poll_at = $1
             from (select distinct supplier, order_id from taken where known) as t
             where o.supplier = t.supplier and o.supplier_order_id = t.order_id and o.status in ('held', 'confirmed')
             returning 1
         )
         select (select count(*) from rung) as orders from (select count(*) from noted) as n",
        (now, last_after.num_seconds()),
    )
    .get_result(connection)
    .await?;
    Ok(rung)
}

by_name! {
    /// When a supplier has last told us of something, and when its list has last shown something new.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct LastNews {
        /// By a hook, UTC.
        pub hook_at: Option<DateTime<Utc>>,
        /// In its list, UTC.
        pub list_at: Option<DateTime<Utc>>,
    }
}

/// When this supplier has last told us of something.
#[boxed]
pub async fn last_news(connection: &mut AsyncPgConnection, supplier: &str) -> Result<LastNews> {
    Ok(statement(
        "select (select max(created_at) from supplier_hooks where supplier = $1) as hook_at,
             (select news_at from supplier_sweeps where supplier = $1) as list_at",
        supplier,
    )
    .get_result(connection)
    .await?)
}
