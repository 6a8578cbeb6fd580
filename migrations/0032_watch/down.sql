drop table supplier_looks;
drop table supplier_sweeps;
drop index supplier_orders_by_id;
drop index orders_not_watched;
-- Of what is watched a server of before would stop the clock at its first look.
update supplier_orders set next_poll_at = null where travel_at is not null or status = 'cancelled';
alter table supplier_orders
    drop column sweep_mark,
    drop column number_missed_at,
    drop column cancel_seen_at,
    drop column looks_failed,
    drop column travel_ends,
    drop column travel_at;
