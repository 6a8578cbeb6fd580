//! The value of the header `traceparent`.

use std::fmt;

/// A trace and the call in it that others are called from: `00-<trace>-<call>-<flags>`, all in hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceParent {
    trace_id: u128,
    parent_id: u64,
    flags: u8,
}

/// Whether the caller keeps what it measures: the only flag that is known.
const SAMPLED: u8 = 1;

impl TraceParent {
    /// Reads the header's value, of this version or a later one that begins in the same way. None of what is malformed.
    pub fn read(text: &str) -> Option<Self> {
        let mut parts = text.split('-');
        let version = part(parts.next()?, 2)?;
        let trace_id = part(parts.next()?, 32)?;
        let parent_id = u64::try_from(part(parts.next()?, 16)?).ok()?;
        let flags = u8::try_from(part(parts.next()?, 2)?).ok()?;
        let is_known = match version {
            0 => parts.next().is_none(),
            0xff => false,
            _ => true,
        };
        (is_known && trace_id != 0 && parent_id != 0).then_some(Self {
            trace_id,
            parent_id,
            flags: flags & SAMPLED,
        })
    }

    /// A new one, of which nobody keeps anything but its id.
    pub(crate) fn random() -> Self {
        Self {
            // Zero is no id.
            trace_id: rand::random::<u128>().max(1),
            parent_id: rand::random::<u64>().max(1),
            flags: 0,
        }
    }

    #[cfg(feature = "otlp")]
    pub(crate) fn of(trace_id: u128, parent_id: u64, is_sampled: bool) -> Self {
        let flags = if is_sampled { SAMPLED } else { 0 };
        Self { trace_id, parent_id, flags }
    }

    /// The trace in hex: 32 digits.
    pub fn trace_id(&self) -> String {
        format!("{:032x}", self.trace_id)
    }

    #[cfg(feature = "otlp")]
    pub(crate) fn parts(&self) -> (u128, u64, bool) {
        (self.trace_id, self.parent_id, self.flags & SAMPLED != 0)
    }
}

impl fmt::Display for TraceParent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (trace_id, parent_id, flags) = (self.trace_id, self.parent_id, self.flags);
        write!(f, "00-{trace_id:032x}-{parent_id:016x}-{flags:02x}")
    }
}

/// So many digits of hex, in lower case.
fn part(text: &str, digits: usize) -> Option<u128> {
    let is_hex = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    (text.len() == digits && is_hex).then_some(())?;
    u128::from_str_radix(text, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";

    #[test]
    fn what_is_well_formed_is_read_and_written_again() {
        for (given, written) in [
            (format!("00-{TRACE}-b7ad6b7169203331-01"), None),
            (format!("00-{TRACE}-b7ad6b7169203331-00"), None),
            // Flags that nobody knows are not passed on.
            (format!("00-{TRACE}-b7ad6b7169203331-ff"), Some(format!("00-{TRACE}-b7ad6b7169203331-01"))),
            // Of a later version its beginning counts.
            (
                format!("cc-{TRACE}-b7ad6b7169203331-01-what-comes"),
                Some(format!("00-{TRACE}-b7ad6b7169203331-01")),
            ),
        ] {
            let read = TraceParent::read(&given).unwrap();
            assert_eq!(read.to_string(), written.unwrap_or(given));
            assert_eq!(read.trace_id(), TRACE);
        }
    }

    #[test]
    fn what_is_malformed_is_no_trace() {
        let zeros = "0".repeat(32);
        for text in [
            "",
            "00",
            "hello",
            TRACE,
            &format!("00-{TRACE}-b7ad6b7169203331"),
            &format!("00-{TRACE}-b7ad6b7169203331-01-more"),
            &format!("ff-{TRACE}-b7ad6b7169203331-01"),
            &format!("00-{}-b7ad6b7169203331-01", TRACE.to_uppercase()),
            &format!("00-{zeros}-b7ad6b7169203331-01"),
            &format!("00-{TRACE}-0000000000000000-01"),
            &format!("00-{TRACE}0-b7ad6b7169203331-01"),
            &format!("00-{TRACE}-b7ad6b716920333-01"),
            &format!("00-{TRACE}-b7ad6b7169203331-1"),
            &format!("00-{TRACE}-b7ad6b7169203331-+1"),
            &format!(" 00-{TRACE}-b7ad6b7169203331-01"),
            &format!("00-{TRACE}-b7ad6b716920333é-01"),
        ] {
            assert_eq!(TraceParent::read(text), None, "{text}");
        }
    }
}
