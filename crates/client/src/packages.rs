//! Pricing packages: an organization's markups on flights and hotels, and who has them (docs/API.md, Packages).

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::json;
use uuid::Uuid;
use wayfare_boxed::boxed;

use crate::{
    Amount, Keyed,
    call::Ask,
    enums::{ApplyOn, MarkupType},
    error::Result,
    session::part_of_session,
};

/// A flight package to be written. Amounts are in the organization's currency.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FlightPackageDraft {
    /// At most 200 characters.
    pub name: String,
    /// At most 2,000 characters.
    pub description: String,
    /// Flat or per cent.
    pub markup_type: MarkupType,
    /// An amount, or 0 to 100 with at most four decimals.
    pub markup_value: Amount,
    /// What a percentage is taken of.
    pub markup_apply_on: ApplyOn,
    /// For people; it decides nothing.
    pub priority: i32,
    /// Whether it counts where it is assigned; none keeps what is, true for a new one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_active: Option<bool>,
}

/// A flight package.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct FlightPackage {
    /// Its id.
    pub id: Uuid,
    /// The organization.
    pub org_id: Uuid,
    /// Who made it.
    pub created_by: Uuid,
    /// Its name.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// `org`.
    pub scope: String,
    /// Flat or per cent.
    pub markup_type: MarkupType,
    /// An amount in the organization's currency, or 0 to 100.
    pub markup_value: Amount,
    /// What a percentage is taken of.
    pub markup_apply_on: ApplyOn,
    /// For people; it decides nothing.
    pub priority: i32,
    /// Whether it counts where it is assigned.
    pub is_active: bool,
    /// Whether the organization has it; only the list tells.
    pub is_applied: Option<bool>,
    /// Always 0: a term of the platform's, which no package sets.
    pub min_commission: Amount,
    /// Always 0: a term of the platform's.
    pub max_commission: Amount,
    /// Always flat: a term of the platform's.
    pub service_fee_type: MarkupType,
    /// Always 0: a term of the platform's.
    pub service_fee_value: Amount,
    /// Always 0: a term of the platform's.
    pub gst_on_service_fee: Amount,
    /// Always 0: a term of the platform's.
    pub platform_charge: Amount,
    /// When it was made, UTC.
    pub created_at: DateTime<Utc>,
    /// When it was changed last, UTC.
    pub updated_at: DateTime<Utc>,
}

/// That an agent has a flight package.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct PackageAssignment {
    /// Its id.
    pub id: Uuid,
    /// The package.
    pub package_id: Uuid,
    /// The organization.
    pub org_id: Uuid,
    /// The agent.
    pub agent_id: Option<Uuid>,
    /// Since when, UTC.
    pub assigned_at: DateTime<Utc>,
    /// Who gave it to them.
    pub assigned_by: Uuid,
    /// The package itself.
    pub package: FlightPackage,
}

/// That an agent has a hotel package.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct HotelPackageAssignment {
    /// Its id.
    pub id: Uuid,
    /// Which package.
    pub package_id: Uuid,
    /// The organization.
    pub org_id: Uuid,
    /// Who has it.
    pub agent_id: Option<Uuid>,
    /// Since when, UTC.
    pub assigned_at: DateTime<Utc>,
    /// Who gave it to them.
    pub assigned_by: Uuid,
    /// The package itself.
    pub package: HotelPackage,
}

/// A hotel package to be written. Amounts are in the organization's currency.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HotelPackageDraft {
    /// At most 200 characters.
    pub name: String,
    /// At most 2,000 characters.
    pub description: String,
    /// Flat or per cent, outside of all bands.
    pub markup_type: MarkupType,
    /// An amount, or 0 to 100 with at most four decimals.
    pub markup_value: Amount,
    /// What a percentage is taken of.
    pub markup_apply_on: ApplyOn,
    /// For people; it decides nothing.
    pub priority: i32,
    /// Whether it counts where it is assigned; none keeps what is, true for a new one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_active: Option<bool>,
    /// Markups by what a booking comes to; at most 100, which may not overlap.
    pub price_ranges: Vec<PriceRangeDraft>,
}

/// A band to be written: from `min_amount` up to, and without, `max_amount`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PriceRangeDraft {
    /// Where it begins.
    pub min_amount: Amount,
    /// Where it ends; none = nowhere.
    pub max_amount: Option<Amount>,
    /// Flat or per cent.
    pub markup_type: MarkupType,
    /// An amount, or 0 to 100.
    pub markup_value: Amount,
}

/// A hotel package.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct HotelPackage {
    /// Its id.
    pub id: Uuid,
    /// The organization.
    pub org_id: Uuid,
    /// Who made it.
    pub created_by: Uuid,
    /// Its name.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// `org`.
    pub scope: String,
    /// `hotel`.
    pub service_type: String,
    /// Flat or per cent, outside of all bands.
    pub markup_type: MarkupType,
    /// An amount in the organization's currency, or 0 to 100.
    pub markup_value: Amount,
    /// What a percentage is taken of.
    pub markup_apply_on: ApplyOn,
    /// For people; it decides nothing.
    pub priority: i32,
    /// Whether it counts where it is assigned.
    pub is_active: bool,
    /// Whether it is the organization's; only in the list.
    #[serde(default)]
    pub is_applied: Option<bool>,
    /// Its bands.
    pub price_ranges: Vec<PriceRange>,
    /// When it was made, UTC.
    pub created_at: DateTime<Utc>,
    /// When it was changed last, UTC.
    pub updated_at: DateTime<Utc>,
}

