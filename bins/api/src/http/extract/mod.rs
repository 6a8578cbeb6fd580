//! What a handler is given: who asks, proven, and what is asked, read. In this order: token, agency and user,
//! whitelist, rate, tier, role, then path, query or body, so that nobody learns what they may not ask.

#[cfg(test)]
mod described;
mod file;
mod operators;

pub use self::file::{File, FromFile, With};

use std::{future::Future, pin::Pin, sync::Arc};

use actix_web::{
    FromRequest, HttpMessage, HttpRequest,
    dev::Payload,
    http::{StatusCode, header},
    web::{Bytes, BytesMut, Data},
};
use arrayvec::ArrayString;
use futures_util::StreamExt;
use wayfare_domain::{Faults, Origin, UserId};
use wayfare_operations::{
    Admin, Caller, Error, Person, Platform, PortalAdmin,
    access::{authentication, idempotency::IdempotencyKey},
};

#[cfg(test)]
use crate::http::operation::{Described, Operation};
use crate::http::{
    client_address,
    endpoint::OwnPasswordWanted,
    json_body::{self, FromJson, Known, UniqueKeys},
    options::ServerOptions,
    query::{self, FromQuery},
    rate_limit::{Bucket, Buckets, Limited},
    refusal::Refusal,
    request_id::RequestId,
};

/// No request that the API takes is larger.
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

    /// Who of an agency asks; none where nobody has to be signed in, and of operators.
    fn person(&self) -> Option<&Person> {
        None
    }
}

/// What may be asked.
pub trait Content: Sized + 'static {
    /// Reads it out of the request.
    fn of(request: HttpRequest, payload: Payload, known: Known) -> Extracting<Self>;
}

impl<Who: Proof, What: Content> FromRequest for Ask<Who, What> {
    type Error = Refusal;
    type Future = Extracting<Self>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move {
            let who = Who::of(&request).await?;
            let platform: &Data<Arc<Platform>> = app_data(&request)?;
            let known = Known {
                now: platform.core.clock.now(),
                currency: who.person().map(Person::currency),
                country: who.person().and_then(|person| ArrayString::from(person.country()).ok()),
            };
            let what = What::of(request, payload, known).await?;
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

impl Proof for Person {
    fn of(request: &HttpRequest) -> Extracting<Self> {
        let request = request.clone();
        Box::pin(async move {
            let platform: &Data<Arc<Platform>> = app_data(&request)?;
            let options = options(&request)?;
            let token = bearer(&request).ok_or(Error::Unauthenticated)?;
            let person =
                authentication::authenticate(&platform.access, token, origin(&request, options)).await?;
            take_from_bucket(&request, person.user()).await?;
            if app_data::<OwnPasswordWanted>(&request)?.0.contains(request.method()) {
                person.check_own_password()?;
            }
            Ok(person)
        })
    }

    fn person(&self) -> Option<&Person> {
        Some(self)
    }
}

/// Takes one request out of the user's bucket for this route: once for each request, whatever the proof.
async fn take_from_bucket(request: &HttpRequest, user: UserId) -> Result<(), Refusal> {
    let limited = match app_data::<Buckets>(request)?.of(request.method()) {
        Some(Bucket::Searches) => Limited::Search(user),
        Some(Bucket::Requests) => Limited::User(user),
        bucket => return Err(Error::Internal(format!("{bucket:?} is no bucket of users")).into()),
    };
    options(request)?.limits.check(request, limited).await
}

/// Proofs that are made of a person: how each has the person, and what it refuses beside what the person's own proof does.
macro_rules! made_of_person {
    ($($name:ident $(.$person:ident())? $(or $refusal:ident)?;)*) => {$(
        impl Proof for $name {
            fn of(request: &HttpRequest) -> Extracting<Self> {
                let person = <Person as Proof>::of(request);
                Box::pin(async move { Ok($name::of(person.await?)?) })
            }

            fn person(&self) -> Option<&Person> {
                Some(self$(.$person())?)
            }
        }

        #[cfg(test)]
        impl Described for $name {
            fn describe(operation: &mut Operation<'_>) {
                Person::describe(operation);
                $(operation.refuses(Error::$refusal);)?
            }
        }
    )*};
}

made_of_person! {
    Caller;
    Admin.caller();
    PortalAdmin.caller() or NoPortal;
}

/// What the server gave the application to work with.
pub fn app_data<T: 'static>(request: &HttpRequest) -> Result<&T, Refusal> {
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
    let agent =
        request.headers().get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default();
    Origin {
        address: client_address::of(request, &options.trusted_proxies),
        user_agent: agent.chars().take(512).collect(),
        request_id: request.extensions().get::<RequestId>().map(|id| id.0.clone()).unwrap_or_default(),
    }
}

/// Nothing is asked beyond the path.
pub struct Nothing;

impl Content for Nothing {
    fn of(_: HttpRequest, _: Payload, _: Known) -> Extracting<Self> {
        Box::pin(async { Ok(Self) })
    }
}

/// A JSON body.
pub struct Body<T>(pub T);

impl<T: FromJson + 'static> Content for Body<T> {
    fn of(request: HttpRequest, payload: Payload, known: Known) -> Extracting<Self> {
        Box::pin(async move { Self::parse(&request, &collect(&request, payload).await?, known) })
    }
}

