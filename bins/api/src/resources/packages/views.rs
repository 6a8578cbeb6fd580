//! Packages and who has them, as they are shown.

use wayfare_contract::{
    Amount, AssignedFlightPackage, AssignedHotelPackage, AssignmentHead, FlightPackage, FlightPackageRow,
    HotelPackage, HotelPackageAssignment, HotelPackageRow, NoTerms, PackageAssignment, PackageHead,
    PriceRange, vocabulary::MarkupType,
};
use wayfare_domain::PriceRangeId;
use wayfare_operations::pricing::packages::{Assignment, Package};
use wayfare_pricing::PriceRange as Band;

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

pub fn flight_package(package: Package) -> FlightPackage {
    FlightPackage { head: head(package), terms: NO_TERMS }
}

/// A package in the list, and whether the agency has it.
pub fn flight_package_row((package, is_applied): (Package, bool)) -> FlightPackageRow {
    FlightPackageRow { package: flight_package(package), is_applied }
}

/// The agency's.
pub fn assigned_flight_package(package: Package) -> AssignedFlightPackage {
    AssignedFlightPackage { package: flight_package(package), assignments: None }
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

/// What an agent has.
pub fn flight_package_assignment((head, package): (Assignment, Package)) -> PackageAssignment {
    PackageAssignment { head: assignment(head), package: flight_package(package) }
}

/// What an agent has.
pub fn hotel_package_assignment((head, package): (Assignment, Package)) -> HotelPackageAssignment {
    HotelPackageAssignment { head: assignment(head), package: hotel_package(package) }
}

pub fn hotel_package(mut package: Package) -> HotelPackage {
    let ranges = std::mem::take(&mut package.price_ranges);
    HotelPackage {
        head: head(package),
        service_type: "hotel".to_owned(),
        price_ranges: ranges.into_iter().map(price_range).collect(),
    }
}

/// A package in the list, and whether the agency has it.
pub fn hotel_package_row((package, is_applied): (Package, bool)) -> HotelPackageRow {
    HotelPackageRow { package: hotel_package(package), is_applied }
}

/// The agency's.
pub fn assigned_hotel_package(package: Package) -> AssignedHotelPackage {
    AssignedHotelPackage { package: hotel_package(package), assignments: None }
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
