alter table look_to_book rename to looks;
alter table effects rename column saga to chain;
alter index orders_to_poll rename to orders_to_look_at;
alter table supplier_orders rename column poll_count to looks;
alter table supplier_orders rename column next_poll_at to look_at;