/// What can be read out of a body's bytes.
trait FromBytes: Sized {
    fn parse(request: &HttpRequest, bytes: &[u8], known: Known) -> Result<Self, Refusal>;
}

impl<T: FromJson> FromBytes for Body<T> {
    fn parse(request: &HttpRequest, bytes: &[u8], known: Known) -> Result<Self, Refusal> {
        must_be_json(request)?;
        let text = utf8(bytes)?;
        let UniqueKeys(document) = serde_json::from_str(text).map_err(|error| {
            let text = format!("malformed JSON at line {} column {}", error.line(), error.column());
            Refusal::new(StatusCode::BAD_REQUEST, text)
        })?;
        Ok(Self(json_body::read(&document, known)?))
    }
}

/// The text without its byte order mark, which some programs write before UTF-8 (D-654).
///
/// # Errors
/// For bytes of another encoding, with its name where it can be told.
fn utf8(bytes: &[u8]) -> Result<&str, Refusal> {
    let encoding = match bytes {
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => Some("UTF-32"),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, _, ..] | [_, 0, ..] => Some("UTF-16"),
        _ => None,
    };
    let text = match encoding {
        Some(encoding) => Err(format!("the body must be UTF-8, not {encoding}")),
        None => str::from_utf8(bytes).map_err(|unreadable| {
            format!("the body must be UTF-8, which byte {} is not", unreadable.valid_up_to() + 1)
        }),
    };
    text.map(|text| text.strip_prefix('\u{feff}').unwrap_or(text))
        .map_err(|text| Refusal::new(StatusCode::BAD_REQUEST, text))
}

impl FromBytes for Nothing {
    fn parse(_: &HttpRequest, _: &[u8], _: Known) -> Result<Self, Refusal> {
        Ok(Self)
    }
}

/// A JSON body that may be missing.
pub struct Maybe<T>(pub Option<T>);

impl<T: FromJson + 'static> Content for Maybe<T> {
    fn of(request: HttpRequest, payload: Payload, known: Known) -> Extracting<Self> {
        Box::pin(async move { Self::parse(&request, &collect(&request, payload).await?, known) })
    }
}

impl<T: FromJson> FromBytes for Maybe<T> {
    fn parse(request: &HttpRequest, bytes: &[u8], known: Known) -> Result<Self, Refusal> {
        match bytes.is_empty() {
            true => Ok(Self(None)),
            false => Body::parse(request, bytes, known).map(|Body(body)| Self(Some(body))),
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
    fn of(request: HttpRequest, payload: Payload, known: Known) -> Extracting<Self> {
        Box::pin(async move {
            let bytes = collect(&request, payload).await?;
            let body = T::parse(&request, &bytes, known)?;
            Ok(Self { body, key: key(&request, &bytes)? })
        })
    }
}

/// The header's key, if there is one.
fn key(request: &HttpRequest, body: &[u8]) -> Result<Option<IdempotencyKey>, Refusal> {
    let Some(value) = request.headers().get("idempotency-key") else { return Ok(None) };
    let key =
        value.to_str().map_err(|_| Faults::of("Idempotency-Key", "must be printable ASCII"))?.to_owned();
    let platform: &Data<Arc<Platform>> = app_data(request)?;
    let parts = [request.method().as_str().as_bytes(), request.path().as_bytes(), body];
    Ok(Some(IdempotencyKey::new(&platform.core, key, parts)?))
}

fn must_be_json(request: &HttpRequest) -> Result<(), Refusal> {
    if is_json(request) {
        return Ok(());
    }
    Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported content type"))
}

fn is_json(request: &HttpRequest) -> bool {
    let kind = request.content_type();
    kind.eq_ignore_ascii_case("application/json") || kind.to_ascii_lowercase().ends_with("+json")
}

/// The whole body, if it is no larger than it may be and comes no slower.
async fn collect(request: &HttpRequest, payload: Payload) -> Result<Bytes, Refusal> {
    collect_up_to(BODY_LIMIT, request, payload).await
}

/// The whole body, if it has no more bytes than that and comes no slower than it may.
pub async fn collect_up_to(limit: usize, request: &HttpRequest, payload: Payload) -> Result<Bytes, Refusal> {
    let slowest = options(request)?.slowest_request;
    let slow = || Refusal::closing(StatusCode::REQUEST_TIMEOUT, "request took too long");
    tokio::time::timeout(slowest, read(payload, limit)).await.map_err(|_| slow())?
}

async fn read(mut payload: Payload, limit: usize) -> Result<Bytes, Refusal> {
    let mut body = BytesMut::new();
    while let Some(chunk) = payload.next().await {
        let chunk = chunk.map_err(|_| Refusal::new(StatusCode::BAD_REQUEST, "the body could not be read"))?;
        if body.len() + chunk.len() > limit {
            return Err(Refusal::closing(StatusCode::PAYLOAD_TOO_LARGE, "request body too large"));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}

/// A query string.
pub struct Query<T>(pub T);

impl<T: FromQuery + 'static> Content for Query<T> {
    fn of(request: HttpRequest, _: Payload, _: Known) -> Extracting<Self> {
        let read = query::read(request.query_string());
        Box::pin(async move { read.map(Self) })
    }
}
