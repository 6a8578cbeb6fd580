//! Where each IATA code stands in a table: a search looks several thousand of them up.

/// A place in the table for each code of three capital letters.
pub(crate) struct CodeIndex(Vec<u16>);

const LETTERS: usize = 26;
/// No table is so long.
const NONE: u16 = u16::MAX;

impl CodeIndex {
    /// Of these codes, in the order of their table. What is no code of three capital letters is not found.
    pub fn of<'a>(codes: impl Iterator<Item = &'a str>) -> Self {
        let mut places = vec![NONE; LETTERS * LETTERS * LETTERS];
        for (code, place) in codes.zip(0..NONE) {
            if let Some(slot) = slot(code).and_then(|slot| places.get_mut(slot)) {
                *slot = place;
            }
        }
        Self(places)
    }

    /// Where the code stands in its table.
    pub fn place(&self, code: &str) -> Option<usize> {
        let place = *self.0.get(slot(code)?)?;
        (place != NONE).then_some(usize::from(place))
    }
}

fn slot(code: &str) -> Option<usize> {
    let letters: [u8; 3] = code.as_bytes().try_into().ok()?;
    letters.into_iter().try_fold(0, |slot, letter| {
        let letter = letter.is_ascii_uppercase().then(|| letter - b'A')?;
        Some(slot * LETTERS + usize::from(letter))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_code_is_found_where_it_stands_and_nothing_else() {
        let codes = ["AAA", "DEL", "ZZZ"];
        let index = CodeIndex::of(codes.into_iter());
        for (place, code) in codes.into_iter().enumerate() {
            assert_eq!(index.place(code), Some(place));
        }
        for other in ["", "DE", "DELH", "del", "D1L", "DEM", "É1", "DÉ"] {
            assert_eq!(index.place(other), None, "{other}");
        }
    }
}
