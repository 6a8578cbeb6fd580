//! Who of those whom a supplier names is which of our travellers.

use std::collections::BTreeMap;

use super::{NameMeaning, NameSimilarity};
use crate::{Gender, PassengerType, Title, Traveller};

/// A traveller as one side says it. It has no `Debug`: people's names are not logged.
#[derive(Clone)]
pub struct SaidTraveller {
    kind: Option<PassengerType>,
    title: Option<Title>,
    gender: Option<Gender>,
    name: NameMeaning,
}

impl SaidTraveller {
    /// As a supplier says it: what it does not say, or says in a word that nobody knows, is none.
    pub fn of_supplier(
        kind: Option<PassengerType>,
        title: Option<&str>,
        first_name: &str,
        last_name: &str,
    ) -> Self {
        let name = NameMeaning::of(first_name, last_name);
        let title = title.and_then(|word| word.trim_matches([' ', '.']).parse::<Title>().ok());
        Self { kind, gender: title.and_then(Title::gender).or(name.gender()), title, name }
    }
}

impl From<&Traveller> for SaidTraveller {
    fn from(traveller: &Traveller) -> Self {
        Self {
            kind: Some(traveller.kind),
            title: Some(traveller.title),
            gender: Some(traveller.gender),
            name: NameMeaning::of(&traveller.first_name, &traveller.last_name),
        }
    }
}

/// Which of ours each of theirs is, by its place: the best assignment of all together. None of who is like nobody, and of each
/// who in another assignment as good is somebody else, or nobody: then nobody knows, and a guess would give one the other's
/// ticket.
///
/// Of two assignments the better one has, in this order: more pairs; more types that are said and the same; more titles of the
/// right gender; names that are more alike ([`NameSimilarity`]); more titles that are the same. Two of different types are no
/// pair, and two of whose names nothing is the same are none.
pub fn whose(theirs: &[SaidTraveller], ours: &[SaidTraveller]) -> Vec<Option<usize>> {
    let mut scores: Scores = BTreeMap::new();
    for (row, said) in theirs.iter().enumerate() {
        for (column, known) in ours.iter().enumerate() {
            if let Some(score) = score(said, known) {
                scores.insert((row, column), score);
            }
        }
    }
    let best = best_pairs(&scores);
    let sum = |pairs: &Pairs| pairs.iter().filter_map(|pair| scores.get(&(*pair.0, *pair.1))).sum::<u64>();
    let most = sum(&best);
    let is_sure = |row: usize, column: usize| {
        let without: Scores = scores
            .iter()
            .filter(|(pair, _)| **pair != (row, column))
            .map(|(pair, score)| (*pair, *score))
            .collect();
        sum(&best_pairs(&without)) < most
    };
    let rows = 0..theirs.len();
    rows.map(|row| best.get(&row).copied().filter(|column| is_sure(row, *column))).collect()
}

/// The score of each pair, by the places of theirs and of ours.
type Scores = BTreeMap<(usize, usize), u64>;
/// The place of ours by that of theirs.
type Pairs = BTreeMap<usize, usize>;

/// What a pair adds to its assignment; none where they can't be one. Each thing that counts has eight bits, so that no sum of
/// a party's reaches what counts more.
fn score(theirs: &SaidTraveller, ours: &SaidTraveller) -> Option<u64> {
    let kind = match (theirs.kind, ours.kind) {
        (Some(said), Some(known)) if said != known => return None,
        (Some(_), Some(_)) => 1,
        (None, _) | (_, None) => 0,
    };
    let gender = match (theirs.gender, ours.gender) {
        (Some(said), Some(known)) if said == known => 2,
        (Some(_), Some(_)) => 0,
        (None, _) | (_, None) => 1,
    };
    let similarity = match theirs.name.similarity(&ours.name) {
        NameSimilarity::None => return None,
        NameSimilarity::OneName => 1,
        NameSimilarity::SomeWords => 2,
        NameSimilarity::Cut => 3,
        NameSimilarity::Same => 4,
        NameSimilarity::Exact => 5,
    };
    let title = u64::from(theirs.title.is_some() && theirs.title == ours.title);
    let things = [1, kind, gender, similarity, title];
    Some(things.into_iter().fold(0, |sum, thing| (sum << 8) | thing))
}

/// The pairs with the highest sum, each of theirs and each of ours in one at most: one pair more at a time, by the exchange of
/// pairs that adds the most.
fn best_pairs(scores: &Scores) -> Pairs {
    let mut pairs = Pairs::new();
    while let Some(exchange) = best_exchange(scores, &pairs) {
        pairs.extend(exchange);
    }
    pairs
}

