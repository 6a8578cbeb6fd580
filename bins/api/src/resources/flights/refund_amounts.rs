//! What is paid back of a booking, and what is kept of it.

use wayfare_contract::RefundAmounts;
use wayfare_operations::RefundTerms;

use crate::resources::common::{amount, code};

/// What returns of what was paid, and what is kept of it.
pub fn refund_amounts(terms: &RefundTerms) -> RefundAmounts {
    RefundAmounts {
        cancellation_charge: amount(terms.cancellation_charge),
        provider_refund_amount: amount(terms.provider_refund_amount),
        platform_charges: amount(terms.platform_charges),
        refund_to_wallet: amount(terms.refund_to_wallet),
        currency: code(terms.refund_to_wallet.currency()),
    }
}
