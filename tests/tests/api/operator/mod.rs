//! What the operator does: changes, incidents, markup payouts, the ledger's verification.

mod credit_limit_alert;
mod new_columns;
mod changes_apply_at_once;
mod incidents;
mod ledger_verify;
mod markup_payout;
