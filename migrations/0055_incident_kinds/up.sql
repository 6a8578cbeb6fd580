-- What comes back of an order can't be told, and an order that its supplier shows as neither confirmed, held nor gone.
alter table exceptions drop constraint exceptions_kind_check;
alter table exceptions
    add constraint exceptions_kind_check check (kind in ('outcome_unknown', 'order_without_booking', 'other_total',
        'penalty_kept', 'cancelled_by_supplier', 'other_refund', 'involuntary_refund', 'travellers_unclear', 'refund_unclear',
        'order_unsettled'));
