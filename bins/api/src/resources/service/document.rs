//! The OpenAPI document.

use actix_web::HttpRequest;
use serde_json::{Map, Value};

use crate::{
    http::{
        extract::app_data,
        reply::{self, Bare, Replied, Tagged},
    },
    openapi::ServedOnce,
};

/// `GET /openapi.json`: 304 for who has it.
pub async fn get(request: HttpRequest) -> Replied<Tagged<Bare<Map<String, Value>>>> {
    let served: &ServedOnce = app_data(&request)?;
    Ok(reply::unless_known(&request, served.tag.clone(), served.document.clone()))
}
