//! Log-in, its tokens, and the own profile.

use actix_web::HttpRequest;
use wayfare_operations::{
    Caller,
    access::{login, own_profile},
};

use super::App;
use crate::{
    bodies,
    extract::{self, Anyone, Ask, Body, Nothing},
    rate_limit::Limited,
    reply::{Data, Done, Replied, data, done},
    views::identity::{LogIn, Profile, Refreshed, Stats},
};

/// `POST /auth/login`.
///
/// # Errors
/// As the error table says.
pub async fn log_in(app: App, ask: Ask<Anyone, Body<bodies::LogIn>>) -> Replied<Data<LogIn>> {
    let (Anyone(origin), Body(body)) = (ask.who, ask.what);
    let signed_in = login::log_in(&app, &body.agent_id, &body.username, &body.password, origin).await?;
    data(LogIn::from(signed_in))
}

/// `POST /auth/refresh`. The refresh token is the proof: an Authorization header is not looked at.
///
/// # Errors
/// As the error table says.
pub async fn refresh(app: App, ask: Ask<Anyone, Body<bodies::Refresh>>) -> Replied<Data<Refreshed>> {
    let (Anyone(origin), Body(bodies::Refresh(token))) = (ask.who, ask.what);
    let tokens = login::refresh(&app, &token, origin).await?;
    data(Refreshed::from(tokens))
}

/// `POST /auth/logout`. The refresh token is the proof: an Authorization header is not looked at.
///
/// # Errors
/// As the error table says.
pub async fn log_out(app: App, ask: Ask<Anyone, Body<bodies::Refresh>>) -> Replied<Done> {
    let (Anyone(origin), Body(bodies::Refresh(token))) = (ask.who, ask.what);
    login::log_out(&app, &token, origin).await?;
    done("logged out")
}

/// `GET /me`.
///
/// # Errors
/// As the error table says.
pub async fn own(ask: Ask<Caller, Nothing>) -> Replied<Data<Profile>> {
    data(Profile::from(ask.who.account().clone()))
}

/// `PUT /me`.
///
/// # Errors
/// As the error table says.
pub async fn change_profile(app: App, ask: Ask<Caller, Body<bodies::OwnChanges>>) -> Replied<Data<Profile>> {
    let Body(bodies::OwnChanges(changes)) = ask.what;
    let account = own_profile::change(&app, &ask.who, changes).await?;
    data(Profile::from(account))
}

/// `PUT /me/password`.
///
/// # Errors
/// As the error table says.
pub async fn change_password(
    app: App,
    request: HttpRequest,
    ask: Ask<Caller, Body<bodies::NewPassword>>,
) -> Replied<Done> {
    let (caller, Body(bodies::NewPassword { current, new })) = (ask.who, ask.what);
    let limits = &extract::options(&request)?.limits;
    limits.check(&request, Limited::Secret(caller.user())).await?;
    own_profile::change_password(&app, &caller, current, new).await?;
    done("password changed successfully")
}

/// `GET /me/stats`.
///
/// # Errors
/// As the error table says.
pub async fn stats(app: App, ask: Ask<Caller, Nothing>) -> Replied<Data<Stats>> {
    data(Stats::from(own_profile::stats(&app, &ask.who).await?))
}
