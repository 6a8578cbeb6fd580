//! Queries, and pages that begin and end at numbers counted from 1.

use actix_web::web::Query;
use actix_web::{HttpRequest, HttpResponse};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::World;
use super::audit::Audit;
use super::errors::ApiError;

const USUAL_SIZE: usize = 100;
const LARGEST: usize = 1_000;
/// There is one language, and nothing ever changes.
const UNUSED: [&str; 3] = ["language", "useSecondaryLanguage", "lastUpdateTime"];

pub(super) fn query<T: DeserializeOwned>(request: &HttpRequest) -> Result<T, ApiError> {
    parse(request.query_string())
}

/// A query without the parameters that have no effect here.
pub(super) fn parse<T: DeserializeOwned>(query: &str) -> Result<T, ApiError> {
    let is_used = |parameter: &&str| !UNUSED.contains(&parameter.split('=').next().unwrap_or_default());
    let used: Vec<&str> = query.split('&').filter(is_used).collect();
    let query = Query::<T>::from_query(&used.join("&")).map_err(ApiError::unreadable)?;
    Ok(query.into_inner())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Page {
    pub(super) from: usize,
    pub(super) to: usize,
}

impl Page {
    /// The page of a query; the first hundred where it does not say.
    pub(super) fn of(from: Option<usize>, to: Option<usize>) -> Result<Self, ApiError> {
        let from = from.unwrap_or(1);
        let to = to.unwrap_or_else(|| from.saturating_add(USUAL_SIZE - 1));
        let is_page = from >= 1 && from <= to && to - from < LARGEST;
        is_page
            .then_some(Self { from, to })
            .ok_or_else(|| ApiError::invalid(format!("The range from-to must be of 1 to {LARGEST} elements")))
    }

    pub(super) fn skip(self) -> usize {
        self.from - 1
    }

    pub(super) fn size(self) -> usize {
        self.to - self.from + 1
    }
}

impl Page {
    /// A page of one of the content's lists, of which there are so many in all.
    pub(super) fn answer(self, world: &World, name: &str, here: Vec<Value>, total: usize) -> HttpResponse {
        HttpResponse::Ok().json(json!({
            "from": self.from,
            "to": self.to,
            "total": total,
            "auditData": Audit::of_content(world),
            name: here,
        }))
    }
}
