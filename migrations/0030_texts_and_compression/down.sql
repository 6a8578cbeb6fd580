-- What was compressed stays as it is: PostgreSQL reads both.
do $$
declare
    large text;
begin
    foreach large in array array[
        'bookings alter column product_content', 'bookings alter column pricing', 'effects alter column request',
        'events alter column old_value', 'events alter column new_value', 'idempotency_keys alter column answer',
        'supplier_orders alter column content'
    ] loop
        execute 'alter table ' || large || ' set compression default';
    end loop;
end
$$;
alter table idempotency_keys alter column sealed_answer set storage extended;
alter table supplier_answers alter column sealed set storage extended;
alter table booking_people alter column sealed set storage extended;

-- Quotes last minutes: what was promised in the new shape has to be priced again.
alter table quotes alter column content drop default;
alter table quotes drop column catalog, drop column body;
