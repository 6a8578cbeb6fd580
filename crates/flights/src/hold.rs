//! Whether an offer can be held before it is paid, and until when.

use chrono::{DateTime, Utc};

use crate::Offer;

/// What a supplier says of holding an offer, or several together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HoldTerms {
    /// Whether it can be held and paid later; none where only pricing tells.
    pub can_hold: Option<bool>,
    /// Until when a hold must be paid, UTC, where the supplier says so before it is made.
    pub pay_by: Option<DateTime<Utc>>,
    /// Until when the price of a hold is guaranteed, UTC, where the supplier says so before it is made.
    pub price_guaranteed_until: Option<DateTime<Utc>>,
}

impl HoldTerms {
    /// Of offers that are bought together: held when every one can be, until the earliest of each instant.
    ///
    /// ```
    /// # use wayfare_flights::HoldTerms;
    /// let terms = HoldTerms::together(std::iter::empty());
    /// assert_eq!(terms.can_hold, Some(true));
    /// ```
    pub fn together<'a>(offers: impl Iterator<Item = &'a Offer>) -> Self {
        let all = Self { can_hold: Some(true), pay_by: None, price_guaranteed_until: None };
        offers.map(Self::from).fold(all, |all, one| Self {
            can_hold: match (all.can_hold, one.can_hold) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (None, _) | (_, None) => None,
                (Some(true), Some(true)) => Some(true),
            },
            pay_by: earliest(all.pay_by, one.pay_by),
            price_guaranteed_until: earliest(all.price_guaranteed_until, one.price_guaranteed_until),
        })
    }
}

impl From<&Offer> for HoldTerms {
    fn from(offer: &Offer) -> Self {
        Self {
            can_hold: offer.can_hold,
            pay_by: offer.pay_by,
            price_guaranteed_until: offer.price_guaranteed_until,
        }
    }
}

fn earliest(one: Option<DateTime<Utc>>, other: Option<DateTime<Utc>>) -> Option<DateTime<Utc>> {
    one.into_iter().chain(other).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_earliest_instant_of_two_counts() {
        let at = |seconds| DateTime::from_timestamp(seconds, 0);
        for (one, other, both) in
            [(None, None, None), (at(5), None, at(5)), (None, at(5), at(5)), (at(7), at(5), at(5))]
        {
            assert_eq!(earliest(one, other), both);
        }
    }
}
