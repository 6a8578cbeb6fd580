-- A file that somebody asked for, and how far it is.
create table reports (
    org_id uuid not null references organizations,
    id uuid not null,
    -- Who asked for it.
    user_id uuid not null,
    -- What it is of: the whole agency, or this user's own.
    scope text not null check (scope in ('organization', 'user')),
    type text not null check (type in ('sales', 'agent_activity', 'booking', 'wallet')),
    filters jsonb not null,
    -- From when on, until before when.
    period_start timestamptz not null,
    period_end timestamptz not null check (period_end > period_start),
    status text not null check (status in ('queued', 'processing', 'ready', 'failed')),
    -- How often it was begun. Whoever is at it knows the number, and may finish it only while that is the last one.
    attempts integer not null default 0,
    -- When somebody should work at it: make it, make it again when its maker has died, remove its file.
    due_at timestamptz,
    -- What the last attempt failed of.
    problem text,
    -- How long its file is; none while there is no file.
    bytes bigint check (bytes > 0),
    created_at timestamptz not null,
    generated_at timestamptz,
    expires_at timestamptz,
    primary key (org_id, id),
    foreign key (org_id, user_id) references users,
    constraint reports_have_files_when_ready check (status = 'ready' or bytes is null),
    constraint reports_that_are_not_finished_are_due check (
        status in ('ready', 'failed') or due_at is not null
    )
);
create index reports_of_organization on reports (org_id, scope, id desc);
create index reports_of_user on reports (org_id, user_id, id desc) where scope = 'user';
create index reports_due on reports (due_at) where due_at is not null;

-- A row of the fare ledger and the movement of money that it stands for tell of the same sale; none where nothing was paid.
alter table fare_transactions
    add column transfer_id uuid,
    add foreign key (org_id, transfer_id) references transfers;
-- Both were written at the same instant, with the same reference.
update fare_transactions f set transfer_id = p.transfer_id
from (
    select distinct on (t.org_id, t.id) f.org_id, f.id, t.id as transfer_id
    from fare_transactions f
    join bookings b on (b.org_id, b.id) = (f.org_id, f.booking_id)
    join transfers t on t.org_id = f.org_id and t.reference = f.booking_ref and t.at = f.issued_at
        and t.key not like 'service:%'
        and t.reason = case when f.issued_at = b.booked_at then 'booking' else 'refund' end
    order by t.org_id, t.id, f.id
) p
where (f.org_id, f.id) = (p.org_id, p.id);

-- A key may be tied to a report too.
alter table idempotency_keys
    add column made_report_id uuid,
    add foreign key (org_id, made_report_id) references reports,
    drop constraint idempotency_keys_made_one_thing,
    add constraint idempotency_keys_made_one_thing check (
        num_nonnulls(effect_id, made_user_id, made_transfer_id, made_package_id, made_report_id) = 1
            and (booking_ref is null) = (effect_id is null)
    );
