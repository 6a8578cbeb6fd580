//! Names as Duffel takes them: letters of ASCII, Latin-1 Supplement and Latin Extended-A but for ligatures, thorn and eth,
//! spaces, hyphens and apostrophes, at most 20 (Duffel's reference, order passengers; `OfferPassenger` of its client for
//! JavaScript).

use wayfare_domain::Alphabet;

use crate::spelling::Spelling;

/// Of the letters up to Latin Extended-A those that Duffel refuses.
const REFUSED: &str = "ÆæĲĳŒœÞþÐð";

pub(super) const SPELLING: Spelling = Spelling {
    alphabet: Alphabet {
        takes_letter: |letter| letter <= '\u{17f}' && !REFUSED.contains(letter),
        takes_beside: " -'",
    },
    longest: Some(20),
};

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
            assert_eq!(SPELLING.refused(name).is_none(), sent.is_some(), "{name}");
            if let Some(sent) = sent {
                assert_eq!(SPELLING.spelled(name), sent);
            }
        }
    }
}