/// The new pairs of the exchange that makes one pair more and adds the most; none where all are paired that can be.
fn best_exchange(scores: &Scores, pairs: &Pairs) -> Option<Pairs> {
    let owner_of: BTreeMap<usize, usize> = pairs.iter().map(|(row, column)| (*column, *row)).collect();
    let score = |row: usize, column: usize| scores.get(&(row, column)).copied().map(i128::from);
    let rows = scores.keys().map(|(row, _)| *row);
    // What the best exchange adds that leaves this one of theirs without a pair, and the pairs that it makes.
    let mut reached: BTreeMap<usize, (i128, Pairs)> =
        rows.filter(|row| !pairs.contains_key(row)).map(|row| (row, (0, Pairs::new()))).collect();
    let mut best: Option<(i128, Pairs)> = None;
    loop {
        let mut is_better = false;
        for (row, column) in scores.keys() {
            let Some((added, made)) = reached.get(row).cloned() else { continue };
            if pairs.get(row) == Some(column) || made.values().any(|taken| taken == column) {
                continue;
            }
            let added = added + score(*row, *column).unwrap_or_default();
            let made: Pairs = made.into_iter().chain([(*row, *column)]).collect();
            match owner_of.get(column) {
                None if best.as_ref().is_none_or(|(most, _)| added > *most) => best = Some((added, made)),
                None => {}
                Some(owner) => {
                    let added = added - score(*owner, *column).unwrap_or_default();
                    let is_more = reached.get(owner).is_none_or(|(most, _)| added > *most);
                    if is_more && !made.contains_key(owner) {
                        reached.insert(*owner, (added, made));
                        is_better = true;
                    }
                }
            }
        }
        if !is_better {
            return best.map(|(_, made)| made);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn said(text: &str) -> SaidTraveller {
        let (kind, rest) = text.split_once(' ').unwrap();
        let (title, name) = rest.split_once(' ').unwrap();
        let (last, first) = name.split_once('/').unwrap();
        SaidTraveller::of_supplier(kind.parse().ok(), Some(title), first, last)
    }

    fn all(texts: &[&str]) -> Vec<SaidTraveller> {
        texts.iter().map(|text| said(text)).collect()
    }

    #[test]
    fn each_is_who_it_is_and_nobody_is_guessed() {
        type Row = (&'static [&'static str], &'static [&'static str], &'static [Option<usize>]);
        let table: [Row; 13] = [
            (&["ADT MR DARCY/JEAN"], &["ADT Mr D'Arcy/Jean"], &[Some(0)]),
            (
                &["ADT MRS SHARMA/ASHA", "ADT MR SHARMA/RAVI"],
                &["ADT Mr Sharma/Ravi", "ADT Mrs Sharma/Asha"],
                &[Some(1), Some(0)],
            ),
            // Father and son of one name: the type tells.
            (
                &["CHD MSTR SHARMA/RAVI", "ADT MR SHARMA/RAVI"],
                &["ADT Mr Sharma/Ravi", "CHD Mstr Sharma/Ravi"],
                &[Some(1), Some(0)],
            ),
            // A couple of one first letter: the title tells.
            (
                &["ADT MR SHARMA/A", "ADT MRS SHARMA/A"],
                &["ADT Mrs Sharma/Anita", "ADT Mr Sharma/Amit"],
                &[Some(1), Some(0)],
            ),
            // Nothing tells brothers of one first letter apart.
            (
                &["ADT MR SHARMA/A", "ADT MR SHARMA/A", "ADT MR SHARMA/RAVI"],
                &["ADT Mr Sharma/Anil", "ADT Mr Sharma/Amit", "ADT Mr Sharma/Ravi"],
                &[None, None, Some(2)],
            ),
            // One of them is told whole, so that the other is the other.
            (
                &["ADT MR SHARMA/A", "ADT MR SHARMA/AMIT"],
                &["ADT Mr Sharma/Anil", "ADT Mr Sharma/Amit"],
                &[Some(0), Some(1)],
            ),
            // Two of one name and one type.
            (
                &["ADT MR SHARMA/RAVI", "ADT MR SHARMA/RAVI"],
                &["ADT Mr Sharma/Ravi", "ADT Mr Sharma/Ravi"],
                &[None, None],
            ),
            // The name of only one of them is cut off.
            (
                &["ADT MS RAO/LAKSHMIPRIYA", "ADT MS RAO/LAKSHMI"],
                &["ADT Ms Rao/Lakshmi", "ADT Ms Rao/Lakshmipriya"],
                &[Some(1), Some(0)],
            ),
            (&["ADT MR RAO/VIKRAM"], &["ADT Mr Sharma/Ravi"], &[None]),
            (&["? ? SHARMA/RAVI"], &["ADT Mr Sharma/Ravi"], &[Some(0)]),
            (&["CHD MSTR SHARMA/RAVI"], &["ADT Mr Sharma/Ravi"], &[None]),
            // A title that is wrong costs nobody who has a name of their own.
            (
                &["ADT MR SHARMA/ASHA", "ADT MR SHARMA/RAVI"],
                &["ADT Mr Sharma/Ravi", "ADT Mrs Sharma/Asha"],
                &[Some(1), Some(0)],
            ),
            (&[], &["ADT Mr Sharma/Ravi"], &[]),
        ];
        for (theirs, ours, expected) in table {
            assert_eq!(whose(&all(theirs), &all(ours)), expected, "{theirs:?} {ours:?}");
        }
    }

    /// Respells a name as airlines do.
    fn respelt(first: &str, last: &str, how: u8) -> (String, String) {
        let plain = |name: &str| deunicode::deunicode(name).to_uppercase().replace(['\'', '.'], "");
        let (first, last) = (plain(first), plain(last));
        match how % 5 {
            0 => (first, last),
            1 => (last, first),
            2 => (first.replace([' ', '-'], ""), last.replace([' ', '-'], "")),
            3 => (format!("{first} MR"), last.replace('-', " ")),
            _ => (first.to_lowercase(), last),
        }
    }

    const FIRST: [&str; 8] = ["Ravi", "Ravi Kumar", "Anne-Marie", "Anne", "José", "Siobhán", "A", "Jürgen"];
    const LAST: [&str; 4] = ["Sharma", "O'Neil-Smith", "Müller", "D'Arcy"];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        /// Families with like names, named by their supplier in another order and in other spellings: whoever is assigned is
        /// assigned to themselves or to somebody of the same type and name, and two whom nothing tells apart get nothing.
        #[test]
        fn nobody_gets_anothers_ticket(
            family in prop::collection::vec((0..FIRST.len(), 0..LAST.len(), 0..3_u8), 1..9),
            hows in prop::collection::vec(any::<u8>(), 9),
            turned in 0..9_usize,
        ) {
            let kind = |kind: u8| [PassengerType::Adult, PassengerType::Child, PassengerType::Infant][usize::from(kind)];
            let ours: Vec<SaidTraveller> = family
                .iter()
                .map(|(first, last, of)| SaidTraveller::of_supplier(Some(kind(*of)), None, FIRST[*first], LAST[*last]))
                .collect();
            let mut order: Vec<usize> = (0..family.len()).collect();
            order.rotate_left(turned % family.len());
            let theirs: Vec<SaidTraveller> = order
                .iter()
                .map(|place| {
                    let (first, last, of) = family[*place];
                    let (first, last) = respelt(FIRST[first], LAST[last], hows[*place]);
                    SaidTraveller::of_supplier(Some(kind(of)), None, &first, &last)
                })
                .collect();
            let found = whose(&theirs, &ours);
            let mut given = found.iter().flatten().collect::<Vec<_>>();
            given.sort();
            given.dedup();
            prop_assert_eq!(given.len(), found.iter().flatten().count(), "nobody is two");
            for (place, owner) in order.iter().zip(&found) {
                let twins = family.iter().filter(|other| **other == family[*place]).count();
                match owner {
                    Some(owner) => prop_assert_eq!(*owner, *place),
                    None => prop_assert!(twins > 1, "{:?} is told apart", family[*place]),
                }
                prop_assert!(twins == 1 || owner.is_none(), "twins are not told apart");
            }
        }

        /// The best assignment is the best of all that there are.
        #[test]
        fn no_assignment_is_better(weights in prop::collection::vec(prop::collection::vec(0..6_u64, 4), 1..5)) {
            let scores: Scores = weights
                .iter()
                .enumerate()
                .flat_map(|(row, of_row)| of_row.iter().enumerate().map(move |(column, score)| ((row, column), *score)))
                .filter(|(_, score)| *score > 0)
                .map(|(pair, score)| (pair, (1 << 32) | score))
                .collect();
            let found: u64 = best_pairs(&scores).iter().map(|(row, column)| scores[&(*row, *column)]).sum();
            prop_assert_eq!(found, best_of_all(&scores, 0, weights.len(), &mut Vec::new()));
        }
    }

    fn best_of_all(scores: &Scores, row: usize, rows: usize, taken: &mut Vec<usize>) -> u64 {
        if row == rows {
            return 0;
        }
        let mut best = best_of_all(scores, row + 1, rows, taken);
        for column in 0..4 {
            if let Some(score) = scores.get(&(row, column)).filter(|_| !taken.contains(&column)) {
                taken.push(column);
                best = best.max(score + best_of_all(scores, row + 1, rows, taken));
                taken.pop();
            }
        }
        best
    }
}
