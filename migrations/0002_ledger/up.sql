create table wallets (
    org_id uuid not null references organizations,
    id uuid not null,
    owner_type text not null check (owner_type in ('org', 'user')),
    owner_id uuid not null,
    currency text not null,
    balance numeric not null,
    held numeric not null check (held >= 0),
    credit_limit numeric not null check (credit_limit >= 0),
    is_active boolean not null,
    -- The number and the seal of the last entry.
    sequence bigint not null,
    head bytea not null check (length(head) = 32),
    primary key (org_id, id),
    unique (org_id, owner_type, owner_id),
    -- Whatever the code does, nobody spends what is not there.
    constraint wallet_is_never_overspent check (balance - held + credit_limit >= 0)
) with (fillfactor = 50);

create table transfers (
    org_id uuid not null references organizations,
    id uuid not null,
    key text not null,
    reason text not null check (reason in ('topup', 'booking', 'refund', 'deduction')),
    reference text,
    description text not null,
    performed_by uuid,
    currency text not null,
    at timestamptz not null,
    primary key (org_id, id),
    unique (org_id, key)
);

-- One row for each leg. Rows of customer wallets are numbered without gaps and sealed into a chain.
create table entries (
    org_id uuid not null,
    transfer_id uuid not null,
    leg smallint not null,
    account text not null,
    side text not null check (side in ('debit', 'credit')),
    amount numeric not null check (amount > 0),
    wallet_id uuid,
    sequence bigint,
    balance_before numeric,
    balance_after numeric,
    previous bytea,
    seal bytea,
    primary key (org_id, transfer_id, leg),
    foreign key (org_id, transfer_id) references transfers,
    foreign key (org_id, wallet_id) references wallets,
    constraint wallet_rows_are_whole check (
        num_nulls(wallet_id, sequence, balance_before, balance_after, previous, seal) in (0, 6)
    ),
    constraint wallet_legs_are_entries check (
        case when account like 'wallet:%' then wallet_id is not null and account = 'wallet:' || wallet_id
             else wallet_id is null end
    ),
    constraint balances_follow check (
        balance_after = balance_before + case side when 'credit' then amount else -amount end
    )
);
create unique index entries_by_wallet on entries (org_id, wallet_id, sequence) where wallet_id is not null;
create index entries_by_account on entries (org_id, account) where wallet_id is null;

-- Money set aside for a purchase. Open while closed_at is null.
create table holds (
    org_id uuid not null,
    id uuid not null,
    wallet_id uuid not null,
    amount numeric not null check (amount >= 0),
    placed_at timestamptz not null,
    closed_at timestamptz,
    outcome text check (outcome in ('posted', 'voided')),
    primary key (org_id, id),
    foreign key (org_id, wallet_id) references wallets,
    check ((closed_at is null) = (outcome is null))
);
create index open_holds on holds (org_id, wallet_id) where closed_at is null;

-- What was written stays: a mistake is reversed by a new transfer.
create function ledger_rows_are_final() returns trigger language plpgsql as $$
begin
    raise exception 'rows of % are never updated or deleted', tg_table_name;
end $$;
create trigger transfers_are_final before update or delete or truncate on transfers
    for each statement execute function ledger_rows_are_final();
create trigger entries_are_final before update or delete or truncate on entries
    for each statement execute function ledger_rows_are_final();
