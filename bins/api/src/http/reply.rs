//! The API's success envelopes. What a handler returns says in its type which statuses and bodies it answers with.

use std::{
    hash::{DefaultHasher, Hasher},
    marker::PhantomData,
};

use actix_web::{
    HttpMessage, HttpRequest, HttpResponse, Responder,
    body::{BoxBody, MessageBody},
    http::{
        StatusCode,
        header::{ContentType, ETag, EntityTag, HeaderName, HeaderValue, IfNoneMatch},
    },
};
use serde::Serialize;
use wayfare_contract::Meta;
use wayfare_domain::Page;
use wayfare_operations::Error;

use crate::http::refusal::Refusal;

/// What handlers return.
pub type Replied<T> = Result<Reply<T>, Refusal>;

/// What most of them return: this, as the answer's `data`.
pub type DataReply<T, const STATUS: u16 = 200> = Replied<Data<T, STATUS>>;

/// An answer that is what `T` says: [`Data`], [`Told`], [`Done`], [`Listed`] or another.
pub struct Reply<T> {
    content: Content,
    is_replayed: bool,
    has_secret: bool,
    kind: PhantomData<T>,
}

enum Content {
    Json(StatusCode, String),
    Made(HttpResponse),
}

impl<T> Reply<T> {
    /// A response that is made by hand.
    pub fn of(response: HttpResponse) -> Self {
        Self::new(Content::Made(response))
    }

    /// JSON that is printed already.
    pub fn json(status: StatusCode, text: String) -> Self {
        Self::new(Content::Json(status, text))
    }

    fn new(content: Content) -> Self {
        Self { content, is_replayed: false, has_secret: false, kind: PhantomData }
    }

    /// Marked as the answer of a request that was carried out before.
    pub fn replayed(self) -> Self {
        Self { is_replayed: true, ..self }
    }

    /// Not to be stored for a request that is made again: its answer is rebuilt.
    pub fn with_secret(self) -> Self {
        Self { has_secret: true, ..self }
    }

    /// The status and the text, of an answer that may be stored.
    pub fn storable(&self) -> Option<(StatusCode, &str)> {
        match &self.content {
            Content::Json(status, text) if !self.has_secret => Some((*status, text)),
            _ => None,
        }
    }

    /// The same as another kind of answer.
    pub fn cast<Other>(self) -> Reply<Other> {
        Reply {
            content: self.content,
            is_replayed: self.is_replayed,
            has_secret: self.has_secret,
            kind: PhantomData,
        }
    }
}

impl<T> Responder for Reply<T> {
    type Body = BoxBody;

    fn respond_to(self, _: &HttpRequest) -> HttpResponse {
        let mut response = match self.content {
            Content::Json(status, text) => {
                HttpResponse::build(status).content_type(ContentType::json()).body(text)
            }
            Content::Made(response) => response,
        };
        if self.is_replayed {
            let name = HeaderName::from_static("idempotency-replayed");
            response.headers_mut().insert(name, HeaderValue::from_static("true"));
        }
        response
    }
}

/// Data, in the envelope; 200 unless another status is said.
pub struct Data<V, const STATUS: u16 = 200>(PhantomData<V>);

/// The same with a message.
pub struct WithMessage<V, const STATUS: u16 = 200>(PhantomData<V>);

/// 200 with nothing but a message.
pub struct Message;

/// 200 with a page of a list.
pub struct Paged<V>(PhantomData<V>);

/// 200 with JSON that has no envelope.
pub struct Bare<V>(PhantomData<V>);

/// 200 with lines of comma-separated values.
pub struct Csv;

/// With a tag by which a client that has it is told so, by 304.
pub struct Tagged<A>(PhantomData<A>);

/// One or the other.
pub struct Either<A, B>(PhantomData<(A, B)>);

#[derive(Serialize)]
struct Envelope<'a, T> {
    success: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<T>,
}

#[derive(Serialize)]
struct ListEnvelope<T> {
    success: bool,
    data: Vec<T>,
    meta: Meta,
}

/// Data.
pub fn data<V: Serialize, const STATUS: u16>(data: V) -> DataReply<V, STATUS> {
    enveloped(STATUS, None, Some(data))
}

/// Data with a message.
pub fn with_message<V: Serialize, const STATUS: u16>(
    message: &str,
    data: V,
) -> Replied<WithMessage<V, STATUS>> {
    enveloped(STATUS, Some(message), Some(data))
}

/// 200 with nothing but a message.
pub fn message(message: &str) -> Replied<Message> {
    enveloped(200, Some(message), None::<()>)
}

/// Data that a client may have already: 304 for who says that it has just this.
pub fn tagged<V: Serialize>(request: &HttpRequest, view: V) -> Replied<Tagged<Data<V>>> {
    let envelope = Envelope { success: true, message: None, data: Some(view) };
    let body = serde_json::to_vec(&envelope).map_err(Error::from)?;
    let tag = tag_of(&body);
    Ok(unless_known(request, tag, body))
}

/// The tag of a body, weak since it may be sent compressed or not.
pub fn tag_of(body: &[u8]) -> EntityTag {
    let mut hasher = DefaultHasher::new();
    hasher.write(body);
    EntityTag::new_weak(format!("{:016x}", hasher.finish()))
}

/// JSON with its tag; 304 for who has it.
pub fn unless_known<T>(
    request: &HttpRequest,
    tag: EntityTag,
    body: impl MessageBody + 'static,
) -> Reply<Tagged<T>> {
    let has_it = match request.get_header::<IfNoneMatch>() {
        Some(IfNoneMatch::Items(tags)) => tags.iter().any(|one| one.weak_eq(&tag)),
        Some(IfNoneMatch::Any) => true,
        None => false,
    };
    let mut response = match has_it {
        true => HttpResponse::NotModified(),
        false => HttpResponse::Ok(),
    };
    response.insert_header(ETag(tag));
    Reply::of(match has_it {
        true => response.finish(),
        false => response.content_type(ContentType::json()).body(body),
    })
}

fn enveloped<T>(status: u16, message: Option<&str>, data: Option<impl Serialize>) -> Replied<T> {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
    json(status, &Envelope { success: true, message, data })
}

fn json<T>(status: StatusCode, view: &impl Serialize) -> Replied<T> {
    let text = serde_json::to_string(view).map_err(Error::from)?;
    Ok(Reply::json(status, text))
}

/// 200 with JSON that has no envelope.
pub fn bare<V: Serialize>(view: V) -> Replied<Bare<V>> {
    json(StatusCode::OK, &view)
}

/// The first of two kinds of answers.
pub fn left<A, B>(replied: Replied<A>) -> Replied<Either<A, B>> {
    replied.map(Reply::cast)
}

/// The second of two kinds of answers.
pub fn right<A, B>(replied: Replied<B>) -> Replied<Either<A, B>> {
    replied.map(Reply::cast)
}

/// The message of a search.
pub fn offers_found(count: usize) -> String {
    format!("{count} offers found")
}

/// What stands before data that is printed already; after it comes `}`. The message needs no escapes.
pub fn envelope_start(message: &str) -> String {
    format!(r#"{{"success":true,"message":"{message}","data":"#)
}

/// 200 with a page of a list.
pub fn paged<V: Serialize>(page: Page<V>) -> Replied<Paged<V>> {
    let meta = Meta {
        page: page.request.page,
        per_page: page.request.per_page,
        total: page.total,
        total_pages: page.total_pages(),
    };
    json(StatusCode::OK, &ListEnvelope { success: true, data: page.items, meta })
}
