//! What Duffel wants and takes beside names, and a traveller's papers in its words.

use serde::{Deserialize, Serialize};
use serde_json::{
    Value,
    value::{RawValue, to_raw_value},
};
use wayfare_domain::{Papers, Traveller};
use wayfare_supply::reading::Text;

use super::wire::{self, DocumentKind};
use crate::{RequiredOf, Requirement, RequirementKind};

/// The members of a passenger by which an order repeats what it was told of papers.
const REPEATED: [&str; 1] = ["identity_documents"];
/// Only the United States give these numbers.
const UNITED_STATES: &str = "US";

/// What an offer takes of travellers, kept until it is booked: Duffel refuses an order with anything else.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Taken {
    /// Types of identity documents, in Duffel's words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    documents: Vec<String>,
    /// Airlines whose memberships count, IATA codes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    loyalty: Vec<String>,
}

impl Taken {
    /// Whether nothing is.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    /// What this offer takes. One that demands passports takes them, whatever else it says.
    pub fn of(theirs: &wire::Offer<Text>) -> Self {
        let loyalty = owned(theirs.supported_loyalty_programmes.as_deref().unwrap_or_default());
        let mut taken = Self { documents: owned(document_types(theirs)), loyalty };
        if demands_passports(theirs) && !taken.takes(DocumentKind::Passport) {
            taken.documents.push(<&str>::from(DocumentKind::Passport).to_owned());
        }
        taken
    }

    fn takes(&self, kind: DocumentKind) -> bool {
        let kind: &'static str = kind.into();
        self.documents.iter().any(|taken| taken == kind)
    }

    /// Of these papers those that are taken.
    pub fn identity_documents<'a>(&self, papers: &'a Papers) -> Vec<wire::NewIdentityDocument<'a>> {
        let Papers { document, tax_id, pan: _, fare_document: _, known_traveller_number, redress_number } =
            papers;
        let passport = document.as_ref().map(|document| wire::NewIdentityDocument {
            kind: DocumentKind::Passport,
            unique_identifier: document.number.as_str(),
            issuing_country_code: &document.issuing_country,
            expires_on: Some(document.expires_on),
        });
        let endless = |kind, unique_identifier, issuing_country_code| wire::NewIdentityDocument {
            kind,
            unique_identifier,
            issuing_country_code,
            expires_on: None,
        };
        let tax_id = tax_id
            .as_ref()
            .map(|tax_id| endless(DocumentKind::TaxId, tax_id.number.as_str(), &tax_id.country));
        let known = known_traveller_number
            .as_ref()
            .map(|number| endless(DocumentKind::KnownTravelerNumber, number.as_str(), UNITED_STATES));
        let redress = redress_number
            .as_ref()
            .map(|number| endless(DocumentKind::PassengerRedressNumber, number.as_str(), UNITED_STATES));
        [passport, tax_id, known, redress]
            .into_iter()
            .flatten()
            .filter(|document| self.takes(document.kind))
            .collect()
    }

    /// The traveller's memberships that count.
    pub fn loyalty_accounts<'a>(&self, traveller: &'a Traveller) -> Vec<wire::NewLoyaltyAccount<'a>> {
        let counts = |airline: &String| self.loyalty.contains(airline);
        traveller
            .loyalty
            .iter()
            .filter(|member| counts(&member.airline))
            .map(|member| wire::NewLoyaltyAccount {
                airline_iata_code: &member.airline,
                account_number: member.number.as_str(),
            })
            .collect()
    }
}

/// Takes what it repeats of papers out of an order: nobody needs it there, and orders are stored as they are told.
///
/// # Errors
/// When it is no JSON.
pub(super) fn forget(order: Box<RawValue>) -> serde_json::Result<Box<RawValue>> {
    // A name that is written with escapes may be theirs, too.
    if !REPEATED.iter().any(|name| order.get().contains(name)) && !order.get().contains("\\u") {
        return Ok(order);
    }
    let mut tree: Value = serde_json::from_str(order.get())?;
    let passengers = tree.get_mut("passengers").and_then(Value::as_array_mut);
    for passenger in passengers.into_iter().flatten().filter_map(Value::as_object_mut) {
        for name in REPEATED {
            passenger.remove(name);
        }
    }
    to_raw_value(&tree)
}

/// What is wanted for this offer: the birth date of everybody, always.
pub(super) fn requires(theirs: &wire::Offer<Text>) -> Vec<Requirement> {
    let each = |what, mandatory| Requirement::new(what, RequiredOf::EachTraveller, Some(mandatory));
    let mut list = vec![each(RequirementKind::DateOfBirth, true)];
    for word in DocumentKind::WORDS {
        let Ok(kind) = word.parse::<DocumentKind>() else { continue };
        let (what, is_demanded) = match kind {
            DocumentKind::Passport => (RequirementKind::Passport, demands_passports(theirs)),
            DocumentKind::TaxId => (RequirementKind::TaxId, false),
            // Whoever has such a number gives it.
            DocumentKind::KnownTravelerNumber | DocumentKind::PassengerRedressNumber => continue,
        };
        if is_demanded || document_types(theirs).iter().any(|taken| &**taken == *word) {
            list.push(each(what, is_demanded));
        }
    }
    let programmes = theirs.supported_loyalty_programmes.as_deref().unwrap_or_default();
    if !programmes.is_empty() {
        list.push(Requirement { airlines: owned(programmes), ..each(RequirementKind::Loyalty, false) });
    }
    list
}

fn demands_passports(theirs: &wire::Offer<Text>) -> bool {
    theirs.passenger_identity_documents_required == Some(true)
}

/// Under the present name, or under the one before it.
fn document_types<'t, 'a>(theirs: &'t wire::Offer<Text<'a>>) -> &'t [Text<'a>] {
    let present = theirs.supported_passenger_identity_document_types.as_deref();
    let before = theirs.allowed_passenger_identity_document_types.as_deref();
    present.or(before).unwrap_or_default()
}

fn owned(texts: &[Text]) -> Vec<String> {
    texts.iter().map(|text| text.to_string()).collect()
}
