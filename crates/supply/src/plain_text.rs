//! What suppliers say in words, as people read it: entities and tags of HTML are gone, and so is what nobody sees.
//!
//! For names and texts alone. Keys, ids and codes go back to the supplier as they came, byte for byte.

use std::borrow::Cow;

use html2text::{config, render::TrivialDecorator};
use wayfare_domain::is_invisible;

/// Characters of the longest line: no text should be broken where its author did not.
const LONGEST_LINE: usize = 1_000;
/// No entity is longer, with its signs.
const LONGEST_ENTITY: usize = 40;
/// Elements whose content nobody reads.
const UNREAD: [&str; 2] = ["script", "style"];

/// A name on one line: of a hotel, a room, an airline, a fare, a board, a street. Entities are decoded once, tags part words,
/// and after that controls and marks of direction are taken out. None where nothing is left.
pub fn name(text: &str) -> Option<Cow<'_, str>> {
    if text.bytes().all(is_plain) {
        let text = text.trim();
        return (!text.is_empty()).then_some(Cow::Borrowed(text));
    }
    let decoded = match text.contains(['&', '<']) {
        true => Cow::Owned(without_tags(&decoded(&without_tags(text))).into_owned()),
        false => Cow::Borrowed(text),
    };
    let is_clean = |c: char| !c.is_control() && !is_invisible(c);
    let clean = match decoded.chars().all(is_clean) {
        true => decoded,
        false => {
            let shown = decoded.chars().filter(|c| c.is_whitespace() || is_clean(*c));
            let on_a_line = shown.map(|c| if c.is_control() || is_invisible(c) { ' ' } else { c });
            Cow::Owned(on_a_line.collect())
        }
    };
    let clean = match clean {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
        Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
    };
    (!clean.is_empty()).then_some(clean)
}

fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') && !matches!(byte, b'&' | b'<')
}

/// The same of what may not be there.
pub fn name_of<T: std::ops::Deref<Target = str>>(text: &Option<T>) -> Option<Cow<'_, str>> {
    name(text.as_deref()?)
}

/// A text as a guest reads it: without tags, each paragraph and item on a line of its own, without what nobody sees. One
/// that can't be read so stays as it came, but for that.
pub fn text(text: &str) -> String {
    // As nearly all are written.
    if text.bytes().all(is_plain) {
        return text.trim().to_owned();
    }
    let plain = match text.contains(['&', '<']) {
        true => {
            let read = without_html(text);
            // A page within the text of another: `&lt;p&gt;`.
            Cow::Owned(if next_tag(&read).is_some() { without_html(&read) } else { read })
        }
        false => Cow::Borrowed(text),
    };
    let is_shown = |c: &char| *c == '\n' || (!c.is_control() && !is_invisible(*c) && *c != NOTHING);
    let lines = plain.replace("\r\n", "\n").replace(['\r', '\u{2028}', '\u{2029}', '\u{85}'], "\n");
    let shown: String = lines.replace('\t', " ").chars().filter(is_shown).collect();
    shown.trim().to_owned()
}

fn without_html(text: &str) -> String {
    let reader = config::with_decorator(TrivialDecorator::new()).raw_mode(true);
    let read = reader.string_from_read(text.as_bytes(), LONGEST_LINE);
    read.unwrap_or_else(|_| text.to_owned())
}

/// The same of each; those that say nothing are left out.
pub fn each_text(texts: &mut Vec<String>) {
    for one in texts.iter_mut() {
        *one = text(one);
    }
    texts.retain(|text| !text.is_empty());
}

/// What HTML makes of a character that there is not.
const NOTHING: char = '\u{fffd}';

/// With each entity once decoded, named or by number. What is none, such as that of `AT&T`, stays.
fn decoded(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, from_sign)) = rest.find('&').map(|place| rest.split_at(place)) {
        plain.push_str(before);
        let end = from_sign.char_indices().take(LONGEST_ENTITY).find(|(_, c)| *c == ';');
        let entity = end.and_then(|(end, _)| from_sign.split_at_checked(end + 1));
        rest = match entity {
            Some((entity, after)) if !entity.get(1..).is_some_and(|name| name.contains('&')) => {
                let meant = htmlize::unescape(entity);
                let is_nothing = meant.chars().all(|c| c == NOTHING);
                plain.push_str(if is_nothing { "" } else { &meant });
                after
            }
            _ => {
                plain.push('&');
                from_sign.get(1..).unwrap_or_default()
            }
        };
    }
    plain.push_str(rest);
    plain
}

