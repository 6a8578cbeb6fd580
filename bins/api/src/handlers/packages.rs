//! Flight packages and who has them.

use actix_web::web::Path;
use serde::Serialize;
use wayfare_domain::{
    PackageId,
    ProductKind::{self, Flight},
    UserId,
};
use wayfare_operations::{
    PortalAdmin,
    pricing::packages::{self, Draft, Package},
    tools::idempotency::IdempotencyKey,
};

use super::{App, package_id, user_id};
use crate::{
    bodies::packages::{Assignment, FlightPackage as FlightPackageBody},
    extract::{Ask, Body, Keyed, Nothing},
    once::once,
    reply::{Data, Done, Replied, data, done},
    views::packages::{AgentAssignment, AssignedFlightPackage, FlightPackage, FlightPackageRow},
};

/// `GET /org/packages`.
///
/// # Errors
/// As the error table says.
pub async fn list(app: App, ask: Ask<PortalAdmin, Nothing>) -> Replied<Data<Vec<FlightPackageRow>>> {
    let all = packages::list(&app, &ask.who, Flight).await?;
    data(all.into_iter().map(FlightPackageRow::from).collect::<Vec<_>>())
}

/// `POST /org/packages`.
///
/// # Errors
/// As the error table says.
pub async fn create(
    app: App,
    ask: Ask<PortalAdmin, Keyed<Body<FlightPackageBody>>>,
) -> Replied<Data<FlightPackage, 201>> {
    let (Body(FlightPackageBody(draft)), key) = (ask.what.body, ask.what.key);
    make(&app, &ask.who, key, Flight, draft).await
}

/// `PUT /org/packages/{id}`.
///
/// # Errors
/// As the error table says.
pub async fn replace(
    app: App,
    ask: Ask<PortalAdmin, Body<FlightPackageBody>>,
    id: Path<String>,
) -> Replied<Data<FlightPackage>> {
    let Body(FlightPackageBody(draft)) = ask.what;
    let package = packages::replace(&app, &ask.who, Flight, package_id(&id)?, draft).await?;
    data(FlightPackage::from(package))
}

/// `DELETE /org/packages/{id}`.
///
/// # Errors
/// As the error table says.
pub async fn delete(app: App, ask: Ask<PortalAdmin, Nothing>, id: Path<String>) -> Replied<Done> {
    packages::delete(&app, &ask.who, Flight, package_id(&id)?).await?;
    done("package deleted")
}

/// `GET /org/packages/assigned`.
///
/// # Errors
/// As the error table says.
pub async fn assigned(app: App, ask: Ask<PortalAdmin, Nothing>) -> Replied<Data<AssignedFlightPackage>> {
    let package = packages::of_agency(&app, &ask.who, Flight).await?;
    data(AssignedFlightPackage::from(package))
}

/// `POST /org/packages/assign`.
///
/// # Errors
/// As the error table says.
pub async fn assign(app: App, ask: Ask<PortalAdmin, Keyed<Body<Assignment>>>) -> Replied<Done> {
    give(&app, ask, Flight, None, "package assigned").await
}

/// `DELETE /org/packages/assign`.
///
/// # Errors
/// As the error table says.
pub async fn unassign(app: App, ask: Ask<PortalAdmin, Nothing>) -> Replied<Done> {
    packages::unassign(&app, &ask.who, Flight, None).await?;
    done("package unassigned")
}

/// `GET /org/packages/agent-assignments`.
///
/// # Errors
/// As the error table says.
pub async fn agent_assignments(
    app: App,
    ask: Ask<PortalAdmin, Nothing>,
) -> Replied<Data<Vec<AgentAssignment>>> {
    let all = packages::of_agents(&app, &ask.who, Flight).await?;
    data(all.into_iter().map(AgentAssignment::from).collect::<Vec<_>>())
}

/// `POST /org/packages/assign-agent/{id}`.
///
/// # Errors
/// As the error table says.
pub async fn assign_agent(
    app: App,
    ask: Ask<PortalAdmin, Keyed<Body<Assignment>>>,
    agent: Path<String>,
) -> Replied<Done> {
    let agent = user_id(&agent)?;
    give(&app, ask, Flight, Some(agent), "package assigned to agent").await
}

/// `DELETE /org/packages/assign-agent/{id}`.
///
/// # Errors
/// As the error table says.
pub async fn unassign_agent(app: App, ask: Ask<PortalAdmin, Nothing>, agent: Path<String>) -> Replied<Done> {
    packages::unassign(&app, &ask.who, Flight, Some(user_id(&agent)?)).await?;
    done("agent assignment removed")
}

/// Makes a package for this product and shows it.
///
/// # Errors
/// As the error table says.
pub(super) async fn make<View: From<Package> + Serialize>(
    app: &App,
    admin: &PortalAdmin,
    key: Option<IdempotencyKey>,
    product: ProductKind,
    draft: Draft,
) -> Replied<Data<View, 201>> {
    let created = |package: Package| data(View::from(package));
    let first = async |key: Option<&IdempotencyKey>| {
        created(packages::create(app, admin, product, draft, key).await?)
    };
    let look = async |id: PackageId| created(packages::get(app, admin, product, id).await?);
    once(app, admin.caller(), key, first, look).await
}

/// Assigns a package for this product to this agent, or to the agency where none is named, and says so.
///
/// # Errors
/// As the error table says.
pub(super) async fn give(
    app: &App,
    ask: Ask<PortalAdmin, Keyed<Body<Assignment>>>,
    product: ProductKind,
    agent: Option<UserId>,
    message: &str,
) -> Replied<Done> {
    let (Body(Assignment(package)), key) = (ask.what.body, ask.what.key);
    let admin = &ask.who;
    let first = async |key: Option<&IdempotencyKey>| {
        packages::assign(app, admin, product, package, agent, key).await?;
        done(message)
    };
    let look = async |_: PackageId| done(message);
    once(app, admin.caller(), key, first, look).await
}
