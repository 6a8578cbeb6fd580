drop table hold_reminders;
drop table booking_holds;
alter table supplier_orders
    drop column price_guaranteed_until,
    drop column pay_by,
    drop column hold_state;
