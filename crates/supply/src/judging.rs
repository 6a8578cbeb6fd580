//! What adapters share where they judge an answer that is not the one asked for.

use reqwest::StatusCode;

use crate::{Answer, Outage, OutageKind, plain_text};

/// An error's text is cut here: it is for people.
pub const LONGEST_TEXT: usize = 500;

/// So many lines say why parts of an answer could not be used.
const MOST_COMPLAINTS: usize = 20;

/// Whether the supplier turns away whoever has our credentials.
pub fn is_about_credentials(status: StatusCode) -> bool {
    matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN)
}

/// The supplier turned us away before it looked.
pub fn credentials_refused<T>() -> Answer<T> {
    let reason = "the supplier refuses our credentials";
    Answer::Unavailable(Outage::of(OutageKind::Credentials, reason))
}

/// Our account with the supplier can't pay: nothing was done there. Nobody but the operator is told of that account, so the
/// supplier's own words go no further than the log.
pub fn deposit_empty<T>(words: &str) -> Answer<T> {
    tracing::error!(words, "our account with a supplier can't pay");
    let reason = "the supplier can't sell for now";
    Answer::Unavailable(Outage::of(OutageKind::Deposit, reason))
}

/// The supplier turned us away since we ask too often.
pub fn rate_limiting<T>() -> Answer<T> {
    Answer::Unavailable(Outage::of(OutageKind::Busy, "the supplier is rate limiting"))
}

/// The text as people read it and as far as it is shown, without the secret.
pub fn hidden(text: &str, secret: &str) -> String {
    let text = if secret.is_empty() { text.to_owned() } else { text.replace(secret, "***") };
    plain_text::text(&text).chars().take(LONGEST_TEXT).collect()
}

/// Only the first lines of what could not be used, and how many more there were: they are for people.
pub fn few_complaints(mut unusable: Vec<String>) -> Vec<String> {
    let more = unusable.len().saturating_sub(MOST_COMPLAINTS);
    if more > 0 {
        unusable.truncate(MOST_COMPLAINTS);
        unusable.push(format!("and {more} more"));
    }
    unusable
}
