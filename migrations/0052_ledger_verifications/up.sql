-- Proofs of the ledger: what each found, and how far one is that runs. `ledger_proofs` still has the last one: servers of before
-- print it, and so do those of this version.
create table ledger_verifications (
    id uuid primary key,
    state text not null check (state in ('running', 'done', 'failed', 'lost')),
    -- The operator who asked for it; none at the command line.
    started_by uuid references operators,
    -- It sees what was committed then.
    started_at timestamptz not null,
    -- What the program was built from that proves.
    commit text not null,
    -- Entries that need not be looked at any more, of all that there should be.
    read bigint not null default 0 check (read >= 0),
    total bigint not null default 0 check (total >= 0),
    -- By the steady clock of who proves, up to the last word of it.
    elapsed_ms bigint not null default 0 check (elapsed_ms >= 0),
    wallets bigint check (wallets >= 0),
    -- How much does not agree, and the first of it.
    found bigint check (found >= 0),
    first_fault text,
    ended_at timestamptz,
    -- Until then whoever proves is believed to live.
    leased_until timestamptz,
    constraint only_what_runs_is_leased check ((state = 'running') = (leased_until is not null)),
    constraint what_runs_has_not_ended check ((state = 'running') = (ended_at is null)),
    constraint what_is_done_has_found check ((state = 'done') = (found is not null and wallets is not null)),
    constraint a_fault_is_of_what_was_found check (first_fault is null or found > 0)
);
-- One at a time.
create unique index ledger_verifications_running on ledger_verifications (state) where state = 'running';
create index ledger_verifications_by_start on ledger_verifications (started_at, id);

insert into ledger_verifications (id, state, started_at, commit, read, total, wallets, found, ended_at)
select gen_random_uuid(), 'done', verified_at, 'unknown', entries, entries, wallets, problems, verified_at from ledger_proofs;
