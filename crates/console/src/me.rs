//! One's own profile, password, sessions, and how pages look.

use actix_web::cookie::{Cookie, SameSite, time::Duration};
use secrecy::SecretString;
use wayfare_client::{Error, OwnProfile, OwnSession, ProfileChange};

use crate::{failure::sentence, page::THEME, prelude::*, session};

pub fn mount(config: &mut ServiceConfig) {
    config
        .service(web::resource("/me").get(show).post(change_profile))
        .service(web::resource("/me/password").post(change_password))
        .service(web::resource("/me/look").post(change_look))
        .service(web::resource("/me/sessions/{id}/end").post(end_session));
}

#[derive(Template)]
#[template(path = "me.html")]
struct MePage {
    shell: Shell,
    user: OwnProfile,
    typed: Fields,
    sessions: Vec<OwnSession>,
    wrongs: Wrongs,
    done: &'static str,
}

impl MePage {
    /// Until when a session lasts unless it is used.
    fn ends(&self, session: &OwnSession) -> Moment {
        Moment::of(session.idle_until.unwrap_or(session.ends_at))
    }
}

/// A browser's name in what it says of itself; what programs say is short enough.
pub fn program(user_agent: &str) -> String {
    let browsers = [
        ("Edg/", "Edge"),
        ("OPR/", "Opera"),
        ("Firefox/", "Firefox"),
        ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
    ];
    let systems = ["Windows", "Android", "iPhone", "iPad", "Mac OS", "Linux"];
    let browser = browsers.iter().find(|(sign, _)| user_agent.contains(sign));
    let system = systems.iter().find(|name| user_agent.contains(*name));
    match (browser, system) {
        (Some((_, browser)), Some(system)) => format!("{browser} on {system}"),
        (Some((_, browser)), None) => (*browser).to_owned(),
        (None, _) if user_agent.is_empty() => "Unknown program".to_owned(),
        (None, _) => user_agent.chars().take(60).collect(),
    }
}

async fn page_of(signed: &Signed) -> Result<MePage> {
    let profile = signed.session.profile();
    let shell = signed.shell("Profile", Area::Elsewhere);
    let (shell, user, sessions) = futures_util::try_join!(shell, profile.read(), profile.sessions())?;
    Ok(MePage {
        shell,
        typed: Fields::of([("name", &user.name), ("phone", &user.phone)]),
        user,
        sessions,
        wrongs: Wrongs::default(),
        done: "",
    })
}

/// `GET /console/me`.
async fn show(signed: Signed, fields: Fields) -> Answer {
    let done = fields.done(&[("profile", "Your profile is saved."), ("session", "The session is ended.")]);
    page::html(&MePage { done, ..page_of(&signed).await? })
}

/// `POST /console/me`.
async fn change_profile(signed: Signed, fields: Fields) -> Answer {
    let change = ProfileChange::default().name(fields.get("name")).phone(fields.get("phone"));
    match signed.session.profile().change(&change).await {
        Ok(_) => Ok(see_other(&format!("{BASE}/me?done=profile"))),
        Err(error) if error.status() == Some(422) => {
            let wrongs = Wrongs::of(&error);
            page::unprocessable(&MePage { typed: fields, wrongs, ..page_of(&signed).await? })
        }
        Err(error) => Err(error.into()),
    }
}

/// `POST /console/me/password`: what was typed is never shown again. Every session ends, this one too.
async fn change_password(signed: Signed, fields: Fields) -> Answer {
    let wrongs = match passwords(&fields) {
        Ok((current, new)) => match signed.session.profile().change_password(&current, &new).await {
            Ok(()) => return Ok(see_other(&format!("{BASE}/login"))),
            Err(error) => refused_password(error)?,
        },
        Err(wrongs) => wrongs,
    };
    page::unprocessable(&MePage { wrongs, ..page_of(&signed).await? })
}

/// The current password and the new one, which is typed twice.
pub fn passwords(fields: &Fields) -> Result<(SecretString, SecretString), Wrongs> {
    let typed = |name: &str| fields.exact(name);
    if typed("new_password") == typed("again") {
        return Ok((typed("current_password").into(), typed("new_password").into()));
    }
    Err(Wrongs::one("again", "Is not the same as the new password"))
}

/// What is wrong with passwords that the API has refused.
pub fn refused_password(error: Error) -> Result<Wrongs> {
    match error {
        Error::Refused { status: 400, text, .. } => Ok(Wrongs::one("current_password", sentence(&text))),
        error if error.status() == Some(422) => Ok(Wrongs::of(&error)),
        error => Err(error.into()),
    }
}

/// `POST /console/me/sessions/{id}/end`.
async fn end_session(signed: Signed, id: Path<String>) -> Answer {
    let id = id.parse().map_err(|_| Failure::NoPage)?;
    signed.session.profile().end_session(id).await?;
    Ok(see_other(&format!("{BASE}/me?done=session")))
}

/// `POST …/me/look` of both consoles: kept by the browser, not by the service.
pub async fn change_look(request: HttpRequest, fields: Fields) -> Answer {
    let theme = ["light", "dark"].into_iter().find(|theme| *theme == fields.get("theme"));
    let console = session::console(&request)?;
    let base = console.side.base();
    let mut cookie = Cookie::build(THEME, theme.unwrap_or_default())
        .path(base)
        .secure(console.is_secure())
        .http_only(true)
        .same_site(SameSite::Lax)
        .max_age(Duration::days(365))
        .finish();
    if theme.is_none() {
        cookie.make_removal();
    }
    let mut response = see_other(&format!("{base}/me"));
    response.add_cookie(&cookie).map_err(|error| Failure::broken(&error.to_string()))?;
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_called_by_what_people_call_them() {
        for (user_agent, expected) in [
            (
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Safari/537.36",
                "Chrome on Linux",
            ),
            ("Mozilla/5.0 (Windows NT 10.0) Chrome/156 Safari/537 Edg/156", "Edge on Windows"),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19 Safari/604",
                "Safari on iPhone",
            ),
            ("curl/8.9", "curl/8.9"),
            ("", "Unknown program"),
        ] {
            assert_eq!(program(user_agent), expected);
        }
    }
}
