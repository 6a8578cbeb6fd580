//! The other end of a signed message: whether what came is from whoever knows the secret.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use chrono::{DateTime, TimeDelta, Utc};
use hmac::Mac;
use thiserror::Error;

use crate::Secret;
use crate::signature::{mac_of, signed_content};
use crate::timed_signature::MOST_SIGNATURES;

/// What came to a webhook, unproven: the texts of three headers, and the body to the byte.
#[derive(Clone, Copy, Debug)]
pub struct Received<'a> {
    /// `webhook-id`: the same at each attempt. Whoever takes a message remembers it.
    pub id: &'a str,
    /// `webhook-timestamp`.
    pub timestamp: &'a str,
    /// `webhook-signature`: one for each secret, separated by spaces.
    pub signatures: &'a str,
    /// As it came, before anybody has read it as JSON.
    pub body: &'a [u8],
}

/// Why a message may be anybody's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Unproven {
    /// It says no time, or one that is too long ago or to come.
    #[error("it was not sent just now")]
    Time,
    /// No signature is of this id, time and body under the secret.
    #[error("none of its signatures is good")]
    Signature,
}

impl Received<'_> {
    /// That it was signed with this secret, and sent no longer ago, nor later, than that. Takes as long whichever byte is wrong.
    ///
    /// # Errors
    /// [`Unproven`]: nothing of it may be believed.
    pub fn verify(&self, secret: &Secret, now: DateTime<Utc>, within: TimeDelta) -> Result<(), Unproven> {
        let seconds = self.timestamp.parse().map_err(|_| Unproven::Time)?;
        let sent_at = DateTime::from_timestamp(seconds, 0).ok_or(Unproven::Time)?;
        if (now - sent_at).abs() > within {
            return Err(Unproven::Time);
        }
        let content = signed_content(self.id, self.timestamp, self.body);
        let mac = mac_of(&secret.0, &content).ok_or(Unproven::Signature)?;
        let is_good = |signature: &str| {
            let tag = signature.strip_prefix("v1,").and_then(|tag| STANDARD.decode(tag).ok());
            tag.is_some_and(|tag| mac.clone().verify_slice(&tag).is_ok())
        };
        match self.signatures.split(' ').take(MOST_SIGNATURES).any(is_good) {
            true => Ok(()),
            false => Err(Unproven::Signature),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &[u8] = br#"{"amount":4810.50}"#;
    const WITHIN: TimeDelta = TimeDelta::seconds(300);

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_772_366_400 + seconds, 0).unwrap()
    }

    #[test]
    fn what_other_programs_sign_is_taken_and_nothing_else() {
        let secret = Secret::from_text(&Secret::new([7; 32]).to_text()).unwrap();
        let time = at(0).timestamp();
        let theirs = standardwebhooks::Webhook::new(&secret.to_text()).unwrap();
        let good = theirs.sign("m1", time, BODY).unwrap();
        let others = standardwebhooks::Webhook::new(&Secret::new([8; 32]).to_text()).unwrap();
        let bad = others.sign("m1", time, BODY).unwrap();
        let time = time.to_string();
        let whole = Received { id: "m1", timestamp: &time, signatures: &good, body: BODY };
        let (both, many) = (format!("{bad} {good}"), format!("{bad} ").repeat(8) + &good);
        let signed = Some(Unproven::Signature);
        for (received, seconds, expected) in [
            (whole, 0, None),
            (whole, 300, None),
            (whole, -300, None),
            (whole, 301, Some(Unproven::Time)),
            (whole, -301, Some(Unproven::Time)),
            (Received { timestamp: "99999999999999999", ..whole }, 0, Some(Unproven::Time)),
            (Received { timestamp: "1772366401", ..whole }, 0, signed),
            (Received { signatures: &both, ..whole }, 0, None),
            (Received { signatures: &many, ..whole }, 0, signed),
            (Received { signatures: &bad, ..whole }, 0, signed),
            (Received { signatures: &good[3..], ..whole }, 0, signed),
            (Received { signatures: &good[..20], ..whole }, 0, signed),
            (Received { signatures: "v1,é= v1,=== ,v1 v1,", ..whole }, 0, signed),
            (Received { id: "m2", ..whole }, 0, signed),
            (Received { body: b"{}", ..whole }, 0, signed),
        ] {
            let verified = received.verify(&secret, at(seconds), WITHIN);
            assert_eq!(verified.err(), expected, "{received:?} {seconds} s later");
        }
        for text in ["", "whsec_", "whsec_c2hvcnQ=", &secret.to_text()[6..], "whsec_%"] {
            assert_eq!(Secret::from_text(text), None, "{text}");
        }
    }
}
