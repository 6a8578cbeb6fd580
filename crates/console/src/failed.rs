//! What failed, as a page, as a part of one, or as the way to the log-in.

use actix_web::{
    HttpRequest, HttpResponse, ResponseError,
    http::{StatusCode, header},
};
use askama::Template;

use crate::{
    BASE,
    agency::NoPortal,
    failure::{Failure, Words},
    page::{self, Shell},
    see_other, session,
};

#[derive(Template)]
#[template(path = "failed.html")]
struct FailedPage {
    shell: Shell,
    words: Words,
}

#[derive(Template)]
#[template(path = "part/failed.html")]
struct FailedPart {
    words: Words,
}

/// The answer to this request: a page, or a part of one.
pub fn answer(failure: &Failure, request: &HttpRequest) -> HttpResponse {
    if let Failure::Broken(why) = failure {
        tracing::error!(why, "a page can't be made");
    }
    if matches!(failure, Failure::SignedOut) {
        return to_log_in(request);
    }
    let (status, words) = (failure.status_code(), failure.words());
    let retry_after = words.retry_after;
    let made = match page::wants_part(request) {
        true => page::html_with(status, &FailedPart { words }),
        false if failure.is_without_portal() => {
            let shell = session::shell_of(request, &words.title, "agency");
            page::html_with(status, &NoPortal { shell, place: "" })
        }
        false => {
            let shell = session::shell_of(request, &words.title, "");
            page::html_with(status, &FailedPage { shell, words })
        }
    };
    let mut response = made.unwrap_or_else(|_| HttpResponse::new(StatusCode::INTERNAL_SERVER_ERROR));
    if let Some(seconds) = retry_after.map(|wait| header::HeaderValue::from(wait.as_secs())) {
        response.headers_mut().insert(header::RETRY_AFTER, seconds);
    }
    response
}

/// To the log-in, and from there back to where one was.
fn to_log_in(request: &HttpRequest) -> HttpResponse {
    let is_part = page::wants_part(request);
    let current = request.headers().get("hx-current-url");
    let current = current.and_then(|url| url::Url::parse(url.to_str().ok()?).ok());
    let place = match (is_part, current) {
        (true, Some(url)) => url.query().map_or_else(
            || url.path().to_owned(),
            |query| format!("{}?{query}", url.path()),
        ),
        _ if request.method() == actix_web::http::Method::GET && !is_part => request.uri().to_string(),
        _ => BASE.to_owned(),
    };
    let query = serde_urlencoded::to_string([("to", place)]).unwrap_or_default();
    let path = format!("{BASE}/login?{query}");
    let mut response = match is_part {
        true => HttpResponse::Unauthorized()
            .insert_header(("hx-redirect", path))
            .finish(),
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