/// With a blank for each tag, and without the content of those that nobody reads.
fn without_tags(text: &str) -> Cow<'_, str> {
    let mut plain = String::new();
    let mut rest = text;
    let mut has_tags = false;
    while let Some((before, from_tag)) = next_tag(rest) {
        has_tags = true;
        plain.push_str(before);
        if !plain.is_empty() && !plain.ends_with(' ') {
            plain.push(' ');
        }
        let (tag, after) = from_tag.split_once('>').unwrap_or((from_tag, ""));
        let name: String = tag.chars().skip(1).take_while(char::is_ascii_alphanumeric).collect();
        let name = name.to_ascii_lowercase();
        let content = UNREAD.contains(&name.as_str()).then(|| {
            let end = format!("</{name}");
            let place = after.to_ascii_lowercase().find(&end);
            place.and_then(|place| after.get(place..)).unwrap_or_default()
        });
        rest = content.unwrap_or(after).trim_start_matches(' ');
    }
    if !has_tags {
        return Cow::Borrowed(text);
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

/// What is before the next tag, and it with what follows. A sign of less is no tag, unless it is closed.
fn next_tag(text: &str) -> Option<(&str, &str)> {
    let begins = |(place, _): &(usize, &str)| {
        let after = text.get(place + 1..).unwrap_or_default();
        let name = after.strip_prefix('/').unwrap_or(after);
        (name.starts_with(|c: char| c.is_ascii_alphabetic()) || after.starts_with("!--"))
            && after.contains('>')
    };
    let (place, _) = text.match_indices('<').find(begins)?;
    Some(text.split_at(place))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_name_is_what_one_reads_of_it() {
        for (theirs, ours) in [
            ("Hotel &amp; Spa", "Hotel & Spa"),
            ("Caf&eacute; M&#252;ller", "Café Müller"),
            ("L&#x27;H&ocirc;tel &quot;Bleu&quot;", "L'Hôtel \"Bleu\""),
            ("O&#39;Brien&apos;s", "O'Brien's"),
            ("Deluxe &#8211; Sea&nbsp;View", "Deluxe – Sea\u{a0}View"),
            ("Rooms &#150; Suites", "Rooms – Suites"),
            // Once: what a supplier has encoded twice is read once.
            ("Hotel &amp;amp; Spa", "Hotel &amp; Spa"),
            ("&amp;lt;b&amp;gt;", "&lt;b&gt;"),
            ("AT&T B&B R&D; Q&A", "AT&T B&B R&D; Q&A"),
            ("spa&regency", "spa&regency"),
            ("&nosuch; &;&#; &#xZZ;", "&nosuch; &;&#; &#xZZ;"),
            ("<b>Grand</b> Hotel<br/>Berlin", "Grand Hotel Berlin"),
            ("&lt;b&gt;Grand&lt;/b&gt; Hotel", "Grand Hotel"),
            ("Inn<script>alert(1)</script>", "Inn"),
            ("Family room, <12 years, area < 20 m² or > 5", "Family room, <12 years, area < 20 m² or > 5"),
            ("Room <3", "Room <3"),
            ("A &lt; B", "A < B"),
            ("&#61;cmd", "=cmd"),
            ("Sun&#x202E;rise", "Sunrise"),
            ("Sun\u{202e}rise\u{feff}", "Sunrise"),
            ("Ho&#0;tel\u{0}", "Hotel"),
            ("two\nlines\tand a tab", "two lines and a tab"),
            ("  Inn  ", "Inn"),
            ("Hôtel d’Été", "Hôtel d’Été"),
            ("होटल", "होटल"),
            ("ホテル日航", "ホテル日航"),
        ] {
            assert_eq!(name(theirs).as_deref(), Some(ours), "{theirs}");
        }
        for nothing in ["", " ", "&#0;", "\u{202e}", "<p></p>", "&nbsp;", "\u{1}"] {
            assert_eq!(name(nothing), None, "{nothing:?}");
        }
    }

    #[test]
    fn a_text_is_what_one_reads_of_it() {
        for (theirs, ours) in [
            ("Bring a towel.", "Bring a towel."),
            (
                "<p>City tax: EUR 6.78 to be paid at the hotel.</p>",
                "City tax: EUR 6.78 to be paid at the hotel.",
            ),
            ("<ul><li>Free breakfast</li><li>Free WiFi</li></ul>", "Free breakfast\nFree WiFi"),
            ("<br/><br/>Bed &amp; breakfast<br>Dogs < 5 kg", "Bed & breakfast\nDogs < 5 kg"),
            ("<b>No</b> <a href=\"https://example.com\">pets</a><script>alert(1)</script>", "No pets"),
            ("&lt;p&gt;City tax: &amp;euro; 2&lt;/p&gt;", "City tax: € 2"),
            ("Children &lt;5 years are free", "Children <5 years are free"),
            ("One\r\nTwo\rThree", "One\nTwo\nThree"),
            ("Turn&#x202E;ed&#0;", "Turned"),
            ("", ""),
        ] {
            assert_eq!(text(theirs), ours, "{theirs}");
        }
        let long = "word ".repeat(150);
        assert_eq!(text(&long), long.trim());
        let mut texts = vec!["<p> </p>".to_owned(), "<p>No pets.</p>".to_owned()];
        each_text(&mut texts);
        assert_eq!(texts, ["No pets."]);
    }

    proptest! {
        #[test]
        fn no_name_has_what_nobody_sees(theirs in "(.|&#x?[0-9a-f]{1,6};|&[a-z]{2,6};|<[a-z/!]{0,3}>?|[\u{200b}-\u{202e}\u{0}-\u{1f}]){0,12}") {
            if let Some(ours) = name(&theirs) {
                prop_assert!(!ours.is_empty() && ours.trim() == ours);
                prop_assert!(ours.chars().all(|c| !c.is_control() && !is_invisible(c)), "{ours:?}");
            }
            text(&theirs);
        }

        #[test]
        fn what_is_plain_stays_as_it_is(theirs in "[A-Za-zÀ-ž0-9,.'()/-]{1,9}( [A-Za-zÀ-ž0-9,.'()/-]{1,9}){0,3}") {
            let ours = name(&theirs);
            prop_assert_eq!(ours.as_deref(), Some(theirs.as_str()));
        }
    }
}
