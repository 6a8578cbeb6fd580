//! Names as Duffel takes them: letters of ASCII, Latin-1 Supplement and Latin Extended-A but for ligatures, thorn and eth,
//! spaces, hyphens and apostrophes, at most 20 (Duffel's reference, order passengers; `OfferPassenger` of its client for
//! JavaScript).

use wayfare_domain::{Alphabet, Faults, Traveller};

use crate::supplier::NOT_LATIN;

const LONGEST: usize = 20;
/// Of the letters up to Latin Extended-A those that Duffel refuses.
const REFUSED: &str = "ÆæĲĳŒœÞþÐð";

const ALPHABET: Alphabet = Alphabet {
    takes_letter: |letter| letter <= '\u{17f}' && !REFUSED.contains(letter),
    takes_beside: " -'",
};

/// The name in Duffel's letters; one in others, which [`check`] does not let through, as it is.
pub(super) fn spelled(name: &str) -> String {
    ALPHABET.spell(name).unwrap_or_else(|| name.to_owned())
}

/// The names that Duffel would refuse.
pub(super) fn check(travellers: &[Traveller]) -> Faults {
    let mut faults = Faults::default();
    for (place, traveller) in travellers.iter().enumerate() {
        for (field, name) in [
            ("first_name", &traveller.first_name),
            ("last_name", &traveller.last_name),
        ] {
            if let Some(reason) = refused(name) {
                faults.add(format!("passengers[{place}].{field}"), reason);
            }
        }
    }
    faults
}

/// Of who has one name only the other one is empty.
fn refused(name: &str) -> Option<String> {
    if name.is_empty() {
        return None;
    }
    match ALPHABET.spell(name) {
        None => Some(NOT_LATIN.to_owned()),
        Some(spelled) if spelled.chars().count() > LONGEST => Some(format!(
            "must have at most {LONGEST} characters for this supplier"
        )),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_airlines_can_print_is_taken() {
        for (name, sent) in [
            ("Łukasz-José O\u{2019}Neill", Some("Łukasz-José O'Neill")),
            ("Abcdefghijklmnopqrst", Some("Abcdefghijklmnopqrst")),
            ("Abcdefghijklmnopqrstu", None),
            ("Æthelstan Þór", Some("AEthelstan Thór")),
            ("Nguyễn", Some("Nguyen")),
            ("St. John", Some("St John")),
            ("Мария", None),
            ("राम", None),
            ("王小明", None),
        ] {
            assert_eq!(refused(name).is_none(), sent.is_some(), "{name}");
            if let Some(sent) = sent {
                assert_eq!(spelled(name), sent);
            }
        }
    }
}
