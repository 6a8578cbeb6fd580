//! The one HTTP client: every exchange with a supplier ends in a judged [`Answer`].

use std::time::Duration;

use reqwest::{Client, Method, RequestBuilder, Response, StatusCode, header};

use crate::{Answer, Outage};

/// No real supplier answer is larger.
const BODY_LIMIT: usize = 64 * 1024 * 1024;

/// The shared client.
#[derive(Clone, Debug)]
pub struct SupplierHttp {
    client: Client,
}

/// What came back in full: a status that is no outage, and the body's bytes.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// 2xx, 3xx or 4xx other than 429.
    pub status: StatusCode,
    /// The whole body.
    pub body: Vec<u8>,
}

impl SupplierHttp {
    /// A client that follows no redirects and keeps connections warm.
    ///
    /// # Errors
    /// When the platform's TLS roots can't be loaded.
    pub fn new() -> Result<Self, reqwest::Error> {
        let client = Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(Duration::from_secs(10))
            .pool_idle_timeout(Duration::from_secs(60))
            .user_agent(concat!("wayfare/", env!("CARGO_PKG_VERSION")))
            .build()?;
        Ok(Self { client })
    }

    /// A request to be filled and given to [`SupplierHttp::send`].
    pub fn request(&self, method: Method, url: &str) -> RequestBuilder {
        self.client.request(method, url)
    }

    /// Sends once, never twice, and judges what came back. 5xx and a broken or overlong answer are
    /// unknown; a refused connection and 429 are an outage in which nothing happened.
    pub async fn send(&self, request: RequestBuilder, deadline: Duration) -> Answer<Exchange> {
        match tokio::time::timeout(deadline, exchange(request)).await {
            Ok(answer) => answer,
            Err(_) => Answer::Unknown(format!("no answer within {} ms", deadline.as_millis())),
        }
    }
}

async fn exchange(request: RequestBuilder) -> Answer<Exchange> {
    let mut response = match request.send().await {
        Ok(response) => response,
        Err(error) if error.is_connect() || error.is_builder() => return outage(describe(&error), None),
        Err(error) => return Answer::Unknown(describe(&error)),
    };
    let status = response.status();
    if status == StatusCode::TOO_MANY_REQUESTS {
        return outage("the supplier is rate limiting".to_owned(), retry_after(&response));
    }
    if status.is_server_error() {
        return Answer::Unknown(format!("the supplier answered {status}"));
    }
    let mut body = Vec::new();
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) if body.len() + chunk.len() <= BODY_LIMIT => body.extend_from_slice(&chunk),
            Ok(Some(_)) => return Answer::Unknown("the answer is too large".to_owned()),
            Ok(None) => return Answer::Done(Exchange { status, body }),
            Err(error) => return Answer::Unknown(describe(&error)),
        }
    }
}

fn outage(reason: String, retry_after: Option<Duration>) -> Answer<Exchange> {
    Answer::Unavailable(Outage { reason, retry_after })
}

fn retry_after(response: &Response) -> Option<Duration> {
    let seconds = response
        .headers()
        .get(header::RETRY_AFTER)?
        .to_str()
        .ok()?
        .parse()
        .ok()?;
    Some(Duration::from_secs(seconds))
}

/// The error and what is below it, without the address: it may carry what is not for everybody's eyes.
fn describe(error: &reqwest::Error) -> String {
    let mut text = String::new();
    let mut cause: Option<&dyn std::error::Error> = std::error::Error::source(error);
    while let Some(error) = cause {
        if !text.is_empty() {
            text.push_str(": ");
        }
        text.push_str(&error.to_string());
        cause = error.source();
    }
    if text.is_empty() {
        "the connection broke".to_owned()
    } else {
        text
    }
}
