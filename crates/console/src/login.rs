//! Logging in and out.

use actix_web::http::header;
use secrecy::{ExposeSecret, SecretString};
use wayfare_client::Error;

use crate::{operator, prelude::*, session, side::Side};

pub fn mount(config: &mut ServiceConfig) {
    config
        .service(web::resource("/login").get(show).post(log_in))
        .service(web::resource("/logout").post(log_out));
}

#[derive(Template)]
#[template(path = "login.html")]
struct LoginPage {
    shell: Shell,
    to: String,
    typed: Fields,
    failure: String,
    is_refused: bool,
}

/// `GET /console/login`.
async fn show(request: HttpRequest, fields: Fields) -> Answer {
    page::html(&blank(&request, &fields)?)
}

fn blank(request: &HttpRequest, fields: &Fields) -> Result<LoginPage> {
    let console = session::console(request)?;
    Ok(LoginPage {
        shell: session::shell_of(request, "Log in", Area::Elsewhere),
        to: own_path(fields.get("to"), console.side).to_owned(),
        typed: fields.clone(),
        failure: String::new(),
        is_refused: !console.takes_passwords(),
    })
}

/// `POST /console/login`: a new token each time, so that nobody can have given the browser one before.
async fn log_in(request: HttpRequest, fields: Fields) -> Answer {
    let console = session::console(&request)?;
    let mut again = blank(&request, &fields)?;
    if again.is_refused {
        return page::html_with(StatusCode::FORBIDDEN, &again);
    }
    let password = SecretString::from(fields.exact("password"));
    let begun = match console.side {
        Side::Agency => {
            let client = session::client(&request, console)?;
            let begun = client.begin_browser_session(fields.get("agency"), fields.get("username"), password);
            begun.await.map(|begun| begun.token)
        }
        Side::Operator => {
            let client = operator::client(&request, console)?;
            client.log_in(fields.get("username"), password).await.map(|begun| begun.token)
        }
    };
    let token = match begun {
        Ok(token) => token,
        Err(error) => {
            let status = error.status().and_then(|status| StatusCode::from_u16(status).ok());
            let status = status.unwrap_or(StatusCode::SERVICE_UNAVAILABLE);
            again.failure = refusal(&error, console.side)?;
            return page::html_with(status, &again);
        }
    };
    let cookie = session::cookie(console, token.expose_secret().to_owned());
    let mut response = see_other(&again.to);
    response.add_cookie(&cookie).map_err(|error| Failure::broken(&error.to_string()))?;
    Ok(response)
}

/// One text for all that could be wrong with what was typed: nobody learns which part is right.
fn refusal(error: &Error, side: Side) -> Result<String> {
    Ok(match error {
        Error::Refused { status: 401 | 422, .. } if side == Side::Operator => {
            "Username or password is wrong, or the account may not log in.".to_owned()
        }
        Error::Refused { status: 401 | 422, .. } => {
            "Agency code, username or password is wrong, or the account may not log in.".to_owned()
        }
        Error::Refused { status: 403, .. } => {
            "Your agency does not let anybody in from this address. Ask one of its admins.".to_owned()
        }
        Error::Refused { status: 429 | 503, retry_after, .. } => {
            let seconds = retry_after.map_or(60, |wait| wait.as_secs().max(1));
            format!("Too many tries. Wait {seconds} seconds, then try again.")
        }
        other => return Err(other.clone().into()),
    })
}

/// `POST /console/logout`: also where the session had ended already.
async fn log_out(request: HttpRequest) -> Answer {
    let console = session::console(&request)?;
    if let Some(token) = session::token(&request, console) {
        match console.side {
            Side::Agency => {
                session::client(&request, console)?.with_token(token).log_out().await?;
            }
            Side::Operator => {
                operator::client(&request, console)?.with_token(token).log_out().await?;
            }
        }
    }
    let mut response = see_other(&format!("{}/login", console.side.base()));
    response.headers_mut().insert(
        header::HeaderName::from_static("clear-site-data"),
        header::HeaderValue::from_static("\"cache\""),
    );
    response
        .add_removal_cookie(&session::no_cookie(console))
        .map_err(|error| Failure::broken(&error.to_string()))?;
    Ok(response)
}

/// A path within the same console, for whoever comes back: nowhere else.
fn own_path(path: &str, side: Side) -> &str {
    let is_own = path.strip_prefix(side.base()).is_some_and(|rest| {
        let begins = rest.is_empty() || rest.starts_with('/') || rest.starts_with('?');
        begins && !rest.starts_with("/login") && rest.bytes().all(|byte| byte.is_ascii_graphic())
    });
    if is_own { path } else { side.base() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_sent_elsewhere_after_the_log_in() {
        for (path, expected) in [
            ("/console/wallet?kind=debit", "/console/wallet?kind=debit"),
            ("/console", "/console"),
            ("/console?x=1", "/console?x=1"),
            ("", "/console"),
            ("https://evil.example/console", "/console"),
            ("//evil.example", "/console"),
            ("/consoles", "/console"),
            ("/console/login?to=/console", "/console"),
            ("/console/\r\nset-cookie: x", "/console"),
            ("/docs/", "/console"),
        ] {
            assert_eq!(own_path(path, Side::Agency), expected);
        }
        assert_eq!(own_path("/console/wallet", Side::Operator), "/operator");
        assert_eq!(own_path("/operator/ledger", Side::Operator), "/operator/ledger");
    }
}
