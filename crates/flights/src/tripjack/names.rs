//! Names as TripJack takes them: Latin letters, spaces, hyphens and apostrophes. It documents no alphabet; what its airlines can't
//! print it respells by itself, and tells so in its orders. Names in other letters it would print as nobody's passport has them.

use wayfare_domain::Alphabet;

use crate::spelling::Spelling;

pub(super) const SPELLING: Spelling = Spelling {
    alphabet: Alphabet {
        // As far as Latin Extended-A: what Duffel documents for the same airlines.
        takes_letter: |letter| letter <= '\u{17f}',
        takes_beside: " -'",
    },
    longest: None,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sent_as_tripjack_can_print_them() {
        for (name, sent) in [
            ("Siobhán", Some("Siobhán")),
            ("O\u{2019}Neil\u{2011}Smith", Some("O'Neil-Smith")),
            ("St. John", Some("St John")),
            ("Nguyễn", Some("Nguyen")),
            ("王小明", None),
            ("Мария", None),
            ("محمد", None),
            ("राम", None),
        ] {
            assert_eq!(SPELLING.alphabet.spell(name).as_deref(), sent, "{name}");
        }
    }
}
