-- Every tenant table leads its keys with org_id, so that it can be spread by tenant.
create table organizations (
    id uuid primary key,
    agent_id text not null unique,
    name text not null,
    slug text not null unique,
    email text not null,
    phone text not null,
    address text not null,
    country text not null check (country ~ '^[A-Z]{2}$'),
    subscription_type text not null check (subscription_type in ('full', 'api_only')),
    status text not null check (status in ('active', 'suspended')),
    ip_whitelist_enabled boolean not null default false,
    currency text not null check (currency ~ '^[A-Z]{3}$'),
    timezone text not null,
    -- How many users were ever made: the number in the next sub_agent_id.
    user_counter integer not null default 0,
    created_at timestamptz not null,
    updated_at timestamptz not null
);

create table users (
    org_id uuid not null references organizations,
    id uuid not null,
    username text not null,
    email text not null,
    name text not null,
    phone text not null,
    role text not null check (role in ('org_admin', 'agent')),
    status text not null check (status in ('active', 'suspended')),
    sub_agent_id text not null unique,
    password_hash text not null,
    -- Tokens of an earlier epoch are dead: it is raised when access must end at once.
    session_epoch integer not null default 0,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    last_login_at timestamptz,
    deleted_at timestamptz,
    primary key (org_id, id)
);
create unique index users_username_key on users (org_id, lower(username)) where deleted_at is null;
create unique index users_email_key on users (org_id, lower(email)) where deleted_at is null;

create table refresh_tokens (
    org_id uuid not null,
    id uuid not null,
    user_id uuid not null,
    -- All tokens that descend from one log-in.
    family_id uuid not null,
    token_hash bytea not null unique,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    spent_at timestamptz,
    revoked_at timestamptz,
    primary key (org_id, id),
    foreign key (org_id, user_id) references users
);
create index refresh_tokens_family on refresh_tokens (org_id, family_id);
