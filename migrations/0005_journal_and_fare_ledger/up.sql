-- One row for each write, in its transaction: audit log, notifications and webhooks are made from it.
create table events (
    org_id uuid not null references organizations,
    id uuid not null,
    actor_type text not null check (actor_type in ('org_user', 'operator', 'system')),
    actor_id uuid,
    action text not null,
    entity_type text not null,
    entity_id text not null,
    old_value jsonb,
    new_value jsonb,
    ip_address text not null,
    user_agent text not null,
    request_id text not null,
    created_at timestamptz not null,
    primary key (org_id, id)
);

create table fare_transactions (
    org_id uuid not null,
    id uuid not null,
    booking_id uuid not null,
    booking_ref text not null,
    product text not null,
    pnr text not null,
    provider text not null,
    user_id uuid not null,
    user_name text not null,
    currency text not null,
    public_fare numeric not null,
    agent_fare numeric not null,
    agent_commission numeric not null,
    markup numeric not null,
    issued_at timestamptz not null,
    primary key (org_id, id),
    foreign key (org_id, booking_id) references bookings
);
create index fare_transactions_by_time on fare_transactions (org_id, issued_at desc, id desc);
