//! What TripJack's answers after a sale mean, without any network, as [`super::read`] says it of those before.

use wayfare_supply::{CancellationQuote, PartToCancel, reading::Unreadable};

pub use super::cancellation::amendment;
pub use super::changes::{reissue_offers, reissue_review};
use super::{cancellation, order};

/// What a cancellation of an order, or of a part of it, would cost: the answer to that question, and the order's details.
///
/// # Errors
/// When either is not what TripJack answers.
pub fn amendment_charges(
    body: &[u8],
    details: &[u8],
    part: Option<&PartToCancel>,
) -> Result<CancellationQuote, Unreadable> {
    cancellation::charges(body, &order::details(details)?, part)
}
