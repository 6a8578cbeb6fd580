//! Numbers of payment cards, which no text may have: texts are stored where many read them.

use std::ops::RangeInclusive;

use crate::western_digit;

/// A brand of cards: how its numbers begin, how many digits they have, and in which groups cards print them
/// or people type them.
struct Brand {
    /// Ranges of first digits, both ends of one length.
    begins: &'static [(&'static str, &'static str)],
    digits: RangeInclusive<usize>,
    groups: &'static [&'static [usize]],
}

const FOURS: &[usize] = &[4, 4, 4, 4];
const THREE_FOURS_AND_TWO: &[usize] = &[4, 4, 4, 2];
const THREE_FOURS_AND_THREE: &[usize] = &[4, 4, 4, 3];
const FOURS_AND_TWO: &[usize] = &[4, 4, 4, 4, 2];
const FOURS_AND_THREE: &[usize] = &[4, 4, 4, 4, 3];
const SIX_AND_THIRTEEN: &[usize] = &[6, 13];
const FOUR_SIX_FOUR: &[usize] = &[4, 6, 4];
const FOUR_SIX_FIVE: &[usize] = &[4, 6, 5];

/// Ranges that the brands publish for whoever accepts their cards, within the numbering of ISO/IEC 7812 (D-650). Visa's of 13
/// digits are old ones: tickets have 13, too, and hardly an airline's begin with 4.
const BRANDS: [Brand; 13] = [
    // Visa.
    Brand { begins: &[("4", "4")], digits: 13..=13, groups: &[&[4, 3, 3, 3]] },
    Brand { begins: &[("4", "4")], digits: 16..=16, groups: &[FOURS] },
    Brand { begins: &[("4", "4")], digits: 19..=19, groups: &[FOURS_AND_THREE] },
    // Mastercard.
    Brand { begins: &[("51", "55"), ("2221", "2720")], digits: 16..=16, groups: &[FOURS] },
    // American Express.
    Brand {
        begins: &[("34", "34"), ("37", "37")],
        digits: 15..=15,
        groups: &[FOUR_SIX_FIVE, THREE_FOURS_AND_THREE],
    },
    // Diners Club.
    Brand {
        begins: &[("300", "305"), ("3095", "3095"), ("36", "36"), ("38", "39")],
        digits: 14..=14,
        groups: &[FOUR_SIX_FOUR, THREE_FOURS_AND_TWO],
    },
    Brand {
        begins: &[("300", "305"), ("3095", "3095"), ("36", "36"), ("38", "39")],
        digits: 16..=19,
        groups: &[FOURS, FOURS_AND_TWO, FOURS_AND_THREE],
    },
    // Discover.
    Brand {
        begins: &[("6011", "6011"), ("644", "649"), ("65", "65")],
        digits: 16..=19,
        groups: &[FOURS, FOURS_AND_TWO, FOURS_AND_THREE],
    },
    // JCB.
    Brand { begins: &[("3528", "3589")], digits: 16..=19, groups: &[FOURS, FOURS_AND_TWO, FOURS_AND_THREE] },
    // UnionPay.
    Brand {
        begins: &[("62", "62"), ("81", "81")],
        digits: 16..=19,
        groups: &[FOURS, FOURS_AND_TWO, FOURS_AND_THREE, SIX_AND_THIRTEEN],
    },
    // RuPay.
    Brand {
        begins: &[("508", "508"), ("60", "60"), ("82", "82"), ("353", "353"), ("356", "356")],
        digits: 16..=16,
        groups: &[FOURS],
    },
    // Maestro.
    Brand {
        begins: &[
            ("5018", "5018"),
            ("5020", "5020"),
            ("5038", "5038"),
            ("5893", "5893"),
            ("6304", "6304"),
            ("6759", "6759"),
            ("6761", "6763"),
        ],
        digits: 13..=19,
        groups: &[&[4, 4, 5], FOUR_SIX_FIVE, FOURS, FOURS_AND_TWO, FOURS_AND_THREE],
    },
    // Mir.
    Brand { begins: &[("2200", "2204")], digits: 16..=19, groups: &[FOURS, FOURS_AND_TWO, FOURS_AND_THREE] },
];

impl Brand {
    fn has(&self, digits: &str) -> bool {
        let begins = |(first, last): &(&str, &str)| {
            digits.get(..first.len()).is_some_and(|begin| (*first..=*last).contains(&begin))
        };
        self.digits.contains(&digits.len()) && self.begins.iter().any(begins)
    }
}

/// What is said of a text in which one stands.
pub const NO_CARD_NUMBER: &str = "must not contain a card number";

