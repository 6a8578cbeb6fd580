//! The papers of a booking: what an airline or the tax office wants of travellers beside their names.

use std::{collections::BTreeMap, fmt, sync::LazyLock};

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What stands on a paper, mostly a number that identifies a person or a company. It is read once, at the border, and no log shows it.
macro_rules! personal_number {
    ($($(#[$meta:meta])* $name:ident: $rule:literal, $read:expr;)*) => {$(
        $(#[$meta])*
        #[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(try_from = "String")]
        pub struct $name(String);

        impl $name {
            /// The number, if the text is one.
            pub fn read(text: &str) -> Option<Self> {
                let read: fn(&str) -> Option<String> = $read;
                read(text).map(Self)
            }

            /// The number as suppliers are sent it.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = &'static str;

            /// Says by what rule a text is none.
            fn try_from(text: String) -> Result<Self, &'static str> {
                Self::read(&text).ok_or($rule)
            }
        }

        hidden!($name);
    )*};
}

/// A `Debug` that shows no value, so that no log line and no message of a panic does.
macro_rules! hidden {
    ($($name:ident),*) => {$(
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($name), "(..)"))
            }
        }
    )*};
}

personal_number! {
    /// A passport's: 5 to 15 capital letters and digits.
    DocumentNumber: "must be 5 to 15 letters and digits", |text| letters_and_digits(text, 5, 15);
    /// A tax office's for a person: 4 to 20 capital letters and digits.
    TaxNumber: "must be 4 to 20 letters and digits", |text| letters_and_digits(text, 4, 20);
    /// The Indian tax office's for a person: `ABCDE1234F`.
    Pan: "is not a PAN", |text| letters_and_digits(text, 10, 10).filter(|pan| has_shape(pan, "AAAAA9999A"));
    /// A student's or a senior's paper, as it is printed there.
    FareDocumentNumber: "must be 1 to 30 letters, digits, hyphens and slashes", fare_document_number;
    /// That by which the United States know a traveller whom they have checked.
    KnownTravellerNumber: "must be 5 to 25 letters and digits", |text| letters_and_digits(text, 5, 25);
    /// That by which the United States know a traveller who was mistaken for somebody else.
    RedressNumber: "must be 5 to 13 letters and digits", |text| letters_and_digits(text, 5, 13);
    /// Of a member in an airline's programme.
    LoyaltyNumber: "must be 2 to 25 letters and digits", |text| letters_and_digits(text, 2, 25);
    /// A company's in India's goods and services tax (GSTIN), or that of any other holder that the law knows, with its check digit.
    GstNumber: "is not a GSTIN", |text| letters_and_digits(text, 15, 15).filter(|number| is_gstin(number));
}

impl DocumentNumber {
    /// As answers show it: `****4567`.
    pub fn masked(&self) -> String {
        let from = self.0.len().saturating_sub(4);
        format!("****{}", self.0.get(from..).unwrap_or_default())
    }
}

/// The papers of everybody on a booking. They are held apart from [`crate::Traveller`]s, since they are forgotten earlier.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookingPapers {
    /// By the index of the traveller; who has none is left out.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub travellers: BTreeMap<u32, Papers>,
    /// To whom the tax is invoiced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gst: Option<Gst>,
}

impl BookingPapers {
    /// Whether nobody gave any.
    pub fn is_empty(&self) -> bool {
        self.travellers.is_empty() && self.gst.is_none()
    }

    /// Those of one traveller; empty of who gave none.
    pub fn of(&self, index: u32) -> &Papers {
        static NONE: LazyLock<Papers> = LazyLock::new(Papers::default);
        self.travellers.get(&index).unwrap_or(&NONE)
    }

    /// What in them tells of somebody wherever it stands, and is taken out of notes and suppliers' texts. A word of many texts is
    /// not, such as a country or a town.
    pub fn telling(&self) -> Value {
        let Self { travellers, gst } = self;
        let travellers: Vec<Value> = travellers.values().map(Papers::telling).collect();
        let of_company = |Gst { number, company_name, address, email, phone }: &Gst| {
            json!([number, company_name, address, email, phone])
        };
        json!([travellers, gst.as_ref().map(of_company)])
    }
}

