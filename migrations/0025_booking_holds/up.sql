-- What became of the hold of an order, and until when it had to be paid and kept its price. Null of one that was never held.
alter table supplier_orders
    add column hold_state text check (hold_state in ('held', 'paid', 'lapsed', 'released')),
    add column pay_by timestamptz,
    add column price_guaranteed_until timestamptz;

-- What the service does by itself about the held orders of a booking, together.
create table booking_holds (
    org_id uuid not null,
    booking_id uuid not null,
    -- Since when it is to be ticketed by itself; null where it is not.
    auto_ticket_since timestamptz,
    -- When that is begun, once it is known.
    auto_ticket_at timestamptz,
    held_at timestamptz,
    -- What its reminders were planned for: the earliest limits of its orders then.
    planned_at timestamptz,
    planned_pay_by timestamptz,
    planned_price_until timestamptz,
    -- When the worker has something to do about it next.
    due_at timestamptz,
    primary key (org_id, booking_id),
    foreign key (org_id, booking_id) references bookings
);
create index booking_holds_due on booking_holds (due_at) where due_at is not null;

create table hold_reminders (
    org_id uuid not null,
    booking_id uuid not null,
    number smallint not null,
    kind text not null check (kind in ('expiring', 'price_ending')),
    due_at timestamptz not null,
    told_at timestamptz,
    primary key (org_id, booking_id, number),
    foreign key (org_id, booking_id) references booking_holds on delete cascade
);

-- What is held now gets its reminders, too.
update supplier_orders o
    set hold_state = 'held',
        pay_by = (o.content ->> 'payment_required_by')::timestamptz,
        price_guaranteed_until = (o.content ->> 'price_guaranteed_until')::timestamptz
    from bookings b
    where (b.org_id, b.id) = (o.org_id, o.booking_id)
        and b.product = 'flight' and b.status = 'confirmed' and o.status = 'held';
insert into booking_holds (org_id, booking_id, held_at, due_at)
    select b.org_id, b.id, coalesce(b.booked_at, b.created_at), now()
    from bookings b
    where exists (
        select 1 from supplier_orders o
        where (o.org_id, o.booking_id) = (b.org_id, b.id) and o.hold_state = 'held'
    );
