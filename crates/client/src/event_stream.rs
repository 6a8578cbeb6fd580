//! Server-sent events, out of bytes as they come.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use futures_util::{Stream, StreamExt, stream::BoxStream};
use reqwest::Response;
use sse_stream::{Sse, SseByteStream};

use crate::{
    download::as_it_comes,
    error::{Error, Result, cause, unreadable},
};

/// How many bytes may come without an event: what is many times the longest search's answer is none.
const LONGEST: usize = 64 << 20;

/// The bytes of the answer's events, for as long as they keep coming.
pub(crate) fn as_events_come(
    response: Response,
    silence: Duration,
) -> Result<BoxStream<'static, Result<Bytes>>> {
    #[cfg(feature = "zstd")]
    if crate::call::header(response.headers(), "content-encoding") == Some("zstd") {
        let status = response.status().as_u16();
        return crate::zstd::decoded(as_it_comes(response, silence), status);
    }
    Ok(as_it_comes(response, silence))
}

/// The events in an answer of this status, up to the first error. Each byte is looked at when it comes and not again.
pub(crate) fn events(
    bytes: BoxStream<'static, Result<Bytes>>,
    status: u16,
) -> BoxStream<'static, Result<Sse>> {
    bounded(bytes, status, LONGEST).boxed()
}

fn bounded(
    bytes: impl Stream<Item = Result<Bytes>>,
    status: u16,
    longest: usize,
) -> impl Stream<Item = Result<Sse>> {
    let waiting = Arc::new(AtomicUsize::new(0));
    let counter = waiting.clone();
    let counted = bytes.map(move |bytes| {
        let bytes = bytes?;
        match counter.fetch_add(bytes.len(), Ordering::Relaxed) > longest {
            true => Err(unreadable(status, format!("no event within {longest} bytes"))),
            false => Ok(bytes),
        }
    });
    SseByteStream::new(Box::pin(counted)).map(move |event| {
        waiting.store(0, Ordering::Relaxed);
        event.map_err(|error| match error {
            sse_stream::Error::Body(error) => {
                error.downcast().map_or_else(|error| Error::CutOff { cause: cause(error) }, |error| *error)
            }
            error => unreadable(status, error.to_string()),
        })
    })
}

#[cfg(test)]
mod tests {
    use futures_util::{FutureExt, TryStreamExt, stream};
    use proptest::{collection::vec, prelude::*, sample::Index};

    use super::*;

    fn read(text: &[u8], borders: &[usize], longest: usize) -> Result<Vec<Sse>> {
        let mut borders = borders.to_vec();
        borders.extend([0, text.len()]);
        borders.sort_unstable();
        let pieces: Vec<Result<Bytes>> =
            borders.windows(2).map(|ends| Ok(Bytes::copy_from_slice(&text[ends[0]..ends[1]]))).collect();
        let events = bounded(stream::iter(pieces), 200, longest);
        events.try_collect().now_or_never().unwrap()
    }

    /// An event, how its lines end, and whether a comment is in it.
    fn written() -> impl Strategy<Value = (Sse, &'static str, bool)> {
        let name = proptest::option::of("[a-zé]{1,9}");
        let lines = vec("[^\r\n]{0,40}", 1..4);
        let end = prop_oneof![Just("\n"), Just("\r"), Just("\r\n")];
        (name, lines, end, any::<bool>()).prop_map(|(name, lines, end, has_comment)| {
            let event = Sse { event: name, data: Some(lines.join("\n")), ..Sse::default() };
            (event, end, has_comment)
        })
    }

    proptest! {
        #[test]
        fn events_come_as_they_were_sent_wherever_they_are_cut(
            is_marked in any::<bool>(),
            written in vec(written(), 0..6),
            cuts in vec(any::<Index>(), 0..40),
        ) {
            let mut text = String::from(if is_marked { "\u{feff}" } else { "" });
            for (event, end, has_comment) in &written {
                let name = event.event.iter().map(|name| format!("event: {name}"));
                let comment = has_comment.then(|| ": still there, é".to_owned());
                let data = event.data.iter().flat_map(|data| data.split('\n'));
                let data = data.map(|line| format!("data: {line}"));
                for line in name.chain(comment).chain(data).chain([String::new()]) {
                    text.push_str(&line);
                    text.push_str(end);
                }
            }
            let sent: Vec<Sse> = written.into_iter().map(|(event, ..)| event).collect();
            let borders: Vec<usize> = cuts.iter().map(|cut| cut.index(text.len() + 1)).collect();
            prop_assert_eq!(&read(text.as_bytes(), &borders, 10_000).unwrap(), &sent);
            let everywhere: Vec<usize> = (0..text.len()).collect();
            prop_assert_eq!(&read(text.as_bytes(), &everywhere, 10_000).unwrap(), &sent);
        }

        #[test]
        fn an_event_without_an_end_is_not_held(
            line in prop_oneof![Just("data: x"), Just("data: x\n"), Just("event: x\r\n"), Just("x")],
            piece in 1..50_usize,
        ) {
            let text = line.repeat(100);
            let taken = Arc::new(AtomicUsize::new(0));
            let counter = taken.clone();
            let bytes = stream::iter(text.into_bytes())
                .chunks(piece)
                .map(move |bytes| {
                    counter.fetch_add(1, Ordering::Relaxed);
                    Ok(Bytes::from(bytes))
                });
            let error = bounded(bytes, 200, 50).try_collect::<Vec<_>>().now_or_never().unwrap();
            let is_refused = matches!(error, Err(Error::Unreadable { .. }));
            prop_assert!(is_refused);
            prop_assert!(taken.load(Ordering::Relaxed) <= 50 / piece + 2);
        }
    }

    #[test]
    fn only_what_comes_without_an_event_is_counted() {
        let text = "data: 1234567890\n\n".repeat(100);
        let everywhere: Vec<usize> = (0..text.len()).collect();
        assert_eq!(read(text.as_bytes(), &everywhere, 20).unwrap().len(), 100);
    }

    #[test]
    fn what_is_no_text_is_unreadable_and_what_breaks_says_why() {
        let error = read(b"data: \xff\n\n", &[7], 100).unwrap_err();
        assert!(matches!(error, Error::Unreadable { status: 200, .. }), "{error}");
        let broken = Error::CutOff { cause: cause("the cable was cut") };
        let events = bounded(stream::iter([Err(broken)]), 200, 100);
        let error = events.try_collect::<Vec<_>>().now_or_never().unwrap();
        assert_eq!(error.unwrap_err().to_string(), "cut off before the end: the cable was cut");
    }
}
