-- A webhook's turn comes when its lease is over, or if it has none when something is due. `due_at` is empty from the
-- beginning of a turn: what stands there at its end was made due meanwhile.
drop index webhooks_due;
create index webhooks_ready on webhooks ((coalesce(leased_until, due_at))) where is_active;

alter table webhooks
    -- The last event that was written before it was made, and so is not for it: a number, not a time, since the clocks of
    -- two processes differ.
    add column after_position bigint not null default 0,
    -- It was deleted; its deliveries are removed a part at a time.
    add column deleted_at timestamptz;
alter table webhooks alter column after_position set default nextval('public_events_position_seq');

-- What is due at a webhook, longest first.
create index webhook_deliveries_due on webhook_deliveries (org_id, webhook_id, due_at, sequence) where state = 'pending';
create index webhook_deliveries_overdue on webhook_deliveries (give_up_at) where state = 'pending';
create index webhook_deliveries_failed on webhook_deliveries (org_id, webhook_id, sequence desc) where state = 'failed';

-- Rows are removed in the order of time, but written where others were: after a while a BRIN index tells nothing.
drop index webhook_deliveries_by_time;
create index webhook_deliveries_by_time on webhook_deliveries (created_at);
drop index public_events_by_time;
create index public_events_by_time on public_events (created_at);
drop index notifications_by_time;
create index notifications_by_time on notifications (created_at);
