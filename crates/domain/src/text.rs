//! Characters that nobody sees, and that change what people see of a text.

use std::ops::RangeInclusive;

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
