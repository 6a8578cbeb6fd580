//! The contract's success envelopes.

use actix_web::{
    HttpResponse,
    http::{StatusCode, header::ContentType},
};
use serde::Serialize;
use wayfare_domain::Page;
use wayfare_operations::Error;

use crate::refusal::Refusal;

/// What handlers return.
pub type Replied = Result<HttpResponse, Refusal>;

#[derive(Serialize)]
struct Envelope<'a, T> {
    success: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<T>,
}

#[derive(Serialize)]
struct Meta {
    page: u32,
    per_page: u32,
    total: i64,
    total_pages: i64,
}

#[derive(Serialize)]
struct ListEnvelope<T> {
    success: bool,
    data: Vec<T>,
    meta: Meta,
}

/// 200 with data.
pub fn data(data: impl Serialize) -> Replied {
    told(StatusCode::OK, None, data)
}

/// A status, a message and data.
pub fn told(status: StatusCode, message: Option<&str>, data: impl Serialize) -> Replied {
    Ok(HttpResponse::build(status).json(Envelope {
        success: true,
        message,
        data: Some(data),
    }))
}

/// The message of a search.
pub fn found(count: usize) -> String {
    format!("{count} offers found")
}

/// What stands before data that is printed already; after it comes `}`. The message needs no escapes.
pub fn opening(message: &str) -> String {
    format!(r#"{{"success":true,"message":"{message}","data":"#)
}

/// 200 with a message and data that `write` prints.
pub fn printed(message: &str, write: impl FnOnce(&mut Vec<u8>) -> serde_json::Result<()>) -> Replied {
    let mut body = opening(message).into_bytes();
    write(&mut body).map_err(Error::from)?;
    body.push(b'}');
    Ok(HttpResponse::Ok().content_type(ContentType::json()).body(body))
}

/// 200 with nothing but a message.
pub fn done(message: &str) -> Replied {
    Ok(HttpResponse::Ok().json(Envelope {
        success: true,
        message: Some(message),
        data: None::<()>,
    }))
}

/// 200 with a page of a list.
pub fn list<T, V: Serialize>(page: Page<T>, view: impl FnMut(T) -> V) -> Replied {
    let meta = Meta {
        page: page.request.page,
        per_page: page.request.per_page,
        total: page.total,
        total_pages: page.total_pages(),
    };
    Ok(HttpResponse::Ok().json(ListEnvelope {
        success: true,
        data: page.map(view).items,
        meta,
    }))
}
