//! An operator's own sessions, password and profile.

use actix_web::{HttpRequest, web::Path};
use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use secrecy::SecretString;
use serde::Serialize;
use serde_json::json;
use uuid::Uuid;
use wayfare_domain::OperatorId;
use wayfare_operations::access::operators::{self, OperatorSession, Viewer, sessions};

use super::operators::OperatorView;
use crate::{
    http::{
        App,
        extract::{self, Anyone, Ask, Body, Nothing},
        json_body::{Example, FromJson, JsonObject},
        rate_limit::{Limited, LogInName},
        refusal::Refusal,
        reply::{Data, Message, Replied, data, message},
    },
    resources::{common::record_id, me::NewPasswordBody},
};

/// `POST /sessions`.
pub async fn begin(
    app: App,
    request: HttpRequest,
    ask: Ask<Anyone, Body<LogInBody>>,
) -> Replied<Data<BegunSession, 201>> {
    let (Anyone(origin), Body(body)) = (ask.who, ask.what);
    let limits = &extract::options(&request)?.limits;
    let (name, address) = (LogInName::of(&[&body.username]), origin.address);
    limits.check_log_in(&request, name, address).await?;
    let begun = sessions::begin(&app, &body.username, &body.password, origin).await?;
    limits.logged_in(name, address);
    data(BegunSession {
        token: begun.token,
        idle_until: begun.idle_until,
        ends_at: begun.ends_at,
        operator: begun.operator.into(),
    })
}

/// `DELETE /sessions/current`.
pub async fn end_current(app: App, ask: Ask<Viewer, Nothing>) -> Replied<Message> {
    sessions::end(&app, &ask.who, ask.who.session()).await?;
    message("logged out")
}

/// `POST /sessions/current/confirm`.
pub async fn confirm(
    app: App,
    request: HttpRequest,
    ask: Ask<Viewer, Body<PasswordBody>>,
) -> Replied<Data<Confirmed>> {
    let (viewer, Body(PasswordBody(password))) = (ask.who, ask.what);
    guess(&request, viewer.id()).await?;
    let confirmed_at = sessions::confirm(&app, &viewer, password).await?;
    data(Confirmed { confirmed_at })
}

/// `GET /me`.
pub async fn own(ask: Ask<Viewer, Nothing>) -> Replied<Data<OperatorView>> {
    data(OperatorView::from(ask.who.operator().clone()))
}

/// `PUT /me/password`.
pub async fn change_password(
    app: App,
    request: HttpRequest,
    ask: Ask<Viewer, Body<NewPasswordBody>>,
) -> Replied<Message> {
    let (viewer, Body(NewPasswordBody { current, new })) = (ask.who, ask.what);
    guess(&request, viewer.id()).await?;
    sessions::change_password(&app, &viewer, current, new).await?;
    message("password changed successfully")
}

/// `GET /me/sessions`.
pub async fn list(app: App, ask: Ask<Viewer, Nothing>) -> Replied<Data<Vec<SessionView>>> {
    let own = sessions::list(&app, &ask.who).await?;
    let current = ask.who.session().uuid();
    let view = |session| SessionView::of(session, current);
    data(own.into_iter().map(view).collect::<Vec<_>>())
}

/// `DELETE /me/sessions/{id}`.
pub async fn end(app: App, ask: Ask<Viewer, Nothing>, id: Path<String>) -> Replied<Message> {
    sessions::end(&app, &ask.who, record_id(&id)?).await?;
    message("session ended")
}

/// Takes a guess at this operator's password.
async fn guess(request: &HttpRequest, operator: OperatorId) -> Result<(), Refusal> {
    let limits = &extract::options(request)?.limits;
    limits.check(request, Limited::OperatorSecret(operator)).await
}

/// `POST /sessions`.
pub struct LogInBody {
    username: String,
    password: String,
}

impl FromJson for LogInBody {
    const NAME: &str = "OperatorLogInRequest";

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let username = body.text("username", operators::accounts::LONGEST_USERNAME);
        let password = body.secret("password");
        Some(Self { username: username?, password: password? })
    }

    fn examples() -> Vec<Example> {
        let body = json!({ "username": "meera", "password": "correct horse battery" });
        vec![("log-in", body)]
    }
}

/// `POST /sessions/current/confirm`.
pub struct PasswordBody(SecretString);

impl FromJson for PasswordBody {
    const NAME: &str = "ConfirmPasswordRequest";

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        Some(Self(body.secret("password")?.into()))
    }

    fn examples() -> Vec<Example> {
        vec![("password", json!({ "password": "correct horse battery" }))]
    }
}

/// A session that has begun.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "BegunOperatorSession")]
pub struct BegunSession {
    token: String,
    idle_until: DateTime<Utc>,
    ends_at: DateTime<Utc>,
    operator: OperatorView,
}

/// That the password was given.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ConfirmedPassword")]
pub struct Confirmed {
    confirmed_at: DateTime<Utc>,
}

/// One of the operator's sessions.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "OperatorSession")]
pub struct SessionView {
    id: Uuid,
    created_at: DateTime<Utc>,
    idle_until: DateTime<Utc>,
    ends_at: DateTime<Utc>,
    confirmed_at: DateTime<Utc>,
    user_agent: String,
    ip_address: String,
    is_current: bool,
}

impl SessionView {
    fn of(session: OperatorSession, current: Uuid) -> Self {
        Self {
            is_current: session.id == current,
            id: session.id,
            created_at: session.created_at,
            idle_until: session.idle_until,
            ends_at: session.ends_at,
            confirmed_at: session.confirmed_at,
            user_agent: session.user_agent,
            ip_address: session.address,
        }
    }
}
