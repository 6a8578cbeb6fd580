-- A promised price. It books once: booking_id is set while a booking uses it, and freed if that booking fails.
create table quotes (
    org_id uuid not null,
    id uuid not null,
    user_id uuid not null,
    product text not null check (product in ('flight', 'hotel')),
    content jsonb not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    booking_id uuid,
    primary key (org_id, id),
    foreign key (org_id, user_id) references users
);
