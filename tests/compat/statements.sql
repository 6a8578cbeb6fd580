-- What servers of version 0.2.0 (4af9ed1a) prepare: 606 statements, each with the types of its parameters and of its
-- columns. Written by `just record-statements` and never edited; `migrations/README.md` says when it is recorded anew
-- and what it can't show.

-- takes uuid, timestamp with time zone, timestamp with time zone
-- gives id uuid

        select e.booking_id as id from effects e where e.org_id = $1 and e.state in ('planned', 'open')
        union select c.booking_id from order_changes c where c.org_id = $1 and c.state = 'open' and c.place > 0
        union select r.booking_id from refunds r where r.org_id = $1 and r.status = 'failed' and r.requested_at >= $2
        union select o.booking_id from supplier_orders o
        where o.org_id = $1 and o.hold_state = 'held' and (o.pay_by is null or o.pay_by <= $3)
            and not coalesce((select h.auto_ticket_since is not null from booking_holds h
                where h.booking_id = o.booking_id and h.org_id = o.org_id), false);

-- takes
-- gives supplier text, balance numeric, credit numeric, currency text, seen_at timestamp with time zone, stated boolean, warn_below numeric, stop_below numeric, closed_at timestamp with time zone, closed_reason text, needed numeric, needed_currency text, spent numeric

    select accounts.supplier, accounts.balance, accounts.credit, accounts.currency, accounts.seen_at, accounts.stated,
        accounts.warn_below, accounts.stop_below, accounts.closed_at, accounts.closed_reason, accounts.needed,
        accounts.needed_currency, coalesce((
        select sum((orders.content -> 'total' ->> 'amount')::numeric)
        from bookings
        join supplier_orders orders on orders.org_id = bookings.org_id and orders.booking_id = bookings.id
        where accounts.stated and bookings.created_at >= accounts.seen_at
            and orders.supplier = accounts.supplier and orders.status = 'confirmed'
            and orders.content -> 'total' ->> 'currency' = accounts.currency
    ), 0) as spent
    from supplier_accounts accounts order by accounts.supplier;

-- takes text
-- gives supplier text, balance numeric, credit numeric, currency text, seen_at timestamp with time zone, stated boolean, warn_below numeric, stop_below numeric, closed_at timestamp with time zone, closed_reason text, needed numeric, needed_currency text, spent numeric

    select accounts.supplier, accounts.balance, accounts.credit, accounts.currency, accounts.seen_at, accounts.stated,
        accounts.warn_below, accounts.stop_below, accounts.closed_at, accounts.closed_reason, accounts.needed,
        accounts.needed_currency, coalesce((
        select sum((orders.content -> 'total' ->> 'amount')::numeric)
        from bookings
        join supplier_orders orders on orders.org_id = bookings.org_id and orders.booking_id = bookings.id
        where accounts.stated and bookings.created_at >= accounts.seen_at
            and orders.supplier = accounts.supplier and orders.status = 'confirmed'
            and orders.content -> 'total' ->> 'currency' = accounts.currency
    ), 0) as spent
    from supplier_accounts accounts where accounts.supplier = $1;

-- takes uuid, timestamp with time zone, timestamp with time zone, uuid, text, text, text
-- gives booking_ref text, product text, status text, provider text, pnr text, agent_id uuid, agent_name text, origin text, destination text, hotel_name text, check_in date, check_out date, passenger_count integer, base_fare numeric, public_fare numeric, amount numeric, paid numeric, refunded numeric, currency text, created_at timestamp with time zone, booked_at timestamp with time zone, cancelled_at timestamp with time zone, failure text

    select b.booking_ref as booking_ref, b.product as product, b.status as status, b.provider as provider, b.pnr as pnr, b.user_id as agent_id, b.user_name as agent_name, b.origin as origin, b.destination as destination, b.product_content ->> 'hotel_name' as hotel_name, (b.product_content ->> 'check_in')::date as check_in, (b.product_content ->> 'check_out')::date as check_out, b.passenger_count as passenger_count, b.base_fare as base_fare, b.public_fare as public_fare, b.amount as amount, case when b.status in ('confirmed', 'cancelled') then b.amount else 0 end
            + (select coalesce(-sum(u.moved), 0) from rulings u
               where (u.booking_id, u.org_id) = (b.id, b.org_id) and u.kind = 'debit_note') as paid, (select coalesce(sum(r.refund_to_wallet), 0) from refunds r
             where (r.org_id, r.booking_id) = (b.org_id, b.id) and r.status = 'refunded')
            + (select coalesce(sum(u.moved), 0) from rulings u
               where (u.booking_id, u.org_id) = (b.id, b.org_id) and u.kind = 'refund') as refunded, b.currency as currency, b.created_at as created_at, b.booked_at as booked_at, b.cancelled_at as cancelled_at, b.failure as failure
    from bookings b
    where b.org_id = $1 and b.product in ('flight', 'hotel') and b.created_at >= $2 and b.created_at < $3
        and ($4 is null or b.user_id = $4) and ($5 is null or b.status = $5) and ($6 is null or b.product = $6)
        and ($7 is null or b.provider = $7)
    order by b.created_at desc, b.id desc;

-- takes uuid, uuid[]
-- gives transfer_id uuid, user_id uuid, name text

    select e.transfer_id, u.id as user_id, u.name
    from (select org_id, transfer_id, wallet_id from entries
        where org_id = $1 and transfer_id = any($2) offset 0) e
    join wallets w on w.org_id = e.org_id and w.id = e.wallet_id and w.owner_type = 'user'
    join users u on u.org_id = w.org_id and u.id = w.owner_id
    where exists (select from entries o where o.org_id = e.org_id and o.transfer_id = e.transfer_id
        and o.wallet_id <> e.wallet_id);

-- takes uuid, uuid, uuid
-- gives line jsonb

    select jsonb_build_object('at', h.at, 'what', h.what) || jsonb_strip_nulls(h.rest) as line from (
        select e.sent_at as at, 'step' as what, jsonb_build_object('order', e.number, 'kind', e.kind, 'id', e.id,
            'supplier', e.supplier, 'state', e.state, 'looked_up', e.attempts, 'problem', e.problem,
            'closed_at', e.closed_at) as rest
        from effects e where e.booking_id = $1 and e.org_id = $2
        union all select h.placed_at, 'hold', jsonb_build_object('amount', h.amount, 'outcome', h.outcome,
            'closed_at', h.closed_at)
        from holds h join bookings b on (b.hold_id, b.org_id) = (h.id, h.org_id) where b.id = $1 and b.org_id = $2
        union all select t.at, 'transfer', jsonb_build_object('key', t.key, 'reason', t.reason,
            'description', t.description, 'currency', t.currency, 'legs',
            (select jsonb_agg(concat_ws(' ', n.account, n.side, n.amount) order by n.leg) from entries n
             where (n.transfer_id, n.org_id) = (t.id, t.org_id)))
        from transfers t where t.org_id = $2 and t.key = any (
            select 'booking:' || $1 union all
            select 'service:' || e.id from effects e where e.booking_id = $1 and e.org_id = $2 union all
            select 'change:' || e.id from effects e where e.booking_id = $1 and e.org_id = $2 union all
            select 'refund:' || r.id from refunds r where r.booking_id = $1 and r.org_id = $2 union all
            select 'ruling:' || u.id from rulings u where u.booking_id = $1 and u.org_id = $2)
        union all select f.issued_at, 'fare', jsonb_build_object('kind', f.kind, 'order', f.number,
            'provider', f.provider, 'public_fare', f.public_fare, 'agent_fare', f.agent_fare,
            'ancillary', f.ancillary, 'agent_commission', f.agent_commission, 'markup', f.markup,
            'supplier_amount', f.supplier_amount, 'currency', f.currency)
        from bookings b join fare_transactions f on f.org_id = b.org_id and f.issued_at >= b.created_at
            and f.booking_id = b.id
        where b.id = $1 and b.org_id = $2
        union all select r.requested_at, 'refund', jsonb_build_object('order', r.number, 'status', r.status,
            'refund_to_wallet', r.refund_to_wallet, 'cancellation_charge', r.cancellation_charge,
            'provider_refund_id', r.provider_refund_id, 'refunded_at', r.refunded_at, 'currency', r.currency)
        from refunds r where r.booking_id = $1 and r.org_id = $2
        union all select x.raised_at, 'incident', jsonb_build_object('id', x.id, 'kind', x.kind, 'problem', x.problem,
            'details', x.details, 'outcome', x.outcome, 'note', x.note, 'closed_by', x.closed_by,
            'closed_at', x.closed_at)
        from exceptions x where x.booking_id = $1 and x.org_id = $2
        union all select u.ruled_at, 'ruling', jsonb_build_object('id', u.id, 'order', u.number, 'kind', u.kind,
            'state', case when u.withdrawn_at is null then u.state else 'withdrawn' end, 'amount', u.amount,
            'currency', u.currency, 'moved', u.moved, 'fees', u.fees,
            'note', u.note, 'by', u.ruled_by, 'collected_at', u.collected_at)
        from rulings u where u.booking_id = $1 and u.org_id = $2
        union all select c.found_at, 'airline_change', jsonb_build_object('order', c.number, 'id', c.id, 'kind', c.kind,
            'minutes', c.minutes, 'state', c.state, 'supplier_change_id', c.supplier_change_id,
            'before', (select coalesce(jsonb_agg(concat_ws(' ', (f.flight ->> 'airline') || (f.flight ->> 'flight_number'),
    f.flight ->> 'origin', f.flight ->> 'destination', f.flight ->> 'departure') order by f.place), '[]')
    from jsonb_array_elements(c.before) with ordinality f(flight, place)), 'after', (select coalesce(jsonb_agg(concat_ws(' ', (f.flight ->> 'airline') || (f.flight ->> 'flight_number'),
    f.flight ->> 'origin', f.flight ->> 'destination', f.flight ->> 'departure') order by f.place), '[]')
    from jsonb_array_elements(c.after) with ordinality f(flight, place)), 'actions', c.actions, 'decide_by', c.decide_by,
            'decided_at', c.decided_at, 'decided_by', c.decided_by, 'step', c.effect_id)
        from order_changes c where c.booking_id = $1 and c.org_id = $2
        union all select v.created_at, 'event', jsonb_build_object('action', v.action, 'by', v.actor_type,
            'user_id', v.actor_id, 'value', v.new_value)
        from bookings b join events v on v.org_id = b.org_id and v.id >= $3 and v.entity_type = 'booking'
            and v.entity_id = b.booking_ref
        where b.id = $1 and b.org_id = $2) h
    order by h.at, h.what;

-- takes uuid, uuid
-- gives line jsonb

    select jsonb_build_object('booking_ref', b.booking_ref, 'agent_id', a.agent_id, 'product', b.product, 'status', b.status,
    'provider', b.provider, 'pnr', b.pnr, 'booked_by', b.user_name, 'route', b.origin || ' ' || b.destination,
    'amount', b.amount, 'currency', b.currency, 'created_at', b.created_at, 'agency', a.name, 'public_fare', b.public_fare, 'failure', b.failure,
        'booked_at', b.booked_at, 'cancelled_at', b.cancelled_at,
        'orders', (select coalesce(jsonb_agg(jsonb_build_object('order', o.number, 'reference', o.reference,
                'supplier', o.supplier, 'status', o.status, 'order_id', o.supplier_order_id,
                'locators', (select coalesce(jsonb_agg(l.locator order by l.place), '[]') from (
                    select e.locator, min(e.place) as place from jsonb_array_elements((jsonb_path_query_array(o.content, '$.pnr') || jsonb_path_query_array(o.content, '$.airline_pnr')
    || jsonb_path_query_array(o.content, '$.locators[*].pnr') || jsonb_path_query_array(o.content, '$.confirmation')
    || jsonb_path_query_array(o.content, '$.hotel_numbers[*].number'))) with ordinality e(locator, place)
                    where e.locator not in ('null', '""') group by e.locator) l),
                'tickets', jsonb_path_query_array(o.content, '$.tickets[*].number'), 'total', o.content -> 'total',
                'looked_at_next', o.next_poll_at, 'updated_at', o.updated_at) order by o.number), '[]')
            from supplier_orders o where (o.booking_id, o.org_id) = (b.id, b.org_id))) as line
    from bookings b join organizations a on a.id = b.org_id
    where b.id = $1 and b.org_id = $2;

-- takes uuid, timestamp with time zone, timestamp with time zone, uuid, text, text, text, text
-- gives id uuid, date timestamp with time zone, type text, booking_ref text, product text, booking_status text, provider text, pnr text, agent_id uuid, agent_name text, amount numeric, agent_fare numeric, ancillary numeric, public_fare numeric, agent_commission numeric, markup numeric, currency text

    select s.id as id, s.at as date, case s.reason when 'refund' then 'refund' else 'charge' end as type, s.booking_ref as booking_ref, b.product as product, b.status as booking_status, b.provider as provider, b.pnr as pnr, b.user_id as agent_id, b.user_name as agent_name, s.amount as amount, s.agent_fare as agent_fare, s.amount - s.agent_fare as ancillary, s.public_fare as public_fare, s.agent_commission as agent_commission, s.markup as markup, b.currency as currency from (
        select t.id, e.at, e.reason, t.reference as booking_ref,
            case e.side when 'debit' then e.amount else -e.amount end as amount,
            f.public_fare, f.agent_fare, f.agent_commission, f.markup
        from wallets w
        join entries e on (e.org_id, e.wallet_id) = (w.org_id, w.id)
            and e.reason in ('booking', 'refund', 'deduction') and e.at >= $2 and e.at < $3
        join transfers t on (t.org_id, t.id) = (e.org_id, e.transfer_id)
            and (e.reason <> 'deduction' or t.key like 'ruling:%')
        cross join lateral (
            select coalesce(sum(f.public_fare), 0) as public_fare, coalesce(sum(f.agent_fare), 0) as agent_fare,
                coalesce(sum(f.agent_commission), 0) as agent_commission, coalesce(sum(f.markup), 0) as markup
            from fare_transactions f
            where f.org_id = e.org_id and f.issued_at = e.at and f.transfer_id = t.id) f
        where w.org_id = $1
        union all
        select f.id, f.issued_at, case when f.issued_at = b.booked_at then 'booking' else 'refund' end, f.booking_ref,
            0, f.public_fare, f.agent_fare, f.agent_commission, f.markup
        from fare_transactions f join bookings b on (b.org_id, b.id) = (f.org_id, f.booking_id)
        where f.org_id = $1 and f.transfer_id is null and f.issued_at >= $2 and f.issued_at < $3
    ) s
    join bookings b on b.org_id = $1 and b.booking_ref = s.booking_ref
    where ($4 is null or b.user_id = $4) and ($5 is null or b.status = $5) and ($6 is null or b.product = $6)
        and ($7 is null or b.provider = $7) and ($8 is null or s.reason = $8)
    order by s.at desc, s.id desc;

-- takes boolean, bigint, bigint, text, uuid, timestamp with time zone
-- gives org_id uuid, id uuid, booking_id uuid, kind text, problem text, details jsonb, raised_at timestamp with time zone, outcome text, order_id text, note text, closed_at timestamp with time zone, closed_by text, claimed_by uuid, claimed_at timestamp with time zone, claimed_by_name text, claimed_by_username text, resolved_by_name text, agency_name text, agent_id text, booking_ref text, status text, currency text, held numeric, effect_id uuid, number smallint, effect_kind text, supplier text, sent_at timestamp with time zone, attempts integer, effect_problem text, reference text, supplier_order_id text

    select x.org_id, x.id, x.booking_id, x.kind, x.problem, x.details, x.raised_at, x.outcome, x.order_id, x.note,
        x.closed_at, x.closed_by, x.claimed_by, x.claimed_at, coalesce(c.name, '') as claimed_by_name,
        coalesce(c.username, '') as claimed_by_username, r.name as resolved_by_name, a.name as agency_name, a.agent_id,
        b.booking_ref, b.status, b.currency,
        case when h.closed_at is null then h.amount else 0 end as held,
        e.id as effect_id, e.number, e.kind as effect_kind, e.supplier, e.sent_at, e.attempts, e.problem as effect_problem,
        o.reference, o.supplier_order_id
    from exceptions x
    join organizations a on a.id = x.org_id
    join bookings b on (b.org_id, b.id) = (x.org_id, x.booking_id)
    join holds h on (h.org_id, h.id) = (b.org_id, b.hold_id)
    left join operators c on c.id = x.claimed_by
    left join operators r on r.id = x.resolved_by
    left join effects e on (e.org_id, e.id) = (x.org_id, x.effect_id)
    left join supplier_orders o on (o.org_id, o.booking_id, o.number) = (e.org_id, e.booking_id, e.number) where (x.closed_at is null or $1) and ($4 is null or x.kind = $4) and ($5 is null or x.org_id = $5)
         and ($6 is null or x.raised_at < $6)
         order by x.id asc limit $2 offset $3;

-- takes boolean, bigint, bigint, text, uuid, timestamp with time zone
-- gives org_id uuid, id uuid, booking_id uuid, kind text, problem text, details jsonb, raised_at timestamp with time zone, outcome text, order_id text, note text, closed_at timestamp with time zone, closed_by text, claimed_by uuid, claimed_at timestamp with time zone, claimed_by_name text, claimed_by_username text, resolved_by_name text, agency_name text, agent_id text, booking_ref text, status text, currency text, held numeric, effect_id uuid, number smallint, effect_kind text, supplier text, sent_at timestamp with time zone, attempts integer, effect_problem text, reference text, supplier_order_id text

    select x.org_id, x.id, x.booking_id, x.kind, x.problem, x.details, x.raised_at, x.outcome, x.order_id, x.note,
        x.closed_at, x.closed_by, x.claimed_by, x.claimed_at, coalesce(c.name, '') as claimed_by_name,
        coalesce(c.username, '') as claimed_by_username, r.name as resolved_by_name, a.name as agency_name, a.agent_id,
        b.booking_ref, b.status, b.currency,
        case when h.closed_at is null then h.amount else 0 end as held,
        e.id as effect_id, e.number, e.kind as effect_kind, e.supplier, e.sent_at, e.attempts, e.problem as effect_problem,
        o.reference, o.supplier_order_id
    from exceptions x
    join organizations a on a.id = x.org_id
    join bookings b on (b.org_id, b.id) = (x.org_id, x.booking_id)
    join holds h on (h.org_id, h.id) = (b.org_id, b.hold_id)
    left join operators c on c.id = x.claimed_by
    left join operators r on r.id = x.resolved_by
    left join effects e on (e.org_id, e.id) = (x.org_id, x.effect_id)
    left join supplier_orders o on (o.org_id, o.booking_id, o.number) = (e.org_id, e.booking_id, e.number) where (x.closed_at is null or $1) and ($4 is null or x.kind = $4) and ($5 is null or x.org_id = $5)
         and ($6 is null or x.raised_at < $6)
         order by x.id desc limit $2 offset $3;

-- takes uuid
-- gives org_id uuid, id uuid, booking_id uuid, kind text, problem text, details jsonb, raised_at timestamp with time zone, outcome text, order_id text, note text, closed_at timestamp with time zone, closed_by text, claimed_by uuid, claimed_at timestamp with time zone, claimed_by_name text, claimed_by_username text, resolved_by_name text, agency_name text, agent_id text, booking_ref text, status text, currency text, held numeric, effect_id uuid, number smallint, effect_kind text, supplier text, sent_at timestamp with time zone, attempts integer, effect_problem text, reference text, supplier_order_id text

    select x.org_id, x.id, x.booking_id, x.kind, x.problem, x.details, x.raised_at, x.outcome, x.order_id, x.note,
        x.closed_at, x.closed_by, x.claimed_by, x.claimed_at, coalesce(c.name, '') as claimed_by_name,
        coalesce(c.username, '') as claimed_by_username, r.name as resolved_by_name, a.name as agency_name, a.agent_id,
        b.booking_ref, b.status, b.currency,
        case when h.closed_at is null then h.amount else 0 end as held,
        e.id as effect_id, e.number, e.kind as effect_kind, e.supplier, e.sent_at, e.attempts, e.problem as effect_problem,
        o.reference, o.supplier_order_id
    from exceptions x
    join organizations a on a.id = x.org_id
    join bookings b on (b.org_id, b.id) = (x.org_id, x.booking_id)
    join holds h on (h.org_id, h.id) = (b.org_id, b.hold_id)
    left join operators c on c.id = x.claimed_by
    left join operators r on r.id = x.resolved_by
    left join effects e on (e.org_id, e.id) = (x.org_id, x.effect_id)
    left join supplier_orders o on (o.org_id, o.booking_id, o.number) = (e.org_id, e.booking_id, e.number) where x.id = $1;

-- takes uuid, uuid
-- gives org_id uuid, id uuid, booking_id uuid, kind text, problem text, details jsonb, raised_at timestamp with time zone, outcome text, order_id text, note text, closed_at timestamp with time zone, closed_by text, claimed_by uuid, claimed_at timestamp with time zone, claimed_by_name text, claimed_by_username text, resolved_by_name text, agency_name text, agent_id text, booking_ref text, status text, currency text, held numeric, effect_id uuid, number smallint, effect_kind text, supplier text, sent_at timestamp with time zone, attempts integer, effect_problem text, reference text, supplier_order_id text

    select x.org_id, x.id, x.booking_id, x.kind, x.problem, x.details, x.raised_at, x.outcome, x.order_id, x.note,
        x.closed_at, x.closed_by, x.claimed_by, x.claimed_at, coalesce(c.name, '') as claimed_by_name,
        coalesce(c.username, '') as claimed_by_username, r.name as resolved_by_name, a.name as agency_name, a.agent_id,
        b.booking_ref, b.status, b.currency,
        case when h.closed_at is null then h.amount else 0 end as held,
        e.id as effect_id, e.number, e.kind as effect_kind, e.supplier, e.sent_at, e.attempts, e.problem as effect_problem,
        o.reference, o.supplier_order_id
    from exceptions x
    join organizations a on a.id = x.org_id
    join bookings b on (b.org_id, b.id) = (x.org_id, x.booking_id)
    join holds h on (h.org_id, h.id) = (b.org_id, b.hold_id)
    left join operators c on c.id = x.claimed_by
    left join operators r on r.id = x.resolved_by
    left join effects e on (e.org_id, e.id) = (x.org_id, x.effect_id)
    left join supplier_orders o on (o.org_id, o.booking_id, o.number) = (e.org_id, e.booking_id, e.number) where x.org_id = $1 and x.booking_id = $2 and x.closed_at is null order by x.id;

-- takes uuid, timestamp with time zone, timestamp with time zone, uuid
-- gives agent_id uuid, username text, agent_name text, role text, bookings bigint, pending bigint, confirmed bigint, cancelled bigint, failed bigint, flights bigint, hotels bigint, paid numeric, refunded numeric, net numeric, public_fare numeric, agent_fare numeric, agent_commission numeric, markup numeric, currency text

    with made as (
        select user_id, count(*) as bookings, count(*) filter (where status = 'pending') as pending,
            count(*) filter (where status = 'confirmed') as confirmed,
            count(*) filter (where status = 'cancelled') as cancelled,
            count(*) filter (where status = 'failed') as failed,
            count(*) filter (where product = 'flight') as flights,
            count(*) filter (where product = 'hotel') as hotels
        from bookings where org_id = $1 and product in ('flight', 'hotel') and created_at >= $2 and created_at < $3 group by user_id),
    moved as (
        select b.user_id, sum(e.amount) filter (where e.side = 'debit') as paid,
            sum(e.amount) filter (where e.side = 'credit') as refunded
        from wallets w
        join entries e on (e.org_id, e.wallet_id) = (w.org_id, w.id)
            and e.reason in ('booking', 'refund', 'deduction') and e.at >= $2 and e.at < $3
        join transfers t on (t.org_id, t.id) = (e.org_id, e.transfer_id)
            and (e.reason <> 'deduction' or t.key like 'ruling:%')
        join bookings b on b.org_id = t.org_id and b.booking_ref = t.reference
        where w.org_id = $1 group by b.user_id),
    earned as (
        select user_id, sum(public_fare) as public_fare, sum(agent_fare) as agent_fare,
            sum(agent_commission) as agent_commission, sum(markup) as markup
        from fare_transactions where org_id = $1 and issued_at >= $2 and issued_at < $3 group by user_id)
    select u.id as agent_id, u.username as username, u.name as agent_name, u.role as role, coalesce(bookings, 0) as bookings, coalesce(pending, 0) as pending, coalesce(confirmed, 0) as confirmed, coalesce(cancelled, 0) as cancelled, coalesce(failed, 0) as failed, coalesce(flights, 0) as flights, coalesce(hotels, 0) as hotels, coalesce(paid, 0) as paid, coalesce(refunded, 0) as refunded, coalesce(paid, 0) - coalesce(refunded, 0) as net, coalesce(public_fare, 0) as public_fare, coalesce(agent_fare, 0) as agent_fare, coalesce(agent_commission, 0) as agent_commission, coalesce(markup, 0) as markup, o.currency as currency
    from users u
    join organizations o on o.id = u.org_id
    left join made on made.user_id = u.id
    left join moved on moved.user_id = u.id
    left join earned on earned.user_id = u.id
    where u.org_id = $1 and ($4 is null or u.id = $4)
        and (u.id = $4 or u.role = 'agent' and u.deleted_at is null
             or made.user_id is not null or moved.user_id is not null or earned.user_id is not null)
    order by u.name, u.id;

-- takes uuid, uuid
-- gives
DELETE FROM "booking_names" WHERE (("booking_names"."org_id" = $1) AND ("booking_names"."booking_id" = $2));

-- takes uuid, text, text, text
-- gives
DELETE FROM "contracts" WHERE (("contracts"."org_id" = $1) AND (("contracts"."supplier" = $2) AND (("contracts"."airline" = $3) AND ("contracts"."cabin" = $4))));

-- takes text
-- gives
DELETE FROM "exchange_rates" WHERE ("exchange_rates"."source" = $1);

-- takes text, text, text
-- gives rate numeric
DELETE FROM "exchange_rates" WHERE (("exchange_rates"."from_currency" = $1) AND (("exchange_rates"."to_currency" = $2) AND ("exchange_rates"."source" = $3))) RETURNING "exchange_rates"."rate";

-- takes uuid, uuid
-- gives
DELETE FROM "hold_reminders" WHERE ((("hold_reminders"."org_id" = $1) AND ("hold_reminders"."booking_id" = $2)) AND ("hold_reminders"."told_at" IS NULL));

-- takes uuid
-- gives
DELETE FROM "operator_sessions" WHERE ("operator_sessions"."operator_id" = $1);

-- takes uuid, uuid
-- gives
DELETE FROM "operator_sessions" WHERE (("operator_sessions"."id" = $1) AND ("operator_sessions"."operator_id" = $2));

-- takes uuid, uuid
-- gives
DELETE FROM "package_assignments" WHERE (("package_assignments"."org_id" = $1) AND ("package_assignments"."agent_id" = $2));

-- takes uuid, text, uuid
-- gives package_id uuid
DELETE FROM "package_assignments" WHERE ((("package_assignments"."org_id" = $1) AND ("package_assignments"."product" = $2)) AND ("package_assignments"."agent_id" IS NOT DISTINCT FROM $3)) RETURNING "package_assignments"."package_id";

-- takes uuid, uuid
-- gives
DELETE FROM "packages" WHERE (("packages"."org_id" = $1) AND ("packages"."id" = $2));

-- takes uuid, uuid
-- gives
DELETE FROM "price_ranges" WHERE (("price_ranges"."org_id" = $1) AND ("price_ranges"."package_id" = $2));

-- takes uuid, uuid, timestamp with time zone
-- gives
DELETE FROM "sessions" WHERE ((("sessions"."org_id" = $1) AND ("sessions"."user_id" = $2)) AND ("sessions"."expires_at" <= $3));

-- takes uuid, uuid
-- gives
DELETE FROM "supplier_answers" WHERE (("supplier_answers"."org_id" = $1) AND ("supplier_answers"."booking_id" = $2));

-- takes uuid, text, text, text, text, numeric, timestamp with time zone, text, numeric, timestamp with time zone
-- gives
INSERT INTO "contracts" ("org_id", "supplier", "airline", "cabin", "commission_type", "commission_value", "updated_at") VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT ("org_id", "supplier", "airline", "cabin") DO UPDATE SET "commission_type" = $8, "commission_value" = $9, "updated_at" = $10;

-- takes uuid, uuid, uuid, uuid, text, text, jsonb, timestamp with time zone
-- gives
INSERT INTO "exceptions" ("org_id", "id", "booking_id", "effect_id", "kind", "problem", "details", "raised_at") VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING;

-- takes text, text, numeric, text, date, timestamp with time zone
-- gives
INSERT INTO "exchange_rates" ("from_currency", "to_currency", "rate", "source", "day", "updated_at") VALUES ($1, $2, $3, $4, $5, $6);

-- takes uuid
-- gives
INSERT INTO "feed_positions" ("org_id") VALUES ($1) ON CONFLICT DO NOTHING;

-- takes uuid, uuid, smallint, text, timestamp with time zone
-- gives
INSERT INTO "hold_reminders" ("org_id", "booking_id", "number", "kind", "due_at") VALUES ($1, $2, $3, $4, $5);

-- takes uuid, uuid, text, uuid, jsonb, text, timestamp with time zone
-- gives
INSERT INTO "operator_events" ("id", "actor_id", "action", "operator_id", "value", "address", "created_at") VALUES ($1, $2, $3, $4, $5, $6, $7);

-- takes uuid, bytea, uuid, integer, timestamp with time zone, timestamp with time zone, timestamp with time zone, timestamp with time zone, text, text
-- gives
INSERT INTO "operator_sessions" ("id", "token_hash", "operator_id", "session_epoch", "created_at", "idle_until", "ends_at", "confirmed_at", "user_agent", "address") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);

-- takes uuid, text, text, text, text, text, text, integer, timestamp with time zone
-- gives
INSERT INTO "operators" ("id", "username", "name", "password_hash", "given_password_hash", "role", "status", "session_epoch", "created_at") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING;

-- takes uuid, text, text, text, text, text, text, text, text, text, boolean, text, text, timestamp with time zone, timestamp with time zone, text[]
-- gives
INSERT INTO "organizations" ("id", "agent_id", "name", "slug", "email", "phone", "address", "country", "subscription_type", "status", "ip_whitelist_enabled", "currency", "timezone", "created_at", "updated_at", "whitelist", "suppliers") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, DEFAULT);

-- takes uuid, uuid, text, uuid, uuid, uuid, timestamp with time zone
-- gives
INSERT INTO "package_assignments" ("org_id", "id", "product", "package_id", "agent_id", "assigned_by", "assigned_at") VALUES ($1, $2, $3, $4, $5, $6, $7);

-- takes uuid, uuid, text, text, text, text, numeric, text, integer, boolean, uuid, timestamp with time zone, timestamp with time zone
-- gives
INSERT INTO "packages" ("org_id", "id", "product", "name", "description", "markup_type", "markup_value", "markup_apply_on", "priority", "is_active", "created_by", "created_at", "updated_at") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13);

-- takes uuid, uuid, text, timestamp with time zone
-- gives
INSERT INTO "people_erasures" ("org_id", "booking_id", "kind", "at") VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING;

-- takes uuid, uuid, uuid, numeric, numeric, text, numeric, integer
-- gives
INSERT INTO "price_ranges" ("org_id", "id", "package_id", "min_amount", "max_amount", "markup_type", "markup_value", "sort_order") VALUES ($1, $2, $3, $4, $5, $6, $7, $8);

-- takes uuid, uuid, uuid, numeric, numeric, text, numeric, integer, uuid, uuid, uuid, numeric, text, numeric, integer
-- gives
INSERT INTO "price_ranges" ("org_id", "id", "package_id", "min_amount", "max_amount", "markup_type", "markup_value", "sort_order") VALUES ($1, $2, $3, $4, $5, $6, $7, $8), ($9, $10, $11, $12, DEFAULT, $13, $14, $15);

-- takes uuid, uuid, uuid, numeric, text, numeric, integer
-- gives
INSERT INTO "price_ranges" ("org_id", "id", "package_id", "min_amount", "max_amount", "markup_type", "markup_value", "sort_order") VALUES ($1, $2, $3, $4, DEFAULT, $5, $6, $7);

-- takes uuid, uuid, uuid, numeric, text, numeric, integer, uuid, uuid, uuid, numeric, numeric, text, numeric, integer
-- gives
INSERT INTO "price_ranges" ("org_id", "id", "package_id", "min_amount", "max_amount", "markup_type", "markup_value", "sort_order") VALUES ($1, $2, $3, $4, DEFAULT, $5, $6, $7), ($8, $9, $10, $11, $12, $13, $14, $15);

-- takes uuid, uuid, uuid, text, text, text, timestamp with time zone, timestamp with time zone
-- gives
INSERT INTO "quotes" ("org_id", "id", "user_id", "product", "body", "catalog", "created_at", "expires_at") VALUES ($1, $2, $3, $4, $5, $6, $7, $8);

-- takes uuid, uuid, uuid, bytea, timestamp with time zone, timestamp with time zone
-- gives
INSERT INTO "refresh_tokens" ("org_id", "id", "session_id", "token_hash", "created_at", "expires_at") VALUES ($1, $2, $3, $4, $5, $6);

-- takes uuid, uuid, uuid, smallint, uuid, text, timestamp with time zone, text, numeric, numeric, numeric, numeric, text, timestamp with time zone, jsonb
-- gives
INSERT INTO "refunds" ("org_id", "id", "booking_id", "number", "wallet_id", "currency", "requested_at", "status", "cancellation_charge", "provider_refund_amount", "platform_charges", "refund_to_wallet", "provider_refund_id", "refunded_at", "part") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15);

-- takes uuid, uuid, uuid, text, text, jsonb, timestamp with time zone, timestamp with time zone, text, timestamp with time zone, timestamp with time zone
-- gives
INSERT INTO "reports" ("org_id", "id", "user_id", "scope", "type", "filters", "period_start", "period_end", "status", "due_at", "created_at") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);

-- takes uuid, uuid, uuid, smallint, uuid, text, text, numeric, text, numeric, text, text, boolean, text, text, uuid, text, timestamp with time zone, timestamp with time zone
-- gives
INSERT INTO "rulings" ("org_id", "id", "booking_id", "number", "exception_id", "kind", "state", "amount", "currency", "moved", "moved_currency", "fees", "from_loss", "note", "key", "transfer_id", "ruled_by", "ruled_at", "collected_at") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19);

-- takes uuid, uuid, uuid, integer, timestamp with time zone, timestamp with time zone, bytea, timestamp with time zone, text, text
-- gives
INSERT INTO "sessions" ("org_id", "id", "user_id", "session_epoch", "created_at", "expires_at", "token_hash", "idle_until", "user_agent", "address") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);

-- takes uuid, uuid, text, text, timestamp with time zone, timestamp with time zone, text, timestamp with time zone
-- gives
INSERT INTO "settings" ("org_id", "id", "key", "value", "created_at", "updated_at") VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT ("org_id", "key") DO UPDATE SET "value" = $7, "updated_at" = $8;

-- takes uuid, text, numeric, numeric, numeric, numeric, numeric, timestamp with time zone, text, numeric, numeric, numeric, numeric, numeric, timestamp with time zone
-- gives
INSERT INTO "terms" ("org_id", "service_fee_type", "service_fee_value", "gst_percent", "platform_charge", "min_commission", "max_commission", "updated_at") VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT ("org_id") DO UPDATE SET "service_fee_type" = $9, "service_fee_value" = $10, "gst_percent" = $11, "platform_charge" = $12, "min_commission" = $13, "max_commission" = $14, "updated_at" = $15;

-- takes uuid, uuid, text, text, text, text, text, text, text, text, timestamp with time zone, timestamp with time zone
-- gives
INSERT INTO "users" ("org_id", "id", "username", "email", "name", "phone", "role", "status", "sub_agent_id", "password_hash", "created_at", "updated_at") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

-- takes uuid, uuid, text, uuid, text, numeric, numeric, numeric, boolean, bigint, bytea
-- gives
INSERT INTO "wallets" ("org_id", "id", "owner_type", "owner_id", "currency", "balance", "held", "credit_limit", "is_active", "sequence", "head") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);

-- takes uuid, uuid, text, text, text[], boolean, integer, timestamp with time zone, timestamp with time zone
-- gives
INSERT INTO "webhooks" ("org_id", "id", "url", "description", "event_types", "is_active", "disabled_reason", "generation", "previous_until", "created_at", "updated_at") VALUES ($1, $2, $3, $4, $5, $6, DEFAULT, $7, DEFAULT, $8, $9);

-- takes uuid[], uuid[]
-- gives booking_id uuid
SELECT "booking_holds"."booking_id" FROM "booking_holds" WHERE ((booking_holds.org_id, booking_holds.booking_id) in (select u.a, u.b from unnest($1, $2) as u (a, b)) AND ("booking_holds"."auto_ticket_since" IS NOT NULL));

-- takes timestamp with time zone, bigint
-- gives org_id uuid, booking_id uuid, auto_ticket_since timestamp with time zone, auto_ticket_at timestamp with time zone, held_at timestamp with time zone, planned_at timestamp with time zone, planned_pay_by timestamp with time zone, planned_price_until timestamp with time zone, due_at timestamp with time zone
SELECT "booking_holds"."org_id", "booking_holds"."booking_id", "booking_holds"."auto_ticket_since", "booking_holds"."auto_ticket_at", "booking_holds"."held_at", "booking_holds"."planned_at", "booking_holds"."planned_pay_by", "booking_holds"."planned_price_until", "booking_holds"."due_at" FROM "booking_holds" WHERE ("booking_holds"."due_at" <= $1) ORDER BY "booking_holds"."due_at" LIMIT $2;

-- takes uuid, uuid, bigint
-- gives org_id uuid, booking_id uuid, auto_ticket_since timestamp with time zone, auto_ticket_at timestamp with time zone, held_at timestamp with time zone, planned_at timestamp with time zone, planned_pay_by timestamp with time zone, planned_price_until timestamp with time zone, due_at timestamp with time zone
SELECT "booking_holds"."org_id", "booking_holds"."booking_id", "booking_holds"."auto_ticket_since", "booking_holds"."auto_ticket_at", "booking_holds"."held_at", "booking_holds"."planned_at", "booking_holds"."planned_pay_by", "booking_holds"."planned_price_until", "booking_holds"."due_at" FROM "booking_holds" WHERE (("booking_holds"."org_id" = $1) AND ("booking_holds"."booking_id" = $2)) LIMIT $3 FOR UPDATE;

-- takes uuid, uuid, text, bigint
-- gives kek_id text, wrapped_key bytea, sealed bytea, erased_at timestamp with time zone
SELECT "booking_people"."kek_id", "booking_people"."wrapped_key", "booking_people"."sealed", "booking_people"."erased_at" FROM "booking_people" WHERE (("booking_people"."org_id" = $1) AND (("booking_people"."booking_id" = $2) AND ("booking_people"."kind" = $3))) LIMIT $4;

-- takes
-- gives kek_id text, count bigint
SELECT "booking_people"."kek_id", COUNT(*) FROM "booking_people" WHERE ("booking_people"."wrapped_key" IS NOT NULL) GROUP BY "booking_people"."kek_id";

-- takes uuid, uuid
-- gives kind text, kek_id text, wrapped_key bytea, sealed bytea, erased_at timestamp with time zone
SELECT "booking_people"."kind", "booking_people"."kek_id", "booking_people"."wrapped_key", "booking_people"."sealed", "booking_people"."erased_at" FROM "booking_people" WHERE (("booking_people"."org_id" = $1) AND ("booking_people"."booking_id" = $2));

-- takes text, bigint
-- gives org_id uuid, booking_id uuid, kind text, kek_id text, wrapped_key bytea
SELECT "booking_people"."org_id", "booking_people"."booking_id", "booking_people"."kind", "booking_people"."kek_id", "booking_people"."wrapped_key" FROM "booking_people" WHERE (("booking_people"."wrapped_key" IS NOT NULL) AND ("booking_people"."kek_id" != $1)) LIMIT $2 FOR UPDATE SKIP LOCKED;

-- takes text, bigint
-- gives org_id uuid, booking_id uuid, kind text, kek_id text, wrapped_key bytea
SELECT "booking_people"."org_id", "booking_people"."booking_id", "booking_people"."kind", "booking_people"."kek_id", "booking_people"."wrapped_key" FROM "booking_people" WHERE (("booking_people"."wrapped_key" IS NOT NULL) AND ("booking_people"."kek_id" = $1)) LIMIT $2;

-- takes uuid, text, bigint
-- gives org_id uuid, booking_id uuid, product text
SELECT "booking_people"."org_id", "booking_people"."booking_id", "bookings"."product" FROM ("booking_people" INNER JOIN "bookings" ON (("bookings"."org_id" = "booking_people"."org_id") AND ("bookings"."id" = "booking_people"."booking_id"))) WHERE ((("booking_people"."booking_id" > $1) AND ("booking_people"."kind" = $2)) AND ("booking_people"."wrapped_key" IS NOT NULL)) ORDER BY "booking_people"."booking_id" LIMIT $3;

-- takes uuid, uuid, bigint
-- gives booking_ref text
SELECT "bookings"."booking_ref" FROM "bookings" WHERE (("bookings"."id" = $1) AND ("bookings"."org_id" = $2)) LIMIT $3;

-- takes text, uuid
-- gives id uuid
SELECT "bookings"."id" FROM "bookings" WHERE (("bookings"."booking_ref" = $1) AND ("bookings"."org_id" IS NOT DISTINCT FROM $2));

-- takes uuid, text, text, bigint
-- gives id uuid, kek_id text, wrapped_key bytea, sealed bytea, erased_at timestamp with time zone
SELECT "bookings"."id", "booking_people"."kek_id", "booking_people"."wrapped_key", "booking_people"."sealed", "booking_people"."erased_at" FROM ("booking_people" INNER JOIN "bookings" ON (("bookings"."org_id" = "booking_people"."org_id") AND ("bookings"."id" = "booking_people"."booking_id"))) WHERE ((("bookings"."org_id" = $1) AND ("bookings"."booking_ref" = $2)) AND ("booking_people"."kind" = $3)) LIMIT $4;

-- takes uuid[], uuid[]
-- gives id uuid, booking_ref text, pnr text, status text, user_name text
SELECT "bookings"."id", "bookings"."booking_ref", "bookings"."pnr", "bookings"."status", "bookings"."user_name" FROM "bookings" WHERE (bookings.org_id, bookings.id) in (select u.a, u.b from unnest($1, $2) as u (a, b));

-- takes text, bigint
-- gives org_id uuid, id uuid, booking_ref text, product text, user_id uuid, user_name text, wallet_id uuid, hold_id uuid, quote_id uuid, status text, provider text, pnr text, origin text, destination text, passenger_count integer, currency text, base_fare numeric, public_fare numeric, amount numeric, failure text, created_at timestamp with time zone, booked_at timestamp with time zone, cancelled_at timestamp with time zone, pricing jsonb
SELECT "bookings"."org_id", "bookings"."id", "bookings"."booking_ref", "bookings"."product", "bookings"."user_id", "bookings"."user_name", "bookings"."wallet_id", "bookings"."hold_id", "bookings"."quote_id", "bookings"."status", "bookings"."provider", "bookings"."pnr", "bookings"."origin", "bookings"."destination", "bookings"."passenger_count", "bookings"."currency", "bookings"."base_fare", "bookings"."public_fare", "bookings"."amount", "bookings"."failure", "bookings"."created_at", "bookings"."booked_at", "bookings"."cancelled_at", "bookings"."pricing" FROM "bookings" WHERE ("bookings"."booking_ref" = $1) LIMIT $2;

-- takes uuid, uuid, bigint
-- gives org_id uuid, id uuid, booking_ref text, product text, user_id uuid, user_name text, wallet_id uuid, hold_id uuid, quote_id uuid, status text, provider text, pnr text, origin text, destination text, passenger_count integer, currency text, base_fare numeric, public_fare numeric, amount numeric, failure text, created_at timestamp with time zone, booked_at timestamp with time zone, cancelled_at timestamp with time zone, pricing jsonb
SELECT "bookings"."org_id", "bookings"."id", "bookings"."booking_ref", "bookings"."product", "bookings"."user_id", "bookings"."user_name", "bookings"."wallet_id", "bookings"."hold_id", "bookings"."quote_id", "bookings"."status", "bookings"."provider", "bookings"."pnr", "bookings"."origin", "bookings"."destination", "bookings"."passenger_count", "bookings"."currency", "bookings"."base_fare", "bookings"."public_fare", "bookings"."amount", "bookings"."failure", "bookings"."created_at", "bookings"."booked_at", "bookings"."cancelled_at", "bookings"."pricing" FROM "bookings" WHERE (("bookings"."org_id" = $1) AND ("bookings"."id" = $2)) LIMIT $3;

-- takes uuid, uuid, bigint
-- gives org_id uuid, id uuid, booking_ref text, product text, user_id uuid, user_name text, wallet_id uuid, hold_id uuid, quote_id uuid, status text, provider text, pnr text, origin text, destination text, passenger_count integer, currency text, base_fare numeric, public_fare numeric, amount numeric, failure text, created_at timestamp with time zone, booked_at timestamp with time zone, cancelled_at timestamp with time zone, pricing jsonb
SELECT "bookings"."org_id", "bookings"."id", "bookings"."booking_ref", "bookings"."product", "bookings"."user_id", "bookings"."user_name", "bookings"."wallet_id", "bookings"."hold_id", "bookings"."quote_id", "bookings"."status", "bookings"."provider", "bookings"."pnr", "bookings"."origin", "bookings"."destination", "bookings"."passenger_count", "bookings"."currency", "bookings"."base_fare", "bookings"."public_fare", "bookings"."amount", "bookings"."failure", "bookings"."created_at", "bookings"."booked_at", "bookings"."cancelled_at", "bookings"."pricing" FROM "bookings" WHERE (("bookings"."org_id" = $1) AND ("bookings"."id" = $2)) LIMIT $3 FOR UPDATE;

-- takes text, uuid, text, bigint, bigint
-- gives org_id uuid, id uuid, booking_ref text, product text, user_id uuid, user_name text, wallet_id uuid, hold_id uuid, quote_id uuid, status text, provider text, pnr text, origin text, destination text, passenger_count integer, currency text, base_fare numeric, public_fare numeric, amount numeric, failure text, created_at timestamp with time zone, booked_at timestamp with time zone, cancelled_at timestamp with time zone, pricing jsonb, product_content jsonb, kek_id text, wrapped_key bytea, sealed bytea, erased_at timestamp with time zone
SELECT "bookings"."org_id", "bookings"."id", "bookings"."booking_ref", "bookings"."product", "bookings"."user_id", "bookings"."user_name", "bookings"."wallet_id", "bookings"."hold_id", "bookings"."quote_id", "bookings"."status", "bookings"."provider", "bookings"."pnr", "bookings"."origin", "bookings"."destination", "bookings"."passenger_count", "bookings"."currency", "bookings"."base_fare", "bookings"."public_fare", "bookings"."amount", "bookings"."failure", "bookings"."created_at", "bookings"."booked_at", "bookings"."cancelled_at", "bookings"."pricing", "bookings"."product_content", "booking_people"."kek_id", "booking_people"."wrapped_key", "booking_people"."sealed", "booking_people"."erased_at" FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE (("bookings"."org_id" = $2) AND ("bookings"."product" = $3)) ORDER BY "bookings"."id" DESC LIMIT $4 OFFSET $5;

-- takes text, uuid, text, text, bigint
-- gives org_id uuid, id uuid, booking_ref text, product text, user_id uuid, user_name text, wallet_id uuid, hold_id uuid, quote_id uuid, status text, provider text, pnr text, origin text, destination text, passenger_count integer, currency text, base_fare numeric, public_fare numeric, amount numeric, failure text, created_at timestamp with time zone, booked_at timestamp with time zone, cancelled_at timestamp with time zone, pricing jsonb, product_content jsonb, kek_id text, wrapped_key bytea, sealed bytea, erased_at timestamp with time zone
SELECT "bookings"."org_id", "bookings"."id", "bookings"."booking_ref", "bookings"."product", "bookings"."user_id", "bookings"."user_name", "bookings"."wallet_id", "bookings"."hold_id", "bookings"."quote_id", "bookings"."status", "bookings"."provider", "bookings"."pnr", "bookings"."origin", "bookings"."destination", "bookings"."passenger_count", "bookings"."currency", "bookings"."base_fare", "bookings"."public_fare", "bookings"."amount", "bookings"."failure", "bookings"."created_at", "bookings"."booked_at", "bookings"."cancelled_at", "bookings"."pricing", "bookings"."product_content", "booking_people"."kek_id", "booking_people"."wrapped_key", "booking_people"."sealed", "booking_people"."erased_at" FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE ((("bookings"."org_id" = $2) AND ("bookings"."booking_ref" = $3)) AND ("bookings"."product" IS NOT DISTINCT FROM $4)) LIMIT $5;

-- takes text, uuid, uuid, text, bigint
-- gives org_id uuid, id uuid, booking_ref text, product text, user_id uuid, user_name text, wallet_id uuid, hold_id uuid, quote_id uuid, status text, provider text, pnr text, origin text, destination text, passenger_count integer, currency text, base_fare numeric, public_fare numeric, amount numeric, failure text, created_at timestamp with time zone, booked_at timestamp with time zone, cancelled_at timestamp with time zone, pricing jsonb, product_content jsonb, kek_id text, wrapped_key bytea, sealed bytea, erased_at timestamp with time zone
SELECT "bookings"."org_id", "bookings"."id", "bookings"."booking_ref", "bookings"."product", "bookings"."user_id", "bookings"."user_name", "bookings"."wallet_id", "bookings"."hold_id", "bookings"."quote_id", "bookings"."status", "bookings"."provider", "bookings"."pnr", "bookings"."origin", "bookings"."destination", "bookings"."passenger_count", "bookings"."currency", "bookings"."base_fare", "bookings"."public_fare", "bookings"."amount", "bookings"."failure", "bookings"."created_at", "bookings"."booked_at", "bookings"."cancelled_at", "bookings"."pricing", "bookings"."product_content", "booking_people"."kek_id", "booking_people"."wrapped_key", "booking_people"."sealed", "booking_people"."erased_at" FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE ((("bookings"."org_id" = $2) AND ("bookings"."id" = $3)) AND ("bookings"."product" = $4)) LIMIT $5;

-- takes text, uuid, text, uuid, bigint, bigint
-- gives org_id uuid, id uuid, booking_ref text, product text, user_id uuid, user_name text, wallet_id uuid, hold_id uuid, quote_id uuid, status text, provider text, pnr text, origin text, destination text, passenger_count integer, currency text, base_fare numeric, public_fare numeric, amount numeric, failure text, created_at timestamp with time zone, booked_at timestamp with time zone, cancelled_at timestamp with time zone, pricing jsonb, product_content jsonb, kek_id text, wrapped_key bytea, sealed bytea, erased_at timestamp with time zone
SELECT "bookings"."org_id", "bookings"."id", "bookings"."booking_ref", "bookings"."product", "bookings"."user_id", "bookings"."user_name", "bookings"."wallet_id", "bookings"."hold_id", "bookings"."quote_id", "bookings"."status", "bookings"."provider", "bookings"."pnr", "bookings"."origin", "bookings"."destination", "bookings"."passenger_count", "bookings"."currency", "bookings"."base_fare", "bookings"."public_fare", "bookings"."amount", "bookings"."failure", "bookings"."created_at", "bookings"."booked_at", "bookings"."cancelled_at", "bookings"."pricing", "bookings"."product_content", "booking_people"."kek_id", "booking_people"."wrapped_key", "booking_people"."sealed", "booking_people"."erased_at" FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE ((("bookings"."org_id" = $2) AND ("bookings"."product" = $3)) AND ("bookings"."id" < $4)) ORDER BY "bookings"."id" DESC LIMIT $5 OFFSET $6;

-- takes text, uuid, text, uuid, bigint, bigint
-- gives org_id uuid, id uuid, booking_ref text, product text, user_id uuid, user_name text, wallet_id uuid, hold_id uuid, quote_id uuid, status text, provider text, pnr text, origin text, destination text, passenger_count integer, currency text, base_fare numeric, public_fare numeric, amount numeric, failure text, created_at timestamp with time zone, booked_at timestamp with time zone, cancelled_at timestamp with time zone, pricing jsonb, product_content jsonb, kek_id text, wrapped_key bytea, sealed bytea, erased_at timestamp with time zone
SELECT "bookings"."org_id", "bookings"."id", "bookings"."booking_ref", "bookings"."product", "bookings"."user_id", "bookings"."user_name", "bookings"."wallet_id", "bookings"."hold_id", "bookings"."quote_id", "bookings"."status", "bookings"."provider", "bookings"."pnr", "bookings"."origin", "bookings"."destination", "bookings"."passenger_count", "bookings"."currency", "bookings"."base_fare", "bookings"."public_fare", "bookings"."amount", "bookings"."failure", "bookings"."created_at", "bookings"."booked_at", "bookings"."cancelled_at", "bookings"."pricing", "bookings"."product_content", "booking_people"."kek_id", "booking_people"."wrapped_key", "booking_people"."sealed", "booking_people"."erased_at" FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE ((("bookings"."org_id" = $2) AND ("bookings"."product" = $3)) AND ("bookings"."id" >= $4)) ORDER BY "bookings"."id" DESC LIMIT $5 OFFSET $6;

-- takes text, uuid, text, text, bigint, bigint
-- gives org_id uuid, id uuid, booking_ref text, product text, user_id uuid, user_name text, wallet_id uuid, hold_id uuid, quote_id uuid, status text, provider text, pnr text, origin text, destination text, passenger_count integer, currency text, base_fare numeric, public_fare numeric, amount numeric, failure text, created_at timestamp with time zone, booked_at timestamp with time zone, cancelled_at timestamp with time zone, pricing jsonb, product_content jsonb, kek_id text, wrapped_key bytea, sealed bytea, erased_at timestamp with time zone
SELECT "bookings"."org_id", "bookings"."id", "bookings"."booking_ref", "bookings"."product", "bookings"."user_id", "bookings"."user_name", "bookings"."wallet_id", "bookings"."hold_id", "bookings"."quote_id", "bookings"."status", "bookings"."provider", "bookings"."pnr", "bookings"."origin", "bookings"."destination", "bookings"."passenger_count", "bookings"."currency", "bookings"."base_fare", "bookings"."public_fare", "bookings"."amount", "bookings"."failure", "bookings"."created_at", "bookings"."booked_at", "bookings"."cancelled_at", "bookings"."pricing", "bookings"."product_content", "booking_people"."kek_id", "booking_people"."wrapped_key", "booking_people"."sealed", "booking_people"."erased_at" FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE ((("bookings"."org_id" = $2) AND ("bookings"."product" = $3)) AND ("bookings"."status" = $4)) ORDER BY "bookings"."id" DESC LIMIT $5 OFFSET $6;

-- takes text, uuid, text, uuid, bigint, bigint
-- gives org_id uuid, id uuid, booking_ref text, product text, user_id uuid, user_name text, wallet_id uuid, hold_id uuid, quote_id uuid, status text, provider text, pnr text, origin text, destination text, passenger_count integer, currency text, base_fare numeric, public_fare numeric, amount numeric, failure text, created_at timestamp with time zone, booked_at timestamp with time zone, cancelled_at timestamp with time zone, pricing jsonb, product_content jsonb, kek_id text, wrapped_key bytea, sealed bytea, erased_at timestamp with time zone
SELECT "bookings"."org_id", "bookings"."id", "bookings"."booking_ref", "bookings"."product", "bookings"."user_id", "bookings"."user_name", "bookings"."wallet_id", "bookings"."hold_id", "bookings"."quote_id", "bookings"."status", "bookings"."provider", "bookings"."pnr", "bookings"."origin", "bookings"."destination", "bookings"."passenger_count", "bookings"."currency", "bookings"."base_fare", "bookings"."public_fare", "bookings"."amount", "bookings"."failure", "bookings"."created_at", "bookings"."booked_at", "bookings"."cancelled_at", "bookings"."pricing", "bookings"."product_content", "booking_people"."kek_id", "booking_people"."wrapped_key", "booking_people"."sealed", "booking_people"."erased_at" FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE ((("bookings"."org_id" = $2) AND ("bookings"."product" = $3)) AND ("bookings"."user_id" = $4)) ORDER BY "bookings"."id" DESC LIMIT $5 OFFSET $6;

-- takes text, uuid, text, timestamp with time zone, bigint, bigint
-- gives org_id uuid, id uuid, booking_ref text, product text, user_id uuid, user_name text, wallet_id uuid, hold_id uuid, quote_id uuid, status text, provider text, pnr text, origin text, destination text, passenger_count integer, currency text, base_fare numeric, public_fare numeric, amount numeric, failure text, created_at timestamp with time zone, booked_at timestamp with time zone, cancelled_at timestamp with time zone, pricing jsonb, product_content jsonb, kek_id text, wrapped_key bytea, sealed bytea, erased_at timestamp with time zone
SELECT "bookings"."org_id", "bookings"."id", "bookings"."booking_ref", "bookings"."product", "bookings"."user_id", "bookings"."user_name", "bookings"."wallet_id", "bookings"."hold_id", "bookings"."quote_id", "bookings"."status", "bookings"."provider", "bookings"."pnr", "bookings"."origin", "bookings"."destination", "bookings"."passenger_count", "bookings"."currency", "bookings"."base_fare", "bookings"."public_fare", "bookings"."amount", "bookings"."failure", "bookings"."created_at", "bookings"."booked_at", "bookings"."cancelled_at", "bookings"."pricing", "bookings"."product_content", "booking_people"."kek_id", "booking_people"."wrapped_key", "booking_people"."sealed", "booking_people"."erased_at" FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE ((("bookings"."org_id" = $2) AND ("bookings"."product" = $3)) AND bookings.status = 'confirmed' and (select coalesce(bool_or(o.status = 'confirmed' and (o.travel_ends is null or o.travel_ends > $4)), false) from supplier_orders o where o.booking_id = bookings.id and o.org_id = bookings.org_id)) ORDER BY "bookings"."id" DESC LIMIT $5 OFFSET $6;

-- takes text, uuid, text, timestamp with time zone, bigint, bigint
-- gives org_id uuid, id uuid, booking_ref text, product text, user_id uuid, user_name text, wallet_id uuid, hold_id uuid, quote_id uuid, status text, provider text, pnr text, origin text, destination text, passenger_count integer, currency text, base_fare numeric, public_fare numeric, amount numeric, failure text, created_at timestamp with time zone, booked_at timestamp with time zone, cancelled_at timestamp with time zone, pricing jsonb, product_content jsonb, kek_id text, wrapped_key bytea, sealed bytea, erased_at timestamp with time zone
SELECT "bookings"."org_id", "bookings"."id", "bookings"."booking_ref", "bookings"."product", "bookings"."user_id", "bookings"."user_name", "bookings"."wallet_id", "bookings"."hold_id", "bookings"."quote_id", "bookings"."status", "bookings"."provider", "bookings"."pnr", "bookings"."origin", "bookings"."destination", "bookings"."passenger_count", "bookings"."currency", "bookings"."base_fare", "bookings"."public_fare", "bookings"."amount", "bookings"."failure", "bookings"."created_at", "bookings"."booked_at", "bookings"."cancelled_at", "bookings"."pricing", "bookings"."product_content", "booking_people"."kek_id", "booking_people"."wrapped_key", "booking_people"."sealed", "booking_people"."erased_at" FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE ((("bookings"."org_id" = $2) AND ("bookings"."product" = $3)) AND bookings.status = 'confirmed' and not (select coalesce(bool_or(o.hold_state = 'held' or o.status = 'confirmed' and (o.travel_ends is null or o.travel_ends > $4)), false) from supplier_orders o where o.booking_id = bookings.id and o.org_id = bookings.org_id)) ORDER BY "bookings"."id" DESC LIMIT $5 OFFSET $6;

-- takes text, uuid, text, bigint, bigint
-- gives org_id uuid, id uuid, booking_ref text, product text, user_id uuid, user_name text, wallet_id uuid, hold_id uuid, quote_id uuid, status text, provider text, pnr text, origin text, destination text, passenger_count integer, currency text, base_fare numeric, public_fare numeric, amount numeric, failure text, created_at timestamp with time zone, booked_at timestamp with time zone, cancelled_at timestamp with time zone, pricing jsonb, product_content jsonb, kek_id text, wrapped_key bytea, sealed bytea, erased_at timestamp with time zone
SELECT "bookings"."org_id", "bookings"."id", "bookings"."booking_ref", "bookings"."product", "bookings"."user_id", "bookings"."user_name", "bookings"."wallet_id", "bookings"."hold_id", "bookings"."quote_id", "bookings"."status", "bookings"."provider", "bookings"."pnr", "bookings"."origin", "bookings"."destination", "bookings"."passenger_count", "bookings"."currency", "bookings"."base_fare", "bookings"."public_fare", "bookings"."amount", "bookings"."failure", "bookings"."created_at", "bookings"."booked_at", "bookings"."cancelled_at", "bookings"."pricing", "bookings"."product_content", "booking_people"."kek_id", "booking_people"."wrapped_key", "booking_people"."sealed", "booking_people"."erased_at" FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE ((("bookings"."org_id" = $2) AND ("bookings"."product" = $3)) AND bookings.status in ('cancelled', 'failed')) ORDER BY "bookings"."id" DESC LIMIT $4 OFFSET $5;

-- takes text, uuid, text, text, uuid, bigint
-- gives org_id uuid, id uuid, booking_ref text, product text, user_id uuid, user_name text, wallet_id uuid, hold_id uuid, quote_id uuid, status text, provider text, pnr text, origin text, destination text, passenger_count integer, currency text, base_fare numeric, public_fare numeric, amount numeric, failure text, created_at timestamp with time zone, booked_at timestamp with time zone, cancelled_at timestamp with time zone, pricing jsonb, product_content jsonb, kek_id text, wrapped_key bytea, sealed bytea, erased_at timestamp with time zone
SELECT "bookings"."org_id", "bookings"."id", "bookings"."booking_ref", "bookings"."product", "bookings"."user_id", "bookings"."user_name", "bookings"."wallet_id", "bookings"."hold_id", "bookings"."quote_id", "bookings"."status", "bookings"."provider", "bookings"."pnr", "bookings"."origin", "bookings"."destination", "bookings"."passenger_count", "bookings"."currency", "bookings"."base_fare", "bookings"."public_fare", "bookings"."amount", "bookings"."failure", "bookings"."created_at", "bookings"."booked_at", "bookings"."cancelled_at", "bookings"."pricing", "bookings"."product_content", "booking_people"."kek_id", "booking_people"."wrapped_key", "booking_people"."sealed", "booking_people"."erased_at" FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE (((("bookings"."org_id" = $2) AND ("bookings"."booking_ref" = $3)) AND ("bookings"."product" IS NOT DISTINCT FROM $4)) AND ("bookings"."user_id" IS NOT DISTINCT FROM $5)) LIMIT $6;

-- takes text, uuid, text, uuid, uuid, bigint, bigint
-- gives org_id uuid, id uuid, booking_ref text, product text, user_id uuid, user_name text, wallet_id uuid, hold_id uuid, quote_id uuid, status text, provider text, pnr text, origin text, destination text, passenger_count integer, currency text, base_fare numeric, public_fare numeric, amount numeric, failure text, created_at timestamp with time zone, booked_at timestamp with time zone, cancelled_at timestamp with time zone, pricing jsonb, product_content jsonb, kek_id text, wrapped_key bytea, sealed bytea, erased_at timestamp with time zone
SELECT "bookings"."org_id", "bookings"."id", "bookings"."booking_ref", "bookings"."product", "bookings"."user_id", "bookings"."user_name", "bookings"."wallet_id", "bookings"."hold_id", "bookings"."quote_id", "bookings"."status", "bookings"."provider", "bookings"."pnr", "bookings"."origin", "bookings"."destination", "bookings"."passenger_count", "bookings"."currency", "bookings"."base_fare", "bookings"."public_fare", "bookings"."amount", "bookings"."failure", "bookings"."created_at", "bookings"."booked_at", "bookings"."cancelled_at", "bookings"."pricing", "bookings"."product_content", "booking_people"."kek_id", "booking_people"."wrapped_key", "booking_people"."sealed", "booking_people"."erased_at" FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE (((("bookings"."org_id" = $2) AND ("bookings"."product" = $3)) AND ("bookings"."id" >= $4)) AND ("bookings"."id" < $5)) ORDER BY "bookings"."id" DESC LIMIT $6 OFFSET $7;

-- takes text, uuid, text, uuid, text, bigint, bigint
-- gives org_id uuid, id uuid, booking_ref text, product text, user_id uuid, user_name text, wallet_id uuid, hold_id uuid, quote_id uuid, status text, provider text, pnr text, origin text, destination text, passenger_count integer, currency text, base_fare numeric, public_fare numeric, amount numeric, failure text, created_at timestamp with time zone, booked_at timestamp with time zone, cancelled_at timestamp with time zone, pricing jsonb, product_content jsonb, kek_id text, wrapped_key bytea, sealed bytea, erased_at timestamp with time zone
SELECT "bookings"."org_id", "bookings"."id", "bookings"."booking_ref", "bookings"."product", "bookings"."user_id", "bookings"."user_name", "bookings"."wallet_id", "bookings"."hold_id", "bookings"."quote_id", "bookings"."status", "bookings"."provider", "bookings"."pnr", "bookings"."origin", "bookings"."destination", "bookings"."passenger_count", "bookings"."currency", "bookings"."base_fare", "bookings"."public_fare", "bookings"."amount", "bookings"."failure", "bookings"."created_at", "bookings"."booked_at", "bookings"."cancelled_at", "bookings"."pricing", "bookings"."product_content", "booking_people"."kek_id", "booking_people"."wrapped_key", "booking_people"."sealed", "booking_people"."erased_at" FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE (((("bookings"."org_id" = $2) AND ("bookings"."product" = $3)) AND ("bookings"."user_id" = $4)) AND ("bookings"."status" = $5)) ORDER BY "bookings"."id" DESC LIMIT $6 OFFSET $7;

-- takes text, uuid, text, uuid, timestamp with time zone, bigint, bigint
-- gives org_id uuid, id uuid, booking_ref text, product text, user_id uuid, user_name text, wallet_id uuid, hold_id uuid, quote_id uuid, status text, provider text, pnr text, origin text, destination text, passenger_count integer, currency text, base_fare numeric, public_fare numeric, amount numeric, failure text, created_at timestamp with time zone, booked_at timestamp with time zone, cancelled_at timestamp with time zone, pricing jsonb, product_content jsonb, kek_id text, wrapped_key bytea, sealed bytea, erased_at timestamp with time zone
SELECT "bookings"."org_id", "bookings"."id", "bookings"."booking_ref", "bookings"."product", "bookings"."user_id", "bookings"."user_name", "bookings"."wallet_id", "bookings"."hold_id", "bookings"."quote_id", "bookings"."status", "bookings"."provider", "bookings"."pnr", "bookings"."origin", "bookings"."destination", "bookings"."passenger_count", "bookings"."currency", "bookings"."base_fare", "bookings"."public_fare", "bookings"."amount", "bookings"."failure", "bookings"."created_at", "bookings"."booked_at", "bookings"."cancelled_at", "bookings"."pricing", "bookings"."product_content", "booking_people"."kek_id", "booking_people"."wrapped_key", "booking_people"."sealed", "booking_people"."erased_at" FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE (((("bookings"."org_id" = $2) AND ("bookings"."product" = $3)) AND ("bookings"."user_id" = $4)) AND bookings.status = 'confirmed' and (select coalesce(bool_or(o.status = 'confirmed' and (o.travel_ends is null or o.travel_ends > $5)), false) from supplier_orders o where o.booking_id = bookings.id and o.org_id = bookings.org_id)) ORDER BY "bookings"."id" DESC LIMIT $6 OFFSET $7;

-- takes text, uuid, text, uuid, timestamp with time zone, bigint, bigint
-- gives org_id uuid, id uuid, booking_ref text, product text, user_id uuid, user_name text, wallet_id uuid, hold_id uuid, quote_id uuid, status text, provider text, pnr text, origin text, destination text, passenger_count integer, currency text, base_fare numeric, public_fare numeric, amount numeric, failure text, created_at timestamp with time zone, booked_at timestamp with time zone, cancelled_at timestamp with time zone, pricing jsonb, product_content jsonb, kek_id text, wrapped_key bytea, sealed bytea, erased_at timestamp with time zone
SELECT "bookings"."org_id", "bookings"."id", "bookings"."booking_ref", "bookings"."product", "bookings"."user_id", "bookings"."user_name", "bookings"."wallet_id", "bookings"."hold_id", "bookings"."quote_id", "bookings"."status", "bookings"."provider", "bookings"."pnr", "bookings"."origin", "bookings"."destination", "bookings"."passenger_count", "bookings"."currency", "bookings"."base_fare", "bookings"."public_fare", "bookings"."amount", "bookings"."failure", "bookings"."created_at", "bookings"."booked_at", "bookings"."cancelled_at", "bookings"."pricing", "bookings"."product_content", "booking_people"."kek_id", "booking_people"."wrapped_key", "booking_people"."sealed", "booking_people"."erased_at" FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE (((("bookings"."org_id" = $2) AND ("bookings"."product" = $3)) AND ("bookings"."user_id" = $4)) AND bookings.status = 'confirmed' and not (select coalesce(bool_or(o.hold_state = 'held' or o.status = 'confirmed' and (o.travel_ends is null or o.travel_ends > $5)), false) from supplier_orders o where o.booking_id = bookings.id and o.org_id = bookings.org_id)) ORDER BY "bookings"."id" DESC LIMIT $6 OFFSET $7;

-- takes text, uuid, text, uuid, bigint, bigint
-- gives org_id uuid, id uuid, booking_ref text, product text, user_id uuid, user_name text, wallet_id uuid, hold_id uuid, quote_id uuid, status text, provider text, pnr text, origin text, destination text, passenger_count integer, currency text, base_fare numeric, public_fare numeric, amount numeric, failure text, created_at timestamp with time zone, booked_at timestamp with time zone, cancelled_at timestamp with time zone, pricing jsonb, product_content jsonb, kek_id text, wrapped_key bytea, sealed bytea, erased_at timestamp with time zone
SELECT "bookings"."org_id", "bookings"."id", "bookings"."booking_ref", "bookings"."product", "bookings"."user_id", "bookings"."user_name", "bookings"."wallet_id", "bookings"."hold_id", "bookings"."quote_id", "bookings"."status", "bookings"."provider", "bookings"."pnr", "bookings"."origin", "bookings"."destination", "bookings"."passenger_count", "bookings"."currency", "bookings"."base_fare", "bookings"."public_fare", "bookings"."amount", "bookings"."failure", "bookings"."created_at", "bookings"."booked_at", "bookings"."cancelled_at", "bookings"."pricing", "bookings"."product_content", "booking_people"."kek_id", "booking_people"."wrapped_key", "booking_people"."sealed", "booking_people"."erased_at" FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE (((("bookings"."org_id" = $2) AND ("bookings"."product" = $3)) AND ("bookings"."user_id" = $4)) AND bookings.status in ('cancelled', 'failed')) ORDER BY "bookings"."id" DESC LIMIT $5 OFFSET $6;

-- takes text, uuid, text, uuid, uuid, uuid, bigint, bigint
-- gives org_id uuid, id uuid, booking_ref text, product text, user_id uuid, user_name text, wallet_id uuid, hold_id uuid, quote_id uuid, status text, provider text, pnr text, origin text, destination text, passenger_count integer, currency text, base_fare numeric, public_fare numeric, amount numeric, failure text, created_at timestamp with time zone, booked_at timestamp with time zone, cancelled_at timestamp with time zone, pricing jsonb, product_content jsonb, kek_id text, wrapped_key bytea, sealed bytea, erased_at timestamp with time zone
SELECT "bookings"."org_id", "bookings"."id", "bookings"."booking_ref", "bookings"."product", "bookings"."user_id", "bookings"."user_name", "bookings"."wallet_id", "bookings"."hold_id", "bookings"."quote_id", "bookings"."status", "bookings"."provider", "bookings"."pnr", "bookings"."origin", "bookings"."destination", "bookings"."passenger_count", "bookings"."currency", "bookings"."base_fare", "bookings"."public_fare", "bookings"."amount", "bookings"."failure", "bookings"."created_at", "bookings"."booked_at", "bookings"."cancelled_at", "bookings"."pricing", "bookings"."product_content", "booking_people"."kek_id", "booking_people"."wrapped_key", "booking_people"."sealed", "booking_people"."erased_at" FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE ((((("bookings"."org_id" = $2) AND ("bookings"."product" = $3)) AND ("bookings"."user_id" = $4)) AND ("bookings"."id" >= $5)) AND ("bookings"."id" < $6)) ORDER BY "bookings"."id" DESC LIMIT $7 OFFSET $8;

-- takes text, uuid, text, uuid, text, uuid, bigint, bigint
-- gives org_id uuid, id uuid, booking_ref text, product text, user_id uuid, user_name text, wallet_id uuid, hold_id uuid, quote_id uuid, status text, provider text, pnr text, origin text, destination text, passenger_count integer, currency text, base_fare numeric, public_fare numeric, amount numeric, failure text, created_at timestamp with time zone, booked_at timestamp with time zone, cancelled_at timestamp with time zone, pricing jsonb, product_content jsonb, kek_id text, wrapped_key bytea, sealed bytea, erased_at timestamp with time zone
SELECT "bookings"."org_id", "bookings"."id", "bookings"."booking_ref", "bookings"."product", "bookings"."user_id", "bookings"."user_name", "bookings"."wallet_id", "bookings"."hold_id", "bookings"."quote_id", "bookings"."status", "bookings"."provider", "bookings"."pnr", "bookings"."origin", "bookings"."destination", "bookings"."passenger_count", "bookings"."currency", "bookings"."base_fare", "bookings"."public_fare", "bookings"."amount", "bookings"."failure", "bookings"."created_at", "bookings"."booked_at", "bookings"."cancelled_at", "bookings"."pricing", "bookings"."product_content", "booking_people"."kek_id", "booking_people"."wrapped_key", "booking_people"."sealed", "booking_people"."erased_at" FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE ((((("bookings"."org_id" = $2) AND ("bookings"."product" = $3)) AND ("bookings"."user_id" = $4)) AND ("bookings"."status" = $5)) AND ("bookings"."id" < $6)) ORDER BY "bookings"."id" DESC LIMIT $7 OFFSET $8;

-- takes text, uuid, text, uuid, text, uuid, bigint, bigint
-- gives org_id uuid, id uuid, booking_ref text, product text, user_id uuid, user_name text, wallet_id uuid, hold_id uuid, quote_id uuid, status text, provider text, pnr text, origin text, destination text, passenger_count integer, currency text, base_fare numeric, public_fare numeric, amount numeric, failure text, created_at timestamp with time zone, booked_at timestamp with time zone, cancelled_at timestamp with time zone, pricing jsonb, product_content jsonb, kek_id text, wrapped_key bytea, sealed bytea, erased_at timestamp with time zone
SELECT "bookings"."org_id", "bookings"."id", "bookings"."booking_ref", "bookings"."product", "bookings"."user_id", "bookings"."user_name", "bookings"."wallet_id", "bookings"."hold_id", "bookings"."quote_id", "bookings"."status", "bookings"."provider", "bookings"."pnr", "bookings"."origin", "bookings"."destination", "bookings"."passenger_count", "bookings"."currency", "bookings"."base_fare", "bookings"."public_fare", "bookings"."amount", "bookings"."failure", "bookings"."created_at", "bookings"."booked_at", "bookings"."cancelled_at", "bookings"."pricing", "bookings"."product_content", "booking_people"."kek_id", "booking_people"."wrapped_key", "booking_people"."sealed", "booking_people"."erased_at" FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE ((((("bookings"."org_id" = $2) AND ("bookings"."product" = $3)) AND ("bookings"."user_id" = $4)) AND ("bookings"."status" = $5)) AND ("bookings"."id" > $6)) ORDER BY "bookings"."id" ASC LIMIT $7 OFFSET $8;

-- takes text, uuid[], uuid[], text, uuid, text, bigint, bigint
-- gives org_id uuid, id uuid, booking_ref text, product text, user_id uuid, user_name text, wallet_id uuid, hold_id uuid, quote_id uuid, status text, provider text, pnr text, origin text, destination text, passenger_count integer, currency text, base_fare numeric, public_fare numeric, amount numeric, failure text, created_at timestamp with time zone, booked_at timestamp with time zone, cancelled_at timestamp with time zone, pricing jsonb, product_content jsonb, kek_id text, wrapped_key bytea, sealed bytea, erased_at timestamp with time zone
SELECT "bookings"."org_id", "bookings"."id", "bookings"."booking_ref", "bookings"."product", "bookings"."user_id", "bookings"."user_name", "bookings"."wallet_id", "bookings"."hold_id", "bookings"."quote_id", "bookings"."status", "bookings"."provider", "bookings"."pnr", "bookings"."origin", "bookings"."destination", "bookings"."passenger_count", "bookings"."currency", "bookings"."base_fare", "bookings"."public_fare", "bookings"."amount", "bookings"."failure", "bookings"."created_at", "bookings"."booked_at", "bookings"."cancelled_at", "bookings"."pricing", "bookings"."product_content", "booking_people"."kek_id", "booking_people"."wrapped_key", "booking_people"."sealed", "booking_people"."erased_at" FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE ((((bookings.org_id, bookings.id) in (select u.a, u.b from unnest($2, $3) as u (a, b)) AND ("bookings"."product" IS NOT DISTINCT FROM $4)) AND ("bookings"."user_id" IS NOT DISTINCT FROM $5)) AND ("bookings"."status" = $6)) ORDER BY "bookings"."id" DESC LIMIT $7 OFFSET $8;

-- takes text, uuid[], uuid[], text, uuid, timestamp with time zone, bigint, bigint
-- gives org_id uuid, id uuid, booking_ref text, product text, user_id uuid, user_name text, wallet_id uuid, hold_id uuid, quote_id uuid, status text, provider text, pnr text, origin text, destination text, passenger_count integer, currency text, base_fare numeric, public_fare numeric, amount numeric, failure text, created_at timestamp with time zone, booked_at timestamp with time zone, cancelled_at timestamp with time zone, pricing jsonb, product_content jsonb, kek_id text, wrapped_key bytea, sealed bytea, erased_at timestamp with time zone
SELECT "bookings"."org_id", "bookings"."id", "bookings"."booking_ref", "bookings"."product", "bookings"."user_id", "bookings"."user_name", "bookings"."wallet_id", "bookings"."hold_id", "bookings"."quote_id", "bookings"."status", "bookings"."provider", "bookings"."pnr", "bookings"."origin", "bookings"."destination", "bookings"."passenger_count", "bookings"."currency", "bookings"."base_fare", "bookings"."public_fare", "bookings"."amount", "bookings"."failure", "bookings"."created_at", "bookings"."booked_at", "bookings"."cancelled_at", "bookings"."pricing", "bookings"."product_content", "booking_people"."kek_id", "booking_people"."wrapped_key", "booking_people"."sealed", "booking_people"."erased_at" FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE ((((bookings.org_id, bookings.id) in (select u.a, u.b from unnest($2, $3) as u (a, b)) AND ("bookings"."product" IS NOT DISTINCT FROM $4)) AND ("bookings"."user_id" IS NOT DISTINCT FROM $5)) AND bookings.status = 'confirmed' and (select coalesce(bool_or(o.status = 'confirmed' and (o.travel_ends is null or o.travel_ends > $6)), false) from supplier_orders o where o.booking_id = bookings.id and o.org_id = bookings.org_id)) ORDER BY "bookings"."id" DESC LIMIT $7 OFFSET $8;

-- takes text, uuid[], uuid[], text, uuid, bigint, bigint
-- gives org_id uuid, id uuid, booking_ref text, product text, user_id uuid, user_name text, wallet_id uuid, hold_id uuid, quote_id uuid, status text, provider text, pnr text, origin text, destination text, passenger_count integer, currency text, base_fare numeric, public_fare numeric, amount numeric, failure text, created_at timestamp with time zone, booked_at timestamp with time zone, cancelled_at timestamp with time zone, pricing jsonb, product_content jsonb, kek_id text, wrapped_key bytea, sealed bytea, erased_at timestamp with time zone
SELECT "bookings"."org_id", "bookings"."id", "bookings"."booking_ref", "bookings"."product", "bookings"."user_id", "bookings"."user_name", "bookings"."wallet_id", "bookings"."hold_id", "bookings"."quote_id", "bookings"."status", "bookings"."provider", "bookings"."pnr", "bookings"."origin", "bookings"."destination", "bookings"."passenger_count", "bookings"."currency", "bookings"."base_fare", "bookings"."public_fare", "bookings"."amount", "bookings"."failure", "bookings"."created_at", "bookings"."booked_at", "bookings"."cancelled_at", "bookings"."pricing", "bookings"."product_content", "booking_people"."kek_id", "booking_people"."wrapped_key", "booking_people"."sealed", "booking_people"."erased_at" FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE ((((bookings.org_id, bookings.id) in (select u.a, u.b from unnest($2, $3) as u (a, b)) AND ("bookings"."product" IS NOT DISTINCT FROM $4)) AND ("bookings"."user_id" IS NOT DISTINCT FROM $5)) AND bookings.status = 'confirmed') ORDER BY "bookings"."id" DESC LIMIT $6 OFFSET $7;

-- takes text, uuid[], uuid[], text, uuid, bigint, bigint
-- gives org_id uuid, id uuid, booking_ref text, product text, user_id uuid, user_name text, wallet_id uuid, hold_id uuid, quote_id uuid, status text, provider text, pnr text, origin text, destination text, passenger_count integer, currency text, base_fare numeric, public_fare numeric, amount numeric, failure text, created_at timestamp with time zone, booked_at timestamp with time zone, cancelled_at timestamp with time zone, pricing jsonb, product_content jsonb, kek_id text, wrapped_key bytea, sealed bytea, erased_at timestamp with time zone
SELECT "bookings"."org_id", "bookings"."id", "bookings"."booking_ref", "bookings"."product", "bookings"."user_id", "bookings"."user_name", "bookings"."wallet_id", "bookings"."hold_id", "bookings"."quote_id", "bookings"."status", "bookings"."provider", "bookings"."pnr", "bookings"."origin", "bookings"."destination", "bookings"."passenger_count", "bookings"."currency", "bookings"."base_fare", "bookings"."public_fare", "bookings"."amount", "bookings"."failure", "bookings"."created_at", "bookings"."booked_at", "bookings"."cancelled_at", "bookings"."pricing", "bookings"."product_content", "booking_people"."kek_id", "booking_people"."wrapped_key", "booking_people"."sealed", "booking_people"."erased_at" FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE ((((bookings.org_id, bookings.id) in (select u.a, u.b from unnest($2, $3) as u (a, b)) AND ("bookings"."product" IS NOT DISTINCT FROM $4)) AND ("bookings"."user_id" IS NOT DISTINCT FROM $5)) AND bookings.status in ('pending', 'confirmed')) ORDER BY "bookings"."id" DESC LIMIT $6 OFFSET $7;

-- takes text, uuid[], uuid[], text, uuid, bigint, bigint
-- gives org_id uuid, id uuid, booking_ref text, product text, user_id uuid, user_name text, wallet_id uuid, hold_id uuid, quote_id uuid, status text, provider text, pnr text, origin text, destination text, passenger_count integer, currency text, base_fare numeric, public_fare numeric, amount numeric, failure text, created_at timestamp with time zone, booked_at timestamp with time zone, cancelled_at timestamp with time zone, pricing jsonb, product_content jsonb, kek_id text, wrapped_key bytea, sealed bytea, erased_at timestamp with time zone
SELECT "bookings"."org_id", "bookings"."id", "bookings"."booking_ref", "bookings"."product", "bookings"."user_id", "bookings"."user_name", "bookings"."wallet_id", "bookings"."hold_id", "bookings"."quote_id", "bookings"."status", "bookings"."provider", "bookings"."pnr", "bookings"."origin", "bookings"."destination", "bookings"."passenger_count", "bookings"."currency", "bookings"."base_fare", "bookings"."public_fare", "bookings"."amount", "bookings"."failure", "bookings"."created_at", "bookings"."booked_at", "bookings"."cancelled_at", "bookings"."pricing", "bookings"."product_content", "booking_people"."kek_id", "booking_people"."wrapped_key", "booking_people"."sealed", "booking_people"."erased_at" FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE (((bookings.org_id, bookings.id) in (select u.a, u.b from unnest($2, $3) as u (a, b)) AND ("bookings"."product" IS NOT DISTINCT FROM $4)) AND ("bookings"."user_id" IS NOT DISTINCT FROM $5)) ORDER BY "bookings"."id" DESC LIMIT $6 OFFSET $7;

-- takes text, uuid[], uuid[], text, bigint, bigint
-- gives org_id uuid, id uuid, booking_ref text, product text, user_id uuid, user_name text, wallet_id uuid, hold_id uuid, quote_id uuid, status text, provider text, pnr text, origin text, destination text, passenger_count integer, currency text, base_fare numeric, public_fare numeric, amount numeric, failure text, created_at timestamp with time zone, booked_at timestamp with time zone, cancelled_at timestamp with time zone, pricing jsonb, product_content jsonb, kek_id text, wrapped_key bytea, sealed bytea, erased_at timestamp with time zone
SELECT "bookings"."org_id", "bookings"."id", "bookings"."booking_ref", "bookings"."product", "bookings"."user_id", "bookings"."user_name", "bookings"."wallet_id", "bookings"."hold_id", "bookings"."quote_id", "bookings"."status", "bookings"."provider", "bookings"."pnr", "bookings"."origin", "bookings"."destination", "bookings"."passenger_count", "bookings"."currency", "bookings"."base_fare", "bookings"."public_fare", "bookings"."amount", "bookings"."failure", "bookings"."created_at", "bookings"."booked_at", "bookings"."cancelled_at", "bookings"."pricing", "bookings"."product_content", "booking_people"."kek_id", "booking_people"."wrapped_key", "booking_people"."sealed", "booking_people"."erased_at" FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE (((bookings.org_id, bookings.id) in (select u.a, u.b from unnest($2, $3) as u (a, b)) AND ("bookings"."product" IS NOT DISTINCT FROM $4)) AND bookings.status = 'confirmed') ORDER BY "bookings"."id" DESC LIMIT $5 OFFSET $6;

-- takes text, uuid[], uuid[], text, bigint, bigint
-- gives org_id uuid, id uuid, booking_ref text, product text, user_id uuid, user_name text, wallet_id uuid, hold_id uuid, quote_id uuid, status text, provider text, pnr text, origin text, destination text, passenger_count integer, currency text, base_fare numeric, public_fare numeric, amount numeric, failure text, created_at timestamp with time zone, booked_at timestamp with time zone, cancelled_at timestamp with time zone, pricing jsonb, product_content jsonb, kek_id text, wrapped_key bytea, sealed bytea, erased_at timestamp with time zone
SELECT "bookings"."org_id", "bookings"."id", "bookings"."booking_ref", "bookings"."product", "bookings"."user_id", "bookings"."user_name", "bookings"."wallet_id", "bookings"."hold_id", "bookings"."quote_id", "bookings"."status", "bookings"."provider", "bookings"."pnr", "bookings"."origin", "bookings"."destination", "bookings"."passenger_count", "bookings"."currency", "bookings"."base_fare", "bookings"."public_fare", "bookings"."amount", "bookings"."failure", "bookings"."created_at", "bookings"."booked_at", "bookings"."cancelled_at", "bookings"."pricing", "bookings"."product_content", "booking_people"."kek_id", "booking_people"."wrapped_key", "booking_people"."sealed", "booking_people"."erased_at" FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE (((bookings.org_id, bookings.id) in (select u.a, u.b from unnest($2, $3) as u (a, b)) AND ("bookings"."product" IS NOT DISTINCT FROM $4)) AND bookings.status in ('pending', 'confirmed')) ORDER BY "bookings"."id" DESC LIMIT $5 OFFSET $6;

-- takes text, uuid[], uuid[], text, bigint, bigint
-- gives org_id uuid, id uuid, booking_ref text, product text, user_id uuid, user_name text, wallet_id uuid, hold_id uuid, quote_id uuid, status text, provider text, pnr text, origin text, destination text, passenger_count integer, currency text, base_fare numeric, public_fare numeric, amount numeric, failure text, created_at timestamp with time zone, booked_at timestamp with time zone, cancelled_at timestamp with time zone, pricing jsonb, product_content jsonb, kek_id text, wrapped_key bytea, sealed bytea, erased_at timestamp with time zone
SELECT "bookings"."org_id", "bookings"."id", "bookings"."booking_ref", "bookings"."product", "bookings"."user_id", "bookings"."user_name", "bookings"."wallet_id", "bookings"."hold_id", "bookings"."quote_id", "bookings"."status", "bookings"."provider", "bookings"."pnr", "bookings"."origin", "bookings"."destination", "bookings"."passenger_count", "bookings"."currency", "bookings"."base_fare", "bookings"."public_fare", "bookings"."amount", "bookings"."failure", "bookings"."created_at", "bookings"."booked_at", "bookings"."cancelled_at", "bookings"."pricing", "bookings"."product_content", "booking_people"."kek_id", "booking_people"."wrapped_key", "booking_people"."sealed", "booking_people"."erased_at" FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE ((bookings.org_id, bookings.id) in (select u.a, u.b from unnest($2, $3) as u (a, b)) AND ("bookings"."product" IS NOT DISTINCT FROM $4)) ORDER BY "bookings"."id" DESC LIMIT $5 OFFSET $6;

-- takes uuid[], bytea[], timestamp with time zone, text[]
-- gives org_id uuid, name_likeness bytea, likeness bytea, booking_ref text
SELECT "bookings"."org_id", "bookings"."name_likeness", "bookings"."likeness", "bookings"."booking_ref" FROM "bookings" WHERE (((bookings.org_id, bookings.name_likeness) in (select u.a, u.b from unnest($1, $2) as u (a, b)) AND ("bookings"."created_at" > $3)) AND ("bookings"."status" = ANY($4))) ORDER BY "bookings"."created_at";

-- takes uuid, uuid
-- gives status text, count bigint
SELECT "bookings"."status", COUNT(*) FROM "bookings" WHERE (("bookings"."org_id" = $1) AND ("bookings"."user_id" = $2)) GROUP BY "bookings"."status";

-- takes uuid
-- gives supplier text, airline text, cabin text, commission_type text, commission_value numeric
SELECT "contracts"."supplier", "contracts"."airline", "contracts"."cabin", "contracts"."commission_type", "contracts"."commission_value" FROM "contracts" WHERE ("contracts"."org_id" = $1) ORDER BY "contracts"."supplier", "contracts"."airline", "contracts"."cabin";

-- takes uuid[], uuid[], text[]
-- gives booking_id uuid, kind text, sent_at timestamp with time zone
SELECT "effects"."booking_id", "effects"."kind", "effects"."sent_at" FROM "effects" WHERE ((effects.org_id, effects.booking_id) in (select u.a, u.b from unnest($1, $2) as u (a, b)) AND ("effects"."state" = ANY($3))) ORDER BY "effects"."booking_id", "effects"."sent_at";

-- takes uuid, uuid, text[]
-- gives id uuid, org_id uuid, booking_id uuid, number smallint, saga uuid, step smallint, steps smallint, state text, kind text, supplier text, requested_by uuid, request jsonb, sent_at timestamp with time zone, due_at timestamp with time zone, attempts integer, problem text
SELECT "effects"."id", "effects"."org_id", "effects"."booking_id", "effects"."number", "effects"."saga", "effects"."step", "effects"."steps", "effects"."state", "effects"."kind", "effects"."supplier", "effects"."requested_by", "effects"."request", "effects"."sent_at", "effects"."due_at", "effects"."attempts", "effects"."problem" FROM "effects" WHERE ((("effects"."org_id" = $1) AND ("effects"."booking_id" = $2)) AND ("effects"."state" = ANY($3))) ORDER BY "effects"."number";

-- takes uuid[], uuid[], text
-- gives id uuid, org_id uuid, booking_id uuid, number smallint, saga uuid, step smallint, steps smallint, state text, kind text, supplier text, requested_by uuid, request jsonb, sent_at timestamp with time zone, due_at timestamp with time zone, attempts integer, problem text
SELECT "effects"."id", "effects"."org_id", "effects"."booking_id", "effects"."number", "effects"."saga", "effects"."step", "effects"."steps", "effects"."state", "effects"."kind", "effects"."supplier", "effects"."requested_by", "effects"."request", "effects"."sent_at", "effects"."due_at", "effects"."attempts", "effects"."problem" FROM "effects" WHERE ((effects.org_id, effects.saga) in (select u.a, u.b from unnest($1, $2) as u (a, b)) AND ("effects"."state" = $3)) ORDER BY "effects"."step";

-- takes uuid[], uuid[]
-- gives id uuid, state text, org_id uuid, id uuid, booking_ref text, product text, user_id uuid, user_name text, wallet_id uuid, hold_id uuid, quote_id uuid, status text, provider text, pnr text, origin text, destination text, passenger_count integer, currency text, base_fare numeric, public_fare numeric, amount numeric, failure text, created_at timestamp with time zone, booked_at timestamp with time zone, cancelled_at timestamp with time zone, pricing jsonb
SELECT "effects"."id", "effects"."state", "bookings"."org_id", "bookings"."id", "bookings"."booking_ref", "bookings"."product", "bookings"."user_id", "bookings"."user_name", "bookings"."wallet_id", "bookings"."hold_id", "bookings"."quote_id", "bookings"."status", "bookings"."provider", "bookings"."pnr", "bookings"."origin", "bookings"."destination", "bookings"."passenger_count", "bookings"."currency", "bookings"."base_fare", "bookings"."public_fare", "bookings"."amount", "bookings"."failure", "bookings"."created_at", "bookings"."booked_at", "bookings"."cancelled_at", "bookings"."pricing" FROM ("effects" INNER JOIN "bookings" ON (("bookings"."org_id" = "effects"."org_id") AND ("bookings"."id" = "effects"."booking_id"))) WHERE (effects.org_id, effects.id) in (select u.a, u.b from unnest($1, $2) as u (a, b)) ORDER BY "bookings"."id", "effects"."id" FOR UPDATE;

-- takes uuid, uuid, text
-- gives number smallint, kind text, supplier text, state text, sent_at timestamp with time zone, closed_at timestamp with time zone
SELECT "effects"."number", "effects"."kind", "effects"."supplier", "effects"."state", "effects"."sent_at", "effects"."closed_at" FROM "effects" WHERE ((("effects"."booking_id" = $1) AND ("effects"."org_id" = $2)) AND ("effects"."problem" IS DISTINCT FROM $3));

-- takes uuid, uuid, text
-- gives number smallint, ?column? text, state text, ?column? text
SELECT "effects"."number", effects.request->>'replaced_by', "effects"."state", effects.request->>'part' FROM "effects" WHERE ((("effects"."org_id" = $1) AND ("effects"."booking_id" = $2)) AND ("effects"."kind" = $3)) ORDER BY "effects"."number";

-- takes text, timestamp with time zone, bigint
-- gives org_id uuid, id uuid, due_at timestamp with time zone, attempts integer
SELECT "effects"."org_id", "effects"."id", "effects"."due_at", "effects"."attempts" FROM "effects" WHERE (("effects"."state" = $1) AND ("effects"."due_at" <= $2)) ORDER BY "effects"."due_at" LIMIT $3;

-- takes timestamp with time zone, bigint
-- gives org_id uuid, id uuid, recheck_at timestamp with time zone
SELECT "effects"."org_id", "effects"."id", "effects"."recheck_at" FROM "effects" WHERE ("effects"."recheck_at" <= $1) ORDER BY "effects"."recheck_at" LIMIT $2;

-- takes uuid, uuid, smallint, text, bigint
-- gives request jsonb
SELECT "effects"."request" FROM "effects" WHERE (((("effects"."org_id" = $1) AND ("effects"."booking_id" = $2)) AND ("effects"."number" = $3)) AND ("effects"."kind" = $4)) LIMIT $5;

-- takes uuid[]
-- gives org_id uuid, side text, sum numeric
SELECT "entries"."org_id", "entries"."side", sum("entries"."amount") FROM "entries" WHERE (("entries"."org_id" = ANY($1)) AND account = 'markup') GROUP BY "entries"."org_id", "entries"."side";

-- takes uuid, uuid, uuid, bigint
-- gives sequence bigint
SELECT "entries"."sequence" FROM "entries" WHERE ((("entries"."org_id" = $1) AND ("entries"."transfer_id" = $2)) AND ("entries"."wallet_id" = $3)) LIMIT $4;

-- takes uuid, uuid, bigint, numeric, bigint
-- gives sequence bigint
SELECT "entries"."sequence" FROM "entries" WHERE ((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."amount" >= $4)) ORDER BY "entries"."at" DESC, "entries"."sequence" DESC LIMIT $5;

-- takes uuid, uuid, bigint, timestamp with time zone, bigint
-- gives sequence bigint
SELECT "entries"."sequence" FROM "entries" WHERE ((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."at" >= $4)) ORDER BY "entries"."at" DESC, "entries"."sequence" DESC LIMIT $5;

-- takes uuid, uuid, bigint, text, bigint
-- gives sequence bigint
SELECT "entries"."sequence" FROM "entries" WHERE ((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."reason" = $4)) ORDER BY "entries"."at" DESC, "entries"."sequence" DESC LIMIT $5;

-- takes uuid, uuid, bigint, text, bigint
-- gives sequence bigint
SELECT "entries"."sequence" FROM "entries" WHERE ((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."side" = $4)) ORDER BY "entries"."at" DESC, "entries"."sequence" DESC LIMIT $5;

-- takes uuid, uuid, bigint, text, bigint
-- gives sequence bigint
SELECT "entries"."sequence" FROM "entries" WHERE ((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND EXISTS (SELECT "transfers"."org_id", "transfers"."id", "transfers"."key", "transfers"."reason", "transfers"."reference", "transfers"."description", "transfers"."performed_by", "transfers"."currency", "transfers"."at" FROM "transfers" WHERE ((("transfers"."org_id" = "entries"."org_id") AND ("transfers"."id" = "entries"."transfer_id")) AND (lower("transfers"."description") LIKE lower($4))))) ORDER BY "entries"."at" DESC, "entries"."sequence" DESC LIMIT $5;

-- takes uuid, uuid, bigint, numeric, bigint, bigint, bigint, bigint
-- gives sequence bigint
SELECT "entries"."sequence" FROM "entries" WHERE (((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."amount" <= $4)) AND ("entries"."sequence" BETWEEN $5 AND $6)) ORDER BY "entries"."at" DESC, "entries"."sequence" DESC LIMIT $7 OFFSET $8;

-- takes uuid, uuid, bigint, numeric, bigint, bigint, bigint, bigint
-- gives sequence bigint
SELECT "entries"."sequence" FROM "entries" WHERE (((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."amount" >= $4)) AND ("entries"."sequence" BETWEEN $5 AND $6)) ORDER BY "entries"."at" DESC, "entries"."sequence" DESC LIMIT $7 OFFSET $8;

-- takes uuid, uuid, bigint, numeric, timestamp with time zone, bigint, bigint
-- gives sequence bigint
SELECT "entries"."sequence" FROM "entries" WHERE (((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."amount" >= $4)) AND (entries.at, entries.sequence) < ($5, $6)) ORDER BY "entries"."at" DESC, "entries"."sequence" DESC LIMIT $7;

-- takes uuid, uuid, bigint, timestamp with time zone, bigint, bigint, bigint, bigint
-- gives sequence bigint
SELECT "entries"."sequence" FROM "entries" WHERE (((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."at" < $4)) AND ("entries"."sequence" BETWEEN $5 AND $6)) ORDER BY "entries"."at" DESC, "entries"."sequence" DESC LIMIT $7 OFFSET $8;

-- takes uuid, uuid, bigint, timestamp with time zone, timestamp with time zone, bigint
-- gives sequence bigint
SELECT "entries"."sequence" FROM "entries" WHERE (((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."at" >= $4)) AND ("entries"."at" < $5)) ORDER BY "entries"."at" DESC, "entries"."sequence" DESC LIMIT $6;

-- takes uuid, uuid, bigint, timestamp with time zone, bigint, bigint, bigint, bigint
-- gives sequence bigint
SELECT "entries"."sequence" FROM "entries" WHERE (((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."at" >= $4)) AND ("entries"."sequence" BETWEEN $5 AND $6)) ORDER BY "entries"."at" DESC, "entries"."sequence" DESC LIMIT $7 OFFSET $8;

-- takes uuid, uuid, bigint, text, bigint, bigint, bigint, bigint
-- gives sequence bigint
SELECT "entries"."sequence" FROM "entries" WHERE (((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."reason" = $4)) AND ("entries"."sequence" BETWEEN $5 AND $6)) ORDER BY "entries"."at" DESC, "entries"."sequence" DESC LIMIT $7 OFFSET $8;

-- takes uuid, uuid, bigint, text, numeric, bigint
-- gives sequence bigint
SELECT "entries"."sequence" FROM "entries" WHERE (((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."side" = $4)) AND ("entries"."amount" <= $5)) ORDER BY "entries"."at" DESC, "entries"."sequence" DESC LIMIT $6;

-- takes uuid, uuid, bigint, text, bigint, bigint, bigint, bigint
-- gives sequence bigint
SELECT "entries"."sequence" FROM "entries" WHERE (((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."side" = $4)) AND ("entries"."sequence" BETWEEN $5 AND $6)) ORDER BY "entries"."at" DESC, "entries"."sequence" DESC LIMIT $7 OFFSET $8;

-- takes uuid, uuid, bigint, text, timestamp with time zone, bigint, bigint
-- gives sequence bigint
SELECT "entries"."sequence" FROM "entries" WHERE (((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."side" = $4)) AND (entries.at, entries.sequence) < ($5, $6)) ORDER BY "entries"."at" DESC, "entries"."sequence" DESC LIMIT $7;

-- takes uuid, uuid, bigint, text, bigint, bigint, bigint, bigint
-- gives sequence bigint
SELECT "entries"."sequence" FROM "entries" WHERE (((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND EXISTS (SELECT "transfers"."org_id", "transfers"."id", "transfers"."key", "transfers"."reason", "transfers"."reference", "transfers"."description", "transfers"."performed_by", "transfers"."currency", "transfers"."at" FROM "transfers" WHERE ((("transfers"."org_id" = "entries"."org_id") AND ("transfers"."id" = "entries"."transfer_id")) AND (lower("transfers"."description") LIKE lower($4))))) AND ("entries"."sequence" BETWEEN $5 AND $6)) ORDER BY "entries"."at" DESC, "entries"."sequence" DESC LIMIT $7 OFFSET $8;

-- takes uuid, uuid, bigint, text, timestamp with time zone, bigint, bigint
-- gives sequence bigint
SELECT "entries"."sequence" FROM "entries" WHERE (((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND EXISTS (SELECT "transfers"."org_id", "transfers"."id", "transfers"."key", "transfers"."reason", "transfers"."reference", "transfers"."description", "transfers"."performed_by", "transfers"."currency", "transfers"."at" FROM "transfers" WHERE ((("transfers"."org_id" = "entries"."org_id") AND ("transfers"."id" = "entries"."transfer_id")) AND (lower("transfers"."description") LIKE lower($4))))) AND (entries.at, entries.sequence) < ($5, $6)) ORDER BY "entries"."at" DESC, "entries"."sequence" DESC LIMIT $7;

-- takes uuid, uuid, bigint, numeric, numeric, bigint, bigint, bigint, bigint
-- gives sequence bigint
SELECT "entries"."sequence" FROM "entries" WHERE ((((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."amount" >= $4)) AND ("entries"."amount" <= $5)) AND ("entries"."sequence" BETWEEN $6 AND $7)) ORDER BY "entries"."at" DESC, "entries"."sequence" DESC LIMIT $8 OFFSET $9;

-- takes uuid, uuid, bigint, timestamp with time zone, timestamp with time zone, bigint, bigint, bigint, bigint
-- gives sequence bigint
SELECT "entries"."sequence" FROM "entries" WHERE ((((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."at" >= $4)) AND ("entries"."at" < $5)) AND ("entries"."sequence" BETWEEN $6 AND $7)) ORDER BY "entries"."at" DESC, "entries"."sequence" DESC LIMIT $8 OFFSET $9;

-- takes uuid, uuid, bigint, timestamp with time zone, timestamp with time zone, timestamp with time zone, bigint, bigint
-- gives sequence bigint
SELECT "entries"."sequence" FROM "entries" WHERE ((((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."at" >= $4)) AND ("entries"."at" < $5)) AND (entries.at, entries.sequence) < ($6, $7)) ORDER BY "entries"."at" DESC, "entries"."sequence" DESC LIMIT $8;

-- takes uuid, uuid, bigint, text, numeric, bigint, bigint, bigint, bigint
-- gives sequence bigint
SELECT "entries"."sequence" FROM "entries" WHERE ((((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."reason" = $4)) AND ("entries"."amount" >= $5)) AND ("entries"."sequence" BETWEEN $6 AND $7)) ORDER BY "entries"."at" DESC, "entries"."sequence" DESC LIMIT $8 OFFSET $9;

-- takes uuid, uuid, bigint, text, numeric, timestamp with time zone, bigint, bigint
-- gives sequence bigint
SELECT "entries"."sequence" FROM "entries" WHERE ((((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."side" = $4)) AND ("entries"."amount" <= $5)) AND (entries.at, entries.sequence) < ($6, $7)) ORDER BY "entries"."at" DESC, "entries"."sequence" DESC LIMIT $8;

-- takes uuid, uuid, bigint, text, numeric, text, bigint
-- gives sequence bigint
SELECT "entries"."sequence" FROM "entries" WHERE ((((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."side" = $4)) AND ("entries"."amount" >= $5)) AND EXISTS (SELECT "transfers"."org_id", "transfers"."id", "transfers"."key", "transfers"."reason", "transfers"."reference", "transfers"."description", "transfers"."performed_by", "transfers"."currency", "transfers"."at" FROM "transfers" WHERE ((("transfers"."org_id" = "entries"."org_id") AND ("transfers"."id" = "entries"."transfer_id")) AND (lower("transfers"."description") LIKE lower($6))))) ORDER BY "entries"."at" DESC, "entries"."sequence" DESC LIMIT $7;

-- takes uuid, uuid, bigint, text, numeric, text, bigint, bigint, bigint, bigint
-- gives sequence bigint
SELECT "entries"."sequence" FROM "entries" WHERE (((((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."side" = $4)) AND ("entries"."amount" <= $5)) AND EXISTS (SELECT "transfers"."org_id", "transfers"."id", "transfers"."key", "transfers"."reason", "transfers"."reference", "transfers"."description", "transfers"."performed_by", "transfers"."currency", "transfers"."at" FROM "transfers" WHERE ((("transfers"."org_id" = "entries"."org_id") AND ("transfers"."id" = "entries"."transfer_id")) AND (lower("transfers"."description") LIKE lower($6))))) AND ("entries"."sequence" BETWEEN $7 AND $8)) ORDER BY "entries"."at" DESC, "entries"."sequence" DESC LIMIT $9 OFFSET $10;

-- takes uuid, uuid, bigint, text, numeric, text, bigint, bigint, bigint, bigint
-- gives sequence bigint
SELECT "entries"."sequence" FROM "entries" WHERE (((((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."side" = $4)) AND ("entries"."amount" >= $5)) AND EXISTS (SELECT "transfers"."org_id", "transfers"."id", "transfers"."key", "transfers"."reason", "transfers"."reference", "transfers"."description", "transfers"."performed_by", "transfers"."currency", "transfers"."at" FROM "transfers" WHERE ((("transfers"."org_id" = "entries"."org_id") AND ("transfers"."id" = "entries"."transfer_id")) AND (lower("transfers"."description") LIKE lower($6))))) AND ("entries"."sequence" BETWEEN $7 AND $8)) ORDER BY "entries"."at" DESC, "entries"."sequence" DESC LIMIT $9 OFFSET $10;

-- takes uuid, uuid, bigint, text, numeric, text, timestamp with time zone, bigint, bigint
-- gives sequence bigint
SELECT "entries"."sequence" FROM "entries" WHERE (((((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."side" = $4)) AND ("entries"."amount" >= $5)) AND EXISTS (SELECT "transfers"."org_id", "transfers"."id", "transfers"."key", "transfers"."reason", "transfers"."reference", "transfers"."description", "transfers"."performed_by", "transfers"."currency", "transfers"."at" FROM "transfers" WHERE ((("transfers"."org_id" = "entries"."org_id") AND ("transfers"."id" = "entries"."transfer_id")) AND (lower("transfers"."description") LIKE lower($6))))) AND (entries.at, entries.sequence) < ($7, $8)) ORDER BY "entries"."at" DESC, "entries"."sequence" DESC LIMIT $9;

-- takes uuid, uuid, bigint, text, timestamp with time zone, timestamp with time zone, bigint, bigint, bigint, bigint
-- gives sequence bigint
SELECT "entries"."sequence" FROM "entries" WHERE (((((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."side" = $4)) AND ("entries"."at" >= $5)) AND ("entries"."at" < $6)) AND ("entries"."sequence" BETWEEN $7 AND $8)) ORDER BY "entries"."at" DESC, "entries"."sequence" DESC LIMIT $9 OFFSET $10;

-- takes uuid, uuid, bigint, text, text, numeric, bigint, bigint, bigint, bigint
-- gives sequence bigint
SELECT "entries"."sequence" FROM "entries" WHERE (((((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."side" = $4)) AND ("entries"."reason" = $5)) AND ("entries"."amount" <= $6)) AND ("entries"."sequence" BETWEEN $7 AND $8)) ORDER BY "entries"."at" DESC, "entries"."sequence" DESC LIMIT $9 OFFSET $10;

-- takes uuid, uuid, bigint, text, text, timestamp with time zone, timestamp with time zone, bigint
-- gives sequence bigint
SELECT "entries"."sequence" FROM "entries" WHERE (((((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."side" = $4)) AND ("entries"."reason" = $5)) AND ("entries"."at" >= $6)) AND ("entries"."at" < $7)) ORDER BY "entries"."at" DESC, "entries"."sequence" DESC LIMIT $8;

-- takes uuid, uuid, bigint, text, text, timestamp with time zone, timestamp with time zone, timestamp with time zone, bigint, bigint
-- gives sequence bigint
SELECT "entries"."sequence" FROM "entries" WHERE ((((((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."side" = $4)) AND ("entries"."reason" = $5)) AND ("entries"."at" >= $6)) AND ("entries"."at" < $7)) AND (entries.at, entries.sequence) < ($8, $9)) ORDER BY "entries"."at" DESC, "entries"."sequence" DESC LIMIT $10;

-- takes uuid, uuid, timestamp with time zone, timestamp with time zone
-- gives side text, sum numeric, count bigint
SELECT "entries"."side", sum("entries"."amount"), COUNT(*) FROM "entries" WHERE (((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."at" >= $3)) AND ("entries"."at" < $4)) GROUP BY "entries"."side";

-- takes uuid, uuid, bigint, bigint
-- gives transfer_id uuid, side text, amount numeric, sequence bigint, balance_before numeric, balance_after numeric, previous bytea, seal bytea, at timestamp with time zone, reason text
SELECT "entries"."transfer_id", "entries"."side", "entries"."amount", "entries"."sequence", "entries"."balance_before", "entries"."balance_after", "entries"."previous", "entries"."seal", "entries"."at", "entries"."reason" FROM "entries" WHERE ((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" > $3)) ORDER BY "entries"."sequence" LIMIT $4;

-- takes text, uuid
-- gives action text, actor_type text, numeric numeric, ?column? text, created_at timestamp with time zone
SELECT "events"."action", "events"."actor_type", (events.new_value ->> 'amount')::numeric, events.new_value ->> 'currency', "events"."created_at" FROM "events" WHERE (("events"."entity_id" = $1) AND ("events"."org_id" = $2));

-- takes uuid, bigint, bigint
-- gives id uuid, org_id uuid, actor_type text, actor_id uuid, action text, entity_type text, entity_id text, old_value jsonb, new_value jsonb, ip_address text, user_agent text, created_at timestamp with time zone
SELECT "events"."id", "events"."org_id", "events"."actor_type", "events"."actor_id", "events"."action", "events"."entity_type", "events"."entity_id", "events"."old_value", "events"."new_value", "events"."ip_address", "events"."user_agent", "events"."created_at" FROM "events" WHERE ("events"."org_id" = $1) ORDER BY "events"."id" DESC LIMIT $2 OFFSET $3;

-- takes uuid, uuid, bigint, bigint
-- gives id uuid, org_id uuid, actor_type text, actor_id uuid, action text, entity_type text, entity_id text, old_value jsonb, new_value jsonb, ip_address text, user_agent text, created_at timestamp with time zone
SELECT "events"."id", "events"."org_id", "events"."actor_type", "events"."actor_id", "events"."action", "events"."entity_type", "events"."entity_id", "events"."old_value", "events"."new_value", "events"."ip_address", "events"."user_agent", "events"."created_at" FROM "events" WHERE (("events"."org_id" = $1) AND ("events"."actor_id" = $2)) ORDER BY "events"."id" DESC LIMIT $3 OFFSET $4;

-- takes uuid, text[], bigint, bigint
-- gives id uuid, org_id uuid, actor_type text, actor_id uuid, action text, entity_type text, entity_id text, old_value jsonb, new_value jsonb, ip_address text, user_agent text, created_at timestamp with time zone
SELECT "events"."id", "events"."org_id", "events"."actor_type", "events"."actor_id", "events"."action", "events"."entity_type", "events"."entity_id", "events"."old_value", "events"."new_value", "events"."ip_address", "events"."user_agent", "events"."created_at" FROM "events" WHERE (("events"."org_id" = $1) AND ("events"."entity_id" = ANY($2))) ORDER BY "events"."id" DESC LIMIT $3 OFFSET $4;

-- takes uuid, uuid, bigint, bigint
-- gives id uuid, org_id uuid, actor_type text, actor_id uuid, action text, entity_type text, entity_id text, old_value jsonb, new_value jsonb, ip_address text, user_agent text, created_at timestamp with time zone
SELECT "events"."id", "events"."org_id", "events"."actor_type", "events"."actor_id", "events"."action", "events"."entity_type", "events"."entity_id", "events"."old_value", "events"."new_value", "events"."ip_address", "events"."user_agent", "events"."created_at" FROM "events" WHERE (("events"."org_id" = $1) AND ("events"."id" < $2)) ORDER BY "events"."id" DESC LIMIT $3 OFFSET $4;

-- takes uuid, uuid, bigint, bigint
-- gives id uuid, org_id uuid, actor_type text, actor_id uuid, action text, entity_type text, entity_id text, old_value jsonb, new_value jsonb, ip_address text, user_agent text, created_at timestamp with time zone
SELECT "events"."id", "events"."org_id", "events"."actor_type", "events"."actor_id", "events"."action", "events"."entity_type", "events"."entity_id", "events"."old_value", "events"."new_value", "events"."ip_address", "events"."user_agent", "events"."created_at" FROM "events" WHERE (("events"."org_id" = $1) AND ("events"."id" > $2)) ORDER BY "events"."id" ASC LIMIT $3 OFFSET $4;

-- takes uuid, uuid, bigint, bigint
-- gives id uuid, org_id uuid, actor_type text, actor_id uuid, action text, entity_type text, entity_id text, old_value jsonb, new_value jsonb, ip_address text, user_agent text, created_at timestamp with time zone
SELECT "events"."id", "events"."org_id", "events"."actor_type", "events"."actor_id", "events"."action", "events"."entity_type", "events"."entity_id", "events"."old_value", "events"."new_value", "events"."ip_address", "events"."user_agent", "events"."created_at" FROM "events" WHERE (("events"."org_id" = $1) AND ("events"."id" >= $2)) ORDER BY "events"."id" DESC LIMIT $3 OFFSET $4;

-- takes uuid, text, bigint, bigint
-- gives id uuid, org_id uuid, actor_type text, actor_id uuid, action text, entity_type text, entity_id text, old_value jsonb, new_value jsonb, ip_address text, user_agent text, created_at timestamp with time zone
SELECT "events"."id", "events"."org_id", "events"."actor_type", "events"."actor_id", "events"."action", "events"."entity_type", "events"."entity_id", "events"."old_value", "events"."new_value", "events"."ip_address", "events"."user_agent", "events"."created_at" FROM "events" WHERE ((("events"."org_id" = $1) AND ("events"."action" = $2)) AND action <> '') ORDER BY "events"."id" DESC LIMIT $3 OFFSET $4;

-- takes uuid, text, bigint, bigint
-- gives id uuid, org_id uuid, actor_type text, actor_id uuid, action text, entity_type text, entity_id text, old_value jsonb, new_value jsonb, ip_address text, user_agent text, created_at timestamp with time zone
SELECT "events"."id", "events"."org_id", "events"."actor_type", "events"."actor_id", "events"."action", "events"."entity_type", "events"."entity_id", "events"."old_value", "events"."new_value", "events"."ip_address", "events"."user_agent", "events"."created_at" FROM "events" WHERE ((("events"."org_id" = $1) AND ("events"."entity_type" = $2)) AND entity_type <> 'booking') ORDER BY "events"."id" DESC LIMIT $3 OFFSET $4;

-- takes uuid, uuid, uuid, bigint, bigint
-- gives id uuid, org_id uuid, actor_type text, actor_id uuid, action text, entity_type text, entity_id text, old_value jsonb, new_value jsonb, ip_address text, user_agent text, created_at timestamp with time zone
SELECT "events"."id", "events"."org_id", "events"."actor_type", "events"."actor_id", "events"."action", "events"."entity_type", "events"."entity_id", "events"."old_value", "events"."new_value", "events"."ip_address", "events"."user_agent", "events"."created_at" FROM "events" WHERE ((("events"."org_id" = $1) AND ("events"."id" >= $2)) AND ("events"."id" < $3)) ORDER BY "events"."id" DESC LIMIT $4 OFFSET $5;

-- takes uuid, text, uuid, bigint, bigint
-- gives id uuid, org_id uuid, actor_type text, actor_id uuid, action text, entity_type text, entity_id text, old_value jsonb, new_value jsonb, ip_address text, user_agent text, created_at timestamp with time zone
SELECT "events"."id", "events"."org_id", "events"."actor_type", "events"."actor_id", "events"."action", "events"."entity_type", "events"."entity_id", "events"."old_value", "events"."new_value", "events"."ip_address", "events"."user_agent", "events"."created_at" FROM "events" WHERE (((("events"."org_id" = $1) AND ("events"."action" = $2)) AND action <> '') AND ("events"."id" < $3)) ORDER BY "events"."id" DESC LIMIT $4 OFFSET $5;

-- takes uuid, uuid, text, bigint, bigint
-- gives id uuid, org_id uuid, actor_type text, actor_id uuid, action text, entity_type text, entity_id text, old_value jsonb, new_value jsonb, ip_address text, user_agent text, created_at timestamp with time zone
SELECT "events"."id", "events"."org_id", "events"."actor_type", "events"."actor_id", "events"."action", "events"."entity_type", "events"."entity_id", "events"."old_value", "events"."new_value", "events"."ip_address", "events"."user_agent", "events"."created_at" FROM "events" WHERE (((("events"."org_id" = $1) AND ("events"."actor_id" = $2)) AND ("events"."entity_type" = $3)) AND entity_type <> 'booking') ORDER BY "events"."id" DESC LIMIT $4 OFFSET $5;

-- takes uuid, text, text[], bigint, bigint
-- gives id uuid, org_id uuid, actor_type text, actor_id uuid, action text, entity_type text, entity_id text, old_value jsonb, new_value jsonb, ip_address text, user_agent text, created_at timestamp with time zone
SELECT "events"."id", "events"."org_id", "events"."actor_type", "events"."actor_id", "events"."action", "events"."entity_type", "events"."entity_id", "events"."old_value", "events"."new_value", "events"."ip_address", "events"."user_agent", "events"."created_at" FROM "events" WHERE (((("events"."org_id" = $1) AND ("events"."entity_type" = $2)) AND entity_type <> 'booking') AND ("events"."entity_id" = ANY($3))) ORDER BY "events"."id" DESC LIMIT $4 OFFSET $5;

-- takes uuid, text, text, bigint, bigint
-- gives id uuid, org_id uuid, actor_type text, actor_id uuid, action text, entity_type text, entity_id text, old_value jsonb, new_value jsonb, ip_address text, user_agent text, created_at timestamp with time zone
SELECT "events"."id", "events"."org_id", "events"."actor_type", "events"."actor_id", "events"."action", "events"."entity_type", "events"."entity_id", "events"."old_value", "events"."new_value", "events"."ip_address", "events"."user_agent", "events"."created_at" FROM "events" WHERE ((((("events"."org_id" = $1) AND ("events"."entity_type" = $2)) AND entity_type <> 'booking') AND ("events"."action" = $3)) AND action <> '') ORDER BY "events"."id" DESC LIMIT $4 OFFSET $5;

-- takes uuid, uuid, text, text, bigint, bigint
-- gives id uuid, org_id uuid, actor_type text, actor_id uuid, action text, entity_type text, entity_id text, old_value jsonb, new_value jsonb, ip_address text, user_agent text, created_at timestamp with time zone
SELECT "events"."id", "events"."org_id", "events"."actor_type", "events"."actor_id", "events"."action", "events"."entity_type", "events"."entity_id", "events"."old_value", "events"."new_value", "events"."ip_address", "events"."user_agent", "events"."created_at" FROM "events" WHERE (((((("events"."org_id" = $1) AND ("events"."actor_id" = $2)) AND ("events"."entity_type" = $3)) AND entity_type <> 'booking') AND ("events"."action" = $4)) AND action <> '') ORDER BY "events"."id" DESC LIMIT $5 OFFSET $6;

-- takes uuid, bigint
-- gives id uuid
SELECT "exceptions"."id" FROM "exceptions" WHERE (("exceptions"."id" = $1) AND ("exceptions"."closed_at" IS NULL)) LIMIT $2 FOR NO KEY UPDATE;

-- takes uuid, uuid
-- gives id uuid
SELECT "exceptions"."id" FROM "exceptions" WHERE ((("exceptions"."org_id" = $1) AND ("exceptions"."booking_id" = $2)) AND ("exceptions"."closed_at" IS NULL)) ORDER BY "exceptions"."id" FOR NO KEY UPDATE;

-- takes uuid, uuid, text, bigint
-- gives outcome text, order_id text, note text, resolved_by uuid
SELECT "exceptions"."outcome", "exceptions"."order_id", "exceptions"."note", "exceptions"."resolved_by" FROM "exceptions" WHERE (((("exceptions"."org_id" = $1) AND ("exceptions"."effect_id" = $2)) AND ("exceptions"."kind" = $3)) AND ("exceptions"."closed_at" IS NULL)) LIMIT $4;

-- takes
-- gives from_currency text, to_currency text, rate numeric, source text, day date, updated_at timestamp with time zone
SELECT "exchange_rates"."from_currency", "exchange_rates"."to_currency", "exchange_rates"."rate", "exchange_rates"."source", "exchange_rates"."day", "exchange_rates"."updated_at" FROM "exchange_rates" ORDER BY "exchange_rates"."from_currency", "exchange_rates"."to_currency", "exchange_rates"."source";

-- takes uuid, timestamp with time zone, timestamp with time zone, text, bigint, bigint
-- gives id uuid, org_id uuid, booking_id uuid, booking_ref text, product text, kind text, number smallint, pnr text, provider text, user_id uuid, user_name text, issued_at timestamp with time zone, transfer_id uuid, currency text, public_fare numeric, agent_fare numeric, ancillary numeric, agent_commission numeric, markup numeric, supplier_amount numeric
SELECT "fare_transactions"."id", "fare_transactions"."org_id", "fare_transactions"."booking_id", "fare_transactions"."booking_ref", "fare_transactions"."product", "fare_transactions"."kind", "fare_transactions"."number", "fare_transactions"."pnr", "fare_transactions"."provider", "fare_transactions"."user_id", "fare_transactions"."user_name", "fare_transactions"."issued_at", "fare_transactions"."transfer_id", "fare_transactions"."currency", "fare_transactions"."public_fare", "fare_transactions"."agent_fare", "fare_transactions"."ancillary", "fare_transactions"."agent_commission", "fare_transactions"."markup", "fare_transactions"."supplier_amount" FROM "fare_transactions" WHERE (("fare_transactions"."org_id" = $1) AND ((("fare_transactions"."issued_at" >= $2) AND ("fare_transactions"."issued_at" < $3)) AND ("fare_transactions"."kind" IS DISTINCT FROM $4))) ORDER BY "fare_transactions"."issued_at" DESC, "fare_transactions"."id" DESC LIMIT $5 OFFSET $6;

-- takes uuid, timestamp with time zone, timestamp with time zone, text, uuid, bigint, bigint
-- gives id uuid, org_id uuid, booking_id uuid, booking_ref text, product text, kind text, number smallint, pnr text, provider text, user_id uuid, user_name text, issued_at timestamp with time zone, transfer_id uuid, currency text, public_fare numeric, agent_fare numeric, ancillary numeric, agent_commission numeric, markup numeric, supplier_amount numeric
SELECT "fare_transactions"."id", "fare_transactions"."org_id", "fare_transactions"."booking_id", "fare_transactions"."booking_ref", "fare_transactions"."product", "fare_transactions"."kind", "fare_transactions"."number", "fare_transactions"."pnr", "fare_transactions"."provider", "fare_transactions"."user_id", "fare_transactions"."user_name", "fare_transactions"."issued_at", "fare_transactions"."transfer_id", "fare_transactions"."currency", "fare_transactions"."public_fare", "fare_transactions"."agent_fare", "fare_transactions"."ancillary", "fare_transactions"."agent_commission", "fare_transactions"."markup", "fare_transactions"."supplier_amount" FROM "fare_transactions" WHERE ((("fare_transactions"."org_id" = $1) AND ((("fare_transactions"."issued_at" >= $2) AND ("fare_transactions"."issued_at" < $3)) AND ("fare_transactions"."kind" IS DISTINCT FROM $4))) AND ("fare_transactions"."user_id" = $5)) ORDER BY "fare_transactions"."issued_at" DESC, "fare_transactions"."id" DESC LIMIT $6 OFFSET $7;

-- takes uuid, timestamp with time zone, timestamp with time zone, text
-- gives provider text, sum numeric, sum numeric, sum numeric, count bigint
SELECT "fare_transactions"."provider", sum("fare_transactions"."public_fare"), sum("fare_transactions"."agent_fare"), sum("fare_transactions"."markup"), count( DISTINCT "fare_transactions"."booking_id") FROM "fare_transactions" WHERE (("fare_transactions"."org_id" = $1) AND ((("fare_transactions"."issued_at" >= $2) AND ("fare_transactions"."issued_at" < $3)) AND ("fare_transactions"."kind" IS DISTINCT FROM $4))) GROUP BY "fare_transactions"."provider";

-- takes uuid, bigint
-- gives dropped bigint, last bigint
SELECT "feed_positions"."dropped", "feed_positions"."last" FROM "feed_positions" WHERE ("feed_positions"."org_id" = $1) LIMIT $2;

-- takes uuid, bigint
-- gives last bigint
SELECT "feed_positions"."last" FROM "feed_positions" WHERE ("feed_positions"."org_id" = $1) LIMIT $2 FOR UPDATE SKIP LOCKED;

-- takes uuid[], uuid[]
-- gives booking_id uuid, min timestamp with time zone
SELECT "hold_reminders"."booking_id", min("hold_reminders"."due_at") FROM "hold_reminders" WHERE ((hold_reminders.org_id, hold_reminders.booking_id) in (select u.a, u.b from unnest($1, $2) as u (a, b)) AND ("hold_reminders"."told_at" IS NULL)) GROUP BY "hold_reminders"."booking_id";

-- takes uuid, uuid
-- gives number smallint, kind text, due_at timestamp with time zone, told_at timestamp with time zone
SELECT "hold_reminders"."number", "hold_reminders"."kind", "hold_reminders"."due_at", "hold_reminders"."told_at" FROM "hold_reminders" WHERE (("hold_reminders"."org_id" = $1) AND ("hold_reminders"."booking_id" = $2)) ORDER BY "hold_reminders"."number";

-- takes uuid, uuid, text, timestamp with time zone, bigint
-- gives fingerprint bytea, booking_ref text, effect_id uuid, made_user_id uuid, made_transfer_id uuid, made_package_id uuid, made_webhook_id uuid, made_report_id uuid, status smallint, answer text, sealed_answer bytea
SELECT "idempotency_keys"."fingerprint", "idempotency_keys"."booking_ref", "idempotency_keys"."effect_id", "idempotency_keys"."made_user_id", "idempotency_keys"."made_transfer_id", "idempotency_keys"."made_package_id", "idempotency_keys"."made_webhook_id", "idempotency_keys"."made_report_id", "idempotency_keys"."status", "idempotency_keys"."answer", "idempotency_keys"."sealed_answer" FROM "idempotency_keys" WHERE ((("idempotency_keys"."org_id" = $1) AND (("idempotency_keys"."user_id" = $2) AND ("idempotency_keys"."key" = $3))) AND ("idempotency_keys"."created_at" > $4)) LIMIT $5;

-- takes uuid[], uuid[], text[], timestamp with time zone
-- gives user_id uuid, key text
SELECT "idempotency_keys"."user_id", "idempotency_keys"."key" FROM "idempotency_keys" WHERE ((("idempotency_keys"."org_id" = ANY($1)) AND (idempotency_keys.user_id, idempotency_keys.key) in (select u.a, u.b from unnest($2, $3) as u (a, b))) AND ("idempotency_keys"."created_at" > $4));

-- takes uuid, uuid, bigint, bigint
-- gives id uuid, kind text, title text, message text, data jsonb, created_at timestamp with time zone, read_at timestamp with time zone
SELECT "notifications"."id", "notifications"."kind", "notifications"."title", "notifications"."message", "notifications"."data", "notifications"."created_at", "notifications"."read_at" FROM "notifications" WHERE (("notifications"."org_id" = $1) AND ("notifications"."user_id" = $2)) ORDER BY "notifications"."id" DESC LIMIT $3 OFFSET $4;

-- takes uuid, uuid, uuid, bigint, bigint
-- gives id uuid, kind text, title text, message text, data jsonb, created_at timestamp with time zone, read_at timestamp with time zone
SELECT "notifications"."id", "notifications"."kind", "notifications"."title", "notifications"."message", "notifications"."data", "notifications"."created_at", "notifications"."read_at" FROM "notifications" WHERE ((("notifications"."org_id" = $1) AND ("notifications"."user_id" = $2)) AND ("notifications"."id" < $3)) ORDER BY "notifications"."id" DESC LIMIT $4 OFFSET $5;

-- takes uuid, uuid, uuid, bigint, bigint
-- gives id uuid, kind text, title text, message text, data jsonb, created_at timestamp with time zone, read_at timestamp with time zone
SELECT "notifications"."id", "notifications"."kind", "notifications"."title", "notifications"."message", "notifications"."data", "notifications"."created_at", "notifications"."read_at" FROM "notifications" WHERE ((("notifications"."org_id" = $1) AND ("notifications"."user_id" = $2)) AND ("notifications"."id" > $3)) ORDER BY "notifications"."id" ASC LIMIT $4 OFFSET $5;

-- takes uuid, integer, timestamp with time zone, timestamp with time zone
-- gives id uuid, created_at timestamp with time zone, idle_until timestamp with time zone, ends_at timestamp with time zone, confirmed_at timestamp with time zone, user_agent text, address text, session_epoch integer
SELECT "operator_sessions"."id", "operator_sessions"."created_at", "operator_sessions"."idle_until", "operator_sessions"."ends_at", "operator_sessions"."confirmed_at", "operator_sessions"."user_agent", "operator_sessions"."address", "operator_sessions"."session_epoch" FROM "operator_sessions" WHERE (((("operator_sessions"."operator_id" = $1) AND ("operator_sessions"."session_epoch" = $2)) AND ("operator_sessions"."idle_until" > $3)) AND ("operator_sessions"."ends_at" > $4)) ORDER BY "operator_sessions"."created_at" DESC, "operator_sessions"."id" DESC;

-- takes
-- gives id uuid, username text, name text, role text, status text, session_epoch integer, created_at timestamp with time zone, last_login_at timestamp with time zone, password_hash text, given_password_hash text
SELECT "operators"."id", "operators"."username", "operators"."name", "operators"."role", "operators"."status", "operators"."session_epoch", "operators"."created_at", "operators"."last_login_at", "operators"."password_hash", "operators"."given_password_hash" FROM "operators" ORDER BY "operators"."created_at", "operators"."id";

-- takes
-- gives id uuid, username text, name text, role text, status text, session_epoch integer, created_at timestamp with time zone, last_login_at timestamp with time zone, password_hash text, given_password_hash text
SELECT "operators"."id", "operators"."username", "operators"."name", "operators"."role", "operators"."status", "operators"."session_epoch", "operators"."created_at", "operators"."last_login_at", "operators"."password_hash", "operators"."given_password_hash" FROM "operators" ORDER BY "operators"."id" FOR UPDATE;

-- takes uuid, bigint
-- gives id uuid, username text, name text, role text, status text, session_epoch integer, created_at timestamp with time zone, last_login_at timestamp with time zone, password_hash text, given_password_hash text
SELECT "operators"."id", "operators"."username", "operators"."name", "operators"."role", "operators"."status", "operators"."session_epoch", "operators"."created_at", "operators"."last_login_at", "operators"."password_hash", "operators"."given_password_hash" FROM "operators" WHERE ("operators"."id" = $1) LIMIT $2;

-- takes bytea, bigint
-- gives id uuid, username text, name text, role text, status text, session_epoch integer, created_at timestamp with time zone, last_login_at timestamp with time zone, password_hash text, given_password_hash text, id uuid, created_at timestamp with time zone, idle_until timestamp with time zone, ends_at timestamp with time zone, confirmed_at timestamp with time zone, user_agent text, address text, session_epoch integer
SELECT "operators"."id", "operators"."username", "operators"."name", "operators"."role", "operators"."status", "operators"."session_epoch", "operators"."created_at", "operators"."last_login_at", "operators"."password_hash", "operators"."given_password_hash", "operator_sessions"."id", "operator_sessions"."created_at", "operator_sessions"."idle_until", "operator_sessions"."ends_at", "operator_sessions"."confirmed_at", "operator_sessions"."user_agent", "operator_sessions"."address", "operator_sessions"."session_epoch" FROM ("operator_sessions" INNER JOIN "operators" ON ("operators"."id" = "operator_sessions"."operator_id")) WHERE ("operator_sessions"."token_hash" = $1) LIMIT $2;

-- takes text, bigint
-- gives id uuid, username text, name text, role text, status text, session_epoch integer, created_at timestamp with time zone, last_login_at timestamp with time zone, password_hash text, given_password_hash text, password_hash text
SELECT "operators"."id", "operators"."username", "operators"."name", "operators"."role", "operators"."status", "operators"."session_epoch", "operators"."created_at", "operators"."last_login_at", "operators"."password_hash", "operators"."given_password_hash", "operators"."password_hash" FROM "operators" WHERE (lower("operators"."username") = lower($1)) LIMIT $2;

-- takes uuid[], uuid[], text
-- gives booking_id uuid
SELECT "order_changes"."booking_id" FROM "order_changes" WHERE ((order_changes.org_id, order_changes.booking_id) in (select u.a, u.b from unnest($1, $2) as u (a, b)) AND ("order_changes"."state" = $3));

-- takes uuid, bigint, bigint
-- gives id uuid, org_id uuid, booking_id uuid, user_id uuid, number smallint, supplier_change_id text, place smallint, kind text, minutes integer, before jsonb, after jsonb, state text, actions jsonb, decide_by timestamp with time zone, due_at timestamp with time zone, found_at timestamp with time zone, decided_at timestamp with time zone, decided_by uuid, effect_id uuid
SELECT "order_changes"."id", "order_changes"."org_id", "order_changes"."booking_id", "order_changes"."user_id", "order_changes"."number", "order_changes"."supplier_change_id", "order_changes"."place", "order_changes"."kind", "order_changes"."minutes", "order_changes"."before", "order_changes"."after", "order_changes"."state", "order_changes"."actions", "order_changes"."decide_by", "order_changes"."due_at", "order_changes"."found_at", "order_changes"."decided_at", "order_changes"."decided_by", "order_changes"."effect_id" FROM "order_changes" WHERE (("order_changes"."org_id" = $1) AND order_changes.place > 0) ORDER BY "order_changes"."id" DESC LIMIT $2 OFFSET $3;

-- takes uuid, uuid, bigint, bigint
-- gives id uuid, org_id uuid, booking_id uuid, user_id uuid, number smallint, supplier_change_id text, place smallint, kind text, minutes integer, before jsonb, after jsonb, state text, actions jsonb, decide_by timestamp with time zone, due_at timestamp with time zone, found_at timestamp with time zone, decided_at timestamp with time zone, decided_by uuid, effect_id uuid
SELECT "order_changes"."id", "order_changes"."org_id", "order_changes"."booking_id", "order_changes"."user_id", "order_changes"."number", "order_changes"."supplier_change_id", "order_changes"."place", "order_changes"."kind", "order_changes"."minutes", "order_changes"."before", "order_changes"."after", "order_changes"."state", "order_changes"."actions", "order_changes"."decide_by", "order_changes"."due_at", "order_changes"."found_at", "order_changes"."decided_at", "order_changes"."decided_by", "order_changes"."effect_id" FROM "order_changes" WHERE ((("order_changes"."org_id" = $1) AND order_changes.place > 0) AND ("order_changes"."user_id" = $2)) ORDER BY "order_changes"."id" DESC LIMIT $3 OFFSET $4;

-- takes uuid, uuid, text, bigint, bigint
-- gives id uuid, org_id uuid, booking_id uuid, user_id uuid, number smallint, supplier_change_id text, place smallint, kind text, minutes integer, before jsonb, after jsonb, state text, actions jsonb, decide_by timestamp with time zone, due_at timestamp with time zone, found_at timestamp with time zone, decided_at timestamp with time zone, decided_by uuid, effect_id uuid
SELECT "order_changes"."id", "order_changes"."org_id", "order_changes"."booking_id", "order_changes"."user_id", "order_changes"."number", "order_changes"."supplier_change_id", "order_changes"."place", "order_changes"."kind", "order_changes"."minutes", "order_changes"."before", "order_changes"."after", "order_changes"."state", "order_changes"."actions", "order_changes"."decide_by", "order_changes"."due_at", "order_changes"."found_at", "order_changes"."decided_at", "order_changes"."decided_by", "order_changes"."effect_id" FROM "order_changes" WHERE (((("order_changes"."org_id" = $1) AND order_changes.place > 0) AND ("order_changes"."user_id" = $2)) AND ("order_changes"."state" = $3)) ORDER BY "order_changes"."id" DESC LIMIT $4 OFFSET $5;

-- takes uuid[], uuid[]
-- gives id uuid, org_id uuid, booking_id uuid, user_id uuid, number smallint, supplier_change_id text, place smallint, kind text, minutes integer, before jsonb, after jsonb, state text, actions jsonb, decide_by timestamp with time zone, due_at timestamp with time zone, found_at timestamp with time zone, decided_at timestamp with time zone, decided_by uuid, effect_id uuid
SELECT "order_changes"."id", "order_changes"."org_id", "order_changes"."booking_id", "order_changes"."user_id", "order_changes"."number", "order_changes"."supplier_change_id", "order_changes"."place", "order_changes"."kind", "order_changes"."minutes", "order_changes"."before", "order_changes"."after", "order_changes"."state", "order_changes"."actions", "order_changes"."decide_by", "order_changes"."due_at", "order_changes"."found_at", "order_changes"."decided_at", "order_changes"."decided_by", "order_changes"."effect_id" FROM "order_changes" WHERE (order_changes.org_id, order_changes.booking_id) in (select u.a, u.b from unnest($1, $2) as u (a, b)) ORDER BY "order_changes"."booking_id", "order_changes"."place";

-- takes timestamp with time zone, bigint
-- gives org_id uuid, booking_id uuid
SELECT "order_changes"."org_id", "order_changes"."booking_id" FROM "order_changes" WHERE ("order_changes"."due_at" <= $1) ORDER BY "order_changes"."due_at" LIMIT $2;

-- takes
-- gives agent_id text, currency text, supplier text, airline text, cabin text, commission_type text, commission_value numeric, updated_at timestamp with time zone
SELECT "organizations"."agent_id", "organizations"."currency", "contracts"."supplier", "contracts"."airline", "contracts"."cabin", "contracts"."commission_type", "contracts"."commission_value", "contracts"."updated_at" FROM ("contracts" INNER JOIN "organizations" ON ("organizations"."id" = "contracts"."org_id")) ORDER BY "contracts"."org_id", "contracts"."supplier", "contracts"."airline", "contracts"."cabin";

-- takes uuid
-- gives agent_id text, currency text, supplier text, airline text, cabin text, commission_type text, commission_value numeric, updated_at timestamp with time zone
SELECT "organizations"."agent_id", "organizations"."currency", "contracts"."supplier", "contracts"."airline", "contracts"."cabin", "contracts"."commission_type", "contracts"."commission_value", "contracts"."updated_at" FROM ("contracts" INNER JOIN "organizations" ON ("organizations"."id" = "contracts"."org_id")) WHERE ("contracts"."org_id" = $1) ORDER BY "contracts"."org_id", "contracts"."supplier", "contracts"."airline", "contracts"."cabin";

-- takes text, bigint
-- gives id uuid, agent_id text, name text, slug text, email text, phone text, address text, country text, subscription_type text, status text, ip_whitelist_enabled boolean, currency text, timezone text, created_at timestamp with time zone, updated_at timestamp with time zone, whitelist text[], suppliers text[]
SELECT "organizations"."id", "organizations"."agent_id", "organizations"."name", "organizations"."slug", "organizations"."email", "organizations"."phone", "organizations"."address", "organizations"."country", "organizations"."subscription_type", "organizations"."status", "organizations"."ip_whitelist_enabled", "organizations"."currency", "organizations"."timezone", "organizations"."created_at", "organizations"."updated_at", "organizations"."whitelist", "organizations"."suppliers" FROM "organizations" WHERE ("organizations"."agent_id" = $1) LIMIT $2;

-- takes uuid, bigint
-- gives id uuid, agent_id text, name text, slug text, email text, phone text, address text, country text, subscription_type text, status text, ip_whitelist_enabled boolean, currency text, timezone text, created_at timestamp with time zone, updated_at timestamp with time zone, whitelist text[], suppliers text[]
SELECT "organizations"."id", "organizations"."agent_id", "organizations"."name", "organizations"."slug", "organizations"."email", "organizations"."phone", "organizations"."address", "organizations"."country", "organizations"."subscription_type", "organizations"."status", "organizations"."ip_whitelist_enabled", "organizations"."currency", "organizations"."timezone", "organizations"."created_at", "organizations"."updated_at", "organizations"."whitelist", "organizations"."suppliers" FROM "organizations" WHERE ("organizations"."id" = $1) LIMIT $2 FOR NO KEY UPDATE;

-- takes text
-- gives id uuid, agent_id text, name text, slug text, email text, phone text, address text, country text, subscription_type text, status text, ip_whitelist_enabled boolean, currency text, timezone text, created_at timestamp with time zone, updated_at timestamp with time zone, whitelist text[], suppliers text[], id uuid, currency text, balance numeric, held numeric, credit_limit numeric, is_active boolean, sequence bigint, head bytea
SELECT "organizations"."id", "organizations"."agent_id", "organizations"."name", "organizations"."slug", "organizations"."email", "organizations"."phone", "organizations"."address", "organizations"."country", "organizations"."subscription_type", "organizations"."status", "organizations"."ip_whitelist_enabled", "organizations"."currency", "organizations"."timezone", "organizations"."created_at", "organizations"."updated_at", "organizations"."whitelist", "organizations"."suppliers", "wallets"."id", "wallets"."currency", "wallets"."balance", "wallets"."held", "wallets"."credit_limit", "wallets"."is_active", "wallets"."sequence", "wallets"."head" FROM ("organizations" INNER JOIN "wallets" ON ((("wallets"."org_id" = "organizations"."id") AND ("wallets"."owner_id" = "organizations"."id")) AND ("wallets"."owner_type" = $1))) ORDER BY "organizations"."id";

-- takes uuid, bigint
-- gives status text
SELECT "organizations"."status" FROM "organizations" WHERE ("organizations"."id" = $1) LIMIT $2;

-- takes uuid, text
-- gives id uuid, org_id uuid, product text, package_id uuid, agent_id uuid, assigned_by uuid, assigned_at timestamp with time zone, org_id uuid, id uuid, product text, name text, description text, markup_type text, markup_value numeric, markup_apply_on text, priority integer, is_active boolean, created_by uuid, created_at timestamp with time zone, updated_at timestamp with time zone, coalesce json
SELECT "package_assignments"."id", "package_assignments"."org_id", "package_assignments"."product", "package_assignments"."package_id", "package_assignments"."agent_id", "package_assignments"."assigned_by", "package_assignments"."assigned_at", "packages"."org_id", "packages"."id", "packages"."product", "packages"."name", "packages"."description", "packages"."markup_type", "packages"."markup_value", "packages"."markup_apply_on", "packages"."priority", "packages"."is_active", "packages"."created_by", "packages"."created_at", "packages"."updated_at", (select coalesce(json_agg(r order by r.sort_order), '[]') from price_ranges r where r.org_id = packages.org_id and r.package_id = packages.id) FROM ("packages" INNER JOIN "package_assignments" ON (("package_assignments"."org_id" = "packages"."org_id") AND ("package_assignments"."package_id" = "packages"."id"))) WHERE ((("package_assignments"."org_id" = $1) AND ("package_assignments"."product" = $2)) AND ("package_assignments"."agent_id" IS NOT NULL)) ORDER BY "package_assignments"."id" DESC;

-- takes uuid, uuid, text, bigint
-- gives org_id uuid, id uuid, product text, name text, description text, markup_type text, markup_value numeric, markup_apply_on text, priority integer, is_active boolean, created_by uuid, created_at timestamp with time zone, updated_at timestamp with time zone, coalesce json
SELECT "packages"."org_id", "packages"."id", "packages"."product", "packages"."name", "packages"."description", "packages"."markup_type", "packages"."markup_value", "packages"."markup_apply_on", "packages"."priority", "packages"."is_active", "packages"."created_by", "packages"."created_at", "packages"."updated_at", (select coalesce(json_agg(r order by r.sort_order), '[]') from price_ranges r where r.org_id = packages.org_id and r.package_id = packages.id) FROM "packages" WHERE ((("packages"."org_id" = $1) AND ("packages"."id" = $2)) AND ("packages"."product" = $3)) LIMIT $4;

-- takes uuid, text, uuid, bigint
-- gives org_id uuid, id uuid, product text, name text, description text, markup_type text, markup_value numeric, markup_apply_on text, priority integer, is_active boolean, created_by uuid, created_at timestamp with time zone, updated_at timestamp with time zone, coalesce json
SELECT "packages"."org_id", "packages"."id", "packages"."product", "packages"."name", "packages"."description", "packages"."markup_type", "packages"."markup_value", "packages"."markup_apply_on", "packages"."priority", "packages"."is_active", "packages"."created_by", "packages"."created_at", "packages"."updated_at", (select coalesce(json_agg(r order by r.sort_order), '[]') from price_ranges r where r.org_id = packages.org_id and r.package_id = packages.id) FROM ("packages" INNER JOIN "package_assignments" ON (("package_assignments"."org_id" = "packages"."org_id") AND ("package_assignments"."package_id" = "packages"."id"))) WHERE ((("package_assignments"."org_id" = $1) AND ("package_assignments"."product" = $2)) AND ("package_assignments"."agent_id" IS NOT DISTINCT FROM $3)) LIMIT $4;

-- takes uuid, text, uuid, bigint
-- gives org_id uuid, id uuid, product text, name text, description text, markup_type text, markup_value numeric, markup_apply_on text, priority integer, is_active boolean, created_by uuid, created_at timestamp with time zone, updated_at timestamp with time zone, coalesce json, agent_id uuid
SELECT "packages"."org_id", "packages"."id", "packages"."product", "packages"."name", "packages"."description", "packages"."markup_type", "packages"."markup_value", "packages"."markup_apply_on", "packages"."priority", "packages"."is_active", "packages"."created_by", "packages"."created_at", "packages"."updated_at", (select coalesce(json_agg(r order by r.sort_order), '[]') from price_ranges r where r.org_id = packages.org_id and r.package_id = packages.id), "package_assignments"."agent_id" FROM ("packages" INNER JOIN "package_assignments" ON (("package_assignments"."org_id" = "packages"."org_id") AND ("package_assignments"."package_id" = "packages"."id"))) WHERE (((("package_assignments"."org_id" = $1) AND ("package_assignments"."product" = $2)) AND (("package_assignments"."agent_id" IS NULL) OR ("package_assignments"."agent_id" = $3))) AND "packages"."is_active") ORDER BY "package_assignments"."agent_id" LIMIT $4;

-- takes uuid, text
-- gives org_id uuid, id uuid, product text, name text, description text, markup_type text, markup_value numeric, markup_apply_on text, priority integer, is_active boolean, created_by uuid, created_at timestamp with time zone, updated_at timestamp with time zone, coalesce json, id uuid
SELECT "packages"."org_id", "packages"."id", "packages"."product", "packages"."name", "packages"."description", "packages"."markup_type", "packages"."markup_value", "packages"."markup_apply_on", "packages"."priority", "packages"."is_active", "packages"."created_by", "packages"."created_at", "packages"."updated_at", (select coalesce(json_agg(r order by r.sort_order), '[]') from price_ranges r where r.org_id = packages.org_id and r.package_id = packages.id), "package_assignments"."id" FROM ("packages" LEFT OUTER JOIN "package_assignments" ON ((("package_assignments"."org_id" = "packages"."org_id") AND ("package_assignments"."package_id" = "packages"."id")) AND ("package_assignments"."agent_id" IS NULL))) WHERE (("packages"."org_id" = $1) AND ("packages"."product" = $2)) ORDER BY "packages"."id" DESC;

-- takes
-- gives org_id uuid, booking_id uuid, kind text, at timestamp with time zone
SELECT "people_erasures"."org_id", "people_erasures"."booking_id", "people_erasures"."kind", "people_erasures"."at" FROM "people_erasures" ORDER BY "people_erasures"."at", "people_erasures"."booking_id";

-- takes uuid, uuid, bigint
-- gives created_at timestamp with time zone
SELECT "public_events"."created_at" FROM "public_events" WHERE (("public_events"."org_id" = $1) AND ("public_events"."id" = $2)) LIMIT $3;

-- takes uuid, bigint, bigint
-- gives id uuid, sequence bigint, kind text, data jsonb, created_at timestamp with time zone
SELECT "public_events"."id", "public_events"."sequence", "public_events"."kind", "public_events"."data", "public_events"."created_at" FROM "public_events" WHERE (("public_events"."org_id" = $1) AND ("public_events"."sequence" > $2)) ORDER BY "public_events"."sequence" LIMIT $3;

-- takes uuid, uuid, bigint
-- gives catalog text
SELECT "quotes"."catalog" FROM "quotes" WHERE (("quotes"."org_id" = $1) AND ("quotes"."id" = $2)) LIMIT $3;

-- takes uuid[], uuid[]
-- gives id uuid, booking_id uuid
SELECT "quotes"."id", "quotes"."booking_id" FROM "quotes" WHERE (quotes.org_id, quotes.id) in (select u.a, u.b from unnest($1, $2) as u (a, b)) ORDER BY "quotes"."id" FOR UPDATE;

-- takes uuid[], uuid[]
-- gives org_id uuid, id uuid, user_id uuid, product text, coalesce text, created_at timestamp with time zone, expires_at timestamp with time zone, booking_ref text, value text, value text
SELECT "quotes"."org_id", "quotes"."id", "quotes"."user_id", "quotes"."product", coalesce(quotes.body, quotes.content::text), "quotes"."created_at", "quotes"."expires_at", "bookings"."booking_ref", (select s.value from settings s where s.org_id = quotes.org_id and s.key = 'ticket_password_enabled'), (select s.value from settings s where s.org_id = quotes.org_id and s.key = 'book_mode') FROM ("quotes" LEFT OUTER JOIN "bookings" ON (("bookings"."org_id" = "quotes"."org_id") AND ("quotes"."booking_id" = "bookings"."id"))) WHERE (quotes.org_id, quotes.id) in (select * from unnest($1, $2));

-- takes bytea, bigint
-- gives id uuid, org_id uuid, user_id uuid, id uuid, expires_at timestamp with time zone, spent_at timestamp with time zone, ended_at timestamp with time zone
SELECT "refresh_tokens"."id", "refresh_tokens"."org_id", "sessions"."user_id", "sessions"."id", "refresh_tokens"."expires_at", "refresh_tokens"."spent_at", "sessions"."ended_at" FROM ("refresh_tokens" INNER JOIN "sessions" ON (("sessions"."org_id" = "refresh_tokens"."org_id") AND ("sessions"."id" = "refresh_tokens"."session_id"))) WHERE ("refresh_tokens"."token_hash" = $1) LIMIT $2 FOR UPDATE;

-- takes uuid, uuid
-- gives id uuid, org_id uuid, booking_id uuid, number smallint, wallet_id uuid, status text, provider_refund_id text, requested_at timestamp with time zone, refunded_at timestamp with time zone, part jsonb, currency text, cancellation_charge numeric, provider_refund_amount numeric, platform_charges numeric, refund_to_wallet numeric
SELECT "refunds"."id", "refunds"."org_id", "refunds"."booking_id", "refunds"."number", "refunds"."wallet_id", "refunds"."status", "refunds"."provider_refund_id", "refunds"."requested_at", "refunds"."refunded_at", "refunds"."part", "refunds"."currency", "refunds"."cancellation_charge", "refunds"."provider_refund_amount", "refunds"."platform_charges", "refunds"."refund_to_wallet" FROM "refunds" WHERE (("refunds"."org_id" = $1) AND ("refunds"."booking_id" = $2)) ORDER BY "refunds"."number", "refunds"."id";

-- takes uuid[], uuid[], text
-- gives id uuid, org_id uuid, booking_id uuid, number smallint, wallet_id uuid, status text, provider_refund_id text, requested_at timestamp with time zone, refunded_at timestamp with time zone, part jsonb, currency text, cancellation_charge numeric, provider_refund_amount numeric, platform_charges numeric, refund_to_wallet numeric
SELECT "refunds"."id", "refunds"."org_id", "refunds"."booking_id", "refunds"."number", "refunds"."wallet_id", "refunds"."status", "refunds"."provider_refund_id", "refunds"."requested_at", "refunds"."refunded_at", "refunds"."part", "refunds"."currency", "refunds"."cancellation_charge", "refunds"."provider_refund_amount", "refunds"."platform_charges", "refunds"."refund_to_wallet" FROM "refunds" WHERE ((refunds.org_id, refunds.booking_id) in (select u.a, u.b from unnest($1, $2) as u (a, b)) AND ("refunds"."status" != $3)) ORDER BY "refunds"."booking_id", "refunds"."number", "refunds"."id";

-- takes uuid, text, bigint, bigint
-- gives id uuid, org_id uuid, booking_id uuid, number smallint, wallet_id uuid, status text, provider_refund_id text, requested_at timestamp with time zone, refunded_at timestamp with time zone, part jsonb, currency text, cancellation_charge numeric, provider_refund_amount numeric, platform_charges numeric, refund_to_wallet numeric, booking_ref text, pnr text, status text, user_name text, cancelled_at timestamp with time zone
SELECT "refunds"."id", "refunds"."org_id", "refunds"."booking_id", "refunds"."number", "refunds"."wallet_id", "refunds"."status", "refunds"."provider_refund_id", "refunds"."requested_at", "refunds"."refunded_at", "refunds"."part", "refunds"."currency", "refunds"."cancellation_charge", "refunds"."provider_refund_amount", "refunds"."platform_charges", "refunds"."refund_to_wallet", "bookings"."booking_ref", "bookings"."pnr", "bookings"."status", "bookings"."user_name", "bookings"."cancelled_at" FROM ("refunds" INNER JOIN "bookings" ON (("bookings"."org_id" = "refunds"."org_id") AND ("bookings"."id" = "refunds"."booking_id"))) WHERE (("refunds"."org_id" = $1) AND ("bookings"."product" IS NOT DISTINCT FROM $2)) ORDER BY "refunds"."id" DESC LIMIT $3 OFFSET $4;

-- takes uuid, text, uuid, bigint, bigint
-- gives id uuid, org_id uuid, booking_id uuid, number smallint, wallet_id uuid, status text, provider_refund_id text, requested_at timestamp with time zone, refunded_at timestamp with time zone, part jsonb, currency text, cancellation_charge numeric, provider_refund_amount numeric, platform_charges numeric, refund_to_wallet numeric, booking_ref text, pnr text, status text, user_name text, cancelled_at timestamp with time zone
SELECT "refunds"."id", "refunds"."org_id", "refunds"."booking_id", "refunds"."number", "refunds"."wallet_id", "refunds"."status", "refunds"."provider_refund_id", "refunds"."requested_at", "refunds"."refunded_at", "refunds"."part", "refunds"."currency", "refunds"."cancellation_charge", "refunds"."provider_refund_amount", "refunds"."platform_charges", "refunds"."refund_to_wallet", "bookings"."booking_ref", "bookings"."pnr", "bookings"."status", "bookings"."user_name", "bookings"."cancelled_at" FROM ("refunds" INNER JOIN "bookings" ON (("bookings"."org_id" = "refunds"."org_id") AND ("bookings"."id" = "refunds"."booking_id"))) WHERE ((("refunds"."org_id" = $1) AND ("bookings"."product" IS NOT DISTINCT FROM $2)) AND ("bookings"."user_id" IS NOT DISTINCT FROM $3)) ORDER BY "refunds"."id" DESC LIMIT $4 OFFSET $5;

-- takes uuid, text, text, bigint, bigint
-- gives id uuid, org_id uuid, booking_id uuid, number smallint, wallet_id uuid, status text, provider_refund_id text, requested_at timestamp with time zone, refunded_at timestamp with time zone, part jsonb, currency text, cancellation_charge numeric, provider_refund_amount numeric, platform_charges numeric, refund_to_wallet numeric, booking_ref text, pnr text, status text, user_name text, cancelled_at timestamp with time zone
SELECT "refunds"."id", "refunds"."org_id", "refunds"."booking_id", "refunds"."number", "refunds"."wallet_id", "refunds"."status", "refunds"."provider_refund_id", "refunds"."requested_at", "refunds"."refunded_at", "refunds"."part", "refunds"."currency", "refunds"."cancellation_charge", "refunds"."provider_refund_amount", "refunds"."platform_charges", "refunds"."refund_to_wallet", "bookings"."booking_ref", "bookings"."pnr", "bookings"."status", "bookings"."user_name", "bookings"."cancelled_at" FROM ("refunds" INNER JOIN "bookings" ON (("bookings"."org_id" = "refunds"."org_id") AND ("bookings"."id" = "refunds"."booking_id"))) WHERE ((("refunds"."org_id" = $1) AND ("bookings"."product" IS NOT DISTINCT FROM $2)) AND ("refunds"."status" IS NOT DISTINCT FROM $3)) ORDER BY "refunds"."id" DESC LIMIT $4 OFFSET $5;

-- takes uuid, text, uuid, text, bigint, bigint
-- gives id uuid, org_id uuid, booking_id uuid, number smallint, wallet_id uuid, status text, provider_refund_id text, requested_at timestamp with time zone, refunded_at timestamp with time zone, part jsonb, currency text, cancellation_charge numeric, provider_refund_amount numeric, platform_charges numeric, refund_to_wallet numeric, booking_ref text, pnr text, status text, user_name text, cancelled_at timestamp with time zone
SELECT "refunds"."id", "refunds"."org_id", "refunds"."booking_id", "refunds"."number", "refunds"."wallet_id", "refunds"."status", "refunds"."provider_refund_id", "refunds"."requested_at", "refunds"."refunded_at", "refunds"."part", "refunds"."currency", "refunds"."cancellation_charge", "refunds"."provider_refund_amount", "refunds"."platform_charges", "refunds"."refund_to_wallet", "bookings"."booking_ref", "bookings"."pnr", "bookings"."status", "bookings"."user_name", "bookings"."cancelled_at" FROM ("refunds" INNER JOIN "bookings" ON (("bookings"."org_id" = "refunds"."org_id") AND ("bookings"."id" = "refunds"."booking_id"))) WHERE (((("refunds"."org_id" = $1) AND ("bookings"."product" IS NOT DISTINCT FROM $2)) AND ("bookings"."user_id" IS NOT DISTINCT FROM $3)) AND ("refunds"."status" IS NOT DISTINCT FROM $4)) ORDER BY "refunds"."id" DESC LIMIT $5 OFFSET $6;

-- takes uuid, uuid
-- gives number smallint, status text, requested_at timestamp with time zone, currency text, refund_to_wallet numeric
SELECT "refunds"."number", "refunds"."status", "refunds"."requested_at", "refunds"."currency", "refunds"."refund_to_wallet" FROM "refunds" WHERE (("refunds"."booking_id" = $1) AND ("refunds"."org_id" = $2));

-- takes uuid, text, bigint, bigint
-- gives org_id uuid, id uuid, user_id uuid, scope text, type text, filters jsonb, period_start timestamp with time zone, period_end timestamp with time zone, status text, attempts integer, problem text, bytes bigint, row_count bigint, progress smallint, created_at timestamp with time zone, generated_at timestamp with time zone, expires_at timestamp with time zone
SELECT "reports"."org_id", "reports"."id", "reports"."user_id", "reports"."scope", "reports"."type", "reports"."filters", "reports"."period_start", "reports"."period_end", "reports"."status", "reports"."attempts", "reports"."problem", "reports"."bytes", "reports"."row_count", "reports"."progress", "reports"."created_at", "reports"."generated_at", "reports"."expires_at" FROM "reports" WHERE (("reports"."org_id" = $1) AND ("reports"."scope" = $2)) ORDER BY "reports"."id" DESC LIMIT $3 OFFSET $4;

-- takes uuid, text, uuid, bigint
-- gives org_id uuid, id uuid, user_id uuid, scope text, type text, filters jsonb, period_start timestamp with time zone, period_end timestamp with time zone, status text, attempts integer, problem text, bytes bigint, row_count bigint, progress smallint, created_at timestamp with time zone, generated_at timestamp with time zone, expires_at timestamp with time zone
SELECT "reports"."org_id", "reports"."id", "reports"."user_id", "reports"."scope", "reports"."type", "reports"."filters", "reports"."period_start", "reports"."period_end", "reports"."status", "reports"."attempts", "reports"."problem", "reports"."bytes", "reports"."row_count", "reports"."progress", "reports"."created_at", "reports"."generated_at", "reports"."expires_at" FROM "reports" WHERE ((("reports"."org_id" = $1) AND ("reports"."scope" = $2)) AND ("reports"."id" = $3)) LIMIT $4;

-- takes uuid, text, uuid, bigint, bigint
-- gives org_id uuid, id uuid, user_id uuid, scope text, type text, filters jsonb, period_start timestamp with time zone, period_end timestamp with time zone, status text, attempts integer, problem text, bytes bigint, row_count bigint, progress smallint, created_at timestamp with time zone, generated_at timestamp with time zone, expires_at timestamp with time zone
SELECT "reports"."org_id", "reports"."id", "reports"."user_id", "reports"."scope", "reports"."type", "reports"."filters", "reports"."period_start", "reports"."period_end", "reports"."status", "reports"."attempts", "reports"."problem", "reports"."bytes", "reports"."row_count", "reports"."progress", "reports"."created_at", "reports"."generated_at", "reports"."expires_at" FROM "reports" WHERE ((("reports"."org_id" = $1) AND ("reports"."scope" = $2)) AND ("reports"."user_id" = $3)) ORDER BY "reports"."id" DESC LIMIT $4 OFFSET $5;

-- takes uuid, text, uuid, uuid, bigint
-- gives org_id uuid, id uuid, user_id uuid, scope text, type text, filters jsonb, period_start timestamp with time zone, period_end timestamp with time zone, status text, attempts integer, problem text, bytes bigint, row_count bigint, progress smallint, created_at timestamp with time zone, generated_at timestamp with time zone, expires_at timestamp with time zone
SELECT "reports"."org_id", "reports"."id", "reports"."user_id", "reports"."scope", "reports"."type", "reports"."filters", "reports"."period_start", "reports"."period_end", "reports"."status", "reports"."attempts", "reports"."problem", "reports"."bytes", "reports"."row_count", "reports"."progress", "reports"."created_at", "reports"."generated_at", "reports"."expires_at" FROM "reports" WHERE (((("reports"."org_id" = $1) AND ("reports"."scope" = $2)) AND ("reports"."user_id" = $3)) AND ("reports"."id" = $4)) LIMIT $5;

-- takes timestamp with time zone, timestamp with time zone, timestamp with time zone, text, bigint
-- gives org_id uuid, id uuid, user_id uuid, scope text, type text, filters jsonb, period_start timestamp with time zone, period_end timestamp with time zone, status text, attempts integer, problem text, bytes bigint, row_count bigint, progress smallint, created_at timestamp with time zone, generated_at timestamp with time zone, expires_at timestamp with time zone, due_at timestamp with time zone
SELECT "reports"."org_id", "reports"."id", "reports"."user_id", "reports"."scope", "reports"."type", "reports"."filters", "reports"."period_start", "reports"."period_end", "reports"."status", "reports"."attempts", "reports"."problem", "reports"."bytes", "reports"."row_count", "reports"."progress", "reports"."created_at", "reports"."generated_at", "reports"."expires_at", "reports"."due_at" FROM "reports" WHERE ("reports"."due_at" <= $1) ORDER BY ("reports"."org_id" = ANY(SELECT "others"."org_id" FROM "reports" AS "others" WHERE ((("others"."due_at" > $2) AND ("others"."due_at" <= $3)) AND ("others"."status" = $4)))), "reports"."due_at" LIMIT $5;

-- takes text
-- gives id uuid, org_id uuid, booking_id uuid, number smallint, exception_id uuid, kind text, state text, withdrawn_at timestamp with time zone, moved numeric, moved_currency text, fees text, from_loss boolean, note text, key text, transfer_id uuid, ruled_by text, ruled_at timestamp with time zone, collected_at timestamp with time zone, currency text, amount numeric
SELECT "rulings"."id", "rulings"."org_id", "rulings"."booking_id", "rulings"."number", "rulings"."exception_id", "rulings"."kind", "rulings"."state", "rulings"."withdrawn_at", "rulings"."moved", "rulings"."moved_currency", "rulings"."fees", "rulings"."from_loss", "rulings"."note", "rulings"."key", "rulings"."transfer_id", "rulings"."ruled_by", "rulings"."ruled_at", "rulings"."collected_at", "rulings"."currency", "rulings"."amount" FROM "rulings" WHERE ("rulings"."state" = $1) ORDER BY "rulings"."ruled_at", "rulings"."id";

-- takes uuid, uuid, text
-- gives id uuid, org_id uuid, booking_id uuid, number smallint, exception_id uuid, kind text, state text, withdrawn_at timestamp with time zone, moved numeric, moved_currency text, fees text, from_loss boolean, note text, key text, transfer_id uuid, ruled_by text, ruled_at timestamp with time zone, collected_at timestamp with time zone, currency text, amount numeric
SELECT "rulings"."id", "rulings"."org_id", "rulings"."booking_id", "rulings"."number", "rulings"."exception_id", "rulings"."kind", "rulings"."state", "rulings"."withdrawn_at", "rulings"."moved", "rulings"."moved_currency", "rulings"."fees", "rulings"."from_loss", "rulings"."note", "rulings"."key", "rulings"."transfer_id", "rulings"."ruled_by", "rulings"."ruled_at", "rulings"."collected_at", "rulings"."currency", "rulings"."amount" FROM "rulings" WHERE (("rulings"."org_id" = $1) AND (("rulings"."booking_id" = $2) OR ("rulings"."key" = $3))) ORDER BY "rulings"."ruled_at", "rulings"."id";

-- takes uuid, uuid, integer, timestamp with time zone, timestamp with time zone
-- gives id uuid, created_at timestamp with time zone, expires_at timestamp with time zone, idle_until timestamp with time zone, user_agent text, address text
SELECT "sessions"."id", "sessions"."created_at", "sessions"."expires_at", "sessions"."idle_until", "sessions"."user_agent", "sessions"."address" FROM "sessions" WHERE (((((("sessions"."org_id" = $1) AND ("sessions"."user_id" = $2)) AND ("sessions"."session_epoch" = $3)) AND ("sessions"."ended_at" IS NULL)) AND ("sessions"."expires_at" > $4)) AND (("sessions"."idle_until" IS NULL) OR ("sessions"."idle_until" > $5))) ORDER BY "sessions"."created_at" DESC, "sessions"."id" DESC;

-- takes uuid
-- gives id uuid, org_id uuid, key text, value text, created_at timestamp with time zone, updated_at timestamp with time zone
SELECT "settings"."id", "settings"."org_id", "settings"."key", "settings"."value", "settings"."created_at", "settings"."updated_at" FROM "settings" WHERE ("settings"."org_id" = $1) ORDER BY "settings"."key";

-- takes uuid, text, text
-- gives key text, value text
SELECT "settings"."key", "settings"."value" FROM "settings" WHERE (("settings"."org_id" = $1) AND settings.key in ($2, $3));

-- takes uuid, text, bigint
-- gives value text
SELECT "settings"."value" FROM "settings" WHERE (("settings"."org_id" = $1) AND ("settings"."key" = $2)) LIMIT $3;

-- takes uuid, uuid, smallint, bigint
-- gives id uuid
SELECT "supplier_answers"."id" FROM "supplier_answers" WHERE (((("supplier_answers"."org_id" = $1) AND ("supplier_answers"."booking_id" = $2)) AND ("supplier_answers"."number" = $3)) AND ("supplier_answers"."effect_id" IS NULL)) ORDER BY "supplier_answers"."at" DESC OFFSET $4;

-- takes uuid, uuid
-- gives id uuid, number smallint, effect_id uuid, at timestamp with time zone, sealed bytea
SELECT "supplier_answers"."id", "supplier_answers"."number", "supplier_answers"."effect_id", "supplier_answers"."at", "supplier_answers"."sealed" FROM "supplier_answers" WHERE (("supplier_answers"."org_id" = $1) AND ("supplier_answers"."booking_id" = $2)) ORDER BY "supplier_answers"."at", "supplier_answers"."id";

-- takes uuid[], uuid[]
-- gives booking_id uuid, hold_state text, pay_by timestamp with time zone, price_guaranteed_until timestamp with time zone
SELECT "supplier_orders"."booking_id", "supplier_orders"."hold_state", "supplier_orders"."pay_by", "supplier_orders"."price_guaranteed_until" FROM "supplier_orders" WHERE ((supplier_orders.org_id, supplier_orders.booking_id) in (select u.a, u.b from unnest($1, $2) as u (a, b)) AND ("supplier_orders"."hold_state" IS NOT NULL)) ORDER BY "supplier_orders"."booking_id", "supplier_orders"."number";

-- takes uuid[], uuid[]
-- gives booking_id uuid, number smallint, reference text, supplier text, status text, supplier_order_id text, content jsonb, next_poll_at timestamp with time zone, hold_state text, pay_by timestamp with time zone, price_guaranteed_until timestamp with time zone, travel_at timestamp with time zone, travel_ends timestamp with time zone, given_back jsonb
SELECT "supplier_orders"."booking_id", "supplier_orders"."number", "supplier_orders"."reference", "supplier_orders"."supplier", "supplier_orders"."status", "supplier_orders"."supplier_order_id", "supplier_orders"."content", "supplier_orders"."next_poll_at", "supplier_orders"."hold_state", "supplier_orders"."pay_by", "supplier_orders"."price_guaranteed_until", "supplier_orders"."travel_at", "supplier_orders"."travel_ends", "supplier_orders"."given_back" FROM "supplier_orders" WHERE (supplier_orders.org_id, supplier_orders.booking_id) in (select u.a, u.b from unnest($1, $2) as u (a, b)) ORDER BY "supplier_orders"."booking_id", "supplier_orders"."number";

-- takes uuid, bigint
-- gives service_fee_type text, service_fee_value numeric, gst_percent numeric, platform_charge numeric, min_commission numeric, max_commission numeric
SELECT "terms"."service_fee_type", "terms"."service_fee_value", "terms"."gst_percent", "terms"."platform_charge", "terms"."min_commission", "terms"."max_commission" FROM "terms" WHERE ("terms"."org_id" = $1) LIMIT $2;

-- takes uuid, uuid[]
-- gives id uuid, key text, reason text, reference text, description text, performed_by uuid, currency text, at timestamp with time zone, account text, side text, amount numeric
SELECT "transfers"."id", "transfers"."key", "transfers"."reason", "transfers"."reference", "transfers"."description", "transfers"."performed_by", "transfers"."currency", "transfers"."at", "entries"."account", "entries"."side", "entries"."amount" FROM ("transfers" INNER JOIN "entries" ON (("entries"."org_id" = "transfers"."org_id") AND ("entries"."transfer_id" = "transfers"."id"))) WHERE (("transfers"."org_id" = $1) AND ("transfers"."id" = ANY($2))) ORDER BY "transfers"."id", "entries"."leg";

-- takes uuid[], text[]
-- gives org_id uuid, id uuid, key text, currency text, at timestamp with time zone, account text, side text, amount numeric, balance_after numeric
SELECT "transfers"."org_id", "transfers"."id", "transfers"."key", "transfers"."currency", "transfers"."at", "entries"."account", "entries"."side", "entries"."amount", "entries"."balance_after" FROM ("transfers" INNER JOIN "entries" ON (("entries"."org_id" = "transfers"."org_id") AND ("entries"."transfer_id" = "transfers"."id"))) WHERE (transfers.org_id, transfers.key) in (select u.a, u.b from unnest($1, $2) as u (a, b)) ORDER BY "transfers"."org_id", "transfers"."id", "entries"."leg";

-- takes uuid[], uuid[]
-- gives org_id uuid, id uuid
SELECT "users"."org_id", "users"."id" FROM "users" WHERE ((users.org_id, users.id) in (select u.a, u.b from unnest($1, $2) as u (a, b)) AND ("users"."deleted_at" IS NOT NULL));

-- takes uuid, bigint, bigint
-- gives org_id uuid, id uuid, username text, email text, name text, phone text, password_hash text, given_password_hash text, role text, status text, sub_agent_id text, session_epoch integer, created_at timestamp with time zone, last_login_at timestamp with time zone
SELECT "users"."org_id", "users"."id", "users"."username", "users"."email", "users"."name", "users"."phone", "users"."password_hash", "users"."given_password_hash", "users"."role", "users"."status", "users"."sub_agent_id", "users"."session_epoch", "users"."created_at", "users"."last_login_at" FROM "users" WHERE (("users"."org_id" = $1) AND ("users"."deleted_at" IS NULL)) ORDER BY "users"."created_at" DESC, "users"."id" DESC LIMIT $2 OFFSET $3;

-- takes uuid
-- gives org_id uuid, id uuid, username text, email text, name text, phone text, password_hash text, given_password_hash text, role text, status text, sub_agent_id text, session_epoch integer, created_at timestamp with time zone, last_login_at timestamp with time zone
SELECT "users"."org_id", "users"."id", "users"."username", "users"."email", "users"."name", "users"."phone", "users"."password_hash", "users"."given_password_hash", "users"."role", "users"."status", "users"."sub_agent_id", "users"."session_epoch", "users"."created_at", "users"."last_login_at" FROM "users" WHERE (("users"."org_id" = $1) AND ("users"."deleted_at" IS NULL)) ORDER BY "users"."id";

-- takes uuid, text, bigint, bigint
-- gives org_id uuid, id uuid, username text, email text, name text, phone text, password_hash text, given_password_hash text, role text, status text, sub_agent_id text, session_epoch integer, created_at timestamp with time zone, last_login_at timestamp with time zone
SELECT "users"."org_id", "users"."id", "users"."username", "users"."email", "users"."name", "users"."phone", "users"."password_hash", "users"."given_password_hash", "users"."role", "users"."status", "users"."sub_agent_id", "users"."session_epoch", "users"."created_at", "users"."last_login_at" FROM "users" WHERE ((("users"."org_id" = $1) AND ("users"."deleted_at" IS NULL)) AND ("users"."role" = $2)) ORDER BY "users"."created_at" DESC, "users"."id" DESC LIMIT $3 OFFSET $4;

-- takes uuid, text, bigint, bigint
-- gives org_id uuid, id uuid, username text, email text, name text, phone text, password_hash text, given_password_hash text, role text, status text, sub_agent_id text, session_epoch integer, created_at timestamp with time zone, last_login_at timestamp with time zone
SELECT "users"."org_id", "users"."id", "users"."username", "users"."email", "users"."name", "users"."phone", "users"."password_hash", "users"."given_password_hash", "users"."role", "users"."status", "users"."sub_agent_id", "users"."session_epoch", "users"."created_at", "users"."last_login_at" FROM "users" WHERE ((("users"."org_id" = $1) AND ("users"."deleted_at" IS NULL)) AND ("users"."status" = $2)) ORDER BY "users"."created_at" DESC, "users"."id" DESC LIMIT $3 OFFSET $4;

-- takes uuid, uuid, bigint
-- gives org_id uuid, id uuid, username text, email text, name text, phone text, password_hash text, given_password_hash text, role text, status text, sub_agent_id text, session_epoch integer, created_at timestamp with time zone, last_login_at timestamp with time zone
SELECT "users"."org_id", "users"."id", "users"."username", "users"."email", "users"."name", "users"."phone", "users"."password_hash", "users"."given_password_hash", "users"."role", "users"."status", "users"."sub_agent_id", "users"."session_epoch", "users"."created_at", "users"."last_login_at" FROM "users" WHERE ((("users"."org_id" = $1) AND ("users"."id" = $2)) AND ("users"."deleted_at" IS NULL)) LIMIT $3;

-- takes uuid, text, bigint
-- gives org_id uuid, id uuid, username text, email text, name text, phone text, password_hash text, given_password_hash text, role text, status text, sub_agent_id text, session_epoch integer, created_at timestamp with time zone, last_login_at timestamp with time zone
SELECT "users"."org_id", "users"."id", "users"."username", "users"."email", "users"."name", "users"."phone", "users"."password_hash", "users"."given_password_hash", "users"."role", "users"."status", "users"."sub_agent_id", "users"."session_epoch", "users"."created_at", "users"."last_login_at" FROM "users" WHERE ((("users"."org_id" = $1) AND (lower("users"."username") = lower($2))) AND ("users"."deleted_at" IS NULL)) LIMIT $3;

-- takes uuid, text, text, bigint, bigint
-- gives org_id uuid, id uuid, username text, email text, name text, phone text, password_hash text, given_password_hash text, role text, status text, sub_agent_id text, session_epoch integer, created_at timestamp with time zone, last_login_at timestamp with time zone
SELECT "users"."org_id", "users"."id", "users"."username", "users"."email", "users"."name", "users"."phone", "users"."password_hash", "users"."given_password_hash", "users"."role", "users"."status", "users"."sub_agent_id", "users"."session_epoch", "users"."created_at", "users"."last_login_at" FROM "users" WHERE (((("users"."org_id" = $1) AND ("users"."deleted_at" IS NULL)) AND ("users"."role" = $2)) AND ("users"."status" = $3)) ORDER BY "users"."created_at" DESC, "users"."id" DESC LIMIT $4 OFFSET $5;

-- takes bytea
-- gives org_id uuid, id uuid, username text, email text, name text, phone text, password_hash text, given_password_hash text, role text, status text, sub_agent_id text, session_epoch integer, created_at timestamp with time zone, last_login_at timestamp with time zone, id uuid, agent_id text, name text, slug text, email text, phone text, address text, country text, subscription_type text, status text, ip_whitelist_enabled boolean, currency text, timezone text, created_at timestamp with time zone, updated_at timestamp with time zone, whitelist text[], suppliers text[], deleted_at timestamp with time zone, id uuid, expires_at timestamp with time zone, idle_until timestamp with time zone, ended_at timestamp with time zone
SELECT "users"."org_id", "users"."id", "users"."username", "users"."email", "users"."name", "users"."phone", "users"."password_hash", "users"."given_password_hash", "users"."role", "users"."status", "users"."sub_agent_id", "users"."session_epoch", "users"."created_at", "users"."last_login_at", "organizations"."id", "organizations"."agent_id", "organizations"."name", "organizations"."slug", "organizations"."email", "organizations"."phone", "organizations"."address", "organizations"."country", "organizations"."subscription_type", "organizations"."status", "organizations"."ip_whitelist_enabled", "organizations"."currency", "organizations"."timezone", "organizations"."created_at", "organizations"."updated_at", "organizations"."whitelist", "organizations"."suppliers", "users"."deleted_at", "sessions"."id", "sessions"."expires_at", "sessions"."idle_until", "sessions"."ended_at" FROM (("sessions" INNER JOIN "users" ON ((("users"."org_id" = "sessions"."org_id") AND ("users"."id" = "sessions"."user_id")) AND ("users"."session_epoch" = "sessions"."session_epoch"))) INNER JOIN "organizations" ON ("organizations"."id" = "users"."org_id")) WHERE ("sessions"."token_hash" = $1);

-- takes uuid[], uuid[], uuid[]
-- gives org_id uuid, id uuid, username text, email text, name text, phone text, password_hash text, given_password_hash text, role text, status text, sub_agent_id text, session_epoch integer, created_at timestamp with time zone, last_login_at timestamp with time zone, id uuid, agent_id text, name text, slug text, email text, phone text, address text, country text, subscription_type text, status text, ip_whitelist_enabled boolean, currency text, timezone text, created_at timestamp with time zone, updated_at timestamp with time zone, whitelist text[], suppliers text[], deleted_at timestamp with time zone, id uuid, user_id uuid
SELECT "users"."org_id", "users"."id", "users"."username", "users"."email", "users"."name", "users"."phone", "users"."password_hash", "users"."given_password_hash", "users"."role", "users"."status", "users"."sub_agent_id", "users"."session_epoch", "users"."created_at", "users"."last_login_at", "organizations"."id", "organizations"."agent_id", "organizations"."name", "organizations"."slug", "organizations"."email", "organizations"."phone", "organizations"."address", "organizations"."country", "organizations"."subscription_type", "organizations"."status", "organizations"."ip_whitelist_enabled", "organizations"."currency", "organizations"."timezone", "organizations"."created_at", "organizations"."updated_at", "organizations"."whitelist", "organizations"."suppliers", "users"."deleted_at", "sessions"."id", "sessions"."user_id" FROM (("users" INNER JOIN "organizations" ON ("organizations"."id" = "users"."org_id")) INNER JOIN "sessions" ON ((("sessions"."org_id" = "users"."org_id") AND ("sessions"."session_epoch" = "users"."session_epoch")) AND ("sessions"."ended_at" IS NULL))) WHERE (users.org_id, users.id, sessions.id) in (select * from unnest($1, $2, $3));

-- takes text, text, bigint
-- gives org_id uuid, id uuid, username text, email text, name text, phone text, password_hash text, given_password_hash text, role text, status text, sub_agent_id text, session_epoch integer, created_at timestamp with time zone, last_login_at timestamp with time zone, id uuid, agent_id text, name text, slug text, email text, phone text, address text, country text, subscription_type text, status text, ip_whitelist_enabled boolean, currency text, timezone text, created_at timestamp with time zone, updated_at timestamp with time zone, whitelist text[], suppliers text[], password_hash text
SELECT "users"."org_id", "users"."id", "users"."username", "users"."email", "users"."name", "users"."phone", "users"."password_hash", "users"."given_password_hash", "users"."role", "users"."status", "users"."sub_agent_id", "users"."session_epoch", "users"."created_at", "users"."last_login_at", "organizations"."id", "organizations"."agent_id", "organizations"."name", "organizations"."slug", "organizations"."email", "organizations"."phone", "organizations"."address", "organizations"."country", "organizations"."subscription_type", "organizations"."status", "organizations"."ip_whitelist_enabled", "organizations"."currency", "organizations"."timezone", "organizations"."created_at", "organizations"."updated_at", "organizations"."whitelist", "organizations"."suppliers", "users"."password_hash" FROM ("users" INNER JOIN "organizations" ON ("organizations"."id" = "users"."org_id")) WHERE ((("organizations"."agent_id" = $1) AND (lower("users"."username") = lower($2))) AND ("users"."deleted_at" IS NULL)) LIMIT $3;

-- takes uuid, uuid, bigint
-- gives password_hash text
SELECT "users"."password_hash" FROM "users" WHERE ((("users"."org_id" = $1) AND ("users"."id" = $2)) AND ("users"."deleted_at" IS NULL)) LIMIT $3;

-- takes uuid, uuid, bigint
-- gives id uuid, currency text, balance numeric, held numeric, credit_limit numeric, is_active boolean, sequence bigint, head bytea
SELECT "wallets"."id", "wallets"."currency", "wallets"."balance", "wallets"."held", "wallets"."credit_limit", "wallets"."is_active", "wallets"."sequence", "wallets"."head" FROM "wallets" WHERE (("wallets"."org_id" = $1) AND ("wallets"."id" = $2)) LIMIT $3 FOR UPDATE;

-- takes uuid, text, uuid, bigint
-- gives id uuid, currency text, balance numeric, held numeric, credit_limit numeric, is_active boolean, sequence bigint, head bytea
SELECT "wallets"."id", "wallets"."currency", "wallets"."balance", "wallets"."held", "wallets"."credit_limit", "wallets"."is_active", "wallets"."sequence", "wallets"."head" FROM "wallets" WHERE ((("wallets"."org_id" = $1) AND ("wallets"."owner_type" = $2)) AND ("wallets"."owner_id" = $3)) LIMIT $4;

-- takes uuid[], uuid[]
-- gives id uuid, org_id uuid
SELECT "wallets"."id", "wallets"."org_id" FROM ("wallets" INNER JOIN "users" ON (("users"."org_id" = "wallets"."org_id") AND ("users"."id" = "wallets"."owner_id"))) WHERE ((wallets.org_id, wallets.id) in (select u.a, u.b from unnest($1, $2) as u (a, b)) AND ("users"."deleted_at" IS NOT NULL));

-- takes
-- gives org_id uuid, id uuid, currency text, balance numeric, held numeric, credit_limit numeric, is_active boolean, sequence bigint, head bytea
SELECT "wallets"."org_id", "wallets"."id", "wallets"."currency", "wallets"."balance", "wallets"."held", "wallets"."credit_limit", "wallets"."is_active", "wallets"."sequence", "wallets"."head" FROM "wallets" ORDER BY "wallets"."org_id", "wallets"."id";

-- takes text
-- gives org_id uuid, sum numeric, sum numeric
SELECT "wallets"."org_id", sum("wallets"."balance"), sum("wallets"."held") FROM "wallets" WHERE ("wallets"."owner_type" = $1) GROUP BY "wallets"."org_id";

-- takes text, uuid
-- gives org_id uuid, sum numeric, sum numeric
SELECT "wallets"."org_id", sum("wallets"."balance"), sum("wallets"."held") FROM "wallets" WHERE (("wallets"."owner_type" = $1) AND ("wallets"."org_id" = $2)) GROUP BY "wallets"."org_id";

-- takes uuid, uuid, bigint
-- gives owner_type text, owner_id uuid
SELECT "wallets"."owner_type", "wallets"."owner_id" FROM "wallets" WHERE (("wallets"."org_id" = $1) AND ("wallets"."id" = $2)) LIMIT $3;

-- takes uuid, uuid, bigint, bigint
-- gives event_id uuid, sequence bigint, kind text, state text, attempts integer, due_at timestamp with time zone, created_at timestamp with time zone, attempted_at timestamp with time zone, delivered_at timestamp with time zone, status smallint, duration_ms integer, answer text
SELECT "webhook_deliveries"."event_id", "webhook_deliveries"."sequence", "webhook_deliveries"."kind", "webhook_deliveries"."state", "webhook_deliveries"."attempts", "webhook_deliveries"."due_at", "webhook_deliveries"."created_at", "webhook_deliveries"."attempted_at", "webhook_deliveries"."delivered_at", "webhook_deliveries"."status", "webhook_deliveries"."duration_ms", "webhook_deliveries"."answer" FROM "webhook_deliveries" WHERE ((("webhook_deliveries"."org_id" = $1) AND ("webhook_deliveries"."webhook_id" = $2)) AND sequence > 0) ORDER BY "webhook_deliveries"."sequence" DESC LIMIT $3 OFFSET $4;

-- takes uuid, uuid, text, bigint, bigint
-- gives event_id uuid, sequence bigint, kind text, state text, attempts integer, due_at timestamp with time zone, created_at timestamp with time zone, attempted_at timestamp with time zone, delivered_at timestamp with time zone, status smallint, duration_ms integer, answer text
SELECT "webhook_deliveries"."event_id", "webhook_deliveries"."sequence", "webhook_deliveries"."kind", "webhook_deliveries"."state", "webhook_deliveries"."attempts", "webhook_deliveries"."due_at", "webhook_deliveries"."created_at", "webhook_deliveries"."attempted_at", "webhook_deliveries"."delivered_at", "webhook_deliveries"."status", "webhook_deliveries"."duration_ms", "webhook_deliveries"."answer" FROM "webhook_deliveries" WHERE (((("webhook_deliveries"."org_id" = $1) AND ("webhook_deliveries"."webhook_id" = $2)) AND sequence > 0) AND ("webhook_deliveries"."state" = $3)) ORDER BY "webhook_deliveries"."sequence" DESC LIMIT $4 OFFSET $5;

-- takes uuid
-- gives id uuid, org_id uuid, url text, description text, event_types text[], is_active boolean, disabled_reason text, generation integer, previous_until timestamp with time zone, created_at timestamp with time zone, updated_at timestamp with time zone
SELECT "webhooks"."id", "webhooks"."org_id", "webhooks"."url", "webhooks"."description", "webhooks"."event_types", "webhooks"."is_active", "webhooks"."disabled_reason", "webhooks"."generation", "webhooks"."previous_until", "webhooks"."created_at", "webhooks"."updated_at" FROM "webhooks" WHERE (("webhooks"."org_id" = $1) AND ("webhooks"."deleted_at" IS NULL)) ORDER BY "webhooks"."id" DESC;

-- takes uuid, uuid, bigint
-- gives id uuid, org_id uuid, url text, description text, event_types text[], is_active boolean, disabled_reason text, generation integer, previous_until timestamp with time zone, created_at timestamp with time zone, updated_at timestamp with time zone
SELECT "webhooks"."id", "webhooks"."org_id", "webhooks"."url", "webhooks"."description", "webhooks"."event_types", "webhooks"."is_active", "webhooks"."disabled_reason", "webhooks"."generation", "webhooks"."previous_until", "webhooks"."created_at", "webhooks"."updated_at" FROM "webhooks" WHERE ((("webhooks"."org_id" = $1) AND ("webhooks"."deleted_at" IS NULL)) AND ("webhooks"."id" = $2)) LIMIT $3;

-- takes uuid, uuid, bigint
-- gives id uuid, org_id uuid, url text, description text, event_types text[], is_active boolean, disabled_reason text, generation integer, previous_until timestamp with time zone, created_at timestamp with time zone, updated_at timestamp with time zone
SELECT "webhooks"."id", "webhooks"."org_id", "webhooks"."url", "webhooks"."description", "webhooks"."event_types", "webhooks"."is_active", "webhooks"."disabled_reason", "webhooks"."generation", "webhooks"."previous_until", "webhooks"."created_at", "webhooks"."updated_at" FROM "webhooks" WHERE ((("webhooks"."org_id" = $1) AND ("webhooks"."deleted_at" IS NULL)) AND ("webhooks"."id" = $2)) LIMIT $3 FOR UPDATE;

-- takes uuid, uuid, timestamp with time zone, bigint
-- gives id uuid, org_id uuid, url text, description text, event_types text[], is_active boolean, disabled_reason text, generation integer, previous_until timestamp with time zone, created_at timestamp with time zone, updated_at timestamp with time zone
SELECT "webhooks"."id", "webhooks"."org_id", "webhooks"."url", "webhooks"."description", "webhooks"."event_types", "webhooks"."is_active", "webhooks"."disabled_reason", "webhooks"."generation", "webhooks"."previous_until", "webhooks"."created_at", "webhooks"."updated_at" FROM "webhooks" WHERE ((((("webhooks"."org_id" = $1) AND ("webhooks"."deleted_at" IS NULL)) AND ("webhooks"."id" = $2)) AND "webhooks"."is_active") AND ("webhooks"."leased_until" = $3)) LIMIT $4;

-- takes uuid, uuid, timestamp with time zone, bigint
-- gives id uuid, org_id uuid, url text, description text, event_types text[], is_active boolean, disabled_reason text, generation integer, previous_until timestamp with time zone, created_at timestamp with time zone, updated_at timestamp with time zone
SELECT "webhooks"."id", "webhooks"."org_id", "webhooks"."url", "webhooks"."description", "webhooks"."event_types", "webhooks"."is_active", "webhooks"."disabled_reason", "webhooks"."generation", "webhooks"."previous_until", "webhooks"."created_at", "webhooks"."updated_at" FROM "webhooks" WHERE ((((("webhooks"."org_id" = $1) AND ("webhooks"."deleted_at" IS NULL)) AND ("webhooks"."id" = $2)) AND "webhooks"."is_active") AND ("webhooks"."leased_until" = $3)) LIMIT $4 FOR UPDATE;

-- takes uuid, uuid, text, text, text[], uuid, uuid
-- gives ?column? boolean
SELECT (EXISTS (SELECT "bookings"."org_id", "bookings"."id", "bookings"."booking_ref", "bookings"."product", "bookings"."user_id", "bookings"."user_name", "bookings"."wallet_id", "bookings"."hold_id", "bookings"."quote_id", "bookings"."status", "bookings"."provider", "bookings"."pnr", "bookings"."origin", "bookings"."destination", "bookings"."passenger_count", "bookings"."currency", "bookings"."base_fare", "bookings"."public_fare", "bookings"."amount", "bookings"."product_content", "bookings"."pricing", "bookings"."failure", "bookings"."created_at", "bookings"."booked_at", "bookings"."cancelled_at", "bookings"."likeness", "bookings"."name_likeness" FROM "bookings" WHERE ((("bookings"."org_id" = $1) AND ("bookings"."user_id" = $2)) AND ("bookings"."status" = $3))) OR EXISTS (SELECT "effects"."org_id", "effects"."id", "effects"."booking_id", "effects"."number", "effects"."kind", "effects"."supplier", "effects"."requested_by", "effects"."request", "effects"."state", "effects"."sent_at", "effects"."due_at", "effects"."attempts", "effects"."problem", "effects"."closed_at", "effects"."saga", "effects"."step", "effects"."steps", "effects"."recheck_at", "bookings"."org_id", "bookings"."id", "bookings"."booking_ref", "bookings"."product", "bookings"."user_id", "bookings"."user_name", "bookings"."wallet_id", "bookings"."hold_id", "bookings"."quote_id", "bookings"."status", "bookings"."provider", "bookings"."pnr", "bookings"."origin", "bookings"."destination", "bookings"."passenger_count", "bookings"."currency", "bookings"."base_fare", "bookings"."public_fare", "bookings"."amount", "bookings"."product_content", "bookings"."pricing", "bookings"."failure", "bookings"."created_at", "bookings"."booked_at", "bookings"."cancelled_at", "bookings"."likeness", "bookings"."name_likeness" FROM ("effects" INNER JOIN "bookings" ON (("bookings"."org_id" = "effects"."org_id") AND ("bookings"."id" = "effects"."booking_id"))) WHERE (((("effects"."state" = $4) AND ("effects"."kind" = ANY($5))) AND ("bookings"."org_id" = $6)) AND ("bookings"."user_id" = $7))));

-- takes
-- gives ahead text
SELECT (select ahead::text from test_clock);

-- takes
-- gives ?column? integer
SELECT 1 FROM "hold_reminders" WHERE 1=0;

-- takes
-- gives ?column? integer
SELECT 1 FROM "people_erasures" WHERE 1=0;

-- takes uuid, text, timestamp with time zone, uuid[]
-- gives pending bigint, confirmed bigint, cancelled bigint, failed bigint, needs_attention bigint, on_hold bigint, upcoming bigint, past bigint
SELECT COUNT(*) FILTER (WHERE c.status = 'pending') as pending,
            count(*) filter (where c.status = 'confirmed') as confirmed,
            count(*) filter (where c.status = 'cancelled') as cancelled,
            count(*) filter (where c.status = 'failed') as failed,
            count(*) filter (where c.needs) as needs_attention,
            count(*) filter (where c.held) as on_hold,
            count(*) filter (where c.to_come) as upcoming,
            count(*) filter (where c.status = 'confirmed' and not c.held and not c.to_come) as past
        from (select b.status, b.status in ('pending', 'confirmed') and b.id = any($4) as needs,
                b.status = 'confirmed' and coalesce(l.held, false) as held,
                b.status = 'confirmed' and coalesce(l.to_come, false) as to_come
            from bookings b left join lateral (
                select bool_or(o.hold_state = 'held') as held, bool_or(o.status = 'confirmed' and (o.travel_ends is null or o.travel_ends >  $3)) as to_come
                from supplier_orders o where b.status = 'confirmed' and o.booking_id = b.id and o.org_id = b.org_id) l on true
            where b.org_id = $1 and b.product = $2 ) c;

-- takes uuid, text, timestamp with time zone, uuid[], uuid
-- gives pending bigint, confirmed bigint, cancelled bigint, failed bigint, needs_attention bigint, on_hold bigint, upcoming bigint, past bigint
SELECT COUNT(*) FILTER (WHERE c.status = 'pending') as pending,
            count(*) filter (where c.status = 'confirmed') as confirmed,
            count(*) filter (where c.status = 'cancelled') as cancelled,
            count(*) filter (where c.status = 'failed') as failed,
            count(*) filter (where c.needs) as needs_attention,
            count(*) filter (where c.held) as on_hold,
            count(*) filter (where c.to_come) as upcoming,
            count(*) filter (where c.status = 'confirmed' and not c.held and not c.to_come) as past
        from (select b.status, b.status in ('pending', 'confirmed') and b.id = any($4) as needs,
                b.status = 'confirmed' and coalesce(l.held, false) as held,
                b.status = 'confirmed' and coalesce(l.to_come, false) as to_come
            from bookings b left join lateral (
                select bool_or(o.hold_state = 'held') as held, bool_or(o.status = 'confirmed' and (o.travel_ends is null or o.travel_ends >  $3)) as to_come
                from supplier_orders o where b.status = 'confirmed' and o.booking_id = b.id and o.org_id = b.org_id) l on true
            where b.org_id = $1 and b.product = $2 and b.user_id = $5) c;

-- takes uuid, uuid, bigint, numeric, bigint, bigint
-- gives count bigint
SELECT COUNT(*) FROM "entries" WHERE (((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."amount" <= $4)) AND ("entries"."sequence" BETWEEN $5 AND $6));

-- takes uuid, uuid, bigint, numeric, bigint, bigint
-- gives count bigint
SELECT COUNT(*) FROM "entries" WHERE (((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."amount" >= $4)) AND ("entries"."sequence" BETWEEN $5 AND $6));

-- takes uuid, uuid, bigint, timestamp with time zone, bigint, bigint
-- gives count bigint
SELECT COUNT(*) FROM "entries" WHERE (((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."at" < $4)) AND ("entries"."sequence" BETWEEN $5 AND $6));

-- takes uuid, uuid, bigint, timestamp with time zone, bigint, bigint
-- gives count bigint
SELECT COUNT(*) FROM "entries" WHERE (((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."at" >= $4)) AND ("entries"."sequence" BETWEEN $5 AND $6));

-- takes uuid, uuid, bigint, text, bigint, bigint
-- gives count bigint
SELECT COUNT(*) FROM "entries" WHERE (((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."reason" = $4)) AND ("entries"."sequence" BETWEEN $5 AND $6));

-- takes uuid, uuid, bigint, text, bigint, bigint
-- gives count bigint
SELECT COUNT(*) FROM "entries" WHERE (((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."side" = $4)) AND ("entries"."sequence" BETWEEN $5 AND $6));

-- takes uuid, uuid, bigint, text, bigint, bigint
-- gives count bigint
SELECT COUNT(*) FROM "entries" WHERE (((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND EXISTS (SELECT "transfers"."org_id", "transfers"."id", "transfers"."key", "transfers"."reason", "transfers"."reference", "transfers"."description", "transfers"."performed_by", "transfers"."currency", "transfers"."at" FROM "transfers" WHERE ((("transfers"."org_id" = "entries"."org_id") AND ("transfers"."id" = "entries"."transfer_id")) AND (lower("transfers"."description") LIKE lower($4))))) AND ("entries"."sequence" BETWEEN $5 AND $6));

-- takes uuid, uuid, bigint, numeric, numeric, bigint, bigint
-- gives count bigint
SELECT COUNT(*) FROM "entries" WHERE ((((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."amount" >= $4)) AND ("entries"."amount" <= $5)) AND ("entries"."sequence" BETWEEN $6 AND $7));

-- takes uuid, uuid, bigint, timestamp with time zone, timestamp with time zone, bigint, bigint
-- gives count bigint
SELECT COUNT(*) FROM "entries" WHERE ((((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."at" >= $4)) AND ("entries"."at" < $5)) AND ("entries"."sequence" BETWEEN $6 AND $7));

-- takes uuid, uuid, bigint, text, numeric, bigint, bigint
-- gives count bigint
SELECT COUNT(*) FROM "entries" WHERE ((((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."reason" = $4)) AND ("entries"."amount" >= $5)) AND ("entries"."sequence" BETWEEN $6 AND $7));

-- takes uuid, uuid, bigint, text, numeric, text, bigint, bigint
-- gives count bigint
SELECT COUNT(*) FROM "entries" WHERE (((((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."side" = $4)) AND ("entries"."amount" <= $5)) AND EXISTS (SELECT "transfers"."org_id", "transfers"."id", "transfers"."key", "transfers"."reason", "transfers"."reference", "transfers"."description", "transfers"."performed_by", "transfers"."currency", "transfers"."at" FROM "transfers" WHERE ((("transfers"."org_id" = "entries"."org_id") AND ("transfers"."id" = "entries"."transfer_id")) AND (lower("transfers"."description") LIKE lower($6))))) AND ("entries"."sequence" BETWEEN $7 AND $8));

-- takes uuid, uuid, bigint, text, numeric, text, bigint, bigint
-- gives count bigint
SELECT COUNT(*) FROM "entries" WHERE (((((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."side" = $4)) AND ("entries"."amount" >= $5)) AND EXISTS (SELECT "transfers"."org_id", "transfers"."id", "transfers"."key", "transfers"."reason", "transfers"."reference", "transfers"."description", "transfers"."performed_by", "transfers"."currency", "transfers"."at" FROM "transfers" WHERE ((("transfers"."org_id" = "entries"."org_id") AND ("transfers"."id" = "entries"."transfer_id")) AND (lower("transfers"."description") LIKE lower($6))))) AND ("entries"."sequence" BETWEEN $7 AND $8));

-- takes uuid, uuid, bigint, text, timestamp with time zone, timestamp with time zone, bigint, bigint
-- gives count bigint
SELECT COUNT(*) FROM "entries" WHERE (((((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."side" = $4)) AND ("entries"."at" >= $5)) AND ("entries"."at" < $6)) AND ("entries"."sequence" BETWEEN $7 AND $8));

-- takes uuid, uuid, bigint, text, text, numeric, bigint, bigint
-- gives count bigint
SELECT COUNT(*) FROM "entries" WHERE (((((((("entries"."org_id" = $1) AND ("entries"."wallet_id" = $2)) AND ("entries"."sequence" <= $3)) AND ("entries"."at" IS NOT NULL)) AND ("entries"."side" = $4)) AND ("entries"."reason" = $5)) AND ("entries"."amount" <= $6)) AND ("entries"."sequence" BETWEEN $7 AND $8));

-- takes uuid
-- gives count bigint
SELECT COUNT(*) FROM "events" WHERE ("events"."org_id" = $1);

-- takes uuid, uuid
-- gives count bigint
SELECT COUNT(*) FROM "events" WHERE (("events"."org_id" = $1) AND ("events"."actor_id" = $2));

-- takes uuid, text[]
-- gives count bigint
SELECT COUNT(*) FROM "events" WHERE (("events"."org_id" = $1) AND ("events"."entity_id" = ANY($2)));

-- takes uuid, uuid
-- gives count bigint
SELECT COUNT(*) FROM "events" WHERE (("events"."org_id" = $1) AND ("events"."id" < $2));

-- takes uuid, uuid
-- gives count bigint
SELECT COUNT(*) FROM "events" WHERE (("events"."org_id" = $1) AND ("events"."id" > $2));

-- takes uuid, uuid
-- gives count bigint
SELECT COUNT(*) FROM "events" WHERE (("events"."org_id" = $1) AND ("events"."id" >= $2));

-- takes uuid, text
-- gives count bigint
SELECT COUNT(*) FROM "events" WHERE ((("events"."org_id" = $1) AND ("events"."action" = $2)) AND action <> '');

-- takes uuid, text
-- gives count bigint
SELECT COUNT(*) FROM "events" WHERE ((("events"."org_id" = $1) AND ("events"."entity_type" = $2)) AND entity_type <> 'booking');

-- takes uuid, uuid, uuid
-- gives count bigint
SELECT COUNT(*) FROM "events" WHERE ((("events"."org_id" = $1) AND ("events"."id" >= $2)) AND ("events"."id" < $3));

-- takes uuid, text, uuid
-- gives count bigint
SELECT COUNT(*) FROM "events" WHERE (((("events"."org_id" = $1) AND ("events"."action" = $2)) AND action <> '') AND ("events"."id" < $3));

-- takes uuid, uuid, text
-- gives count bigint
SELECT COUNT(*) FROM "events" WHERE (((("events"."org_id" = $1) AND ("events"."actor_id" = $2)) AND ("events"."entity_type" = $3)) AND entity_type <> 'booking');

-- takes uuid, text, text[]
-- gives count bigint
SELECT COUNT(*) FROM "events" WHERE (((("events"."org_id" = $1) AND ("events"."entity_type" = $2)) AND entity_type <> 'booking') AND ("events"."entity_id" = ANY($3)));

-- takes uuid, text, text
-- gives count bigint
SELECT COUNT(*) FROM "events" WHERE ((((("events"."org_id" = $1) AND ("events"."entity_type" = $2)) AND entity_type <> 'booking') AND ("events"."action" = $3)) AND action <> '');

-- takes uuid, uuid, text, text
-- gives count bigint
SELECT COUNT(*) FROM "events" WHERE (((((("events"."org_id" = $1) AND ("events"."actor_id" = $2)) AND ("events"."entity_type" = $3)) AND entity_type <> 'booking') AND ("events"."action" = $4)) AND action <> '');

-- takes
-- gives count bigint
SELECT COUNT(*) FROM "exceptions";

-- takes
-- gives count bigint
SELECT COUNT(*) FROM "exceptions" WHERE ("exceptions"."closed_at" IS NULL);

-- takes text
-- gives count bigint
SELECT COUNT(*) FROM "exceptions" WHERE ("exceptions"."kind" = $1);

-- takes text
-- gives count bigint
SELECT COUNT(*) FROM "exceptions" WHERE (("exceptions"."closed_at" IS NULL) AND ("exceptions"."kind" = $1));

-- takes uuid
-- gives count bigint
SELECT COUNT(*) FROM "exceptions" WHERE (("exceptions"."closed_at" IS NULL) AND ("exceptions"."org_id" = $1));

-- takes uuid, uuid
-- gives count bigint
SELECT COUNT(*) FROM "notifications" WHERE (("notifications"."org_id" = $1) AND ("notifications"."user_id" = $2));

-- takes uuid, uuid, uuid
-- gives count bigint
SELECT COUNT(*) FROM "notifications" WHERE ((("notifications"."org_id" = $1) AND ("notifications"."user_id" = $2)) AND ("notifications"."id" < $3));

-- takes uuid, uuid, uuid
-- gives count bigint
SELECT COUNT(*) FROM "notifications" WHERE ((("notifications"."org_id" = $1) AND ("notifications"."user_id" = $2)) AND ("notifications"."id" > $3));

-- takes uuid, uuid
-- gives count bigint
SELECT COUNT(*) FROM "notifications" WHERE ((("notifications"."org_id" = $1) AND ("notifications"."user_id" = $2)) AND ("notifications"."read_at" IS NULL));

-- takes uuid
-- gives count bigint
SELECT COUNT(*) FROM "order_changes" WHERE (("order_changes"."org_id" = $1) AND order_changes.place > 0);

-- takes uuid, uuid
-- gives count bigint
SELECT COUNT(*) FROM "order_changes" WHERE ((("order_changes"."org_id" = $1) AND order_changes.place > 0) AND ("order_changes"."user_id" = $2));

-- takes uuid, uuid, text
-- gives count bigint
SELECT COUNT(*) FROM "order_changes" WHERE (((("order_changes"."org_id" = $1) AND order_changes.place > 0) AND ("order_changes"."user_id" = $2)) AND ("order_changes"."state" = $3));

-- takes uuid
-- gives count bigint
SELECT COUNT(*) FROM "packages" WHERE ("packages"."org_id" = $1);

-- takes uuid, text
-- gives count bigint
SELECT COUNT(*) FROM "reports" WHERE (("reports"."org_id" = $1) AND ("reports"."scope" = $2));

-- takes uuid, text, uuid
-- gives count bigint
SELECT COUNT(*) FROM "reports" WHERE ((("reports"."org_id" = $1) AND ("reports"."scope" = $2)) AND ("reports"."user_id" = $3));

-- takes uuid, text[]
-- gives count bigint
SELECT COUNT(*) FROM "reports" WHERE ((("reports"."org_id" = $1) AND ("reports"."status" = ANY($2))) AND ("reports"."due_at" IS NOT NULL));

-- takes uuid
-- gives count bigint
SELECT COUNT(*) FROM "users" WHERE (("users"."org_id" = $1) AND ("users"."deleted_at" IS NULL));

-- takes uuid, text
-- gives count bigint
SELECT COUNT(*) FROM "users" WHERE ((("users"."org_id" = $1) AND ("users"."deleted_at" IS NULL)) AND ("users"."role" = $2));

-- takes uuid, text
-- gives count bigint
SELECT COUNT(*) FROM "users" WHERE ((("users"."org_id" = $1) AND ("users"."deleted_at" IS NULL)) AND ("users"."status" = $2));

-- takes uuid, text, text
-- gives count bigint
SELECT COUNT(*) FROM "users" WHERE (((("users"."org_id" = $1) AND ("users"."deleted_at" IS NULL)) AND ("users"."role" = $2)) AND ("users"."status" = $3));

-- takes uuid, text, text
-- gives count bigint
SELECT COUNT(*) FROM "users" WHERE (((("users"."org_id" = $1) AND ("users"."role" = $2)) AND ("users"."status" = $3)) AND ("users"."deleted_at" IS NULL));

-- takes uuid, uuid
-- gives count bigint
SELECT COUNT(*) FROM "webhook_deliveries" WHERE ((("webhook_deliveries"."org_id" = $1) AND ("webhook_deliveries"."webhook_id" = $2)) AND sequence > 0);

-- takes uuid, uuid, text
-- gives count bigint
SELECT COUNT(*) FROM "webhook_deliveries" WHERE (((("webhook_deliveries"."org_id" = $1) AND ("webhook_deliveries"."webhook_id" = $2)) AND sequence > 0) AND ("webhook_deliveries"."state" = $3));

-- takes uuid
-- gives count bigint
SELECT COUNT(*) FROM "webhooks" WHERE (("webhooks"."org_id" = $1) AND ("webhooks"."deleted_at" IS NULL));

-- takes text, uuid, text
-- gives count bigint
SELECT COUNT(*) FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE (("bookings"."org_id" = $2) AND ("bookings"."product" = $3));

-- takes text, uuid, text, uuid
-- gives count bigint
SELECT COUNT(*) FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE ((("bookings"."org_id" = $2) AND ("bookings"."product" = $3)) AND ("bookings"."id" < $4));

-- takes text, uuid, text, uuid
-- gives count bigint
SELECT COUNT(*) FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE ((("bookings"."org_id" = $2) AND ("bookings"."product" = $3)) AND ("bookings"."id" >= $4));

-- takes text, uuid, text, text
-- gives count bigint
SELECT COUNT(*) FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE ((("bookings"."org_id" = $2) AND ("bookings"."product" = $3)) AND ("bookings"."status" = $4));

-- takes text, uuid, text, uuid
-- gives count bigint
SELECT COUNT(*) FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE ((("bookings"."org_id" = $2) AND ("bookings"."product" = $3)) AND ("bookings"."user_id" = $4));

-- takes text, uuid, text, timestamp with time zone
-- gives count bigint
SELECT COUNT(*) FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE ((("bookings"."org_id" = $2) AND ("bookings"."product" = $3)) AND bookings.status = 'confirmed' and (select coalesce(bool_or(o.status = 'confirmed' and (o.travel_ends is null or o.travel_ends > $4)), false) from supplier_orders o where o.booking_id = bookings.id and o.org_id = bookings.org_id));

-- takes text, uuid, text, timestamp with time zone
-- gives count bigint
SELECT COUNT(*) FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE ((("bookings"."org_id" = $2) AND ("bookings"."product" = $3)) AND bookings.status = 'confirmed' and not (select coalesce(bool_or(o.hold_state = 'held' or o.status = 'confirmed' and (o.travel_ends is null or o.travel_ends > $4)), false) from supplier_orders o where o.booking_id = bookings.id and o.org_id = bookings.org_id));

-- takes text, uuid, text
-- gives count bigint
SELECT COUNT(*) FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE ((("bookings"."org_id" = $2) AND ("bookings"."product" = $3)) AND bookings.status in ('cancelled', 'failed'));

-- takes text, uuid, text, uuid, uuid
-- gives count bigint
SELECT COUNT(*) FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE (((("bookings"."org_id" = $2) AND ("bookings"."product" = $3)) AND ("bookings"."id" >= $4)) AND ("bookings"."id" < $5));

-- takes text, uuid, text, uuid, text
-- gives count bigint
SELECT COUNT(*) FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE (((("bookings"."org_id" = $2) AND ("bookings"."product" = $3)) AND ("bookings"."user_id" = $4)) AND ("bookings"."status" = $5));

-- takes text, uuid, text, uuid, timestamp with time zone
-- gives count bigint
SELECT COUNT(*) FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE (((("bookings"."org_id" = $2) AND ("bookings"."product" = $3)) AND ("bookings"."user_id" = $4)) AND bookings.status = 'confirmed' and (select coalesce(bool_or(o.status = 'confirmed' and (o.travel_ends is null or o.travel_ends > $5)), false) from supplier_orders o where o.booking_id = bookings.id and o.org_id = bookings.org_id));

-- takes text, uuid, text, uuid, timestamp with time zone
-- gives count bigint
SELECT COUNT(*) FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE (((("bookings"."org_id" = $2) AND ("bookings"."product" = $3)) AND ("bookings"."user_id" = $4)) AND bookings.status = 'confirmed' and not (select coalesce(bool_or(o.hold_state = 'held' or o.status = 'confirmed' and (o.travel_ends is null or o.travel_ends > $5)), false) from supplier_orders o where o.booking_id = bookings.id and o.org_id = bookings.org_id));

-- takes text, uuid, text, uuid
-- gives count bigint
SELECT COUNT(*) FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE (((("bookings"."org_id" = $2) AND ("bookings"."product" = $3)) AND ("bookings"."user_id" = $4)) AND bookings.status in ('cancelled', 'failed'));

-- takes text, uuid, text, uuid, uuid, uuid
-- gives count bigint
SELECT COUNT(*) FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE ((((("bookings"."org_id" = $2) AND ("bookings"."product" = $3)) AND ("bookings"."user_id" = $4)) AND ("bookings"."id" >= $5)) AND ("bookings"."id" < $6));

-- takes text, uuid, text, uuid, text, uuid
-- gives count bigint
SELECT COUNT(*) FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE ((((("bookings"."org_id" = $2) AND ("bookings"."product" = $3)) AND ("bookings"."user_id" = $4)) AND ("bookings"."status" = $5)) AND ("bookings"."id" < $6));

-- takes text, uuid, text, uuid, text, uuid
-- gives count bigint
SELECT COUNT(*) FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE ((((("bookings"."org_id" = $2) AND ("bookings"."product" = $3)) AND ("bookings"."user_id" = $4)) AND ("bookings"."status" = $5)) AND ("bookings"."id" > $6));

-- takes text, uuid[], uuid[], text, uuid, text
-- gives count bigint
SELECT COUNT(*) FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE ((((bookings.org_id, bookings.id) in (select u.a, u.b from unnest($2, $3) as u (a, b)) AND ("bookings"."product" IS NOT DISTINCT FROM $4)) AND ("bookings"."user_id" IS NOT DISTINCT FROM $5)) AND ("bookings"."status" = $6));

-- takes text, uuid[], uuid[], text, uuid, timestamp with time zone
-- gives count bigint
SELECT COUNT(*) FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE ((((bookings.org_id, bookings.id) in (select u.a, u.b from unnest($2, $3) as u (a, b)) AND ("bookings"."product" IS NOT DISTINCT FROM $4)) AND ("bookings"."user_id" IS NOT DISTINCT FROM $5)) AND bookings.status = 'confirmed' and (select coalesce(bool_or(o.status = 'confirmed' and (o.travel_ends is null or o.travel_ends > $6)), false) from supplier_orders o where o.booking_id = bookings.id and o.org_id = bookings.org_id));

-- takes text, uuid[], uuid[], text, uuid
-- gives count bigint
SELECT COUNT(*) FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE ((((bookings.org_id, bookings.id) in (select u.a, u.b from unnest($2, $3) as u (a, b)) AND ("bookings"."product" IS NOT DISTINCT FROM $4)) AND ("bookings"."user_id" IS NOT DISTINCT FROM $5)) AND bookings.status = 'confirmed');

-- takes text, uuid[], uuid[], text, uuid
-- gives count bigint
SELECT COUNT(*) FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE ((((bookings.org_id, bookings.id) in (select u.a, u.b from unnest($2, $3) as u (a, b)) AND ("bookings"."product" IS NOT DISTINCT FROM $4)) AND ("bookings"."user_id" IS NOT DISTINCT FROM $5)) AND bookings.status in ('pending', 'confirmed'));

-- takes text, uuid[], uuid[], text, uuid
-- gives count bigint
SELECT COUNT(*) FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE (((bookings.org_id, bookings.id) in (select u.a, u.b from unnest($2, $3) as u (a, b)) AND ("bookings"."product" IS NOT DISTINCT FROM $4)) AND ("bookings"."user_id" IS NOT DISTINCT FROM $5));

-- takes text, uuid[], uuid[], text
-- gives count bigint
SELECT COUNT(*) FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE (((bookings.org_id, bookings.id) in (select u.a, u.b from unnest($2, $3) as u (a, b)) AND ("bookings"."product" IS NOT DISTINCT FROM $4)) AND bookings.status = 'confirmed');

-- takes text, uuid[], uuid[], text
-- gives count bigint
SELECT COUNT(*) FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE (((bookings.org_id, bookings.id) in (select u.a, u.b from unnest($2, $3) as u (a, b)) AND ("bookings"."product" IS NOT DISTINCT FROM $4)) AND bookings.status in ('pending', 'confirmed'));

-- takes text, uuid[], uuid[], text
-- gives count bigint
SELECT COUNT(*) FROM ("bookings" LEFT OUTER JOIN "booking_people" ON ((("booking_people"."org_id" = "bookings"."org_id") AND ("booking_people"."booking_id" = "bookings"."id")) AND ("booking_people"."kind" = $1))) WHERE ((bookings.org_id, bookings.id) in (select u.a, u.b from unnest($2, $3) as u (a, b)) AND ("bookings"."product" IS NOT DISTINCT FROM $4));

-- takes uuid, text
-- gives count bigint
SELECT COUNT(*) FROM ("refunds" INNER JOIN "bookings" ON (("bookings"."org_id" = "refunds"."org_id") AND ("bookings"."id" = "refunds"."booking_id"))) WHERE (("refunds"."org_id" = $1) AND ("bookings"."product" IS NOT DISTINCT FROM $2));

-- takes uuid, text, uuid
-- gives count bigint
SELECT COUNT(*) FROM ("refunds" INNER JOIN "bookings" ON (("bookings"."org_id" = "refunds"."org_id") AND ("bookings"."id" = "refunds"."booking_id"))) WHERE ((("refunds"."org_id" = $1) AND ("bookings"."product" IS NOT DISTINCT FROM $2)) AND ("bookings"."user_id" IS NOT DISTINCT FROM $3));

-- takes uuid, text, text
-- gives count bigint
SELECT COUNT(*) FROM ("refunds" INNER JOIN "bookings" ON (("bookings"."org_id" = "refunds"."org_id") AND ("bookings"."id" = "refunds"."booking_id"))) WHERE ((("refunds"."org_id" = $1) AND ("bookings"."product" IS NOT DISTINCT FROM $2)) AND ("refunds"."status" IS NOT DISTINCT FROM $3));

-- takes uuid, text, uuid, text
-- gives count bigint
SELECT COUNT(*) FROM ("refunds" INNER JOIN "bookings" ON (("bookings"."org_id" = "refunds"."org_id") AND ("bookings"."id" = "refunds"."booking_id"))) WHERE (((("refunds"."org_id" = $1) AND ("bookings"."product" IS NOT DISTINCT FROM $2)) AND ("bookings"."user_id" IS NOT DISTINCT FROM $3)) AND ("refunds"."status" IS NOT DISTINCT FROM $4));

-- takes text, uuid, text, bigint
-- gives count bigint, sum numeric
SELECT COUNT(*), sum("wallets"."balance") FROM ("users" INNER JOIN "wallets" ON ((("wallets"."org_id" = "users"."org_id") AND ("wallets"."owner_type" = $1)) AND ("wallets"."owner_id" = "users"."id"))) WHERE ((("users"."org_id" = $2) AND ("users"."role" = $3)) AND ("users"."deleted_at" IS NULL)) LIMIT $4;

-- takes
-- gives org_id uuid
SELECT DISTINCT "public_events"."org_id" FROM "public_events" WHERE ("public_events"."sequence" IS NULL);

-- takes uuid, text, uuid, text
-- gives exists boolean
SELECT EXISTS (SELECT "events"."org_id", "events"."id", "events"."actor_type", "events"."actor_id", "events"."action", "events"."entity_type", "events"."entity_id", "events"."old_value", "events"."new_value", "events"."ip_address", "events"."user_agent", "events"."request_id", "events"."created_at" FROM "events" WHERE ((((("events"."org_id" = $1) AND ("events"."action" = $2)) AND action <> '') AND ("events"."id" >= $3)) AND ("events"."entity_id" = $4)));

-- takes uuid, uuid
-- gives exists boolean
SELECT EXISTS (SELECT "users"."org_id", "users"."id", "users"."username", "users"."email", "users"."name", "users"."phone", "users"."role", "users"."status", "users"."sub_agent_id", "users"."password_hash", "users"."given_password_hash", "users"."session_epoch", "users"."created_at", "users"."updated_at", "users"."last_login_at", "users"."deleted_at" FROM "users" WHERE (("users"."org_id" = $1) AND ("users"."id" = $2)));

-- takes
-- gives real timestamp with time zone, ?column? timestamp with time zone
SELECT now.real, now.real + coalesce((select ahead from test_clock), interval '0') from (select clock_timestamp() as real) as now;

-- takes
-- gives session_user text
SELECT session_user::text;

-- takes uuid, uuid, bigint
-- gives sum numeric, sum numeric, sum numeric
SELECT sum("fare_transactions"."agent_fare"), sum("fare_transactions"."agent_commission"), sum("fare_transactions"."ancillary") FROM "fare_transactions" WHERE (("fare_transactions"."org_id" = $1) AND ("fare_transactions"."user_id" = $2)) LIMIT $3;

-- takes uuid, timestamp with time zone, timestamp with time zone, text, bigint
-- gives sum numeric, sum numeric, sum numeric, sum numeric, sum numeric, count bigint
SELECT sum("fare_transactions"."public_fare"), sum("fare_transactions"."agent_fare"), sum("fare_transactions"."ancillary"), sum("fare_transactions"."agent_commission"), sum("fare_transactions"."markup"), COUNT(*) FROM "fare_transactions" WHERE (("fare_transactions"."org_id" = $1) AND ((("fare_transactions"."issued_at" >= $2) AND ("fare_transactions"."issued_at" < $3)) AND ("fare_transactions"."kind" IS DISTINCT FROM $4))) LIMIT $5;

-- takes uuid, timestamp with time zone, timestamp with time zone, text, uuid, bigint
-- gives sum numeric, sum numeric, sum numeric, sum numeric, sum numeric, count bigint
SELECT sum("fare_transactions"."public_fare"), sum("fare_transactions"."agent_fare"), sum("fare_transactions"."ancillary"), sum("fare_transactions"."agent_commission"), sum("fare_transactions"."markup"), COUNT(*) FROM "fare_transactions" WHERE ((("fare_transactions"."org_id" = $1) AND ((("fare_transactions"."issued_at" >= $2) AND ("fare_transactions"."issued_at" < $3)) AND ("fare_transactions"."kind" IS DISTINCT FROM $4))) AND ("fare_transactions"."user_id" = $5)) LIMIT $6;

-- takes uuid, uuid, bigint
-- gives sum numeric
SELECT sum("holds"."amount") FROM "holds" WHERE ((("holds"."org_id" = $1) AND ("holds"."wallet_id" = $2)) AND ("holds"."closed_at" IS NULL)) LIMIT $3;

-- takes timestamp with time zone, timestamp with time zone, timestamp with time zone, timestamp with time zone, timestamp with time zone, timestamp with time zone, uuid, uuid
-- gives
UPDATE "booking_holds" SET "auto_ticket_since" = $1, "auto_ticket_at" = $2, "planned_at" = $3, "planned_pay_by" = $4, "planned_price_until" = $5, "due_at" = $6 WHERE (("booking_holds"."org_id" = $7) AND ("booking_holds"."booking_id" = $8));

-- takes timestamp with time zone, uuid, uuid, timestamp with time zone
-- gives org_id uuid, booking_id uuid, auto_ticket_since timestamp with time zone, auto_ticket_at timestamp with time zone, held_at timestamp with time zone, planned_at timestamp with time zone, planned_pay_by timestamp with time zone, planned_price_until timestamp with time zone, due_at timestamp with time zone
UPDATE "booking_holds" SET "due_at" = $1 WHERE ((("booking_holds"."org_id" = $2) AND ("booking_holds"."booking_id" = $3)) AND ("booking_holds"."due_at" = $4)) RETURNING "booking_holds"."org_id", "booking_holds"."booking_id", "booking_holds"."auto_ticket_since", "booking_holds"."auto_ticket_at", "booking_holds"."held_at", "booking_holds"."planned_at", "booking_holds"."planned_pay_by", "booking_holds"."planned_price_until", "booking_holds"."due_at";

-- takes text, bytea, uuid, uuid, text
-- gives
UPDATE "booking_people" SET "kek_id" = $1, "wrapped_key" = $2 WHERE (("booking_people"."org_id" = $3) AND (("booking_people"."booking_id" = $4) AND ("booking_people"."kind" = $5)));

-- takes bytea, bytea, timestamp with time zone, uuid, uuid, text[]
-- gives kind text
UPDATE "booking_people" SET "wrapped_key" = $1, "sealed" = $2, "erased_at" = $3 WHERE (((("booking_people"."org_id" = $4) AND ("booking_people"."booking_id" = $5)) AND ("booking_people"."kind" = ANY($6))) AND ("booking_people"."erased_at" IS NULL)) RETURNING "booking_people"."kind";

-- takes bytea, bytea, uuid, uuid
-- gives
UPDATE "bookings" SET "likeness" = $1, "name_likeness" = $2 WHERE (("bookings"."org_id" = $3) AND ("bookings"."id" = $4));

-- takes timestamp with time zone, uuid, uuid, text, text, integer
-- gives
UPDATE "effects" SET "due_at" = $1 WHERE (((("effects"."org_id" = $2) AND ("effects"."id" = $3)) AND ((("effects"."state" || $4)) = $5)) AND ("effects"."attempts" = $6));

-- takes timestamp with time zone, integer, uuid, uuid, text, text, timestamp with time zone, integer
-- gives id uuid, org_id uuid, booking_id uuid, number smallint, saga uuid, step smallint, steps smallint, state text, kind text, supplier text, requested_by uuid, request jsonb, sent_at timestamp with time zone, due_at timestamp with time zone, attempts integer, problem text
UPDATE "effects" SET "due_at" = $1, "attempts" = $2 WHERE ((((("effects"."org_id" = $3) AND ("effects"."id" = $4)) AND ((("effects"."state" || $5)) = $6)) AND ("effects"."due_at" = $7)) AND ("effects"."attempts" = $8)) RETURNING "effects"."id", "effects"."org_id", "effects"."booking_id", "effects"."number", "effects"."saga", "effects"."step", "effects"."steps", "effects"."state", "effects"."kind", "effects"."supplier", "effects"."requested_by", "effects"."request", "effects"."sent_at", "effects"."due_at", "effects"."attempts", "effects"."problem";

-- takes timestamp with time zone, integer, uuid, uuid, text, text, timestamp with time zone, integer
-- gives
UPDATE "effects" SET "due_at" = $1, "attempts" = ("effects"."attempts" + $2) WHERE (((("effects"."org_id" = $3) AND ("effects"."id" = $4)) AND ((("effects"."state" || $5)) = $6)) AND (("effects"."due_at" <= $7) OR (("effects"."attempts" = $8) AND ("effects"."problem" IS NOT NULL))));

-- takes timestamp with time zone, text, uuid, uuid, text, text
-- gives
UPDATE "effects" SET "due_at" = $1, "problem" = $2 WHERE ((("effects"."org_id" = $3) AND ("effects"."id" = $4)) AND ((("effects"."state" || $5)) = $6));

-- takes timestamp with time zone, text, integer, uuid, uuid, text, text, jsonb
-- gives
UPDATE "effects" SET "due_at" = $1, "problem" = $2, "attempts" = ("effects"."attempts" + $3) WHERE (((("effects"."org_id" = $4) AND ("effects"."id" = $5)) AND ((("effects"."state" || $6)) = $7)) AND ("effects"."request" = $8));

-- takes timestamp with time zone, uuid, uuid
-- gives
UPDATE "effects" SET "recheck_at" = $1 WHERE (("effects"."org_id" = $2) AND ("effects"."id" = $3));

-- takes timestamp with time zone, uuid, uuid, timestamp with time zone
-- gives id uuid, org_id uuid, booking_id uuid, number smallint, saga uuid, step smallint, steps smallint, state text, kind text, supplier text, requested_by uuid, request jsonb, sent_at timestamp with time zone, due_at timestamp with time zone, attempts integer, problem text, closed_at timestamp with time zone
UPDATE "effects" SET "recheck_at" = $1 WHERE ((("effects"."org_id" = $2) AND ("effects"."id" = $3)) AND ("effects"."recheck_at" = $4)) RETURNING "effects"."id", "effects"."org_id", "effects"."booking_id", "effects"."number", "effects"."saga", "effects"."step", "effects"."steps", "effects"."state", "effects"."kind", "effects"."supplier", "effects"."requested_by", "effects"."request", "effects"."sent_at", "effects"."due_at", "effects"."attempts", "effects"."problem", "effects"."closed_at";

-- takes jsonb, uuid, uuid, timestamp with time zone, integer, jsonb
-- gives
UPDATE "effects" SET "request" = $1 WHERE (((((("effects"."org_id" = $2) AND ("effects"."id" = $3)) AND ("effects"."closed_at" IS NULL)) AND ("effects"."sent_at" = $4)) AND ("effects"."attempts" = $5)) AND ("effects"."request" = $6));

-- takes jsonb, timestamp with time zone, timestamp with time zone, uuid, uuid, timestamp with time zone
-- gives
UPDATE "effects" SET "request" = $1, "sent_at" = $2, "due_at" = $3 WHERE (((("effects"."org_id" = $4) AND ("effects"."id" = $5)) AND ("effects"."closed_at" IS NULL)) AND ("effects"."sent_at" = $6));

-- takes uuid, timestamp with time zone, uuid
-- gives
UPDATE "exceptions" SET "claimed_by" = $1, "claimed_at" = $2 WHERE ("exceptions"."id" = $3);

-- takes uuid, timestamp with time zone, uuid
-- gives
UPDATE "exceptions" SET "claimed_by" = $1, "claimed_at" = $2 WHERE (("exceptions"."id" = $3) AND ("exceptions"."closed_by" IS NULL));

-- takes uuid, timestamp with time zone, uuid, uuid, timestamp with time zone
-- gives
UPDATE "exceptions" SET "claimed_by" = $1, "claimed_at" = $2 WHERE ((("exceptions"."id" = $3) AND ("exceptions"."closed_by" IS NULL)) AND ((("exceptions"."claimed_by" IS NULL) OR ("exceptions"."claimed_by" = $4)) OR ("exceptions"."claimed_at" <= $5)));

-- takes timestamp with time zone, text, uuid, uuid
-- gives
UPDATE "exceptions" SET "closed_at" = $1, "closed_by" = $2 WHERE ((("exceptions"."org_id" = $3) AND ("exceptions"."id" = $4)) AND ("exceptions"."closed_by" IS NULL));

-- takes timestamp with time zone, text, text, text, uuid[], uuid[], text
-- gives org_id uuid, id uuid, closed_by text, resolved_by uuid
UPDATE "exceptions" SET "closed_at" = $1, "closed_by" = CASE WHEN (("exceptions"."outcome" IS NOT DISTINCT FROM $2)) THEN ($3) ELSE ($4) END WHERE (((("exceptions"."org_id" = ANY($5)) AND ("exceptions"."effect_id" = ANY($6))) AND ("exceptions"."kind" = $7)) AND ("exceptions"."closed_at" IS NULL)) RETURNING "exceptions"."org_id", "exceptions"."id", "exceptions"."closed_by", "exceptions"."resolved_by";

-- takes text, text, uuid, timestamp with time zone, text, uuid, uuid, uuid
-- gives
UPDATE "exceptions" SET "outcome" = $1, "note" = $2, "ruling_id" = $3, "closed_at" = $4, "closed_by" = $5 WHERE (((("exceptions"."id" = $6) AND ("exceptions"."org_id" = $7)) AND ("exceptions"."booking_id" = $8)) AND ("exceptions"."closed_at" IS NULL));

-- takes text, text, text, uuid, uuid, uuid
-- gives
UPDATE "exceptions" SET "outcome" = $1, "order_id" = $2, "note" = $3, "resolved_by" = $4 WHERE ((("exceptions"."org_id" = $5) AND ("exceptions"."id" = $6)) AND ("exceptions"."closed_by" IS NULL));

-- takes bigint, uuid
-- gives
UPDATE "feed_positions" SET "last" = $1 WHERE ("feed_positions"."org_id" = $2);

-- takes timestamp with time zone, uuid, uuid, timestamp with time zone
-- gives
UPDATE "hold_reminders" SET "told_at" = $1 WHERE (((("hold_reminders"."org_id" = $2) AND ("hold_reminders"."booking_id" = $3)) AND ("hold_reminders"."told_at" IS NULL)) AND ("hold_reminders"."due_at" <= $4));

-- takes smallint, text, uuid, uuid, text
-- gives
UPDATE "idempotency_keys" SET "status" = $1, "answer" = $2 WHERE ((("idempotency_keys"."org_id" = $3) AND (("idempotency_keys"."user_id" = $4) AND ("idempotency_keys"."key" = $5))) AND ("idempotency_keys"."effect_id" IS NULL));

-- takes smallint, bytea, uuid, uuid, text
-- gives
UPDATE "idempotency_keys" SET "status" = $1, "sealed_answer" = $2 WHERE (("idempotency_keys"."org_id" = $3) AND (("idempotency_keys"."user_id" = $4) AND ("idempotency_keys"."key" = $5)));

-- takes timestamp with time zone, uuid, uuid
-- gives
UPDATE "notifications" SET "read_at" = $1 WHERE ((("notifications"."org_id" = $2) AND ("notifications"."user_id" = $3)) AND ("notifications"."read_at" IS NULL));

-- takes timestamp with time zone, uuid, uuid, uuid
-- gives
UPDATE "notifications" SET "read_at" = coalesce("notifications"."read_at", $1) WHERE (("notifications"."org_id" = $2) AND (("notifications"."user_id" = $3) AND ("notifications"."id" = $4)));

-- takes timestamp with time zone, uuid
-- gives
UPDATE "operator_sessions" SET "confirmed_at" = $1 WHERE ("operator_sessions"."id" = $2);

-- takes timestamp with time zone, uuid, timestamp with time zone
-- gives
UPDATE "operator_sessions" SET "idle_until" = $1 WHERE (("operator_sessions"."id" = $2) AND ("operator_sessions"."idle_until" < $3));

-- takes text, uuid, text
-- gives
UPDATE "operators" SET "given_password_hash" = $1 WHERE (("operators"."id" = $2) AND ("operators"."given_password_hash" = $3));

-- takes timestamp with time zone, uuid, integer
-- gives
UPDATE "operators" SET "last_login_at" = $1 WHERE (("operators"."id" = $2) AND ("operators"."session_epoch" = $3));

-- takes text, uuid, text
-- gives
UPDATE "operators" SET "password_hash" = $1 WHERE (("operators"."id" = $2) AND ("operators"."password_hash" = $3));

-- takes text, text, integer, uuid
-- gives
UPDATE "operators" SET "password_hash" = $1, "given_password_hash" = $2, "session_epoch" = ("operators"."session_epoch" + $3) WHERE ("operators"."id" = $4);

-- takes text, text, integer, uuid
-- gives
UPDATE "operators" SET "role" = $1, "status" = $2, "session_epoch" = $3 WHERE ("operators"."id" = $4);

-- takes text, text, text, text, text, text, text, text, text, boolean, text, text, timestamp with time zone, timestamp with time zone, text[], text[], uuid
-- gives
UPDATE "organizations" SET "agent_id" = $1, "name" = $2, "slug" = $3, "email" = $4, "phone" = $5, "address" = $6, "country" = $7, "subscription_type" = $8, "status" = $9, "ip_whitelist_enabled" = $10, "currency" = $11, "timezone" = $12, "created_at" = $13, "updated_at" = $14, "whitelist" = $15, "suppliers" = $16 WHERE ("organizations"."id" = $17);

-- takes integer, uuid
-- gives user_counter integer
UPDATE "organizations" SET "user_counter" = ("organizations"."user_counter" + $1) WHERE ("organizations"."id" = $2) RETURNING "organizations"."user_counter";

-- takes text, text, text, text, numeric, text, integer, boolean, uuid, timestamp with time zone, timestamp with time zone, uuid, uuid
-- gives
UPDATE "packages" SET "product" = $1, "name" = $2, "description" = $3, "markup_type" = $4, "markup_value" = $5, "markup_apply_on" = $6, "priority" = $7, "is_active" = $8, "created_by" = $9, "created_at" = $10, "updated_at" = $11 WHERE (("packages"."org_id" = $12) AND ("packages"."id" = $13));

-- takes timestamp with time zone, uuid, uuid
-- gives
UPDATE "refresh_tokens" SET "spent_at" = $1 WHERE (("refresh_tokens"."org_id" = $2) AND ("refresh_tokens"."id" = $3));

-- takes text, uuid, uuid, smallint, text[]
-- gives
UPDATE "refunds" SET "provider_refund_id" = $1 WHERE (((("refunds"."org_id" = $2) AND ("refunds"."booking_id" = $3)) AND ("refunds"."number" = $4)) AND ("refunds"."status" = ANY($5)));

-- takes text, numeric, numeric, numeric, numeric, text, timestamp with time zone, jsonb, uuid, uuid
-- gives
UPDATE "refunds" SET "status" = $1, "cancellation_charge" = $2, "provider_refund_amount" = $3, "platform_charges" = $4, "refund_to_wallet" = $5, "provider_refund_id" = $6, "refunded_at" = $7, "part" = $8 WHERE (("refunds"."org_id" = $9) AND ("refunds"."id" = $10));

-- takes bigint, timestamp with time zone, uuid, uuid
-- gives
UPDATE "reports" SET "bytes" = $1, "due_at" = $2 WHERE (("reports"."org_id" = $3) AND ("reports"."id" = $4));

-- takes timestamp with time zone, text, integer, uuid, uuid, timestamp with time zone, integer
-- gives
UPDATE "reports" SET "due_at" = $1, "status" = $2, "attempts" = $3 WHERE (((("reports"."org_id" = $4) AND ("reports"."id" = $5)) AND ("reports"."due_at" = $6)) AND ("reports"."attempts" = $7));

-- takes text, text, bigint, bigint, smallint, timestamp with time zone, timestamp with time zone, timestamp with time zone, uuid, uuid, integer, text
-- gives
UPDATE "reports" SET "status" = $1, "problem" = $2, "bytes" = $3, "row_count" = $4, "progress" = $5, "generated_at" = $6, "expires_at" = $7, "due_at" = $8 WHERE (((("reports"."org_id" = $9) AND ("reports"."id" = $10)) AND ("reports"."attempts" = $11)) AND ("reports"."status" = $12));

-- takes text, numeric, uuid, timestamp with time zone, uuid, uuid
-- gives
UPDATE "rulings" SET "state" = $1, "moved" = $2, "transfer_id" = $3, "collected_at" = $4 WHERE (("rulings"."id" = $5) AND ("rulings"."org_id" = $6));

-- takes text, timestamp with time zone, uuid, uuid, text
-- gives
UPDATE "rulings" SET "state" = $1, "withdrawn_at" = $2 WHERE ((("rulings"."id" = $3) AND ("rulings"."org_id" = $4)) AND ("rulings"."state" = $5));

-- takes timestamp with time zone, uuid, uuid
-- gives
UPDATE "sessions" SET "ended_at" = $1 WHERE (("sessions"."org_id" = $2) AND ("sessions"."id" = $3));

-- takes timestamp with time zone, uuid, uuid, uuid, timestamp with time zone
-- gives
UPDATE "sessions" SET "ended_at" = $1 WHERE ((((("sessions"."org_id" = $2) AND ("sessions"."id" = $3)) AND ("sessions"."user_id" = $4)) AND ("sessions"."ended_at" IS NULL)) AND ("sessions"."expires_at" > $5));

-- takes timestamp with time zone, uuid, uuid
-- gives
UPDATE "sessions" SET "expires_at" = $1 WHERE (("sessions"."org_id" = $2) AND ("sessions"."id" = $3));

-- takes timestamp with time zone, uuid, uuid, timestamp with time zone
-- gives
UPDATE "sessions" SET "idle_until" = $1 WHERE ((("sessions"."org_id" = $2) AND ("sessions"."id" = $3)) AND ("sessions"."idle_until" < $4));

-- takes timestamp with time zone, timestamp with time zone, uuid, uuid
-- gives
UPDATE "users" SET "deleted_at" = $1, "updated_at" = $2 WHERE (("users"."org_id" = $3) AND ("users"."id" = $4));

-- takes text, uuid, uuid, text
-- gives
UPDATE "users" SET "given_password_hash" = $1 WHERE ((("users"."org_id" = $2) AND ("users"."id" = $3)) AND ("users"."given_password_hash" = $4));

-- takes timestamp with time zone, uuid, uuid, integer
-- gives
UPDATE "users" SET "last_login_at" = $1 WHERE (((("users"."org_id" = $2) AND ("users"."id" = $3)) AND ("users"."session_epoch" = $4)) AND ("users"."deleted_at" IS NULL));

-- takes text, text, text, timestamp with time zone, uuid, uuid
-- gives
UPDATE "users" SET "name" = $1, "phone" = $2, "status" = $3, "updated_at" = $4 WHERE (("users"."org_id" = $5) AND ("users"."id" = $6));

-- takes text, uuid, uuid, text
-- gives
UPDATE "users" SET "password_hash" = $1 WHERE ((("users"."org_id" = $2) AND ("users"."id" = $3)) AND ("users"."password_hash" = $4));

-- takes text, text, timestamp with time zone, uuid, uuid
-- gives
UPDATE "users" SET "password_hash" = $1, "given_password_hash" = $2, "updated_at" = $3 WHERE (("users"."org_id" = $4) AND ("users"."id" = $5));

-- takes text, timestamp with time zone, uuid, uuid, text
-- gives
UPDATE "users" SET "password_hash" = $1, "updated_at" = $2 WHERE (((("users"."org_id" = $3) AND ("users"."id" = $4)) AND ("users"."password_hash" = $5)) AND ("users"."deleted_at" IS NULL));

-- takes integer, uuid, uuid
-- gives
UPDATE "users" SET "session_epoch" = ("users"."session_epoch" + $1) WHERE (("users"."org_id" = $2) AND ("users"."id" = $3));

-- takes numeric, boolean, uuid, text, uuid
-- gives
UPDATE "wallets" SET "credit_limit" = $1, "is_active" = $2 WHERE ((("wallets"."org_id" = $3) AND ("wallets"."owner_type" = $4)) AND ("wallets"."owner_id" = $5));

-- takes boolean, uuid, uuid
-- gives
UPDATE "wallets" SET "is_active" = $1 WHERE (("wallets"."org_id" = $2) AND ("wallets"."id" = $3));

-- takes timestamp with time zone, uuid, uuid, text, timestamp with time zone
-- gives
UPDATE "webhook_deliveries" SET "due_at" = $1 WHERE (((("webhook_deliveries"."org_id" = $2) AND ("webhook_deliveries"."webhook_id" = $3)) AND ("webhook_deliveries"."state" = $4)) AND ("webhook_deliveries"."due_at" > $5));

-- takes text, integer, timestamp with time zone, timestamp with time zone, timestamp with time zone, smallint, integer, text, uuid, uuid, uuid, text, text, integer
-- gives
UPDATE "webhook_deliveries" SET "state" = $1, "attempts" = $2, "due_at" = $3, "attempted_at" = $4, "delivered_at" = $5, "status" = $6, "duration_ms" = $7, "answer" = $8 WHERE (((("webhook_deliveries"."org_id" = $9) AND (("webhook_deliveries"."webhook_id" = $10) AND ("webhook_deliveries"."event_id" = $11))) AND ((("webhook_deliveries"."state" || $12)) = $13)) AND ("webhook_deliveries"."attempts" = $14));

-- takes text, integer, timestamp with time zone, timestamp with time zone, timestamp with time zone, uuid, uuid, uuid
-- gives
UPDATE "webhook_deliveries" SET "state" = $1, "attempts" = $2, "due_at" = $3, "give_up_at" = $4, "delivered_at" = $5 WHERE (("webhook_deliveries"."org_id" = $6) AND (("webhook_deliveries"."webhook_id" = $7) AND ("webhook_deliveries"."event_id" = $8)));

-- takes boolean, timestamp with time zone, uuid, uuid
-- gives
UPDATE "webhooks" SET "is_active" = $1, "deleted_at" = $2 WHERE (("webhooks"."org_id" = $3) AND ("webhooks"."id" = $4));

-- takes timestamp with time zone, timestamp with time zone, uuid, uuid
-- gives
UPDATE "webhooks" SET "leased_until" = $1, "due_at" = $2 WHERE (("webhooks"."org_id" = $3) AND ("webhooks"."id" = $4));

-- takes timestamp with time zone, timestamp with time zone, uuid, uuid, timestamp with time zone, timestamp with time zone
-- gives
UPDATE "webhooks" SET "leased_until" = $1, "due_at" = $2 WHERE ((((("webhooks"."org_id" = $3) AND ("webhooks"."id" = $4)) AND "webhooks"."is_active") AND ("webhooks"."leased_until" IS NOT DISTINCT FROM $5)) AND ("webhooks"."due_at" IS NOT DISTINCT FROM $6));

-- takes text, text, text[], boolean, text, integer, timestamp with time zone, timestamp with time zone, timestamp with time zone, uuid, uuid
-- gives
UPDATE "webhooks" SET "url" = $1, "description" = $2, "event_types" = $3, "is_active" = $4, "disabled_reason" = $5, "generation" = $6, "previous_until" = $7, "created_at" = $8, "updated_at" = $9 WHERE (("webhooks"."org_id" = $10) AND ("webhooks"."id" = $11));

-- takes uuid, uuid
-- gives
delete from booking_names where org_id = $1 and booking_id = $2;

-- takes uuid, uuid
-- gives
delete from booking_people where org_id = $1 and booking_id = $2;

-- takes timestamp with time zone, bigint
-- gives
delete from hotel_content where (supplier, language, hotel) in (select supplier, language, hotel from hotel_content where coalesce(wished_at, asked_at) < $1 limit $2);

-- takes uuid, bigint, timestamp with time zone
-- gives
delete from idempotency_keys where (user_id, org_id, key) in (
             (select user_id, org_id, key from idempotency_keys
                 where effect_id < $1 and created_at < $3 order by effect_id limit $2)
             union all
             (select user_id, org_id, key from idempotency_keys
                 where effect_id is null and created_at < $3 order by created_at limit $2));

-- takes timestamp with time zone, bigint
-- gives
delete from notifications where (org_id, user_id, id) in (select org_id, user_id, id from notifications where created_at < $1 limit $2);

-- takes timestamp with time zone, bigint
-- gives
delete from operator_sessions where (id) in (select id from operator_sessions where ends_at < $1 or idle_until < $1 limit $2);

-- takes uuid, bigint, timestamp with time zone
-- gives
delete from refresh_tokens where (id, org_id) in (
             select id, org_id from refresh_tokens where id < $1 and expires_at < $3 order by id limit $2);

-- takes timestamp with time zone, bigint
-- gives
delete from sessions where (id, org_id) in (select id, org_id from sessions where expires_at < $1 limit $2);

-- takes uuid, uuid
-- gives
delete from supplier_answers where org_id = $1 and booking_id = $2;

-- takes timestamp with time zone, bigint
-- gives
delete from supplier_health where (process, supplier) in (select process, supplier from supplier_health where seen_at < $1 limit $2);

-- takes text
-- gives
delete from supplier_health where process = $1;

-- takes timestamp with time zone, bigint
-- gives
delete from supplier_hooks where (supplier, event_id) in (select supplier, event_id from supplier_hooks where created_at < $1 limit $2);

-- takes timestamp with time zone
-- gives
delete from supplier_looks where hour < $1;

-- takes timestamp with time zone, bigint
-- gives
delete from supplier_minutes where (minute, supplier, process) in (select minute, supplier, process from supplier_minutes where minute < $1 limit $2);

-- takes timestamp with time zone, bigint
-- gives
delete from supplier_read_losses where (supplier, field, kind) in (select supplier, field, kind from supplier_read_losses where last_at < $1 limit $2);

-- takes bigint
-- gives
delete from webhook_deliveries where (org_id, webhook_id, event_id) in (
             select d.org_id, d.webhook_id, d.event_id from webhooks w
             join webhook_deliveries d on (d.org_id, d.webhook_id) = (w.org_id, w.id)
             where w.deleted_at is not null limit $1
         );

-- takes timestamp with time zone, bigint
-- gives
delete from webhook_deliveries where (org_id, webhook_id, event_id) in (select org_id, webhook_id, event_id from webhook_deliveries where created_at < $1 limit $2);

-- takes
-- gives
delete from webhooks w where deleted_at is not null and not exists (
             select from webhook_deliveries d where (d.org_id, d.webhook_id) = (w.org_id, w.id)
         );

-- takes text, date[], timestamp with time zone[]
-- gives day date, began_at timestamp with time zone
insert into day_bounds as t (zone, day, began_at) select $1, * from unnest($2, $3)
         on conflict (zone, day) do update set began_at = t.began_at returning day, began_at;

-- takes text, text, text[], text[], timestamp with time zone, timestamp with time zone
-- gives
insert into hotel_content as h (supplier, language, hotel, name, wished_at)
         select $1, $2, found.hotel, found.name, $5
         from (select distinct on (hotel) hotel, name from unnest($3::text[], $4::text[]) as t (hotel, name)
               order by hotel) found
         on conflict (supplier, language, hotel) do update set wished_at = excluded.wished_at, name = excluded.name
         where h.wished_at is null and (h.asked_at is null or h.asked_at <= $6);

-- takes text, timestamp with time zone, timestamp with time zone
-- gives
insert into hotel_content_pages as t (supplier, next_at) values ($1, $3)
         on conflict (supplier) do update set next_at = excluded.next_at where t.next_at <= $2;

-- takes timestamp with time zone, bigint, bigint, bigint, bigint
-- gives
insert into ledger_proofs (what, verified_at, wallets, entries, wrong_wallets, problems)
         values ('all', $1, $2, $3, $4, $5)
         on conflict (what) do update set verified_at = excluded.verified_at, wallets = excluded.wallets,
             entries = excluded.entries, wrong_wallets = excluded.wrong_wallets, problems = excluded.problems
         where ledger_proofs.verified_at <= excluded.verified_at;

-- takes uuid, uuid, timestamp with time zone, text, timestamp with time zone
-- gives
insert into ledger_verifications (id, state, started_by, started_at, commit, leased_until)
         values ($1, 'running', $2, $3, $4, $5)
         on conflict (state) where state = 'running' do nothing;

-- takes uuid, text, uuid, timestamp with time zone, text, bigint, bigint, bigint, bigint, bigint, text, timestamp with time zone
-- gives
insert into ledger_verifications (id, state, started_by, started_at, commit, read, total, elapsed_ms, wallets, found,
             first_fault, ended_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

-- takes date, uuid[], text[], bigint[], bigint[]
-- gives
insert into look_to_book as t (org_id, supplier, day, asked, shared)
         select org_id, supplier, $1, asked, shared
         from unnest($2, $3, $4, $5) as counted (org_id, supplier, asked, shared)
         on conflict (org_id, supplier, day)
         do update set asked = least(t.asked::numeric + excluded.asked, 9223372036854775807)::bigint,
             shared = least(t.shared::numeric + excluded.shared, 9223372036854775807)::bigint;

-- takes text, numeric, numeric, text, boolean, timestamp with time zone
-- gives
insert into supplier_accounts (supplier, balance, credit, currency, stated, seen_at, next_read_at)
         values ($1, $2, $3, $4, $5, $6, $6)
         on conflict (supplier) do update set balance = excluded.balance, credit = excluded.credit,
             currency = excluded.currency, stated = excluded.stated, seen_at = excluded.seen_at;

-- takes text, numeric, numeric, timestamp with time zone
-- gives
insert into supplier_accounts (supplier, warn_below, stop_below, next_read_at) values ($1, $2, $3, $4)
         on conflict (supplier) do update
         set warn_below = excluded.warn_below, stop_below = excluded.stop_below;

-- takes text, timestamp with time zone, text, numeric, text
-- gives
insert into supplier_accounts as t
             (supplier, closed_at, closed_reason, needed, needed_currency, next_read_at)
         values ($1, $2, $3, $4, $5, $2)
         on conflict (supplier) do update set
             closed_at = coalesce(t.closed_at, excluded.closed_at),
             closed_reason = coalesce(t.closed_reason, excluded.closed_reason),
             needed = case when t.closed_at is null then excluded.needed else t.needed end,
             needed_currency = case when t.closed_at is null then excluded.needed_currency else t.needed_currency end,
             next_read_at = excluded.next_read_at;

-- takes text[], timestamp with time zone, timestamp with time zone
-- gives supplier text
insert into supplier_accounts as t (supplier, next_read_at)
         select supplier, $3 from unnest($1) as known (supplier) order by supplier
         on conflict (supplier) do update set next_read_at = excluded.next_read_at where t.next_read_at <= $2
         returning supplier;

-- takes uuid, text, text, jsonb, timestamp with time zone
-- gives
insert into supplier_alarms (id, supplier, kind, details, raised_at) values ($1, $2, $3, $4, $5)
         on conflict (supplier, kind) where closed_at is null do nothing;

-- takes text, timestamp with time zone, bigint
-- gives
insert into supplier_looks as t (supplier, hour, looks) select $1, date_trunc('hour', $2, 'UTC'), 1 where $3 > 0
         on conflict (supplier, hour) do update set looks = t.looks + 1 where t.looks < $3;

-- takes timestamp with time zone, jsonb
-- gives supplier text, field text, kind text, example text, is_new boolean
insert into supplier_read_losses as t (supplier, field, kind, first_at, last_at, losses, example)
         select supplier, field, kind, $1, $1, losses, example
         from jsonb_to_recordset($2) as more (supplier text, field text, kind text, losses bigint, example text)
         order by supplier, field, kind
         on conflict (supplier, field, kind) do update set last_at = excluded.last_at,
             losses = t.losses + excluded.losses
         returning supplier, field, kind, example, (xmax = 0) as is_new;

-- takes date, text[], text[], bigint[]
-- gives
insert into supplier_refusals as t (supplier, code, day, refusals)
         select supplier, code, $1, refusals from unnest($2, $3, $4) as counted (supplier, code, refusals)
         on conflict (supplier, code, day) do update set refusals = t.refusals + excluded.refusals;

-- takes text, timestamp with time zone, timestamp with time zone
-- gives
insert into supplier_sweeps as t (supplier, next_at) values ($1, $3)
         on conflict (supplier) do update set next_at = excluded.next_at where t.next_at <= $2;

-- takes
-- gives
lock table exchange_rates in share row exclusive mode;

-- takes
-- gives name text
select 'booking ' || b.booking_ref as name from bookings b where (
            select coalesce(sum(e.amount), 0) from transfers t
            join entries e on (e.org_id, e.transfer_id) = (t.org_id, t.id)
            where t.org_id = b.org_id and t.key = 'booking:' || b.id and e.wallet_id = b.wallet_id)
            + (select coalesce(sum(e.amount), 0) from effects f
            join transfers t on t.org_id = f.org_id and t.key = 'service:' || f.id
            join entries e on (e.org_id, e.transfer_id) = (t.org_id, t.id)
            where (f.org_id, f.booking_id) = (b.org_id, b.id) and f.kind = 'add_service' and f.state = 'done'
            and e.wallet_id = b.wallet_id)
            + (select coalesce(sum(case e.side when 'debit' then e.amount else -e.amount end), 0) from effects f
            join transfers t on t.org_id = f.org_id and t.key = 'change:' || f.id
            join entries e on (e.org_id, e.transfer_id) = (t.org_id, t.id)
            where (f.org_id, f.booking_id) = (b.org_id, b.id) and f.kind = 'change' and f.state = 'done'
            and e.wallet_id is not null)
            <> case when b.status in ('confirmed', 'cancelled') then b.amount else 0 end order by 1;

-- takes
-- gives name text
select 'booking ' || b.booking_ref as name from bookings b where b.status = 'pending' and not exists (
            select from holds h where (h.org_id, h.id) = (b.org_id, b.hold_id)
            and h.closed_at is null and h.amount = b.amount) order by 1;

-- takes
-- gives name text
select 'hold ' || h.id as name from holds h where h.closed_at is null and not exists (
            select from bookings b join effects e on (e.org_id, e.booking_id) = (b.org_id, b.id)
            where (b.org_id, b.hold_id) = (h.org_id, h.id) and b.status = 'pending' and e.state = 'open')
            and not exists (select from effects e where e.org_id = h.org_id and e.state = 'open'
            and e.kind in ('add_service', 'change') and e.request->'service'->>'hold' = h.id::text) order by 1;

-- takes
-- gives name text
select 'refund ' || r.id as name from refunds r where (
            select coalesce(sum(e.amount), 0) from transfers t
            join entries e on (e.org_id, e.transfer_id) = (t.org_id, t.id)
            where t.org_id = r.org_id and t.key = 'refund:' || r.id and e.wallet_id is not null)
            + (select coalesce(sum(u.moved), 0) from rulings u
            where (u.booking_id, u.org_id, u.number) = (r.booking_id, r.org_id, r.number)
            and u.kind = 'supplier_cancelled'
            -- It is of what was left of the order: not of parts that came back before, nor of what was refused.
            and r.status = 'refunded' and coalesce((r.part ->> 'is_last')::boolean, true))
            <> case when r.status = 'refunded' then r.refund_to_wallet else 0 end order by 1;

-- takes
-- gives name text
select 'ruling ' || u.id as name from rulings u where (
            select coalesce(sum(case e.side when 'credit' then e.amount else -e.amount end), 0) from transfers t
            join entries e on (e.org_id, e.transfer_id) = (t.org_id, t.id)
            where t.org_id = u.org_id and t.key = 'ruling:' || u.id and e.wallet_id is not null) <> u.moved
            or (select count(*) from transfers t where t.org_id = u.org_id and t.key = 'ruling:' || u.id
            and t.id = u.transfer_id) <> case when u.transfer_id is null then 0 else 1 end order by 1;

-- takes
-- gives name text
select 'ruling ' || u.id as name from rulings u where u.transfer_id is not null and not exists (
            select from fare_transactions f where (f.transfer_id, f.org_id) = (u.transfer_id, u.org_id)
            and (f.booking_id, f.number) = (u.booking_id, u.number)
            and f.agent_fare + f.ancillary = -u.moved
            and f.kind = case u.kind when 'supplier_cancelled' then 'refund' when 'refund' then 'adjustment'
                else u.kind end) order by 1;

-- takes timestamp with time zone
-- gives what text, kind text, supplier text, number bigint, oldest_seconds double precision, amount double precision
select 'step' as what, kind, supplier, count(*) as number,
             extract(epoch from $1 - min(sent_at))::float8 as oldest_seconds, 0::float8 as amount
         from effects where state = 'open' group by kind, supplier
         union all
         select 'hold', w.currency::text, '', count(*), extract(epoch from $1 - min(h.placed_at))::float8, sum(h.amount)::float8
         from holds h join wallets w on w.id = h.wallet_id and w.org_id = h.org_id
         where h.closed_at is null group by w.currency
         union all
         select 'incident', kind, '', count(*), extract(epoch from $1 - min(raised_at))::float8, 0
         from exceptions where closed_at is null group by kind
         union all
         select 'unpublished', '', '', count(*), extract(epoch from $1 - min(created_at))::float8, 0
         from public_events where sequence is null
         union all
         select 'delivery', '', '', count(*), extract(epoch from $1 - min(created_at))::float8, 0
         from webhook_deliveries where state = 'pending'
         union all
         select 'report', '', '', count(*), extract(epoch from $1 - min(due_at))::float8, 0
         from reports where due_at <= $1
         union all
         select 'proof', '', '', problems, extract(epoch from $1 - verified_at)::float8, 0 from ledger_proofs
         union all
         select 'wrong_wallets', '', '', wrong_wallets, null, 0 from ledger_proofs;

-- takes
-- gives name text
select 'transfer ' || t.id as name from transfers t where t.key like 'change:%' and not exists (
            select from fare_transactions f where (f.transfer_id, f.org_id) = (t.id, t.org_id) and f.kind = 'change'
            and f.agent_fare + f.ancillary = (
                select sum(case e.side when 'debit' then e.amount else -e.amount end) from entries e
                where (e.org_id, e.transfer_id) = (t.org_id, t.id) and e.wallet_id is not null)) order by 1;

-- takes
-- gives name text
select 'transfer ' || t.id as name from transfers t where t.key like 'ruling:%' and not exists (
            select from rulings u where (u.org_id, u.transfer_id) = (t.org_id, t.id)) order by 1;

-- takes
-- gives pending_bookings bigint, oldest_pending_booking timestamp with time zone, open_incidents bigint, pending_refunds bigint, failed_reports bigint, webhooks_disabled bigint, webhooks_resting bigint, wallets_in_debt bigint
select (select count(*) from bookings where status = 'pending') as pending_bookings, (select min(created_at) from bookings where status = 'pending') as oldest_pending_booking, (select count(*) from exceptions where closed_at is null) as open_incidents, (select count(*) from refunds where status in ('pending', 'processing')) as pending_refunds, (select count(*) from reports where status = 'failed') as failed_reports, (select count(*) from webhooks where deleted_at is null and disabled_reason is not null) as webhooks_disabled, (select count(distinct (w.org_id, w.id)) from webhooks w join webhook_deliveries d on (d.org_id, d.webhook_id) = (w.org_id, w.id) where w.deleted_at is null and w.is_active and d.state = 'pending' and d.attempts > 0) as webhooks_resting, (select count(*) from wallets where balance < 0) as wallets_in_debt;

-- takes text
-- gives hook_at timestamp with time zone, list_at timestamp with time zone
select (select max(created_at) from supplier_hooks where supplier = $1) as hook_at,
             (select news_at from supplier_sweeps where supplier = $1) as list_at;

-- takes date, date, timestamp with time zone, timestamp with time zone
-- gives agent_id text, name text, supplier text, asked bigint, shared bigint, booked bigint
select agent_id, name, supplier, coalesce(asked, 0) as asked, coalesce(shared, 0) as shared,
                coalesce(booked, 0) as booked
         from (
             select org_id, supplier, least(sum(asked), 9223372036854775807)::bigint as asked,
                 least(sum(shared), 9223372036854775807)::bigint as shared
             from look_to_book where day between $1 and $2 group by org_id, supplier
         ) looked
         full join (
             select orders.org_id, orders.supplier, count(*) as booked
             from supplier_orders orders
             join bookings on bookings.org_id = orders.org_id and bookings.id = orders.booking_id
             where orders.status in ('held', 'confirmed', 'cancelled')
                 and bookings.created_at >= $3 and bookings.created_at < $4
             group by orders.org_id, orders.supplier
         ) sold using (org_id, supplier)
         join organizations on organizations.id = org_id
         order by 4 desc, agent_id, supplier;

-- takes text, text[], text[], timestamp with time zone
-- gives booking_ref text, reference text, supplier_order_id text, status text, is_under_way boolean
select b.booking_ref, o.reference, o.supplier_order_id, o.status, exists (
                 select from effects e where (e.booking_id, e.org_id) = (o.booking_id, o.org_id)
                     and e.state in ('planned', 'open')) as is_under_way
         from supplier_orders o join bookings b on (b.id, b.org_id) = (o.booking_id, o.org_id)
         where o.supplier = $1
             and (o.supplier_order_id = any ($2) or o.reference = any ($3) or b.created_at >= $4)
         order by b.created_at, o.reference;

-- takes bigint
-- gives org_id uuid, id uuid
select b.org_id, b.id from bookings b where exists (select from booking_people p where p.org_id = b.org_id and p.booking_id = b.id and p.kind = 'people') limit $1;

-- takes bigint
-- gives org_id uuid, id uuid
select b.org_id, b.id from bookings b where not exists (select from booking_people p where p.org_id = b.org_id and p.booking_id = b.id and p.kind = 'people') limit $1;

-- takes uuid, uuid
-- gives product text, product_content jsonb, failure text
select b.product, b.product_content, b.failure from bookings b where b.org_id = $1 and b.id = $2 for update;

-- takes uuid, uuid, timestamp with time zone[]
-- gives balance numeric
select coalesce(( select e.balance_after from entries e where e.org_id = $1 and e.wallet_id = $2 and e.at < i.at order by e.at desc, e.sequence desc limit 1), 0) as balance from unnest($3) with ordinality as i (at, number) order by i.number;

-- takes text, date
-- gives code text, refusals bigint
select code, sum(refusals)::bigint as refusals from supplier_refusals
         where supplier = $1 and day >= $2 group by code order by 2 desc, code;

-- takes uuid, uuid
-- gives count bigint
select count(*) as count from bookings b where b.org_id = $1 and b.id = $2 and exists (select from booking_people p where p.org_id = b.org_id and p.booking_id = b.id and p.kind = 'people');

-- takes uuid, uuid
-- gives count bigint
select count(*) as count from bookings b where b.org_id = $1 and b.id = $2 and not exists (select from booking_people p where p.org_id = b.org_id and p.booking_id = b.id and p.kind = 'people');

-- takes
-- gives count bigint
select count(*) as count from bookings b where not exists (select from booking_people p where p.org_id = b.org_id and p.booking_id = b.id and p.kind = 'people');

-- takes text[]
-- gives total bigint
select count(*) as total from bookings b where (b.id, b.org_id) in (select o.booking_id, o.org_id from supplier_orders o where (jsonb_path_query_array(o.content, '$.pnr') || jsonb_path_query_array(o.content, '$.airline_pnr')
    || jsonb_path_query_array(o.content, '$.locators[*].pnr') || jsonb_path_query_array(o.content, '$.confirmation')
    || jsonb_path_query_array(o.content, '$.hotel_numbers[*].number')) ?| $1) ;

-- takes text[], uuid
-- gives total bigint
select count(*) as total from bookings b where (b.id, b.org_id) in (select o.booking_id, o.org_id from supplier_orders o where (jsonb_path_query_array(o.content, '$.pnr') || jsonb_path_query_array(o.content, '$.airline_pnr')
    || jsonb_path_query_array(o.content, '$.locators[*].pnr') || jsonb_path_query_array(o.content, '$.confirmation')
    || jsonb_path_query_array(o.content, '$.hotel_numbers[*].number')) ?| $1) and b.product in ('flight', 'hotel') and b.org_id = $2 ;

-- takes text[]
-- gives total bigint
select count(*) as total from bookings b where (b.id, b.org_id) in (select o.booking_id, o.org_id from supplier_orders o where jsonb_path_query_array(o.content, '$.tickets[*].number') ?| $1) ;

-- takes text[], text
-- gives total bigint
select count(*) as total from bookings b where (b.id, b.org_id) in (select o.booking_id, o.org_id from supplier_orders o where o.supplier_order_id = any($1) and o.supplier = $2) ;

-- takes bytea[]
-- gives total bigint
select count(*) as total from bookings b where (b.id, b.org_id) in (select x.booking_id, x.org_id from booking_names x where x.name_key = any($1)) ;

-- takes bytea[], uuid
-- gives total bigint
select count(*) as total from bookings b where (b.id, b.org_id) in (select x.booking_id, x.org_id from booking_names x where x.name_key = any($1)) and b.product in ('flight', 'hotel') and b.org_id = $2 ;

-- takes text
-- gives total bigint
select count(*) as total from bookings b where b.booking_ref = $1 ;

-- takes text, uuid
-- gives total bigint
select count(*) as total from bookings b where b.booking_ref = $1 and b.product in ('flight', 'hotel') and b.org_id = $2 ;

-- takes uuid, uuid
-- gives total bigint
select count(*) as total from bookings b where b.id >= $1 and b.id < $2 ;

-- takes uuid
-- gives total bigint
select count(*) as total from bookings b where b.product in ('flight', 'hotel') and b.org_id = $1 ;

-- takes uuid, text
-- gives total bigint
select count(*) as total from bookings b where b.product in ('flight', 'hotel') and b.org_id = $1 and b.status = $2 ;

-- takes uuid, text, text
-- gives total bigint
select count(*) as total from bookings b where b.product in ('flight', 'hotel') and b.org_id = $1 and left(coalesce(b.product_content ->> 'check_in', b.product_content #>> '{orders,0,legs,0,segments,0,departure}'), 10) between $2 and $3 ;

-- takes
-- gives total bigint
select count(*) as total from ledger_verifications;

-- takes uuid, uuid, text, uuid, uuid
-- gives total bigint
select count(*) as total from operator_events e where ($1 is null or e.actor_id = $1) and ($2 is null or e.operator_id = $2) and ($3 is null or e.action = $3) and ($4 is null or e.id >= $4) and ($5 is null or e.id < $5);

-- takes text, date[]
-- gives day date, began_at timestamp with time zone
select day, began_at from day_bounds where zone = $1 and day = any($2);

-- takes
-- gives name text
select distinct 'transfer ' || e.transfer_id as name from entries e where not exists (
            select from transfers t where (t.org_id, t.id) = (e.org_id, e.transfer_id)) order by 1;

-- takes bytea[], uuid, bigint
-- gives id uuid
select distinct n.booking_id as id from booking_names n where n.name_key = any($1) and n.org_id = $2
        order by 1 desc limit $3;

-- takes uuid
-- gives id uuid
select distinct o.booking_id as id from supplier_orders o where o.org_id = $1 and o.hold_state = 'held';

-- takes
-- gives from_currency text, to_currency text, created_at timestamp with time zone, operator_id uuid, name text
select distinct on (e.value->>'from', e.value->>'to') e.value->>'from' as from_currency, e.value->>'to' as to_currency, e.created_at, o.id as operator_id, o.name from operator_events e left join operators o on o.id = e.actor_id where e.action in ('rate.set', 'rates.imported') order by e.value->>'from', e.value->>'to', e.created_at desc, e.id desc;

-- takes text, bigint
-- gives at timestamp with time zone, action text, by text, value jsonb
select e.created_at as at, e.action, o.name as by, e.value
         from operator_events e left join operators o on o.id = e.actor_id
         where e.value ->> 'supplier' = $1 order by e.created_at desc, e.id desc limit $2;

-- takes uuid, uuid, text, uuid, uuid, bigint, bigint
-- gives id uuid, at timestamp with time zone, actor_id uuid, actor text, action text, operator_id uuid, operator text, value jsonb, address text
select e.id, e.created_at as at, e.actor_id, a.name as actor, e.action, e.operator_id, o.name as operator, e.value, e.address from operator_events e left join operators a on a.id = e.actor_id left join operators o on o.id = e.operator_id where ($1 is null or e.actor_id = $1) and ($2 is null or e.operator_id = $2) and ($3 is null or e.action = $3) and ($4 is null or e.id >= $4) and ($5 is null or e.id < $5) order by e.id desc limit $6 offset $7;

-- takes uuid, uuid, timestamp with time zone, bigint
-- gives id uuid, sequence bigint, kind text, data jsonb, created_at timestamp with time zone, attempts integer, give_up_at timestamp with time zone
select e.id, e.sequence, e.kind, e.data, e.created_at, d.attempts, d.give_up_at
         from webhook_deliveries d join public_events e on e.org_id = d.org_id and e.id = d.event_id
         where d.org_id = $1 and d.webhook_id = $2 and d.state = 'pending' and d.give_up_at > $3 and not exists (
    select from webhook_deliveries b where b.org_id = $1 and b.webhook_id = $2 and b.subject = d.subject
        and b.sequence < d.sequence and b.state = 'pending' and b.give_up_at > $3
) and d.due_at <= $3 order by d.due_at, d.sequence limit $4;

-- takes uuid, uuid
-- gives step boolean, refund boolean, incident boolean
select exists (select from effects where org_id = $1 and booking_id = $2 and state in ('planned', 'open')) as step, exists (select from refunds where org_id = $1 and booking_id = $2 and status in ('pending', 'processing')) as refund, exists (select from exceptions where org_id = $1 and booking_id = $2 and closed_at is null) as incident;

-- takes uuid, uuid, text, text, timestamp with time zone
-- gives is_raised boolean
select exists (select from exceptions where booking_id = $1 and org_id = $2 and kind = $3
            and (closed_by is null or raised_at >= $5) and effect_id is null and details ->> 'order_id' = $4) as is_raised;

-- takes text[], text[], text[], uuid, bigint
-- gives id uuid
select f.id from (
            select o.booking_id as id, o.org_id from supplier_orders o where (jsonb_path_query_array(o.content, '$.pnr') || jsonb_path_query_array(o.content, '$.airline_pnr')
    || jsonb_path_query_array(o.content, '$.locators[*].pnr') || jsonb_path_query_array(o.content, '$.confirmation')
    || jsonb_path_query_array(o.content, '$.hotel_numbers[*].number')) ?| $1
            union select o.booking_id, o.org_id from supplier_orders o
            where o.supplier_order_id = any($2) and o.supplier = any($3)) f
        where f.org_id = $4 order by 1 desc limit $5;

-- takes text
-- gives first_at timestamp with time zone
select first_at from supplier_read_losses where supplier = $1 order by first_at desc limit 1;

-- takes uuid, uuid, timestamp with time zone
-- gives due_at timestamp with time zone
select greatest(d.due_at, $3) as due_at from webhook_deliveries d where d.org_id = $1 and d.webhook_id = $2 and d.state = 'pending' and d.give_up_at > $3 and not exists (
    select from webhook_deliveries b where b.org_id = $1 and b.webhook_id = $2 and b.subject = d.subject
        and b.sequence < d.sequence and b.state = 'pending' and b.give_up_at > $3
) order by d.due_at limit 1;

-- takes timestamp with time zone
-- gives process text, address text, seen_at timestamp with time zone, supplier text, breaker text, open_until timestamp with time zone, paused_until timestamp with time zone, permits integer, permits_used integer, permits_waiting integer, calls bigint, p50_ms bigint, p99_ms bigint, errors jsonb
select h.process, s.address, h.seen_at, h.supplier, h.breaker, h.open_until, h.paused_until, h.permits,
             h.permits_used, h.permits_waiting, h.calls, h.p50_ms, h.p99_ms, h.errors
         from supplier_health h left join servers s on s.name = h.process
         where h.seen_at > $1 order by h.supplier, s.address, h.process;

-- takes text, text, text[]
-- gives hotel text, name text, asked_at timestamp with time zone, content jsonb
select hotel, name, asked_at, content from hotel_content
         where supplier = $1 and language = $2 and hotel = any($3);

-- takes uuid, uuid
-- gives id uuid, kind text, request jsonb, problem text
select id, kind, request, problem from effects where org_id = $1 and booking_id = $2;

-- takes uuid, uuid
-- gives id uuid, problem text
select id, problem from exceptions where org_id = $1 and booking_id = $2;

-- takes uuid, uuid[]
-- gives id uuid, name text
select id, username as name from users where org_id = $1 and id = any($2) union all select id, name from operators where id = any($2);

-- takes text[], uuid
-- gives line jsonb
select jsonb_build_object('booking_ref', b.booking_ref, 'agent_id', a.agent_id, 'product', b.product, 'status', b.status,
    'provider', b.provider, 'pnr', b.pnr, 'booked_by', b.user_name, 'route', b.origin || ' ' || b.destination,
    'amount', b.amount, 'currency', b.currency, 'created_at', b.created_at, 'travel', left(coalesce(b.product_content ->> 'check_in', b.product_content #>> '{orders,0,legs,0,segments,0,departure}'), 10)) as line
         from bookings b join organizations a on a.id = b.org_id where (b.id, b.org_id) in (select o.booking_id, o.org_id from supplier_orders o where (jsonb_path_query_array(o.content, '$.pnr') || jsonb_path_query_array(o.content, '$.airline_pnr')
    || jsonb_path_query_array(o.content, '$.locators[*].pnr') || jsonb_path_query_array(o.content, '$.confirmation')
    || jsonb_path_query_array(o.content, '$.hotel_numbers[*].number')) ?| $1) and b.product in ('flight', 'hotel') and b.org_id = $2 order by b.id desc limit 20 offset 0;

-- takes text[]
-- gives line jsonb
select jsonb_build_object('booking_ref', b.booking_ref, 'agent_id', a.agent_id, 'product', b.product, 'status', b.status,
    'provider', b.provider, 'pnr', b.pnr, 'booked_by', b.user_name, 'route', b.origin || ' ' || b.destination,
    'amount', b.amount, 'currency', b.currency, 'created_at', b.created_at, 'travel', left(coalesce(b.product_content ->> 'check_in', b.product_content #>> '{orders,0,legs,0,segments,0,departure}'), 10)) as line
         from bookings b join organizations a on a.id = b.org_id where (b.id, b.org_id) in (select o.booking_id, o.org_id from supplier_orders o where (jsonb_path_query_array(o.content, '$.pnr') || jsonb_path_query_array(o.content, '$.airline_pnr')
    || jsonb_path_query_array(o.content, '$.locators[*].pnr') || jsonb_path_query_array(o.content, '$.confirmation')
    || jsonb_path_query_array(o.content, '$.hotel_numbers[*].number')) ?| $1) order by b.id desc limit 20 offset 0;

-- takes text[]
-- gives line jsonb
select jsonb_build_object('booking_ref', b.booking_ref, 'agent_id', a.agent_id, 'product', b.product, 'status', b.status,
    'provider', b.provider, 'pnr', b.pnr, 'booked_by', b.user_name, 'route', b.origin || ' ' || b.destination,
    'amount', b.amount, 'currency', b.currency, 'created_at', b.created_at, 'travel', left(coalesce(b.product_content ->> 'check_in', b.product_content #>> '{orders,0,legs,0,segments,0,departure}'), 10)) as line
         from bookings b join organizations a on a.id = b.org_id where (b.id, b.org_id) in (select o.booking_id, o.org_id from supplier_orders o where (jsonb_path_query_array(o.content, '$.pnr') || jsonb_path_query_array(o.content, '$.airline_pnr')
    || jsonb_path_query_array(o.content, '$.locators[*].pnr') || jsonb_path_query_array(o.content, '$.confirmation')
    || jsonb_path_query_array(o.content, '$.hotel_numbers[*].number')) ?| $1) order by b.id desc limit 50 offset 0;

-- takes text[]
-- gives line jsonb
select jsonb_build_object('booking_ref', b.booking_ref, 'agent_id', a.agent_id, 'product', b.product, 'status', b.status,
    'provider', b.provider, 'pnr', b.pnr, 'booked_by', b.user_name, 'route', b.origin || ' ' || b.destination,
    'amount', b.amount, 'currency', b.currency, 'created_at', b.created_at, 'travel', left(coalesce(b.product_content ->> 'check_in', b.product_content #>> '{orders,0,legs,0,segments,0,departure}'), 10)) as line
         from bookings b join organizations a on a.id = b.org_id where (b.id, b.org_id) in (select o.booking_id, o.org_id from supplier_orders o where jsonb_path_query_array(o.content, '$.tickets[*].number') ?| $1) order by b.id desc limit 20 offset 0;

-- takes text[]
-- gives line jsonb
select jsonb_build_object('booking_ref', b.booking_ref, 'agent_id', a.agent_id, 'product', b.product, 'status', b.status,
    'provider', b.provider, 'pnr', b.pnr, 'booked_by', b.user_name, 'route', b.origin || ' ' || b.destination,
    'amount', b.amount, 'currency', b.currency, 'created_at', b.created_at, 'travel', left(coalesce(b.product_content ->> 'check_in', b.product_content #>> '{orders,0,legs,0,segments,0,departure}'), 10)) as line
         from bookings b join organizations a on a.id = b.org_id where (b.id, b.org_id) in (select o.booking_id, o.org_id from supplier_orders o where jsonb_path_query_array(o.content, '$.tickets[*].number') ?| $1) order by b.id desc limit 50 offset 0;

-- takes text[], text
-- gives line jsonb
select jsonb_build_object('booking_ref', b.booking_ref, 'agent_id', a.agent_id, 'product', b.product, 'status', b.status,
    'provider', b.provider, 'pnr', b.pnr, 'booked_by', b.user_name, 'route', b.origin || ' ' || b.destination,
    'amount', b.amount, 'currency', b.currency, 'created_at', b.created_at, 'travel', left(coalesce(b.product_content ->> 'check_in', b.product_content #>> '{orders,0,legs,0,segments,0,departure}'), 10)) as line
         from bookings b join organizations a on a.id = b.org_id where (b.id, b.org_id) in (select o.booking_id, o.org_id from supplier_orders o where o.supplier_order_id = any($1) and o.supplier = $2) order by b.id desc limit 20 offset 0;

-- takes text[], text
-- gives line jsonb
select jsonb_build_object('booking_ref', b.booking_ref, 'agent_id', a.agent_id, 'product', b.product, 'status', b.status,
    'provider', b.provider, 'pnr', b.pnr, 'booked_by', b.user_name, 'route', b.origin || ' ' || b.destination,
    'amount', b.amount, 'currency', b.currency, 'created_at', b.created_at, 'travel', left(coalesce(b.product_content ->> 'check_in', b.product_content #>> '{orders,0,legs,0,segments,0,departure}'), 10)) as line
         from bookings b join organizations a on a.id = b.org_id where (b.id, b.org_id) in (select o.booking_id, o.org_id from supplier_orders o where o.supplier_order_id = any($1) and o.supplier = $2) order by b.id desc limit 50 offset 0;

-- takes bytea[], uuid
-- gives line jsonb
select jsonb_build_object('booking_ref', b.booking_ref, 'agent_id', a.agent_id, 'product', b.product, 'status', b.status,
    'provider', b.provider, 'pnr', b.pnr, 'booked_by', b.user_name, 'route', b.origin || ' ' || b.destination,
    'amount', b.amount, 'currency', b.currency, 'created_at', b.created_at, 'travel', left(coalesce(b.product_content ->> 'check_in', b.product_content #>> '{orders,0,legs,0,segments,0,departure}'), 10)) as line
         from bookings b join organizations a on a.id = b.org_id where (b.id, b.org_id) in (select x.booking_id, x.org_id from booking_names x where x.name_key = any($1)) and b.product in ('flight', 'hotel') and b.org_id = $2 order by b.id desc limit 20 offset 0;

-- takes bytea[]
-- gives line jsonb
select jsonb_build_object('booking_ref', b.booking_ref, 'agent_id', a.agent_id, 'product', b.product, 'status', b.status,
    'provider', b.provider, 'pnr', b.pnr, 'booked_by', b.user_name, 'route', b.origin || ' ' || b.destination,
    'amount', b.amount, 'currency', b.currency, 'created_at', b.created_at, 'travel', left(coalesce(b.product_content ->> 'check_in', b.product_content #>> '{orders,0,legs,0,segments,0,departure}'), 10)) as line
         from bookings b join organizations a on a.id = b.org_id where (b.id, b.org_id) in (select x.booking_id, x.org_id from booking_names x where x.name_key = any($1)) order by b.id desc limit 20 offset 0;

-- takes bytea[]
-- gives line jsonb
select jsonb_build_object('booking_ref', b.booking_ref, 'agent_id', a.agent_id, 'product', b.product, 'status', b.status,
    'provider', b.provider, 'pnr', b.pnr, 'booked_by', b.user_name, 'route', b.origin || ' ' || b.destination,
    'amount', b.amount, 'currency', b.currency, 'created_at', b.created_at, 'travel', left(coalesce(b.product_content ->> 'check_in', b.product_content #>> '{orders,0,legs,0,segments,0,departure}'), 10)) as line
         from bookings b join organizations a on a.id = b.org_id where (b.id, b.org_id) in (select x.booking_id, x.org_id from booking_names x where x.name_key = any($1)) order by b.id desc limit 50 offset 0;

-- takes text, uuid
-- gives line jsonb
select jsonb_build_object('booking_ref', b.booking_ref, 'agent_id', a.agent_id, 'product', b.product, 'status', b.status,
    'provider', b.provider, 'pnr', b.pnr, 'booked_by', b.user_name, 'route', b.origin || ' ' || b.destination,
    'amount', b.amount, 'currency', b.currency, 'created_at', b.created_at, 'travel', left(coalesce(b.product_content ->> 'check_in', b.product_content #>> '{orders,0,legs,0,segments,0,departure}'), 10)) as line
         from bookings b join organizations a on a.id = b.org_id where b.booking_ref = $1 and b.product in ('flight', 'hotel') and b.org_id = $2 order by b.id desc limit 20 offset 0;

-- takes text
-- gives line jsonb
select jsonb_build_object('booking_ref', b.booking_ref, 'agent_id', a.agent_id, 'product', b.product, 'status', b.status,
    'provider', b.provider, 'pnr', b.pnr, 'booked_by', b.user_name, 'route', b.origin || ' ' || b.destination,
    'amount', b.amount, 'currency', b.currency, 'created_at', b.created_at, 'travel', left(coalesce(b.product_content ->> 'check_in', b.product_content #>> '{orders,0,legs,0,segments,0,departure}'), 10)) as line
         from bookings b join organizations a on a.id = b.org_id where b.booking_ref = $1 order by b.id desc limit 20 offset 0;

-- takes text
-- gives line jsonb
select jsonb_build_object('booking_ref', b.booking_ref, 'agent_id', a.agent_id, 'product', b.product, 'status', b.status,
    'provider', b.provider, 'pnr', b.pnr, 'booked_by', b.user_name, 'route', b.origin || ' ' || b.destination,
    'amount', b.amount, 'currency', b.currency, 'created_at', b.created_at, 'travel', left(coalesce(b.product_content ->> 'check_in', b.product_content #>> '{orders,0,legs,0,segments,0,departure}'), 10)) as line
         from bookings b join organizations a on a.id = b.org_id where b.booking_ref = $1 order by b.id desc limit 50 offset 0;

-- takes uuid, uuid
-- gives line jsonb
select jsonb_build_object('booking_ref', b.booking_ref, 'agent_id', a.agent_id, 'product', b.product, 'status', b.status,
    'provider', b.provider, 'pnr', b.pnr, 'booked_by', b.user_name, 'route', b.origin || ' ' || b.destination,
    'amount', b.amount, 'currency', b.currency, 'created_at', b.created_at, 'travel', left(coalesce(b.product_content ->> 'check_in', b.product_content #>> '{orders,0,legs,0,segments,0,departure}'), 10)) as line
         from bookings b join organizations a on a.id = b.org_id where b.id >= $1 and b.id < $2 order by b.id desc limit 20 offset 0;

-- takes uuid, text
-- gives line jsonb
select jsonb_build_object('booking_ref', b.booking_ref, 'agent_id', a.agent_id, 'product', b.product, 'status', b.status,
    'provider', b.provider, 'pnr', b.pnr, 'booked_by', b.user_name, 'route', b.origin || ' ' || b.destination,
    'amount', b.amount, 'currency', b.currency, 'created_at', b.created_at, 'travel', left(coalesce(b.product_content ->> 'check_in', b.product_content #>> '{orders,0,legs,0,segments,0,departure}'), 10)) as line
         from bookings b join organizations a on a.id = b.org_id where b.product in ('flight', 'hotel') and b.org_id = $1 and b.status = $2 order by b.id desc limit 20 offset 0;

-- takes uuid, text, text
-- gives line jsonb
select jsonb_build_object('booking_ref', b.booking_ref, 'agent_id', a.agent_id, 'product', b.product, 'status', b.status,
    'provider', b.provider, 'pnr', b.pnr, 'booked_by', b.user_name, 'route', b.origin || ' ' || b.destination,
    'amount', b.amount, 'currency', b.currency, 'created_at', b.created_at, 'travel', left(coalesce(b.product_content ->> 'check_in', b.product_content #>> '{orders,0,legs,0,segments,0,departure}'), 10)) as line
         from bookings b join organizations a on a.id = b.org_id where b.product in ('flight', 'hotel') and b.org_id = $1 and left(coalesce(b.product_content ->> 'check_in', b.product_content #>> '{orders,0,legs,0,segments,0,departure}'), 10) between $2 and $3 order by b.id desc limit 20 offset 0;

-- takes uuid
-- gives line jsonb
select jsonb_build_object('booking_ref', b.booking_ref, 'agent_id', a.agent_id, 'product', b.product, 'status', b.status,
    'provider', b.provider, 'pnr', b.pnr, 'booked_by', b.user_name, 'route', b.origin || ' ' || b.destination,
    'amount', b.amount, 'currency', b.currency, 'created_at', b.created_at, 'travel', left(coalesce(b.product_content ->> 'check_in', b.product_content #>> '{orders,0,legs,0,segments,0,departure}'), 10)) as line
         from bookings b join organizations a on a.id = b.org_id where b.product in ('flight', 'hotel') and b.org_id = $1 order by b.id desc limit 20 offset 0;

-- takes uuid
-- gives line jsonb
select jsonb_build_object('booking_ref', b.booking_ref, 'agent_id', a.agent_id, 'product', b.product, 'status', b.status,
    'provider', b.provider, 'pnr', b.pnr, 'booked_by', b.user_name, 'route', b.origin || ' ' || b.destination,
    'amount', b.amount, 'currency', b.currency, 'created_at', b.created_at, 'travel', left(coalesce(b.product_content ->> 'check_in', b.product_content #>> '{orders,0,legs,0,segments,0,departure}'), 10)) as line
         from bookings b join organizations a on a.id = b.org_id where b.product in ('flight', 'hotel') and b.org_id = $1 order by b.id desc limit 50 offset 0;

-- takes text, bigint
-- gives language text, hotel text
select language, hotel from hotel_content
         where wished_at is not null and supplier = $1 and language = (
             select language from hotel_content where wished_at is not null and supplier = $1
             order by wished_at limit 1)
         order by wished_at, hotel limit $2;

-- takes uuid, uuid, timestamp with time zone[], timestamp with time zone
-- gives place integer, least numeric, most numeric, change numeric
select m.place, min(m.moved) as least, max(m.moved) as most, sum(m.change) as change from ( select width_bucket(e.at, $3) as place, c.change, sum(c.change) over (order by e.at, e.sequence rows unbounded preceding) as moved from entries e cross join lateral (select case e.side when 'credit' then e.amount else -e.amount end as change) c where e.org_id = $1 and e.wallet_id = $2 and e.at >= ($3)[1] and e.at < $4) m group by m.place order by m.place;

-- takes
-- gives made_transfer_id uuid, written_whole bigint, references_in text[], saga uuid, filters jsonb, sealed_answer bytea, up_to uuid, wrong_wallets bigint, settings jsonb
select made_transfer_id, written_whole(0, 0), references_in(''), saga, filters, sealed_answer, up_to, wrong_wallets, servers.settings from idempotency_keys, exchange_rates, look_to_book, effects, reports, retention, ledger_proofs, servers limit 0;

-- takes uuid[], uuid[]
-- gives booking_id uuid, refunded numeric, refunded_at timestamp with time zone, ruled numeric
select named.booking_id, coalesce(back.amount, 0) as refunded, back.last as refunded_at,
             coalesce(ruled.amount, 0) as ruled
         from unnest($1, $2) as named (org_id, booking_id)
         cross join lateral (
             select sum(r.refund_to_wallet) as amount, max(r.refunded_at) as last from refunds r
             where r.booking_id = named.booking_id and r.org_id = named.org_id and r.status = 'refunded') back
         cross join lateral (
             select sum(u.moved) as amount from rulings u
             where u.booking_id = named.booking_id and u.org_id = named.org_id and u.kind in ('refund', 'debit_note')
                 and u.state = 'done') ruled
         where back.amount is not null or ruled.amount is not null;

-- takes uuid, uuid, timestamp with time zone
-- gives number smallint
select number from supplier_orders where booking_id = $1 and org_id = $2 and next_poll_at <= $3;

-- takes uuid, uuid
-- gives number smallint, content jsonb
select number, content from supplier_orders where org_id = $1 and booking_id = $2 and content is not null;

-- takes timestamp with time zone, bigint
-- gives org_id uuid, booking_id uuid, number smallint, next_poll_at timestamp with time zone, poll_count integer, status text
select o.org_id, o.booking_id, o.number, o.next_poll_at, o.poll_count, o.status from supplier_orders o
         join bookings b on (b.id, b.org_id) = (o.booking_id, o.org_id)
         where o.status = 'confirmed' and o.next_poll_at is null
             and (o.travel_ends is null or o.travel_ends > $1) and b.status = 'confirmed'
         limit $2;

-- takes timestamp with time zone, bigint
-- gives org_id uuid, booking_id uuid, number smallint, next_poll_at timestamp with time zone, poll_count integer, status text
select org_id, booking_id, number, next_poll_at, poll_count, status from supplier_orders
         where next_poll_at <= $1 and travel_at is null order by next_poll_at limit $2;

-- takes text, timestamp with time zone, bigint
-- gives org_id uuid, booking_id uuid, number smallint, next_poll_at timestamp with time zone, poll_count integer, status text
select org_id, booking_id, number, next_poll_at, poll_count, status from supplier_orders
         where supplier = $1 and next_poll_at <= $2 and travel_at is not null
         order by travel_at, booking_id, number limit $3;

-- takes date, bigint
-- gives org_id uuid, booking_id uuid, kind text
select p.org_id, p.booking_id, p.kind from booking_people p where p.erased_at is null and p.erase_after < $1 and not exists (select from effects e where e.org_id = p.org_id and e.booking_id = p.booking_id and e.state in ('planned', 'open')) and not exists (select from refunds r where r.org_id = p.org_id and r.booking_id = p.booking_id and r.status in ('pending', 'processing')) and not exists (select from exceptions x where x.org_id = p.org_id and x.booking_id = p.booking_id and x.closed_at is null) order by p.erase_after limit $2;

-- takes
-- gives is_taken boolean
select pg_try_advisory_xact_lock(7727062) as is_taken;

-- takes text, text, text
-- gives set_config text, set_config text, set_config text, set_config text, set_config text, set_config text, set_config text
select set_config('application_name', $1, false), set_config('statement_timeout', $2, false), set_config('cpu_tuple_cost', $3, false), set_config('cpu_index_tuple_cost', $3, false), set_config('jit', 'off', false), set_config('enable_bitmapscan', 'off', false), set_config('max_parallel_workers_per_gather', '0', false);

-- takes
-- gives supplier text
select supplier from supplier_accounts where closed_at is not null;

-- takes timestamp with time zone
-- gives supplier text
select supplier from supplier_orders where next_poll_at <= $1 and travel_at is not null
         group by supplier order by min(travel_at), supplier;

-- takes timestamp with time zone
-- gives supplier text, orders bigint, since timestamp with time zone
select supplier, count(*) as orders, min(next_poll_at) as since from supplier_orders
         where next_poll_at < $1 and travel_at is not null group by supplier order by supplier;

-- takes
-- gives supplier text, field text, kind text, first_at timestamp with time zone, last_at timestamp with time zone, losses bigint, example text
select supplier, field, kind, first_at, last_at, losses, example from supplier_read_losses
         order by supplier, last_at desc, field, kind;

-- takes boolean, bigint
-- gives supplier text, kind text, details jsonb, raised_at timestamp with time zone, note text, closed_at timestamp with time zone, closed_by text
select supplier, kind, details, raised_at, note, closed_at, closed_by from supplier_alarms
         where closed_at is null or not $1 order by raised_at desc, id desc limit $2;

-- takes timestamp with time zone
-- gives supplier text, minute timestamp with time zone, calls bigint, errors bigint
select supplier, minute, sum(calls)::bigint as calls, sum(errors)::bigint as errors
         from supplier_minutes where minute >= $1 group by supplier, minute order by supplier, minute;

-- takes uuid, uuid, bigint, bigint
-- gives id uuid, sequence bigint, side text, amount numeric, balance_before numeric, balance_after numeric, reason text, reference text, description text, performed_by uuid, at timestamp with time zone
select t.id, e.sequence, e.side, e.amount, e.balance_before, e.balance_after, t.reason, t.reference, t.description, t.performed_by, t.at from (select org_id, transfer_id, sequence, side, amount, balance_before, balance_after from entries where org_id = $1 and wallet_id = $2 and sequence between $3 and $4 offset 0) as e join transfers t on t.org_id = e.org_id and t.id = e.transfer_id;

-- takes bigint[], uuid, uuid
-- gives id uuid, sequence bigint, side text, amount numeric, balance_before numeric, balance_after numeric, reason text, reference text, description text, performed_by uuid, at timestamp with time zone
select t.id, e.sequence, e.side, e.amount, e.balance_before, e.balance_after, t.reason, t.reference, t.description, t.performed_by, t.at from unnest($1) as n (number) cross join lateral (select org_id, transfer_id, sequence, side, amount, balance_before, balance_after from entries where org_id = $2 and wallet_id = $3 and sequence = n.number offset 0) as e join transfers t on t.org_id = e.org_id and t.id = e.transfer_id;

-- takes
-- gives key text
select t.key from transfers t left join entries e on e.org_id = t.org_id and e.transfer_id = t.id group by t.org_id, t.id, t.key having coalesce(sum(case e.side when 'debit' then e.amount else -e.amount end), 1) <> 0 order by t.key;

-- takes uuid
-- gives id uuid, name text, username text, currency text, balance numeric, allocated numeric, last timestamp with time zone, is_active boolean
select u.id, u.name, u.username, w.currency, w.balance, coalesce(given.total, 0) as allocated, given.last, w.is_active and u.status = 'active' as is_active from users u join wallets w on (w.org_id, w.owner_type, w.owner_id) = (u.org_id, 'user', u.id) cross join lateral ( select sum(e.amount) as total, max(e.at) as last from entries e where e.org_id = w.org_id and e.wallet_id = w.id and e.reason = 'topup' and e.side = 'credit' and exists (select from entries other where (other.org_id, other.transfer_id) = (e.org_id, e.transfer_id) and other.wallet_id <> e.wallet_id)) as given where u.org_id = $1 and u.role = 'agent' and u.deleted_at is null order by u.id desc;

-- takes timestamp with time zone, bigint, bigint
-- gives id uuid, state text, username text, started_at timestamp with time zone, commit text, read bigint, total bigint, elapsed_ms bigint, wallets bigint, found bigint, first_fault text, ended_at timestamp with time zone
select v.id, case when v.leased_until <= $1 then 'lost' else v.state end as state, o.username, v.started_at,
        v.commit, v.read, v.total, v.elapsed_ms, v.wallets, v.found, v.first_fault,
        case when v.leased_until <= $1 then v.leased_until else v.ended_at end as ended_at
    from ledger_verifications v left join operators o on o.id = v.started_by order by v.started_at desc, v.id desc limit $2 offset $3;

-- takes timestamp with time zone, uuid
-- gives id uuid, state text, username text, started_at timestamp with time zone, commit text, read bigint, total bigint, elapsed_ms bigint, wallets bigint, found bigint, first_fault text, ended_at timestamp with time zone
select v.id, case when v.leased_until <= $1 then 'lost' else v.state end as state, o.username, v.started_at,
        v.commit, v.read, v.total, v.elapsed_ms, v.wallets, v.found, v.first_fault,
        case when v.leased_until <= $1 then v.leased_until else v.ended_at end as ended_at
    from ledger_verifications v left join operators o on o.id = v.started_by where v.id = $2;

-- takes timestamp with time zone
-- gives id uuid, state text, username text, started_at timestamp with time zone, commit text, read bigint, total bigint, elapsed_ms bigint, wallets bigint, found bigint, first_fault text, ended_at timestamp with time zone
select v.id, case when v.leased_until <= $1 then 'lost' else v.state end as state, o.username, v.started_at,
        v.commit, v.read, v.total, v.elapsed_ms, v.wallets, v.found, v.first_fault,
        case when v.leased_until <= $1 then v.leased_until else v.ended_at end as ended_at
    from ledger_verifications v left join operators o on o.id = v.started_by where v.state = 'done' order by v.started_at desc, v.id desc limit 1;

-- takes timestamp with time zone
-- gives id uuid, state text, username text, started_at timestamp with time zone, commit text, read bigint, total bigint, elapsed_ms bigint, wallets bigint, found bigint, first_fault text, ended_at timestamp with time zone
select v.id, case when v.leased_until <= $1 then 'lost' else v.state end as state, o.username, v.started_at,
        v.commit, v.read, v.total, v.elapsed_ms, v.wallets, v.found, v.first_fault,
        case when v.leased_until <= $1 then v.leased_until else v.ended_at end as ended_at
    from ledger_verifications v left join operators o on o.id = v.started_by where v.state = 'running' and v.leased_until > $1;

-- takes timestamp with time zone, bigint
-- gives org_id uuid, id uuid, leased_until timestamp with time zone, due_at timestamp with time zone
select w.org_id, w.id, w.leased_until, w.due_at from webhooks w join organizations o on o.id = w.org_id
         where w.is_active and coalesce(w.leased_until, w.due_at) <= $1 and o.status = 'active'
         order by coalesce(w.leased_until, w.due_at) limit $2;

-- takes uuid[], text[], uuid[], uuid[], uuid[]
-- gives org_id uuid, id uuid, owner_type text, owner_id uuid, currency text, balance numeric, held numeric, credit_limit numeric, is_active boolean, sequence bigint, head bytea, low_balance text
select w.org_id, w.id, w.owner_type, w.owner_id, w.currency, w.balance, w.held, w.credit_limit, w.is_active, w.sequence, w.head, (select s.value from settings s where s.org_id = w.org_id and s.key = 'low_balance_alert') as low_balance from wallets w where (w.org_id, w.id) in (select o.org_id, o.id from unnest($1, $2, $3) as a (org_id, owner_type, owner_id) join wallets o using (org_id, owner_type, owner_id) union select b.org_id, b.wallet_id from unnest($4, $5) as c (org_id, id) join effects e using (org_id, id) join bookings b on (b.org_id, b.id) = (e.org_id, e.booking_id)) order by w.id for update;

-- takes uuid[], text[], uuid[]
-- gives org_id uuid, id uuid, owner_type text, owner_id uuid, currency text, balance numeric, held numeric, credit_limit numeric, is_active boolean, sequence bigint, head bytea, low_balance text
select w.org_id, w.id, w.owner_type, w.owner_id, w.currency, w.balance, w.held, w.credit_limit, w.is_active, w.sequence, w.head, (select s.value from settings s where s.org_id = w.org_id and s.key = 'low_balance_alert') as low_balance from wallets w where (w.org_id, w.id) in (select o.org_id, o.id from unnest($1, $2, $3) as a (org_id, owner_type, owner_id) join wallets o using (org_id, owner_type, owner_id)) order by w.id for update;

-- takes timestamp with time zone, timestamp with time zone
-- gives
update booking_holds set due_at = $1 where true and due_at > $1 and due_at <= $2;

-- takes uuid, uuid, jsonb, text
-- gives
update bookings set product_content = $3, failure = $4 where org_id = $1 and id = $2;

-- takes timestamp with time zone, timestamp with time zone
-- gives
update effects set due_at = $1 where state = 'open' and due_at > $1 and due_at <= $2;

-- takes timestamp with time zone, timestamp with time zone
-- gives
update effects set recheck_at = $1 where true and recheck_at > $1 and recheck_at <= $2;

-- takes uuid, uuid, jsonb, text
-- gives
update effects set request = $3, problem = $4 where org_id = $1 and id = $2;

-- takes text, text, text[], jsonb[], timestamp with time zone
-- gives
update hotel_content h set content = told.content, asked_at = $5, wished_at = null
         from unnest($3::text[], $4::jsonb[]) as told (hotel, content)
         where h.supplier = $1 and h.language = $2 and h.hotel = told.hotel;

-- takes text, text, text[], timestamp with time zone
-- gives
update hotel_content set wished_at = $4
         where supplier = $1 and language = $2 and hotel = any($3) and wished_at is not null;

-- takes text, timestamp with time zone
-- gives
update hotel_content_pages set next_at = $2 where supplier = $1;

-- takes uuid, uuid
-- gives
update idempotency_keys k set answer = null, sealed_answer = null from bookings b where b.org_id = $1 and b.id = $2 and k.org_id = b.org_id and k.booking_ref = b.booking_ref and k.user_id in (select u.id from users u where u.org_id = b.org_id);

-- takes timestamp with time zone, timestamp with time zone
-- gives
update ledger_verifications set leased_until = $1 where true and leased_until > $1 and leased_until <= $2;

-- takes uuid, bigint, bigint, bigint, timestamp with time zone
-- gives
update ledger_verifications set read = $2, total = $3, elapsed_ms = $4, leased_until = $5
         where id = $1 and state = 'running';

-- takes uuid, text, bigint, bigint, bigint, bigint, bigint, text, timestamp with time zone
-- gives
update ledger_verifications set state = $2, read = $3, total = $4, elapsed_ms = $5, wallets = $6, found = $7,
             first_fault = $8, ended_at = $9, leased_until = null
         where id = $1 and state = 'running';

-- takes timestamp with time zone
-- gives
update ledger_verifications set state = 'lost', ended_at = leased_until, leased_until = null
         where state = 'running' and leased_until <= $1;

-- takes uuid, bigint
-- gives
update operator_events set address = '' where id in (
             select id from operator_events where address <> '' and id < $1 limit $2);

-- takes timestamp with time zone, timestamp with time zone
-- gives
update reports set due_at = $1 where true and due_at > $1 and due_at <= $2;

-- takes text
-- gives
update supplier_accounts
         set closed_at = null, closed_reason = null, needed = null, needed_currency = null
         where supplier = $1 and closed_at is not null;

-- takes timestamp with time zone, timestamp with time zone
-- gives
update supplier_accounts set next_read_at = $1 where true and next_read_at > $1 and next_read_at <= $2;

-- takes text, timestamp with time zone, timestamp with time zone
-- gives
update supplier_accounts set next_read_at = $3 where supplier = $1 and next_read_at = $2;

-- takes text, text[], timestamp with time zone, text, text
-- gives
update supplier_alarms set closed_at = $3, closed_by = $4, note = $5
         where supplier = $1 and kind = any($2) and closed_at is null;

-- takes text, text, text, jsonb
-- gives
update supplier_alarms set details = case
             when jsonb_array_length(details -> $3) < 100
             then jsonb_set(details, array[$3], (details -> $3) || $4)
             else details end
         where supplier = $1 and kind = $2 and closed_at is null;

-- takes text, timestamp with time zone
-- gives
update supplier_looks set looks = looks - 1
             where supplier = $1 and hour = date_trunc('hour', $2, 'UTC') and looks > 1;

-- takes text, text[], text[], timestamp with time zone
-- gives
update supplier_orders o set next_poll_at = $4, sweep_mark = shown.mark
         from unnest($2, $3) as shown (id, mark)
         where o.supplier = $1 and o.supplier_order_id = shown.id and o.status in ('held', 'confirmed')
             and o.sweep_mark is distinct from shown.mark;

-- takes uuid, uuid, smallint, timestamp with time zone, timestamp with time zone
-- gives cancel_seen_at timestamp with time zone
update supplier_orders set cancel_seen_at = coalesce(cancel_seen_at, $4), next_poll_at = $5, poll_count = 0,
             looks_failed = 0, failing_since = null, travel_at = null
         where org_id = $1 and booking_id = $2 and number = $3 and status = 'confirmed'
         returning cancel_seen_at;

-- takes uuid, uuid, smallint
-- gives
update supplier_orders set cancel_seen_at = null, next_poll_at = null, looks_failed = 0
         where org_id = $1 and booking_id = $2 and number = $3 and status = 'cancelled' and cancel_seen_at is not null;

-- takes uuid, uuid, smallint, jsonb
-- gives
update supplier_orders set content = $4 where org_id = $1 and booking_id = $2 and number = $3;

-- takes timestamp with time zone, timestamp with time zone
-- gives
update supplier_orders set next_poll_at = $1 where true and next_poll_at > $1 and next_poll_at <= $2;

-- takes uuid, uuid, integer, timestamp with time zone
-- gives number smallint
update supplier_orders set next_poll_at = $4 where booking_id = $1 and org_id = $2
        and ($3 = 0 or number = $3) and status in ('held', 'confirmed') returning number;

-- takes uuid, uuid, smallint, integer, timestamp with time zone, smallint, timestamp with time zone
-- gives
update supplier_orders set next_poll_at = $5, looks_failed = $6
         where org_id = $1 and booking_id = $2 and number = $3 and poll_count in ($4, 0) and next_poll_at > $7;

-- takes uuid, uuid, smallint, integer, timestamp with time zone, timestamp with time zone, timestamp with time zone, smallint, timestamp with time zone, timestamp with time zone
-- gives
update supplier_orders set next_poll_at = $5, travel_at = $6, travel_ends = coalesce($7, travel_ends),
             looks_failed = $8, failing_since = $10, cancel_seen_at = case when $8 = 0 then null else cancel_seen_at end
         where org_id = $1 and booking_id = $2 and number = $3 and poll_count in ($4, 0) and next_poll_at > $9
             and not (status = 'cancelled' and cancel_seen_at is not null);

-- takes uuid, uuid, smallint, timestamp with time zone, integer, timestamp with time zone, text
-- gives org_id uuid, booking_id uuid, number smallint, supplier text, status text, poll_count integer, looks_failed smallint, failing_since timestamp with time zone, cancel_seen_at timestamp with time zone, is_watched boolean
update supplier_orders set next_poll_at = $6, poll_count = poll_count + 1
             where org_id = $1 and booking_id = $2 and number = $3
                 and next_poll_at is not distinct from $4 and poll_count = $5 and status = $7
             returning org_id, booking_id, number, supplier, status, poll_count, looks_failed, failing_since,
                 cancel_seen_at, travel_at is not null as is_watched;

-- takes uuid, uuid, smallint, timestamp with time zone
-- gives
update supplier_orders set number_missed_at = $4
         where org_id = $1 and booking_id = $2 and number = $3 and status = 'confirmed' and number_missed_at is null;

-- takes text, timestamp with time zone, timestamp with time zone
-- gives
update supplier_sweeps set next_at = $2, news_at = coalesce($3, news_at) where supplier = $1;

-- takes timestamp with time zone, bigint
-- gives
update webhook_deliveries set state = 'failed', answer = coalesce(answer, 'its time was over before it was sent')
         where (org_id, webhook_id, event_id) in (
             select org_id, webhook_id, event_id from webhook_deliveries
             where state = 'pending' and give_up_at <= $1 limit $2 for update skip locked
         );

-- takes uuid, uuid[], timestamp with time zone
-- gives
update webhooks set due_at = least(due_at, $3) where org_id = $1 and id = any ($2);

-- takes timestamp with time zone, timestamp with time zone
-- gives
update webhooks set leased_until = $1 where true and leased_until > $1 and leased_until <= $2;

-- takes uuid, uuid, timestamp with time zone, timestamp with time zone, timestamp with time zone
-- gives
update webhooks set leased_until = $4, due_at = least(due_at, $5)
         where org_id = $1 and id = $2 and leased_until = $3;

-- takes text, bigint
-- gives written_whole bigint
with changes_decided as (update order_changes t set state = n.state, due_at = n.due_at, decided_at = n.decided_at, decided_by = n.decided_by, effect_id = n.effect_id from json_populate_recordset(null::order_changes, $1::json) n where t.org_id = n.org_id and t.booking_id = n.booking_id and t.number = n.number and t.supplier_change_id = coalesce(n.supplier_change_id, t.supplier_change_id) and t.state = 'open' returning 1) select written_whole(0, $2);

-- takes uuid, bigint, timestamp with time zone, timestamp with time zone
-- gives webhook_id uuid
with made as (
             insert into webhook_deliveries
                 (org_id, webhook_id, event_id, sequence, kind, subject, state, due_at, give_up_at, created_at)
             select e.org_id, w.id, e.id, e.sequence, e.kind, e.subject, 'pending', $3, $4, e.created_at
             from public_events e join webhooks w on w.org_id = e.org_id and case e.kind
                 when 'webhook.test' then e.data ->> 'webhook_id' = w.id::text
                 else w.event_types = '{}' or e.kind = any (w.event_types) end
             where e.org_id = $1 and e.sequence > $2 and w.is_active and e.position > w.after_position
             returning webhook_id
         )
         select distinct webhook_id from made;

-- takes uuid, bigint, bigint
-- gives
with next as (
             select id, row_number() over (order by position) as number from public_events
             where org_id = $1 and sequence is null order by position limit $3
         )
         update public_events e set sequence = $2 + next.number from next where e.org_id = $1 and e.id = next.id;

-- takes uuid, bigint
-- gives gone bigint
with old as (
             select org_id, id from public_events
             where id < $1 and sequence is not null order by id limit $2
         ), gone as (
             delete from public_events e using old where (e.org_id, e.id) = (old.org_id, old.id)
             returning e.org_id, e.sequence
         ), told as (
             update feed_positions p set dropped = greatest(p.dropped, gone_to.last)
             from (select org_id, max(sequence) as last from gone group by org_id) as gone_to
             where p.org_id = gone_to.org_id
         )
         select count(*) as gone from gone;

-- takes text, timestamp with time zone, jsonb, jsonb
-- gives
with present as (
             insert into supplier_health (process, supplier, seen_at, breaker, open_until, paused_until, permits,
                 permits_used, permits_waiting, calls, p50_ms, p99_ms, errors)
             select $1, supplier, $2, breaker, open_until, paused_until, permits, permits_used, permits_waiting, calls,
                 p50_ms, p99_ms, errors
             from jsonb_to_recordset($3) as said (supplier text, breaker text, open_until timestamptz,
                 paused_until timestamptz, permits integer, permits_used integer, permits_waiting integer, calls bigint,
                 p50_ms bigint, p99_ms bigint, errors jsonb)
             on conflict (process, supplier) do update set seen_at = excluded.seen_at, breaker = excluded.breaker,
                 open_until = excluded.open_until, paused_until = excluded.paused_until, permits = excluded.permits,
                 permits_used = excluded.permits_used, permits_waiting = excluded.permits_waiting,
                 calls = excluded.calls, p50_ms = excluded.p50_ms, p99_ms = excluded.p99_ms, errors = excluded.errors
         )
         insert into supplier_minutes (minute, supplier, process, calls, errors)
         select minute, supplier, $1, calls, errors
         from jsonb_to_recordset($4) as said (supplier text, minute timestamptz, calls bigint, errors bigint)
         on conflict (minute, supplier, process) do update set calls = excluded.calls, errors = excluded.errors;

-- takes uuid, uuid, bytea[]
-- gives
with readable as (select p.booking_id, p.org_id from booking_people p where p.booking_id = $1 and p.org_id = $2
             and p.kind = 'people' and p.wrapped_key is not null for update)
         insert into booking_names (org_id, booking_id, name_key)
         select r.org_id, r.booking_id, k from readable r cross join unnest($3::bytea[]) as k on conflict do nothing;

-- takes text, text, text, text, boolean, timestamp with time zone, timestamp with time zone, timestamp with time zone, bigint
-- gives is_new boolean, orders bigint, steps bigint
with stored as (
             insert into supplier_hooks (supplier, event_id, kind, order_id, created_at, again_at, handled_at)
             select $1, $2, $3, $4, $6, case when known then null else $7 end, case when known then $6 end
             from (select $4 is null or exists (
                 select from supplier_orders where supplier = $1 and supplier_order_id = $4) as known) as k
             on conflict (supplier, event_id) do nothing
             returning 1
         ), rung as (
             update supplier_orders o set next_poll_at = $6 from stored
             where o.supplier = $1 and o.supplier_order_id = $4 and o.status in ('held', 'confirmed')
             returning 1
         ), waiting as (
             select e.org_id, e.id from effects e, stored
             where $5 and e.supplier = $1 and e.state = 'open' and e.problem is not null and e.due_at > $8
             order by e.due_at limit $9 for update of e skip locked
         ), due as (
             update effects e set due_at = $6 from waiting w where (e.org_id, e.id) = (w.org_id, w.id)
             returning 1
         )
         select exists (select from stored) as is_new, (select count(*) from rung) as orders,
             (select count(*) from due) as steps;

-- takes uuid
-- gives account text, currency text, accounts bigint, debits numeric, credits numeric, balance numeric
with sums as (
        select case when e.wallet_id is null then e.account else 'wallets' end as account, t.currency,
            count(distinct e.account) as accounts,
            coalesce(sum(e.amount) filter (where e.side = 'debit'), 0) as debits,
            coalesce(sum(e.amount) filter (where e.side = 'credit'), 0) as credits
        from entries e join transfers t on (t.org_id, t.id) = (e.org_id, e.transfer_id)
        where $1 is null or e.org_id = $1 group by 1, 2),
    held as (select 'wallets' as account, currency, sum(balance) as balance from wallets
        where ($1 is null or org_id = $1) and sequence > 0 group by 2)
    select coalesce(s.account, 'wallets') as account, coalesce(s.currency, w.currency) as currency,
        coalesce(accounts, 0) as accounts, coalesce(debits, 0) as debits, coalesce(credits, 0) as credits,
        case when coalesce(s.account, 'wallets') = 'wallets' then coalesce(balance, 0) end as balance
    from sums s full join held w on (w.account, w.currency) = (s.account, s.currency)
    order by 2, 1;

-- takes uuid, bigint, timestamp with time zone
-- gives count bigint
with taken as (select up_to from retention where what = 'addresses' for update skip locked),
             part as materialized (select old.id, organizations.id as org_id from organizations cross join lateral (
                 select events.id from events where events.org_id = organizations.id
                     and events.id > (select up_to from taken) and events.id < $1 and events.created_at < $3
                     order by events.id limit $2) old),
             -- Of an agency whose part is full the rest is as far as all have got.
             reached as (select min(up_to collate "C") as up_to from (
                 select max(id::text collate "C") as up_to from part group by org_id having count(*) = $2
                 union all select max(id::text collate "C") from part) last),
             moved as (update retention set up_to = reached.up_to::uuid from reached
                 where what = 'addresses' and reached.up_to is not null),
             removed as (update events set ip_address = '', user_agent = '' from part
                 where (events.org_id, events.id) = (part.org_id, part.id)
                     and (events.ip_address, events.user_agent) <> ('', ''))
         select coalesce(max(count), 0) as count from (select count(*) from part group by org_id) parts;

-- takes uuid, bigint, timestamp with time zone
-- gives count bigint
with taken as (select up_to from retention where what = 'quotes' for update skip locked),
             part as materialized (select id, org_id from quotes
                 where id > (select up_to from taken) and id < $1 and created_at < $3 order by id limit $2),
             moved as (update retention set up_to = (select id from part order by id desc limit 1)
                 where what = 'quotes' and exists (select from part)),
             removed as (delete from quotes using part where (quotes.id, quotes.org_id) = (part.id, part.org_id)
                 and quotes.booking_id is null)
         select count(*) as count from part;

-- takes timestamp with time zone, bigint
-- gives orders bigint
with taken as materialized (
             select h.supplier, h.event_id, h.order_id, h.created_at + $2 * interval '1 second' as last_at,
                 exists (select from supplier_orders o
                     where o.supplier = h.supplier and o.supplier_order_id = h.order_id) as known
             from supplier_hooks h where h.again_at <= $1 order by h.again_at limit 1000 for update skip locked
         ), noted as (
             update supplier_hooks h set handled_at = case when t.known then $1 end,
                 again_at = case when t.known or t.last_at <= $1 then null else t.last_at end
             from taken t where (h.supplier, h.event_id) = (t.supplier, t.event_id)
             returning 1
         ), rung as (
             update supplier_orders o set next_poll_at = $1
             from (select distinct supplier, order_id from taken where known) as t
             where o.supplier = t.supplier and o.supplier_order_id = t.order_id and o.status in ('held', 'confirmed')
             returning 1
         )
         select (select count(*) from rung) as orders from (select count(*) from noted) as n;

-- takes numeric, numeric, bigint, bytea, uuid, uuid, text, uuid, text, numeric, boolean, numeric, numeric, bigint, bytea, uuid, text, text, text, text, text, text, bigint
-- gives written_whole bigint
with wallets_saved as (update wallets t set balance = $1, held = $2, sequence = $3, head = $4 where t.org_id = $5 and t.id = $6 and t.owner_type = $7 and t.owner_id = $8 and t.currency = $9 and t.credit_limit = $10 and t.is_active = $11 and t.balance = $12 and t.held = $13 and t.sequence = $14 and t.head = $15 and (select s.value from settings s where s.org_id = $16 and s.key = 'low_balance_alert') is not distinct from $17 returning 1), transfers_made as (insert into transfers (org_id, id, key, reason, reference, description, performed_by, currency, at) select org_id, id, key, reason, reference, description, performed_by, currency, at from json_populate_recordset(null::transfers, $18::json) returning 1), entries_made as (insert into entries (org_id, transfer_id, leg, account, side, amount, wallet_id, sequence, balance_before, balance_after, previous, seal, at, reason) select org_id, transfer_id, leg, account, side, amount, wallet_id, sequence, balance_before, balance_after, previous, seal, at, reason from json_populate_recordset(null::entries, $19::json) returning 1), events_made as (insert into events (org_id, id, actor_type, actor_id, action, entity_type, entity_id, old_value, new_value, ip_address, user_agent, request_id, created_at) select org_id, id, actor_type, actor_id, action, entity_type, entity_id, old_value, new_value, ip_address, user_agent, request_id, created_at from json_populate_recordset(null::events, $20::json) returning 1), notices_made as (insert into notifications (org_id, user_id, id, kind, title, message, data, created_at) select n.org_id, r.user_id, n.id, n.kind, n.title, n.message, n.data, n.created_at from json_to_recordset($21::json) as n (org_id uuid, id uuid, user_id uuid, to_admins boolean, kind text, title text, message text, data jsonb, created_at timestamptz) cross join lateral (select n.user_id where n.user_id is not null union select u.id from users u where n.to_admins and u.org_id = n.org_id and u.role = 'org_admin' and u.deleted_at is null) as r (user_id) returning 1), events_published as (insert into public_events (org_id, id, kind, subject, data, created_at) select org_id, id, kind, subject, data, created_at from json_populate_recordset(null::public_events, $22::json) returning 1) select written_whole(0 + (select count(*) from wallets_saved) + (select count(*) from transfers_made) + (select count(*) from entries_made) + (select count(*) from events_made) + (select count(*) from events_published), $23);

-- takes text, text, text, text, text, text, text, text, text, text, text, text, text, text, bigint
-- gives written_whole bigint
with wallets_saved as (update wallets t set balance = n.balance, held = n.held, sequence = n.sequence, head = n.head from json_populate_recordset(null::wallets, $1::json) n where t.org_id = n.org_id and t.id = n.id returning 1), bookings_saved as (update bookings t set status = n.status, pnr = n.pnr, failure = n.failure, booked_at = n.booked_at, cancelled_at = n.cancelled_at, amount = coalesce(n.amount, t.amount), pricing = coalesce(n.pricing, t.pricing) from json_populate_recordset(null::bookings, $2::json) n where t.org_id = n.org_id and t.id = n.id returning 1), orders_saved as (update supplier_orders t set status = n.status, supplier_order_id = n.supplier_order_id, content = n.content, updated_at = n.updated_at, next_poll_at = n.next_poll_at, poll_count = n.poll_count, failing_since = case when t.status = n.status then t.failing_since end, hold_state = n.hold_state, pay_by = n.pay_by, price_guaranteed_until = n.price_guaranteed_until, travel_at = n.travel_at, given_back = n.given_back from json_populate_recordset(null::supplier_orders, $3::json) n where t.org_id = n.org_id and t.booking_id = n.booking_id and t.number = n.number returning 1), booking_holds_kept as (insert into booking_holds as t (org_id, booking_id, auto_ticket_since, held_at, due_at) select org_id, booking_id, auto_ticket_since, held_at, due_at from json_populate_recordset(null::booking_holds, $4::json) on conflict (org_id, booking_id) do update set auto_ticket_since = coalesce(t.auto_ticket_since, excluded.auto_ticket_since), held_at = coalesce(t.held_at, excluded.held_at), due_at = excluded.due_at returning 1), reminders_dropped as (delete from hold_reminders t using json_populate_recordset(null::hold_reminders, $5::json) n where t.org_id = n.org_id and t.booking_id = n.booking_id and t.told_at is null returning 1), effects_closed as (update effects t set state = n.state, closed_at = n.closed_at, problem = n.problem, recheck_at = n.recheck_at from json_populate_recordset(null::effects, $6::json) n where t.org_id = n.org_id and t.id = n.id and t.closed_at is null returning 1), changes_decided as (update order_changes t set state = n.state, due_at = n.due_at, decided_at = n.decided_at, decided_by = n.decided_by, effect_id = n.effect_id from json_populate_recordset(null::order_changes, $7::json) n where t.org_id = n.org_id and t.booking_id = n.booking_id and t.number = n.number and t.supplier_change_id = coalesce(n.supplier_change_id, t.supplier_change_id) and t.state = 'open' returning 1), transfers_made as (insert into transfers (org_id, id, key, reason, reference, description, performed_by, currency, at) select org_id, id, key, reason, reference, description, performed_by, currency, at from json_populate_recordset(null::transfers, $8::json) returning 1), entries_made as (insert into entries (org_id, transfer_id, leg, account, side, amount, wallet_id, sequence, balance_before, balance_after, previous, seal, at, reason) select org_id, transfer_id, leg, account, side, amount, wallet_id, sequence, balance_before, balance_after, previous, seal, at, reason from json_populate_recordset(null::entries, $9::json) returning 1), fares_made as (insert into fare_transactions (org_id, id, booking_id, booking_ref, product, pnr, provider, user_id, user_name, currency, public_fare, agent_fare, agent_commission, markup, issued_at, transfer_id, ancillary, kind, number, supplier_amount) select org_id, id, booking_id, booking_ref, product, pnr, provider, user_id, user_name, currency, public_fare, agent_fare, agent_commission, markup, issued_at, transfer_id, ancillary, kind, number, supplier_amount from json_populate_recordset(null::fare_transactions, $10::json) returning 1), refunds_saved as (update refunds t set status = n.status, cancellation_charge = n.cancellation_charge, provider_refund_amount = n.provider_refund_amount, platform_charges = n.platform_charges, refund_to_wallet = n.refund_to_wallet, provider_refund_id = n.provider_refund_id, refunded_at = n.refunded_at from json_populate_recordset(null::refunds, $11::json) n where t.org_id = n.org_id and t.booking_id = n.booking_id and t.id = n.id returning 1), events_made as (insert into events (org_id, id, actor_type, actor_id, action, entity_type, entity_id, old_value, new_value, ip_address, user_agent, request_id, created_at) select org_id, id, actor_type, actor_id, action, entity_type, entity_id, old_value, new_value, ip_address, user_agent, request_id, created_at from json_populate_recordset(null::events, $12::json) returning 1), notices_made as (insert into notifications (org_id, user_id, id, kind, title, message, data, created_at) select n.org_id, r.user_id, n.id, n.kind, n.title, n.message, n.data, n.created_at from json_to_recordset($13::json) as n (org_id uuid, id uuid, user_id uuid, to_admins boolean, kind text, title text, message text, data jsonb, created_at timestamptz) cross join lateral (select n.user_id where n.user_id is not null union select u.id from users u where n.to_admins and u.org_id = n.org_id and u.role = 'org_admin' and u.deleted_at is null) as r (user_id) returning 1), events_published as (insert into public_events (org_id, id, kind, subject, data, created_at) select org_id, id, kind, subject, data, created_at from json_populate_recordset(null::public_events, $14::json) returning 1) select written_whole(0 + (select count(*) from wallets_saved) + (select count(*) from bookings_saved) + (select count(*) from orders_saved) + (select count(*) from booking_holds_kept) + (select count(*) from effects_closed) + (select count(*) from transfers_made) + (select count(*) from entries_made) + (select count(*) from fares_made) + (select count(*) from refunds_saved) + (select count(*) from events_made) + (select count(*) from events_published), $15);

-- takes text, text, text, text, bytea[], text, text, text, text, text, text, text, text, text, bigint
-- gives written_whole bigint
with wallets_saved as (update wallets t set balance = n.balance, held = n.held, sequence = n.sequence, head = n.head from json_populate_recordset(null::wallets, $1::json) n where t.org_id = n.org_id and t.id = n.id returning 1), holds_closed as (update holds t set closed_at = n.closed_at, outcome = n.outcome from json_populate_recordset(null::holds, $2::json) n where t.org_id = n.org_id and t.id = n.id and t.outcome is null returning 1), bookings_saved as (update bookings t set status = n.status, pnr = n.pnr, failure = n.failure, booked_at = n.booked_at, cancelled_at = n.cancelled_at, amount = coalesce(n.amount, t.amount), pricing = coalesce(n.pricing, t.pricing) from json_populate_recordset(null::bookings, $3::json) n where t.org_id = n.org_id and t.id = n.id returning 1), orders_saved as (update supplier_orders t set status = n.status, supplier_order_id = n.supplier_order_id, content = n.content, updated_at = n.updated_at, next_poll_at = n.next_poll_at, poll_count = n.poll_count, failing_since = case when t.status = n.status then t.failing_since end, hold_state = n.hold_state, pay_by = n.pay_by, price_guaranteed_until = n.price_guaranteed_until, travel_at = n.travel_at, given_back = n.given_back from json_populate_recordset(null::supplier_orders, $4::json) n where t.org_id = n.org_id and t.booking_id = n.booking_id and t.number = n.number returning 1), answers_made as (insert into supplier_answers (org_id, id, booking_id, number, effect_id, at, sealed) select org_id, id, booking_id, number, effect_id, at, ($5)[ordinality] from json_populate_recordset(null::supplier_answers, $6::json) with ordinality returning 1), effects_begun as (update effects t set state = 'open', sent_at = n.sent_at, due_at = n.due_at from json_populate_recordset(null::effects, $7::json) n where t.org_id = n.org_id and t.id = n.id and t.state || '' = 'planned' returning 1), effects_closed as (update effects t set state = n.state, closed_at = n.closed_at, problem = n.problem, recheck_at = n.recheck_at from json_populate_recordset(null::effects, $8::json) n where t.org_id = n.org_id and t.id = n.id and t.closed_at is null returning 1), transfers_made as (insert into transfers (org_id, id, key, reason, reference, description, performed_by, currency, at) select org_id, id, key, reason, reference, description, performed_by, currency, at from json_populate_recordset(null::transfers, $9::json) returning 1), entries_made as (insert into entries (org_id, transfer_id, leg, account, side, amount, wallet_id, sequence, balance_before, balance_after, previous, seal, at, reason) select org_id, transfer_id, leg, account, side, amount, wallet_id, sequence, balance_before, balance_after, previous, seal, at, reason from json_populate_recordset(null::entries, $10::json) returning 1), fares_made as (insert into fare_transactions (org_id, id, booking_id, booking_ref, product, pnr, provider, user_id, user_name, currency, public_fare, agent_fare, agent_commission, markup, issued_at, transfer_id, ancillary, kind, number, supplier_amount) select org_id, id, booking_id, booking_ref, product, pnr, provider, user_id, user_name, currency, public_fare, agent_fare, agent_commission, markup, issued_at, transfer_id, ancillary, kind, number, supplier_amount from json_populate_recordset(null::fare_transactions, $11::json) returning 1), events_made as (insert into events (org_id, id, actor_type, actor_id, action, entity_type, entity_id, old_value, new_value, ip_address, user_agent, request_id, created_at) select org_id, id, actor_type, actor_id, action, entity_type, entity_id, old_value, new_value, ip_address, user_agent, request_id, created_at from json_populate_recordset(null::events, $12::json) returning 1), notices_made as (insert into notifications (org_id, user_id, id, kind, title, message, data, created_at) select n.org_id, r.user_id, n.id, n.kind, n.title, n.message, n.data, n.created_at from json_to_recordset($13::json) as n (org_id uuid, id uuid, user_id uuid, to_admins boolean, kind text, title text, message text, data jsonb, created_at timestamptz) cross join lateral (select n.user_id where n.user_id is not null union select u.id from users u where n.to_admins and u.org_id = n.org_id and u.role = 'org_admin' and u.deleted_at is null) as r (user_id) returning 1), events_published as (insert into public_events (org_id, id, kind, subject, data, created_at) select org_id, id, kind, subject, data, created_at from json_populate_recordset(null::public_events, $14::json) returning 1) select written_whole(0 + (select count(*) from wallets_saved) + (select count(*) from holds_closed) + (select count(*) from bookings_saved) + (select count(*) from orders_saved) + (select count(*) from answers_made) + (select count(*) from effects_begun) + (select count(*) from effects_closed) + (select count(*) from transfers_made) + (select count(*) from entries_made) + (select count(*) from fares_made) + (select count(*) from events_made) + (select count(*) from events_published), $15);

-- takes text, text, text, text, bytea[], text, text, text, text, text, text, text, text, bigint
-- gives written_whole bigint
with wallets_saved as (update wallets t set balance = n.balance, held = n.held, sequence = n.sequence, head = n.head from json_populate_recordset(null::wallets, $1::json) n where t.org_id = n.org_id and t.id = n.id returning 1), holds_closed as (update holds t set closed_at = n.closed_at, outcome = n.outcome from json_populate_recordset(null::holds, $2::json) n where t.org_id = n.org_id and t.id = n.id and t.outcome is null returning 1), bookings_saved as (update bookings t set status = n.status, pnr = n.pnr, failure = n.failure, booked_at = n.booked_at, cancelled_at = n.cancelled_at, amount = coalesce(n.amount, t.amount), pricing = coalesce(n.pricing, t.pricing) from json_populate_recordset(null::bookings, $3::json) n where t.org_id = n.org_id and t.id = n.id returning 1), orders_saved as (update supplier_orders t set status = n.status, supplier_order_id = n.supplier_order_id, content = n.content, updated_at = n.updated_at, next_poll_at = n.next_poll_at, poll_count = n.poll_count, failing_since = case when t.status = n.status then t.failing_since end, hold_state = n.hold_state, pay_by = n.pay_by, price_guaranteed_until = n.price_guaranteed_until, travel_at = n.travel_at, given_back = n.given_back from json_populate_recordset(null::supplier_orders, $4::json) n where t.org_id = n.org_id and t.booking_id = n.booking_id and t.number = n.number returning 1), answers_made as (insert into supplier_answers (org_id, id, booking_id, number, effect_id, at, sealed) select org_id, id, booking_id, number, effect_id, at, ($5)[ordinality] from json_populate_recordset(null::supplier_answers, $6::json) with ordinality returning 1), effects_closed as (update effects t set state = n.state, closed_at = n.closed_at, problem = n.problem, recheck_at = n.recheck_at from json_populate_recordset(null::effects, $7::json) n where t.org_id = n.org_id and t.id = n.id and t.closed_at is null returning 1), changes_made as (insert into order_changes (org_id, booking_id, user_id, number, supplier_change_id, id, place, kind, minutes, before, after, state, actions, decide_by, due_at, found_at, decided_at, decided_by, effect_id) select org_id, booking_id, user_id, number, supplier_change_id, id, place, kind, minutes, before, after, state, actions, decide_by, due_at, found_at, decided_at, decided_by, effect_id from json_populate_recordset(null::order_changes, $8::json) returning 1), transfers_made as (insert into transfers (org_id, id, key, reason, reference, description, performed_by, currency, at) select org_id, id, key, reason, reference, description, performed_by, currency, at from json_populate_recordset(null::transfers, $9::json) returning 1), entries_made as (insert into entries (org_id, transfer_id, leg, account, side, amount, wallet_id, sequence, balance_before, balance_after, previous, seal, at, reason) select org_id, transfer_id, leg, account, side, amount, wallet_id, sequence, balance_before, balance_after, previous, seal, at, reason from json_populate_recordset(null::entries, $10::json) returning 1), fares_made as (insert into fare_transactions (org_id, id, booking_id, booking_ref, product, pnr, provider, user_id, user_name, currency, public_fare, agent_fare, agent_commission, markup, issued_at, transfer_id, ancillary, kind, number, supplier_amount) select org_id, id, booking_id, booking_ref, product, pnr, provider, user_id, user_name, currency, public_fare, agent_fare, agent_commission, markup, issued_at, transfer_id, ancillary, kind, number, supplier_amount from json_populate_recordset(null::fare_transactions, $11::json) returning 1), events_made as (insert into events (org_id, id, actor_type, actor_id, action, entity_type, entity_id, old_value, new_value, ip_address, user_agent, request_id, created_at) select org_id, id, actor_type, actor_id, action, entity_type, entity_id, old_value, new_value, ip_address, user_agent, request_id, created_at from json_populate_recordset(null::events, $12::json) returning 1), events_published as (insert into public_events (org_id, id, kind, subject, data, created_at) select org_id, id, kind, subject, data, created_at from json_populate_recordset(null::public_events, $13::json) returning 1) select written_whole(0 + (select count(*) from wallets_saved) + (select count(*) from holds_closed) + (select count(*) from bookings_saved) + (select count(*) from orders_saved) + (select count(*) from answers_made) + (select count(*) from effects_closed) + (select count(*) from changes_made) + (select count(*) from transfers_made) + (select count(*) from entries_made) + (select count(*) from fares_made) + (select count(*) from events_made) + (select count(*) from events_published), $14);

-- takes text, text, text, text, text, bytea[], text, text, text, text, text, text, text, bigint
-- gives written_whole bigint
with wallets_saved as (update wallets t set balance = n.balance, held = n.held, sequence = n.sequence, head = n.head from json_populate_recordset(null::wallets, $1::json) n where t.org_id = n.org_id and t.id = n.id returning 1), holds_closed as (update holds t set closed_at = n.closed_at, outcome = n.outcome from json_populate_recordset(null::holds, $2::json) n where t.org_id = n.org_id and t.id = n.id and t.outcome is null returning 1), bookings_saved as (update bookings t set status = n.status, pnr = n.pnr, failure = n.failure, booked_at = n.booked_at, cancelled_at = n.cancelled_at, amount = coalesce(n.amount, t.amount), pricing = coalesce(n.pricing, t.pricing) from json_populate_recordset(null::bookings, $3::json) n where t.org_id = n.org_id and t.id = n.id returning 1), orders_saved as (update supplier_orders t set status = n.status, supplier_order_id = n.supplier_order_id, content = n.content, updated_at = n.updated_at, next_poll_at = n.next_poll_at, poll_count = n.poll_count, failing_since = case when t.status = n.status then t.failing_since end, hold_state = n.hold_state, pay_by = n.pay_by, price_guaranteed_until = n.price_guaranteed_until, travel_at = n.travel_at, given_back = n.given_back from json_populate_recordset(null::supplier_orders, $4::json) n where t.org_id = n.org_id and t.booking_id = n.booking_id and t.number = n.number returning 1), booking_holds_kept as (insert into booking_holds as t (org_id, booking_id, auto_ticket_since, held_at, due_at) select org_id, booking_id, auto_ticket_since, held_at, due_at from json_populate_recordset(null::booking_holds, $5::json) on conflict (org_id, booking_id) do update set auto_ticket_since = coalesce(t.auto_ticket_since, excluded.auto_ticket_since), held_at = coalesce(t.held_at, excluded.held_at), due_at = excluded.due_at returning 1), answers_made as (insert into supplier_answers (org_id, id, booking_id, number, effect_id, at, sealed) select org_id, id, booking_id, number, effect_id, at, ($6)[ordinality] from json_populate_recordset(null::supplier_answers, $7::json) with ordinality returning 1), effects_closed as (update effects t set state = n.state, closed_at = n.closed_at, problem = n.problem, recheck_at = n.recheck_at from json_populate_recordset(null::effects, $8::json) n where t.org_id = n.org_id and t.id = n.id and t.closed_at is null returning 1), transfers_made as (insert into transfers (org_id, id, key, reason, reference, description, performed_by, currency, at) select org_id, id, key, reason, reference, description, performed_by, currency, at from json_populate_recordset(null::transfers, $9::json) returning 1), entries_made as (insert into entries (org_id, transfer_id, leg, account, side, amount, wallet_id, sequence, balance_before, balance_after, previous, seal, at, reason) select org_id, transfer_id, leg, account, side, amount, wallet_id, sequence, balance_before, balance_after, previous, seal, at, reason from json_populate_recordset(null::entries, $10::json) returning 1), fares_raised as (update fare_transactions t set ancillary = t.ancillary + n.ancillary, supplier_amount = t.supplier_amount + n.ancillary from json_populate_recordset(null::fare_transactions, $11::json) n where (t.org_id, t.booking_id, t.issued_at) = (n.org_id, n.booking_id, n.issued_at) and t.agent_fare >= 0 and t.ancillary >= 0 and (t.number is null or t.number = n.number) returning 1), events_made as (insert into events (org_id, id, actor_type, actor_id, action, entity_type, entity_id, old_value, new_value, ip_address, user_agent, request_id, created_at) select org_id, id, actor_type, actor_id, action, entity_type, entity_id, old_value, new_value, ip_address, user_agent, request_id, created_at from json_populate_recordset(null::events, $12::json) returning 1), events_published as (insert into public_events (org_id, id, kind, subject, data, created_at) select org_id, id, kind, subject, data, created_at from json_populate_recordset(null::public_events, $13::json) returning 1) select written_whole(0 + (select count(*) from wallets_saved) + (select count(*) from holds_closed) + (select count(*) from bookings_saved) + (select count(*) from orders_saved) + (select count(*) from booking_holds_kept) + (select count(*) from answers_made) + (select count(*) from effects_closed) + (select count(*) from transfers_made) + (select count(*) from entries_made) + (select count(*) from events_made) + (select count(*) from events_published), $14);

-- takes text, text, text, text, text, bytea[], text, text, text, text, text, text, text, text, text, bigint
-- gives written_whole bigint
with wallets_saved as (update wallets t set balance = n.balance, held = n.held, sequence = n.sequence, head = n.head from json_populate_recordset(null::wallets, $1::json) n where t.org_id = n.org_id and t.id = n.id returning 1), holds_closed as (update holds t set closed_at = n.closed_at, outcome = n.outcome from json_populate_recordset(null::holds, $2::json) n where t.org_id = n.org_id and t.id = n.id and t.outcome is null returning 1), quotes_marked as (update quotes t set booking_id = n.booking_id from json_populate_recordset(null::quotes, $3::json) n where t.org_id = n.org_id and t.id = n.id returning 1), bookings_saved as (update bookings t set status = n.status, pnr = n.pnr, failure = n.failure, booked_at = n.booked_at, cancelled_at = n.cancelled_at, amount = coalesce(n.amount, t.amount), pricing = coalesce(n.pricing, t.pricing) from json_populate_recordset(null::bookings, $4::json) n where t.org_id = n.org_id and t.id = n.id returning 1), orders_saved as (update supplier_orders t set status = n.status, supplier_order_id = n.supplier_order_id, content = n.content, updated_at = n.updated_at, next_poll_at = n.next_poll_at, poll_count = n.poll_count, failing_since = case when t.status = n.status then t.failing_since end, hold_state = n.hold_state, pay_by = n.pay_by, price_guaranteed_until = n.price_guaranteed_until, travel_at = n.travel_at, given_back = n.given_back from json_populate_recordset(null::supplier_orders, $5::json) n where t.org_id = n.org_id and t.booking_id = n.booking_id and t.number = n.number returning 1), answers_made as (insert into supplier_answers (org_id, id, booking_id, number, effect_id, at, sealed) select org_id, id, booking_id, number, effect_id, at, ($6)[ordinality] from json_populate_recordset(null::supplier_answers, $7::json) with ordinality returning 1), effects_closed as (update effects t set state = n.state, closed_at = n.closed_at, problem = n.problem, recheck_at = n.recheck_at from json_populate_recordset(null::effects, $8::json) n where t.org_id = n.org_id and t.id = n.id and t.closed_at is null returning 1), keys_freed as (delete from idempotency_keys t using json_populate_recordset(null::idempotency_keys, $9::json) n where t.org_id = n.org_id and t.effect_id = n.effect_id returning 1), transfers_made as (insert into transfers (org_id, id, key, reason, reference, description, performed_by, currency, at) select org_id, id, key, reason, reference, description, performed_by, currency, at from json_populate_recordset(null::transfers, $10::json) returning 1), entries_made as (insert into entries (org_id, transfer_id, leg, account, side, amount, wallet_id, sequence, balance_before, balance_after, previous, seal, at, reason) select org_id, transfer_id, leg, account, side, amount, wallet_id, sequence, balance_before, balance_after, previous, seal, at, reason from json_populate_recordset(null::entries, $11::json) returning 1), fares_made as (insert into fare_transactions (org_id, id, booking_id, booking_ref, product, pnr, provider, user_id, user_name, currency, public_fare, agent_fare, agent_commission, markup, issued_at, transfer_id, ancillary, kind, number, supplier_amount) select org_id, id, booking_id, booking_ref, product, pnr, provider, user_id, user_name, currency, public_fare, agent_fare, agent_commission, markup, issued_at, transfer_id, ancillary, kind, number, supplier_amount from json_populate_recordset(null::fare_transactions, $12::json) returning 1), events_made as (insert into events (org_id, id, actor_type, actor_id, action, entity_type, entity_id, old_value, new_value, ip_address, user_agent, request_id, created_at) select org_id, id, actor_type, actor_id, action, entity_type, entity_id, old_value, new_value, ip_address, user_agent, request_id, created_at from json_populate_recordset(null::events, $13::json) returning 1), notices_made as (insert into notifications (org_id, user_id, id, kind, title, message, data, created_at) select n.org_id, r.user_id, n.id, n.kind, n.title, n.message, n.data, n.created_at from json_to_recordset($14::json) as n (org_id uuid, id uuid, user_id uuid, to_admins boolean, kind text, title text, message text, data jsonb, created_at timestamptz) cross join lateral (select n.user_id where n.user_id is not null union select u.id from users u where n.to_admins and u.org_id = n.org_id and u.role = 'org_admin' and u.deleted_at is null) as r (user_id) returning 1), events_published as (insert into public_events (org_id, id, kind, subject, data, created_at) select org_id, id, kind, subject, data, created_at from json_populate_recordset(null::public_events, $15::json) returning 1) select written_whole(0 + (select count(*) from wallets_saved) + (select count(*) from holds_closed) + (select count(*) from quotes_marked) + (select count(*) from bookings_saved) + (select count(*) from orders_saved) + (select count(*) from answers_made) + (select count(*) from effects_closed) + (select count(*) from transfers_made) + (select count(*) from entries_made) + (select count(*) from fares_made) + (select count(*) from events_made) + (select count(*) from events_published), $16);

-- takes text, text, text, text[], text[], text, text, text, text, text, text, text, text, bigint
-- gives written_whole bigint
with wallets_saved as (update wallets t set balance = n.balance, held = n.held, sequence = n.sequence, head = n.head from json_populate_recordset(null::wallets, $1::json) n where t.org_id = n.org_id and t.id = n.id returning 1), holds_placed as (insert into holds (org_id, id, wallet_id, amount, placed_at) select org_id, id, wallet_id, amount, placed_at from json_populate_recordset(null::holds, $2::json) returning 1), quotes_marked as (update quotes t set booking_id = n.booking_id from json_populate_recordset(null::quotes, $3::json) n where t.org_id = n.org_id and t.id = n.id returning 1), bookings_made as (insert into bookings (org_id, id, booking_ref, product, user_id, user_name, wallet_id, hold_id, quote_id, status, provider, pnr, origin, destination, passenger_count, currency, base_fare, public_fare, amount, failure, created_at, booked_at, cancelled_at, likeness, name_likeness, product_content, pricing) select org_id, id, booking_ref, product, user_id, user_name, wallet_id, hold_id, quote_id, status, provider, pnr, origin, destination, passenger_count, currency, base_fare, public_fare, amount, failure, created_at, booked_at, cancelled_at, likeness, name_likeness, ($4)[ordinality]::jsonb, ($5)[ordinality]::jsonb from json_populate_recordset(null::bookings, $6::json) with ordinality returning 1), orders_made as (insert into supplier_orders (org_id, booking_id, number, reference, supplier, status, supplier_order_id, content, updated_at, next_poll_at, poll_count, hold_state, pay_by, price_guaranteed_until, travel_at, travel_ends, given_back) select org_id, booking_id, number, reference, supplier, status, supplier_order_id, content, updated_at, next_poll_at, poll_count, hold_state, pay_by, price_guaranteed_until, travel_at, travel_ends, given_back from json_populate_recordset(null::supplier_orders, $7::json) returning 1), booking_holds_kept as (insert into booking_holds as t (org_id, booking_id, auto_ticket_since, held_at, due_at) select org_id, booking_id, auto_ticket_since, held_at, due_at from json_populate_recordset(null::booking_holds, $8::json) on conflict (org_id, booking_id) do update set auto_ticket_since = coalesce(t.auto_ticket_since, excluded.auto_ticket_since), held_at = coalesce(t.held_at, excluded.held_at), due_at = excluded.due_at returning 1), people_sealed as (insert into booking_people (org_id, booking_id, kind, kek_id, wrapped_key, sealed, sealed_at, erase_after) select n.org_id, n.booking_id, n.kind, n.kek_id, n.wrapped_key, n.sealed, n.sealed_at, n.ends_on + coalesce((select s.value::integer from settings s where s.org_id = n.org_id and s.value ~ '^[0-9]{1,4}$' and s.key = case n.kind when 'papers' then 'papers_kept_days' else 'people_kept_days' end), n.kept_days) from json_to_recordset($9::json) as n (org_id uuid, booking_id uuid, kind text, kek_id text, wrapped_key bytea, sealed bytea, sealed_at timestamptz, ends_on date, kept_days integer) returning 1), names_made as (insert into booking_names (org_id, booking_id, name_key) select org_id, booking_id, name_key from json_populate_recordset(null::booking_names, $10::json) returning 1), effects_made as (insert into effects (org_id, id, booking_id, number, kind, supplier, requested_by, request, state, sent_at, due_at, attempts, saga, step, steps) select org_id, id, booking_id, number, kind, supplier, requested_by, request, state, sent_at, due_at, attempts, saga, step, steps from json_populate_recordset(null::effects, $11::json) returning 1), events_made as (insert into events (org_id, id, actor_type, actor_id, action, entity_type, entity_id, old_value, new_value, ip_address, user_agent, request_id, created_at) select org_id, id, actor_type, actor_id, action, entity_type, entity_id, old_value, new_value, ip_address, user_agent, request_id, created_at from json_populate_recordset(null::events, $12::json) returning 1), events_published as (insert into public_events (org_id, id, kind, subject, data, created_at) select org_id, id, kind, subject, data, created_at from json_populate_recordset(null::public_events, $13::json) returning 1) select written_whole(0 + (select count(*) from wallets_saved) + (select count(*) from holds_placed) + (select count(*) from quotes_marked) + (select count(*) from bookings_made) + (select count(*) from orders_made) + (select count(*) from booking_holds_kept) + (select count(*) from people_sealed) + (select count(*) from names_made) + (select count(*) from effects_made) + (select count(*) from events_made) + (select count(*) from events_published), $14);

-- takes text, text, text, text[], text[], text, text, text, text, text, text, text, text, bigint
-- gives written_whole bigint
with wallets_saved as (update wallets t set balance = n.balance, held = n.held, sequence = n.sequence, head = n.head from json_populate_recordset(null::wallets, $1::json) n where t.org_id = n.org_id and t.id = n.id returning 1), holds_placed as (insert into holds (org_id, id, wallet_id, amount, placed_at) select org_id, id, wallet_id, amount, placed_at from json_populate_recordset(null::holds, $2::json) returning 1), quotes_marked as (update quotes t set booking_id = n.booking_id from json_populate_recordset(null::quotes, $3::json) n where t.org_id = n.org_id and t.id = n.id returning 1), bookings_made as (insert into bookings (org_id, id, booking_ref, product, user_id, user_name, wallet_id, hold_id, quote_id, status, provider, pnr, origin, destination, passenger_count, currency, base_fare, public_fare, amount, failure, created_at, booked_at, cancelled_at, likeness, name_likeness, product_content, pricing) select org_id, id, booking_ref, product, user_id, user_name, wallet_id, hold_id, quote_id, status, provider, pnr, origin, destination, passenger_count, currency, base_fare, public_fare, amount, failure, created_at, booked_at, cancelled_at, likeness, name_likeness, ($4)[ordinality]::jsonb, ($5)[ordinality]::jsonb from json_populate_recordset(null::bookings, $6::json) with ordinality returning 1), orders_made as (insert into supplier_orders (org_id, booking_id, number, reference, supplier, status, supplier_order_id, content, updated_at, next_poll_at, poll_count, hold_state, pay_by, price_guaranteed_until, travel_at, travel_ends, given_back) select org_id, booking_id, number, reference, supplier, status, supplier_order_id, content, updated_at, next_poll_at, poll_count, hold_state, pay_by, price_guaranteed_until, travel_at, travel_ends, given_back from json_populate_recordset(null::supplier_orders, $7::json) returning 1), people_sealed as (insert into booking_people (org_id, booking_id, kind, kek_id, wrapped_key, sealed, sealed_at, erase_after) select n.org_id, n.booking_id, n.kind, n.kek_id, n.wrapped_key, n.sealed, n.sealed_at, n.ends_on + coalesce((select s.value::integer from settings s where s.org_id = n.org_id and s.value ~ '^[0-9]{1,4}$' and s.key = case n.kind when 'papers' then 'papers_kept_days' else 'people_kept_days' end), n.kept_days) from json_to_recordset($8::json) as n (org_id uuid, booking_id uuid, kind text, kek_id text, wrapped_key bytea, sealed bytea, sealed_at timestamptz, ends_on date, kept_days integer) returning 1), names_made as (insert into booking_names (org_id, booking_id, name_key) select org_id, booking_id, name_key from json_populate_recordset(null::booking_names, $9::json) returning 1), effects_made as (insert into effects (org_id, id, booking_id, number, kind, supplier, requested_by, request, state, sent_at, due_at, attempts, saga, step, steps) select org_id, id, booking_id, number, kind, supplier, requested_by, request, state, sent_at, due_at, attempts, saga, step, steps from json_populate_recordset(null::effects, $10::json) returning 1), keys_tied as (insert into idempotency_keys as t (org_id, user_id, key, fingerprint, booking_ref, effect_id, made_user_id, made_transfer_id, made_package_id, made_webhook_id, made_report_id, created_at) select org_id, user_id, key, fingerprint, booking_ref, effect_id, made_user_id, made_transfer_id, made_package_id, made_webhook_id, made_report_id, created_at from json_populate_recordset(null::idempotency_keys, $11::json) on conflict (org_id, user_id, key) do update set fingerprint = excluded.fingerprint, booking_ref = excluded.booking_ref, effect_id = excluded.effect_id, made_user_id = excluded.made_user_id, made_transfer_id = excluded.made_transfer_id, made_package_id = excluded.made_package_id, made_webhook_id = excluded.made_webhook_id, made_report_id = excluded.made_report_id, created_at = excluded.created_at, status = null, answer = null, sealed_answer = null where t.created_at <= excluded.created_at - interval '24 hours' returning 1), events_made as (insert into events (org_id, id, actor_type, actor_id, action, entity_type, entity_id, old_value, new_value, ip_address, user_agent, request_id, created_at) select org_id, id, actor_type, actor_id, action, entity_type, entity_id, old_value, new_value, ip_address, user_agent, request_id, created_at from json_populate_recordset(null::events, $12::json) returning 1), events_published as (insert into public_events (org_id, id, kind, subject, data, created_at) select org_id, id, kind, subject, data, created_at from json_populate_recordset(null::public_events, $13::json) returning 1) select written_whole(0 + (select count(*) from wallets_saved) + (select count(*) from holds_placed) + (select count(*) from quotes_marked) + (select count(*) from bookings_made) + (select count(*) from orders_made) + (select count(*) from people_sealed) + (select count(*) from names_made) + (select count(*) from effects_made) + (select count(*) from keys_tied) + (select count(*) from events_made) + (select count(*) from events_published), $14);
