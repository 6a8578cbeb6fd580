alter table transfers drop constraint transfers_key;
alter table transfers add constraint transfers_org_id_key_key unique (org_id, key);
drop function all_written(bigint, bigint);
