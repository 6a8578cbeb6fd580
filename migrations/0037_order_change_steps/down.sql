-- What the older program knows nothing of can't stay. What is flown and what was paid does, in its words.
update order_changes set state = 'accepted', effect_id = null where state = 'chosen';
update fare_transactions set kind = 'adjustment' where kind = 'change';
delete from exceptions e using effects s
    where (s.id, s.org_id) = (e.effect_id, e.org_id) and s.kind = 'change';
delete from idempotency_keys k using effects s
    where (s.id, s.org_id) = (k.effect_id, k.org_id) and s.kind = 'change';
update supplier_answers a set effect_id = null from effects s
    where (s.id, s.org_id) = (a.effect_id, a.org_id) and s.kind = 'change';
delete from effects where kind = 'change';
alter table effects
    drop constraint effects_kind_check,
    add constraint effects_kind_check check (
        kind in ('book', 'cancel', 'ticket', 'undo', 'add_service', 'accept_change')
    ) not valid;
alter table order_changes
    drop constraint order_changes_state_check,
    add constraint order_changes_state_check check (
        state in ('informed', 'open', 'accepted', 'refused', 'superseded', 'closed')
    ) not valid;
alter table fare_transactions
    drop constraint fare_transactions_kind_check,
    add constraint fare_transactions_kind_check check (
        kind in ('sale', 'refund', 'adjustment', 'debit_note', 'write_off')
    ) not valid;
