//! Texts in people's own words, and characters that no text has since nobody sees them.

use std::{fmt, ops::RangeInclusive};

use serde::{Deserialize, Serialize};

/// Characters that have no shape of their own: some turn the direction of the text after them, others part words that look
/// like one. Joiners, which some scripts need within a word, are not among them.
pub const INVISIBLE: [RangeInclusive<char>; 10] = [
    '\u{ad}'..='\u{ad}',
    '\u{61c}'..='\u{61c}',
    '\u{115f}'..='\u{1160}',
    '\u{180e}'..='\u{180e}',
    '\u{200b}'..='\u{200b}',
    '\u{200e}'..='\u{200f}',
    '\u{2028}'..='\u{202e}',
    '\u{2060}'..='\u{206f}',
    '\u{feff}'..='\u{feff}',
    '\u{fff9}'..='\u{fffb}',
];

/// Whether it is one of [`INVISIBLE`].
pub fn is_invisible(character: char) -> bool {
    INVISIBLE.iter().any(|range| range.contains(&character))
}

/// What somebody says beside what they want. It may speak of people: its `Debug` tells nothing of it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Remarks(String);

impl Remarks {
    /// As it is said.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// What is said.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Remarks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Remarks")
    }
}
