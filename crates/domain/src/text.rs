//! Texts in people's own words, and what texts must not have: characters that nobody sees, and numbers of cards.

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

/// How many digits numbers of cards have.
const CARD_DIGITS: RangeInclusive<usize> = 13..=19;

/// Whether a number of a payment card stands in the text: 13 to 19 digits, together or in groups that a blank or a hyphen
/// parts, with a right check digit and a first digit of an issuer (D-255).
pub fn has_card_number(text: &str) -> bool {
    let is_of_number = |c: char| c.is_ascii_digit() || c == ' ' || c == '-';
    text.split(|c| !is_of_number(c)).any(|run| {
        let groups: Vec<&str> = run.split([' ', '-']).collect();
        (0..groups.len()).any(|first| starts_with_card_number(groups.iter().skip(first)))
    })
}

/// Whether the first of these groups of digits are a card's number. An empty one is where two blanks or hyphens meet.
fn starts_with_card_number<'a>(groups: impl Iterator<Item = &'a &'a str>) -> bool {
    let mut digits = String::new();
    for group in groups.take_while(|group| !group.is_empty()) {
        digits += group;
        if digits.len() > *CARD_DIGITS.end() {
            return false;
        }
        if CARD_DIGITS.contains(&digits.len()) && has_issuer(&digits) && has_check_digit(&digits) {
            return true;
        }
    }
    false
}

/// Whether cards of so many digits begin so (ISO/IEC 7812). Those of 13 are Visa's old ones: tickets have 13, too, and hardly
/// an airline's begin with 4.
fn has_issuer(digits: &str) -> bool {
    match (digits.len(), digits.as_bytes().first()) {
        (13, first) => first == Some(&b'4'),
        (_, first) => matches!(first, Some(b'2'..=b'6' | b'8')),
    }
}

/// Luhn's: every second digit from the right counts twice, and the sum of all digits ends with 0.
fn has_check_digit(digits: &str) -> bool {
    let values = digits.chars().rev().filter_map(|digit| digit.to_digit(10));
    let counted = (0..)
        .zip(values)
        .map(|(place, digit): (u32, u32)| match place % 2 {
            0 => digit,
            _ => digit / 5 + 2 * digit % 10,
        });
    counted.sum::<u32>() % 10 == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_cards_are_found_in_whatever_groups_and_nothing_else() {
        for (text, expected) in [
            ("4111111111111111", true),
            ("pay with 4111 1111 1111 1111, please", true),
            ("card:5500-0000-0000-0004.", true),
            ("room 12 378282246310005", true),
            ("6011000990139424 till 12/29", true),
            ("4222222222222", true),
            ("6304000000000000000", true),
            ("4111 1111 1111 1112", false),
            ("4111  1111 1111 1111", false),
            ("4111111111111111 2", true),
            ("411111111111", false),
            ("41111111111111110000", false),
            ("call +91 98123 45678", false),
            ("ticket 0982412345679, please", false),
            ("098-2412345679", false),
            ("order 1234567890123452", false),
            ("two days later", false),
            ("", false),
        ] {
            assert_eq!(has_card_number(text), expected, "{text}");
        }
    }
}
