//! Somebody who searches hotels, and turns the pages of what was found.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::recorded::days;
use crate::{Installation, Result};

const PER_PAGE: u32 = 20;

/// How the pages of a search are cut.
#[derive(Clone, Copy, Debug)]
pub struct Cut {
    pub name: &'static str,
    /// Members of the request, as JSON: `filters`, `sort`.
    pub with: &'static str,
}

/// Searches over one connection, without compression.
pub struct Searcher {
    http: reqwest::Client,
    api: String,
    token: String,
}

impl Searcher {
    /// The demo agency's admin.
    pub async fn of(installation: &Installation) -> Result<Self> {
        let (api, token) = installation.admin().await?.credentials();
        Ok(Self { http: reqwest::Client::builder().no_gzip().build()?, api, token })
    }

    /// A page of the search of this name, which is made where there is none yet; how long it took, and its body.
    pub async fn page(&self, search: &str, page: u32, cut: Cut) -> Result<(Duration, String)> {
        let (check_in, check_out) = days();
        let mut body = json!({
            "search_id": search,
            "check_in": check_in, "check_out": check_out,
            "rooms": [{ "adults": 2 }],
            "location": { "type": "coordinates", "latitude": 28.6139, "longitude": 77.209, "radius_km": 200 },
            "currency": "INR",
            "pagination": { "page": page, "per_page": PER_PAGE },
        });
        let more: Value = serde_json::from_str(cut.with)?;
        if let (Value::Object(body), Value::Object(more)) = (&mut body, more) {
            body.extend(more);
        }
        self.timed(self.http.post(format!("{}/hotels/search", self.api)).json(&body)).await
    }

    /// The cities that begin so, ten of them.
    pub async fn cities(&self, typed: &str) -> Result<Duration> {
        Ok(self.timed(self.http.get(format!("{}/hotels/cities", self.api)).query(&[("q", typed)])).await?.0)
    }

    pub async fn live(&self) -> Result<Duration> {
        Ok(self.timed(self.http.get(self.api.replace("/api/v1", "/health/live"))).await?.0)
    }

    /// Asks who one is: what a request costs that proves who asks, and does nothing else.
    pub async fn me(&self) -> Result<Duration> {
        Ok(self.timed(self.http.get(format!("{}/me", self.api))).await?.0)
    }

    async fn timed(&self, request: reqwest::RequestBuilder) -> Result<(Duration, String)> {
        let begun = Instant::now();
        let answer = request.bearer_auth(&self.token).send().await?;
        let status = answer.status();
        let bytes = answer.bytes().await?;
        let took = begun.elapsed();
        let body = String::from_utf8(bytes.into())?;
        match status.is_success() {
            true => Ok((took, body)),
            false => Err(format!("{status}: {body:.300}").into()),
        }
    }
}
