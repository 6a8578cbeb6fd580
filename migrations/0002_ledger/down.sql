drop table holds;
drop table entries;
drop table transfers;
drop function ledger_rows_are_final;
drop table wallets;
