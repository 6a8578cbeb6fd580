-- What follows one upon the other is a chain: an effect that is planned begins in the transaction that closes the one
-- before it as done, and is refused with it. Several supplier orders of one booking are made so, and the booking that
-- takes another's place is followed by that one's cancellation.
alter table effects
    add column chain uuid,
    add column step smallint not null default 1 check (step > 0),
    add column steps smallint not null default 1 check (steps > 0);
update effects set chain = id;
alter table effects
    alter column chain set not null,
    alter column step drop default,
    alter column steps drop default,
    drop constraint effects_kind_check,
    add constraint effects_kind_check check (kind in ('book', 'cancel', 'ticket', 'undo', 'add_service')),
    drop constraint effects_state_check,
    add constraint effects_state_check check (state in ('planned', 'open', 'done', 'refused')),
    drop constraint effects_check,
    add constraint effects_closed_at check ((state in ('planned', 'open')) = (closed_at is null));
drop index one_open_effect_per_order;
create unique index one_effect_under_way_per_order on effects (org_id, booking_id, number)
    where state in ('planned', 'open');
create index planned_effects on effects (org_id, chain) where state = 'planned';
create index effects_of_booking on effects (org_id, booking_id);

-- Each supplier order is given back by itself.
alter table refunds add column number smallint not null default 1;
alter table refunds alter column number drop default;
alter table refunds add foreign key (org_id, booking_id, number) references supplier_orders;
drop index one_refund_per_booking;
create unique index one_refund_per_order on refunds (org_id, booking_id, number) where status <> 'failed';
create index refunds_of_organization on refunds (org_id, id desc);

-- What somebody should look at without being asked: holds that may lapse, tickets that are still to come.
alter table supplier_orders add column look_at timestamptz, add column looks integer not null default 0;
create index orders_to_look_at on supplier_orders (look_at) where look_at is not null;
update supplier_orders set look_at = now() where status = 'held';

-- Who flies what, for the guard against booking twice.
alter table bookings add column likeness bytea;
create index bookings_alike on bookings (org_id, likeness, created_at);

alter table exceptions
    drop constraint exceptions_kind_check,
    add constraint exceptions_kind_check check (
        kind in ('outcome_unknown', 'order_without_booking', 'other_total', 'penalty_kept', 'other_refund',
            'cancelled_by_supplier')
    );
