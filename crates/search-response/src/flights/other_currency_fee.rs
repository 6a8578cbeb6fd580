//! Fees that are told in another currency than the fare's, or in several.

use wayfare_contract::flights::OtherCurrencyFee;
use wayfare_flights::{FeeKind, Offer};

use crate::{amount, code};

/// Those of an offer.
pub fn other_currency_fees(offer: &Offer) -> Vec<OtherCurrencyFee> {
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
    let others = others.map(|(kind, fee)| OtherCurrencyFee {
        kind: kind.as_ref().into(),
        amount: amount(fee),
        currency: code(fee.currency()),
    });
    others.collect()
}
