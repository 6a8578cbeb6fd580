//! What wants the operator's password given lately: the form that was sent is shown again as one question, whatever form it
//! was, and is carried out with the answer.

use actix_web::{
    Error, HttpMessage, HttpResponse,
    body::{BoxBody, MessageBody},
    dev::{Payload, ServiceRequest, ServiceResponse},
    http::{Method, header},
    middleware::Next,
    web::Bytes,
};
use futures_util::{StreamExt, stream};

use super::signed::{LONG_AGO, confirm, signed, wants_password};
use crate::{prelude::*, session, side::Side};

/// The field with the password; no other form has one of this name.
const PASSWORD: &str = "confirm_password";

/// No form is longer, not even one with a file.
const LONGEST_FORM: usize = 256 * 1024;

#[derive(Template)]
#[template(path = "operator/confirm.html")]
struct ConfirmPage {
    shell: Shell,
    action: String,
    /// What the form had, which is sent again.
    fields: Vec<(String, String)>,
    wrongs: Wrongs,
}

/// Middleware: asks for the password where what a form asks for wants it, and gives it before the form is carried out.
pub async fn ask(
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let is_ours = session::console(request.request()).is_ok_and(|console| console.side == Side::Operator);
    if !is_ours || request.method() != Method::POST || !is_form(&request) {
        return next.call(request).await.map(ServiceResponse::map_into_boxed_body);
    }
    let body = match read(request.take_payload()).await {
        Ok(body) => body,
        Err(failure) => return Ok(request.error_response(failure)),
    };
    let pairs: Vec<(String, String)> = serde_urlencoded::from_bytes(&body).unwrap_or_default();
    let (password, fields): (Vec<_>, Vec<_>) = pairs.into_iter().partition(|(name, _)| name == PASSWORD);
    let form = Form {
        action: request.uri().to_string(),
        // A password is typed again: it never stands on a page.
        fields: fields.into_iter().filter(|(name, _)| !name.ends_with("password")).collect(),
    };
    if let Some((_, password)) = password.into_iter().next() {
        match give(request.request(), password, &form).await {
            Ok(None) => {}
            Ok(Some(answer)) => return Ok(request.into_response(answer)),
            Err(failure) => return Ok(request.error_response(failure)),
        }
    }
    request.set_payload(once(body));
    let response = next.call(request).await?;
    let error = response.response().error();
    let failure = error.and_then(|error| error.as_error::<Failure>());
    if !matches!(failure, Some(Failure::Service(error)) if wants_password(error)) {
        return Ok(response.map_into_boxed_body());
    }
    let asked = response.request().clone();
    let answer = question(&asked, &form, Wrongs::one(PASSWORD, LONG_AGO)).await;
    Ok(ServiceResponse::new(asked, answer.unwrap_or_else(HttpResponse::from_error)))
}

/// A form that was sent, without the password.
struct Form {
    action: String,
    fields: Vec<(String, String)>,
}

/// Gives the password; the question once more where it is wrong.
async fn give(request: &HttpRequest, password: String, form: &Form) -> Result<Option<HttpResponse>> {
    let who = signed(request)?;
    let wrongs = confirm(&who.session, password, PASSWORD).await?;
    match wrongs.is_empty() {
        true => Ok(None),
        false => question(request, form, wrongs).await.map(Some),
    }
}

async fn question(request: &HttpRequest, form: &Form, wrongs: Wrongs) -> Answer {
    page::unprocessable(&ConfirmPage {
        shell: signed(request)?.shell("Your password", Area::Elsewhere).await?,
        action: form.action.clone(),
        fields: form.fields.clone(),
        wrongs,
    })
}

fn is_form(request: &ServiceRequest) -> bool {
    let kind = request.headers().get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.starts_with("application/x-www-form-urlencoded")
}

async fn read(mut payload: Payload) -> Result<Bytes> {
    let mut body = Vec::new();
    while let Some(part) = payload.next().await {
        let part = part.map_err(|_| Failure::broken("a form can't be read"))?;
        body.extend_from_slice(&part);
        if body.len() > LONGEST_FORM {
            return Err(Failure::NoPage);
        }
    }
    Ok(body.into())
}

/// The body for whoever reads it next.
fn once(body: Bytes) -> Payload {
    Payload::Stream { payload: Box::pin(stream::iter([Ok(body)])) }
}
