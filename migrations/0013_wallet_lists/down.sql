delete from idempotency_keys where made_transfer_id is not null;
alter table idempotency_keys
    drop constraint idempotency_keys_made_one_thing,
    drop column made_transfer_id,
    add constraint idempotency_keys_made_one_thing check (
        num_nonnulls(effect_id, made_user_id) = 1 and (booking_ref is null) = (effect_id is null)
    );

drop index entries_of_topups;
drop index entries_by_time;
alter table entries drop constraint wallet_rows_are_whole;
alter table entries drop column reason, drop column at;
alter table entries add constraint wallet_rows_are_whole check (
    num_nulls(wallet_id, sequence, balance_before, balance_after, previous, seal) in (0, 6)
);
