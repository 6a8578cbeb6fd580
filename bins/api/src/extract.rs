//! What a handler is given: who asks, proven, and what is asked, read. In this order: token, agency and user,
//! rate, role, then path, query or body, so that nobody learns what they may not ask.

use std::{future::Future, net::IpAddr, pin::Pin, rc::Rc, str::FromStr, sync::Arc};

use actix_web::{
    FromRequest, HttpMessage, HttpRequest,
    dev::Payload,
    http::{StatusCode, header},
    web::{Bytes, BytesMut, Data},
};
use futures_util::StreamExt;
use serde_json::Value;
use sha2::{Digest, Sha256};
use strum::VariantNames;
use wayfare_domain::{Faults, Origin, PageRequest};
use wayfare_operations::{Admin, Caller, Error, Platform, idempotency::IdempotencyKey, identity};

use crate::{
    form::{self, FromForm},
    rate_limit::{Limited, RateLimits},
    refusal::Refusal,
    request_id::RequestId,
};

/// No request of the contract is larger.
const BODY_LIMIT: usize = 1024 * 1024;

type Extracting<T> = Pin<Box<dyn Future<Output = Result<T, Refusal>>>>;

/// Who asks and what is asked.
pub struct Ask<Who, What> {
    /// The proof.
    pub who: Who,
    /// The content.
    pub what: What,
}

/// Who may ask.
pub trait Proof: Sized + 'static {
    /// The proof, if the request gives it.
    fn of(request: &HttpRequest) -> Extracting<Self>;
}

/// What may be asked.
pub trait Content: Sized + 'static {
    /// Reads it out of the request.
    fn of(request: &HttpRequest, payload: Payload) -> Extracting<Self>;
}

impl<Who: Proof, What: Content> FromRequest for Ask<Who, What> {
    type Error = Refusal;
    type Future = Extracting<Self>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move {
            let who = Who::of(&request).await?;
            let what = What::of(&request, payload).await?;
            Ok(Self { who, what })
        })
    }
}

/// Anybody; limited by address.
pub struct Anyone(pub Origin);

impl Proof for Anyone {
    fn of(request: &HttpRequest) -> Extracting<Self> {
        let (origin, address, limits) = (origin(request), address(request), limits(request));
        Box::pin(async move {
            limits.check(Limited::Address(address))?;
            Ok(Self(origin))
        })
    }
}

impl Proof for Caller {
    fn of(request: &HttpRequest) -> Extracting<Self> {
        let platform = request.app_data::<Data<Arc<Platform>>>().cloned();
        let token = bearer(request).map(str::to_owned);
        let (origin, limits) = (origin(request), limits(request));
        let searches = request.path().ends_with("/flights/search");
        Box::pin(async move {
            let platform = platform.ok_or_else(|| Error::Internal("no platform".to_owned()))?;
            let token = token.ok_or(Error::Unauthenticated)?;
            let caller = identity::authenticate(&platform, &token, origin).await?;
            let user = caller.user();
            limits.check(if searches {
                Limited::Search(user)
            } else {
                Limited::User(user)
            })?;
            Ok(caller)
        })
    }
}

impl Proof for Admin {
    fn of(request: &HttpRequest) -> Extracting<Self> {
        let caller = Caller::of(request);
        Box::pin(async move { Ok(Admin::of(caller.await?)?) })
    }
}

fn bearer(request: &HttpRequest) -> Option<&str> {
    let value = request.headers().get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn limits(request: &HttpRequest) -> Rc<RateLimits> {
    request.app_data::<Data<RateLimits>>().map_or_else(
        || Rc::new(RateLimits::off()),
        |limits| Rc::new(limits.get_ref().clone()),
    )
}

/// The peer's address; without one (never over TCP) everybody shares a bucket.
fn address(request: &HttpRequest) -> IpAddr {
    request
        .peer_addr()
        .map_or(IpAddr::from([0, 0, 0, 0]), |peer| peer.ip())
}

fn origin(request: &HttpRequest) -> Origin {
    let agent = request
        .headers()
        .get(header::USER_AGENT)
        .and_then(|agent| agent.to_str().ok())
        .unwrap_or_default();
    Origin {
        address: address(request).to_string(),
        user_agent: agent.chars().take(512).collect(),
        request_id: request
            .extensions()
            .get::<RequestId>()
            .map(|id| id.0.clone())
            .unwrap_or_default(),
    }
}

/// Nothing is asked beyond the path.
pub struct Nothing;

impl Content for Nothing {
    fn of(_: &HttpRequest, _: Payload) -> Extracting<Self> {
        Box::pin(async { Ok(Self) })
    }
}

/// A JSON body.
pub struct Body<T>(pub T);

impl<T: FromForm + 'static> Content for Body<T> {
    fn of(request: &HttpRequest, payload: Payload) -> Extracting<Self> {
        let request = request.clone();
        Box::pin(async move { Self::parse(&request, &collect(payload).await?) })
    }
}

