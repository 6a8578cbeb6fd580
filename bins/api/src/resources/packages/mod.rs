//! Packages and who has them: those of flights at `/org/packages`, those of stays at `/org/hotel-packages`.

mod bodies;
pub mod preview;
mod product;

use actix_web::web::Path;
use wayfare_contract::PricePreview;
use wayfare_domain::{PackageId, UserId};
use wayfare_operations::{
    PortalAdmin,
    access::idempotency::IdempotencyKey,
    pricing::packages::{self, Package},
};

pub use self::product::{Flights, Hotels};
use self::{
    bodies::{AssignmentBody, PackageBody},
    preview::PreviewBody,
    product::Packaged,
};
use super::common::record_id;
use crate::http::{
    App,
    extract::{Ask, Body, Keyed, Nothing},
    idempotent::idempotent,
    reply::{DataReply, Message, Replied, data, message},
};

/// `GET …/packages`.
pub async fn list<P: Packaged>(app: App, ask: Ask<PortalAdmin, Nothing>) -> DataReply<Vec<P::Row>> {
    let all = packages::list(&app.core, &ask.who, P::PRODUCT).await?;
    data(all.into_iter().map(P::row).collect::<Vec<_>>())
}

/// `POST …/packages`.
pub async fn create<P: Packaged>(
    app: App,
    ask: Ask<PortalAdmin, Keyed<Body<PackageBody<P>>>>,
) -> DataReply<P::View, 201> {
    let (Body(PackageBody(draft, _)), key) = (ask.what.body, ask.what.key);
    let admin = &ask.who;
    let created = |package: Package| data(P::view(package));
    let carry_out = async |key: Option<&IdempotencyKey>| {
        created(packages::create(&app.core, admin, P::PRODUCT, draft, key).await?)
    };
    let rebuild = async |id: PackageId| created(packages::get(&app.core, admin, P::PRODUCT, id).await?);
    idempotent(&app, admin.caller(), key, carry_out, rebuild).await
}

/// `PUT …/packages/{id}`.
pub async fn replace<P: Packaged>(
    app: App,
    ask: Ask<PortalAdmin, Body<PackageBody<P>>>,
    id: Path<String>,
) -> DataReply<P::View> {
    let Body(PackageBody(draft, _)) = ask.what;
    let package = packages::replace(&app.core, &ask.who, P::PRODUCT, record_id(&id)?, draft).await?;
    data(P::view(package))
}

/// `DELETE …/packages/{id}`.
pub async fn delete<P: Packaged>(
    app: App,
    ask: Ask<PortalAdmin, Nothing>,
    id: Path<String>,
) -> Replied<Message> {
    packages::delete(&app.core, &ask.who, P::PRODUCT, record_id(&id)?).await?;
    message(&format!("{} deleted", P::CALLED))
}

/// `POST …/packages/preview`.
pub async fn preview<P: Packaged>(
    app: App,
    ask: Ask<PortalAdmin, Body<PreviewBody<P>>>,
) -> DataReply<PricePreview> {
    let Body(PreviewBody(draft, example, _)) = ask.what;
    data(PricePreview::from(packages::preview(&app.core, &ask.who, &draft, &example).await?))
}

/// `GET …/packages/assigned`.
pub async fn assigned<P: Packaged>(app: App, ask: Ask<PortalAdmin, Nothing>) -> DataReply<P::Assigned> {
    data(P::assigned(packages::of_agency(&app.core, &ask.who, P::PRODUCT).await?))
}

/// `POST …/packages/assign`.
pub async fn assign<P: Packaged>(
    app: App,
    ask: Ask<PortalAdmin, Keyed<Body<AssignmentBody>>>,
) -> Replied<Message> {
    give::<P>(&app, ask, None, "assigned").await
}

/// `DELETE …/packages/assign`.
pub async fn unassign<P: Packaged>(app: App, ask: Ask<PortalAdmin, Nothing>) -> Replied<Message> {
    packages::unassign(&app.core, &ask.who, P::PRODUCT, None).await?;
    message(&format!("{} unassigned", P::CALLED))
}

/// `GET …/packages/agent-assignments`.
pub async fn agent_assignments<P: Packaged>(
    app: App,
    ask: Ask<PortalAdmin, Nothing>,
) -> DataReply<Vec<P::OfAgent>> {
    let all = packages::of_agents(&app.core, &ask.who, P::PRODUCT).await?;
    data(all.into_iter().map(P::of_agent).collect::<Vec<_>>())
}

/// `POST …/packages/assign-agent/{id}`.
pub async fn assign_agent<P: Packaged>(
    app: App,
    ask: Ask<PortalAdmin, Keyed<Body<AssignmentBody>>>,
    agent: Path<String>,
) -> Replied<Message> {
    let agent = record_id(&agent)?;
    give::<P>(&app, ask, Some(agent), "assigned to agent").await
}

/// `DELETE …/packages/assign-agent/{id}`.
pub async fn unassign_agent<P: Packaged>(
    app: App,
    ask: Ask<PortalAdmin, Nothing>,
    agent: Path<String>,
) -> Replied<Message> {
    packages::unassign(&app.core, &ask.who, P::PRODUCT, Some(record_id(&agent)?)).await?;
    message("agent assignment removed")
}

/// Assigns a package to this agent, or to the agency where none is named, and says so.
async fn give<P: Packaged>(
    app: &App,
    ask: Ask<PortalAdmin, Keyed<Body<AssignmentBody>>>,
    agent: Option<UserId>,
    done: &str,
) -> Replied<Message> {
    let (Body(AssignmentBody(package)), key) = (ask.what.body, ask.what.key);
    let admin = &ask.who;
    let done = &format!("{} {done}", P::CALLED);
    let carry_out = async |key: Option<&IdempotencyKey>| {
        packages::assign(&app.core, admin, P::PRODUCT, package, agent, key).await?;
        message(done)
    };
    let rebuild = async |_: PackageId| message(done);
    idempotent(app, admin.caller(), key, carry_out, rebuild).await
}
