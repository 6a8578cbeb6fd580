//! Signatures of other people's webhooks: `t=<seconds>,v1=<hex>`, HMAC-SHA-256 of the time, a point and the body.

use chrono::{DateTime, TimeDelta, Utc};
use hmac::Mac;

use crate::signature::mac_of;

/// A header with more signatures is nobody's.
pub(crate) const MOST_SIGNATURES: usize = 8;

/// What a header says, unproven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedSignature<'a> {
    /// Seconds since 1970, to the letter as it is signed.
    timestamp: &'a str,
    at: DateTime<Utc>,
    signatures: Vec<[u8; 32]>,
}

impl<'a> TimedSignature<'a> {
    /// What a header says; none where it is no such signature. What it says besides is passed over.
    pub fn read(header: &'a str) -> Option<Self> {
        let (mut timestamp, mut signatures) = (None, Vec::new());
        for part in header.split(',') {
            match part.trim().split_once('=')? {
                ("t", _) if timestamp.is_some() => return None,
                ("t", seconds) => timestamp = Some(seconds),
                ("v1", hex) => signatures.push(from_hex(hex)?),
                _ => {}
            }
        }
        let timestamp = timestamp.filter(|seconds| seconds.bytes().all(|digit| digit.is_ascii_digit()))?;
        let at = DateTime::from_timestamp(timestamp.parse().ok()?, 0)?;
        (1..=MOST_SIGNATURES).contains(&signatures.len()).then_some(Self { timestamp, at, signatures })
    }

    /// Whether one of the signatures is of this body under this secret, and no older nor newer than that. Takes as long
    /// whichever byte is wrong.
    pub fn is_good(&self, secret: &[u8], body: &[u8], now: DateTime<Utc>, within: TimeDelta) -> bool {
        if (now - self.at).abs() > within {
            return false;
        }
        let Some(mac) = mac_of(secret, &[self.timestamp.as_bytes(), b".", body]) else { return false };
        let mut signatures = self.signatures.iter();
        signatures.any(|signature| mac.clone().verify_slice(signature).is_ok())
    }
}

fn from_hex(hex: &str) -> Option<[u8; 32]> {
    let digits: &[u8; 64] = hex.as_bytes().try_into().ok()?;
    let mut bytes = [0; 32];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        let mut value = 0;
        for digit in pair {
            value = value * 16 + char::from(*digit).to_digit(16)?;
        }
        *byte = u8::try_from(value).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SECRET: &[u8] = b"VqdUDXVyGhUDdsxyF08F6g==";
    const BODY: &[u8] = br#"{"id":"wev_1","type":"ping.triggered"}"#;

    fn now() -> DateTime<Utc> {
        "2026-03-01T12:00:00Z".parse().unwrap()
    }

    fn hex(secret: &[u8], timestamp: &str, body: &[u8]) -> String {
        let mac = mac_of(secret, &[timestamp.as_bytes(), b".", body]).unwrap();
        let bytes = mac.finalize().into_bytes();
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn is_good(header: &str, body: &[u8]) -> bool {
        let within = TimeDelta::seconds(300);
        TimedSignature::read(header).is_some_and(|read| read.is_good(SECRET, body, now(), within))
    }

    /// Made with `openssl dgst -sha256 -hmac`.
    #[test]
    fn it_is_what_other_programs_sign() {
        let header = "t=1616202842,v1=1b4d60cca9e54fa100337d99b25ef20f43b2a5fcddee5a20020bfe3f07be06ee";
        let read = TimedSignature::read(header).unwrap();
        let at = DateTime::from_timestamp(1_616_202_842, 0).unwrap();
        assert!(read.is_good(SECRET, BODY, at, TimeDelta::zero()));
    }

    #[test]
    fn one_good_signature_of_several_is_enough_and_its_time_counts_either_way() {
        let second = now().timestamp();
        for (seconds, expected) in [(0, true), (300, true), (-300, true), (301, false), (-301, false)] {
            let at = (second + seconds).to_string();
            let good = hex(SECRET, &at, BODY);
            let bad = hex(b"another secret", &at, BODY);
            assert_eq!(is_good(&format!("t={at},v1={good}"), BODY), expected, "{seconds} s");
            let both = format!("t={at},v1={bad},v1={}", good.to_uppercase());
            assert_eq!(is_good(&both, BODY), expected, "{seconds} s");
            assert!(!is_good(&format!("t={at},v1={bad}"), BODY));
            assert!(!is_good(&format!("t={at},v1={good}"), b"{}"));
            assert!(!is_good(&format!("t={},v1={good}", second + seconds + 1), BODY));
        }
    }

    #[test]
    fn what_is_no_signature_is_none() {
        let at = now().timestamp();
        let good = hex(SECRET, &at.to_string(), BODY);
        for header in [
            String::new(),
            "t=1".to_owned(),
            format!("v1={good}"),
            format!("t={at},t={at},v1={good}"),
            format!("t=-{at},v1={good}"),
            format!("t={at}.5,v1={good}"),
            format!("t=99999999999999999999,v1={good}"),
            format!("t={at},v1=+{}", &good[1..]),
            format!("t={at},v1={good}0"),
            format!("t={at},v0={good}"),
            format!("t={at}{}", format!(",v1={good}").repeat(9)),
        ] {
            assert_eq!(TimedSignature::read(&header), None, "{header}");
        }
    }

    proptest! {
        #[test]
        fn no_header_and_no_body_panics_or_proves_anything(header in ".{0,200}", body in prop::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(!is_good(&header, &body));
        }

        #[test]
        fn nothing_like_a_signature_proves_anything(
            at in "[0-9]{1,20}", signature in "[0-9a-fA-F]{60,68}", body in prop::collection::vec(any::<u8>(), 0..200),
        ) {
            let header = format!("t={at},v1={signature}");
            prop_assert!(!is_good(&header, &body));
        }
    }
}
