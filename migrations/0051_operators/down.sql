alter table exceptions drop constraint claimed_by_somebody;
alter table exceptions drop column resolved_by;
alter table exceptions drop column claimed_at;
alter table exceptions drop column claimed_by;
drop table operator_events;
drop table operator_sessions;
drop table operators;
