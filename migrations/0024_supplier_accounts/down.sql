drop table supplier_refusals;
drop table supplier_alarms;
drop table supplier_accounts;
