//! Papers that are given with a booking (docs/API.md, Papers).

use chrono::NaiveDate;
use serde::Serialize;

/// The papers of one traveller, as far as they are wanted ([`super::Requirement`]) or may be given; Wayfare's addition.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Papers {
    /// With which borders are crossed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document: Option<Passport>,
    /// As a taxpayer of some country.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tax_id: Option<TaxId>,
    /// As a taxpayer of India: `ABCDE1234F`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pan: Option<String>,
    /// What gives a right to a cheaper fare.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fare_document: Option<FareDocument>,
    /// By which the United States know a traveller whom they have checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known_traveller_number: Option<String>,
    /// By which the United States know a traveller who was mistaken for somebody else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redress_number: Option<String>,
    /// Memberships in airlines' programmes, one for each airline.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub loyalty: Vec<Loyalty>,
}

/// A passport.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Passport {
    /// 5 to 15 letters and digits.
    pub number: String,
    /// Whose authority issued it, ISO 3166 alpha-2.
    pub issuing_country: String,
    /// Of what country it says that they are a citizen, ISO 3166 alpha-2.
    pub nationality: String,
    /// The first day on which it was valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issued_on: Option<NaiveDate>,
    /// The last day on which it is valid.
    pub expires_on: NaiveDate,
}

/// How a country's tax office knows a traveller.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TaxId {
    /// 4 to 20 letters and digits.
    pub number: String,
    /// ISO 3166 alpha-2.
    pub country: String,
}

/// A paper that gives a right to a cheaper fare.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FareDocument {
    /// `student` or `senior`.
    #[serde(rename = "type")]
    pub kind: String,
    /// As printed.
    pub number: String,
}

/// A membership in an airline's programme.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Loyalty {
    /// The airline's code.
    pub airline: String,
    /// The member's number.
    pub number: String,
}

/// The company to which India's goods and services tax is invoiced; Wayfare's addition.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Gst {
    /// Its registration (GSTIN).
    pub number: String,
    /// As registered, at most 35 characters.
    pub company_name: String,
    /// At most 70 characters.
    pub address: String,
    /// Where the invoice goes.
    pub email: String,
    /// The company's.
    pub phone: String,
}
