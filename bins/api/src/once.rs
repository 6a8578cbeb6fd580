//! Idempotency-Key: a request that changes something and is made again under the same key is answered once more,
//! not carried out once more.

use actix_web::{
    HttpResponse,
    body::to_bytes,
    http::{StatusCode, header::ContentType},
};
use wayfare_operations::{
    Caller, Error, StoreError,
    tools::idempotency::{self, CreatedResource, IdempotencyKey, Replay},
};

use crate::{
    handlers::App,
    refusal::Refusal,
    reply::{Replied, Reply},
};

/// Carries out `first`, unless this key's request was carried out before: then its answer is given again, or
/// `look` tells how what was made then stands.
///
/// # Errors
/// Those of `first` and `look`; 422 for another request under the same key, 409 while the first runs.
pub async fn once<T: TryFrom<CreatedResource, Error = StoreError>, Answer>(
    app: &App,
    caller: &Caller,
    key: Option<IdempotencyKey>,
    first: impl AsyncFnOnce(Option<&IdempotencyKey>) -> Replied<Answer>,
    look: impl AsyncFnOnce(T) -> Replied<Answer>,
) -> Replied<Answer> {
    carry_out(app, caller, key, Becomes::Kept, first, look).await
}

/// The same where the answer has a secret, which is not kept: asked again, `look` makes it again.
///
/// # Errors
/// As [`once`].
pub async fn once_with_secret<T: TryFrom<CreatedResource, Error = StoreError>, Answer>(
    app: &App,
    caller: &Caller,
    key: Option<IdempotencyKey>,
    first: impl AsyncFnOnce(Option<&IdempotencyKey>) -> Replied<Answer>,
    look: impl AsyncFnOnce(T) -> Replied<Answer>,
) -> Replied<Answer> {
    carry_out(app, caller, key, Becomes::Forgotten, first, look).await
}

/// What becomes of an answer.
#[derive(PartialEq, Eq)]
enum Becomes {
    Kept,
    Forgotten,
}

async fn carry_out<T: TryFrom<CreatedResource, Error = StoreError>, Answer>(
    app: &App,
    caller: &Caller,
    key: Option<IdempotencyKey>,
    becomes: Becomes,
    first: impl AsyncFnOnce(Option<&IdempotencyKey>) -> Replied<Answer>,
    look: impl AsyncFnOnce(T) -> Replied<Answer>,
) -> Replied<Answer> {
    let Some(key) = key else { return first(None).await };
    match idempotency::begin(app, caller, &key).await? {
        Replay::First(_turn) => {
            let answered = first(Some(&key)).await?;
            if becomes == Becomes::Forgotten {
                return Ok(answered);
            }
            let (status, answer) = read(answered.into_response()).await?;
            idempotency::store_answer(app, caller, &key, status.as_u16(), &answer).await;
            Ok(Reply::of(
                HttpResponse::build(status)
                    .content_type(ContentType::json())
                    .body(answer),
            ))
        }
        Replay::Answered(status, answer) => {
            let status =
                StatusCode::from_u16(status).map_err(|_| Error::Internal(format!("status {status}")))?;
            Ok(replayed(
                HttpResponse::build(status)
                    .content_type(ContentType::json())
                    .body(answer),
            ))
        }
        Replay::Rebuild(created) => {
            let made = T::try_from(created).map_err(Error::from)?;
            Ok(replayed(look(made).await?.into_response()))
        }
    }
}

async fn read(response: HttpResponse) -> Result<(StatusCode, String), Refusal> {
    let status = response.status();
    let unreadable = |error: String| Refusal::from(Error::Internal(error));
    let bytes = to_bytes(response.into_body())
        .await
        .map_err(|error| unreadable(error.to_string()))?;
    let answer = String::from_utf8(bytes.to_vec()).map_err(|error| unreadable(error.to_string()))?;
    Ok((status, answer))
}

fn replayed<Answer>(mut response: HttpResponse) -> Reply<Answer> {
    use actix_web::http::header::{HeaderName, HeaderValue};
    let name = HeaderName::from_static("idempotency-replayed");
    response
        .headers_mut()
        .insert(name, HeaderValue::from_static("true"));
    Reply::of(response)
}
