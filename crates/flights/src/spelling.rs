//! How a supplier writes names: which characters it takes, and how many.

use std::collections::HashSet;

use wayfare_domain::{Alphabet, Faults, Traveller};

/// What is said of a name in letters that the supplier can't write.
const NOT_LATIN: &str = "must be in Latin letters for this supplier, as the passport spells it";

/// What is said of a traveller whom the supplier could not tell from one before them.
const NAMESAKE: &str = "must not make the full name of another traveller: this supplier books each name once";

/// A supplier's rules about names.
pub(crate) struct Spelling {
    pub alphabet: Alphabet,
    /// How many characters a first name and a family name may each have.
    pub longest: Option<usize>,
}

impl Spelling {
    /// The name in the supplier's letters; one in others, which [`check`](Self::check) does not let through, as it is.
    pub fn spelled(&self, name: &str) -> String {
        self.alphabet.spell(name).unwrap_or_else(|| name.to_owned())
    }

    /// The names that the supplier would refuse, or print as they are in no passport; and those that another traveller of the
    /// order has too, whom it could not tell apart (Duffel's `duplicate_passenger_name`, TripJack's 1010).
    pub fn check(&self, travellers: &[Traveller]) -> Faults {
        let mut faults = Faults::default();
        let mut written = HashSet::new();
        for (place, traveller) in travellers.iter().enumerate() {
            for (field, name) in [("first_name", &traveller.first_name), ("last_name", &traveller.last_name)]
            {
                if let Some(reason) = self.refused(name) {
                    faults.add(format!("passengers[{place}].{field}"), reason);
                }
            }
            let names = [&traveller.first_name, &traveller.last_name];
            if !written.insert(names.map(|name| self.spelled(name).to_uppercase())) {
                faults.add(format!("passengers[{place}].first_name"), NAMESAKE);
            }
        }
        faults
    }

    /// Why the supplier would not take the name. Of who has one name only the other one is empty.
    pub fn refused(&self, name: &str) -> Option<String> {
        if name.is_empty() {
            return None;
        }
        let Some(spelled) = self.alphabet.spell(name) else { return Some(NOT_LATIN.to_owned()) };
        self.longest
            .filter(|longest| spelled.chars().count() > *longest)
            .map(|longest| format!("must have at most {longest} characters for this supplier"))
    }
}
