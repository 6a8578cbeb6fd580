//! Names as they are typed, in the characters that everybody else has, too.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// Parts of names of some scripts: Catalan has the one within a word, Japanese the other between words.
const MIDDLE_DOTS: [char; 2] = ['\u{b7}', '\u{30fb}'];
/// They part letters, or join them, within a word of Persian or of an Indian language.
const JOINERS: [char; 2] = ['\u{200c}', '\u{200d}'];

/// The name with the apostrophe, the hyphen and the blank of a keyboard (U+0027, U+002D, U+0020) in the place of those that
/// telephones, word processors and other alphabets have, in composed letters (NFKC), with one blank between words.
///
/// ```
/// assert_eq!(wayfare_domain::as_written("O\u{2019}Neil\u{2011}Smith\u{a0} Ana"), "O'Neil-Smith Ana");
/// ```
pub fn as_written(typed: &str) -> String {
    let composed = typed.chars().map(on_keyboards).nfkc();
    let plain: String = composed.map(on_keyboards).collect();
    let words = plain.split(' ').filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

/// A text that may have names in it, with the apostrophes, hyphens and blanks that [`as_written`] has; nothing else of it changes.
pub fn with_plain_marks(text: &str) -> String {
    text.chars().map(on_keyboards).collect()
}

fn on_keyboards(character: char) -> char {
    match character {
        // Quotation marks, accents and primes; letters that stand for a stop in Arabic, Hebrew and Polynesian names.
        '\u{60}'
        | '\u{b4}'
        | '\u{2b9}'..='\u{2bf}'
        | '\u{2c8}'
        | '\u{2ca}'
        | '\u{2cb}'
        | '\u{55a}'
        | '\u{5f3}'
        | '\u{2018}'..='\u{201b}'
        | '\u{2032}'
        | '\u{2035}'
        | '\u{a78b}'
        | '\u{a78c}'
        | '\u{ff07}'
        | '\u{ff40}' => '\'',
        '\u{58a}'
        | '\u{5be}'
        | '\u{2010}'..='\u{2015}'
        | '\u{2043}'
        | '\u{207b}'
        | '\u{208b}'
        | '\u{2212}'
        | '\u{fe58}'
        | '\u{fe63}'
        | '\u{ff0d}' => '-',
        blank
            if blank.is_whitespace() && !blank.is_control() && !matches!(blank, '\u{2028}' | '\u{2029}') =>
        {
            ' '
        }
        other => other,
    }
}

/// Whether a name [`as_written`] is one: letters of any script with their marks, and between them blanks, hyphens, apostrophes
/// and full stops.
pub fn is_name(written: &str) -> bool {
    let is_part = |c: char| {
        c.is_alphabetic()
            || is_combining_mark(c)
            || " -'.".contains(c)
            || MIDDLE_DOTS.contains(&c)
            || JOINERS.contains(&c)
    };
    let begins = |c: char| !is_combining_mark(c) && !JOINERS.contains(&c);
    written.starts_with(begins) && written.chars().all(is_part) && written.contains(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_a_keyboard_makes_of_it_is_one_apostrophe_one_hyphen_and_one_blank() {
        for apostrophe in [
            '\'', '\u{2019}', '\u{2018}', '\u{201b}', '\u{60}', '\u{b4}', '\u{2bc}', '\u{2bb}', '\u{2032}',
            '\u{ff07}',
        ] {
            let typed = format!("O{apostrophe}Brien");
            assert_eq!(as_written(&typed), "O'Brien", "{typed:?}");
        }
        for hyphen in
            ['-', '\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{2014}', '\u{2212}', '\u{ff0d}']
        {
            let typed = format!("Anne{hyphen}Marie");
            assert_eq!(as_written(&typed), "Anne-Marie", "{typed:?}");
        }
        for blank in [" ", "  ", "\u{a0}", "\u{202f}", "\u{2009}", "\u{3000}", " \u{a0} "] {
            let typed = format!("{blank}Anne{blank}Marie{blank}");
            assert_eq!(as_written(&typed), "Anne Marie", "{typed:?}");
        }
    }

    #[test]
    fn letters_are_composed_and_of_the_usual_width() {
        for (typed, written) in [
            ("Jose\u{301}", "José"),
            ("\u{ff34}\u{ff21}\u{ff2e}\u{ff21}\u{ff2b}\u{ff21}", "TANAKA"),
            ("\u{fb01}nn", "finn"),
            ("Gal\u{b7}la", "Gal\u{b7}la"),
            ("शर्मा", "शर्मा"),
        ] {
            assert_eq!(as_written(typed), written);
            assert!(is_name(&as_written(typed)), "{typed:?}");
        }
    }

    #[test]
    fn names_of_all_scripts_are_names_and_other_texts_are_none() {
        for (text, expected) in [
            ("Siobhán", true),
            ("O'Brien-Smith", true),
            ("St. John", true),
            ("J. R.", true),
            ("王小明", true),
            ("Мария", true),
            ("محمد", true),
            ("ジョン\u{30fb}スミス", true),
            ("శ్రీనివాస్", true),
            ("'t Hart", true),
            ("", false),
            (" ", false),
            (".", false),
            ("'", false),
            ("-", false),
            ("R2D2", false),
            ("Ravi,", false),
            ("Ravi/Sharma", false),
            ("<b>Ravi", false),
            ("=cmd", false),
            ("Ravi\nSharma", false),
            ("Ravi\tSharma", false),
            ("Ravi\u{202e}", false),
            ("Ravi\u{200b}", false),
            ("Ravi\u{2028}Sharma", false),
            ("\u{301}Ravi", false),
            ("Ravi 😀", false),
        ] {
            assert_eq!(is_name(&as_written(text)), expected, "{text:?}");
        }
    }
}
