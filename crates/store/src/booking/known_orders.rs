//! What we know of suppliers' orders, for whoever compares it with what suppliers know.

use chrono::{DateTime, Utc};
use diesel::{
    sql_query,
    sql_types::{Array, Bool, Nullable, Text, Timestamptz},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use wayfare_domain::{BookingRef, OrderStatus};

use crate::{StoreError, error::word, statements::by_name::by_name};

/// One order of ours at a supplier, whichever agency's.
#[derive(Clone, Debug)]
pub struct KnownOrder {
    pub booking: BookingRef,
    /// The reference that was sent with it.
    pub reference: String,
    /// The supplier's id of it, where we were told it.
    pub order_id: Option<String>,
    pub status: OrderStatus,
    /// Whether a step of its booking is under way: then its status may be about to change.
    pub is_under_way: bool,
}

by_name! {
    struct Row {
        booking_ref: String = Text,
        reference: String = Text,
        supplier_order_id: Option<String> = Nullable<Text>,
        status: String = Text,
        is_under_way: bool = Bool,
    }
}

/// Orders at this supplier of these ids or of these references of ours, and all that were booked since then. Over all agencies:
/// only the operator asks.
#[boxed]
pub async fn at_supplier(
    connection: &mut AsyncPgConnection,
    supplier: &str,
    (order_ids, references): (&[String], &[String]),
    since: DateTime<Utc>,
) -> Result<Vec<KnownOrder>, StoreError> {
    let rows: Vec<Row> = sql_query(
        "select b.booking_ref, o.reference, o.supplier_order_id, o.status, exists (
                 select from effects e where (e.booking_id, e.org_id) = (o.booking_id, o.org_id)
                     and e.state in ('planned', 'open')) as is_under_way
         from supplier_orders o join bookings b on (b.id, b.org_id) = (o.booking_id, o.org_id)
         where o.supplier = $1
             and (o.supplier_order_id = any ($2) or o.reference = any ($3) or b.created_at >= $4)
         order by b.created_at, o.reference",
    )
    .bind::<Text, _>(supplier)
    .bind::<Array<Text>, _>(order_ids)
    .bind::<Array<Text>, _>(references)
    .bind::<Timestamptz, _>(since)
    .load(connection)
    .await?;
    let known = |row: Row| {
        Ok(KnownOrder {
            booking: row.booking_ref.into(),
            reference: row.reference,
            order_id: row.supplier_order_id,
            status: word("supplier_orders.status", &row.status)?,
            is_under_way: row.is_under_way,
        })
    };
    rows.into_iter().map(known).collect()
}
