drop table refunds;
drop table effects;
drop table supplier_orders;
drop table bookings;
