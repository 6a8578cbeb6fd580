-- What of each supplier's answers could not be read as it came, by field and kind: counted by all servers. One that did not come
-- for a month is removed, so that it is new when it comes again.
create table supplier_read_losses (
    supplier text,
    -- As the supplier names it: `offers[].owner.name`.
    field text,
    -- `left_out`, `rounded`, `missing` and the like.
    kind text,
    first_at timestamptz not null,
    last_at timestamptz not null,
    losses bigint not null,
    -- What was wrong the first time, without anybody's data.
    example text not null,
    primary key (supplier, field, kind)
);

alter table supplier_alarms drop constraint supplier_alarms_kind_check;
alter table supplier_alarms add constraint supplier_alarms_kind_check
    check (kind in ('account_empty', 'account_low', 'credentials', 'webhook_silent', 'looks_exhausted', 'read_losses'));