/// What can be read out of a body's bytes.
trait FromBytes: Sized {
    fn parse(request: &HttpRequest, bytes: &[u8]) -> Result<Self, Refusal>;
}

impl<T: FromForm> FromBytes for Body<T> {
    fn parse(request: &HttpRequest, bytes: &[u8]) -> Result<Self, Refusal> {
        must_be_json(request)?;
        let document: Value = serde_json::from_slice(bytes).map_err(|error| {
            let text = format!(
                "malformed JSON at line {} column {}",
                error.line(),
                error.column()
            );
            Refusal::new(StatusCode::BAD_REQUEST, text)
        })?;
        let clock = request
            .app_data::<Data<Arc<Platform>>>()
            .map(|app| app.clock.clone())
            .unwrap_or_default();
        Ok(Self(form::read(&document, clock.now())?))
    }
}

impl FromBytes for Nothing {
    fn parse(_: &HttpRequest, _: &[u8]) -> Result<Self, Refusal> {
        Ok(Self)
    }
}

/// A body and the Idempotency-Key under which it is sent.
pub struct Keyed<T> {
    /// The body.
    pub body: T,
    /// The key, if the client sent one.
    pub key: Option<IdempotencyKey>,
}

#[allow(private_bounds, reason = "only the contents of this file are keyed")]
impl<T: FromBytes + 'static> Content for Keyed<T> {
    fn of(request: &HttpRequest, payload: Payload) -> Extracting<Self> {
        let request = request.clone();
        Box::pin(async move {
            let bytes = collect(payload).await?;
            let body = T::parse(&request, &bytes)?;
            Ok(Self {
                body,
                key: key(&request, &bytes)?,
            })
        })
    }
}

/// The header's key, with a hash of all that makes the request.
fn key(request: &HttpRequest, body: &[u8]) -> Result<Option<IdempotencyKey>, Refusal> {
    let Some(value) = request.headers().get("idempotency-key") else {
        return Ok(None);
    };
    let key = value
        .to_str()
        .map_err(|_| Faults::of("Idempotency-Key", "must be printable ASCII"))?
        .to_owned();
    IdempotencyKey::check(&key)?;
    let mut hash = Sha256::new();
    for part in [
        request.method().as_str().as_bytes(),
        request.path().as_bytes(),
        body,
    ] {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    Ok(Some(IdempotencyKey {
        key,
        fingerprint: hash.finalize().into(),
    }))
}

fn must_be_json(request: &HttpRequest) -> Result<(), Refusal> {
    if is_json(request) {
        return Ok(());
    }
    Err(Refusal::new(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "unsupported content type",
    ))
}

fn is_json(request: &HttpRequest) -> bool {
    let kind = request.content_type();
    kind.eq_ignore_ascii_case("application/json") || kind.to_ascii_lowercase().ends_with("+json")
}

async fn collect(mut payload: Payload) -> Result<Bytes, Refusal> {
    let mut body = BytesMut::new();
    while let Some(chunk) = payload.next().await {
        let chunk = chunk.map_err(|_| Refusal::new(StatusCode::BAD_REQUEST, "the body could not be read"))?;
        if body.len() + chunk.len() > BODY_LIMIT {
            return Err(Refusal::new(
                StatusCode::PAYLOAD_TOO_LARGE,
                "request body too large",
            ));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}

/// A query string, read by name.
pub struct QueryPairs(Vec<(String, String)>);

impl Content for QueryPairs {
    fn of(request: &HttpRequest, _: Payload) -> Extracting<Self> {
        let pairs = serde_urlencoded::from_str(request.query_string());
        Box::pin(async move {
            pairs
                .map(Self)
                .map_err(|_| Refusal::new(StatusCode::BAD_REQUEST, "malformed query string"))
        })
    }
}

impl QueryPairs {
    /// The value of this name; the last one counts, an empty one is none.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .rev()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
            .filter(|v| !v.is_empty())
    }

    /// One of a word's variants, as the contract spells them (decisions, detail 58).
    pub fn word<T: FromStr + VariantNames>(&self, name: &str, faults: &mut Faults) -> Option<T> {
        let word = self.get(name)?.parse().ok();
        if word.is_none() {
            faults.add(name, format!("must be one of {}", T::VARIANTS.join(", ")));
        }
        word
    }

    /// `page` and `per_page`, in range (decisions: at most 100, out of range is 422).
    pub fn page(&self, faults: &mut Faults) -> PageRequest {
        let mut read = |name: &str, default: u32, most: u32| match self.get(name).map(str::parse::<u32>) {
            None => default,
            Some(Ok(number)) if (1..=most).contains(&number) => number,
            Some(_) if most == u32::MAX => {
                faults.add(name, "must be a whole number of at least 1");
                default
            }
            Some(_) => {
                faults.add(name, format!("must be between 1 and {most}"));
                default
            }
        };
        PageRequest {
            page: read("page", 1, u32::MAX),
            per_page: read("per_page", 20, 100),
        }
    }
}
