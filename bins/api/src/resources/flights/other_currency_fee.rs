//! Fees that are told in another currency than the fare's, or in several.

use schemars::JsonSchema;
use serde::Serialize;
use wayfare_domain::{Amount, Currency};
use wayfare_flights::{FeeKind, Offer};

use crate::resources::common::CurrencyCode;

/// A fee in another currency than the fare's, to which nobody has a rate here; where journeys have fees in several currencies, the
/// highest in each.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
pub struct OtherCurrencyFee {
    #[serde(rename = "type")]
    kind: FeeKind,
    amount: Amount,
    /// The currency in which the supplier says it, ISO 4217.
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
}

impl OtherCurrencyFee {
    /// Those of an offer.
    pub fn of(offer: &Offer) -> Vec<Self> {
        let policy = &offer.fare.refund;
        let of_fare = offer.charge.total.currency();
        let fees = [
            (FeeKind::Cancellation, policy.cancel_fee),
            (FeeKind::DateChange, policy.change_fee),
            (FeeKind::NoShow, policy.no_show_fee),
        ];
        let others = fees.into_iter().filter_map(|(kind, fee)| Some((kind, fee?)));
        let others = others.filter(|(_, fee)| fee.currency() != of_fare);
        let others = others.chain(policy.incomparable_fees.iter().copied());
        let others = others.map(|(kind, fee)| Self { kind, amount: fee.number(), currency: fee.currency() });
        others.collect()
    }
}
