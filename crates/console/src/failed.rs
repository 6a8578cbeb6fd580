//! What failed, as a page, as a part of one, or as the way to the log-in.

use actix_web::{
    HttpRequest, HttpResponse, ResponseError,
    http::{StatusCode, header},
};
use askama::Template;
use wayfare_client::Error;

use crate::{
    agency::NoPortal,
    failure::{Failure, OWN_PASSWORD, Words, sentence},
    page::{self, Shell},
    see_other, session,
    side::{Area, Side},
};

#[derive(Template)]
#[template(path = "failed.html")]
struct FailedPage {
    shell: Shell,
    words: Words,
}

#[derive(Template)]
#[template(path = "part/failed.html")]
pub struct FailedPart {
    pub words: Words,
}

/// The answer to this request: a page, or a part of one.
pub fn answer(failure: &Failure, request: &HttpRequest) -> HttpResponse {
    if let Failure::Broken(why) = failure {
        tracing::error!(why, "a page can't be made");
    }
    if matches!(failure, Failure::SignedOut) {
        return to_log_in(request);
    }
    let side = side(request);
    let (status, words) = (failure.status_code(), words(failure, side));
    let retry_after = words.retry_after;
    let made = match (page::wants_part(request), side) {
        (true, _) => page::html_with(status, &FailedPart { words }),
        (false, Side::Agency) if failure.is_without_portal() => {
            let shell = session::shell_of(request, &words.title, Area::Agency);
            page::html_with(status, &NoPortal { shell })
        }
        (false, _) => {
            let shell = session::shell_of(request, &words.title, Area::Elsewhere);
            page::html_with(status, &FailedPage { shell, words })
        }
    };
    let mut response = made.unwrap_or_else(|_| HttpResponse::new(StatusCode::INTERNAL_SERVER_ERROR));
    if let Some(seconds) = retry_after.map(|wait| header::HeaderValue::from(wait.as_secs())) {
        response.headers_mut().insert(header::RETRY_AFTER, seconds);
    }
    response
}

fn side(request: &HttpRequest) -> Side {
    session::console(request).map_or(Side::Agency, |console| console.side)
}

/// What a person reads. Of the operator's people nobody is told to ask an admin of an agency.
fn words(failure: &Failure, side: Side) -> Words {
    let refused = match failure {
        Failure::Service(error) if side == Side::Operator => error,
        _ => return failure.words(),
    };
    match refused.as_ref() {
        Error::Refused { status: 403, text, .. } if !text.contains(OWN_PASSWORD) => Words {
            title: "Your role may not do this".to_owned(),
            text: format!("{}. An operator who is an admin gives roles.", sentence(text)),
            request_id: refused.request_id().map(str::to_owned),
            retry_after: None,
        },
        Error::Refused { status: 404, .. } => Words {
            text: "It does not exist. Check the reference.".to_owned(),
            ..failure.words()
        },
        Error::Unknown { .. } => Words {
            text: "The service did not answer in time. Look at what you wanted to change before you do it again."
                .to_owned(),
            ..failure.words()
        },
        _ => failure.words(),
    }
}

/// To the log-in, and from there back to where one was.
fn to_log_in(request: &HttpRequest) -> HttpResponse {
    let is_part = page::wants_part(request);
    let current = request.headers().get("hx-current-url");
    let current = current.and_then(|url| url::Url::parse(url.to_str().ok()?).ok());
    let place = match (is_part, current) {
        (true, Some(url)) => {
            url.query().map_or_else(|| url.path().to_owned(), |query| format!("{}?{query}", url.path()))
        }
        _ if request.method() == actix_web::http::Method::GET && !is_part => request.uri().to_string(),
        _ => side(request).base().to_owned(),
    };
    let query = serde_urlencoded::to_string([("to", place)]).unwrap_or_default();
    let path = format!("{}/login?{query}", side(request).base());
    let mut response = match is_part {
        true => HttpResponse::Unauthorized().insert_header(("hx-redirect", path)).finish(),
        false => see_other(&path),
    };
    if let Ok(console) = session::console(request)
        && session::has_token(request)
    {
        let removed = response.add_cookie(&session::no_cookie(console));
        if let Err(error) = removed {
            tracing::error!(%error, "a cookie can't be taken away");
        }
    }
    response
}
