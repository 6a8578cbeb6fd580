//! What a handler is given: who asks, proven, and what is asked, read. In this order: token, agency and user,
//! whitelist, rate, tier, role, then path, query or body, so that nobody learns what they may not ask.

use std::{future::Future, pin::Pin, str::FromStr, sync::Arc};

use actix_web::{
    FromRequest, HttpMessage, HttpRequest,
    dev::Payload,
    http::{StatusCode, header},
    web::{Bytes, BytesMut, Data},
};
use chrono::NaiveDate;
use futures_util::StreamExt;
use rust_decimal::Decimal;
use serde_json::Value;
use strum::VariantNames;
use wayfare_domain::{Currency, Faults, Origin, PageRequest};
use wayfare_operations::{
    Admin, Caller, Error, Platform, PortalAdmin, idempotency::IdempotencyKey, identity,
};

use crate::{
    client_address,
    form::{self, FromForm, Known},
    rate_limit::Limited,
    refusal::Refusal,
    request_id::RequestId,
    server::ServerOptions,
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
        let request = request.clone();
        Box::pin(async move {
            let options = options(&request)?;
            let origin = origin(&request, options);
            let address = Limited::Address(origin.address);
            options.limits.check(&request, address).await?;
            Ok(Self(origin))
        })
    }
}

impl Proof for Caller {
    fn of(request: &HttpRequest) -> Extracting<Self> {
        let request = request.clone();
        Box::pin(async move {
            let platform: &Data<Arc<Platform>> = app_data(&request)?;
            let options = options(&request)?;
            let token = bearer(&request).ok_or(Error::Unauthenticated)?;
            let caller = identity::authenticate(platform, token, origin(&request, options)).await?;
            let user = caller.user();
            let path = request.path();
            let searches = path.ends_with("/search") || path.ends_with("/search/stream");
            let limited = match searches {
                true => Limited::Search(user),
                false => Limited::User(user),
            };
            options.limits.check(&request, limited).await?;
            // For the body, which is read next.
            request.extensions_mut().insert(caller.currency());
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

impl Proof for PortalAdmin {
    fn of(request: &HttpRequest) -> Extracting<Self> {
        let caller = Caller::of(request);
        Box::pin(async move { Ok(PortalAdmin::of(caller.await?)?) })
    }
}

/// What the server gave the application to work with.
fn app_data<T: 'static>(request: &HttpRequest) -> Result<&T, Refusal> {
    let missing = || Error::Internal(format!("no {}", std::any::type_name::<T>()));
    Ok(request.app_data::<T>().ok_or_else(missing)?)
}

/// How the server behaves.
///
/// # Errors
/// When it was not told.
pub fn options(request: &HttpRequest) -> Result<&ServerOptions, Refusal> {
    Ok(app_data::<Data<ServerOptions>>(request)?.get_ref())
}

fn bearer(request: &HttpRequest) -> Option<&str> {
    let value = request.headers().get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn origin(request: &HttpRequest, options: &ServerOptions) -> Origin {
    let agent = request
        .headers()
        .get(header::USER_AGENT)
        .and_then(|agent| agent.to_str().ok())
        .unwrap_or_default();
    Origin {
        address: client_address::of(request, &options.trusted_proxies),
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
        Box::pin(async move { Self::parse(&request, &collect(&request, payload).await?) })
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
        let known = Known {
            now: clock.now(),
            currency: request.extensions().get::<Currency>().copied(),
        };
        Ok(Self(form::read(&document, known)?))
    }
}

impl FromBytes for Nothing {
    fn parse(_: &HttpRequest, _: &[u8]) -> Result<Self, Refusal> {
        Ok(Self)
    }
}

/// A JSON body that may be missing.
pub struct Maybe<T>(pub Option<T>);

impl<T: FromForm> FromBytes for Maybe<T> {
    fn parse(request: &HttpRequest, bytes: &[u8]) -> Result<Self, Refusal> {
        match bytes.is_empty() {
            true => Ok(Self(None)),
            false => Body::parse(request, bytes).map(|Body(body)| Self(Some(body))),
        }
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
            let bytes = collect(&request, payload).await?;
            let body = T::parse(&request, &bytes)?;
            Ok(Self {
                body,
                key: key(&request, &bytes)?,
            })
        })
    }
}

/// The header's key, if there is one.
fn key(request: &HttpRequest, body: &[u8]) -> Result<Option<IdempotencyKey>, Refusal> {
    let Some(value) = request.headers().get("idempotency-key") else {
        return Ok(None);
    };
    let key = value
        .to_str()
        .map_err(|_| Faults::of("Idempotency-Key", "must be printable ASCII"))?
        .to_owned();
    let platform: &Data<Arc<Platform>> = app_data(request)?;
    let parts = [
        request.method().as_str().as_bytes(),
        request.path().as_bytes(),
        body,
    ];
    Ok(Some(IdempotencyKey::new(platform, key, parts)?))
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

/// The whole body, if it is no larger than it may be and comes no slower.
async fn collect(request: &HttpRequest, payload: Payload) -> Result<Bytes, Refusal> {
    let slowest = options(request)?.slowest_request;
    let slow = || Refusal::closing(StatusCode::REQUEST_TIMEOUT, "request took too long");
    tokio::time::timeout(slowest, read(payload))
        .await
        .map_err(|_| slow())?
}

async fn read(mut payload: Payload) -> Result<Bytes, Refusal> {
    let mut body = BytesMut::new();
    while let Some(chunk) = payload.next().await {
        let chunk = chunk.map_err(|_| Refusal::new(StatusCode::BAD_REQUEST, "the body could not be read"))?;
        if body.len() + chunk.len() > BODY_LIMIT {
            return Err(Refusal::closing(
                StatusCode::PAYLOAD_TOO_LARGE,
                "request body too large",
            ));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}

/// A query string, read by name; none of its values has a NUL, which no database keeps.
pub struct QueryPairs(Vec<(String, String)>);

impl Content for QueryPairs {
    fn of(request: &HttpRequest, _: Payload) -> Extracting<Self> {
        let pairs: Result<Vec<(String, String)>, _> = serde_urlencoded::from_str(request.query_string());
        let pairs = pairs
            .ok()
            .filter(|pairs| !pairs.iter().any(|(_, value)| value.contains('\0')));
        Box::pin(async move {
            let malformed = || Refusal::new(StatusCode::BAD_REQUEST, "malformed query string");
            pairs.map(Self).ok_or_else(malformed)
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

    /// The value of this name, read; one that can't be is at fault for this reason.
    pub fn read<T: FromStr>(&self, name: &str, reason: &str, faults: &mut Faults) -> Option<T> {
        let read = self.get(name)?.parse().ok();
        if read.is_none() {
            faults.add(name, reason);
        }
        read
    }

    /// A day, `YYYY-MM-DD`.
    pub fn date(&self, name: &str, faults: &mut Faults) -> Option<NaiveDate> {
        let day = form::day(self.get(name)?);
        if day.is_none() {
            faults.add(name, "must be a date (YYYY-MM-DD)");
        }
        day
    }

    /// An exact number, as JSON writes them.
    pub fn decimal(&self, name: &str, faults: &mut Faults) -> Option<Decimal> {
        let number = self.get(name)?.parse().ok();
        let number = number.as_ref().and_then(form::decimal);
        if number.is_none() {
            faults.add(name, "must be a number");
        }
        number
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
