//! The packages of an agency, flight and hotel, as its admins manage them.
//!
//! Whatever changes them takes a lock on the agency first: of many changes at once each finds what the one before
//! has left, and nobody is given a package who is being deleted.

mod assignments;
mod draft;
mod preview;

use diesel_async::{AsyncConnection, AsyncPgConnection};
use serde_json::{Value, json};
use wayfare_boxed::boxed;
use wayfare_domain::{Amount, AuditEvent, EventKind, MOST_PACKAGES, PackageId, PriceRangeId, ProductKind};
use wayfare_store::{access::organizations, batch::writes::Writes, pricing::packages};

pub use assignments::{assign, of_agency, of_agents, unassign};
pub use draft::{Draft, Figures, LONGEST_DESCRIPTION, LONGEST_NAME, MOST_PRICE_RANGES};
pub use preview::preview;
pub use wayfare_store::pricing::{package_assignments::Assignment, packages::Package};

use crate::{
    Caller, Core, Error, PortalAdmin, Result,
    access::idempotency::{CreatedResource, IdempotencyKey, key_conflict},
    tools::audit_event::{self, Change},
};

/// The agency's packages for this product, newest first, and whether each is the one assigned to the agency: one
/// statement.
#[boxed]
pub async fn list(core: &Core, admin: &PortalAdmin, product: ProductKind) -> Result<Vec<(Package, bool)>> {
    let mut connection = core.database.connection().await?;
    Ok(packages::list(&mut connection, admin.caller().organization(), product).await?)
}

/// One package of the agency.
///
/// # Errors
/// [`Error::NotFound`] for another agency's, another product's or a deleted one.
#[boxed]
pub async fn get(core: &Core, admin: &PortalAdmin, product: ProductKind, id: PackageId) -> Result<Package> {
    let mut connection = core.database.connection().await?;
    let found = packages::by_id(&mut connection, admin.caller().organization(), product, id).await?;
    found.ok_or(Error::NotFound)
}

/// Adds a package to the agency; nobody has it yet.
///
/// # Errors
/// [`Error::Invalid`], [`Error::TooManyPackages`], [`Error::KeyRunning`].
#[boxed]
pub async fn create(
    core: &Core,
    admin: &PortalAdmin,
    product: ProductKind,
    draft: Draft,
    key: Option<&IdempotencyKey>,
) -> Result<Package> {
    let caller = admin.caller();
    let mut connection = core.database.connection().await?;
    let created = connection.transaction(async |connection| {
        let organization = caller.organization();
        lock_and_check(connection, caller, &draft).await?;
        if packages::count(connection, organization).await? >= MOST_PACKAGES {
            return Err(Error::TooManyPackages);
        }
        let package = made_of(core, caller, product, draft);
        packages::insert(connection, &package).await?;
        let mut writes = Writes::default();
        let actions = [EventKind::PackageCreated, EventKind::HotelPackageCreated];
        let values = (None, Some(audit_value(&package)));
        writes.event(&event(core, caller, product, package.id, actions, values));
        if let Some(key) = key {
            writes.key(key.of(caller), CreatedResource::Package(package.id), package.created_at);
        }
        writes.send(connection).await.map_err(key_conflict)?;
        Ok(package)
    });
    created.await
}

/// Makes a package of the agency into this, all of it; whoever has it keeps it. Its bands are new ones. Without a
/// difference nothing is written.
///
/// # Errors
/// [`Error::Invalid`]; [`Error::NotFound`] for another agency's or another product's.
#[boxed]
pub async fn replace(
    core: &Core,
    admin: &PortalAdmin,
    product: ProductKind,
    id: PackageId,
    draft: Draft,
) -> Result<Package> {
    let caller = admin.caller();
    let mut connection = core.database.connection().await?;
    let replaced = connection.transaction(async |connection| {
        let organization = caller.organization();
        lock_and_check(connection, caller, &draft).await?;
        let before = packages::by_id(connection, organization, product, id).await?.ok_or(Error::NotFound)?;
        let is_active = draft.is_active.unwrap_or(before.is_active);
        let after = Package {
            id: before.id,
            is_active,
            created_by: before.created_by,
            created_at: before.created_at,
            ..made_of(core, caller, product, draft)
        };
        let (old_value, new_value) = (audit_value(&before), audit_value(&after));
        if old_value == new_value {
            return Ok(before);
        }
        packages::update(connection, &after).await?;
        let actions = [EventKind::PackageUpdated, EventKind::HotelPackageUpdated];
        let values = (Some(old_value), Some(new_value));
        audit_event::write(connection, &event(core, caller, product, id, actions, values)).await?;
        Ok::<_, Error>(after)
    });
    replaced.await
}

