//! What offers have in common, stored once: texts, and kinds of fares.

use std::{
    borrow::Borrow,
    collections::HashSet,
    fmt,
    hash::{Hash, Hasher},
    ops::Deref,
    sync::Arc,
};

use foldhash::fast::RandomState;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use wayfare_supply::HeldBytes;

use crate::{FareDetails, Offer, requirement::RequirementLists};

/// A text that is one in memory wherever an answer has it. Its copies cost nothing.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SharedText(Arc<str>);

impl SharedText {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for SharedText {
    fn default() -> Self {
        Self(Arc::from(""))
    }
}

impl Deref for SharedText {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for SharedText {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for SharedText {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

// As a text does, by which it is looked for.
impl Hash for SharedText {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl PartialEq<str> for SharedText {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for SharedText {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl PartialEq<String> for SharedText {
    fn eq(&self, other: &String) -> bool {
        self.as_str() == other
    }
}

impl From<&str> for SharedText {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl From<String> for SharedText {
    fn from(text: String) -> Self {
        Self(text.into())
    }
}

impl From<SharedText> for String {
    fn from(text: SharedText) -> Self {
        text.as_str().to_owned()
    }
}

impl fmt::Debug for SharedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for SharedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl JsonSchema for SharedText {
    fn inline_schema() -> bool {
        String::inline_schema()
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        String::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        String::json_schema(generator)
    }
}

impl HeldBytes for SharedText {
    fn held_bytes(&self) -> usize {
        self.0.held_bytes()
    }
}

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
        for segment in offer
            .journeys
            .iter_mut()
            .flat_map(|journey| &mut journey.segments)
        {
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
            for text in needed
                .into_iter()
                .chain(optional.into_iter().flatten())
                .chain(&mut segment.stops)
            {
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
        assert!(Arc::ptr_eq(&one.0, &other.0) && !Arc::ptr_eq(&one.0, &third.0));
        let fare = |name: &str| FareDetails {
            fare_name: Some(name.into()),
            ..FareDetails::default()
        };
        let (one, other, third) = (
            parts.fare(fare("Flex")),
            parts.fare(fare("Flex")),
            parts.fare(fare("Saver")),
        );
        assert!(Arc::ptr_eq(&one, &other) && !Arc::ptr_eq(&one, &third));
    }

    #[test]
    fn what_all_holders_are_charged_comes_to_the_whole() {
        let text = SharedText::from("Boeing 737-800 (winglets)");
        let alone = text.held_bytes();
        assert_eq!(alone, 48);
        let copies = vec![text; 6];
        let all: usize = copies.iter().map(HeldBytes::held_bytes).sum();
        assert_eq!(all, alone);
    }

    #[test]
    fn a_shared_text_is_written_as_a_text() {
        let stored = serde_json::to_string(&SharedText::from("DEL")).unwrap();
        assert_eq!(stored, "\"DEL\"");
        assert_eq!(serde_json::from_str::<SharedText>(&stored).unwrap(), "DEL");
    }
}
