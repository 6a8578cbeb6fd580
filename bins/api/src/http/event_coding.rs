//! Event streams in a content coding for those who ask for one.

use std::{future::poll_fn, io, pin::Pin, sync::Arc};

use actix_web::{
    body::{BodyStream, BoxBody, EitherBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::header::{
        ACCEPT_ENCODING, AcceptEncoding, CONTENT_ENCODING, CONTENT_TYPE, ContentEncoding, Encoding, Header,
        HeaderValue, Preference, Quality, VARY,
    },
    middleware::Next,
    web::{Bytes, Data},
};
use futures_util::{Stream, stream};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    task::yield_now,
};
use wayfare_search_response::encoder::{self, Encoder};

/// How the paths of all event streams end.
const STREAMS: &str = "/stream";
const EVENTS: &str = "text/event-stream";
/// One permit is for so many bytes.
const PERMIT: usize = 1024;

/// A content coding of event streams.
struct Coding {
    name: ContentEncoding,
    /// How much memory its encoder takes at most.
    memory: usize,
    encoder: fn() -> io::Result<Box<dyn Encoder>>,
}

/// The better one first.
static CODINGS: [Coding; 2] = [
    Coding { name: ContentEncoding::Zstd, memory: encoder::ZSTD_MEMORY, encoder: encoder::zstd },
    Coding { name: ContentEncoding::Brotli, memory: encoder::BROTLI_MEMORY, encoder: encoder::brotli },
];

/// The coding that is asked for, if any (RFC 9110, 12.5.3). What is not named, nor meant by `*`, is not asked for.
fn asked_for(accepted: &AcceptEncoding) -> Option<&'static Coding> {
    let weight = |name: ContentEncoding| {
        let of = |wanted: Preference<Encoding>| accepted.iter().find(|item| item.item == wanted);
        of(Preference::Specific(Encoding::Known(name)))
            .or_else(|| of(Preference::Any))
            .map_or(Quality::ZERO, |item| item.quality)
    };
    let weighed = CODINGS.iter().map(|coding| (weight(coding.name), coding));
    let (most, best) = weighed.reduce(|best, next| if next.0 > best.0 { next } else { best })?;
    (most > Quality::ZERO && most >= weight(ContentEncoding::Identity)).then_some(best)
}

/// The encoders of one server, within a bound of memory.
#[derive(Clone, Debug)]
pub struct EventEncoders {
    memory: Arc<Semaphore>,
}

impl EventEncoders {
    /// As many as so many bytes are enough for.
    pub fn within(bytes: usize) -> Self {
        Self { memory: Arc::new(Semaphore::new((bytes / PERMIT).min(Semaphore::MAX_PERMITS))) }
    }

    /// None while those that there are take all memory.
    fn begin(&self, coding: &Coding) -> Option<(Box<dyn Encoder>, OwnedSemaphorePermit)> {
        let permits = u32::try_from(coding.memory / PERMIT).ok()?;
        let permit = self.memory.clone().try_acquire_many_owned(permits).ok()?;
        let mut encoder = (coding.encoder)().ok()?;
        // What it needs is made while suppliers are waited for, not when the first of them has answered.
        encoder.flush().ok()?;
        Some((encoder, permit))
    }
}

