//! What is paid back of a booking, and what is kept of it.

use schemars::JsonSchema;
use serde::Serialize;
use wayfare_domain::{Amount, Currency};
use wayfare_operations::RefundTerms;

use crate::resources::common::CurrencyCode;

/// What returns of what was paid, and what is kept of it.
#[derive(Serialize, JsonSchema)]
pub struct RefundAmounts {
    cancellation_charge: Amount,
    provider_refund_amount: Amount,
    platform_charges: Amount,
    refund_to_wallet: Amount,
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
}

impl From<&RefundTerms> for RefundAmounts {
    fn from(terms: &RefundTerms) -> Self {
        Self {
            cancellation_charge: terms.cancellation_charge.number(),
            provider_refund_amount: terms.provider_refund_amount.number(),
            platform_charges: terms.platform_charges.number(),
            refund_to_wallet: terms.refund_to_wallet.number(),
            currency: terms.refund_to_wallet.currency(),
        }
    }
}
