//! The users of an agency.

pub mod bodies;

use actix_web::web::Path;
use wayfare_contract::{User, UserRow};
use wayfare_domain::{AccountStatus, PageRequest, UserId};
use wayfare_operations::{
    PortalAdmin,
    access::idempotency::IdempotencyKey,
    access::users::{self, Changes, UserFilter},
};

use self::bodies::UserChangesBody;
use super::common::record_id;
use crate::http::{
    App,
    extract::{Ask, Body, Keyed, Nothing, Query},
    idempotent::idempotent,
    reply::{DataReply, Message, Paged, Replied, data, message, paged},
};

/// `GET /org/users`.
pub async fn list(
    app: App,
    ask: Ask<PortalAdmin, Query<(PageRequest, UserFilter)>>,
) -> Replied<Paged<UserRow>> {
    let Query((page, filter)) = ask.what;
    paged(users::list(&app.core, ask.who.admin(), filter, page).await?.map(users::row))
}

/// `POST /org/users`.
pub async fn create(app: App, ask: Ask<PortalAdmin, Keyed<Body<users::NewUser>>>) -> DataReply<User> {
    let (Body(new), key) = (ask.what.body, ask.what.key);
    let admin = ask.who.admin();
    let carry_out = async |key: Option<&IdempotencyKey>| {
        data(users::shown(users::create(&app.access, admin, new, key).await?))
    };
    let rebuild = async |id: UserId| data(users::shown(users::get(&app.core, admin, id).await?));
    idempotent(&app, admin.caller(), key, carry_out, rebuild).await
}

/// `GET /org/users/{id}`.
pub async fn get(app: App, ask: Ask<PortalAdmin, Nothing>, id: Path<String>) -> DataReply<User> {
    data(users::shown(users::get(&app.core, ask.who.admin(), record_id(&id)?).await?))
}

/// `PUT /org/users/{id}`.
pub async fn change(
    app: App,
    ask: Ask<PortalAdmin, Body<UserChangesBody>>,
    id: Path<String>,
) -> DataReply<User> {
    let Body(UserChangesBody(changes)) = ask.what;
    data(users::shown(users::change(&app.core, ask.who.admin(), record_id(&id)?, changes).await?))
}

/// `DELETE /org/users/{id}`.
pub async fn delete(app: App, ask: Ask<PortalAdmin, Nothing>, id: Path<String>) -> Replied<Message> {
    wayfare_operations::money::delete_user::delete_user(&app.core, ask.who.admin(), record_id(&id)?).await?;
    message("user deleted")
}

/// `PUT /org/users/{id}/suspend`.
pub async fn suspend(app: App, ask: Ask<PortalAdmin, Nothing>, id: Path<String>) -> Replied<Message> {
    let changes = Changes { status: Some(AccountStatus::Suspended), ..Changes::default() };
    users::change(&app.core, ask.who.admin(), record_id(&id)?, changes).await?;
    message("user suspended")
}

/// `PUT /org/users/{id}/activate`.
pub async fn activate(app: App, ask: Ask<PortalAdmin, Nothing>, id: Path<String>) -> Replied<Message> {
    let changes = Changes { status: Some(AccountStatus::Active), ..Changes::default() };
    users::change(&app.core, ask.who.admin(), record_id(&id)?, changes).await?;
    message("user activated")
}
