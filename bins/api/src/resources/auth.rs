//! Log-in, and its tokens.

use actix_web::HttpRequest;
use secrecy::ExposeSecret;
use wayfare_contract::{BrowserSession, Credentials, LogIn, RefreshToken, Refreshed};
use wayfare_operations::{
    Person,
    access::{login, sessions},
};

use crate::http::{
    App,
    extract::{self, Anyone, Ask, Body, Nothing},
    json_body::{FromJson, JsonObject},
    rate_limit::LogInName,
    reply::{DataReply, Message, Replied, data, message},
};

/// `POST /auth/login`.
pub async fn log_in(app: App, request: HttpRequest, ask: Ask<Anyone, Body<Credentials>>) -> DataReply<LogIn> {
    let (Anyone(origin), Body(body)) = (ask.who, ask.what);
    let (name, address) = (log_in_name(&body), origin.address);
    let limits = &extract::options(&request)?.limits;
    limits.check_log_in(&request, name, address).await?;
    let password = body.password.expose_secret();
    let signed_in = login::log_in(&app.access, &body.agent_id, &body.username, password, origin).await?;
    limits.logged_in(name, address);
    data(signed_in)
}

/// `POST /auth/refresh`. The refresh token is the proof: an Authorization header is not looked at.
pub async fn refresh(app: App, ask: Ask<Anyone, Body<RefreshToken>>) -> DataReply<Refreshed> {
    let (Anyone(origin), Body(RefreshToken { refresh_token })) = (ask.who, ask.what);
    let tokens = login::refresh(&app.core, refresh_token.expose_secret(), origin).await?;
    data(Refreshed { user: None, tokens })
}

/// `POST /auth/logout`. The refresh token is the proof: an Authorization header is not looked at.
pub async fn log_out(app: App, ask: Ask<Anyone, Body<RefreshToken>>) -> Replied<Message> {
    let (Anyone(origin), Body(RefreshToken { refresh_token })) = (ask.who, ask.what);
    login::log_out(&app.core, refresh_token.expose_secret(), origin).await?;
    message("logged out")
}

/// `POST /auth/sessions`.
pub async fn begin_session(
    app: App,
    request: HttpRequest,
    ask: Ask<Anyone, Body<Credentials>>,
) -> DataReply<BrowserSession, 201> {
    let (Anyone(origin), Body(body)) = (ask.who, ask.what);
    let (name, address) = (log_in_name(&body), origin.address);
    let limits = &extract::options(&request)?.limits;
    limits.check_log_in(&request, name, address).await?;
    let password = body.password.expose_secret();
    let begun = sessions::begin(&app.access, &body.agent_id, &body.username, password, origin).await?;
    limits.logged_in(name, address);
    data(begun)
}

/// `DELETE /auth/sessions/current`.
pub async fn end_current_session(app: App, ask: Ask<Person, Nothing>) -> Replied<Message> {
    sessions::end(&app.core, &ask.who, ask.who.session()).await?;
    message("logged out")
}

fn log_in_name(body: &Credentials) -> LogInName {
    LogInName::of(&[&body.agent_id, &body.username])
}

impl FromJson for Credentials {
    const NAME: &str = "LogInRequest";
    type Declared = Self;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let agent_id = body.text("agent_id", 64);
        let username = body.text("username", 256);
        let password = body.secret("password");
        Some(Self { agent_id: agent_id?, username: username?, password: password?.into() })
    }
}

impl FromJson for RefreshToken {
    const NAME: &str = "RefreshTokenRequest";
    type Declared = Self;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        Some(Self { refresh_token: body.secret("refresh_token")?.into() })
    }
}
