//! Whether the process lives and whether it can work.

use actix_web::{HttpResponse, http::StatusCode};
use serde_json::json;

use super::App;
use crate::{refusal::Refusal, reply::Replied};

/// `GET /health/live`: the process answers.
pub async fn live() -> HttpResponse {
    HttpResponse::Ok().json(json!({ "status": "ok" }))
}

/// `GET /health/ready`: the database answers and is up to date.
///
/// # Errors
/// 503 while it is not.
pub async fn ready(app: App) -> Replied {
    if let Err(error) = app.ready().await {
        tracing::warn!(%error, "not ready");
        return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "not ready"));
    }
    Ok(HttpResponse::Ok().json(json!({ "status": "ok" })))
}
