drop table exchange_rates;
drop table contracts;
drop table terms;
delete from idempotency_keys where made_package_id is not null;
alter table idempotency_keys
    drop constraint idempotency_keys_made_one_thing,
    drop column made_package_id,
    add constraint idempotency_keys_made_one_thing check (
        num_nonnulls(effect_id, made_user_id, made_transfer_id) = 1 and (booking_ref is null) = (effect_id is null)
    );
drop table package_assignments;
drop table price_ranges;
drop table packages;
