//! What a name means, however it is spelled.

use std::collections::BTreeSet;

use super::folding::{Folded, short_vowels};
use crate::Gender;

/// From so many letters on the beginning of a name is that name, cut off.
const LEAST_CUT: usize = 3;

/// A given and a family name by their meaning. It has no `Debug`: people's names are not logged.
#[derive(Clone, PartialEq, Eq)]
pub struct NameMeaning {
    first: Folded,
    /// Without words of who has one name only.
    last: Folded,
}

/// How much two names are alike, from less to more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
pub enum NameSimilarity {
    /// They are of two people.
    None,
    /// One name is the same; the other is not said, or by its first letter.
    OneName,
    /// Two words or more are the same, and one of them has others beside.
    SomeWords,
    /// One is the other, cut off.
    Cut,
    /// The same, though given and family name are exchanged, joined or parted.
    Same,
    /// The same given name and the same family name.
    Exact,
}

impl NameMeaning {
    /// Of names as somebody writes them. Either may be empty, or stand for none (`FNU`).
    pub fn of(first: &str, last: &str) -> Self {
        Self::of_folded(Folded::of(first), Folded::of(last))
    }

    fn of_folded(first: Folded, last: Folded) -> Self {
        let gender = first.gender.or(last.gender);
        let (first, last) = match (first.is_nobodys(), last.is_nobodys()) {
            (false, false) if first.joined() == last.joined() => (first, Vec::new()),
            (false, false) => (first, last.words),
            (true, false) => (last, Vec::new()),
            (_, true) => (first, Vec::new()),
        };
        Self { first: Folded { gender, ..first }, last: Folded { words: last, gender: None } }
    }

    /// What a title that stands beside the name tells.
    pub fn gender(&self) -> Option<Gender> {
        self.first.gender
    }

    /// The same text for all spellings of a name: both names in letters from a to z, as a ring that begins nowhere. So it is
    /// the same with given and family name exchanged, joined or parted elsewhere.
    ///
    /// ```
    /// use wayfare_domain::NameMeaning;
    /// let key = |first, last| NameMeaning::of(first, last).key();
    /// assert_eq!(key("Siobhán", "O’Brien-Smith"), key("OBRIEN  SMITH", "SIOBHAN MRS"));
    /// ```
    pub fn key(&self) -> String {
        let letters = self.first.words.concat() + &self.last.words.concat();
        let ring = short_vowels(&letters, letters.chars().last());
        let twice = ring.repeat(2);
        let turned = (0..ring.len()).filter_map(|start| twice.get(start..start + ring.len()));
        turned.min().unwrap_or_default().to_owned()
    }

    /// Whether both are one name.
    pub fn is_same(&self, other: &Self) -> bool {
        self.key() == other.key()
    }

    /// How much this name, as a supplier writes it, is like one that we know.
    pub fn similarity(&self, ours: &Self) -> NameSimilarity {
        let direct = self.direct_similarity(ours);
        if direct >= NameSimilarity::Cut {
            return direct;
        }
        let without_title = self.without_title_behind().into_iter();
        let similarity =
            without_title.map(|shorter| shorter.direct_similarity(ours).min(NameSimilarity::Same));
        similarity.fold(direct, NameSimilarity::max)
    }

    /// What it would be if the end of a name were a title.
    fn without_title_behind(&self) -> Vec<Self> {
        let first = self.first.without_title_behind();
        let first = first.map(|first| Self::of_folded(first, self.last.clone()));
        let last = self.last.without_title_behind();
        let last = last.map(|last| Self::of_folded(self.first.clone(), last));
        first.into_iter().chain(last).collect()
    }

    fn direct_similarity(&self, ours: &Self) -> NameSimilarity {
        let (theirs, ours_both) = (self.both(), ours.both());
        let [first, last] = &theirs;
        if self.first.words.is_empty() || ours.first.words.is_empty() {
            NameSimilarity::None
        } else if theirs == ours_both {
            NameSimilarity::Exact
        } else if self.is_same(ours) {
            NameSimilarity::Same
        } else if is_cut([first, last], &ours_both) || is_cut([last, first], &ours_both) {
            NameSimilarity::Cut
        } else {
            self.likeness_of_words(ours)
        }
    }

