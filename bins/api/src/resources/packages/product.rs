//! The products that have packages: what is read of drafts of them, and how they are shown.

use serde::Serialize;
use wayfare_contract::{
    Amount, AssignedFlightPackage, AssignedHotelPackage, AssignmentHead, FlightPackage, FlightPackageDraft,
    FlightPackageRow, HotelPackage, HotelPackageAssignment, HotelPackageDraft, HotelPackageRow, NoTerms,
    PackageAssignment, PackageHead, PriceRange, vocabulary::MarkupType,
};
use wayfare_domain::{PriceRangeId, ProductKind};
use wayfare_operations::pricing::packages::{Assignment, Package};
use wayfare_pricing::{ApplyOn, PriceRange as Band};

/// A product that has packages.
#[cfg_attr(not(test), allow(dead_code, reason = "what only the document needs, and tests make that"))]
pub trait Packaged: 'static {
    /// The product.
    const PRODUCT: ProductKind;
    /// What messages call a package of it.
    const CALLED: &str;
    /// What the document calls a draft.
    const DRAFT: &str;
    /// What the document calls a draft with an example.
    const PREVIEW: &str;
    /// What a markup is on whose draft does not say it.
    const APPLY_ON: ApplyOn;
    /// Whether markups go by bands of prices.
    const HAS_PRICE_RANGES: bool;

    /// A draft as `wayfare_contract` declares it.
    #[cfg(test)]
    type Declared: schemars::JsonSchema;
    /// The same, without its schema.
    #[cfg(not(test))]
    type Declared;
    /// A package, as it is shown.
    type View: Serialize;
    /// A package in the list.
    type Row: Serialize;
    /// The agency's.
    type Assigned: Serialize;
    /// What an agent has.
    type OfAgent: Serialize;

    /// Shows a package.
    fn view(package: Package) -> Self::View;

    /// Shows a package in the list, and whether the agency has it.
    fn row(row: (Package, bool)) -> Self::Row;

    /// Shows the agency's.
    fn assigned(package: Package) -> Self::Assigned;

    /// Shows what an agent has.
    fn of_agent(assigned: (Assignment, Package)) -> Self::OfAgent;
}

/// Flights.
pub struct Flights;

impl Packaged for Flights {
    const PRODUCT: ProductKind = ProductKind::Flight;
    const CALLED: &str = "package";
    const DRAFT: &str = "FlightPackageRequest";
    const PREVIEW: &str = "FlightPackagePreviewRequest";
    const APPLY_ON: ApplyOn = ApplyOn::Fare;
    const HAS_PRICE_RANGES: bool = false;

    type Declared = FlightPackageDraft;
    type View = FlightPackage;
    type Row = FlightPackageRow;
    type Assigned = AssignedFlightPackage;
    type OfAgent = PackageAssignment;

    fn view(package: Package) -> FlightPackage {
        FlightPackage { head: head(package), terms: NO_TERMS }
    }

    fn row((package, is_applied): (Package, bool)) -> FlightPackageRow {
        FlightPackageRow { package: Self::view(package), is_applied }
    }

    fn assigned(package: Package) -> AssignedFlightPackage {
        AssignedFlightPackage { package: Self::view(package), assignments: None }
    }

    fn of_agent((head, package): (Assignment, Package)) -> PackageAssignment {
        PackageAssignment { head: assignment(head), package: Self::view(package) }
    }
}

/// Stays.
pub struct Hotels;

impl Packaged for Hotels {
    const PRODUCT: ProductKind = ProductKind::Hotel;
    const CALLED: &str = "hotel package";
    const DRAFT: &str = "HotelPackageRequest";
    const PREVIEW: &str = "HotelPackagePreviewRequest";
    const APPLY_ON: ApplyOn = ApplyOn::Total;
    const HAS_PRICE_RANGES: bool = true;

    type Declared = HotelPackageDraft;
    type View = HotelPackage;
    type Row = HotelPackageRow;
    type Assigned = AssignedHotelPackage;
    type OfAgent = HotelPackageAssignment;

    fn view(mut package: Package) -> HotelPackage {
        let ranges = std::mem::take(&mut package.price_ranges);
        HotelPackage {
            head: head(package),
            service_type: "hotel".to_owned(),
            price_ranges: ranges.into_iter().map(price_range).collect(),
        }
    }

    fn row((package, is_applied): (Package, bool)) -> HotelPackageRow {
        HotelPackageRow { package: Self::view(package), is_applied }
    }

    fn assigned(package: Package) -> AssignedHotelPackage {
        AssignedHotelPackage { package: Self::view(package), assignments: None }
    }

    fn of_agent((head, package): (Assignment, Package)) -> HotelPackageAssignment {
        HotelPackageAssignment { head: assignment(head), package: Self::view(package) }
    }
}

const NO_TERMS: NoTerms = NoTerms {
    min_commission: Amount::ZERO,
    max_commission: Amount::ZERO,
    service_fee_type: MarkupType::Flat,
    service_fee_value: Amount::ZERO,
    gst_on_service_fee: Amount::ZERO,
    platform_charge: Amount::ZERO,
};

fn head(package: Package) -> PackageHead {
    PackageHead {
        id: package.id.uuid(),
        org_id: package.organization.uuid(),
        created_by: package.created_by.uuid(),
        name: package.name,
        description: package.description,
        scope: "org".to_owned(),
        markup_type: package.markup.kind.as_ref().into(),
        markup_value: package.markup.value.into(),
        markup_apply_on: package.markup.apply_on.as_ref().into(),
        priority: package.priority,
        is_active: package.is_active,
        created_at: package.created_at,
        updated_at: package.updated_at,
    }
}

fn assignment(assignment: Assignment) -> AssignmentHead {
    AssignmentHead {
        id: assignment.id.uuid(),
        package_id: assignment.package.uuid(),
        org_id: assignment.organization.uuid(),
        agent_id: assignment.agent.map(|agent| agent.uuid()),
        assigned_at: assignment.assigned_at,
        assigned_by: assignment.assigned_by.uuid(),
    }
}

fn price_range((id, band): (PriceRangeId, Band)) -> PriceRange {
    PriceRange {
        id: id.uuid(),
        min_amount: band.min_amount.into(),
        max_amount: band.max_amount.map(Amount),
        markup_type: band.kind.as_ref().into(),
        markup_value: band.value.into(),
        sort_order: band.sort_order,
    }
}
