delete from supplier_alarms where kind = 'read_losses';
alter table supplier_alarms drop constraint supplier_alarms_kind_check;
alter table supplier_alarms add constraint supplier_alarms_kind_check
    check (kind in ('account_empty', 'account_low', 'credentials', 'webhook_silent', 'looks_exhausted'));
drop table supplier_read_losses;
