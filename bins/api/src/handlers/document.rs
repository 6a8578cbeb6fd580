//! The OpenAPI document.

use actix_web::{HttpResponse, http::header::ContentType};

use crate::{
    openapi,
    reply::{Bare, Replied, Reply},
};

/// `GET /openapi.json`.
///
/// # Errors
/// Never.
pub async fn get() -> Replied<Bare<serde_json::Map<String, serde_json::Value>>> {
    Ok(Reply::of(
        HttpResponse::Ok()
            .content_type(ContentType::json())
            .body(openapi::served()),
    ))
}
