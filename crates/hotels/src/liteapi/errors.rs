//! Their errors judged: what an answer that is not the one asked for means for us.
//!
//! LiteAPI tells an error by the code in its body, whatever the HTTP status is, so that the body is judged first. 304 and
//! 204 are codes of that kind as well, and come as HTTP statuses without a body. Of an effect only those codes are a
//! refusal that say that no booking was made or changed; after any other nobody knows.

use wayfare_supply::judging::{credentials_refused, hidden, is_about_credentials, rate_limiting};
use wayfare_supply::reading::{distinct, parse_if};
use wayfare_supply::{Answer, Exchange, Outage, Purpose, Refusal, RefusalKind, StatusCode};

use super::wire::{Error, Failure};

const NO_SUCH_BOOKING: i64 = 204;
const NOT_CARRIED_OUT: i64 = 304;
const NO_AVAILABILITY: i64 = 2001;
const NOT_CONFIRMED: i64 = 2010;
const BOOKING_FAILED: i64 = 2013;
const BAD_REQUEST: i64 = 4000;
const WRONG_FIELD: i64 = 4002;
/// Of a reference that was booked with before.
const DUPLICATE: i64 = 4005;
const WRONG_RATE: i64 = 4010;
const PREBOOK_TIMEOUT: i64 = 4016;
const OUTDATED_OFFER: i64 = 4040;
const RATE_LIMIT: i64 = 4290;

/// What was asked, as far as it matters for the meaning of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Call {
    /// What hotels there are, and sell; or what cancelling a booking would cost.
    Read,
    /// What hotels are, without which they can be sold as well.
    Facts,
    /// About an offer, and changes nothing that matters.
    Offer,
    /// Whether a booking is there.
    Lookup,
    /// A booking to be made: an effect.
    Book,
    /// A booking to be given back: an effect.
    Cancel,
}

impl Call {
    pub fn purpose(self) -> Purpose {
        match self {
            Self::Read | Self::Offer => Purpose::Question,
            Self::Facts => Purpose::BestEffort,
            Self::Lookup => Purpose::LookUp,
            Self::Book | Self::Cancel => Purpose::Effect,
        }
    }
}

/// The body of a success, or what the failure means. `key` never shows in a text.
pub(super) fn judge(exchange: Exchange, call: Call, key: &str) -> Answer<Vec<u8>> {
    let Exchange { status, body } = exchange;
    if is_about_credentials(status) {
        return credentials_refused();
    }
    if let Some(theirs) = parse_if::<Failure>(&body) {
        return failed(&theirs.error, call, key);
    }
    match status {
        StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED => {
            let code = Some(i64::from(status.as_u16()));
            failed(&Error { code, ..Error::default() }, call, key)
        }
        _ if status.is_success() => Answer::Done(body),
        _ => Answer::Unknown(format!("the supplier answered {status} in words that are not its own")),
    }
}

/// Whether it says that a booking was made with this reference before.
pub(super) fn says_duplicate(exchange: &Exchange) -> bool {
    parse_if::<Failure>(&exchange.body).is_some_and(|theirs| theirs.error.code == Some(DUPLICATE))
}

/// Whether it says that the booking was not made since the way to pay was not taken.
pub(super) fn says_unpaid(exchange: &Exchange) -> bool {
    let theirs = parse_if::<Failure>(&exchange.body);
    theirs
        .is_some_and(|theirs| theirs.error.code == Some(BAD_REQUEST) && says(&theirs.error, "payment method"))
}

