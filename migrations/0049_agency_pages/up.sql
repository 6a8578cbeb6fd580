-- The history of one thing: what the audit log has of a booking, a user, a package, by its id or reference.
create index events_by_entity on events (entity_id, org_id, id);

-- How far a report is while it is made: how many rows it has, and which share of its period they are of. Nothing of reports
-- of before, and of what can't be known.
alter table reports add column row_count bigint check (row_count >= 0);
alter table reports add column progress smallint check (progress between 0 and 100);
