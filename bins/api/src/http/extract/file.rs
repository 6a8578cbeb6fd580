//! What is asked with a file that is sent as it is, and what a query says beside what is asked.

use actix_web::{HttpMessage, HttpRequest, dev::Payload, http::StatusCode};
use wayfare_domain::Faults;

use super::{Content, Extracting, collect_up_to};
use crate::http::{
    json_body::Known,
    query::{self, FromQuery},
    refusal::Refusal,
};

/// What can be read out of the text of a file.
pub trait FromFile: Sized {
    /// Under which content types it comes.
    const CONTENT_TYPES: &[&str];
    /// No such file has more bytes.
    const LONGEST: usize;

    /// What the text is.
    fn of(text: String) -> Self;
}

/// A file that is the body, to the byte.
pub struct File<T>(pub T);

impl<T: FromFile + 'static> Content for File<T> {
    fn of(request: HttpRequest, payload: Payload, _: Known) -> Extracting<Self> {
        Box::pin(async move {
            let kind = request.content_type();
            if !T::CONTENT_TYPES.iter().any(|known| known.eq_ignore_ascii_case(kind)) {
                let text = "unsupported content type";
                return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, text));
            }
            let bytes = collect_up_to(T::LONGEST, &request, payload).await?;
            let text = String::from_utf8(bytes.into());
            let text = text.map_err(|_| Faults::of("file", "must be UTF-8"))?;
            Ok(Self(T::of(text)))
        })
    }
}

/// What is asked, and what the query says beside it.
pub struct With<Q, What> {
    /// The query.
    pub query: Q,
    /// The content.
    pub what: What,
}

impl<Q: FromQuery + 'static, What: Content> Content for With<Q, What> {
    fn of(request: HttpRequest, payload: Payload, known: Known) -> Extracting<Self> {
        Box::pin(async move {
            let query = query::read(request.query_string())?;
            let what = What::of(request, payload, known).await?;
            Ok(Self { query, what })
        })
    }
}
