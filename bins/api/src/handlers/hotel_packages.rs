//! Hotel packages and who has them.

use actix_web::web::Path;
use wayfare_domain::ProductKind::Hotel;
use wayfare_operations::{PortalAdmin, pricing::packages};

use super::{
    App, package_id,
    packages::{give, make},
    user_id,
};
use crate::{
    bodies::packages::{Assignment, HotelPackage as HotelPackageBody},
    extract::{Ask, Body, Keyed, Nothing},
    reply::{Data, Done, Replied, data, done},
    views::packages::HotelPackage,
};

/// `GET /org/hotel-packages`.
///
/// # Errors
/// As the error table says.
pub async fn list(app: App, ask: Ask<PortalAdmin, Nothing>) -> Replied<Data<Vec<HotelPackage>>> {
    let all = packages::list(&app, &ask.who, Hotel).await?;
    data(
        all.into_iter()
            .map(|(package, _)| HotelPackage::from(package))
            .collect::<Vec<_>>(),
    )
}

/// `POST /org/hotel-packages`.
///
/// # Errors
/// As the error table says.
pub async fn create(
    app: App,
    ask: Ask<PortalAdmin, Keyed<Body<HotelPackageBody>>>,
) -> Replied<Data<HotelPackage, 201>> {
    let (Body(HotelPackageBody(draft)), key) = (ask.what.body, ask.what.key);
    make(&app, &ask.who, key, Hotel, draft).await
}

/// `PUT /org/hotel-packages/{id}`.
///
/// # Errors
/// As the error table says.
pub async fn replace(
    app: App,
    ask: Ask<PortalAdmin, Body<HotelPackageBody>>,
    id: Path<String>,
) -> Replied<Data<HotelPackage>> {
    let Body(HotelPackageBody(draft)) = ask.what;
    let package = packages::replace(&app, &ask.who, Hotel, package_id(&id)?, draft).await?;
    data(HotelPackage::from(package))
}

/// `DELETE /org/hotel-packages/{id}`.
///
/// # Errors
/// As the error table says.
pub async fn delete(app: App, ask: Ask<PortalAdmin, Nothing>, id: Path<String>) -> Replied<Done> {
    packages::delete(&app, &ask.who, Hotel, package_id(&id)?).await?;
    done("hotel package deleted")
}

/// `POST /org/hotel-packages/assign`.
///
/// # Errors
/// As the error table says.
pub async fn assign(app: App, ask: Ask<PortalAdmin, Keyed<Body<Assignment>>>) -> Replied<Done> {
    give(&app, ask, Hotel, None, "hotel package assigned").await
}

/// `DELETE /org/hotel-packages/assign`.
///
/// # Errors
/// As the error table says.
pub async fn unassign(app: App, ask: Ask<PortalAdmin, Nothing>) -> Replied<Done> {
    packages::unassign(&app, &ask.who, Hotel, None).await?;
    done("hotel package unassigned")
}

/// `POST /org/hotel-packages/assign-agent/{id}`.
///
/// # Errors
/// As the error table says.
pub async fn assign_agent(
    app: App,
    ask: Ask<PortalAdmin, Keyed<Body<Assignment>>>,
    agent: Path<String>,
) -> Replied<Done> {
    let agent = user_id(&agent)?;
    give(&app, ask, Hotel, Some(agent), "hotel package assigned to agent").await
}

/// `DELETE /org/hotel-packages/assign-agent/{id}`.
///
/// # Errors
/// As the error table says.
pub async fn unassign_agent(app: App, ask: Ask<PortalAdmin, Nothing>, agent: Path<String>) -> Replied<Done> {
    packages::unassign(&app, &ask.who, Hotel, Some(user_id(&agent)?)).await?;
    done("agent assignment removed")
}
