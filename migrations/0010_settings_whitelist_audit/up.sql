alter table organizations
    -- Addresses and CIDR ranges; they count while ip_whitelist_enabled.
    add column whitelist text[] not null default '{}',
    -- The suppliers that the agency may buy from; null: all of them.
    add column suppliers text[];

create table settings (
    org_id uuid not null references organizations,
    id uuid not null,
    key text not null check (key ~ '^[a-z][a-z0-9_.]{0,63}$'),
    value text not null check (length(value) <= 4000),
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (org_id, id),
    constraint settings_key unique (org_id, key)
);

-- The audit log is read newest first; ids sort by time, so that the primary key serves it without a filter.
create index events_by_actor on events (org_id, actor_id, id);
create index events_by_entity_type on events (org_id, entity_type, id);
create index events_by_action on events (org_id, action, id);
