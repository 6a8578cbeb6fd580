//! Telephone numbers as people write them, read by the rules of their country: what is dialled before a number there, how many
//! digits numbers have, and which calling codes there are.
//!
//! The rules are libphonenumber's metadata (`data/calling_codes.csv`). A number of a range that they do not know passes, since
//! ranges are opened faster than tables are renewed; a length or a calling code that they do not know does not (D-651).

use std::{fmt, sync::LazyLock};
use wayfare_domain::western_digit;

use regex_lite::Regex;

const FILE: &str = include_str!("../data/calling_codes.csv");

/// Nothing is lost here: a test reads the same file and fails if one row of it is refused.
static PLANS: LazyLock<Vec<Plan>> = LazyLock::new(|| rows(FILE).filter_map(Result::ok).collect());

/// What is dialled before a calling code nearly everywhere; where something else is, this is typed all the same.
const USUAL_INTERNATIONAL_PREFIX: &str = "00";

/// How numbers behind one calling code are written.
struct Plan {
    code: String,
    /// The countries that have it, alpha-2.
    regions: String,
    /// A pattern of what is dialled there before the calling code of another country.
    international_prefix: String,
    /// A pattern of what is dialled before a number within the country.
    national_prefix: String,
    /// What the prefix is replaced by, where its groups have digits of the number.
    rewritten: String,
    lengths: Vec<usize>,
    /// A pattern of all numbers that are in use.
    pattern: String,
}

/// A telephone number behind a calling code that exists, with as many digits as numbers there may have.
#[derive(Clone, PartialEq, Eq)]
pub struct Telephone {
    calling_code: &'static str,
    national: String,
    is_international: bool,
}

/// Why a text is no telephone number. Its text is what is said at the field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
pub enum TelephoneFault {
    /// It has letters or signs, or no digit.
    NotDigits,
    /// No country has the calling code.
    UnknownCode,
    /// It does not say its country, and nobody else does.
    NoCode,
    /// No number of the country is so long.
    Length {
        /// The country's calling code.
        calling_code: &'static str,
        /// How many digits it has behind the calling code.
        digits: usize,
    },
}

impl Telephone {
    /// The number that the text means. `home` is the calling code that counts where the text has none: digits, or empty.
    ///
    /// # Errors
    /// What the text lacks.
    pub fn read(text: &str, home: &str) -> Result<Self, TelephoneFault> {
        let (has_plus, digits) = digits(text).ok_or(TelephoneFault::NotDigits)?;
        if has_plus {
            return Self::international(&digits);
        }
        let home = plan(home);
        let dialled: Vec<Self> =
            dialled_abroad(&digits, home).filter_map(|rest| Self::international(rest).ok()).collect();
        let dialled = dialled.iter().find(|number| number.is_in_use()).or(dialled.first());
        if let Some(dialled) = dialled {
            return Ok(dialled.clone());
        }
        Self::of(home.ok_or(TelephoneFault::NoCode)?, &digits, false)
    }

    fn international(digits: &str) -> Result<Self, TelephoneFault> {
        let (plan, rest) = split_code(digits).ok_or(TelephoneFault::UnknownCode)?;
        Self::of(plan, rest, true)
    }

    fn of(plan: &'static Plan, digits: &str, is_international: bool) -> Result<Self, TelephoneFault> {
        let national = plan.national(digits);
        if !plan.has_length(&national) {
            return Err(TelephoneFault::Length { calling_code: &plan.code, digits: national.len() });
        }
        Ok(Self { calling_code: &plan.code, national, is_international })
    }

    /// As E.164 writes it: `+919812345678`.
    pub fn e164(&self) -> String {
        format!("+{}{}", self.calling_code, self.national)
    }

    /// As it was typed, tidied up: E.164 where the text had the calling code itself, else its digits behind the calling code,
    /// without what is dialled before them within the country.
    pub fn as_typed(&self) -> String {
        match self.is_international {
            true => self.e164(),
            false => self.national.clone(),
        }
    }

    /// Its digits behind the calling code.
    pub fn national(&self) -> &str {
        &self.national
    }

    /// Whether numbers of its range are known to be in use.
    pub fn is_in_use(&self) -> bool {
        plan(self.calling_code).is_some_and(|plan| plan.is_in_use(&self.national))
    }

