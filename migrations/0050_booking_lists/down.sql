drop index refunds_refused;
drop index supplier_orders_held;
