-- The servers that use the database now: each says every few seconds that it is there, and what it is set to. Its settings
-- are keyed hashes by name, to be compared and never to be read.
create table servers (
    name text primary key,
    address text not null,
    version text not null,
    settings jsonb not null,
    -- By how much its clock is ahead of this one.
    clock_ahead_ms bigint not null,
    started_at timestamptz not null default clock_timestamp(),
    seen_at timestamptz not null default clock_timestamp()
);
