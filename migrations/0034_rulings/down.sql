drop index exceptions_of_booking;
drop index bookings_by_travel;
drop index supplier_orders_by_ticket;
drop index supplier_orders_by_locator;
alter table exceptions drop column ruling_id;
drop table rulings;
update exceptions set outcome = 'noted' where outcome = 'ruled';
delete from exceptions where kind = 'involuntary_refund';
alter table exceptions
    drop constraint exceptions_kind_check,
    drop constraint exceptions_outcome_check;
alter table exceptions
    add constraint exceptions_kind_check check (kind in ('outcome_unknown', 'order_without_booking', 'other_total',
        'penalty_kept', 'cancelled_by_supplier', 'other_refund')),
    add constraint exceptions_outcome_check check (outcome in ('refused', 'done', 'noted'));
alter table fare_transactions drop column kind, drop column number, drop column supplier_amount;
