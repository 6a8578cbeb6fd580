//! A row of the table of routes: a method at a path with its rate bucket, what answers it, and how it is described. Only the
//! document has the description, and tests make that: the server serves `docs/openapi.json`.

use std::time::Duration;

use actix_web::{
    FromRequest, Handler, HttpRequest, HttpResponse, Responder, Route, dev::Payload, http::Method, web,
};
use tokio::time::sleep;
use wayfare_operations::Error as OperationError;

#[cfg(test)]
use super::operation::{Described, Operation};
use super::{rate_limit::Bucket, refusal::Refusal};

/// A method at a path, what answers it, and how it is described.
pub struct Endpoint {
    /// The method.
    pub method: Method,
    /// The whole path; a part that names a record is written `{id}` or `{ref}`.
    pub path: String,
    /// What its requests take from.
    pub(crate) bucket: Bucket,
    pub(crate) route: Route,
    /// Whether whoever asks needs a password that nobody else knows: it moves money or gives power.
    pub wants_own_password: bool,
    #[cfg(test)]
    pub(crate) description: Description,
}

/// What the document says of an endpoint.
#[cfg(test)]
pub(crate) struct Description {
    pub summary: &'static str,
    /// What the endpoints of a table have in common: their name, and what they are about.
    pub section: (&'static str, &'static str),
    /// What generated clients call it, such as `bookFlight`.
    pub operation_id: &'static str,
    /// Adds what its handler takes and gives.
    pub describe: fn(&mut Operation<'_>),
    /// How the operation behind it may end, beside what its handler's types say.
    pub refusals: Vec<Refusal>,
}

/// The methods of a path that want a password that nobody else knows.
#[derive(Clone, Default)]
pub(crate) struct OwnPasswordWanted(pub(crate) Vec<Method>);

impl Endpoint {
    /// In this section of the document.
    #[cfg(test)]
    pub(crate) fn in_section(mut self, name: &'static str, text: &'static str) -> Self {
        self.description.section = (name, text);
        self
    }

    #[cfg(not(test))]
    pub(crate) fn in_section(self, _: &'static str, _: &'static str) -> Self {
        self
    }

    /// With these ends of the operation behind it. Values in them are examples.
    #[cfg(test)]
    pub fn refuses<E: Into<Refusal>>(mut self, refusals: fn() -> Vec<E>) -> Self {
        for refusal in refusals() {
            self.description.refusals.push(refusal.into());
        }
        self
    }

    /// The document is made in tests alone.
    #[cfg(not(test))]
    pub fn refuses<Refusals>(self, _: Refusals) -> Self {
        self
    }

    /// For users whose password nobody else knows (D-611).
    pub fn with_own_password(self) -> Self {
        Self { wants_own_password: true, ..self.refuses(|| vec![OperationError::OwnPassword]) }
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

/// Endpoints that change something: they are answered once, whatever breaks.
macro_rules! answered_once {
    ($($(#[$about:meta])* $name:ident: $method:ident;)*) => {$(
        $(#[$about])*
        pub fn $name<Args: Takes, H: Answers<Args>>(
            path: &str,
            bucket: Bucket,
            handler: H,
            operation_id: &'static str,
            summary: &'static str,
        ) -> Endpoint {
            let route = web::method(Method::$method).to(handler);
            endpoint::<Args, H>(Method::$method, path, bucket, route, operation_id, summary)
        }
    )*};
}

answered_once! {
    /// A `POST`.
    post: POST;
    /// A `PUT`.
    put: PUT;
    /// A `DELETE`.
    delete: DELETE;
}

#[cfg_attr(
    not(test),
    allow(
        unused_variables,
        clippy::extra_unused_type_parameters,
        reason = "the description is of the document alone"
    )
)]
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
        route,
        wants_own_password: false,
        #[cfg(test)]
        description: Description {
            summary,
            section: ("", ""),
            operation_id,
            describe: |operation| {
                Args::describe(operation);
                H::Output::describe(operation);
            },
            refusals: Vec::new(),
        },
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

/// Nothing is described outside of tests.
#[cfg(not(test))]
pub trait Described {}

#[cfg(not(test))]
impl<T> Described for T {}

/// What can be given to a handler.
pub trait Takes: FromRequest + Described + 'static {}

impl<T: FromRequest + Described + 'static> Takes for T {}

/// What can answer: shorter to say than actix's own bounds.
pub trait Answers<Args>: Handler<Args, Output: Responder + Described> {}

impl<Args, T: Handler<Args, Output: Responder + Described>> Answers<Args> for T {}
