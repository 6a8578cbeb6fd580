//! What the operator does: changes, incidents, markup payouts, the ledger's verification.

mod changes_apply_at_once;
mod incidents;
mod ledger_verify;
mod markup_payout;
