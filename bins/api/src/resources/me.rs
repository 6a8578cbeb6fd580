//! The own profile, password and figures.

use actix_web::{HttpRequest, web::Path};
use wayfare_contract::{ChangePassword, OwnProfile, OwnSession, Stats};
use wayfare_operations::{
    Caller, Person,
    access::{own_profile, sessions, users},
};

use super::{common::record_id, users::bodies::OwnChangesBody};
use crate::http::{
    App,
    extract::{self, Ask, Body, Nothing},
    json_body::{FromJson, JsonObject},
    rate_limit::Limited,
    reply::{DataReply, Message, Replied, data, message},
};

/// `GET /me`.
pub async fn own(ask: Ask<Person, Nothing>) -> DataReply<OwnProfile> {
    data(users::own_profile(ask.who.account().clone()))
}

/// `PUT /me`.
pub async fn change_profile(app: App, ask: Ask<Person, Body<OwnChangesBody>>) -> DataReply<OwnProfile> {
    let Body(OwnChangesBody(changes)) = ask.what;
    let account = own_profile::change(&app.core, &ask.who, changes).await?;
    data(users::own_profile(account))
}

/// `PUT /me/password`.
pub async fn change_password(
    app: App,
    request: HttpRequest,
    ask: Ask<Person, Body<ChangePassword>>,
) -> Replied<Message> {
    let (person, Body(ChangePassword { current_password, new_password })) = (ask.who, ask.what);
    let limits = &extract::options(&request)?.limits;
    limits.check(&request, Limited::Secret(person.user())).await?;
    own_profile::change_password(&app.access, &person, current_password, new_password).await?;
    message("password changed successfully")
}

/// `GET /me/stats`.
pub async fn stats(app: App, ask: Ask<Caller, Nothing>) -> DataReply<Stats> {
    data(own_profile::stats(&app.core, &ask.who).await?)
}

/// `GET /me/sessions`.
pub async fn sessions(app: App, ask: Ask<Person, Nothing>) -> DataReply<Vec<OwnSession>> {
    data(sessions::list(&app.core, &ask.who).await?)
}

/// `DELETE /me/sessions/{id}`.
pub async fn end_session(app: App, ask: Ask<Person, Nothing>, id: Path<String>) -> Replied<Message> {
    sessions::end(&app.core, &ask.who, record_id(&id)?).await?;
    message("session ended")
}

impl FromJson for ChangePassword {
    const NAME: &str = "ChangePasswordRequest";
    type Declared = Self;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let current = body.secret("current_password");
        let new = body.secret("new_password");
        Some(Self { current_password: current?.into(), new_password: new?.into() })
    }
}
