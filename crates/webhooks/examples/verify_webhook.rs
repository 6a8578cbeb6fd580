//! Whether what comes to a webhook is from whom it should be: as it was sent, altered, late, and while a secret is rotated.

use std::{error::Error, slice::from_ref};

use chrono::{DateTime, TimeDelta, Utc};
use wayfare_webhooks::{Message, Received, Secret};

/// Older ones may have been recorded by somebody who sends them again.
const WITHIN: TimeDelta = TimeDelta::minutes(5);

fn main() -> Result<(), Box<dyn Error>> {
    // As it is shown when the webhook is made, and once more when its secret is rotated.
    let text = Secret::new([7; 32]).to_text();
    let secret = Secret::from_text(&text).ok_or("this is no secret")?;
    let next = Secret::new([8; 32]);

    // What a sender does. For a while after a rotation it signs with both secrets.
    let sent_at: DateTime<Utc> = "2026-03-01T12:00:00Z".parse()?;
    let message = Message {
        id: "0198c0de-0000-7000-8000-000000000001",
        at: sent_at,
        body: r#"{"type":"booking.confirmed","data":{"booking_ref":"FA-7K2M9Q4X"}}"#,
        secrets: from_ref(&secret),
    };
    let rotated = Message { secrets: &[next.clone(), secret.clone()], ..message };

    // What a receiver has: three headers, and the body to the byte, before anything has read it as JSON.
    let timestamp = message.timestamp();
    let (signatures, both) = (message.signatures(), rotated.signatures());
    let later = Message { secrets: from_ref(&next), ..message }.signatures();
    let received = Received {
        id: message.id,
        timestamp: &timestamp,
        signatures: &signatures,
        body: message.body.as_bytes(),
    };
    let altered = message.body.replace("FA-7K2M9Q4X", "FA-AAAAAAAA");
    let soon = sent_at + TimeDelta::seconds(2);
    for (what, received, secret, now) in [
        ("as it was sent", received, &secret, soon),
        ("an altered body", Received { body: altered.as_bytes(), ..received }, &secret, soon),
        ("ten minutes later", received, &secret, sent_at + TimeDelta::minutes(10)),
        ("rotated, verified with the old secret", Received { signatures: &both, ..received }, &secret, soon),
        ("rotated, verified with the new one", Received { signatures: &both, ..received }, &next, soon),
        ("a day on, with the old one", Received { signatures: &later, ..received }, &secret, soon),
    ] {
        match received.verify(secret, now, WITHIN) {
            // It may come again: an id that was taken before is answered, and not worked on.
            Ok(()) => println!("{what}: taken"),
            Err(unproven) => println!("{what}: {unproven}"),
        }
    }
    Ok(())
}
