-- Whoever works for the platform at the operator's API. They belong to no agency, and no agency's token is theirs.
create table operators (
    id uuid primary key,
    username text not null,
    name text not null,
    password_hash text not null,
    role text not null check (role in ('viewer', 'desk', 'finance', 'admin')),
    status text not null check (status in ('active', 'suspended')),
    -- Sessions of another epoch are over.
    session_epoch integer not null default 0,
    created_at timestamptz not null,
    last_login_at timestamptz
);
create unique index operators_username_key on operators (lower(username));

-- Their sessions, each with one token, kept hashed. A session that was ended is removed, and so is one that is over.
create table operator_sessions (
    id uuid primary key,
    token_hash bytea not null unique,
    operator_id uuid not null references operators,
    session_epoch integer not null,
    created_at timestamptz not null,
    idle_until timestamptz not null,
    ends_at timestamptz not null,
    -- When the password was given last: money is moved only shortly after it.
    confirmed_at timestamptz not null,
    user_agent text not null,
    address text not null
);
create index operator_sessions_of_operator on operator_sessions (operator_id);
create index operator_sessions_by_end on operator_sessions (ends_at);

-- What was done about operators and by whom; what is done in an agency stands in the agency's audit log.
create table operator_events (
    id uuid primary key,
    -- None: at the command line, or nobody who has proven to be one.
    actor_id uuid,
    action text not null,
    operator_id uuid,
    value jsonb not null,
    address text not null,
    created_at timestamptz not null
);

-- Who works on an incident now, and who has decided it; ids of operators.
alter table exceptions add column claimed_by uuid;
alter table exceptions add column claimed_at timestamptz;
alter table exceptions add column resolved_by uuid;
alter table exceptions add constraint claimed_by_somebody check ((claimed_by is null) = (claimed_at is null));
