-- Whom a booking is for, sealed: under a data key for each row, which is wrapped under a key that the database does not hold.
-- To destroy the wrapped key is to erase the row.
create table booking_people (
    org_id uuid not null,
    booking_id uuid not null,
    -- 'answers' has a key and no content: under it are suppliers' answers and kept answers of idempotency keys.
    kind text not null check (kind in ('people', 'papers', 'answers')),
    kek_id text not null,
    wrapped_key bytea,
    sealed bytea,
    sealed_at timestamptz not null,
    erase_after date not null,
    erased_at timestamptz,
    primary key (org_id, booking_id, kind),
    foreign key (org_id, booking_id) references bookings,
    check ((wrapped_key is null) = (erased_at is not null)),
    check (wrapped_key is not null or sealed is null)
);
create index booking_people_to_erase on booking_people (erase_after) where erased_at is null;
create index booking_people_by_key on booking_people (kek_id) where wrapped_key is not null;

-- Keyed hashes of the names on a booking: by them it is found as long as it is not erased.
create table booking_names (
    org_id uuid not null,
    booking_id uuid not null,
    name_key bytea not null check (length(name_key) = 32),
    primary key (org_id, booking_id, name_key),
    foreign key (org_id, booking_id) references bookings
);
create index booking_names_by_name on booking_names (name_key);

-- Suppliers' raw answers about an order.
create table supplier_answers (
    org_id uuid not null,
    id uuid not null,
    booking_id uuid not null,
    number smallint not null,
    -- The step that it was the answer to; none where the order was only looked at.
    effect_id uuid,
    at timestamptz not null,
    sealed bytea not null,
    primary key (org_id, id),
    foreign key (org_id, booking_id, number) references supplier_orders
);
create index supplier_answers_of_order on supplier_answers (org_id, booking_id, number, at);

-- The kept answer of a key that is tied to a booking.
alter table idempotency_keys add column sealed_answer bytea;

-- What was erased: a database that is restored from a backup is erased again by it.
create table people_erasures (
    org_id uuid not null,
    booking_id uuid not null,
    kind text not null check (kind in ('people', 'papers', 'answers')),
    at timestamptz not null,
    primary key (org_id, booking_id, kind)
);
