drop index events_by_action;
drop index events_by_entity_type;
drop index events_by_actor;
drop table settings;
alter table organizations drop column suppliers, drop column whitelist;
