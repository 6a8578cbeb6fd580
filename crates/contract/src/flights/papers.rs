//! Papers that are given with a booking.

use chrono::NaiveDate;
use serde::Serialize;

use crate::vocabulary::DocumentType;

/// The papers of one traveller, as far as they are wanted ([`super::Requirement`]) or may be given.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Papers {
    /// The traveller's passport: all of it or none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document: Option<Passport>,
    /// How a tax office knows the traveller.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tax_id: Option<TaxId>,
    /// The traveller's PAN, such as `ABCDE1234F`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pan: Option<String>,
    /// What shows the right to a student's or senior's fare.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fare_document: Option<FareDocument>,
    /// That by which the United States know a traveller whom they have checked: 5 to 25 letters and digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known_traveller_number: Option<String>,
    /// That by which the United States know a traveller who was mistaken for somebody else: 5 to 13 letters and digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redress_number: Option<String>,
    /// Memberships in airlines' programmes, one for each airline.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub loyalty: Vec<Loyalty>,
}
body! { Papers {
    document: Passport, tax_id: TaxId, pan: &str, fare_document: FareDocument, known_traveller_number: &str,
    redress_number: &str, loyalty: Vec<Loyalty>,
} }

/// A passport.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "BookFlightDocument"))]
pub struct Passport {
    /// What kind of document it is.
    #[serde(rename = "type")]
    pub kind: DocumentType,
    /// As it is printed; blanks and hyphens in it do not count.
    pub number: String,
    /// ISO 3166 code of the country that issued it.
    pub issuing_country: String,
    /// Of what country it says that they are a citizen, ISO 3166 alpha-2.
    pub nationality: String,
    /// The first day on which it was valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issued_on: Option<NaiveDate>,
    /// The last day on which it is valid. Not before the last arrival, or `requires[].valid_until` where that is later.
    pub expires_on: NaiveDate,
}
body! { Passport of(kind: DocumentType, number: &str, issuing_country: &str, nationality: &str, expires_on: NaiveDate) {
    issued_on: NaiveDate,
} }

/// How a country's tax office knows a traveller.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "BookFlightTaxId"))]
pub struct TaxId {
    /// As it is printed; blanks and hyphens in it do not count.
    pub number: String,
    /// ISO 3166 code of the country whose tax office gave it.
    pub country: String,
}

/// A paper that gives a right to a cheaper fare.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "BookFlightFareDocument"))]
pub struct FareDocument {
    /// `student` or `senior`.
    #[serde(rename = "type")]
    pub kind: String,
    /// As printed.
    pub number: String,
}

/// A membership in an airline's programme.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "BookFlightLoyalty"))]
pub struct Loyalty {
    /// IATA code of the airline whose programme it is, 2 characters.
    pub airline: String,
    /// As it is printed; blanks and hyphens in it do not count.
    pub number: String,
}

/// The company to which India's goods and services tax is invoiced.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "BookFlightGst"))]
pub struct Gst {
    /// As it is printed; blanks and hyphens in it do not count.
    pub number: String,
    /// The company, as it is registered for the tax; at most 35 characters.
    pub company_name: String,
    /// The company's address, at most 70 characters.
    pub address: String,
    /// Where the invoice goes.
    pub email: String,
    /// The company's.
    pub phone: String,
}
