drop table order_changes;
-- What the older program knows nothing of can't stay.
delete from exceptions e using effects s
    where (s.id, s.org_id) = (e.effect_id, e.org_id) and s.kind = 'accept_change';
delete from exceptions where kind = 'involuntary_refund';
delete from idempotency_keys k using effects s
    where (s.id, s.org_id) = (k.effect_id, k.org_id) and s.kind = 'accept_change';
update supplier_answers a set effect_id = null from effects s
    where (s.id, s.org_id) = (a.effect_id, a.org_id) and s.kind = 'accept_change';
delete from effects where kind = 'accept_change';
alter table effects
    drop constraint effects_kind_check,
    add constraint effects_kind_check check (kind in ('book', 'cancel', 'ticket', 'undo', 'add_service')) not valid;
alter table exceptions
    drop constraint exceptions_kind_check,
    add constraint exceptions_kind_check check (
        kind in ('outcome_unknown', 'order_without_booking', 'other_total', 'penalty_kept', 'other_refund',
            'cancelled_by_supplier')
    ) not valid;
