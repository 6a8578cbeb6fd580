//! Names as TripJack takes them: Latin letters, spaces, hyphens and apostrophes. It documents no alphabet; what its airlines can't
//! print it respells by itself, and tells so in its orders. Names in other letters it would print as nobody's passport has them.

use wayfare_domain::{Alphabet, Faults, Traveller};

use crate::supplier::NOT_LATIN;

/// As far as Latin Extended-A: what Duffel documents for the same airlines.
const ALPHABET: Alphabet = Alphabet {
    takes_letter: |letter| letter <= '\u{17f}',
    takes_beside: " -'",
};

/// The name in TripJack's letters; one in others, which [`check`] does not let through, as it is.
pub(super) fn spelled(name: &str) -> String {
    ALPHABET.spell(name).unwrap_or_else(|| name.to_owned())
}

/// The names that TripJack would print as they are in no passport.
pub(super) fn check(travellers: &[Traveller]) -> Faults {
    let mut faults = Faults::default();
    for (place, traveller) in travellers.iter().enumerate() {
        for (field, name) in [
            ("first_name", &traveller.first_name),
            ("last_name", &traveller.last_name),
        ] {
            if !name.is_empty() && ALPHABET.spell(name).is_none() {
                faults.add(format!("passengers[{place}].{field}"), NOT_LATIN);
            }
        }
    }
    faults
}

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
            assert_eq!(ALPHABET.spell(name).as_deref(), sent, "{name}");
        }
    }
}
