-- A stay is found by the numbers under which its hotel knows the guests, too. The index of before had a member that no order has.
drop index supplier_orders_by_locator;
create index supplier_orders_by_locator on supplier_orders using gin ((jsonb_path_query_array(content, '$.pnr')
    || jsonb_path_query_array(content, '$.airline_pnr') || jsonb_path_query_array(content, '$.locators[*].pnr')
    || jsonb_path_query_array(content, '$.confirmation') || jsonb_path_query_array(content, '$.hotel_numbers[*].number')));
