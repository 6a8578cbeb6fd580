//! What the operator does: changes, incidents, markup payouts, the ledger's verification.

mod changes_apply_at_once;
mod credit_limit_alert;
mod desk;
mod incidents;
mod ledger_verify;
mod markup_payout;
mod new_columns;
mod reconcile;
mod retention;
mod rulings;
