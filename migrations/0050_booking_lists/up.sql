-- What lists of bookings find by the agency alone: orders that are held now, and refunds that were refused. Both are few, and
-- only they have entries.
create index supplier_orders_held on supplier_orders (org_id) where hold_state = 'held';
create index refunds_refused on refunds (org_id, requested_at) where status = 'failed';
