//! Log-in and the own profile.

use wayfare_operations::{Caller, identity};

use super::App;
use crate::{
    bodies,
    extract::{Anyone, Ask, Body, Nothing},
    reply::{Replied, data},
    views::identity::{LogIn, Profile},
};

/// `POST /auth/login`.
///
/// # Errors
/// As the error table says.
pub async fn log_in(app: App, ask: Ask<Anyone, Body<bodies::LogIn>>) -> Replied {
    let (Anyone(origin), Body(body)) = (ask.who, ask.what);
    let signed_in = identity::log_in(&app, &body.agent_id, &body.username, &body.password, origin).await?;
    data(LogIn::from(signed_in))
}

/// `GET /me`.
///
/// # Errors
/// As the error table says.
pub async fn profile(ask: Ask<Caller, Nothing>) -> Replied {
    data(Profile::from(ask.who.account()))
}
