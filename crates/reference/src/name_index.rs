//! Finds things by what somebody types: the beginning of a name, or of a word of it, in any script.

use deunicode::deunicode;

/// A name as names are compared: without accents, case and punctuation, in Latin letters.
pub fn plain(name: &str) -> String {
    let ascii = deunicode(name).to_ascii_lowercase();
    let words = ascii.split(|letter: char| !letter.is_ascii_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// All names as they are compared, one after the other, and the places in it where a name or a word of one begins, in
/// the order of what follows there. A rank says how good a match by that name is, the least the best.
pub(crate) struct NameIndex<R> {
    text: String,
    entries: Vec<Entry<R>>,
}

#[derive(Clone, Copy)]
struct Entry<R> {
    start: u32,
    end: u32,
    /// The thing's place in its table.
    place: u32,
    rank: R,
}

/// A thing whose name begins as was typed.
pub(crate) struct Found<R> {
    /// Its place in its table.
    pub place: u32,
    /// How good the match is.
    pub rank: R,
    /// Whether what was typed is all of the name.
    pub is_whole: bool,
}

impl<R> Default for NameIndex<R> {
    fn default() -> Self {
        Self {
            text: String::new(),
            entries: Vec::new(),
        }
    }
}

impl<R: Copy> NameIndex<R> {
    /// Adds a plain name.
    pub fn add(&mut self, name: &str, place: u32, rank: R) {
        let length = |text: &str| u32::try_from(text.len()).unwrap_or(u32::MAX);
        let start = length(&self.text);
        self.text.push_str(name);
        self.entries.push(Entry {
            start,
            end: length(&self.text),
            place,
            rank,
        });
    }

    /// Adds what begins at each word of a plain name but the first.
    pub fn add_later_words(&mut self, name: &str, place: u32, rank: R) {
        for (at, _) in name.match_indices(' ') {
            self.add(name.get(at + 1..).unwrap_or_default(), place, rank);
        }
    }

    /// Ready to be asked.
    pub fn sorted(mut self) -> Self {
        let text = &self.text;
        self.entries
            .sort_unstable_by(|one, two| one.name(text).cmp(two.name(text)));
        self
    }

    /// Everything of which a name begins so; a thing comes once for each.
    pub fn beginning_with<'a>(&'a self, typed: &'a str) -> impl Iterator<Item = Found<R>> + 'a {
        let first = self
            .entries
            .partition_point(|entry| entry.name(&self.text) < typed);
        self.entries
            .iter()
            .skip(first)
            .map(|entry| (entry, entry.name(&self.text)))
            .take_while(move |(_, name)| name.starts_with(typed))
            .map(move |(entry, name)| Found {
                place: entry.place,
                rank: entry.rank,
                is_whole: name.len() == typed.len(),
            })
    }
}

impl<R> Entry<R> {
    fn name<'a>(&self, text: &'a str) -> &'a str {
        let place = |at: u32| usize::try_from(at).unwrap_or(usize::MAX);
        text.get(place(self.start)..place(self.end)).unwrap_or_default()
    }
}

/// The best so many places, each once: by its best rank, then as their table orders them.
pub(crate) fn best<R: Ord + Copy>(found: impl Iterator<Item = (R, u32)>, limit: usize) -> Vec<u32> {
    let mut found: Vec<(R, u32)> = found.collect();
    found.sort_unstable_by_key(|&(rank, place)| (place, rank));
    found.dedup_by_key(|(_, place)| *place);
    let wanted = limit.min(found.len());
    if wanted > 0 {
        found.select_nth_unstable(wanted - 1);
    }
    found.truncate(wanted);
    found.sort_unstable();
    found.into_iter().map(|(_, place)| place).collect()
}
