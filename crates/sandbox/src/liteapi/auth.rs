//! At the door: who may come in, and which paths lead nowhere.

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::{Error, ResponseError};

use super::errors::{ApiError, ApiResult};

/// A path that leads nowhere.
pub(super) async fn nowhere() -> ApiResult {
    Err(ApiError::of_status(404))
}

/// Lets in who brings a test key.
pub(super) async fn admit(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let key = request
        .headers()
        .get("x-api-key")
        .and_then(|value| value.to_str().ok());
    let is_known = key
        .and_then(|key| key.strip_prefix("liteapi_test_"))
        .is_some_and(|name| !name.is_empty());
    if is_known {
        return Ok(next.call(request).await?.map_into_right_body());
    }
    let refusal = ApiError::of_status(401).error_response();
    Ok(request.into_response(refusal).map_into_left_body())
}
