drop table test_clock;
drop index effects_to_recheck;
alter table effects drop column recheck_at;
