//! An operator's own sessions, password and profile.

use actix_web::{HttpRequest, web::Path};
use secrecy::ExposeSecret;
use wayfare_contract::{
    ChangePassword,
    operator::{
        BegunOperatorSession, ConfirmPassword, ConfirmedPassword, Operator, OperatorLogIn, OwnOperatorSession,
    },
};
use wayfare_domain::OperatorId;
use wayfare_operations::access::operators::{Viewer, accounts, sessions};

use crate::{
    http::{
        App,
        extract::{self, Anyone, Ask, Body, Nothing},
        json_body::{FromJson, JsonObject},
        rate_limit::{Limited, LogInName},
        refusal::Refusal,
        reply::{DataReply, Message, Replied, data, message},
    },
    resources::common::record_id,
};

/// `POST /sessions`.
pub async fn begin(
    app: App,
    request: HttpRequest,
    ask: Ask<Anyone, Body<OperatorLogIn>>,
) -> DataReply<BegunOperatorSession, 201> {
    let (Anyone(origin), Body(body)) = (ask.who, ask.what);
    let limits = &extract::options(&request)?.limits;
    let (name, address) = (LogInName::of(&[&body.username]), origin.address);
    limits.check_log_in(&request, name, address).await?;
    let begun = sessions::begin(&app.access, &body.username, body.password.expose_secret(), origin).await?;
    limits.logged_in(name, address);
    data(begun)
}

/// `DELETE /sessions/current`.
pub async fn end_current(app: App, ask: Ask<Viewer, Nothing>) -> Replied<Message> {
    sessions::end(&app.core, &ask.who, ask.who.session()).await?;
    message("logged out")
}

/// `POST /sessions/current/confirm`.
pub async fn confirm(
    app: App,
    request: HttpRequest,
    ask: Ask<Viewer, Body<ConfirmPassword>>,
) -> DataReply<ConfirmedPassword> {
    let (viewer, Body(ConfirmPassword { password })) = (ask.who, ask.what);
    guess(&request, viewer.id()).await?;
    let confirmed_at = sessions::confirm(&app.access, &viewer, password).await?;
    data(ConfirmedPassword { confirmed_at })
}

/// `GET /me`.
pub async fn own(ask: Ask<Viewer, Nothing>) -> DataReply<Operator> {
    data(accounts::shown(ask.who.operator().clone()))
}

/// `PUT /me/password`.
pub async fn change_password(
    app: App,
    request: HttpRequest,
    ask: Ask<Viewer, Body<ChangePassword>>,
) -> Replied<Message> {
    let (viewer, Body(ChangePassword { current_password, new_password })) = (ask.who, ask.what);
    guess(&request, viewer.id()).await?;
    sessions::change_password(&app.access, &viewer, current_password, new_password).await?;
    message("password changed successfully")
}

/// `GET /me/sessions`.
pub async fn list(app: App, ask: Ask<Viewer, Nothing>) -> DataReply<Vec<OwnOperatorSession>> {
    data(sessions::list(&app.core, &ask.who).await?)
}

/// `DELETE /me/sessions/{id}`.
pub async fn end(app: App, ask: Ask<Viewer, Nothing>, id: Path<String>) -> Replied<Message> {
    sessions::end(&app.core, &ask.who, record_id(&id)?).await?;
    message("session ended")
}

/// Takes a guess at this operator's password.
async fn guess(request: &HttpRequest, operator: OperatorId) -> Result<(), Refusal> {
    let limits = &extract::options(request)?.limits;
    limits.check(request, Limited::OperatorSecret(operator)).await
}

impl FromJson for OperatorLogIn {
    const NAME: &str = "OperatorLogInRequest";
    type Declared = Self;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let username = body.text("username", accounts::LONGEST_USERNAME);
        let password = body.secret("password");
        Some(Self { username: username?, password: password?.into() })
    }
}

impl FromJson for ConfirmPassword {
    const NAME: &str = "ConfirmPasswordRequest";
    type Declared = Self;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        Some(Self { password: body.secret("password")?.into() })
    }
}
