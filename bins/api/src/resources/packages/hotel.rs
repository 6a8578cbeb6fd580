//! Hotel packages and who has them.

use actix_web::web::Path;
use wayfare_contract::{
    AssignedHotelPackage, HotelPackage, HotelPackageAssignment, HotelPackageRow, PricePreview,
};
use wayfare_domain::ProductKind::Hotel;
use wayfare_operations::{PortalAdmin, pricing::packages};

use super::{
    bodies::{AssignmentBody, HotelPackageBody},
    give, make,
    preview::HotelPreviewBody,
    views,
};
use crate::{
    http::{
        App,
        extract::{Ask, Body, Keyed, Nothing},
        reply::{DataReply, Message, Replied, data, message},
    },
    resources::common::record_id,
};

/// `GET /org/hotel-packages`.
pub async fn list(app: App, ask: Ask<PortalAdmin, Nothing>) -> DataReply<Vec<HotelPackageRow>> {
    let all = packages::list(&app.core, &ask.who, Hotel).await?;
    data(all.into_iter().map(views::hotel_package_row).collect::<Vec<_>>())
}

/// `POST /org/hotel-packages`.
pub async fn create(
    app: App,
    ask: Ask<PortalAdmin, Keyed<Body<HotelPackageBody>>>,
) -> DataReply<HotelPackage, 201> {
    let (Body(HotelPackageBody(draft)), key) = (ask.what.body, ask.what.key);
    make(&app, &ask.who, key, (Hotel, draft), views::hotel_package).await
}

/// `PUT /org/hotel-packages/{id}`.
pub async fn replace(
    app: App,
    ask: Ask<PortalAdmin, Body<HotelPackageBody>>,
    id: Path<String>,
) -> DataReply<HotelPackage> {
    let Body(HotelPackageBody(draft)) = ask.what;
    let package = packages::replace(&app.core, &ask.who, Hotel, record_id(&id)?, draft).await?;
    data(views::hotel_package(package))
}

/// `DELETE /org/hotel-packages/{id}`.
pub async fn delete(app: App, ask: Ask<PortalAdmin, Nothing>, id: Path<String>) -> Replied<Message> {
    packages::delete(&app.core, &ask.who, Hotel, record_id(&id)?).await?;
    message("hotel package deleted")
}

/// `POST /org/hotel-packages/preview`.
pub async fn preview(app: App, ask: Ask<PortalAdmin, Body<HotelPreviewBody>>) -> DataReply<PricePreview> {
    let Body(HotelPreviewBody(draft, example)) = ask.what;
    data(PricePreview::from(packages::preview(&app.core, &ask.who, &draft, &example).await?))
}

/// `GET /org/hotel-packages/assigned`.
pub async fn assigned(app: App, ask: Ask<PortalAdmin, Nothing>) -> DataReply<AssignedHotelPackage> {
    data(views::assigned_hotel_package(packages::of_agency(&app.core, &ask.who, Hotel).await?))
}

/// `GET /org/hotel-packages/agent-assignments`.
pub async fn agent_assignments(
    app: App,
    ask: Ask<PortalAdmin, Nothing>,
) -> DataReply<Vec<HotelPackageAssignment>> {
    let all = packages::of_agents(&app.core, &ask.who, Hotel).await?;
    data(all.into_iter().map(views::hotel_package_assignment).collect::<Vec<_>>())
}

/// `POST /org/hotel-packages/assign`.
pub async fn assign(app: App, ask: Ask<PortalAdmin, Keyed<Body<AssignmentBody>>>) -> Replied<Message> {
    give(&app, ask, Hotel, None, "hotel package assigned").await
}

/// `DELETE /org/hotel-packages/assign`.
pub async fn unassign(app: App, ask: Ask<PortalAdmin, Nothing>) -> Replied<Message> {
    packages::unassign(&app.core, &ask.who, Hotel, None).await?;
    message("hotel package unassigned")
}

/// `POST /org/hotel-packages/assign-agent/{id}`.
pub async fn assign_agent(
    app: App,
    ask: Ask<PortalAdmin, Keyed<Body<AssignmentBody>>>,
    agent: Path<String>,
) -> Replied<Message> {
    let agent = record_id(&agent)?;
    give(&app, ask, Hotel, Some(agent), "hotel package assigned to agent").await
}

/// `DELETE /org/hotel-packages/assign-agent/{id}`.
pub async fn unassign_agent(
    app: App,
    ask: Ask<PortalAdmin, Nothing>,
    agent: Path<String>,
) -> Replied<Message> {
    packages::unassign(&app.core, &ask.who, Hotel, Some(record_id(&agent)?)).await?;
    message("agent assignment removed")
}
