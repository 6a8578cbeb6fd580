//! Names folded to what all spellings of them share.

use std::collections::BTreeSet;

use deunicode::deunicode;

use crate::Gender;

use super::as_written;

/// How suppliers may spell a name, in small letters from a to z: each of its words and all of them in one, without apostrophes and
/// accents, and with an `e` for those that some write as a letter of their own.
pub fn spellings(name: &str) -> BTreeSet<String> {
    let with_e = |letter: char| match letter {
        'ä' | 'æ' | 'Ä' | 'Æ' => "ae".to_owned(),
        'ö' | 'ø' | 'œ' | 'Ö' | 'Ø' | 'Œ' => "oe".to_owned(),
        'ü' | 'Ü' => "ue".to_owned(),
        'å' | 'Å' => "aa".to_owned(),
        other => other.to_string(),
    };
    let long: String = as_written(name).chars().map(with_e).collect();
    let mut all = BTreeSet::new();
    for words in [words_of(name), words_of(&long)] {
        all.insert(words.join(" "));
        all.insert(words.concat());
        all.extend(words);
    }
    all.remove("");
    all
}

/// Its words in letters from a to z; of a script that has no transliteration the name as it is.
fn words_of(name: &str) -> Vec<String> {
    let written = as_written(name).replace('\'', "").replace(['\u{18f}', '\u{259}'], "e");
    let ascii = deunicode(&written).to_ascii_lowercase();
    let words = ascii.split(|c: char| !c.is_ascii_alphabetic());
    let words: Vec<String> = words.filter(|word| !word.is_empty()).map(str::to_owned).collect();
    match words.is_empty() && written.contains(char::is_alphabetic) {
        true => vec![written.to_lowercase()],
        false => words,
    }
}

/// What airlines write in the place of a name that is not known, or that nobody has.
const NOBODYS: [&str; 4] = ["fnu", "lnu", "nfn", "nln"];

/// The words of one of two names, in letters from a to z, without titles; `None` for each title's gender that does not tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Folded {
    pub words: Vec<String>,
    /// That of a title among them.
    pub gender: Option<Gender>,
}

impl Folded {
    pub fn of(name: &str) -> Self {
        let mut folded = Self { words: words_of(name), gender: None };
        folded.leave_titles_out();
        folded
    }

    /// One that is nothing but a title is somebody's name.
    fn leave_titles_out(&mut self) {
        while let [first, _, ..] = self.words.as_slice()
            && let Some(title) = title(first)
        {
            self.gender = self.gender.or(title);
            self.words.remove(0);
        }
        while let [_, .., last] = self.words.as_slice()
            && let Some(title) = title(last)
        {
            self.gender = self.gender.or(title);
            self.words.pop();
        }
    }

    /// Whether it stands for no name at all.
    pub fn is_nobodys(&self) -> bool {
        match self.words.as_slice() {
            [] => true,
            [word] => NOBODYS.contains(&word.as_str()),
            _ => false,
        }
    }

    /// All its letters, with one of the ways to write those that have several.
    pub fn joined(&self) -> String {
        short_vowels(&self.words.concat(), None)
    }

    /// The same without a title that is written on to it, as in `RAVIMR`, and that title's gender.
    pub fn without_title_behind(&self) -> Option<Self> {
        let (last, before) = self.words.split_last()?;
        // The longest first: each is the end of another.
        let titles = ["master", "mstr", "miss", "mrs", "mr", "ms", "dr"];
        let named = |title: &&str| last.strip_suffix(title).filter(|name| !name.is_empty());
        let (name, found) = titles.iter().find_map(|title| Some((named(title)?, *title)))?;
        let mut words = before.to_vec();
        words.push(name.to_owned());
        Some(Self { words, gender: self.gender.or(title(found).flatten()) })
    }
}

/// Whether the word is a title, and whose.
fn title(word: &str) -> Option<Option<Gender>> {
    Some(match word {
        "mr" | "mstr" | "mst" | "master" => Some(Gender::Male),
        "mrs" | "ms" | "miss" => Some(Gender::Female),
        "dr" | "prof" => None,
        _ => return None,
    })
}

/// The text with `ae`, `oe`, `ue` and `aa` as one letter: `ü` is written `u` by some and `ue` by others, and who types a name
/// does not say which it is. `before` is the letter before the first; what is left depends on each letter's neighbour alone.
pub(super) fn short_vowels(letters: &str, before: Option<char>) -> String {
    let mut before = before;
    let mut short = String::with_capacity(letters.len());
    for letter in letters.chars() {
        let is_second = matches!((before, letter), (Some('a' | 'o' | 'u'), 'e') | (Some('a'), 'a'));
        if !is_second {
            short.push(letter);
        }
        before = Some(letter);
    }
    match short.is_empty() {
        true => letters.to_owned(),
        false => short,
    }
}
