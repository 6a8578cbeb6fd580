//! What hotels and their rates say in words, which comes as HTML, as plain text.

use html2text::{config, render::TrivialDecorator};

/// Characters of the longest line: no text should be broken where its author did not.
const LONGEST_LINE: usize = 1_000;

/// What a guest reads of it: without tags, each paragraph and item on a line of its own. A text that can't be read so
/// stays as it came.
pub(super) fn plain(text: &str) -> String {
    let reader = config::with_decorator(TrivialDecorator::new()).raw_mode(true);
    match reader.string_from_read(text.as_bytes(), LONGEST_LINE) {
        Ok(plain) => plain.trim().to_owned(),
        Err(_) => text.trim().to_owned(),
    }
}

/// The same of each; those that say nothing are left out.
pub(super) fn plain_each(texts: &mut Vec<String>) {
    for text in texts.iter_mut() {
        *text = plain(text);
    }
    texts.retain(|text| !text.is_empty());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_what_one_reads_of_it() {
        for (theirs, ours) in [
            ("Bring a towel.", "Bring a towel."),
            (
                "<p>City tax: EUR 6.78 to be paid at the hotel.</p>",
                "City tax: EUR 6.78 to be paid at the hotel.",
            ),
            (
                "<ul><li>Free breakfast</li><li>Free WiFi</li></ul>",
                "Free breakfast\nFree WiFi",
            ),
            (
                "<br/><br/>Bed &amp; breakfast<br>Dogs < 5 kg",
                "Bed & breakfast\nDogs < 5 kg",
            ),
            (
                "<b>No</b> <a href=\"https://example.com\">pets</a><script>alert(1)</script>",
                "No pets",
            ),
            ("", ""),
        ] {
            assert_eq!(plain(theirs), ours, "{theirs}");
        }
        let long = "word ".repeat(150);
        assert_eq!(plain(&long), long.trim());
        let mut texts = vec!["<p> </p>".to_owned(), "<p>No pets.</p>".to_owned()];
        plain_each(&mut texts);
        assert_eq!(texts, ["No pets."]);
    }
}
