-- What moved on the wallet beside the agent fare: seats, bags and meals, those too that were added to the booking later.
alter table fare_transactions add column ancillary numeric not null default 0;

-- What moved with the row.
update fare_transactions f
set ancillary = case e.side when 'debit' then e.amount else -e.amount end - f.agent_fare
from entries e
where (e.org_id, e.transfer_id) = (f.org_id, f.transfer_id) and e.wallet_id is not null
    and case e.side when 'debit' then e.amount else -e.amount end <> f.agent_fare;

-- What was added later stands in the row of the sale, which was written when the booking was confirmed.
update fare_transactions f
set ancillary = f.ancillary + added.amount
from (
    select b.org_id, b.id as booking_id, b.booked_at, sum(e.amount) as amount
    from transfers t
    join bookings b on (b.org_id, b.booking_ref) = (t.org_id, t.reference)
    join entries e on (e.org_id, e.transfer_id) = (t.org_id, t.id) and e.wallet_id is not null
    where t.key like 'service:%'
    group by b.org_id, b.id, b.booked_at
) added
where (f.org_id, f.booking_id, f.issued_at) = (added.org_id, added.booking_id, added.booked_at)
    and f.agent_fare >= 0 and f.ancillary >= 0;
