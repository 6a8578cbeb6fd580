-- How each server sees each supplier, as it said last: every few seconds. Counts and times are those of the last minute.
create table supplier_health (
    process text,
    supplier text,
    seen_at timestamptz not null,
    breaker text not null check (breaker in ('closed', 'open', 'half_open')),
    -- Until when the breaker turns calls away, and until when the supplier is left alone because it asked for that.
    open_until timestamptz,
    paused_until timestamptz,
    permits integer not null,
    permits_used integer not null,
    permits_waiting integer not null,
    calls bigint not null,
    -- Within so many milliseconds half of the calls ended, and 99 of a hundred; null without calls.
    p50_ms bigint,
    p99_ms bigint,
    -- How many calls brought nothing, by how they ended.
    errors jsonb not null,
    primary key (process, supplier)
) with (fillfactor = 50);

-- Each server's calls to each supplier by minute.
create table supplier_minutes (
    minute timestamptz,
    supplier text,
    process text,
    calls bigint not null,
    errors bigint not null,
    primary key (minute, supplier, process)
) with (fillfactor = 50);

-- What operators did about a supplier, the newest first.
create index operator_events_of_supplier on operator_events ((value ->> 'supplier'), created_at)
    where value ->> 'supplier' is not null;