    /// Both names in letters alone; the second is empty of who has one.
    fn both(&self) -> [String; 2] {
        [self.first.joined(), self.last.joined()]
    }

    fn likeness_of_words(&self, ours: &Self) -> NameSimilarity {
        let (theirs, known) = (self.all_words(), ours.all_words());
        let same = theirs.intersection(&known).count();
        let (fewer, more) = match theirs.len() <= known.len() {
            true => (&theirs, &known),
            false => (&known, &theirs),
        };
        let is_in = |word: &String| {
            let is_initial = |other: &String| word.len() == 1 && other.starts_with(word.as_str());
            more.contains(word) || more.iter().any(is_initial)
        };
        if same == 0 || !fewer.iter().all(is_in) {
            // One of the two names, in the words of which the other side has one.
            let is_one = |name: &String, both: [String; 2]| !name.is_empty() && both.contains(name);
            let is_only = self.last.words.is_empty() && is_one(&self.first.joined(), ours.both());
            let is_ours_only = ours.last.words.is_empty() && is_one(&ours.first.joined(), self.both());
            return match is_only || is_ours_only || self.has_initial_of(ours) {
                true => NameSimilarity::OneName,
                false => NameSimilarity::None,
            };
        }
        match same {
            1 => NameSimilarity::OneName,
            _ => NameSimilarity::SomeWords,
        }
    }

    /// Whether one of its names is the same and the other a letter or two of it.
    fn has_initial_of(&self, ours: &Self) -> bool {
        let [our_first, our_last] = ours.both();
        let is_of = |[first, last]: [String; 2]| {
            let begins = |short: &str, long: &str| !short.is_empty() && long.starts_with(short);
            (last == our_last && begins(&first, &our_first))
                || (first == our_first && begins(&last, &our_last))
        };
        let [first, last] = self.both();
        !our_last.is_empty() && (is_of([first.clone(), last.clone()]) || is_of([last, first]))
    }

    fn all_words(&self) -> BTreeSet<String> {
        let words = self.first.words.iter().chain(&self.last.words);
        words.map(|word| short_vowels(word, None)).collect()
    }
}

