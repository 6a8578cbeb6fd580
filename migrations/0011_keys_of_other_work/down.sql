comment on column idempotency_keys.fingerprint is null;
delete from idempotency_keys where effect_id is null;
alter table idempotency_keys
    drop constraint idempotency_keys_made_one_thing,
    drop column made_user_id,
    alter column effect_id set not null,
    alter column booking_ref set not null;
