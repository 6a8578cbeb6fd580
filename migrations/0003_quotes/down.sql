drop table quotes;