/// A band: from `min_amount` up to, and without, `max_amount`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct PriceRange {
    /// Its id.
    pub id: Uuid,
    /// Where it begins.
    pub min_amount: Amount,
    /// Where it ends; none = nowhere.
    pub max_amount: Option<Amount>,
    /// Flat or per cent.
    pub markup_type: MarkupType,
    /// An amount, or 0 to 100.
    pub markup_value: Amount,
    /// Its place among the bands, from 0.
    pub sort_order: i32,
}

/// What a supplier might ask, in the organization's currency, to see what a package makes of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PriceExample {
    /// Base fare, or room charges.
    pub base: Amount,
    /// Taxes and fees.
    pub taxes: Amount,
    /// The commission that the supplier names; none: it names none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commission: Option<Amount>,
    /// The code of the supplier whose contract counts; none: no contract does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supplier: Option<String>,
}

/// What a package, or an agency's terms and contracts, would make of an example.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct PricePreview {
    /// Of its amounts, ISO 4217.
    pub currency: String,
    /// The price.
    pub price: ExamplePrice,
    /// How it comes about, line by line.
    pub trace: Vec<TraceStep>,
}

/// A price with all its parts.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct ExamplePrice {
    /// The fare without taxes.
    pub base_fare: Amount,
    /// Taxes.
    pub taxes: Amount,
    /// Both together.
    pub total: Amount,
    /// What the supplier leaves to the platform.
    pub commission: Amount,
    /// The package's markup.
    pub markup: Amount,
    /// What the traveller pays.
    pub public_fare: Amount,
    /// What the organization earns; none without a package.
    pub agent_commission: Option<Amount>,
    /// The service fee.
    pub service_fee: Amount,
    /// Tax on it.
    pub gst_on_service_fee: Amount,
    /// The platform's charge.
    pub platform_charge: Amount,
    /// What the organization pays.
    pub agent_fare: Amount,
}

/// A line of a calculation.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct TraceStep {
    /// Which part of the price: a letter or a name (docs/MONEY.md).
    pub part: String,
    /// The rule in words.
    pub rule: String,
    /// The figures that it starts from.
    pub inputs: Vec<TraceInput>,
    /// The result before it was rounded.
    pub exact: Amount,
    /// The result.
    pub result: Amount,
}

/// A figure that a line starts from.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct TraceInput {
    /// A part of the price, or what the figure is.
    pub name: String,
    /// The figure.
    pub value: Amount,
}

/// A draft and what is to be priced with it.
#[derive(Serialize)]
struct Previewed<'a, Draft> {
    #[serde(flatten)]
    draft: &'a Draft,
    example: &'a PriceExample,
}

part_of_session! {
    /// Flight packages, for admins.
    FlightPackages, flight_packages
}

part_of_session! {
    /// Hotel packages, for admins.
    HotelPackages, hotel_packages
}

#[boxed]
impl FlightPackages<'_> {
    /// `GET /org/packages`, newest first.
    pub async fn list(&self) -> Result<Vec<FlightPackage>> {
        self.0.data(Ask::get(&["org", "packages"])).await
    }

    /// `POST /org/packages`.
    pub async fn create(&self, draft: &FlightPackageDraft) -> Result<Keyed<FlightPackage>> {
        let ask = self.0.effect(&["org", "packages"]);
        self.0.keyed_data(ask.body(draft)?).await
    }

    /// `PUT /org/packages/{id}`: all of it.
    pub async fn replace(&self, id: Uuid, draft: &FlightPackageDraft) -> Result<FlightPackage> {
        let ask = Ask::set(&["org", "packages", &id.to_string()]);
        self.0.data(ask.body(draft)?).await
    }

    /// `DELETE /org/packages/{id}`: ends its assignments. It is only sent again when it surely did nothing.
    pub async fn delete(&self, id: Uuid) -> Result<()> {
        self.0.done(Ask::delete(&["org", "packages", &id.to_string()])).await
    }

    /// `POST /org/packages/preview`: the price of an example with a draft. Nothing is stored.
    pub async fn preview(&self, draft: &FlightPackageDraft, example: &PriceExample) -> Result<PricePreview> {
        let ask = Ask::reading(&["org", "packages", "preview"]);
        self.0.data(ask.body(&Previewed { draft, example })?).await
    }

    /// `GET /org/packages/assigned`: the organization's; none while it has none.
    pub async fn assigned(&self) -> Result<Option<FlightPackage>> {
        match self.0.data(Ask::get(&["org", "packages", "assigned"])).await {
            Err(error) if error.is_not_found() => Ok(None),
            other => other.map(Some),
        }
    }

    /// `POST /org/packages/assign`: it becomes the organization's, instead of the one before.
    pub async fn assign(&self, id: Uuid) -> Result<Keyed<()>> {
        let ask = self.0.effect(&["org", "packages", "assign"]);
        self.0.keyed_done(ask.body(&json!({ "package_id": id }))?).await
    }

    /// `DELETE /org/packages/assign`. It is only sent again when it surely did nothing.
    pub async fn unassign(&self) -> Result<()> {
        self.0.done(Ask::delete(&["org", "packages", "assign"])).await
    }

    /// `GET /org/packages/agent-assignments`, newest first.
    pub async fn agent_assignments(&self) -> Result<Vec<PackageAssignment>> {
        self.0.data(Ask::get(&["org", "packages", "agent-assignments"])).await
    }

    /// `POST /org/packages/assign-agent/{id}`: it becomes the agent's, before the organization's.
    pub async fn assign_agent(&self, agent: Uuid, id: Uuid) -> Result<Keyed<()>> {
        let ask = self.0.effect(&["org", "packages", "assign-agent", &agent.to_string()]);
        self.0.keyed_done(ask.body(&json!({ "package_id": id }))?).await
    }

    /// `DELETE /org/packages/assign-agent/{id}`. It is only sent again when it surely did nothing.
    pub async fn unassign_agent(&self, agent: Uuid) -> Result<()> {
        let path = ["org", "packages", "assign-agent", &agent.to_string()];
        self.0.done(Ask::delete(&path)).await
    }
}

