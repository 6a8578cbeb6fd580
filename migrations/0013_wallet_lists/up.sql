-- What lists of a wallet are filtered by stands on its rows, so that an index can hold it.
alter table entries add column at timestamptz, add column reason text;
alter table entries disable trigger entries_are_final;
update entries e set at = t.at, reason = t.reason from transfers t
    where (t.org_id, t.id) = (e.org_id, e.transfer_id) and e.wallet_id is not null;
alter table entries enable trigger entries_are_final;
alter table entries drop constraint wallet_rows_are_whole;
alter table entries add constraint wallet_rows_are_whole check (
    num_nulls(wallet_id, sequence, balance_before, balance_after, previous, seal, at, reason) in (0, 8)
);
-- Counts, days and filters are read out of the index alone.
create index entries_by_time on entries (org_id, wallet_id, at, sequence) include (side, reason, amount)
    where wallet_id is not null;
-- No booking has a row in it.
create index entries_of_topups on entries (org_id, wallet_id, at) include (side, amount, transfer_id)
    where reason = 'topup';

-- A key may be tied to a transfer too.
alter table idempotency_keys
    add column made_transfer_id uuid,
    add foreign key (org_id, made_transfer_id) references transfers,
    drop constraint idempotency_keys_made_one_thing,
    add constraint idempotency_keys_made_one_thing check (
        num_nonnulls(effect_id, made_user_id, made_transfer_id) = 1 and (booking_ref is null) = (effect_id is null)
    );
