-- Copies of a booking with all that belongs to it, in the shape in which it was written.

-- The id of what takes this one's place in the copy of this number: ids sort by time.
create function pg_temp.copied_id(id uuid, n bigint) returns uuid language sql immutable as $$
    select (lpad(to_hex(1700000000000 + n), 12, '0') || '7' || substr(md5(id::text || n), 1, 3)
        || '8' || substr(md5(id::text || n), 4, 15))::uuid
$$;

-- What stands in a column of a copy, as an expression over the row `t` and the copy's number `n`.
create function pg_temp.copied(col text, kind text, booked text, kept bigint) returns text language sql as $$
    select case
        when col in ('id', 'booking_id', 'hold_id', 'quote_id', 'transfer_id', 'effect_id', 'event_id', 'saga')
            then format('pg_temp.copied_id(t.%I, n)', col)
        when col in ('booking_ref', 'reference', 'entity_id', 'subject', 'key')
            then format('case t.%1$I when %2$L then ''FA-'' || lpad(upper(to_hex(n)), 8, ''0'')
                else t.%1$I || ''-'' || n end', col, booked)
        when col in ('likeness', 'name_likeness', 'name_key')
            then format('sha256(t.%I || convert_to(n::text, ''UTF8''))', col)
        -- Only what is on the first pages has its full contents: the others are never read.
        when col in ('content', 'body', 'catalog', 'request', 'product_content', 'sealed', 'sealed_answer')
            then format('case when t.%1$I is null or n > %2$s then t.%1$I else %3$L::%4$s end', col, kept,
                case kind when 'bytea' then '\x00' else '{}' end, kind)
        when kind = 'timestamp with time zone'
            then format('t.%I - interval ''1 day'' + n * interval ''1 ms''', col)
        else format('t.%I', col)
    end
$$;

create function pg_temp.copy_rows(tab text, which text, first bigint, last bigint, booked text,
    sequence text default 't.sequence')
returns void language plpgsql as $$
declare
    names text;
    copies text;
begin
    select string_agg(quote_ident(a.attname), ', ' order by a.attnum),
        string_agg(case a.attname when 'sequence' then sequence
            else pg_temp.copied(a.attname, format_type(a.atttypid, a.atttypmod), booked, last - 100) end,
            ', ' order by a.attnum)
    into names, copies
    from pg_attribute a
    where a.attrelid = tab::regclass and a.attnum > 0 and not a.attisdropped and a.attidentity = '';
    execute format('insert into %1$I (%2$s) select %3$s from
        (select t.*, row_number() over (order by %7$s) as number_of_row from %1$I t where %4$s) t,
        generate_series(%5$s::bigint, %6$s::bigint) n order by n', tab, names, copies, which, first, last,
        case sequence when 't.sequence' then 'true' else 't.sequence' end);
end $$;

-- So many copies of the booking of this reference.
create function pg_temp.copy_booking(booked text, count bigint) returns void language plpgsql as $$
declare
    b bookings;
    first bigint := (select count(*) from bookings) + 1;
    last bigint := first + count - 1;
    of_transfers text := format('(select id from transfers where reference = %L)', booked);
    of_events text := format('(select id from events where entity_id = %L)', booked);
    each bigint;
    numbers text;
    tab text;
begin
    select * into strict b from bookings where booking_ref = booked;
    perform pg_temp.copy_rows('quotes', format('t.id = %L', b.quote_id), first, last, booked);
    perform pg_temp.copy_rows('holds', format('t.id = %L', b.hold_id), first, last, booked);
    perform pg_temp.copy_rows('bookings', format('t.id = %L', b.id), first, last, booked);
    foreach tab in array array['supplier_orders', 'effects', 'refunds', 'booking_people', 'booking_names',
        'supplier_answers', 'booking_holds', 'hold_reminders', 'order_changes', 'fare_transactions'] loop
        perform pg_temp.copy_rows(tab, format('t.booking_id = %L', b.id), first, last, booked);
    end loop;
    perform pg_temp.copy_rows('idempotency_keys', format('t.booking_ref = %L', booked), first, last, booked);
    perform pg_temp.copy_rows('transfers', 't.id in ' || of_transfers, first, last, booked);
    execute 'select count(*) from entries where wallet_id = $1 and transfer_id in ' || of_transfers into each using b.wallet_id;
    perform pg_temp.copy_rows('entries', 't.transfer_id in ' || of_transfers, first, last, booked, format(
        'case when t.wallet_id is not null then %s + (n - %s) * %s + t.number_of_row end',
        (select sequence from wallets where id = b.wallet_id), first, each));
    update wallets set sequence = sequence + each * count where id = b.wallet_id;
    perform pg_temp.copy_rows('notifications', 't.id in ' || of_events, first, last, booked);
    execute 'select count(*) from public_events where id in ' || of_events into each;
    numbers := format('%s + (n - %s) * %s + t.number_of_row',
        (select f.last from feed_positions f where f.org_id = b.org_id), first, each);
    perform pg_temp.copy_rows('public_events', 't.id in ' || of_events, first, last, booked, numbers);
    perform pg_temp.copy_rows('webhook_deliveries', 't.event_id in ' || of_events, first, last, booked, numbers);
    update feed_positions set last = feed_positions.last + each * count where org_id = b.org_id;
    perform pg_temp.copy_rows('events', format('t.entity_id = %L', booked), first, last, booked);
end $$;
