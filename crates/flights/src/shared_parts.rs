//! What the offers of one answer have in common, stored once: texts, and kinds of fares.

use std::{collections::HashSet, sync::Arc};

use foldhash::fast::RandomState;
use serde::Deserialize;

use crate::{FareDetails, Offer, SharedText, requirement::RequirementLists};

/// What the offers of one answer have in common.
#[derive(Debug, Default)]
pub(crate) struct SharedParts {
    texts: HashSet<SharedText, RandomState>,
    fares: HashSet<Arc<FareDetails>, RandomState>,
    pub requirements: RequirementLists,
}

impl SharedParts {
    /// This text, as it was stored before where it was.
    pub(crate) fn text(&mut self, text: &str) -> SharedText {
        if let Some(known) = self.texts.get(text) {
            return known.clone();
        }
        let new = SharedText::from(text);
        self.texts.insert(new.clone());
        new
    }

    /// The same, of a text that may be missing.
    pub(crate) fn optional(&mut self, text: Option<&str>) -> Option<SharedText> {
        text.map(|text| self.text(text))
    }

    /// This kind of fare, as it was stored before where it was.
    pub(crate) fn fare(&mut self, fare: FareDetails) -> Arc<FareDetails> {
        if let Some(known) = self.fares.get(&fare) {
            return Arc::clone(known);
        }
        let new = Arc::new(fare);
        self.fares.insert(Arc::clone(&new));
        new
    }

    fn share(&mut self, text: &mut SharedText) {
        *text = self.text(text);
    }

    fn share_all(&mut self, offer: &mut Offer) {
        let pair = offer.combination.iter_mut();
        let pair = pair.flat_map(|pair| pair.with.iter_mut().chain([&mut pair.group]));
        for text in pair.chain(&mut offer.owner) {
            self.share(text);
        }
        for segment in offer.journeys.iter_mut().flat_map(|journey| &mut journey.segments) {
            let needed = [
                &mut segment.airline,
                &mut segment.flight_number,
                &mut segment.origin,
                &mut segment.destination,
            ];
            let optional = [
                &mut segment.departure_terminal,
                &mut segment.arrival_terminal,
                &mut segment.aircraft,
                &mut segment.operating_carrier,
                &mut segment.booking_class,
                &mut segment.fare_basis,
                &mut segment.baggage.check_in,
                &mut segment.baggage.cabin,
            ];
            for text in needed.into_iter().chain(optional.into_iter().flatten()).chain(&mut segment.stops) {
                self.share(text);
            }
        }
        let mut fare = FareDetails::clone(&offer.fare);
        let texts = [
            &mut fare.fare_class,
            &mut fare.fare_family,
            &mut fare.fare_name,
            &mut fare.fare_type,
            &mut fare.baggage.check_in,
            &mut fare.baggage.cabin,
        ];
        for text in texts.into_iter().flatten() {
            self.share(text);
        }
        offer.fare = self.fare(fare);
    }
}

/// Offers that were stored, sharing what they have in common as those that a supplier has just sent.
pub(crate) fn stored_offers<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<Offer>, D::Error> {
    let mut offers = Vec::<Offer>::deserialize(deserializer)?;
    offers.shrink_to_fit();
    let mut parts = SharedParts::default();
    for offer in &mut offers {
        parts.share_all(offer);
    }
    Ok(offers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_and_fares_of_one_answer_are_one_in_memory() {
        let mut parts = SharedParts::default();
        let (one, other, third) = (parts.text("DEL"), parts.text("DEL"), parts.text("BOM"));
        assert!(one.is_the_same(&other) && !one.is_the_same(&third));
        let fare = |name: &str| FareDetails { fare_name: Some(name.into()), ..FareDetails::default() };
        let (one, other, third) =
            (parts.fare(fare("Flex")), parts.fare(fare("Flex")), parts.fare(fare("Saver")));
        assert!(Arc::ptr_eq(&one, &other) && !Arc::ptr_eq(&one, &third));
    }
}