    /// Whether the text had the calling code itself.
    pub fn is_international(&self) -> bool {
        self.is_international
    }
}

/// The number is somebody's: no log shows it.
impl fmt::Debug for Telephone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Telephone")
    }
}

impl fmt::Display for TelephoneFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotDigits => f.write_str("must be a telephone number, such as +91 98123 45678"),
            Self::UnknownCode => f.write_str("has a calling code that no country has"),
            Self::NoCode => f.write_str("needs the calling code of its country, such as +91"),
            Self::Length { calling_code, digits } => {
                write!(f, "has {digits} digits behind +{calling_code}, which no number there has")
            }
        }
    }
}

/// The calling code that a text means, and what it has of the number behind it: some countries share a code and are told apart
/// by the digits after it, as in `1-684`.
pub fn calling_code(text: &str) -> Option<(&'static str, String)> {
    let (_, digits) = digits(text)?;
    let digits = digits.strip_prefix(USUAL_INTERNATIONAL_PREFIX).unwrap_or(&digits);
    let (plan, rest) = split_code(digits)?;
    let is_shared = plan.regions.contains('|');
    (is_shared || rest.is_empty()).then(|| (plan.code.as_str(), rest.to_owned()))
}

/// The calling code of a country, alpha-2.
pub fn calling_code_of(country: &str) -> Option<&'static str> {
    let has = |plan: &&Plan| plan.regions.split('|').any(|region| region == country);
    PLANS.iter().find(has).map(|plan| plan.code.as_str())
}

/// The digits of a text that has nothing else than digits, what people part them by, and perhaps a plus.
pub fn telephone_digits(text: &str) -> Option<String> {
    digits(text).map(|(_, digits)| digits)
}

impl Plan {
    /// The number without what is dialled before it, and without the calling code where that was typed twice.
    fn national(&self, digits: &str) -> String {
        let plain = self.without_national_prefix(digits);
        let again = plain.strip_prefix(&self.code).map(|rest| self.without_national_prefix(rest));
        match again {
            Some(rest) if self.is_likelier(&rest, &plain) => rest,
            _ => plain,
        }
    }

    fn is_likelier(&self, one: &str, other: &str) -> bool {
        (self.has_length(one) && !self.has_length(other)) || (self.is_in_use(one) && !self.is_in_use(other))
    }

    fn without_national_prefix(&self, digits: &str) -> String {
        let Some(dialled) = at_start(&self.national_prefix).and_then(|prefix| prefix.captures(digits)) else {
            return digits.to_owned();
        };
        let behind = dialled.get(0).and_then(|prefix| digits.get(prefix.end()..)).unwrap_or(digits);
        // A prefix whose groups matched nothing has no digit of the number.
        let has_digits = dialled.iter().skip(1).last().flatten().is_some();
        let mut number = String::new();
        if has_digits {
            dialled.expand(&self.rewritten, &mut number);
        }
        number += behind;
        let is_lost = (self.is_in_use(digits) && !self.is_in_use(&number))
            || (self.has_length(digits) && !self.has_length(&number));
        if is_lost { digits.to_owned() } else { number }
    }

    fn has_length(&self, national: &str) -> bool {
        self.lengths.contains(&national.len())
    }

    fn is_in_use(&self, national: &str) -> bool {
        Regex::new(&format!("^(?:{})$", self.pattern)).is_ok_and(|pattern| pattern.is_match(national))
    }
}

fn plan(code: &str) -> Option<&'static Plan> {
    PLANS.iter().find(|plan| plan.code == code)
}

/// No calling code begins with another one.
fn split_code(digits: &str) -> Option<(&'static Plan, &str)> {
    let plan = PLANS.iter().find(|plan| digits.starts_with(&plan.code))?;
    Some((plan, digits.get(plan.code.len()..)?))
}

/// What may stand behind what is dialled for another country, where no number begins with 0. There are two readings where a
/// country wants the code of a carrier in between, as Brazil does.
fn dialled_abroad<'a>(digits: &'a str, home: Option<&Plan>) -> impl Iterator<Item = &'a str> {
    let own = home.map(|plan| plan.international_prefix.as_str());
    let behind = |prefix: &str| {
        let dialled = at_start(prefix)?.find(digits)?;
        digits.get(dialled.end()..).filter(|rest| !rest.starts_with('0'))
    };
    let readings = [Some(USUAL_INTERNATIONAL_PREFIX), own].map(|prefix| prefix.and_then(behind));
    readings.into_iter().flatten()
}

