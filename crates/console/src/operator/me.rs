//! An operator's own sessions and password, and how pages look.

use wayfare_client::operator::{Operator, OwnOperatorSession};

use super::signed::OperatorSigned;
pub use crate::me::change_look;
use crate::{
    me::{passwords, refused_password},
    prelude::*,
};

#[derive(Template)]
#[template(path = "operator/me.html")]
struct MePage {
    shell: Shell,
    user: Operator,
    sessions: Vec<OwnOperatorSession>,
    wrongs: Wrongs,
    done: &'static str,
}

impl MePage {
    /// Until when a session lasts unless it is used.
    fn ends(&self, session: &OwnOperatorSession) -> Moment {
        Moment::of(session.idle_until.min(session.ends_at))
    }
}

async fn page_of(signed: &OperatorSigned) -> Result<MePage> {
    let session = &signed.session;
    let shell = signed.shell("Profile", Area::Elsewhere);
    let (shell, user, sessions) = futures_util::try_join!(shell, session.me(), session.own_sessions())?;
    Ok(MePage { shell, user, sessions, wrongs: Wrongs::default(), done: "" })
}

/// `GET /operator/me`.
pub async fn show(signed: OperatorSigned, fields: Fields) -> Answer {
    let done = fields.done(&[("session", "The session is ended.")]);
    page::html(&MePage { done, ..page_of(&signed).await? })
}

/// `POST /operator/me/password`: what was typed is never shown again. Every session ends, this one too.
pub async fn change_password(signed: OperatorSigned, fields: Fields) -> Answer {
    let wrongs = match passwords(&fields) {
        Ok((current, new)) => match signed.session.change_password(&current, &new).await {
            Ok(()) => return Ok(see_other("/operator/login")),
            Err(error) => refused_password(error)?,
        },
        Err(wrongs) => wrongs,
    };
    page::unprocessable(&MePage { wrongs, ..page_of(&signed).await? })
}

/// `POST /operator/me/sessions/{id}/end`.
pub async fn end_session(signed: OperatorSigned, id: Path<String>) -> Answer {
    let id = id.parse().map_err(|_| Failure::NoPage)?;
    signed.session.end_session(id).await?;
    Ok(see_other("/operator/me?done=session"))
}