/// Whether a number of a payment card stands in the text: as many digits as a brand's cards have, which begin as these do and
/// end with a right check digit, together or in the groups of that brand. What parts groups is a blank, a hyphen, a point, a
/// slash or an underscore, or several of them.
///
/// A bank's reference, or an amount beside a date, is none: digits in other groups are numbers of their own.
pub fn has_card_number(text: &str) -> bool {
    let parts = |c: char| c.is_whitespace() || matches!(c, '-' | '.' | '/' | '_' | '\u{2010}'..='\u{2015}');
    let text: String = text.chars().map(|c| western_digit(c).unwrap_or(c)).collect();
    text.split(|c: char| !c.is_ascii_digit() && !parts(c)).any(|run| {
        let groups: Vec<&str> = run.split(parts).filter(|group| !group.is_empty()).collect();
        (0..groups.len()).any(|first| groups.get(first..).is_some_and(starts_with_card_number))
    })
}

/// Whether the first of these groups of digits is a card's number, or the first of them together are.
fn starts_with_card_number(groups: &[&str]) -> bool {
    let is_card = |brand: &Brand, digits: &str| brand.has(digits) && has_check_digit(digits);
    BRANDS.iter().any(|brand| {
        let together = groups.first().is_some_and(|digits| is_card(brand, digits));
        together
            || brand.groups.iter().any(|lengths| {
                let printed = groups.get(..lengths.len()).unwrap_or_default();
                let lengths_fit = !printed.is_empty()
                    && printed.iter().map(|group| group.len()).eq(lengths.iter().copied());
                lengths_fit && is_card(brand, &printed.concat())
            })
    })
}

/// Luhn's: every second digit from the right counts twice, and the sum of all digits ends with 0.
fn has_check_digit(digits: &str) -> bool {
    let values = digits.chars().rev().filter_map(|digit| digit.to_digit(10));
    let counted = (0..).zip(values).map(|(place, digit): (u32, u32)| match place % 2 {
        0 => digit,
        _ => digit / 5 + 2 * digit % 10,
    });
    counted.sum::<u32>() % 10 == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_cards_are_found_together_and_in_the_groups_of_their_brand() {
        for text in [
            "4111111111111111",
            "pay with 4111 1111 1111 1111, please",
            "card:5500-0000-0000-0004.",
            "2223 0031 2200 3222",
            "room 12 378282246310005",
            "3782 822463 10005",
            "3782 8224 6310 005",
            "3056 930902 5904",
            "3056 9309 0259 04",
            "４１１１ １１１１ １１１１ １１１１",
            "٤١١١١١١١١١١١١١١١",
            "4111/1111/1111/1111",
            "4111_1111_1111_1111",
            "30569309025904",
            "6011000990139424 till 12/29",
            "4222222222222",
            "4222 222 222 222",
            "6304000000000000000",
            "3530 1113 3330 0000",
            "6200 0000 0000 0005",
            "6521 1111 1111 1110",
            "6080 3227 4835 5359",
            "4111111111111111 2",
            "4111.1111.1111.1111",
            "4111  1111 1111 1111",
            "4111\u{a0}1111\u{a0}1111\u{a0}1111",
            "4111\u{2011}1111\u{2011}1111\u{2011}1111",
            "Visa4111111111111111",
            "ref 20261127153009, 5500 0000 0000 0004",
        ] {
            assert!(has_card_number(text), "{text}");
        }
    }

    #[test]
    fn references_amounts_dates_telephones_and_tickets_are_no_cards() {
        for text in [
            "NEFT ref 20261127153009",
            "Top-up 250000 2026-12-03",
            "UTR 2026112715300917",
            "HDFCR52026112700123456",
            "IMPS 633112345678",
            "4111 1111 1111 1112",
            "4111 11 1111 111111",
            "411111111111",
            "41111111111111110000",
            "call +91 98123 45678",
            "ticket 0982412345679, please",
            "098-2412345679",
            "125-4567890128",
            "order 1234567890123452",
            "AWB 7777 0000 0000 0002",
            "27AAPFU0939F1ZV",
            "two days later",
            "",
        ] {
            assert!(!has_card_number(text), "{text}");
        }
    }

    /// Of what banks and accountants write, all days of a year are tried, with each number behind them.
    #[test]
    fn no_reference_that_begins_with_a_day_is_a_card() {
        for (day, number) in (0..366).flat_map(|day| [7_u32, 4_211, 153_009].map(|number| (day, number))) {
            let date = chrono::NaiveDate::from_yo_opt(2028, 1 + day).unwrap();
            for text in [
                format!("{}{number:06}", date.format("%Y%m%d")),
                format!("{}{number:08}", date.format("%Y%m%d")),
                format!("{number}0000 {date}"),
                format!("{date} {number}.00"),
            ] {
                assert!(!has_card_number(&text), "{text}");
            }
        }
    }
}
