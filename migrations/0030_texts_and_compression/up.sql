-- What a quote holds is read as a whole and never searched: a text, with what few of its readers need beside it. A
-- server of before finds no content in a quote of a new one, and answers that its price must be asked for again.
alter table quotes add column body text, add column catalog text;
alter table quotes alter column content set default 'null';

-- What is sealed looks like noise: nobody tries to compress it.
alter table booking_people alter column sealed set storage external;
alter table supplier_answers alter column sealed set storage external;
alter table idempotency_keys alter column sealed_answer set storage external;

-- Where PostgreSQL was built with lz4, what is large is compressed by it from now on: it takes a tenth of the time.
do $$
declare
    large text;
begin
    foreach large in array array[
        'bookings alter column product_content', 'bookings alter column pricing', 'effects alter column request',
        'events alter column old_value', 'events alter column new_value', 'idempotency_keys alter column answer',
        'quotes alter column body', 'quotes alter column catalog', 'supplier_orders alter column content'
    ] loop
        execute 'alter table ' || large || ' set compression lz4';
    end loop;
exception
    when feature_not_supported then
        null;
end
$$;
