-- What airlines change of orders by themselves, each once, in the order in which it was found.
create table order_changes (
    org_id uuid not null,
    booking_id uuid not null,
    -- Whose booking it is.
    user_id uuid not null,
    number smallint not null,
    -- The supplier's id of it, or one of ours where the supplier only shows other flights than before.
    supplier_change_id text not null,
    id uuid not null,
    -- Its place among those of its booking, from 1.
    place smallint not null check (place > 0),
    kind text not null check (
        kind in ('flight_cancelled', 'route', 'flight_number', 'time', 'cabin', 'terminal')
    ),
    -- By how many minutes it moves what is flown; null where that has no meaning.
    minutes integer,
    before jsonb not null,
    after jsonb not null,
    state text not null check (state in ('informed', 'open', 'accepted', 'refused', 'superseded', 'closed')),
    -- What the supplier lets one do about it.
    actions jsonb not null,
    -- Until when it can be decided on.
    decide_by timestamptz,
    -- When the worker has something to do about it next: to remind of it, or to close it.
    due_at timestamptz,
    found_at timestamptz not null,
    decided_at timestamptz,
    decided_by uuid,
    effect_id uuid,
    primary key (booking_id, org_id, number, supplier_change_id),
    foreign key (booking_id, org_id, number) references supplier_orders,
    foreign key (decided_by, org_id) references users,
    foreign key (effect_id, org_id) references effects
);
-- Lists say their condition: a statement that finds rows by their key does not enter it.
create index order_changes_of_organization on order_changes (org_id, id desc) where place > 0;
create index order_changes_of_user on order_changes (org_id, user_id, id desc) where place > 0;
create index order_changes_of_organization_by_state on order_changes (org_id, state, id desc) where place > 0;
create index order_changes_of_user_by_state on order_changes (org_id, user_id, state, id desc) where place > 0;
create index order_changes_due on order_changes (due_at) where due_at is not null;

-- What stands already has none of the new words: it need not be read for that.
alter table effects
    drop constraint effects_kind_check,
    add constraint effects_kind_check check (
        kind in ('book', 'cancel', 'ticket', 'undo', 'add_service', 'accept_change')
    ) not valid;
alter table exceptions
    drop constraint exceptions_kind_check,
    add constraint exceptions_kind_check check (
        kind in ('outcome_unknown', 'order_without_booking', 'other_total', 'penalty_kept', 'other_refund',
            'cancelled_by_supplier', 'involuntary_refund')
    ) not valid;
