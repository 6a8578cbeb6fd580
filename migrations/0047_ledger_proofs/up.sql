-- The last proof of the ledger, so that each server can print how old it is and what it found.
create table ledger_proofs (
    what text primary key check (what = 'all'),
    verified_at timestamptz not null,
    wallets bigint not null check (wallets >= 0),
    entries bigint not null check (entries >= 0),
    -- Wallets whose chain is not as it was written.
    wrong_wallets bigint not null check (wrong_wallets >= 0),
    -- These, and whatever else does not agree.
    problems bigint not null check (problems >= wrong_wallets)
);