/// Middleware, around the one that compresses other answers: codes event streams.
///
/// # Errors
/// What the service behind it returns.
pub async fn code(
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<EitherBody<impl MessageBody, BoxBody>>, actix_web::Error> {
    let may_stream = request.path().ends_with(STREAMS);
    let accepted = AcceptEncoding::parse(&request).ok().filter(|_| may_stream);
    let coding = accepted.as_ref().and_then(asked_for);
    if coding.is_some() {
        // The middleware inside knows neither, and refuses who takes nothing else.
        request.headers_mut().remove(ACCEPT_ENCODING);
    }
    let encoders = request.app_data::<Data<EventEncoders>>().cloned();
    let mut response = next.call(request).await?;
    if response.headers().get(CONTENT_TYPE).is_none_or(|kind| kind != EVENTS) {
        return Ok(response.map_into_left_body());
    }
    let headers = response.headers_mut();
    headers.append(VARY, HeaderValue::from_static("accept-encoding"));
    // Which kept the other middleware from it. Nobody needs to be told.
    headers.remove(CONTENT_ENCODING);
    let begun = coding.zip(encoders).and_then(|(coding, encoders)| Some((coding, encoders.begin(coding)?)));
    let Some((coding, (encoder, _permit))) = begun else { return Ok(response.map_into_left_body()) };
    headers.insert(CONTENT_ENCODING, coding.name.to_header_value());
    Ok(response.map_body(|_, body| {
        let coded = Coded { body: Box::pin(body), encoder: Some(encoder), _permit };
        EitherBody::right(BoxBody::new(BodyStream::new(coded.stream())))
    }))
}

/// A stream while it is coded.
struct Coded<B> {
    body: Pin<Box<B>>,
    /// None at its end.
    encoder: Option<Box<dyn Encoder>>,
    _permit: OwnedSemaphorePermit,
}

impl<B: MessageBody> Coded<B> {
    fn stream(self) -> impl Stream<Item = Result<Bytes, Box<dyn std::error::Error>>> {
        stream::try_unfold(self, async |mut coded| {
            let bytes = coded.next().await?;
            Ok(bytes.map(|bytes| (bytes, coded)))
        })
    }

    /// The next bytes. The coding of a stream that breaks has no end, which who reads it can tell.
    async fn next(&mut self) -> Result<Option<Bytes>, Box<dyn std::error::Error>> {
        loop {
            let Some(encoder) = &mut self.encoder else { return Ok(None) };
            let Some(chunk) = poll_fn(|context| self.body.as_mut().poll_next(context)).await else {
                let end = self.encoder.take().map(Encoder::finish).transpose()?;
                return Ok(end.map(Bytes::from));
            };
            let chunk = chunk.map_err(Into::<Box<dyn std::error::Error>>::into)?;
            encoder.write(&chunk)?;
            // An empty line is the end of an event or a comment, and stands nowhere else.
            if chunk.ends_with(b"\n\n") {
                encoder.flush()?;
            } else {
                // What repeats comes to so little that all chunks would be coded before any is sent: others who are served
                // by the same thread come in between.
                yield_now().await;
            }
            let out = encoder.take();
            if !out.is_empty() {
                return Ok(Some(out.into()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use wayfare_stub_server::Decoder;

    use super::*;

    #[tokio::test]
    async fn what_is_coded_is_what_came_and_what_repeats_is_said_once() {
        let numbers = (1..20_000_u32).map(|number| format!("{:x},", number.wrapping_mul(2_654_435_761)));
        let data: Vec<Bytes> =
            numbers.collect::<String>().into_bytes().chunks(96 * 1024).map(Bytes::copy_from_slice).collect();
        let ends = ["data: {", "}\n\n", ": keep-alive\n\n"].map(Bytes::from);
        let event = [&ends[..1], &data, &ends[1..]].concat();
        for coding in &CODINGS {
            let chunks = [&ends[2..], &event, &event, &event].concat();
            let body = BodyStream::new(stream::iter(chunks.clone().into_iter().map(Ok::<_, Infallible>)));
            let (encoder, _permit) = EventEncoders::within(coding.memory).begin(coding).unwrap();
            let mut coded = Coded { body: Box::pin(body), encoder: Some(encoder), _permit };
            let mut out = Vec::new();
            while let Some(bytes) = coded.next().await.unwrap() {
                out.extend_from_slice(&bytes);
            }
            let mut decoder = Decoder::of(coding.name.to_header_value().to_str().ok());
            assert!(decoder.decode(&out) == chunks.concat(), "{}", coding.name.as_str());
            assert!(out.len() < event.concat().len(), "{}: {}", coding.name.as_str(), out.len());
        }
    }
}
