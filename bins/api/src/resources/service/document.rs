//! The OpenAPI document: the repository's, which a test compares with what the code says.

use std::{io::Read, sync::LazyLock};

use actix_web::{HttpRequest, http::header::EntityTag, web::Bytes};
use flate2::read::DeflateDecoder;
use serde_json::{Map, Value};

use crate::http::{
    extract::app_data,
    reply::{self, Bare, Replied, Tagged},
};

/// The document of agencies' API as it is served.
pub static AGENCIES_DOCUMENT: LazyLock<Served> =
    LazyLock::new(|| Served::of(include_bytes!(concat!(env!("OUT_DIR"), "/openapi.json"))));
/// The same of the operator's API.
pub static OPERATOR_DOCUMENT: LazyLock<Served> =
    LazyLock::new(|| Served::of(include_bytes!(concat!(env!("OUT_DIR"), "/openapi-operator.json"))));

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
    /// A document as `build.rs` packed it.
    fn of(packed: &[u8]) -> Self {
        let mut document = Vec::new();
        // Nothing is lost here: a test compares what is served with the repository's.
        let _ = DeflateDecoder::new(packed).read_to_end(&mut document);
        Self { tag: reply::tag_of(&document), document: document.into() }
    }
}

/// `GET /openapi.json`: 304 for who has it.
pub async fn get(request: HttpRequest) -> Replied<Tagged<Bare<Map<String, Value>>>> {
    let served: &ServedOnce = app_data(&request)?;
    Ok(reply::unless_known(&request, served.tag.clone(), served.document.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documents_of_the_repository_are_served() {
        let documents = [
            (&AGENCIES_DOCUMENT, include_str!("../../../../../docs/openapi.json")),
            (&OPERATOR_DOCUMENT, include_str!("../../../../../docs/openapi-operator.json")),
        ];
        for (served, printed) in documents {
            let printed: String = printed.lines().map(str::trim_start).collect();
            assert!(served.document == printed, "{} bytes are served", served.document.len());
        }
    }
}
