//! Packages and who has them.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use wayfare_domain::{Amount, AssignmentId, OrganizationId, PackageId, PriceRangeId, UserId};
use wayfare_operations::pricing::packages::{Assignment, Package};
use wayfare_pricing::{ApplyOn, MarkupKind, PriceRange as Band};

/// What flight and hotel packages have in common.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "PackageHead")]
struct Head {
    id: PackageId,
    org_id: OrganizationId,
    created_by: UserId,
    name: String,
    description: String,
    #[schemars(extend("enum" = ["org"]))]
    scope: &'static str,
    markup_type: MarkupKind,
    markup_value: Amount,
    markup_apply_on: ApplyOn,
    priority: i32,
    is_active: bool,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

impl From<Package> for Head {
    fn from(package: Package) -> Self {
        Self {
            id: package.id,
            org_id: package.organization,
            created_by: package.created_by,
            name: package.name,
            description: package.description,
            scope: "org",
            markup_type: package.markup.kind,
            markup_value: Amount(package.markup.value),
            markup_apply_on: package.markup.apply_on,
            priority: package.priority,
            is_active: package.is_active,
            created_at: package.created_at,
            updated_at: package.updated_at,
        }
    }
}

/// What the operator sets for an agency and no package does.
#[derive(Serialize, JsonSchema)]
struct PlatformTerms {
    min_commission: u8,
    max_commission: u8,
    #[schemars(extend("enum" = ["flat", "percent"]))]
    service_fee_type: &'static str,
    service_fee_value: u8,
    gst_on_service_fee: u8,
    platform_charge: u8,
}

const NO_TERMS: PlatformTerms = PlatformTerms {
    min_commission: 0,
    max_commission: 0,
    service_fee_type: "flat",
    service_fee_value: 0,
    gst_on_service_fee: 0,
    platform_charge: 0,
};

/// A flight package.
#[derive(Serialize, JsonSchema)]
pub struct FlightPackage {
    #[serde(flatten)]
    head: Head,
    #[serde(flatten)]
    terms: PlatformTerms,
}

impl From<Package> for FlightPackage {
    fn from(package: Package) -> Self {
        Self { head: package.into(), terms: NO_TERMS }
    }
}

/// A flight package in the list.
#[derive(Serialize, JsonSchema)]
pub struct FlightPackageRow {
    #[serde(flatten)]
    package: FlightPackage,
    is_applied: bool,
}

impl From<(Package, bool)> for FlightPackageRow {
    fn from((package, is_applied): (Package, bool)) -> Self {
        Self { package: package.into(), is_applied }
    }
}

/// The flight package that is assigned to the agency.
#[derive(Serialize, JsonSchema)]
pub struct AssignedFlightPackage {
    #[serde(flatten)]
    package: FlightPackage,
    /// Always null: `GET /org/packages/agent-assignments` has them.
    assignments: Option<Vec<AgentAssignment>>,
}

impl From<Package> for AssignedFlightPackage {
    fn from(package: Package) -> Self {
        Self { package: package.into(), assignments: None }
    }
}

/// That an agent has a package, without the package.
#[derive(Serialize, JsonSchema)]
struct AssignmentHead {
    id: AssignmentId,
    package_id: PackageId,
    org_id: OrganizationId,
    agent_id: Option<UserId>,
    assigned_at: DateTime<Utc>,
    assigned_by: UserId,
}

impl From<Assignment> for AssignmentHead {
    fn from(assignment: Assignment) -> Self {
        Self {
            id: assignment.id,
            package_id: assignment.package,
            org_id: assignment.organization,
            agent_id: assignment.agent,
            assigned_at: assignment.assigned_at,
            assigned_by: assignment.assigned_by,
        }
    }
}

/// That an agent has a flight package.
#[derive(Serialize, JsonSchema)]
pub struct AgentAssignment {
    #[serde(flatten)]
    head: AssignmentHead,
    package: FlightPackage,
}

impl From<(Assignment, Package)> for AgentAssignment {
    fn from((assignment, package): (Assignment, Package)) -> Self {
        Self { head: assignment.into(), package: package.into() }
    }
}

/// That an agent has a hotel package.
#[derive(Serialize, JsonSchema)]
pub struct HotelAgentAssignment {
    #[serde(flatten)]
    head: AssignmentHead,
    package: HotelPackage,
}

impl From<(Assignment, Package)> for HotelAgentAssignment {
    fn from((assignment, package): (Assignment, Package)) -> Self {
        Self { head: assignment.into(), package: package.into() }
    }
}

/// A hotel package.
#[derive(Serialize, JsonSchema)]
pub struct HotelPackage {
    #[serde(flatten)]
    head: Head,
    #[schemars(extend("enum" = ["hotel"]))]
    service_type: &'static str,
    price_ranges: Vec<PriceRange>,
}

impl From<Package> for HotelPackage {
    fn from(mut package: Package) -> Self {
        let ranges = std::mem::take(&mut package.price_ranges);
        Self {
            head: package.into(),
            service_type: "hotel",
            price_ranges: ranges.into_iter().map(PriceRange::from).collect(),
        }
    }
}

/// A hotel package in the list.
#[derive(Serialize, JsonSchema)]
pub struct HotelPackageRow {
    #[serde(flatten)]
    package: HotelPackage,
    is_applied: bool,
}

impl From<(Package, bool)> for HotelPackageRow {
    fn from((package, is_applied): (Package, bool)) -> Self {
        Self { package: package.into(), is_applied }
    }
}

/// The hotel package that is assigned to the agency.
#[derive(Serialize, JsonSchema)]
pub struct AssignedHotelPackage {
    #[serde(flatten)]
    package: HotelPackage,
    /// Always null: `GET /org/hotel-packages/agent-assignments` has them.
    assignments: Option<Vec<HotelAgentAssignment>>,
}

impl From<Package> for AssignedHotelPackage {
    fn from(package: Package) -> Self {
        Self { package: package.into(), assignments: None }
    }
}

#[derive(Serialize, JsonSchema)]
struct PriceRange {
    id: PriceRangeId,
    min_amount: Amount,
    max_amount: Option<Amount>,
    markup_type: MarkupKind,
    markup_value: Amount,
    sort_order: i32,
}

impl From<(PriceRangeId, Band)> for PriceRange {
    fn from((id, band): (PriceRangeId, Band)) -> Self {
        Self {
            id,
            min_amount: Amount(band.min_amount),
            max_amount: band.max_amount.map(Amount),
            markup_type: band.kind,
            markup_value: Amount(band.value),
            sort_order: band.sort_order,
        }
    }
}
