drop table ledger_proofs;
