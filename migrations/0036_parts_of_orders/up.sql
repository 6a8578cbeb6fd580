-- What was given back of an order of which more stands: its parts, each with what was paid for it.
alter table supplier_orders add column given_back jsonb;

-- Of which part of its order a refund is; none of one that is of the order as it was sold.
alter table refunds add column part jsonb;

-- Parts of an order come back one after the other: one refund of it is under way, and one is of all of it or of the last part.
drop index one_refund_per_order;
create unique index one_refund_under_way on refunds (booking_id, org_id, number) where status in ('pending', 'processing');
create unique index one_refund_per_order on refunds (booking_id, org_id, number)
    where status = 'refunded' and coalesce((part ->> 'is_last')::boolean, true);
