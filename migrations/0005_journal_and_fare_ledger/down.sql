drop table fare_transactions;
drop table events;
