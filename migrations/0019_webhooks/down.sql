delete from idempotency_keys where made_webhook_id is not null;
alter table idempotency_keys
    drop constraint idempotency_keys_made_one_thing,
    drop column made_webhook_id,
    add constraint idempotency_keys_made_one_thing check (
        num_nonnulls(effect_id, made_user_id, made_transfer_id, made_package_id, made_report_id) = 1
            and (booking_ref is null) = (effect_id is null)
    );
drop table webhook_deliveries;
drop table webhooks;
drop table feed_positions;
drop table public_events;
