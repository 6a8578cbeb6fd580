-- How far old rows of a kind have been worked off in the order of their ids: what was looked at is not looked at again. Whoever
-- works off holds the row.
create table retention (
    what text primary key,
    up_to uuid not null
);
insert into retention values
    ('quotes', '00000000-0000-0000-0000-000000000000'),
    ('addresses', '00000000-0000-0000-0000-000000000000');

-- A booking that failed frees its quote, which is then removed as others that nobody has booked. Nothing reads it by this.
alter table bookings drop constraint bookings_quote_id_org_id_fkey;

-- Keys of work on bookings are found by their step's id, which tells the time; those of other work are few.
create index idempotency_keys_of_other_work on idempotency_keys (created_at) where effect_id is null;
