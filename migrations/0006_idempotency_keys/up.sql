-- An Idempotency-Key, written in the transaction that does the work and tied to its effect: a crash never leaves
-- one "running", and a refusal frees it. Status and answer are there once the caller was answered.
create table idempotency_keys (
    org_id uuid not null,
    user_id uuid not null,
    key text not null check (length(key) between 1 and 255),
    -- SHA-256 of method, path and body: the same key with another request is refused.
    fingerprint bytea not null check (length(fingerprint) = 32),
    booking_ref text not null,
    effect_id uuid not null,
    created_at timestamptz not null,
    status smallint,
    answer text,
    primary key (org_id, user_id, key),
    foreign key (org_id, user_id) references users,
    foreign key (org_id, effect_id) references effects
);
create index idempotency_keys_by_effect on idempotency_keys (org_id, effect_id);
