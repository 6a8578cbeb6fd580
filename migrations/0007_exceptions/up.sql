-- What the service can't settle by itself and an operator has to look at.
create table exceptions (
    org_id uuid not null,
    -- Unique by itself: an operator names an exception without its agency.
    id uuid not null unique,
    booking_id uuid not null,
    effect_id uuid,
    kind text not null check (kind in ('outcome_unknown', 'order_without_booking', 'other_total')),
    problem text not null,
    details jsonb not null,
    raised_at timestamptz not null,
    -- What the operator has ruled, and what they say of it. Of an effect that is open the ruling is written first
    -- and carried out after it.
    outcome text check (outcome in ('refused', 'done', 'noted')),
    -- The supplier's id of the order, as the operator learned it.
    order_id text,
    note text,
    closed_at timestamptz,
    closed_by text check (closed_by in ('itself', 'operator')),
    primary key (org_id, id),
    foreign key (org_id, booking_id) references bookings,
    foreign key (org_id, effect_id) references effects,
    constraint a_ruling_has_its_note check ((outcome is null) = (note is null)),
    constraint closed_by_somebody check ((closed_at is null) = (closed_by is null))
);
create unique index one_open_exception_per_effect_and_kind on exceptions (org_id, effect_id, kind)
    where closed_at is null;
