-- What the older program knows nothing of can't stay.
delete from exceptions where kind in ('penalty_kept', 'other_refund', 'cancelled_by_supplier');
alter table exceptions
    drop constraint exceptions_kind_check,
    add constraint exceptions_kind_check check (kind in ('outcome_unknown', 'order_without_booking', 'other_total'));
drop index bookings_alike;
alter table bookings drop column likeness;
drop index orders_to_look_at;
alter table supplier_orders drop column look_at, drop column looks;
-- Of a booking with several the first is kept.
delete from refunds r using refunds earlier
    where r.org_id = earlier.org_id and r.booking_id = earlier.booking_id and r.number > earlier.number;
drop index refunds_of_organization;
drop index one_refund_per_order;
alter table refunds drop column number;
create unique index one_refund_per_booking on refunds (org_id, booking_id) where status <> 'failed';
delete from exceptions using effects
    where exceptions.org_id = effects.org_id and exceptions.effect_id = effects.id
        and (effects.kind in ('undo', 'add_service') or effects.state = 'planned');
delete from idempotency_keys using effects
    where idempotency_keys.org_id = effects.org_id and idempotency_keys.effect_id = effects.id
        and (effects.kind in ('undo', 'add_service') or effects.state = 'planned');
delete from effects where kind in ('undo', 'add_service') or state = 'planned';
drop index effects_of_booking;
drop index planned_effects;
drop index one_effect_under_way_per_order;
create unique index one_open_effect_per_order on effects (org_id, booking_id, number) where state = 'open';
alter table effects
    drop constraint effects_closed_at,
    add constraint effects_check check ((state = 'open') = (closed_at is null)),
    drop constraint effects_state_check,
    add constraint effects_state_check check (state in ('open', 'done', 'refused')),
    drop constraint effects_kind_check,
    add constraint effects_kind_check check (kind in ('book', 'cancel', 'ticket')),
    drop column steps,
    drop column step,
    drop column chain;
