-- The operator's account with each supplier, as far as it is known. `stated`: by the operator, not by the supplier.
create table supplier_accounts (
    supplier text primary key,
    balance numeric,
    credit numeric,
    currency text,
    seen_at timestamptz,
    stated boolean not null default false,
    warn_below numeric,
    stop_below numeric,
    -- Nothing new is sold of it, and why: `account_empty`, or what the operator wrote.
    closed_at timestamptz,
    closed_reason text,
    -- What it could not pay for when it was closed.
    needed numeric,
    needed_currency text,
    next_read_at timestamptz not null,
    check ((closed_at is null) = (closed_reason is null)),
    check ((needed is null) = (needed_currency is null))
);

create table supplier_alarms (
    id uuid primary key,
    supplier text not null,
    kind text not null
        check (kind in ('account_empty', 'account_low', 'credentials', 'webhook_silent', 'looks_exhausted')),
    details jsonb not null default '{}',
    raised_at timestamptz not null,
    note text,
    closed_at timestamptz,
    closed_by text check (closed_by in ('itself', 'operator')),
    check ((closed_at is null) = (closed_by is null))
);
create unique index one_open_alarm on supplier_alarms (supplier, kind) where closed_at is null;

-- How often each supplier refused something, by day (UTC) and by the reason that agencies are told.
create table supplier_refusals (
    supplier text,
    code text,
    day date,
    refusals bigint not null,
    primary key (supplier, code, day)
);