/// The papers of one traveller.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Papers {
    /// With which borders are crossed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<Document>,
    /// As a taxpayer of some country.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tax_id: Option<TaxId>,
    /// As a taxpayer of India.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pan: Option<Pan>,
    /// What gives a right to a cheaper fare.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fare_document: Option<FareDocument>,
    /// See [`KnownTravellerNumber`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known_traveller_number: Option<KnownTravellerNumber>,
    /// See [`RedressNumber`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redress_number: Option<RedressNumber>,
}

impl Papers {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// These, and those of the others that are not among them.
    #[must_use]
    pub fn or(self, others: Self) -> Self {
        Self {
            document: self.document.or(others.document),
            tax_id: self.tax_id.or(others.tax_id),
            pan: self.pan.or(others.pan),
            fare_document: self.fare_document.or(others.fare_document),
            known_traveller_number: self.known_traveller_number.or(others.known_traveller_number),
            redress_number: self.redress_number.or(others.redress_number),
        }
    }

    /// See [`BookingPapers::telling`]: numbers and days.
    fn telling(&self) -> Value {
        let Self { document, tax_id, pan, fare_document, known_traveller_number, redress_number } = self;
        let document = document.as_ref().map(|document| {
            let Document { number, issuing_country: _, nationality: _, issued_on, expires_on } = document;
            json!([number, issued_on, expires_on])
        });
        let tax_id = tax_id.as_ref().map(|TaxId { number, country: _ }| number);
        let fare_document = fare_document.as_ref().map(|FareDocument { kind: _, number }| number);
        json!([document, tax_id, pan, fare_document, known_traveller_number, redress_number])
    }
}

/// A passport: no supplier takes another document.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// Without blanks and hyphens.
    pub number: DocumentNumber,
    /// Alpha-2.
    pub issuing_country: String,
    /// Alpha-2.
    pub nationality: String,
    /// The first day on which it was valid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issued_on: Option<NaiveDate>,
    /// The last day on which it is valid.
    pub expires_on: NaiveDate,
}

/// How a country's tax office knows a traveller.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaxId {
    /// Without blanks and hyphens.
    pub number: TaxNumber,
    /// Alpha-2.
    pub country: String,
}

crate::word_enum! {
    /// What a fare document shows.
    pub enum FareDocumentKind {
        /// Who has it studies.
        Student,
        /// Who has it is old enough for a senior's fare.
        Senior,
    }
}

/// A paper that gives a right to a cheaper fare.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FareDocument {
    /// What it shows.
    #[serde(rename = "type")]
    pub kind: FareDocumentKind,
    /// As printed.
    pub number: FareDocumentNumber,
}

/// The company to which India's goods and services tax is invoiced.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gst {
    /// Its registration.
    pub number: GstNumber,
    /// As registered, at most [`Gst::LONGEST_NAME`] characters.
    pub company_name: String,
    /// At most [`Gst::LONGEST_ADDRESS`] characters.
    pub address: String,
    /// Where the invoice goes.
    pub email: String,
    /// The company's.
    pub phone: String,
}

impl Gst {
    /// Characters of a company's name.
    pub const LONGEST_NAME: usize = 35;
    /// Characters of its address.
    pub const LONGEST_ADDRESS: usize = 70;
}

/// A traveller's membership in an airline's programme. It belongs to the person and is kept as long as the name.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loyalty {
    /// The airline's code, as IATA has it.
    pub airline: String,
    /// The member's.
    pub number: LoyaltyNumber,
}

impl Loyalty {
    /// Of how many programmes one traveller is a member on one booking.
    pub const MOST: usize = 5;
}

hidden!(BookingPapers, Papers, Document, TaxId, FareDocument, Gst, Loyalty);

