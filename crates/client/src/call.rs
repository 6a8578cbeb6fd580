//! One call over HTTP: what is asked, and how the answer is read.

use std::time::Duration;

use bytes::Bytes;
use reqwest::{
    Method, Response, StatusCode,
    header::{HeaderMap, RETRY_AFTER},
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;
use wayfare_contract::ApiError;

use crate::{
    error::{Error, Result},
    place::placed,
    retries::{Effort, Failure},
};

/// What is asked. It can't be printed: its body may be a password.
pub(crate) struct Ask {
    pub(crate) method: Method,
    /// The parts of the path behind `/api/v1`, or the operator's root.
    pub(crate) path: Vec<String>,
    pub(crate) query: Vec<(&'static str, String)>,
    pub(crate) body: Option<Bytes>,
    pub(crate) content_type: &'static str,
    /// Whether the answer is a stream of events.
    pub(crate) has_events: bool,
    pub(crate) effort: Effort,
}

impl Ask {
    pub(crate) fn get(path: &[&str]) -> Self {
        Self::of(Method::GET, path, Effort::Read)
    }

    /// A `POST` that changes nothing, such as a search.
    pub(crate) fn reading(path: &[&str]) -> Self {
        Self::of(Method::POST, path, Effort::Read)
    }

    pub(crate) fn set(path: &[&str]) -> Self {
        Self::of(Method::PUT, path, Effort::Set)
    }

    pub(crate) fn delete(path: &[&str]) -> Self {
        Self::of(Method::DELETE, path, Effort::Once)
    }

    pub(crate) fn of(method: Method, path: &[&str], effort: Effort) -> Self {
        Self {
            method,
            path: path.iter().map(|part| (*part).to_owned()).collect(),
            query: Vec::new(),
            body: None,
            content_type: "application/json",
            has_events: false,
            effort,
        }
    }

    pub(crate) fn query(mut self, query: Vec<(&'static str, String)>) -> Self {
        self.query = query;
        self
    }

    pub(crate) fn body(mut self, body: &impl Serialize) -> Result<Self> {
        let body = serde_json::to_vec(body).map_err(|error| Error::Invalid { reason: error.to_string() })?;
        self.body = Some(body.into());
        Ok(self)
    }

    /// One that is answered by a stream of events.
    pub(crate) fn events(mut self) -> Self {
        self.has_events = true;
        self
    }

    /// A text that is the body as it is.
    pub(crate) fn text(mut self, content_type: &'static str, text: &str) -> Self {
        self.content_type = content_type;
        self.body = Some(Bytes::copy_from_slice(text.as_bytes()));
        self
    }
}

/// A parameter of a query, where it says something.
pub(crate) fn given(name: &'static str, value: Option<impl ToString>) -> Option<(&'static str, String)> {
    value.map(|value| (name, value.to_string()))
}

/// A whole answer.
pub(crate) struct RawAnswer {
    status: StatusCode,
    request_id: Option<String>,
    retry_after: Option<Duration>,
    replayed: bool,
    body: Bytes,
}

/// How an answer that is no refusal is taken: whole, or as it comes.
pub(crate) trait Take: Sized {
    fn take(response: Response) -> impl Future<Output = reqwest::Result<Self>> + Send;
}

impl Take for Response {
    async fn take(response: Response) -> reqwest::Result<Self> {
        Ok(response)
    }
}

impl Take for RawAnswer {
    async fn take(response: Response) -> reqwest::Result<Self> {
        let text = |name: &str| header(response.headers(), name).map(str::to_owned);
        Ok(Self {
            status: response.status(),
            request_id: text("x-request-id"),
            // The service states seconds; a date would be a proxy's, and is not worth a clock.
            retry_after: text(RETRY_AFTER.as_str())
                .and_then(|seconds| seconds.parse().ok())
                .map(Duration::from_secs),
            replayed: text("idempotency-replayed").is_some(),
            body: response.bytes().await?,
        })
    }
}

pub(crate) fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// Why it was refused, in the service's words where it spoke itself: gateways have an `error` of their own, but no `success`.
pub(crate) fn refusal(answer: RawAnswer) -> Failure {
    let refusal: Option<ApiError<Value>> = serde_json::from_slice(&answer.body).ok();
    let refusal = refusal.filter(|refusal| !refusal.success);
    let by_service = refusal.is_some();
    let (text, data) = match refusal {
        Some(refusal) => (refusal.error, refusal.data),
        None => {
            let reason = answer.status.canonical_reason().unwrap_or("no reason");
            (reason.to_owned(), None)
        }
    };
    Failure::Refused {
        error: Error::Refused {
            status: answer.status.as_u16(),
            text,
            data,
            request_id: answer.request_id,
            retry_after: answer.retry_after,
        },
        by_service,
    }
}

/// An effect that is carried out once under its key.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Keyed<T> {
    /// What came of it.
    pub answer: T,
    /// Whether it was carried out under this key before and this is the answer of then, or tells what stands now.
    pub replayed: bool,
    /// The key it was sent under.
    pub idempotency_key: String,
    /// Names the request in the service's logs, for support.
    pub request_id: Option<String>,
}

/// The result of an effect at a supplier, which has a key and may be pending.
pub type Effect<T> = Result<Keyed<Outcome<T>>>;

/// What came of an effect at a supplier.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome<T> {
    /// It is carried out.
    Done(T),
    /// The supplier has not said yet (202). Nothing is lost: it settles by itself; read the booking to see.
    Pending(Pending),
}

/// An effect whose outcome is not known yet.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Pending {
    /// The booking to read.
    pub booking_ref: String,
    /// What is awaited, in words.
    pub message: Option<String>,
    /// What is known already, as the service told it.
    pub data: Value,
}

