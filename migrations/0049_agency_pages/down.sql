alter table reports drop column progress;
alter table reports drop column row_count;
drop index events_by_entity;
