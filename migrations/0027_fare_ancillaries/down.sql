alter table fare_transactions drop column ancillary;
