delete from idempotency_keys where made_report_id is not null;
alter table idempotency_keys
    drop constraint idempotency_keys_made_one_thing,
    drop column made_report_id,
    add constraint idempotency_keys_made_one_thing check (
        num_nonnulls(effect_id, made_user_id, made_transfer_id, made_package_id) = 1
            and (booking_ref is null) = (effect_id is null)
    );
alter table fare_transactions drop column transfer_id;
drop table reports;
