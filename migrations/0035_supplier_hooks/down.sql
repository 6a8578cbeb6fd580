alter table supplier_sweeps drop column news_at;
drop table supplier_hooks;