fn failed(error: &Error, call: Call, key: &str) -> Answer<Vec<u8>> {
    let text = text(error, key);
    let code = error.code.unwrap_or_default();
    let kind = match (call, code) {
        (_, 401 | 403) => return credentials_refused(),
        (_, 429 | RATE_LIMIT) => return rate_limiting(),
        // It read the offer again, or not: neither matters.
        (Call::Offer, PREBOOK_TIMEOUT) => return Answer::Unavailable(Outage::new(text)),
        (_, 500..=599 | 5000..=5999) => return Answer::Unknown(text),
        (Call::Book, BOOKING_FAILED) if !says(error, "not confirmed") => return Answer::Unknown(text),
        (Call::Book | Call::Offer, OUTDATED_OFFER) => RefusalKind::Expired,
        // A price that they no longer know, and they keep it for a short time only.
        (Call::Book, WRONG_FIELD) if says(error, "prebookid") => RefusalKind::Expired,
        (Call::Book, WRONG_FIELD) if says(error, "guest") || says(error, "holder") => RefusalKind::Traveller,
        (Call::Book | Call::Offer | Call::Read, NO_AVAILABILITY) => RefusalKind::Gone,
        (Call::Offer, BAD_REQUEST | WRONG_FIELD) if says(error, "offerid") => RefusalKind::Gone,
        (Call::Lookup | Call::Read, NO_SUCH_BOOKING) => RefusalKind::Gone,
        (Call::Read, BAD_REQUEST | WRONG_FIELD) if says(error, "hotel") => RefusalKind::Gone,
        (Call::Read | Call::Offer, DUPLICATE) => RefusalKind::Duplicate,
        (Call::Cancel, NOT_CARRIED_OUT) => RefusalKind::NotChangeable,
        (Call::Book, NOT_CONFIRMED | BOOKING_FAILED | BAD_REQUEST | WRONG_FIELD | WRONG_RATE)
        | (Call::Cancel, NO_SUCH_BOOKING | BAD_REQUEST | WRONG_FIELD)
        | (Call::Read | Call::Facts | Call::Offer | Call::Lookup, _) => RefusalKind::Other,
        (Call::Book | Call::Cancel, _) => return Answer::Unknown(text),
    };
    let code = error.code.map(|code| code.to_string());
    Answer::Refused(Refusal::of(kind, text).with_code(code))
}

/// Whether the error has this word, in small letters here.
fn says(error: &Error, word: &str) -> bool {
    let texts = [&error.message, &error.description];
    texts.into_iter().flatten().any(|text| text.to_ascii_lowercase().contains(word))
}

/// What it says, in one line.
fn text(error: &Error, key: &str) -> String {
    let texts = [&error.message, &error.description].into_iter().flatten();
    let texts = distinct(texts.map(|text| text.trim()));
    let unsaid = match error.code {
        Some(NO_SUCH_BOOKING) => "nothing found",
        Some(NOT_CARRIED_OUT) => "unable to process request",
        _ => "refused without a reason",
    };
    let line = if texts.is_empty() { unsaid.to_owned() } else { texts.join(": ") };
    hidden(&line.replace(char::is_control, " "), key)
}

/// What the supplier has none of is none; every other end as it is.
pub(super) fn none_if_gone<T>(answer: Answer<T>) -> Answer<Option<T>> {
    match answer {
        Answer::Refused(Refusal { kind: RefusalKind::Gone, .. }) => Answer::Done(None),
        answer => answer.map(Some),
    }
}

#[cfg(test)]
mod tests {
    use wayfare_supply::judging::LONGEST_TEXT;

    use super::*;

    fn judged(status: u16, body: &str, call: Call) -> Answer<Vec<u8>> {
        let status = StatusCode::from_u16(status).unwrap();
        let body = body.as_bytes().to_vec();
        judge(Exchange { status, body }, call, "key_secret")
    }

