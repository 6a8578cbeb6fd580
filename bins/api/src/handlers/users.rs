//! The users of an agency.

use actix_web::web::Path;
use wayfare_domain::{AccountStatus, PageRequest, UserId};
use wayfare_operations::{
    PortalAdmin,
    access::users::{self, Changes, UserFilter},
    tools::idempotency::IdempotencyKey,
};

use super::{App, user_id};
use crate::{
    bodies,
    extract::{Ask, Body, Keyed, Nothing, Query},
    once::once,
    reply::{Data, Done, Listed, Replied, data, done, list as page_of},
    views::identity::{User, UserRow},
};

/// `GET /org/users`.
///
/// # Errors
/// As the error table says.
pub async fn list(
    app: App,
    ask: Ask<PortalAdmin, Query<(PageRequest, UserFilter)>>,
) -> Replied<Listed<UserRow>> {
    let Query((page, filter)) = ask.what;
    page_of(
        users::list(&app, ask.who.admin(), filter, page).await?,
        UserRow::from,
    )
}

/// `POST /org/users`.
///
/// # Errors
/// As the error table says.
pub async fn create(app: App, ask: Ask<PortalAdmin, Keyed<Body<bodies::NewUser>>>) -> Replied<Data<User>> {
    let (Body(bodies::NewUser(new)), key) = (ask.what.body, ask.what.key);
    let admin = ask.who.admin();
    let first =
        async |key: Option<&IdempotencyKey>| data(User::from(users::create(&app, admin, new, key).await?));
    let look = async |id: UserId| data(User::from(users::get(&app, admin, id).await?));
    once(&app, admin.caller(), key, first, look).await
}

/// `GET /org/users/{id}`.
///
/// # Errors
/// As the error table says.
pub async fn get(app: App, ask: Ask<PortalAdmin, Nothing>, id: Path<String>) -> Replied<Data<User>> {
    data(User::from(
        users::get(&app, ask.who.admin(), user_id(&id)?).await?,
    ))
}

/// `PUT /org/users/{id}`.
///
/// # Errors
/// As the error table says.
pub async fn change(
    app: App,
    ask: Ask<PortalAdmin, Body<bodies::UserChanges>>,
    id: Path<String>,
) -> Replied<Data<User>> {
    let Body(bodies::UserChanges(changes)) = ask.what;
    data(User::from(
        users::change(&app, ask.who.admin(), user_id(&id)?, changes).await?,
    ))
}

/// `DELETE /org/users/{id}`.
///
/// # Errors
/// As the error table says.
pub async fn delete(app: App, ask: Ask<PortalAdmin, Nothing>, id: Path<String>) -> Replied<Done> {
    users::delete(&app, ask.who.admin(), user_id(&id)?).await?;
    done("user deleted")
}

/// `PUT /org/users/{id}/suspend`.
///
/// # Errors
/// As the error table says.
pub async fn suspend(app: App, ask: Ask<PortalAdmin, Nothing>, id: Path<String>) -> Replied<Done> {
    let changes = Changes {
        status: Some(AccountStatus::Suspended),
        ..Changes::default()
    };
    users::change(&app, ask.who.admin(), user_id(&id)?, changes).await?;
    done("user suspended")
}

/// `PUT /org/users/{id}/activate`.
///
/// # Errors
/// As the error table says.
pub async fn activate(app: App, ask: Ask<PortalAdmin, Nothing>, id: Path<String>) -> Replied<Done> {
    let changes = Changes {
        status: Some(AccountStatus::Active),
        ..Changes::default()
    };
    users::change(&app, ask.who.admin(), user_id(&id)?, changes).await?;
    done("user activated")
}