fn at_start(pattern: &str) -> Option<Regex> {
    if pattern.is_empty() {
        return None;
    }
    Regex::new(&format!("^(?:{pattern})")).ok()
}

/// Whether the text begins with a plus, and its digits, if it has nothing else than digits and what people part them by.
fn digits(text: &str) -> Option<(bool, String)> {
    let text = text.trim_start_matches(|c: char| is_separator(c));
    let text = match text.split_at_checked(4) {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("tel:") => {
            rest.trim_start_matches(|c: char| is_separator(c))
        }
        _ => text,
    };
    // A spreadsheet's cell that is a number has a decimal.
    let whole = text.trim_end().strip_suffix(".0");
    let text = whole.filter(|whole| !whole.contains('.')).unwrap_or(text);
    let digits = text.trim_start_matches(['+', '\u{ff0b}']);
    let has_plus = digits.len() < text.len();
    let digits: Option<String> = digits.chars().filter(|c| !is_separator(*c)).map(western_digit).collect();
    digits.filter(|digits| !digits.is_empty()).map(|digits| (has_plus, digits))
}

/// Blanks, hyphens, brackets and points; and the marks of direction that telephones copy along.
fn is_separator(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '-' | '.' | '/' | '(' | ')' | '[' | ']' | '~' | '\u{ad}' | '\u{b7}' | '\u{2212}' | '\u{ff0d}'
        )
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2010}'..='\u{2015}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// Each row as a plan, or the words that say what is wrong with it.
fn rows(file: &'static str) -> impl Iterator<Item = Result<Plan, String>> {
    csv::Reader::from_reader(file.as_bytes()).into_deserialize().map(|row| {
        let row: (String, String, String, String, String, String, String) =
            row.map_err(|unreadable| unreadable.to_string())?;
        let (code, regions, international_prefix, national_prefix, rewritten, lengths, pattern) = row;
        let lengths: Result<Vec<usize>, _> = lengths.split('|').map(str::parse).collect();
        Ok(Plan {
            lengths: lengths.map_err(|_| format!("lengths that are no numbers, of {code}"))?,
            code,
            regions,
            international_prefix,
            national_prefix,
            rewritten,
            pattern,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn e164(text: &str, home: &str) -> Result<String, TelephoneFault> {
        Telephone::read(text, home).map(|number| number.e164())
    }

    #[test]
    fn every_row_of_the_file_is_a_plan_whose_patterns_can_be_read() {
        let refused: Vec<String> = rows(FILE).filter_map(Result::err).collect();
        assert!(refused.is_empty(), "{refused:#?}");
        assert_eq!(PLANS.len(), 215);
        for plan in PLANS.iter() {
            for pattern in [&plan.international_prefix, &plan.national_prefix, &plan.pattern] {
                assert!(Regex::new(pattern).is_ok(), "{}: {pattern}", plan.code);
            }
            let others = PLANS.iter().filter(|other| other.code.starts_with(&plan.code)).count();
            assert_eq!(others, 1, "another code begins with {}", plan.code);
        }
    }

    /// Numbers that the source gives as examples of each country: landlines, mobiles, free numbers, and those of the network.
    #[test]
    fn the_examples_of_every_country_are_read_as_they_are_written_there_and_abroad() {
        let file = include_str!("../tests/telephones.csv");
        let mut tried = 0;
        for row in csv::Reader::from_reader(file.as_bytes()).into_records() {
            let row = row.unwrap();
            let (code, number) = (&row[1], &row[2]);
            let national = number.strip_prefix('+').and_then(|digits| digits.strip_prefix(code)).unwrap();
            let ways = [
                number.to_owned(),
                row[3].to_owned(),
                row[4].to_owned(),
                national.to_owned(),
                format!("00{}", &number[1..]),
            ];
            for text in ways {
                assert_eq!(e164(&text, code).as_deref(), Ok(number), "{text:?} in {}", &row[0]);
                tried += 1;
            }
        }
        assert_eq!(tried, 5 * 760);
    }

    #[test]
    fn numbers_are_read_as_people_copy_them() {
        for (text, home, number) in [
            ("9812345678", "91", "+919812345678"),
            ("09812345678", "91", "+919812345678"),
            ("919812345678", "91", "+919812345678"),
            ("+91 91 98123 45678", "", "+919812345678"),
            ("+91 098123 45678", "", "+919812345678"),
            ("0091 98123-45678", "91", "+919812345678"),
            ("0091-98123-45678", "", "+919812345678"),
            ("++919812345678", "91", "+919812345678"),
            ("\u{202a}+91\u{a0}98123\u{a0}45678\u{202c}", "", "+919812345678"),
            ("+९१ ९८१२३ ४५६७८", "", "+919812345678"),
            ("\u{ff0b}\u{ff19}\u{ff11}9812345678", "", "+919812345678"),
            ("+44 (0)20 7946 0018", "", "+442079460018"),
            ("020 7946 0018", "44", "+442079460018"),
            ("tel:+1-202-555-0129", "", "+12025550129"),
            ("Tel: +1-202-555-0129", "", "+12025550129"),
            ("9812345678.0", "91", "+919812345678"),
            ("919812345678.0", "91", "+919812345678"),
            ("06.12.34.56.70", "33", "+33612345670"),
            ("1 (202) 555.0129", "1", "+12025550129"),
            ("011 44 20 7946 0018", "1", "+442079460018"),
            ("050 123 4567", "971", "+971501234567"),
            ("+971 (0) 50 123 4567", "", "+971501234567"),
            ("06 698 12345", "39", "+390669812345"),
            ("+39 (06) 698/12345", "", "+390669812345"),
            ("8 (912) 345-67-89", "7", "+79123456789"),
            ("8~10 44 20 7946 0018", "7", "+442079460018"),
            ("06 20 123 4567", "36", "+36201234567"),
            ("011 15-2345-6789", "54", "+5491123456789"),
            // A range that nobody has opened yet.
            ("+91 1000000000", "", "+911000000000"),
        ] {
            assert_eq!(e164(text, home).as_deref(), Ok(number), "{text:?} behind {home:?}");
        }
    }

    #[test]
    fn what_no_country_has_is_refused_with_its_reason() {
        let length = |calling_code, digits| TelephoneFault::Length { calling_code, digits };
        for (text, home, fault) in [
            ("+358123456789012345", "", length("358", 15)),
            ("123456789012345", "358", length("358", 15)),
            ("+1 202 555 012", "", length("1", 9)),
            ("12", "91", length("91", 2)),
            ("+999 1234567", "", TelephoneFault::UnknownCode),
            ("+0 1234567", "", TelephoneFault::UnknownCode),
            ("9812345678", "", TelephoneFault::NoCode),
            ("9812345678", "999", TelephoneFault::NoCode),
            ("call me", "91", TelephoneFault::NotDigits),
            ("98123 45678 ext 12", "91", TelephoneFault::NotDigits),
            ("98123\u{7}45678", "91", TelephoneFault::NotDigits),
            ("+", "91", TelephoneFault::NotDigits),
            ("", "91", TelephoneFault::NotDigits),
        ] {
            assert_eq!(e164(text, home), Err(fault), "{text:?} behind {home:?}");
        }
        assert_eq!(length("358", 15).to_string(), "has 15 digits behind +358, which no number there has");
        assert_eq!(format!("{:?}", Telephone::read("+919812345678", "").unwrap()), "Telephone");
    }

    #[test]
    fn calling_codes_are_read_in_the_forms_of_lists_of_countries() {
        for (text, code) in [
            ("91", Some(("91", ""))),
            ("+91", Some(("91", ""))),
            ("+ 91 ", Some(("91", ""))),
            ("0091", Some(("91", ""))),
            ("1-684", Some(("1", "684"))),
            ("+44-1481", Some(("44", "1481"))),
            ("999", None),
            ("9191", None),
            ("IN", None),
            ("", None),
        ] {
            let read = calling_code(text);
            assert_eq!(read.as_ref().map(|(code, rest)| (*code, rest.as_str())), code, "{text:?}");
        }
    }
    #[test]
    fn countries_have_their_calling_codes() {
        for (country, code) in [
            ("IN", Some("91")),
            ("AE", Some("971")),
            ("US", Some("1")),
            ("CA", Some("1")),
            ("KZ", Some("7")),
            ("JE", Some("44")),
            ("ZZ", None),
            ("", None),
        ] {
            assert_eq!(calling_code_of(country), code, "{country:?}");
        }
    }
}