    fn error(code: i64, description: &str) -> String {
        format!(r#"{{"error":{{"code":{code},"message":"m","description":"{description}"}}}}"#)
    }

    /// The kind of a refusal, `done`, `outage` or `?`.
    fn word(answer: &Answer<Vec<u8>>) -> String {
        match answer {
            Answer::Done(_) => "done".to_owned(),
            Answer::Refused(refusal) => format!("{:?}", refusal.kind),
            Answer::Unavailable(_) => "outage".to_owned(),
            Answer::Unknown(_) => "?".to_owned(),
        }
    }

    #[test]
    fn the_code_decides_whatever_the_status_is() {
        for (call, code, description, expected) in [
            (Call::Read, 2001, "", "Gone"),
            (Call::Read, 204, "", "Gone"),
            (Call::Read, 4000, "hotel ids not found", "Gone"),
            (Call::Read, 4002, "hotelId is missing or invalid", "Gone"),
            (Call::Read, 4002, "currency is missing", "Other"),
            (Call::Read, 5000, "", "?"),
            (Call::Offer, 4040, "outdated offerId", "Expired"),
            (Call::Offer, 4002, "invalid offerId", "Gone"),
            (Call::Offer, 4002, "usePaymentSdk", "Other"),
            (Call::Offer, 4016, "", "outage"),
            (Call::Offer, 2001, "", "Gone"),
            (Call::Offer, 9999, "", "Other"),
            (Call::Lookup, 204, "", "Gone"),
            (Call::Lookup, 4000, "", "Other"),
            (Call::Book, 2010, "", "Other"),
            (Call::Book, 2013, "booking not confirmed", "Other"),
            (Call::Book, 2013, "provider booking response is invalid", "?"),
            (Call::Book, 2014, "", "?"),
            (Call::Book, 4005, "", "?"),
            (Call::Book, 4016, "", "?"),
            (Call::Book, 4002, "invalid prebookId, rate not found", "Expired"),
            (Call::Book, 4002, "missing guests", "Traveller"),
            (Call::Offer, 4005, "", "Duplicate"),
            (Call::Book, 4010, "", "Other"),
            (Call::Book, 4040, "", "Expired"),
            (Call::Book, 2001, "", "Gone"),
            (Call::Book, 5000, "", "?"),
            (Call::Book, 204, "", "?"),
            (Call::Book, 9999, "", "?"),
            (Call::Cancel, 304, "", "NotChangeable"),
            (Call::Cancel, 204, "", "Other"),
            (Call::Cancel, 2013, "not confirmed", "?"),
            (Call::Cancel, 5000, "", "?"),
            (Call::Book, 401, "", "outage"),
            (Call::Cancel, 429, "", "outage"),
            (Call::Book, 4290, "", "outage"),
        ] {
            for status in [200, 400, 404, 408] {
                let answer = judged(status, &error(code, description), call);
                assert_eq!(word(&answer), expected, "{call:?} {code} {description} {status}");
            }
        }
    }

    #[test]
    fn a_status_without_a_body_is_a_code_as_well() {
        for (status, body, call, expected) in [
            (204, "", Call::Lookup, "Gone"),
            (204, "", Call::Cancel, "Other"),
            (304, "", Call::Cancel, "NotChangeable"),
            (204, "", Call::Book, "?"),
            (304, "", Call::Book, "?"),
            (200, "{}", Call::Book, "done"),
            (200, r#"{"data":{},"error":null}"#, Call::Book, "done"),
            (400, "{}", Call::Book, "?"),
            (404, "<h1>no</h1>", Call::Lookup, "?"),
            (302, "", Call::Book, "?"),
            (401, "<h1>no</h1>", Call::Book, "outage"),
            (403, "", Call::Cancel, "outage"),
        ] {
            assert_eq!(word(&judged(status, body, call)), expected, "{status} {body} {call:?}");
        }
    }

    #[test]
    fn a_text_is_one_line_and_short_and_never_shows_the_key() {
        let coded = |kind, code: &str, text: &str| {
            Answer::Refused(Refusal::of(kind, text).with_code(Some(code.to_owned())))
        };
        let refused = |code, text| coded(RefusalKind::Other, code, text);
        let body = r#"{"error":{"code":4000,"message":"bad\nrequest","description":"key_secret is wrong"}}"#;
        assert_eq!(judged(400, body, Call::Book), refused("4000", "bad request: *** is wrong"));
        let body = r#"{"error":{"code":2010,"message":"same","description":"same"}}"#;
        assert_eq!(judged(400, body, Call::Book), refused("2010", "same"));
        assert_eq!(
            judged(304, "", Call::Cancel),
            coded(RefusalKind::NotChangeable, "304", "unable to process request")
        );
        let body = format!(r#"{{"error":{{"code":4000,"message":"{}"}}}}"#, "z".repeat(10_000));
        let answer = judged(400, &body, Call::Read);
        assert!(answer.problem().is_some_and(|text| text.len() == LONGEST_TEXT));
    }
}