#[boxed]
impl HotelPackages<'_> {
    /// `GET /org/hotel-packages`, newest first.
    pub async fn list(&self) -> Result<Vec<HotelPackage>> {
        self.0.data(Ask::get(&["org", "hotel-packages"])).await
    }

    /// `POST /org/hotel-packages`.
    pub async fn create(&self, draft: &HotelPackageDraft) -> Result<Keyed<HotelPackage>> {
        let ask = self.0.effect(&["org", "hotel-packages"]);
        self.0.keyed_data(ask.body(draft)?).await
    }

    /// `PUT /org/hotel-packages/{id}`: all of it; the bands get new ids.
    pub async fn replace(&self, id: Uuid, draft: &HotelPackageDraft) -> Result<HotelPackage> {
        let ask = Ask::set(&["org", "hotel-packages", &id.to_string()]);
        self.0.data(ask.body(draft)?).await
    }

    /// `DELETE /org/hotel-packages/{id}`: ends its assignments. It is only sent again when it surely did nothing.
    pub async fn delete(&self, id: Uuid) -> Result<()> {
        let path = ["org", "hotel-packages", &id.to_string()];
        self.0.done(Ask::delete(&path)).await
    }

    /// `POST /org/hotel-packages/preview`: the price of an example with a draft. Nothing is stored.
    pub async fn preview(&self, draft: &HotelPackageDraft, example: &PriceExample) -> Result<PricePreview> {
        let ask = Ask::reading(&["org", "hotel-packages", "preview"]);
        self.0.data(ask.body(&Previewed { draft, example })?).await
    }

    /// `GET /org/hotel-packages/assigned`: the organization's; none while it has none.
    pub async fn assigned(&self) -> Result<Option<HotelPackage>> {
        match self.0.data(Ask::get(&["org", "hotel-packages", "assigned"])).await {
            Err(error) if error.is_not_found() => Ok(None),
            other => other.map(Some),
        }
    }

    /// `GET /org/hotel-packages/agent-assignments`, newest first.
    pub async fn agent_assignments(&self) -> Result<Vec<HotelPackageAssignment>> {
        let path = ["org", "hotel-packages", "agent-assignments"];
        self.0.data(Ask::get(&path)).await
    }

    /// `POST /org/hotel-packages/assign`: it becomes the organization's, instead of the one before.
    pub async fn assign(&self, id: Uuid) -> Result<Keyed<()>> {
        let ask = self.0.effect(&["org", "hotel-packages", "assign"]);
        self.0.keyed_done(ask.body(&json!({ "package_id": id }))?).await
    }

    /// `DELETE /org/hotel-packages/assign`. It is only sent again when it surely did nothing.
    pub async fn unassign(&self) -> Result<()> {
        self.0.done(Ask::delete(&["org", "hotel-packages", "assign"])).await
    }

    /// `POST /org/hotel-packages/assign-agent/{id}`: it becomes the agent's, before the organization's.
    pub async fn assign_agent(&self, agent: Uuid, id: Uuid) -> Result<Keyed<()>> {
        let path = ["org", "hotel-packages", "assign-agent", &agent.to_string()];
        let ask = self.0.effect(&path);
        self.0.keyed_done(ask.body(&json!({ "package_id": id }))?).await
    }

    /// `DELETE /org/hotel-packages/assign-agent/{id}`. It is only sent again when it surely did nothing.
    pub async fn unassign_agent(&self, agent: Uuid) -> Result<()> {
        let path = ["org", "hotel-packages", "assign-agent", &agent.to_string()];
        self.0.done(Ask::delete(&path)).await
    }
}
