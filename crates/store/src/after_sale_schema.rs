//! The tables of what happens after the sale, as `migrations/` makes them.

use diesel::table;

table! {
    order_changes (org_id, booking_id, number, supplier_change_id) {
        org_id -> Uuid,
        booking_id -> Uuid,
        user_id -> Uuid,
        number -> SmallInt,
        supplier_change_id -> Text,
        id -> Uuid,
        place -> SmallInt,
        kind -> Text,
        minutes -> Nullable<Integer>,
        before -> Jsonb,
        after -> Jsonb,
        state -> Text,
        actions -> Jsonb,
        decide_by -> Nullable<Timestamptz>,
        due_at -> Nullable<Timestamptz>,
        found_at -> Timestamptz,
        decided_at -> Nullable<Timestamptz>,
        decided_by -> Nullable<Uuid>,
        effect_id -> Nullable<Uuid>,
    }
}

table! {
    hold_reminders (org_id, booking_id, number) {
        org_id -> Uuid,
        booking_id -> Uuid,
        number -> SmallInt,
        kind -> Text,
        due_at -> Timestamptz,
        told_at -> Nullable<Timestamptz>,
    }
}