/// The text in capitals, without what people and printers part it by, if it is so many letters and digits.
fn letters_and_digits(text: &str, fewest: usize, most: usize) -> Option<String> {
    let plain: String = text
        .chars()
        .filter(|c| {
            !c.is_whitespace() && !matches!(c, '-' | '.' | '/' | '\u{2010}'..='\u{2015}' | '\u{2212}')
        })
        .map(|character| character.to_ascii_uppercase())
        .collect();
    let fits =
        (fewest..=most).contains(&plain.len()) && plain.bytes().all(|byte| byte.is_ascii_alphanumeric());
    fits.then_some(plain)
}

fn fare_document_number(text: &str) -> Option<String> {
    let text = text.trim();
    let printed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'/');
    let fits = (1..=30).contains(&text.len()) && text.bytes().all(printed);
    fits.then(|| text.to_owned())
}

/// Whether both are as long, with letters where the shape has `A`, digits where it has `9`, either where it has `*`, and either
/// but no zero where it has `1`.
fn has_shape(text: &str, shape: &str) -> bool {
    let fits = |(byte, wanted): (u8, u8)| match wanted {
        b'A' => byte.is_ascii_uppercase(),
        b'9' => byte.is_ascii_digit(),
        b'*' => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
        b'1' => byte.is_ascii_uppercase() || matches!(byte, b'1'..=b'9'),
        _ => byte == wanted,
    };
    text.len() == shape.len() && text.bytes().zip(shape.bytes()).all(fits)
}

/// What numbers of the goods and services tax look like, by the kind of who has one: the patterns that the tax's own portal
/// checks, with `A` for a letter, `9` for a digit, `1` for either but no zero, and `*` for either. The last sign is a check digit.
const GSTIN_SHAPES: [&str; 9] = [
    // Companies, casual traders, and who distributes the tax of its branches: a state, a PAN, how often it is registered there.
    "99AAAAA9999A1Z*",
    // The same once the portal had no Z left for them.
    "99AAAAA9999A11*",
    // Offices of the government.
    "99AAAA99999A9Z*",
    // Who deducts the tax at its source, by a TAN or a PAN.
    "99AAAA*9999A1D*",
    // Marketplaces, which collect the tax at its source.
    "99AAAAA9999A1C*",
    // Embassies and bodies of the United Nations (UIN), and others whom the government has named.
    "9999AAA99999UN*",
    "9999AAA99999ON*",
    // Taxable persons who are not resident.
    "9999AAA99999NR*",
    // Who sells online services from abroad.
    "9999AAA99999OS*",
];

/// States by their number, foreign countries, other territories and the centre.
fn is_gst_state(text: &str) -> bool {
    text.parse().is_ok_and(|state: u8| matches!(state, 1..=38 | 96 | 97 | 99))
}

fn is_gstin(text: &str) -> bool {
    let (Some(state), Some(numbered)) = (text.get(..2), text.get(..14)) else { return false };
    is_gst_state(state)
        && GSTIN_SHAPES.iter().any(|shape| has_shape(text, shape))
        && text.chars().last() == gstin_check_digit(numbered)
}

