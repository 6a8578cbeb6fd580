//! Log-in, and its tokens.

use std::net::IpAddr;

use actix_web::HttpRequest;
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
    refusal::Refusal,
    reply::{DataReply, Message, Replied, data, message},
};

/// `POST /auth/login`.
pub async fn log_in(app: App, request: HttpRequest, ask: Ask<Anyone, Body<LogInBody>>) -> DataReply<LogIn> {
    let (Anyone(origin), Body(body)) = (ask.who, ask.what);
    let address = origin.address;
    body.check_limit(&request, address).await?;
    let signed_in =
        login::log_in(&app.access, &body.agent_id, &body.username, &body.password, origin).await?;
    body.note_success(&request, address)?;
    data(signed_in)
}

/// `POST /auth/refresh`. The refresh token is the proof: an Authorization header is not looked at.
pub async fn refresh(app: App, ask: Ask<Anyone, Body<RefreshBody>>) -> DataReply<Refreshed> {
    let (Anyone(origin), Body(RefreshBody(token))) = (ask.who, ask.what);
    let tokens = login::refresh(&app.core, &token, origin).await?;
    data(Refreshed { user: None, tokens })
}

/// `POST /auth/logout`. The refresh token is the proof: an Authorization header is not looked at.
pub async fn log_out(app: App, ask: Ask<Anyone, Body<RefreshBody>>) -> Replied<Message> {
    let (Anyone(origin), Body(RefreshBody(token))) = (ask.who, ask.what);
    login::log_out(&app.core, &token, origin).await?;
    message("logged out")
}

/// `POST /auth/sessions`.
pub async fn begin_session(
    app: App,
    request: HttpRequest,
    ask: Ask<Anyone, Body<LogInBody>>,
) -> DataReply<BrowserSession, 201> {
    let (Anyone(origin), Body(body)) = (ask.who, ask.what);
    let address = origin.address;
    body.check_limit(&request, address).await?;
    let begun = sessions::begin(&app.access, &body.agent_id, &body.username, &body.password, origin).await?;
    body.note_success(&request, address)?;
    data(begun)
}

/// `DELETE /auth/sessions/current`.
pub async fn end_current_session(app: App, ask: Ask<Person, Nothing>) -> Replied<Message> {
    sessions::end(&app.core, &ask.who, ask.who.session()).await?;
    message("logged out")
}

/// `POST /auth/login`.
pub struct LogInBody {
    /// The agency's code.
    pub agent_id: String,
    /// The username.
    pub username: String,
    /// The password.
    pub password: String,
}

impl LogInBody {
    fn name(&self) -> LogInName {
        LogInName::of(&[&self.agent_id, &self.username])
    }

    async fn check_limit(&self, request: &HttpRequest, address: Option<IpAddr>) -> Result<(), Refusal> {
        let limits = &extract::options(request)?.limits;
        limits.check_log_in(request, self.name(), address).await
    }

    fn note_success(&self, request: &HttpRequest, address: Option<IpAddr>) -> Result<(), Refusal> {
        extract::options(request)?.limits.logged_in(self.name(), address);
        Ok(())
    }
}

impl FromJson for LogInBody {
    const NAME: &str = "LogInRequest";
    type Declared = Credentials;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let agent_id = body.text("agent_id", 64);
        let username = body.text("username", 256);
        let password = body.secret("password");
        Some(Self { agent_id: agent_id?, username: username?, password: password? })
    }
}

/// `POST /auth/refresh` and `POST /auth/logout`.
pub struct RefreshBody(pub String);

impl FromJson for RefreshBody {
    const NAME: &str = "RefreshTokenRequest";
    type Declared = RefreshToken;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        body.secret("refresh_token").map(Self)
    }
}
