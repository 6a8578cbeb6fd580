drop index supplier_orders_by_locator;
create index supplier_orders_by_locator on supplier_orders using gin ((jsonb_path_query_array(content, '$.pnr')
    || jsonb_path_query_array(content, '$.airline_pnr') || jsonb_path_query_array(content, '$.locators[*].pnr')
    || jsonb_path_query_array(content, '$.confirmation') || jsonb_path_query_array(content, '$.confirmations[*].number')));
