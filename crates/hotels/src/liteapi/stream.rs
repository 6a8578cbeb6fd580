//! A search's answer in its parts: as server-sent events, or as one JSON text.

use std::borrow::Cow;
use std::str::from_utf8;

use wayfare_supply::reading::{Unreadable, trimmed};

/// What the last event of a whole stream says.
const END: &str = "[DONE]";

/// The JSON texts of an answer, decided by the body. Of events only their data count; a body of nothing has no part.
///
/// # Errors
/// When it is no text, or a stream that was not sent to its end: nobody knows what is missing of it, the hotels' names
/// at least, which come last.
pub(super) fn parts(body: &[u8]) -> Result<Vec<Cow<'_, str>>, Unreadable> {
    let text = from_utf8(trimmed(body)).map_err(Unreadable::new)?.trim_end();
    if text.is_empty() {
        return Ok(Vec::new());
    }
    if text.starts_with('{') {
        return Ok(vec![text.into()]);
    }
    let mut parts = Vec::new();
    let mut part: Option<Cow<'_, str>> = None;
    for line in lines(text) {
        match line.strip_prefix("data:").map(start) {
            Some(END) => {
                parts.extend(part);
                return Ok(parts);
            }
            // A text of several lines is one of them to each.
            Some(data) => match &mut part {
                Some(begun) => {
                    begun.to_mut().push('\n');
                    begun.to_mut().push_str(data);
                }
                None => part = Some(data.into()),
            },
            None if line.is_empty() => parts.extend(part.take()),
            // Comments, names and numbers of events.
            None => {}
        }
    }
    Err(Unreadable::new("neither JSON nor a stream that came to its end"))
}

/// Lines end with any of the three ends that events may have.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
    lines.flat_map(|line| line.split('\r'))
}

/// Data from its first token to its last, without a byte order mark.
fn start(data: &str) -> &str {
    data.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_cut_into_its_events_whatever_is_between_them() {
        for (body, expected) in [
            ("data: {\"a\":1}\n\ndata: {\"b\":2}\n\ndata: [DONE]\n\n", &["{\"a\":1}", "{\"b\":2}"][..]),
            (": hello\nevent: rates\nid: 1\ndata:{\"a\":1}\n\n\n:\n\ndata: [DONE]", &["{\"a\":1}"]),
            ("data: {\"a\":\ndata: 1}\r\n\r\ndata: [DONE]\r\n\r\n", &["{\"a\":\n1}"]),
            ("data: {}\ndata: [DONE]\n", &["{}"]),
            ("data: [DONE]\n\ndata: late\n\n", &[]),
            (" {\"data\":[]} \n", &["{\"data\":[]}"]),
            ("\u{feff}{\"data\":[]}", &["{\"data\":[]}"]),
            ("\u{feff}data: \u{feff}{\"a\":1}\n\ndata: [DONE]\n\n", &["{\"a\":1}"]),
            ("data: {\"a\":1}\r\rdata: {\"b\":2}\r\rdata: [DONE]\r", &["{\"a\":1}", "{\"b\":2}"]),
            ("data:\u{a0} {\"a\":1} \t\n\ndata: [DONE]", &["{\"a\":1}"]),
            ("", &[]),
            (" \n", &[]),
        ] {
            assert_eq!(parts(body.as_bytes()).unwrap(), expected, "{body:?}");
        }
    }

    #[test]
    fn a_stream_without_its_end_is_no_answer() {
        for body in ["data: {\"a\":1}\n\n", "data: {\"a\":1}\n\ndata: [DON", "<html>busy</html>", "[]"] {
            let reason = parts(body.as_bytes()).unwrap_err().to_string();
            assert_eq!(reason, "neither JSON nor a stream that came to its end", "{body:?}");
        }
        assert!(parts(b"data: \xff\n\ndata: [DONE]").is_err());
    }
}