/// Whether each of these names is one of ours, or the beginning of it.
fn is_cut(theirs: [&String; 2], ours: &[String; 2]) -> bool {
    let mut both = theirs.into_iter().zip(ours);
    both.all(|(theirs, ours)| {
        theirs == ours || (theirs.len() >= LEAST_CUT && ours.starts_with(theirs.as_str()))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn similarity(theirs: (&str, &str), ours: (&str, &str)) -> NameSimilarity {
        NameMeaning::of(theirs.0, theirs.1).similarity(&NameMeaning::of(ours.0, ours.1))
    }

    #[test]
    fn what_airlines_make_of_a_name_is_that_name() {
        use NameSimilarity::{Cut, Exact, OneName, Same, SomeWords};
        for (theirs, ours, expected) in [
            (("JEAN", "DARCY"), ("Jean", "D'Arcy"), Exact),
            (("ANA", "ONEIL SMITH"), ("Ana", "O'Neil-Smith"), Exact),
            (("JOSE", "GARCIA"), ("José", "García"), Exact),
            (("HANS", "MUELLER"), ("Hans", "Müller"), Exact),
            (("HANS", "MULLER"), ("Hans", "Mueller"), Exact),
            (("JURGEN", "STRASSER"), ("Jürgen", "Straßer"), Exact),
            (("SOREN", "OEDEGAARD"), ("Søren", "Ødegård"), Exact),
            (("JEAN", "DARCY MR"), ("Jean", "D'Arcy"), Exact),
            (("MR JEAN", "DARCY"), ("Jean", "D'Arcy"), Exact),
            (("JEANMR", "DARCY"), ("Jean", "D'Arcy"), Same),
            (("AVAMISS", "DARCY"), ("Ava", "D'Arcy"), Same),
            (("ANNEMARIE", "SMITH"), ("Anne Marie", "Smith"), Exact),
            (("ANNE MARIE", "SMITH"), ("Annemarie", "Smith"), Exact),
            (("SHARMA", "RAVI"), ("Ravi", "Sharma"), Same),
            (("RAVI", "KUMAR SHARMA"), ("Ravi Kumar", "Sharma"), Same),
            (("", "RAVI SHARMA"), ("Ravi", "Sharma"), Same),
            (("FNU", "MIRA"), ("Mira", ""), Exact),
            (("MIRA", "LNU"), ("Mira", "Mira"), Exact),
            (("MIRA", "MIRA"), ("Mira", ""), Exact),
            (("MIRA", "MIRA MRS"), ("Mira", ""), Exact),
            (("VENKATANARASIMHARAJUVARI", "PRASAD"), ("Venkatanarasimharajuvaripeta", "Prasad"), Cut),
            (("RAVI", "SHARMA"), ("Ravi Kumar", "Sharma"), Cut),
            (("KUMAR", "SHARMA"), ("Ravi Kumar", "Sharma"), SomeWords),
            (("FNU", "SHARMA"), ("Ravi", "Sharma"), OneName),
            (("R", "SHARMA"), ("Ravi", "Sharma"), OneName),
            (("RAVI", "SHARMA"), ("Priya", "Sharma"), NameSimilarity::None),
            (("RAVI", "SHARMA"), ("Ravi", "Rao"), NameSimilarity::None),
            (("", ""), ("Ravi", "Sharma"), NameSimilarity::None),
        ] {
            assert_eq!(similarity(theirs, ours), expected, "{theirs:?} {ours:?}");
        }
    }

    #[test]
    fn one_key_is_of_one_name() {
        let key = |(first, last): (&str, &str)| NameMeaning::of(first, last).key();
        let siobhan = ("Siobhán", "O’Brien-Smith");
        for other in [
            ("Siobhan", "O'Brien Smith"),
            ("SIOBHAN", "OBRIENSMITH"),
            ("  Siobhan ", "O\u{2bc}Brien\u{2011}Smith"),
            ("O'Brien-Smith", "Siobhan"),
            ("Mrs Siobhan", "O`Brien-Smith"),
            ("Siobhan O'Brien", "Smith"),
        ] {
            assert_eq!(key(siobhan), key(other), "{other:?}");
        }
        for other in [("Siobhan", "O'Brien"), ("Sean", "O'Brien-Smith"), ("", "")] {
            assert_ne!(key(siobhan), key(other), "{other:?}");
        }
        let mira = ("MIRA", "");
        for other in [("", "Mira"), ("Mira", "Mira"), ("FNU", "Mira"), ("Mira", "LNU")] {
            assert_eq!(key(mira), key(other), "{other:?}");
        }
        // Scripts that nothing transliterates have names, too.
        let (one, other) = ("\u{10a00}\u{10a10}", "\u{10a11}\u{10a12}");
        assert_ne!(key((one, one)), key((other, other)));
        assert_eq!(key((one, other)), key((other, one)));
        // Letters that meet where given and family name do.
        assert_eq!(key(("Amit", "Sharma")), key(("Sharma", "Amit")));
        assert_eq!(key(("Eva", "Rossa")), key(("Rossa", "Eva")));
    }

    #[test]
    fn a_name_that_looks_like_a_title_stays_a_name() {
        assert_eq!(similarity(("ROHAN", "MASTER"), ("Rohan", "Master")), NameSimilarity::Exact);
        assert_eq!(similarity(("ROHAN", "MASTER"), ("Rohan", "Rao")), NameSimilarity::None);
    }

    proptest! {
        #[test]
        fn a_name_is_like_itself_in_whatever_order_and_letters(
            first in "[A-Za-zÀ-ÖØ-öø-ÿ' -]{1,20}",
            last in "[A-Za-zÀ-ÖØ-öø-ÿ' -]{0,20}",
        ) {
            let name = NameMeaning::of(&first, &last);
            let exchanged = NameMeaning::of(&last, &first);
            prop_assert!(name.is_same(&exchanged));
            let capitals = NameMeaning::of(&first.to_uppercase(), &last.to_uppercase());
            prop_assert!(name.is_same(&capitals));
            if !name.key().is_empty() {
                prop_assert!(name.similarity(&exchanged) >= NameSimilarity::Same);
                prop_assert_eq!(name.similarity(&name), NameSimilarity::Exact);
            }
        }
    }
}
