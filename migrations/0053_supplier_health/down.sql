drop index operator_events_of_supplier;
drop table supplier_minutes;
drop table supplier_health;
