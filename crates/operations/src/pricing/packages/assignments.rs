//! Who has which package: one for the agency, and one for each agent, which goes before the agency's.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use serde_json::json;
use wayfare_boxed::boxed;
use wayfare_domain::{AssignmentId, EventKind, PackageId, ProductKind, UserId};
use wayfare_store::{
    access::{organizations, users},
    batch::writes::Writes,
    pricing::{
        package_assignments::{self, Assignment},
        packages::{self, Package},
    },
};

use super::event;
use crate::{
    Caller, Core, Error, PortalAdmin, Result,
    access::idempotency::{CreatedResource, IdempotencyKey, key_conflict},
    tools::audit_event,
};

/// The package that is assigned to the agency, active or not.
///
/// # Errors
/// [`Error::NotFound`] when there is none.
#[boxed]
pub async fn of_agency(core: &Core, admin: &PortalAdmin, product: ProductKind) -> Result<Package> {
    let mut connection = core.database.connection().await?;
    let organization = admin.caller().organization();
    let assigned = package_assignments::assigned(&mut connection, organization, product, None).await?;
    assigned.ok_or(Error::NotFound)
}

/// What is assigned to agents of the agency, newest first, with the packages: one statement.
#[boxed]
pub async fn of_agents(
    core: &Core,
    admin: &PortalAdmin,
    product: ProductKind,
) -> Result<Vec<(Assignment, Package)>> {
    let mut connection = core.database.connection().await?;
    let organization = admin.caller().organization();
    Ok(package_assignments::of_agents(&mut connection, organization, product).await?)
}

/// Gives this agent a package, or the agency where none is named; the one before is theirs no more. Who has it already
/// keeps it, and nothing is written.
///
/// # Errors
/// [`Error::NotFound`] for a package that is not the agency's or not for this product, and for anybody who is no agent
/// of the agency; [`Error::KeyRunning`].
#[boxed]
pub async fn assign(
    core: &Core,
    admin: &PortalAdmin,
    product: ProductKind,
    package: PackageId,
    agent: Option<UserId>,
    key: Option<&IdempotencyKey>,
) -> Result<()> {
    let caller = admin.caller();
    let mut connection = core.database.connection().await?;
    let assigned = connection.transaction(async |connection| {
        let organization = caller.organization();
        organizations::lock(connection, organization).await?;
        packages::by_id(connection, organization, product, package).await?.ok_or(Error::NotFound)?;
        if let Some(agent) = agent {
            must_be_agent(connection, caller, agent).await?;
        }
        let now = core.clock.now();
        let mut writes = Writes::default();
        let before = package_assignments::assigned(connection, organization, product, agent).await?;
        let before = before.map(|package| package.id);
        if before != Some(package) {
            package_assignments::remove(connection, organization, product, agent).await?;
            let assignment = Assignment {
                id: AssignmentId::at(now),
                organization,
                product,
                package,
                agent,
                assigned_by: caller.user(),
                assigned_at: now,
            };
            package_assignments::insert(connection, &assignment).await?;
            let actions = [EventKind::PackageAssigned, EventKind::HotelPackageAssigned];
            let audit_value = |package: PackageId| json!({ "package_id": package, "agent_id": agent });
            let values = (before.map(audit_value), Some(audit_value(package)));
            writes.event(&event(core, caller, product, package, actions, values));
        }
        if let Some(key) = key {
            writes.key(key.of(caller), CreatedResource::Package(package), now);
        }
        writes.send(connection).await.map_err(key_conflict)
    });
    assigned.await
}

/// Takes the package away from this agent, or from the agency where none is named.
///
/// # Errors
/// [`Error::NotFound`] when they have none, and for anybody who is no agent of the agency.
#[boxed]
pub async fn unassign(
    core: &Core,
    admin: &PortalAdmin,
    product: ProductKind,
    agent: Option<UserId>,
) -> Result<()> {
    let caller = admin.caller();
    let mut connection = core.database.connection().await?;
    let unassigned = connection.transaction(async |connection| {
        let organization = caller.organization();
        organizations::lock(connection, organization).await?;
        let package = package_assignments::remove(connection, organization, product, agent)
            .await?
            .ok_or(Error::NotFound)?;
        let actions = [EventKind::PackageUnassigned, EventKind::HotelPackageUnassigned];
        let values = (Some(json!({ "package_id": package, "agent_id": agent })), None);
        audit_event::write(connection, &event(core, caller, product, package, actions, values)).await
    });
    unassigned.await
}

/// That this is an agent of the caller's agency: an admin pays from the organization's wallet, and what is assigned to
/// the agency counts for them.
async fn must_be_agent(connection: &mut AsyncPgConnection, caller: &Caller, id: UserId) -> Result<()> {
    let account = users::by_id(connection, caller.agency(), id).await?;
    match account {
        Some(account) if account.role.has_own_wallet() => Ok(()),
        _ => Err(Error::NotFound),
    }
}
