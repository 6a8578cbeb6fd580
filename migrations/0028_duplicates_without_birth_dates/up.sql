-- Who flies what without the birth dates, for the guard against booking twice: `likeness` is null where one is not known.
alter table bookings add column name_likeness bytea;
drop index bookings_alike;
create index bookings_alike on bookings (org_id, name_likeness, created_at);
