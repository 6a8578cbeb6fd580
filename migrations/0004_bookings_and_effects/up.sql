create table bookings (
    org_id uuid not null,
    id uuid not null,
    booking_ref text not null unique,
    product text not null check (product in ('flight', 'hotel')),
    user_id uuid not null,
    -- The person's name stays with the booking when the user is deleted.
    user_name text not null,
    wallet_id uuid not null,
    hold_id uuid not null,
    quote_id uuid not null,
    status text not null check (status in ('pending', 'confirmed', 'cancelled', 'failed')),
    -- What lists show of it.
    provider text not null,
    pnr text not null,
    origin text not null,
    destination text not null,
    passenger_count integer not null,
    currency text not null,
    base_fare numeric not null,
    public_fare numeric not null,
    -- What the wallet pays.
    amount numeric not null check (amount >= 0),
    -- What was bought, and how its price came about, as both stood when it was bought.
    product_content jsonb not null,
    pricing jsonb not null,
    failure text,
    created_at timestamptz not null,
    booked_at timestamptz,
    cancelled_at timestamptz,
    primary key (org_id, id),
    foreign key (org_id, user_id) references users,
    foreign key (org_id, wallet_id) references wallets,
    foreign key (org_id, hold_id) references holds,
    foreign key (org_id, quote_id) references quotes
);
create index bookings_of_organization on bookings (org_id, product, id desc);
create index bookings_of_user on bookings (org_id, user_id, product, id desc);

-- What a supplier holds for us. A booking has one or more.
create table supplier_orders (
    org_id uuid not null,
    booking_id uuid not null,
    number smallint not null check (number > 0),
    reference text not null unique,
    supplier text not null,
    status text not null check (status in ('pending', 'held', 'confirmed', 'cancelled', 'failed')),
    supplier_order_id text,
    -- The supplier's last answer about it.
    content jsonb,
    updated_at timestamptz not null,
    primary key (org_id, booking_id, number),
    foreign key (org_id, booking_id) references bookings
);

-- Calls to suppliers that change something there: written before they are sent, open until their outcome is known.
create table effects (
    org_id uuid not null,
    id uuid not null,
    booking_id uuid not null,
    number smallint not null,
    kind text not null check (kind in ('book', 'cancel')),
    supplier text not null,
    -- Who asked for it, for the journal of what comes of it.
    requested_by uuid,
    request jsonb not null,
    state text not null check (state in ('open', 'done', 'refused')),
    sent_at timestamptz not null,
    -- When somebody should look at it again, if nobody has closed it by then.
    due_at timestamptz not null,
    attempts integer not null default 0,
    problem text,
    closed_at timestamptz,
    primary key (org_id, id),
    foreign key (org_id, booking_id, number) references supplier_orders,
    check ((state = 'open') = (closed_at is null))
);
create unique index one_open_effect_per_order on effects (org_id, booking_id, number) where state = 'open';
create index open_effects_due on effects (due_at) where state = 'open';

create table refunds (
    org_id uuid not null,
    id uuid not null,
    booking_id uuid not null,
    wallet_id uuid not null,
    status text not null check (status in ('pending', 'processing', 'refunded', 'failed')),
    currency text not null,
    cancellation_charge numeric not null,
    provider_refund_amount numeric not null,
    platform_charges numeric not null,
    refund_to_wallet numeric not null,
    provider_refund_id text,
    requested_at timestamptz not null,
    refunded_at timestamptz,
    primary key (org_id, id),
    foreign key (org_id, booking_id) references bookings
);
create unique index one_refund_per_booking on refunds (org_id, booking_id) where status <> 'failed';
