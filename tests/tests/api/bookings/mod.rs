//! What bookings of flights and of stays have in common: timelines, and lists with their filters and counts.

mod lists;
mod timeline;

/// The airline has changed the booking, as it is written when that is found.
pub(crate) async fn airline_changes(world: &wayfare_tests::World, reference: &str) {
    let change = format!(
        "insert into order_changes (org_id, booking_id, user_id, number, supplier_change_id, id, place, kind, before, after, state,
             actions, found_at)
         select org_id, id, user_id, 1, 'aic_1', gen_random_uuid(), 1, 'terminal', '[]', '[]', 'open', '[]', now()
         from bookings where booking_ref = '{reference}'"
    );
    world.sql(&change).await;
}