/// To base 36: each second digit counts twice, and the two digits of each product are summed.
fn gstin_check_digit(numbered: &str) -> Option<char> {
    let mut sum = 0;
    for (place, character) in numbered.chars().enumerate() {
        let product = character.to_digit(36)? * if place % 2 == 0 { 1 } else { 2 };
        sum += product / 36 + product % 36;
    }
    char::from_digit((36 - sum % 36) % 36, 36).map(|digit| digit.to_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_people_write_them() {
        for (text, read) in [
            ("z 123-4567", Some("Z1234567")),
            ("Z1234\u{2011}567", Some("Z1234567")),
            ("Z\u{a0}1234/567.", Some("Z1234567")),
            ("A1234", Some("A1234")),
            ("A123", None),
            ("A123456789012345", None),
            ("A12345!", None),
            ("Ä123456", None),
            ("", None),
        ] {
            let number = DocumentNumber::read(text);
            assert_eq!(number.as_ref().map(DocumentNumber::as_str), read, "{text}");
        }
        for (text, is_one) in [("abcde1234f", true), ("ABCD12345F", false), ("ABCDE1234", false)] {
            assert_eq!(Pan::read(text).is_some(), is_one, "{text}");
        }
        for (text, is_one) in [("DU/2026-117", true), ("", false), ("a b", false), (&"9".repeat(31), false)] {
            assert_eq!(FareDocumentNumber::read(text).is_some(), is_one, "{text}");
        }
        assert_eq!(DocumentNumber::read("Z1234567").unwrap().masked(), "****4567");
    }

    #[test]
    fn a_gstin_is_of_a_kind_of_holder_that_the_law_knows_and_has_its_check_digit() {
        for (text, is_one) in [
            ("27AAPFU0939F1ZV", true),
            ("27aapfu0939f1zv", true),
            ("29AAGCB7383J1Z4", true),
            ("96AAPFU0939F1ZQ", true),
            ("27AAPFU0939F15K", true),
            ("07DELA12345B1Z5", true),
            ("27MUMA12345A1D7", true),
            ("07AAACG0569P1DI", true),
            ("29AABCA1234F1CG", true),
            ("0717UNO00157UNO", true),
            ("0717USA00012ONE", true),
            ("2717JPN00001NRC", true),
            ("9917USA29016OS6", true),
            ("9917 USA 29016 OS6", true),
            ("0717UNO00157UNP", false),
            ("9917USA29016OX6", false),
            ("3917JPN00001NRC", false),
            ("27AAPFU0939F1ZW", false),
            ("27AAPFU0939F0ZV", false),
            ("27AAPFU0939F1AV", false),
            ("39AAPFU0939F1ZV", false),
            ("00AAPFU0939F1ZV", false),
            ("27AAPF10939F1ZV", false),
            ("27AAPFU0939F1Z", false),
            ("", false),
        ] {
            assert_eq!(GstNumber::read(text).is_some(), is_one, "{text}");
        }
    }

    #[test]
    fn what_is_sealed_opens_as_it_was_and_shows_itself_to_nobody() {
        let papers = BookingPapers {
            travellers: BTreeMap::from([(
                2,
                Papers {
                    document: Some(Document {
                        number: DocumentNumber::read("Z1234567").unwrap(),
                        issuing_country: "IN".to_owned(),
                        nationality: "IN".to_owned(),
                        issued_on: None,
                        expires_on: "2031-05-04".parse().unwrap(),
                    }),
                    pan: Pan::read("ABCDE1234F"),
                    fare_document: Some(FareDocument {
                        kind: FareDocumentKind::Student,
                        number: FareDocumentNumber::read("DU/117").unwrap(),
                    }),
                    ..Papers::default()
                },
            )]),
            gst: Some(Gst {
                number: GstNumber::read("27AAPFU0939F1ZV").unwrap(),
                company_name: "Tara Travels".to_owned(),
                address: "1 Hill Road".to_owned(),
                email: "tax@tara.example".to_owned(),
                phone: "+919812345678".to_owned(),
            }),
        };
        let text = serde_json::to_string(&papers).unwrap();
        assert_eq!(serde_json::from_str::<BookingPapers>(&text).unwrap(), papers);
        let shown = format!("{papers:?} {:?} {:?}", papers.of(2), papers.gst);
        assert_eq!(shown, "BookingPapers(..) Papers(..) Some(Gst(..))");
        let theirs = json!([["Z1234567", null, "2031-05-04"], null, "ABCDE1234F", "DU/117", null, null]);
        let of_company =
            json!(["27AAPFU0939F1ZV", "Tara Travels", "1 Hill Road", "tax@tara.example", "+919812345678"]);
        assert_eq!(papers.telling(), json!([[theirs], of_company]));
        assert!(papers.of(1).is_empty() && !papers.of(2).is_empty());

        assert_eq!(json!([BookingPapers::default(), Papers::default()]), json!([{}, {}]));
        assert!(BookingPapers::default().is_empty() && !papers.is_empty());
    }
}
