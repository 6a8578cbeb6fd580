-- When the order of a cancellation is looked at again that was taken for refused because its supplier kept silent.
alter table effects add column recheck_at timestamptz;
create index effects_to_recheck on effects (recheck_at) where recheck_at is not null;

-- How far the service's time is ahead of this server's. Without a row, as always but in tests, it is this server's time.
create table test_clock (
    only_row boolean primary key default true check (only_row),
    ahead interval not null
);
