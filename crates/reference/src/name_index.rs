//! Finds things by what somebody types: the beginning of a name, or of a word of it, in any script.

use deunicode::deunicode;

/// A name as names are compared: without accents, case and punctuation, in Latin letters.
pub fn plain(name: &str) -> String {
    let ascii = deunicode(name).to_ascii_lowercase();
    let words = ascii.split(|letter: char| !letter.is_ascii_alphanumeric());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A plain name of several words in one: `newdelhi`, `laguardia`.
pub(crate) fn without_blanks(plain: &str) -> Option<String> {
    plain.contains(' ').then(|| plain.replace(' ', ""))
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

/// What has a name that begins as was typed, by its place in its table.
pub(crate) struct Found<R> {
    /// Of which it is the whole name, once for each such name.
    pub whole: Vec<(R, u32)>,
    /// Of which it is the beginning of a name, each once with its best rank, in the table's order.
    pub begun: Vec<(R, u32)>,
}

impl<R> Default for NameIndex<R> {
    fn default() -> Self {
        Self { text: String::new(), entries: Vec::new() }
    }
}

impl<R: Copy + Ord> NameIndex<R> {
    /// Adds a plain name.
    pub fn add(&mut self, name: &str, place: u32, rank: R) {
        let length = |text: &str| u32::try_from(text.len()).unwrap_or(u32::MAX);
        let start = length(&self.text);
        self.text.push_str(name);
        self.entries.push(Entry { start, end: length(&self.text), place, rank });
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
        self.entries.sort_unstable_by(|one, two| one.name(text).cmp(two.name(text)));
        self
    }

    /// Everything of which a plain name begins so.
    pub fn beginning_with(&self, typed: &str) -> Found<R> {
        // The shortest come first: those that are just what was typed.
        let (whole, longer) = self.starting_with(typed);
        // Tens of thousands of names begin with one letter: each thing is entered at its place.
        let mut ranks: Vec<Option<R>> = Vec::new();
        for entry in longer {
            let Ok(at) = usize::try_from(entry.place) else { continue };
            if ranks.len() <= at {
                ranks.resize(at + 1, None);
            }
            if let Some(rank) = ranks.get_mut(at) {
                *rank = Some(rank.map_or(entry.rank, |best| best.min(entry.rank)));
            }
        }
        Found {
            whole: whole.iter().map(|entry| (entry.rank, entry.place)).collect(),
            begun: (0..).zip(ranks).filter_map(|(at, rank)| Some((rank?, at))).collect(),
        }
    }

    /// Everything of which this is a plain name.
    pub fn named(&self, name: &str) -> impl Iterator<Item = (R, u32)> {
        self.starting_with(name).0.iter().map(|entry| (entry.rank, entry.place))
    }

    /// The entries that are just this, and those that go on.
    fn starting_with(&self, typed: &str) -> (&[Entry<R>], &[Entry<R>]) {
        let name = |entry: &Entry<R>| entry.name(&self.text);
        let first = self.entries.partition_point(|entry| name(entry) < typed);
        let (_, from) = self.entries.split_at(first);
        let (begun, _) = from.split_at(from.partition_point(|entry| name(entry).starts_with(typed)));
        begun.split_at(begun.partition_point(|entry| name(entry).len() == typed.len()))
    }
}

impl<R> Entry<R> {
    fn name<'a>(&self, text: &'a str) -> &'a str {
        let place = |at: u32| usize::try_from(at).unwrap_or(usize::MAX);
        text.get(place(self.start)..place(self.end)).unwrap_or_default()
    }
}

/// The best so many, each once with its best key: the least first.
pub(crate) fn best<K: Ord + Copy, T: PartialEq + Copy>(mut found: Vec<(K, T)>, limit: usize) -> Vec<T> {
    let mut wanted = limit.min(found.len());
    loop {
        if wanted > 0 && wanted < found.len() {
            found.select_nth_unstable_by_key(wanted - 1, |(key, _)| *key);
        }
        let (first, _) = found.split_at_mut(wanted);
        first.sort_unstable_by_key(|(key, _)| *key);
        let mut best: Vec<T> = Vec::with_capacity(limit.min(first.len()));
        for (_, thing) in first.iter() {
            if !best.contains(thing) {
                best.push(*thing);
            }
        }
        // What came twice took the place of another.
        if best.len() >= limit || wanted == found.len() {
            best.truncate(limit);
            return best;
        }
        wanted = wanted.saturating_mul(2).min(found.len());
    }
}
