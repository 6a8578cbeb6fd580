//! The warning that a wallet runs low: once, when what it may spend falls below the agency's `low_balance_alert`, and
//! not again until it was above.

use serde_json::json;
use wayfare_domain::{Actor, AuditEvent, Money};
use wayfare_ledger::Wallet;
use wayfare_store::money::wallets::Owner;

use crate::{
    Platform, Result,
    events::audit_event::{self, Change},
};

/// The event that this wallet has run low, if it just has. Money that is set aside for a booking is spent already: so
/// that of many bookings at once one crosses the line, under the wallet's lock.
///
/// # Errors
/// When amounts exceed what a decimal holds.
pub(crate) fn event(
    platform: &Platform,
    actor: &Actor,
    owner: Owner,
    threshold: Option<Money>,
    [before, after]: [&Wallet; 2],
) -> Result<Option<AuditEvent>> {
    let Some(threshold) = threshold else {
        return Ok(None);
    };
    let is_low =
        |wallet: &Wallet| -> Result<bool> { Ok(wallet.spendable()?.minus(threshold)?.is_negative()) };
    if is_low(before)? || !is_low(after)? {
        return Ok(None);
    }
    let user = match owner {
        Owner::Organization(_) => None,
        Owner::User(_, user) => Some(user),
    };
    let change = Change {
        organization: owner.organization(),
        actor,
        action: "wallet.low_balance",
        entity_type: "wallet",
        entity_id: after.id.to_string(),
        old_value: None,
        new_value: Some(json!({
            "available": after.spendable()?.number(),
            "threshold": threshold.number(),
            "currency": threshold.currency(),
            "user_id": user,
        })),
    };
    Ok(Some(audit_event::event(platform, change)))
}
