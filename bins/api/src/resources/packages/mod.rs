//! Flight packages and who has them.

mod bodies;
pub mod hotel;
pub mod preview;
mod views;

use actix_web::web::Path;
use serde::Serialize;
use wayfare_contract::{
    AssignedFlightPackage, FlightPackage, FlightPackageRow, PackageAssignment, PricePreview,
};
use wayfare_domain::{
    PackageId,
    ProductKind::{self, Flight},
    UserId,
};
use wayfare_operations::{
    PortalAdmin,
    access::idempotency::IdempotencyKey,
    pricing::packages::{self, Draft, Package},
};

use self::{
    bodies::{AssignmentBody, FlightPackageBody},
    preview::FlightPreviewBody,
};
use super::common::record_id;
use crate::http::{
    App,
    extract::{Ask, Body, Keyed, Nothing},
    idempotent::idempotent,
    reply::{DataReply, Message, Replied, data, message},
};

/// `GET /org/packages`.
pub async fn list(app: App, ask: Ask<PortalAdmin, Nothing>) -> DataReply<Vec<FlightPackageRow>> {
    let all = packages::list(&app.core, &ask.who, Flight).await?;
    data(all.into_iter().map(views::flight_package_row).collect::<Vec<_>>())
}

/// `POST /org/packages`.
pub async fn create(
    app: App,
    ask: Ask<PortalAdmin, Keyed<Body<FlightPackageBody>>>,
) -> DataReply<FlightPackage, 201> {
    let (Body(FlightPackageBody(draft)), key) = (ask.what.body, ask.what.key);
    make(&app, &ask.who, key, (Flight, draft), views::flight_package).await
}

/// `PUT /org/packages/{id}`.
pub async fn replace(
    app: App,
    ask: Ask<PortalAdmin, Body<FlightPackageBody>>,
    id: Path<String>,
) -> DataReply<FlightPackage> {
    let Body(FlightPackageBody(draft)) = ask.what;
    let package = packages::replace(&app.core, &ask.who, Flight, record_id(&id)?, draft).await?;
    data(views::flight_package(package))
}

/// `DELETE /org/packages/{id}`.
pub async fn delete(app: App, ask: Ask<PortalAdmin, Nothing>, id: Path<String>) -> Replied<Message> {
    packages::delete(&app.core, &ask.who, Flight, record_id(&id)?).await?;
    message("package deleted")
}

/// `POST /org/packages/preview`.
pub async fn preview(app: App, ask: Ask<PortalAdmin, Body<FlightPreviewBody>>) -> DataReply<PricePreview> {
    let Body(FlightPreviewBody(draft, example)) = ask.what;
    data(PricePreview::from(packages::preview(&app.core, &ask.who, &draft, &example).await?))
}

/// `GET /org/packages/assigned`.
pub async fn assigned(app: App, ask: Ask<PortalAdmin, Nothing>) -> DataReply<AssignedFlightPackage> {
    data(views::assigned_flight_package(packages::of_agency(&app.core, &ask.who, Flight).await?))
}

/// `POST /org/packages/assign`.
pub async fn assign(app: App, ask: Ask<PortalAdmin, Keyed<Body<AssignmentBody>>>) -> Replied<Message> {
    give(&app, ask, Flight, None, "package assigned").await
}

/// `DELETE /org/packages/assign`.
pub async fn unassign(app: App, ask: Ask<PortalAdmin, Nothing>) -> Replied<Message> {
    packages::unassign(&app.core, &ask.who, Flight, None).await?;
    message("package unassigned")
}

/// `GET /org/packages/agent-assignments`.
pub async fn agent_assignments(
    app: App,
    ask: Ask<PortalAdmin, Nothing>,
) -> DataReply<Vec<PackageAssignment>> {
    let all = packages::of_agents(&app.core, &ask.who, Flight).await?;
    data(all.into_iter().map(views::flight_package_assignment).collect::<Vec<_>>())
}

/// `POST /org/packages/assign-agent/{id}`.
pub async fn assign_agent(
    app: App,
    ask: Ask<PortalAdmin, Keyed<Body<AssignmentBody>>>,
    agent: Path<String>,
) -> Replied<Message> {
    let agent = record_id(&agent)?;
    give(&app, ask, Flight, Some(agent), "package assigned to agent").await
}

/// `DELETE /org/packages/assign-agent/{id}`.
pub async fn unassign_agent(
    app: App,
    ask: Ask<PortalAdmin, Nothing>,
    agent: Path<String>,
) -> Replied<Message> {
    packages::unassign(&app.core, &ask.who, Flight, Some(record_id(&agent)?)).await?;
    message("agent assignment removed")
}

/// Makes a package for this product and shows it.
pub async fn make<View: Serialize>(
    app: &App,
    admin: &PortalAdmin,
    key: Option<IdempotencyKey>,
    (product, draft): (ProductKind, Draft),
    view: fn(Package) -> View,
) -> DataReply<View, 201> {
    let created = |package: Package| data(view(package));
    let carry_out = async |key: Option<&IdempotencyKey>| {
        created(packages::create(&app.core, admin, product, draft, key).await?)
    };
    let rebuild = async |id: PackageId| created(packages::get(&app.core, admin, product, id).await?);
    idempotent(app, admin.caller(), key, carry_out, rebuild).await
}

/// Assigns a package for this product to this agent, or to the agency where none is named, and says so.
pub async fn give(
    app: &App,
    ask: Ask<PortalAdmin, Keyed<Body<AssignmentBody>>>,
    product: ProductKind,
    agent: Option<UserId>,
    done: &str,
) -> Replied<Message> {
    let (Body(AssignmentBody(package)), key) = (ask.what.body, ask.what.key);
    let admin = &ask.who;
    let carry_out = async |key: Option<&IdempotencyKey>| {
        packages::assign(&app.core, admin, product, package, agent, key).await?;
        message(done)
    };
    let rebuild = async |_: PackageId| message(done);
    idempotent(app, admin.caller(), key, carry_out, rebuild).await
}
