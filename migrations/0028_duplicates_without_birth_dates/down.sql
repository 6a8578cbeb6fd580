drop index bookings_alike;
create index bookings_alike on bookings (org_id, likeness, created_at);
alter table bookings drop column name_likeness;
