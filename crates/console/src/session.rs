//! Who uses the console: the cookie with the session's token, and the session of the API that it stands for.

use std::future::{Ready, ready};

use actix_web::{
    FromRequest, HttpRequest,
    cookie::{Cookie, SameSite},
    dev::Payload,
    http::header,
    web::Data,
};
use sha2::{Digest, Sha256};
use wayfare_client::{Client, Error, Session};

use crate::{
    Console,
    assets::ASSETS,
    failure::Failure,
    page::{Shell, theme},
    side::{Area, Side},
};

/// Somebody who has a session's token; whether it is still good is known when it is used.
pub struct Signed {
    pub session: Session,
    pub console: Data<Console>,
    /// Tells sessions apart without their tokens.
    pub key: String,
    request: HttpRequest,
}

impl Signed {
    /// What is round a page.
    pub async fn shell(&self, title: &str, area: Area) -> Result<Shell, Error> {
        let (profile, notifications) = (self.session.profile(), self.session.notifications());
        let (user, unread) = futures_util::try_join!(profile.read(), notifications.unread())?;
        Ok(shell_of(&self.request, title, area).signed(&user, unread))
    }

    /// What a search or a price of this session is kept under.
    pub fn own(&self, query: &str) -> String {
        format!("{} {query}", self.key)
    }

    /// What is round a page, without asking who it is.
    pub fn bare_shell(&self, title: &str, area: Area) -> Shell {
        shell_of(&self.request, title, area)
    }
}

impl FromRequest for Signed {
    type Error = Failure;
    type Future = Ready<Result<Self, Failure>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(signed(request))
    }
}

fn signed(request: &HttpRequest) -> Result<Signed, Failure> {
    let console = console(request)?;
    let token = token(request, console).ok_or(Failure::SignedOut)?;
    Ok(Signed {
        key: key_of(&token),
        session: client(request, console)?.with_token(token),
        console: console.clone(),
        request: request.clone(),
    })
}

fn key_of(token: &str) -> String {
    let hash = Sha256::digest(token);
    hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// The console that serves this request.
pub fn console(request: &HttpRequest) -> Result<&Data<Console>, Failure> {
    let console = request.app_data::<Data<Console>>();
    console.ok_or_else(|| Failure::broken("no console"))
}

/// A client that calls for this browser: from its address, with its name.
pub fn client(request: &HttpRequest, console: &Console) -> Result<Client, Failure> {
    let (address, program) = browser(request);
    let client = console.shared.client.clone();
    let client = client.with_header("x-forwarded-for", &address)?;
    Ok(client.with_header("user-agent", &program)?)
}

/// The browser's address, behind those that proxies have told, and its name.
fn browser(request: &HttpRequest) -> (String, String) {
    let headers = request.headers();
    // Some proxies write a line of their own behind those that were sent: all count, in their order. What is no text is no
    // address, and stands in its place.
    let told = headers.get_all("x-forwarded-for");
    let told = told.map(|line| line.to_str().unwrap_or("unknown").to_owned());
    let peer = request.peer_addr().map(|peer| peer.ip().to_string());
    let told: Vec<String> = told.chain(peer).collect();
    let program = headers.get(header::USER_AGENT);
    let program = program.and_then(|program| program.to_str().ok()).unwrap_or_default();
    (told.join(", "), program.to_owned())
}

/// What is round a page, whoever asks.
pub fn shell_of(request: &HttpRequest, title: &str, area: Area) -> Shell {
    let console = console(request).ok();
    Shell {
        side: console.map_or(Side::Agency, |console| console.side),
        title: title.to_owned(),
        area,
        person: None,
        is_signed: has_token(request),
        unread: 0,
        theme: theme(request),
        is_sandbox: console.is_some_and(|console| console.shared.options.is_sandbox),
        assets: &ASSETS,
    }
}

/// Whether there is a token, good or not.
pub fn has_token(request: &HttpRequest) -> bool {
    console(request).is_ok_and(|console| token(request, console).is_some())
}

/// The token that the browser has sent, good or not.
pub fn token(request: &HttpRequest, console: &Console) -> Option<String> {
    let cookie = request.cookie(name(console))?;
    let value = cookie.value();
    let is_token =
        value.starts_with(console.side.prefix()) && value.bytes().all(|byte| byte.is_ascii_graphic());
    is_token.then(|| value.to_owned())
}

fn name(console: &Console) -> &'static str {
    console.side.cookie(console.is_secure())
}

/// The cookie with this token. It lasts as long as the browser is open; the service ends the session sooner or later.
pub fn cookie(console: &Console, token: String) -> Cookie<'static> {
    Cookie::build(name(console), token)
        .path("/")
        .secure(console.is_secure())
        .http_only(true)
        .same_site(SameSite::Lax)
        .finish()
}

pub fn no_cookie(console: &Console) -> Cookie<'static> {
    let mut cookie = cookie(console, String::new());
    cookie.make_removal();
    cookie
}
