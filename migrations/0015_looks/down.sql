drop table looks;
