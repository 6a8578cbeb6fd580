//! Packages: an agency's markups on flights and on stays, who has them, and what they would make of a price.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

#[cfg(feature = "schema")]
use crate::schema::CurrencyCode;
use crate::{
    Amount,
    vocabulary::{ApplyOn, MarkupType},
};

/// A flight package to be written. Amounts are in the agency's currency.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "FlightPackageRequest"))]
pub struct FlightPackageDraft {
    /// The name: at most 200 characters.
    pub name: String,
    /// For people; default "".
    pub description: String,
    /// Whether the markup is an amount or a percentage.
    pub markup_type: MarkupType,
    /// The amount, or the percentage: 0 to 100 with at most four decimals.
    pub markup_value: Amount,
    /// What a percentage is of.
    pub markup_apply_on: ApplyOn,
    /// For people's eyes; decides nothing.
    pub priority: i32,
    /// Whether it counts; default true. `PUT` without it changes nothing. A preview prices one that does not as no package.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_active: Option<bool>,
}
body! { FlightPackageDraft of(name: &str, markup_type: MarkupType, markup_value: impl Into<Amount>, markup_apply_on: ApplyOn) {
    description: &str, priority: i32, is_active: bool,
} }

/// A hotel package to be written. Amounts are in the agency's currency.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "HotelPackageRequest"))]
pub struct HotelPackageDraft {
    /// What flight packages have, too: it is for whatever stands in no band.
    #[serde(flatten)]
    pub package: FlightPackageDraft,
    /// Markups by the total of the stay; at most 100. Bands may not overlap.
    pub price_ranges: Vec<PriceRangeDraft>,
}
body! { HotelPackageDraft of(package: FlightPackageDraft) { price_ranges: Vec<PriceRangeDraft> } }

/// A band to be written.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PriceRangeDraft {
    /// The band begins with this total.
    pub min_amount: Amount,
    /// The band ends below this total; null: without end.
    pub max_amount: Option<Amount>,
    /// Whether the markup is an amount or a percentage.
    pub markup_type: MarkupType,
    /// The amount, or the percentage.
    pub markup_value: Amount,
}
body! { PriceRangeDraft of(min_amount: impl Into<Amount>, markup_type: MarkupType, markup_value: impl Into<Amount>) {
    max_amount: Amount,
} }

/// Which package is assigned.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "AssignPackageRequest"))]
pub struct AssignPackage {
    /// The package's id.
    pub package_id: Uuid,
}

/// A draft and what is to be priced with it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Previewed<Draft> {
    /// The package.
    #[serde(flatten)]
    pub draft: Draft,
    /// What a supplier might ask, in the agency's currency.
    pub example: PriceExample,
}

/// What a supplier might ask, to see what a package makes of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PriceExample {
    /// Base fare, or room charges.
    pub base: Amount,
    /// Taxes that the price has in it.
    pub taxes: Amount,
    /// The commission that the supplier names; without it a contract may name one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commission: Option<Amount>,
    /// The code of the supplier whose contract counts; without it none does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supplier: Option<String>,
}
body! { PriceExample of(base: impl Into<Amount>, taxes: impl Into<Amount>) { commission: Amount, supplier: &str } }

/// What flight and hotel packages have in common.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PackageHead {
    /// Its id.
    pub id: Uuid,
    /// The agency's id.
    pub org_id: Uuid,
    /// The user who made it.
    pub created_by: Uuid,
    /// The name.
    pub name: String,
    /// What it is, in words.
    pub description: String,
    /// Whose package it is.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["org"])))]
    pub scope: String,
    /// Whether the markup is an amount or a percentage.
    pub markup_type: MarkupType,
    /// The amount, or the percentage.
    pub markup_value: Amount,
    /// What a percentage is of.
    pub markup_apply_on: ApplyOn,
    /// For people's eyes; decides nothing.
    pub priority: i32,
    /// Whether it counts where it is assigned.
    pub is_active: bool,
    /// When it was made, UTC.
    pub created_at: DateTime<Utc>,
    /// When it was last changed, UTC.
    pub updated_at: DateTime<Utc>,
}

/// A flight package.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FlightPackage {
    /// What all packages have.
    #[serde(flatten)]
    pub head: PackageHead,
    /// What no package sets.
    #[serde(flatten)]
    pub terms: NoTerms,
}

/// What the operator sets for an agency and no package does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NoTerms {
    /// Set by the operator, not by packages: 0.
    #[cfg_attr(feature = "schema", schemars(with = "u8"))]
    pub min_commission: Amount,
    /// Set by the operator, not by packages: 0.
    #[cfg_attr(feature = "schema", schemars(with = "u8"))]
    pub max_commission: Amount,
    /// Set by the operator, not by packages: `flat`.
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("enum" = ["flat", "percent"])))]
    pub service_fee_type: MarkupType,
    /// Set by the operator, not by packages: 0.
    #[cfg_attr(feature = "schema", schemars(with = "u8"))]
    pub service_fee_value: Amount,
    /// Set by the operator, not by packages: 0.
    #[cfg_attr(feature = "schema", schemars(with = "u8"))]
    pub gst_on_service_fee: Amount,
    /// Set by the operator, not by packages: 0.
    #[cfg_attr(feature = "schema", schemars(with = "u8"))]
    pub platform_charge: Amount,
}

