-- When an order is travelled next, of one that is looked at until its travel is over; null while its payment or its documents
-- are awaited. When that travel ends; null of an order that nobody has watched yet: the worker finds it.
alter table supplier_orders
    add column travel_at timestamptz,
    add column travel_ends timestamptz,
    -- How many looks in a row have failed.
    add column looks_failed smallint not null default 0,
    -- When its supplier first showed it as cancelled, which nobody here had asked for; null again once that is dealt with.
    add column cancel_seen_at timestamptz,
    -- When its agency was told that a hotel has not told its own number shortly before the guests arrive.
    add column number_missed_at timestamptz,
    -- What its supplier's list showed of it when it was found there last.
    add column sweep_mark text;

-- What nobody watches: of before, or of which a server of before has stopped the clock.
create index orders_not_watched on supplier_orders (travel_ends) where status = 'confirmed' and next_poll_at is null;

-- Suppliers' lists and webhooks name orders by their own ids.
create index supplier_orders_by_id on supplier_orders (supplier, supplier_order_id);

-- When each supplier's list of changed orders is read next.
create table supplier_sweeps (
    supplier text primary key,
    next_at timestamptz not null
);

-- How many looks at orders each supplier was asked for in each hour.
create table supplier_looks (
    supplier text not null,
    hour timestamptz not null,
    looks integer not null check (looks > 0),
    primary key (supplier, hour)
);
