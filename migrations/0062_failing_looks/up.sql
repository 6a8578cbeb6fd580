-- Since when each look at an order has failed, or shown it as neither confirmed, held nor gone: an operator is told when that lasts.
alter table supplier_orders add column failing_since timestamptz;
