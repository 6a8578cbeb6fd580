//! A row of the table of routes: a method at a path with its rate bucket, what answers it, and how it is described.

use std::time::Duration;

use actix_web::{
    FromRequest, Handler, HttpRequest, HttpResponse, Responder, Route, dev::Payload, http::Method, web,
};
use tokio::time::sleep;
use wayfare_operations::Error as OperationError;

use super::{
    operation::{Described, Operation},
    rate_limit::Bucket,
    refusal::Refusal,
};

/// A method at a path, what answers it, and how it is described.
pub struct Endpoint {
    /// The method.
    pub method: Method,
    /// The whole path; a part that names a record is written `{id}` or `{ref}`.
    pub path: String,
    /// What its requests take from.
    pub(crate) bucket: Bucket,
    pub(crate) summary: &'static str,
    pub(crate) section: Section,
    /// What generated clients call it, such as `bookFlight`.
    pub(crate) operation_id: &'static str,
    /// Adds what its handler takes and gives.
    pub(crate) describe: fn(&mut Operation<'_>),
    /// How the operation behind it may end, beside what its handler's types say.
    pub(crate) refusals: Vec<Refusal>,
    pub(crate) route: Route,
    /// Whether whoever asks needs a password that nobody else knows: it moves money or gives power.
    pub wants_own_password: bool,
}

/// The methods of a path that want a password that nobody else knows.
#[derive(Clone, Default)]
pub(crate) struct OwnPasswordWanted(pub(crate) Vec<Method>);

/// What the endpoints of a table have in common.
#[derive(Clone, Copy, Default)]
pub struct Section {
    pub(crate) name: &'static str,
    /// What it is about.
    pub(crate) text: &'static str,
}

impl Endpoint {
    /// With these ends of the operation behind it. Values in them are examples.
    pub fn refuses<E: Into<Refusal>>(self, refusals: fn() -> Vec<E>) -> Self {
        Self { refusals: refusals().into_iter().map(Into::into).collect(), ..self }
    }

    /// For users whose password nobody else knows (D-611).
    pub fn with_own_password(mut self) -> Self {
        self.refusals.push(OperationError::OwnPassword.into());
        Self { wants_own_password: true, ..self }
    }
}

/// A `GET`: it changes nothing, so it is answered once more where its connection to the database breaks.
pub fn get<Args: Takes, H: Answers<Args>>(
    path: &str,
    bucket: Bucket,
    handler: H,
    operation_id: &'static str,
    summary: &'static str,
) -> Endpoint {
    let again = move |request: HttpRequest| read(handler.clone(), request);
    let route = web::get().to(again);
    endpoint::<Args, H>(Method::GET, path, bucket, route, operation_id, summary)
}

/// A `POST`.
pub fn post<Args: Takes, H: Answers<Args>>(
    path: &str,
    bucket: Bucket,
    handler: H,
    operation_id: &'static str,
    summary: &'static str,
) -> Endpoint {
    let route = web::method(Method::POST).to(handler);
    endpoint::<Args, H>(Method::POST, path, bucket, route, operation_id, summary)
}

/// A `PUT`.
pub fn put<Args: Takes, H: Answers<Args>>(
    path: &str,
    bucket: Bucket,
    handler: H,
    operation_id: &'static str,
    summary: &'static str,
) -> Endpoint {
    let route = web::method(Method::PUT).to(handler);
    endpoint::<Args, H>(Method::PUT, path, bucket, route, operation_id, summary)
}

/// A `DELETE`.
pub fn delete<Args: Takes, H: Answers<Args>>(
    path: &str,
    bucket: Bucket,
    handler: H,
    operation_id: &'static str,
    summary: &'static str,
) -> Endpoint {
    let route = web::method(Method::DELETE).to(handler);
    endpoint::<Args, H>(Method::DELETE, path, bucket, route, operation_id, summary)
}

fn endpoint<Args: Takes, H: Answers<Args>>(
    method: Method,
    path: &str,
    bucket: Bucket,
    route: Route,
    operation_id: &'static str,
    summary: &'static str,
) -> Endpoint {
    Endpoint {
        method,
        path: path.to_owned(),
        bucket,
        summary,
        section: Section::default(),
        operation_id,
        describe: |operation| {
            Args::describe(operation);
            H::Output::describe(operation);
        },
        refusals: Vec::new(),
        route,
        wants_own_password: false,
    }
}

/// How long a `GET` waits before it is answered again: what broke is out of the pool by then.
const PAUSE: Duration = Duration::from_millis(100);

/// What a `GET` is answered; on another connection where the first one breaks under it.
async fn read<Args: Takes, H: Answers<Args>>(handler: H, request: HttpRequest) -> HttpResponse {
    let answer = read_once(&handler, &request).await;
    let refusal = answer.error().and_then(|error| error.as_error::<Refusal>());
    match refusal.is_some_and(Refusal::lost_connection) {
        true => {
            sleep(PAUSE).await;
            read_once(&handler, &request).await
        }
        false => answer,
    }
}

async fn read_once<Args: Takes, H: Answers<Args>>(handler: &H, request: &HttpRequest) -> HttpResponse {
    match Args::from_request(request, &mut Payload::None).await {
        Ok(args) => handler.call(args).await.respond_to(request).map_into_boxed_body(),
        Err(error) => HttpResponse::from_error(error),
    }
}

/// What can be given to a handler.
pub trait Takes: FromRequest + Described + 'static {}

impl<T: FromRequest + Described + 'static> Takes for T {}

/// What can answer: shorter to say than actix's own bounds.
pub trait Answers<Args>: Handler<Args, Output: Responder + Described> {}

impl<Args, T: Handler<Args, Output: Responder + Described>> Answers<Args> for T {}
