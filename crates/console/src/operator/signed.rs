//! Who uses the operator's console, and the session of the operator's API that their cookie stands for.

use std::future::{Ready, ready};

use actix_web::{FromRequest, HttpRequest, dev::Payload};
use wayfare_client::{
    Error,
    operator::{OperatorClient, OperatorSession},
};

use crate::{
    Console,
    failure::{Failure, sentence},
    form::Wrongs,
    page::{Person, Shell},
    session,
    side::Area,
};

/// Somebody who has an operator's token; whether it is still good is known when it is used.
pub struct OperatorSigned {
    pub session: OperatorSession,
    request: HttpRequest,
}

impl OperatorSigned {
    /// What is round a page.
    ///
    /// # Errors
    /// When the API can't be asked.
    pub async fn shell(&self, title: &str, area: Area) -> Result<Shell, Error> {
        let me = self.session.me().await?;
        let role = role(me.role.as_str());
        let person = Person::new(&me.name, role, role == "Admin");
        Ok(Shell { person: Some(person), ..session::shell_of(&self.request, title, area) })
    }
}

pub fn role(word: &str) -> &'static str {
    match word {
        "admin" => "Admin",
        "finance" => "Finance",
        "desk" => "Desk",
        _ => "Viewer",
    }
}

impl FromRequest for OperatorSigned {
    type Error = Failure;
    type Future = Ready<Result<Self, Failure>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(signed(request))
    }
}

/// Who asks, of a request that no handler has yet.
///
/// # Errors
/// When nobody is logged in.
pub fn signed(request: &HttpRequest) -> Result<OperatorSigned, Failure> {
    let console = session::console(request)?;
    let token = session::token(request, console).ok_or(Failure::SignedOut)?;
    Ok(OperatorSigned { session: client(request, console)?.with_token(token), request: request.clone() })
}

/// A client that calls for this browser: from its address, with its name.
pub fn client(request: &HttpRequest, console: &Console) -> Result<OperatorClient, Failure> {
    let (address, program) = session::browser(request);
    let client = console.operator().clone();
    let client = client.with_header("x-forwarded-for", &address)?;
    Ok(client.with_header("user-agent", &program)?)
}

/// What the API says against a form. What says nothing of it is a failure.
pub fn refused(error: Error) -> Result<Wrongs, Failure> {
    let Error::Refused { status, ref text, .. } = error else {
        return Err(error.into());
    };
    if ![400, 402, 409, 422].contains(&status) {
        return Err(error.into());
    }
    let mut wrongs = Wrongs::of(&error, str::to_owned);
    if wrongs.is_empty() {
        wrongs.add("", sentence(text));
    }
    Ok(wrongs)
}

/// What the API says of a password that was given too long ago for what is asked.
pub const LONG_AGO: &str = "Type your password: you did so more than ten minutes ago";

/// Whether the API wants the password once more before it does that.
pub fn wants_password(error: &Error) -> bool {
    matches!(error, Error::Refused { status: 403, text, .. } if text.contains("confirm your password"))
}

/// Gives the password once more; what is wrong with it stands at this field.
///
/// # Errors
/// When it can't be said whether it is right.
pub async fn confirm(session: &OperatorSession, password: String, field: &str) -> Result<Wrongs, Failure> {
    let mut wrongs = Wrongs::default();
    match session.confirm(&password.into()).await {
        Ok(()) => {}
        Err(Error::Refused { status: 400 | 401 | 403 | 422, text, .. }) => wrongs.add(field, sentence(&text)),
        Err(error) => return Err(error.into()),
    }
    Ok(wrongs)
}
