//! The papers of travellers, and their memberships, as requests give them.

use std::collections::HashSet;

use serde_json::json;
use wayfare_domain::{Document, FareDocument, FareDocumentKind, Gst, Loyalty, Papers, TaxId};
use wayfare_reference::{Telephone, country_name};

use crate::{
    http::json_body::JsonObject,
    resources::common::{email, telephone_text},
};

/// The only kind of document that a supplier takes.
const PASSPORT: &str = "passport";
/// So long is no number, with whatever stands between its digits.
const LONGEST: usize = 60;

/// The papers of one traveller, as far as they are given; which are at fault the body then knows.
pub fn papers(body: &mut JsonObject<'_>) -> Papers {
    Papers {
        document: body.object("document", read_document),
        tax_id: body.object("tax_id", read_tax_id),
        pan: optional(body, "pan", PAN),
        fare_document: body.object("fare_document", read_fare_document),
        known_traveller_number: optional(body, "known_traveller_number", &letters_and_digits(5, 25)),
        redress_number: optional(body, "redress_number", &letters_and_digits(5, 13)),
    }
}

/// The memberships of one traveller.
pub fn loyalty(body: &mut JsonObject<'_>) -> Option<Vec<Loyalty>> {
    if !body.has("loyalty") {
        return Some(Vec::new());
    }
    let members = body.list("loyalty", 0..=Loyalty::MOST, read_membership)?;
    let mut airlines = HashSet::new();
    if members.iter().any(|member| !airlines.insert(&member.airline)) {
        body.fault("loyalty", "names an airline twice");
        return None;
    }
    Some(members)
}

fn read_document(body: &mut JsonObject<'_>) -> Option<Document> {
    if body.optional_text("type").is_some_and(|kind| kind != PASSPORT) {
        body.fault("type", "must be passport");
    }
    body.note_only("type", || json!({ "type": "string", "enum": [PASSPORT] }));
    let number = required(body, "number", &letters_and_digits(5, 15));
    let issuing_country = country(body, "issuing_country");
    let nationality = country(body, "nationality");
    let issued_on = match body.has("issued_on") {
        true => Some(body.date("issued_on")?),
        false => None,
    };
    let expires_on = body.date("expires_on");
    if issued_on.is_some_and(|issued_on| issued_on > body.now().date_naive()) {
        body.fault("issued_on", "must not be in the future");
    } else if issued_on.zip(expires_on).is_some_and(|(from, until)| from >= until) {
        body.fault("issued_on", "must be before expires_on");
    }
    Some(Document {
        number: number?,
        issuing_country: issuing_country?,
        nationality: nationality?,
        issued_on,
        expires_on: expires_on?,
    })
}

fn read_tax_id(body: &mut JsonObject<'_>) -> Option<TaxId> {
    let number = required(body, "number", &letters_and_digits(4, 20));
    let country = country(body, "country");
    Some(TaxId { number: number?, country: country? })
}

fn read_fare_document(body: &mut JsonObject<'_>) -> Option<FareDocument> {
    let kind = body.word::<FareDocumentKind>("type");
    let number = required(body, "number", r"^\s*[A-Za-z0-9/-]{1,30}\s*$");
    Some(FareDocument { kind: kind?, number: number? })
}

fn read_membership(body: &mut JsonObject<'_>) -> Option<Loyalty> {
    let airline = body.text("airline", 2);
    body.note("airline", || json!({ "pattern": "^([A-Za-z][A-Za-z0-9]|[0-9][A-Za-z])$" }));
    let airline = airline.map(|code| code.to_ascii_uppercase());
    let is_code = |code: &String| {
        code.len() == 2
            && code.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && code.bytes().any(|byte| byte.is_ascii_alphabetic())
    };
    if airline.as_ref().is_some_and(|code| !is_code(code)) {
        body.fault("airline", "must be an airline code of 2 characters");
    }
    let number = required(body, "number", &letters_and_digits(2, 25));
    Some(Loyalty { airline: airline?, number: number? })
}

/// To whom the tax is invoiced.
pub fn gst(body: &mut JsonObject<'_>) -> Option<Gst> {
    let number = required(body, "number", GSTIN);
    let company_name = body.label("company_name", Gst::LONGEST_NAME);
    let address = body.label("address", Gst::LONGEST_ADDRESS);
    let email = email(body, "email");
    let phone = telephone_text(body, "phone").and_then(|text| match Telephone::read(&text, CALLING_CODE) {
        Ok(phone) => Some(phone.as_typed()),
        Err(fault) => {
            body.fault("phone", fault.to_string());
            None
        }
    });
    Some(Gst {
        number: number?,
        company_name: company_name?,
        address: address?,
        email: email?,
        phone: phone?,
    })
}

const PAN: &str = "^[ -]*([A-Za-z][ -]*){5}([0-9][ -]*){4}[A-Za-z][ -]*$";
/// Two digits, and what tells the kinds of holders apart.
const GSTIN: &str = "^[ -]*([0-9][ -]*){2}([0-9A-Za-z][ -]*){13}$";
/// India's: a number of the tax's register is asked back there.
const CALLING_CODE: &str = "91";

/// So many letters and digits, with blanks and hyphens among them.
fn letters_and_digits(fewest: u8, most: u8) -> String {
    format!("^[ -]*([A-Za-z0-9][ -]*){{{fewest},{most}}}$")
}

fn country(body: &mut JsonObject<'_>, name: &str) -> Option<String> {
    let code = body.text(name, LONGEST);
    body.note_only(name, || json!({ "type": "string", "pattern": "^[A-Za-z]{2}$" }));
    let code = code?.to_ascii_uppercase();
    if country_name(&code).is_none() {
        body.fault(name, "is not a known country code");
        return None;
    }
    Some(code)
}

/// What a paper has, which says by what rule a text is none.
trait OfPaper: TryFrom<String, Error = &'static str> {}

impl<T: TryFrom<String, Error = &'static str>> OfPaper for T {}

fn optional<T: OfPaper>(body: &mut JsonObject<'_>, name: &str, pattern: &str) -> Option<T> {
    let text = body.short_text(name, LONGEST);
    read(body, name, pattern, text)
}

fn required<T: OfPaper>(body: &mut JsonObject<'_>, name: &str, pattern: &str) -> Option<T> {
    let text = body.text(name, LONGEST);
    read(body, name, pattern, text)
}

fn read<T: OfPaper>(body: &mut JsonObject<'_>, name: &str, pattern: &str, text: Option<String>) -> Option<T> {
    body.note_only(name, || json!({ "type": "string", "pattern": pattern }));
    T::try_from(text?).map_err(|rule| body.fault(name, rule)).ok()
}
