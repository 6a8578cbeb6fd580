//! Names in the letters that a supplier takes.

use deunicode::deunicode_char;
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use super::as_written;

/// The characters that a supplier takes in names.
#[derive(Clone, Copy, Debug)]
pub struct Alphabet {
    /// Whether it takes this letter.
    pub takes_letter: fn(char) -> bool,
    /// What it takes beside letters.
    pub takes_beside: &'static str,
}

impl Alphabet {
    /// The name in these characters: a Latin letter that is not among them as machine-readable passports have it (ICAO Doc 9303
    /// part 3, *Transliteration of multinational Latin-based characters*) or without its accent, an apostrophe as nothing, and
    /// what else parts words as a blank. None of a name in other letters than Latin: how it is spelled the passport alone says.
    pub fn spell(&self, name: &str) -> Option<String> {
        let mut spelled = String::new();
        for character in as_written(name).chars() {
            if self.takes(character) {
                spelled.push(character);
            } else if matches!(character, '-' | '.' | '\u{30fb}') {
                spelled.push(' ');
            } else if matches!(character, '\'' | '\u{b7}' | '\u{200c}' | '\u{200d}')
                || is_combining_mark(character)
            {
                // A mark alone has no letter of its own.
            } else {
                spelled.push_str(&self.without_accent(character)?);
            }
        }
        let words: Vec<&str> = spelled.split_whitespace().collect();
        let spelled = words.join(" ");
        spelled.contains(char::is_alphabetic).then_some(spelled)
    }

    fn takes(&self, character: char) -> bool {
        self.takes_beside.contains(character) || (character.is_alphabetic() && (self.takes_letter)(character))
    }

    fn without_accent(&self, letter: char) -> Option<String> {
        if !is_latin(letter) {
            return None;
        }
        let base = letter.nfd().next().filter(|base| *base != letter);
        let plain = match base.filter(|base| self.takes(*base)) {
            Some(base) => base.to_string(),
            None => match letter {
                '\u{18f}' => "E".to_owned(),
                '\u{259}' => "e".to_owned(),
                letter => deunicode_char(letter)?.to_owned(),
            },
        };
        let is_taken = !plain.is_empty() && plain.chars().all(|c| self.takes(c));
        is_taken.then_some(plain)
    }
}

/// Latin letters of all blocks in which names have them; those of phonetics have the one of Azerbaijan.
fn is_latin(letter: char) -> bool {
    letter.is_alphabetic() && matches!(letter, '\u{0}'..='\u{2af}' | '\u{1e00}'..='\u{1eff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_taken_is_written_otherwise_or_asked_for() {
        let plain = Alphabet { takes_letter: |letter| letter.is_ascii(), takes_beside: " " };
        let latin = Alphabet {
            takes_letter: |letter| letter <= '\u{17f}' && !"ÆæŒœÞþð".contains(letter),
            takes_beside: " -'",
        };
        for (name, in_plain, in_latin) in [
            ("Siobhán O\u{2019}Brien-Smith", "Siobhan OBrien Smith", "Siobhán O'Brien-Smith"),
            ("St. John", "St John", "St John"),
            ("J.R.", "J R", "J R"),
            ("Gal\u{b7}la", "Galla", "Galla"),
            ("Nguyễn", "Nguyen", "Nguyen"),
            ("Ștefan", "Stefan", "Stefan"),
            ("Æsa", "AEsa", "AEsa"),
            ("Þór", "Thor", "Thór"),
            ("Straße", "Strasse", "Straße"),
            ("Əliyev", "Eliyev", "Eliyev"),
        ] {
            let spelled = [plain.spell(name), latin.spell(name)];
            let [in_ascii, with_accents] = spelled.each_ref().map(Option::as_deref);
            assert_eq!(in_ascii, Some(in_plain), "{name}");
            assert_eq!(with_accents, Some(in_latin), "{name}");
        }
        for name in ["王小明", "Мария", "محمد", "राम", "Ravi 王", "ジョン", ""] {
            assert_eq!(plain.spell(name), None, "{name}");
            assert_eq!(latin.spell(name), None, "{name}");
        }
    }
}
