-- What suppliers have posted to us: each is a doorbell, and what it says is not kept.
create table supplier_hooks (
    supplier text not null,
    -- The supplier's id of the event, the same whenever it is sent.
    event_id text not null,
    kind text not null,
    -- The supplier's id of the order; null where it is of none.
    order_id text,
    created_at timestamptz not null,
    -- When its order is looked for again, which nobody knew; null where that is over.
    again_at timestamptz,
    -- When it had rung; null while its order is not known.
    handled_at timestamptz,
    primary key (supplier, event_id)
);

create index supplier_hooks_again on supplier_hooks (again_at) where again_at is not null;
create index supplier_hooks_by_time on supplier_hooks (supplier, created_at);

-- When a supplier's list has last shown something new, of which a hook should have told.
alter table supplier_sweeps add column news_at timestamptz;
