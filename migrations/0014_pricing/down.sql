drop table exchange_rates;
drop table contracts;
drop table terms;
drop table package_assignments;
drop table price_ranges;
drop table packages;
