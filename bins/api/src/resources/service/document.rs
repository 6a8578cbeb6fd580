//! The OpenAPI document.

use actix_web::{
    HttpMessage, HttpRequest, HttpResponse,
    http::header::{ContentType, ETag, IfNoneMatch},
};
use serde_json::{Map, Value};

use crate::{
    http::{
        extract::app_data,
        reply::{Bare, Replied, Reply, Tagged},
    },
    openapi::ServedOnce,
};

/// `GET /openapi.json`: 304 for who has it.
pub async fn get(request: HttpRequest) -> Replied<Tagged<Bare<Map<String, Value>>>> {
    let served: &ServedOnce = app_data(&request)?;
    let tag = served.tag.clone();
    let has_it = match request.get_header::<IfNoneMatch>() {
        Some(IfNoneMatch::Items(tags)) => tags.iter().any(|one| one.weak_eq(&tag)),
        Some(IfNoneMatch::Any) => true,
        None => false,
    };
    let mut response = match has_it {
        true => HttpResponse::NotModified(),
        false => HttpResponse::Ok(),
    };
    response.insert_header(ETag(tag));
    Ok(Reply::of(match has_it {
        true => response.finish(),
        false => response
            .content_type(ContentType::json())
            .body(served.document.clone()),
    }))
}
