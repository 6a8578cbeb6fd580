//! A traveller's papers on the form of a quote, what is checked of them before it is paid for, and what is sent.

use chrono::NaiveDate;
use wayfare_client::{
    enums::DocumentType,
    flights::{FareDocument, Papers, Passport, TaxId},
};

/// Of each field its name in the API, its label, its attributes, and its hint.
pub type PaperFields = &'static [(&'static str, &'static str, &'static str, &'static str)];

/// All but the passport, which the template folds: each by the word of `requires` by which it is wanted, whether its first field is
/// shown once more before the booking is paid for, and its fields.
#[rustfmt::skip]
pub const PAPERS: [(&str, bool, PaperFields); 3] = [
    ("pan", true, &[("pan", "PAN", r#"autocomplete="off" maxlength="30""#, "ABCDE1234F")]),
    ("tax_id", true, &[
        ("tax_id.number", "Tax number", r#"autocomplete="off""#, ""),
        ("tax_id.country", "Its country", r#"maxlength="2""#, "Two letters"),
    ]),
    ("fare_document", false, &[
        ("fare_document.type", "Right to the fare", r#"autocomplete="off""#, "student or senior"),
        ("fare_document.number", "Its number", r#"autocomplete="off""#, "As printed"),
    ]),
];

/// What is typed of a traveller's papers, as it is sent; it is said which fields of a passport are missing.
pub fn papers(text: &impl Fn(&str) -> String, mut is_missing: impl FnMut(&str)) -> Papers {
    let given = |name: &str| Some(text(name)).filter(|value| !value.is_empty());
    let country = |name: &str| text(name).to_ascii_uppercase();
    let day = |name: &str| text(name).parse::<NaiveDate>().ok();
    let fields = ["number", "issuing_country", "nationality", "expires_on"];
    let fields = fields.map(|name| format!("document.{name}"));
    let has_passport = fields.iter().any(|name| given(name).is_some());
    if has_passport {
        for name in fields.iter().filter(|name| given(name).is_none()) {
            is_missing(name);
        }
    }
    Papers {
        document: has_passport.then(|| Passport {
            kind: DocumentType::Passport,
            number: text("document.number"),
            issuing_country: country("document.issuing_country"),
            nationality: country("document.nationality"),
            issued_on: None,
            expires_on: day("document.expires_on").unwrap_or_default(),
        }),
        pan: given("pan").map(|pan| pan.to_ascii_uppercase()),
        tax_id: given("tax_id.number").map(|number| TaxId { number, country: country("tax_id.country") }),
        fare_document: given("fare_document.number")
            .map(|number| FareDocument { kind: text("fare_document.type"), number }),
        // No fare demands these.
        known_traveller_number: None,
        redress_number: None,
        loyalty: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_field_of_the_form_is_sent() {
        let sent = papers(&|name: &str| name.to_owned(), |_| ());
        let sent = serde_json::to_value(sent).unwrap();
        for (name, ..) in PAPERS.iter().flat_map(|(.., fields)| *fields) {
            let place = format!("/{}", name.replace('.', "/"));
            assert!(sent.pointer(&place).is_some(), "{name} is typed, and not sent");
        }
    }
}
