delete from exceptions where kind in ('refund_unclear', 'order_unsettled');
alter table exceptions drop constraint exceptions_kind_check;
alter table exceptions
    add constraint exceptions_kind_check check (kind in ('outcome_unknown', 'order_without_booking', 'other_total',
        'penalty_kept', 'cancelled_by_supplier', 'other_refund', 'involuntary_refund', 'travellers_unclear'));
