-- A row of the fare ledger is of one supplier order; rows of before have no number and are of the whole booking.
alter table fare_transactions
    add column kind text check (kind in ('sale', 'refund', 'adjustment', 'debit_note', 'write_off')),
    add column number smallint,
    -- What the supplier's account got by it, or gave below zero, in the row's currency.
    add column supplier_amount numeric;

-- What the operator has ruled about an order of a booking: each is one transfer, 'ruling:<id>', and one row of the fare ledger.
create table rulings (
    org_id uuid not null,
    id uuid not null,
    booking_id uuid not null,
    number smallint not null,
    -- What it settles, if that was an incident.
    exception_id uuid,
    kind text not null check (kind in ('supplier_cancelled', 'refund', 'debit_note', 'write_off')),
    -- A debit note that the wallet did not cover is due: nothing has moved.
    state text not null check (state in ('done', 'due')),
    -- As the operator said it: of an order that its supplier cancelled what this gives back, in its own currency.
    amount numeric not null,
    currency text not null,
    -- What moved on the wallet, in its currency: above zero what it got, below what it paid.
    moved numeric not null,
    moved_currency text not null,
    fees text check (fees in ('return', 'keep')),
    from_loss boolean not null,
    note text not null,
    key text not null,
    transfer_id uuid,
    ruled_by text not null check (ruled_by in ('operator', 'system')),
    ruled_at timestamptz not null,
    collected_at timestamptz,
    primary key (id, org_id),
    unique (key, org_id),
    foreign key (booking_id, org_id, number) references supplier_orders,
    foreign key (exception_id, org_id) references exceptions,
    foreign key (transfer_id, org_id) references transfers,
    constraint what_is_due_has_not_moved check (state = 'done' or transfer_id is null)
);
create index rulings_of_booking on rulings (booking_id, org_id, number);
create index rulings_due on rulings (ruled_at) where state = 'due';

alter table exceptions
    add column ruling_id uuid,
    add foreign key (ruling_id, org_id) references rulings,
    drop constraint exceptions_kind_check,
    drop constraint exceptions_outcome_check;
alter table exceptions
    add constraint exceptions_kind_check check (kind in ('outcome_unknown', 'order_without_booking', 'other_total',
        'penalty_kept', 'cancelled_by_supplier', 'other_refund', 'involuntary_refund')),
    add constraint exceptions_outcome_check check (outcome in ('refused', 'done', 'noted', 'ruled'));

-- By what the operator's desk finds bookings: the suppliers' ids and locators, tickets, the first day of the journey or stay.
create index if not exists supplier_orders_by_id on supplier_orders (supplier, supplier_order_id);
create index supplier_orders_by_locator on supplier_orders using gin ((jsonb_path_query_array(content, '$.pnr')
    || jsonb_path_query_array(content, '$.airline_pnr') || jsonb_path_query_array(content, '$.locators[*].pnr')
    || jsonb_path_query_array(content, '$.confirmation') || jsonb_path_query_array(content, '$.confirmations[*].number')));
create index supplier_orders_by_ticket on supplier_orders using gin (jsonb_path_query_array(content, '$.tickets[*].number'));
create index bookings_by_travel on bookings ((left(coalesce(product_content ->> 'check_in',
    product_content #>> '{orders,0,legs,0,segments,0,departure}'), 10)));
create index exceptions_of_booking on exceptions (booking_id, org_id);
