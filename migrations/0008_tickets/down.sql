-- What the older program knows nothing of can't stay.
delete from idempotency_keys using effects
    where idempotency_keys.org_id = effects.org_id and idempotency_keys.effect_id = effects.id and effects.kind = 'ticket';
delete from effects where kind = 'ticket';
alter table effects drop constraint effects_kind_check;
alter table effects add constraint effects_kind_check check (kind in ('book', 'cancel'));
