drop table ledger_verifications;