/// A flight package in the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FlightPackageRow {
    /// The package.
    #[serde(flatten)]
    pub package: FlightPackage,
    /// Whether it is the one that is assigned to the agency.
    pub is_applied: bool,
}

/// The flight package that is assigned to the agency.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AssignedFlightPackage {
    /// The package.
    #[serde(flatten)]
    pub package: FlightPackage,
    /// Always null: `GET /org/packages/agent-assignments` has them.
    pub assignments: Option<Vec<PackageAssignment>>,
}

/// That an agent has a package, without the package.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AssignmentHead {
    /// Its id.
    pub id: Uuid,
    /// The package's id.
    pub package_id: Uuid,
    /// The agency's id.
    pub org_id: Uuid,
    /// The agent who has the package; null for the whole agency.
    pub agent_id: Option<Uuid>,
    /// When the package was assigned.
    pub assigned_at: DateTime<Utc>,
    /// The user who assigned it.
    pub assigned_by: Uuid,
}

/// That an agent has a flight package.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "AgentAssignment"))]
pub struct PackageAssignment {
    /// Who has it, and since when.
    #[serde(flatten)]
    pub head: AssignmentHead,
    /// The package.
    pub package: FlightPackage,
}

/// That an agent has a hotel package.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "HotelAgentAssignment"))]
pub struct HotelPackageAssignment {
    /// Who has it, and since when.
    #[serde(flatten)]
    pub head: AssignmentHead,
    /// The package.
    pub package: HotelPackage,
}

/// A hotel package.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HotelPackage {
    /// What all packages have.
    #[serde(flatten)]
    pub head: PackageHead,
    /// What the package is for.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["hotel"])))]
    pub service_type: String,
    /// Markups by the total of the stay. Bands may not overlap.
    pub price_ranges: Vec<PriceRange>,
}

/// A hotel package in the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HotelPackageRow {
    /// The package.
    #[serde(flatten)]
    pub package: HotelPackage,
    /// Whether it is the one that is assigned to the agency.
    pub is_applied: bool,
}

/// The hotel package that is assigned to the agency.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AssignedHotelPackage {
    /// The package.
    #[serde(flatten)]
    pub package: HotelPackage,
    /// Always null: `GET /org/hotel-packages/agent-assignments` has them.
    pub assignments: Option<Vec<HotelPackageAssignment>>,
}

wayfare_digits::keep_digits!(
    FlightPackage,
    FlightPackageRow,
    AssignedFlightPackage,
    HotelPackage,
    HotelPackageRow,
    AssignedHotelPackage
);

/// A band of a hotel package.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PriceRange {
    /// Its id.
    pub id: Uuid,
    /// The band begins with this total.
    pub min_amount: Amount,
    /// The band ends below this total; null: without end.
    pub max_amount: Option<Amount>,
    /// Whether the markup is an amount or a percentage.
    pub markup_type: MarkupType,
    /// The amount, or the percentage.
    pub markup_value: Amount,
    /// The band's place, from 0.
    pub sort_order: i32,
}

/// A price that is tried, and how it comes about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PricePreview {
    /// Of its amounts, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
    /// The price with all its parts.
    pub price: ExamplePrice,
    /// How the price comes about, line by line.
    pub trace: Vec<TraceStep>,
}

/// All parts of a price.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExamplePrice {
    /// The fare without taxes.
    pub base_fare: Amount,
    /// Taxes that the price has in it.
    pub taxes: Amount,
    /// Base fare and taxes.
    pub total: Amount,
    /// What the supplier leaves to the platform.
    pub commission: Amount,
    /// The package's markup.
    pub markup: Amount,
    /// What the traveller pays.
    pub public_fare: Amount,
    /// What the agency earns on the sale; null without a package.
    pub agent_commission: Option<Amount>,
    /// The service fee.
    pub service_fee: Amount,
    /// Tax on the service fee.
    pub gst_on_service_fee: Amount,
    /// The platform's charge.
    pub platform_charge: Amount,
    /// What the agency pays: fare, markups, fees and taxes together, without ancillaries.
    pub agent_fare: Amount,
}

/// One line of a calculation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TraceStep {
    /// Which part of the price: `B` base fare, `X` taxes, `T` total, `K` commission, `M` markup, `S` service fee, `G` tax on it,
    /// `P` platform charge, or its name.
    pub part: String,
    /// The rule in words; an agency is not told a contract's.
    pub rule: String,
    /// The figures that the line starts from.
    pub inputs: Vec<TraceInput>,
    /// The result before it was rounded.
    pub exact: Amount,
    /// The result.
    pub result: Amount,
}

/// A figure that a line starts from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TraceInput {
    /// A part of the price, or what the figure is.
    pub name: String,
    /// The figure.
    pub value: Amount,
}
