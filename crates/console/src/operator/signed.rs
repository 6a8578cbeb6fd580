//! Who uses the operator's console, and the session of the operator's API that their cookie stands for.

use std::future::{Ready, ready};

use actix_web::{FromRequest, HttpRequest, dev::Payload};
use wayfare_client::{
    Error,
    enums::OperatorRole,
    operator::{OperatorClient, OperatorSession},
};

use crate::{
    Console,
    failure::{Failure, sentence},
    form::Wrongs,
    page::{Person, Shell},
    session,
    side::Area,
    vocabulary::name_of,
};

/// Somebody who has an operator's token; whether it is still good is known when it is used.
pub struct OperatorSigned {
    pub session: OperatorSession,
    request: HttpRequest,
}

impl OperatorSigned {
    /// What is round a page.
    pub async fn shell(&self, title: &str, area: Area) -> Result<Shell, Error> {
        let me = self.session.me().await?;
        let person = Person::new(&me.name, role(me.role.as_str()), me.role == OperatorRole::Admin);
        let person = Person { operator: Some(me.role), ..person };
        Ok(Shell { person: Some(person), ..session::shell_of(&self.request, title, area) })
    }
}

/// Roles of operators.
pub const ROLES: [(&str, &str); 4] =
    [("viewer", "Viewer"), ("desk", "Desk"), ("finance", "Finance"), ("admin", "Admin")];

pub fn role(word: &str) -> &str {
    name_of(&ROLES, word)
}

impl FromRequest for OperatorSigned {
    type Error = Failure;
    type Future = Ready<Result<Self, Failure>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(signed(request))
    }
}

/// Who asks, of a request that no handler has yet.
pub fn signed(request: &HttpRequest) -> Result<OperatorSigned, Failure> {
    let console = session::console(request)?;
    let token = session::token(request, console).ok_or(Failure::SignedOut)?;
    Ok(OperatorSigned { session: client(request, console)?.with_token(token), request: request.clone() })
}

/// A client that calls for this browser: from its address, with its name.
pub fn client(request: &HttpRequest, console: &Console) -> Result<OperatorClient, Failure> {
    session::client(request, console).map(OperatorClient::of)
}

/// What the API says of a password that was given too long ago for what is asked.
pub const LONG_AGO: &str = "Type your password: you did so more than ten minutes ago";

/// Whether the API wants the password once more before it does that.
pub fn wants_password(error: &Error) -> bool {
    matches!(error, Error::Refused { status: 403, text, .. } if text.contains("confirm your password"))
}

/// Gives the password once more; what is wrong with it stands at this field.
pub async fn confirm(session: &OperatorSession, password: String, field: &str) -> Result<Wrongs, Failure> {
    match session.confirm(&password.into()).await {
        Ok(()) => Ok(Wrongs::default()),
        Err(Error::Refused { status: 400 | 401 | 403 | 422, text, .. }) => {
            Ok(Wrongs::one(field, sentence(&text)))
        }
        Err(error) => Err(error.into()),
    }
}
