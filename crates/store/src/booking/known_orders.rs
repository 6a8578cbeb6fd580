//! What we know of suppliers' orders, for whoever compares it with what suppliers know.

use chrono::{DateTime, Utc};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use wayfare_domain::{BookingRef, OrderStatus};

use crate::{
    Result,
    statements::{by_name, statement},
};

by_name! {
    /// One order of ours at a supplier, whichever agency's.
    #[derive(Clone, Debug)]
    pub struct KnownOrder {
        pub booking: BookingRef = booking_ref,
        /// The reference that was sent with it.
        pub reference: String,
        /// The supplier's id of it, where we were told it.
        pub order_id: Option<String> = supplier_order_id,
        pub status: OrderStatus,
        /// Whether a step of its booking is under way: then its status may be about to change.
        pub is_under_way: bool,
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
) -> Result<Vec<KnownOrder>> {
    Ok(statement(
        "select b.booking_ref, o.reference, o.supplier_order_id, o.status, exists (
                 select from effects e where (e.booking_id, e.org_id) = (o.booking_id, o.org_id)
                     and e.state in ('planned', 'open')) as is_under_way
         from supplier_orders o join bookings b on (b.id, b.org_id) = (o.booking_id, o.org_id)
         where o.supplier = $1
             and (o.supplier_order_id = any ($2) or o.reference = any ($3) or b.created_at >= $4)
         order by b.created_at, o.reference",
        (supplier, order_ids, references, since),
    )
    .load(connection)
    .await?)
}
