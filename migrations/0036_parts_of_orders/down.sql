-- Refunds of parts are put together: what came back of an order is one refund again, the last one's.
drop index one_refund_per_order;
drop index one_refund_under_way;
with whole as (
    select org_id, booking_id, number, max(id::text)::uuid as id, sum(cancellation_charge) as charge,
        sum(provider_refund_amount) as provider, sum(platform_charges) as platform, sum(refund_to_wallet) as wallet
    from refunds where status <> 'failed'
    group by org_id, booking_id, number having count(*) > 1
)
update refunds r
set cancellation_charge = w.charge, provider_refund_amount = w.provider, platform_charges = w.platform,
    refund_to_wallet = w.wallet
from whole w where r.org_id = w.org_id and r.id = w.id;
delete from refunds r using refunds later
where r.status <> 'failed' and later.status <> 'failed' and later.id > r.id
    and (later.org_id, later.booking_id, later.number) = (r.org_id, r.booking_id, r.number);
create unique index one_refund_per_order on refunds (booking_id, org_id, number) where status <> 'failed';
alter table refunds drop column part;
alter table supplier_orders drop column given_back;
