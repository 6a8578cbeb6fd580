alter table supplier_orders drop column failing_since;
