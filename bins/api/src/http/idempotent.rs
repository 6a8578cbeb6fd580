//! Idempotency-Key: a request that changes something and is made again under the same key is answered once more,
//! not carried out once more.

use actix_web::http::StatusCode;
use wayfare_operations::{
    Error, Person, StoreError,
    access::idempotency::{self, CreatedResource, IdempotencyKey, Replay},
};

use super::{
    App,
    reply::{Replied, Reply},
};

/// Carries a request out, unless it was carried out under this key before: then its answer is given again, or `rebuild`
/// makes it of what was created. 422 for another request under the same key, 409 while the first runs.
pub async fn idempotent<T: TryFrom<CreatedResource, Error = StoreError>, Answer>(
    app: &App,
    person: &Person,
    key: Option<IdempotencyKey>,
    carry_out: impl AsyncFnOnce(Option<&IdempotencyKey>) -> Replied<Answer>,
    rebuild: impl AsyncFnOnce(T) -> Replied<Answer>,
) -> Replied<Answer> {
    let Some(key) = key else { return carry_out(None).await };
    match idempotency::begin(&app.access, person, &key).await? {
        Replay::First(_turn) => {
            let reply = carry_out(Some(&key)).await?;
            if let Some((status, answer)) = reply.storable() {
                idempotency::store_answer(&app.core, person, &key, status.as_u16(), answer).await;
            }
            Ok(reply)
        }
        Replay::Answered(status, answer) => {
            let status =
                StatusCode::from_u16(status).map_err(|_| Error::Internal(format!("status {status}")))?;
            Ok(Reply::json(status, answer).replayed())
        }
        Replay::Rebuild(created) => {
            let created = T::try_from(created).map_err(Error::from)?;
            Ok(rebuild(created).await?.replayed())
        }
    }
}
