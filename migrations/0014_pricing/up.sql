-- Packages are an agency's own markup rules. Amounts are in the agency's currency.
create table packages (
    org_id uuid not null references organizations,
    id uuid not null,
    product text not null check (product in ('flight', 'hotel')),
    name text not null,
    description text not null,
    markup_type text not null check (markup_type in ('flat', 'percent')),
    markup_value numeric not null check (markup_value >= 0),
    markup_apply_on text not null check (markup_apply_on in ('commission', 'fare', 'total')),
    priority integer not null,
    is_active boolean not null,
    created_by uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (org_id, id),
    check (markup_type = 'flat' or markup_value <= 100),
    unique (id, org_id, product),
    foreign key (org_id, created_by) references users
);
create index packages_by_product on packages (org_id, product, id);

-- Price bands of hotel packages: [min_amount, max_amount), null is without end.
create table price_ranges (
    org_id uuid not null,
    id uuid not null,
    package_id uuid not null,
    min_amount numeric not null check (min_amount >= 0),
    max_amount numeric,
    markup_type text not null check (markup_type in ('flat', 'percent')),
    markup_value numeric not null check (markup_value >= 0),
    sort_order integer not null,
    primary key (org_id, id),
    check (max_amount > min_amount),
    check (markup_type = 'flat' or markup_value <= 100),
    unique (package_id, org_id, sort_order),
    foreign key (org_id, package_id) references packages on delete cascade
);

-- One for the agency, and one for each agent, of each product. Who is none: for the agency.
create table package_assignments (
    org_id uuid not null,
    id uuid not null,
    product text not null,
    package_id uuid not null,
    agent_id uuid,
    assigned_by uuid not null,
    assigned_at timestamptz not null,
    primary key (org_id, id),
    foreign key (package_id, org_id, product) references packages (id, org_id, product) on delete cascade,
    foreign key (org_id, agent_id) references users,
    foreign key (org_id, assigned_by) references users
);
create unique index package_of_agency on package_assignments (org_id, product) where agent_id is null;
create unique index package_of_agent on package_assignments (org_id, product, agent_id) where agent_id is not null;
create index package_assignments_by_package on package_assignments (package_id, org_id);

-- A key may be tied to a package too. It refers to none: a package can be deleted, and what was answered stays.
alter table idempotency_keys
    add column made_package_id uuid,
    drop constraint idempotency_keys_made_one_thing,
    add constraint idempotency_keys_made_one_thing check (
        num_nonnulls(effect_id, made_user_id, made_transfer_id, made_package_id) = 1
            and (booking_ref is null) = (effect_id is null)
    );

-- What the operator set for an agency, in its currency: fees, GST on the service fee, charge, bounds of commission.
create table terms (
    org_id uuid primary key references organizations,
    service_fee_type text not null check (service_fee_type in ('flat', 'percent')),
    service_fee_value numeric not null check (service_fee_value >= 0),
    gst_percent numeric not null check (gst_percent between 0 and 100),
    platform_charge numeric not null check (platform_charge >= 0),
    min_commission numeric not null check (min_commission >= 0),
    max_commission numeric not null check (max_commission >= 0),
    updated_at timestamptz not null,
    check (service_fee_type = 'flat' or service_fee_value <= 100),
    check (max_commission = 0 or max_commission >= min_commission)
);

-- What a supplier leaves to the platform where its answers don't say so, by agency: per cent of the base fare, or an
-- amount in the agency's currency. Airline and cabin narrow it; empty is any.
create table contracts (
    org_id uuid not null references organizations,
    supplier text not null,
    airline text not null,
    cabin text not null,
    commission_type text not null check (commission_type in ('flat', 'percent')),
    commission_value numeric not null check (commission_value >= 0),
    updated_at timestamptz not null,
    primary key (org_id, supplier, airline, cabin),
    check (commission_type = 'flat' or commission_value <= 100)
);

-- Units of the second currency for one of the first.
create table exchange_rates (
    from_currency text not null check (from_currency ~ '^[A-Z]{3}$'),
    to_currency text not null check (to_currency ~ '^[A-Z]{3}$'),
    rate numeric not null check (rate > 0),
    -- operator: set by hand; ecb: out of the European Central Bank's daily file.
    source text not null check (source in ('operator', 'ecb')),
    -- The day that the rate is of.
    day date not null,
    updated_at timestamptz not null,
    primary key (from_currency, to_currency, source),
    check (from_currency <> to_currency)
);
