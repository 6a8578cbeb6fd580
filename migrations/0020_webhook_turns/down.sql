drop index notifications_by_time;
create index notifications_by_time on notifications using brin (created_at);
drop index public_events_by_time;
create index public_events_by_time on public_events using brin (created_at);
drop index webhook_deliveries_by_time;
create index webhook_deliveries_by_time on webhook_deliveries using brin (created_at);

drop index webhook_deliveries_failed;
drop index webhook_deliveries_overdue;
drop index webhook_deliveries_due;

delete from webhooks where deleted_at is not null;
-- A turn that was taken is over at once, and so is a rest.
update webhooks set due_at = coalesce(due_at, leased_until), leased_until = null;
drop index webhooks_ready;
alter table webhooks
    drop column deleted_at,
    drop column after_position;
create index webhooks_due on webhooks (due_at) where is_active and due_at is not null;
