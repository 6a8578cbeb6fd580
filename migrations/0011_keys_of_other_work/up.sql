-- A key is tied to what its request made: an effect on a booking, or a user.
alter table idempotency_keys
    alter column booking_ref drop not null,
    alter column effect_id drop not null,
    add column made_user_id uuid,
    add foreign key (org_id, made_user_id) references users,
    add constraint idempotency_keys_made_one_thing check (
        num_nonnulls(effect_id, made_user_id) = 1 and (booking_ref is null) = (effect_id is null)
    );
-- Bodies may hold a password, which a plain hash would let somebody guess at who reads this table.
comment on column idempotency_keys.fingerprint is 'HMAC-SHA-256 of method, path and body';