impl<T> Outcome<T> {
    /// What was done, where it is.
    pub fn done(self) -> Option<T> {
        match self {
            Self::Done(done) => Some(done),
            Self::Pending(_) => None,
        }
    }
}

/// An answer without data.
#[derive(Deserialize)]
pub(crate) struct NoData {
    #[serde(rename = "success")]
    _success: bool,
}

/// The API's success envelope.
#[derive(Deserialize)]
pub(crate) struct Envelope<T> {
    #[serde(rename = "success")]
    _success: bool,
    pub(crate) message: Option<String>,
    pub(crate) data: T,
}

impl RawAnswer {
    /// The whole body as the API has it. What was asked may have happened where it is not.
    pub(crate) fn read<T: DeserializeOwned>(&self, ask: &Ask) -> Result<T> {
        read(&self.body).map_err(|reason| {
            ask.effort.in_doubt(Error::Unreadable {
                status: self.status.as_u16(),
                reason,
                request_id: self.request_id.clone(),
            })
        })
    }

    pub(crate) fn keyed<T>(&self, ask: &Ask, answer: T) -> Keyed<T> {
        Keyed {
            answer,
            replayed: self.replayed,
            idempotency_key: match &ask.effort {
                Effort::Keyed(key) => key.clone(),
                _ => String::new(),
            },
            request_id: self.request_id.clone(),
        }
    }

    /// What came of an effect on this booking; on the one that the answer names, where it names one.
    pub(crate) fn outcome<T: DeserializeOwned>(&self, ask: &Ask, booking_ref: &str) -> Result<Outcome<T>> {
        if self.status != StatusCode::ACCEPTED {
            let envelope: Envelope<T> = self.read(ask)?;
            return Ok(Outcome::Done(envelope.data));
        }
        let Envelope { message, data, .. } = self.read::<Envelope<Value>>(ask)?;
        let named = data.get("booking_ref").or_else(|| data.get("new_booking")?.get("booking_ref"));
        Ok(Outcome::Pending(Pending {
            booking_ref: named.and_then(Value::as_str).unwrap_or(booking_ref).to_owned(),
            message,
            data,
        }))
    }
}

/// Reads JSON; what is wrong with it names the place.
pub(crate) fn read<T: DeserializeOwned>(json: &[u8]) -> Result<T, String> {
    let mut reader = serde_json::Deserializer::from_slice(json);
    T::deserialize(&mut reader).map_err(|error| placed(json, &error))
}
