drop index idempotency_keys_of_other_work;
-- Bookings whose quotes were removed keep their ids.
alter table bookings add constraint bookings_quote_id_org_id_fkey foreign key (quote_id, org_id) references quotes not valid;
drop table retention;
