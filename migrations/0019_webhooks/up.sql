-- What agencies' own programs may read of events: an outbox, written by the statement that writes the event, and the
-- feed that is made of it. A number of the feed is given after the commit, by a publisher that holds the agency's row
-- in feed_positions: numbers are without gaps, and none is seen before a smaller one.
create table public_events (
    org_id uuid not null,
    -- The event's.
    id uuid not null,
    -- The order in which they were written: events about one thing are written under that thing's lock.
    position bigint generated always as identity,
    sequence bigint,
    kind text not null,
    subject text not null,
    data jsonb not null,
    created_at timestamptz not null,
    primary key (org_id, id)
);
create index public_events_to_publish on public_events (org_id, position) where sequence is null;
create unique index public_events_feed on public_events (org_id, sequence) where sequence is not null;
create index public_events_by_time on public_events using brin (created_at);

create table feed_positions (
    org_id uuid primary key references organizations,
    -- The last number that was given.
    last bigint not null default 0,
    -- The last one that the feed has no more.
    dropped bigint not null default 0
);

create table webhooks (
    org_id uuid not null references organizations,
    id uuid not null,
    url text not null,
    description text not null,
    -- Which events it gets; empty: all.
    event_types text[] not null,
    is_active boolean not null,
    -- Why the service has switched it off, if it has.
    disabled_reason text,
    -- Which of its secrets is in use; each is derived from this number.
    generation integer not null,
    -- Until when the one before it signs too.
    previous_until timestamptz,
    -- When something is to be sent next.
    due_at timestamptz,
    -- Until when a process sends to it alone.
    leased_until timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (org_id, id)
);
create index webhooks_due on webhooks (due_at) where is_active and due_at is not null;

create table webhook_deliveries (
    org_id uuid not null,
    webhook_id uuid not null,
    event_id uuid not null,
    sequence bigint not null,
    kind text not null,
    subject text not null,
    state text not null check (state in ('pending', 'delivered', 'failed')),
    attempts integer not null default 0,
    due_at timestamptz not null,
    -- After it nobody tries any more.
    give_up_at timestamptz not null,
    -- When the event happened.
    created_at timestamptz not null,
    attempted_at timestamptz,
    delivered_at timestamptz,
    status smallint,
    duration_ms integer,
    -- The beginning of what was answered, or why nothing was.
    answer text,
    primary key (org_id, webhook_id, event_id),
    foreign key (org_id, webhook_id) references webhooks on delete cascade
);
-- Of each thing the first event that is still to be delivered.
create index webhook_deliveries_pending on webhook_deliveries (org_id, webhook_id, subject, sequence)
    where state = 'pending';
create index webhook_deliveries_listed on webhook_deliveries (org_id, webhook_id, sequence desc);
create index webhook_deliveries_by_time on webhook_deliveries using brin (created_at);

-- A key may be tied to a webhook too: that it was made, or that something was asked of it.
alter table idempotency_keys
    add column made_webhook_id uuid,
    drop constraint idempotency_keys_made_one_thing,
    add constraint idempotency_keys_made_one_thing check (
        num_nonnulls(
            effect_id, made_user_id, made_transfer_id, made_package_id, made_report_id, made_webhook_id
        ) = 1
            and (booking_ref is null) = (effect_id is null)
    );
