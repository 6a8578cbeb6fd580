//! The OpenAPI document: the repository's, which a test compares with what the code says.

use std::sync::LazyLock;

use actix_web::{HttpRequest, http::header::EntityTag, web::Bytes};
use serde_json::{Map, Value};

use crate::http::{
    extract::app_data,
    reply::{self, Bare, Replied, Tagged},
};

/// The document of agencies' API as it is served.
pub static AGENCIES_DOCUMENT: LazyLock<Served> =
    LazyLock::new(|| Served::of(include_str!("../../../../../docs/openapi.json")));
/// The same of the operator's API.
pub static OPERATOR_DOCUMENT: LazyLock<Served> =
    LazyLock::new(|| Served::of(include_str!("../../../../../docs/openapi-operator.json")));

/// A document as it is served, and its tag.
pub struct Served {
    /// What is sent.
    pub document: Bytes,
    /// Weak, since the document may be sent compressed or not.
    pub tag: EntityTag,
}

/// Made when it is asked for the first time.
pub type ServedOnce = &'static LazyLock<Served>;

impl Served {
    /// A document that is printed for people: it is sent without its indentation, which is half of it.
    fn of(document: &str) -> Self {
        let document: String = document.lines().map(str::trim_start).collect();
        let tag = reply::tag_of(document.as_bytes());
        Self { document: document.into(), tag }
    }
}

/// `GET /openapi.json`: 304 for who has it.
pub async fn get(request: HttpRequest) -> Replied<Tagged<Bare<Map<String, Value>>>> {
    let served: &ServedOnce = app_data(&request)?;
    Ok(reply::unless_known(&request, served.tag.clone(), served.document.clone()))
}