/// Deletes a package of the agency for good; whoever had it has it no more (P-51).
///
/// # Errors
/// [`Error::NotFound`] for another agency's or another product's.
#[boxed]
pub async fn delete(core: &Core, admin: &PortalAdmin, product: ProductKind, id: PackageId) -> Result<()> {
    let caller = admin.caller();
    let mut connection = core.database.connection().await?;
    let deleted = connection.transaction(async |connection| {
        let organization = caller.organization();
        organizations::lock(connection, organization).await?;
        let package = packages::by_id(connection, organization, product, id).await?.ok_or(Error::NotFound)?;
        packages::delete(connection, organization, id).await?;
        let actions = [EventKind::PackageDeleted, EventKind::HotelPackageDeleted];
        let values = (Some(audit_value(&package)), None);
        audit_event::write(connection, &event(core, caller, product, id, actions, values)).await
    });
    deleted.await
}

/// Locks the agency, whose currency stays from then on, and checks whether the draft's amounts are of it.
async fn lock_and_check(connection: &mut AsyncPgConnection, caller: &Caller, draft: &Draft) -> Result<()> {
    let agency = organizations::lock(connection, caller.organization()).await?;
    let agency = agency.ok_or(Error::NotFound)?;
    Ok(draft.check(agency.currency)?)
}

fn made_of(core: &Core, caller: &Caller, product: ProductKind, draft: Draft) -> Package {
    let now = core.clock.now();
    let ranges = draft.price_ranges.into_iter();
    Package {
        id: PackageId::at(now),
        organization: caller.organization(),
        product,
        name: draft.name,
        description: draft.description,
        markup: draft.markup,
        priority: draft.priority,
        is_active: draft.is_active.unwrap_or(true),
        price_ranges: ranges.map(|range| (PriceRangeId::at(now), range)).collect(),
        created_by: caller.user(),
        created_at: now,
        updated_at: now,
    }
}

fn audit_value(package: &Package) -> Value {
    let ranges = package.price_ranges.iter().map(|(_, range)| {
        json!({
            "min_amount": Amount(range.min_amount),
            "max_amount": range.max_amount.map(Amount),
            "markup_type": range.kind,
            "markup_value": Amount(range.value),
        })
    });
    let mut audit_value = json!({
        "name": package.name,
        "description": package.description,
        "markup_type": package.markup.kind,
        "markup_value": Amount(package.markup.value),
        "markup_apply_on": package.markup.apply_on,
        "priority": package.priority,
        "is_active": package.is_active,
    });
    if let (ProductKind::Hotel, Some(fields)) = (package.product, audit_value.as_object_mut()) {
        fields.insert("price_ranges".to_owned(), ranges.collect());
    }
    audit_value
}

/// The event that this happened to a package, with what was and what is; of the two actions that of its product.
fn event(
    core: &Core,
    caller: &Caller,
    product: ProductKind,
    id: PackageId,
    [of_flights, of_hotels]: [EventKind; 2],
    (old_value, new_value): (Option<Value>, Option<Value>),
) -> AuditEvent {
    let action = match product {
        ProductKind::Flight => of_flights,
        ProductKind::Hotel => of_hotels,
    };
    let actor = caller.actor();
    let change = Change::of(caller.organization(), &actor, action, id);
    audit_event::event(core, Change { old_value, new_value, ..change })
}
