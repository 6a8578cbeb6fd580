//! Their errors judged: what an answer that is not the one asked for means for us.
//!
//! Hotelbeds names five families of errors by how their codes begin; what follows is the call's own. Product errors come
//! with HTTP 500, and of a booking that ends in one the documentation says that it can't be confirmed. The exception is
//! "booking confirmation error", which names a booking: it is looked up, not believed. 429 is judged already where it
//! arrives ([`wayfare_supply::SupplierHttp::send`]).

use wayfare_supply::judging::{LONGEST_TEXT, deposit_empty, is_about_credentials};
use wayfare_supply::reading::{Unreadable, parse_if};
use wayfare_supply::{Answer, Exchange, Outage, OutageKind, Purpose, Refusal, RefusalKind, StatusCode};

use super::credentials::Credentials;
use super::wire::{Complaint, Failure};

/// Words after which an effect may stand all the same: what was done already may be our doing, and of what failed
/// midway nobody knows.
const DOUBTS: [&str; 9] = [
    "booking confirmation error",
    "already",
    "duplicate",
    "in progress",
    "locked",
    "timeout",
    "time out",
    "timed out",
    "try again later",
];

/// Words that say that a cancellation can't be, as clients of the API know them.
const NOT_CANCELLABLE: [&str; 4] =
    ["cannot cancel", "does not allow cancellation", "cannot be amended", "cannot be cancelled"];

/// Words that say that it is too late to give a booking back.
const TOO_LATE: [&str; 2] = ["after the check-in", "too late"];

/// Words by which an error of our account says that it can't pay.
const NO_CREDIT: [&str; 4] = ["credit", "deposit", "balance", "funds"];

/// Words that say that it is who sleeps there that is not accepted.
const GUESTS: [&str; 4] = ["pax", "holder", "surname", "guest"];

/// Words that say that it is the booking that is not there.
const NO_BOOKING: [&str; 3] = ["booking does not exist", "reservation does not exist", "booking not found"];

/// What was asked, as far as it matters for the meaning of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Call {
    /// Something that changes nothing and is about no rate.
    Read,
    /// What can be done without: what hotels and places are.
    Content,
    /// Whether a booking is there.
    Lookup,
    /// About a rate, and changes nothing.
    Rate,
    /// A booking to be made: an effect.
    Book,
    /// A booking to be given back: an effect.
    Cancel,
}

impl Call {
    pub fn purpose(self) -> Purpose {
        match self {
            Self::Read | Self::Rate => Purpose::Question,
            Self::Content => Purpose::BestEffort,
            Self::Lookup => Purpose::LookUp,
            Self::Book | Self::Cancel => Purpose::Effect,
        }
    }
}

/// The families of their errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    /// What was sent can't be, or is not there.
    Invalid,
    /// The hotel, its supplier or its contract with Hotelbeds doesn't allow it.
    Product,
    /// Our account doesn't allow it.
    Configuration,
    /// They failed, or a word that we don't know.
    System,
}

impl Family {
    fn of(code: &str) -> Self {
        let begins = |word| code.starts_with(word);
        if begins("INVALID_DATA") || begins("INVALID_REQUEST") {
            Self::Invalid
        } else if begins("PRODUCT_ERROR") {
            Self::Product
        } else if begins("CONFIGURATION_ERROR") {
            Self::Configuration
        } else {
            Self::System
        }
    }
}

/// What was asked for, or what its absence means. Neither key nor secret shows in a text.
pub(super) fn judge<T>(
    exchange: &Exchange,
    call: Call,
    credentials: &Credentials,
    read: impl FnOnce(&[u8]) -> Result<T, Unreadable>,
) -> Answer<T> {
    let Exchange { status, body } = exchange;
    let unreadable = if status.is_success() {
        match read(body) {
            Ok(content) => return Answer::Done(content),
            Err(unreadable) => Answer::unreadable(unreadable),
        }
    } else {
        Answer::Unknown(format!("the supplier answered {status} in words that are not its own"))
    };
    let answer = match parse_if::<Failure>(body) {
        Some(Failure { error: Complaint::Theirs { code, message } }) => {
            theirs(&code, message.as_deref().unwrap_or_default(), *status, call)
        }
        Some(Failure { error: Complaint::Gateway(text) }) => gateway(&text, *status),
        None if is_about_credentials(*status) => no_entry(""),
        None => unreadable,
    };
    with_texts(answer, |text| one_line(&credentials.hide(text)))
}

/// Whether an answer says itself that nothing came of it.
pub(super) fn tells_failure(body: &[u8]) -> bool {
    parse_if::<Failure>(body).is_some()
}

fn theirs<T>(code: &str, message: &str, status: StatusCode, call: Call) -> Answer<T> {
    let text = [message, code, "refused without a reason"]
        .into_iter()
        .find(|text| !text.trim().is_empty())
        .unwrap_or_default();
    if is_about_credentials(status) {
        return no_entry(text);
    }
    let said = text.to_ascii_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| said.contains(word));
    let is_effect = call.purpose() == Purpose::Effect;
    let is_documented = status.is_client_error() || status == StatusCode::INTERNAL_SERVER_ERROR;
    if is_effect && (says(&DOUBTS) || !is_documented) {
        return Answer::Unknown(text.to_owned());
    }
    match Family::of(code) {
        Family::System => Answer::Unknown(text.to_owned()),
        Family::Configuration if says(&NO_CREDIT) => deposit_empty(&one_line(text)),
        Family::Configuration => Answer::Unavailable(Outage::of(OutageKind::Credentials, text)),
        // What they say of product errors they say of bookings.
        Family::Product if call == Call::Cancel && !says(&NOT_CANCELLABLE) && !says(&NO_BOOKING) => {
            Answer::Unknown(text.to_owned())
        }
        Family::Product | Family::Invalid => {
            // What follows is the call's own.
            let family = code.split('-').next().unwrap_or_default();
            Answer::Refused(Refusal::of(kind(&says, call), text).with_code(Some(family.to_owned())))
        }
    }
}

fn kind(says: &impl Fn(&[&str]) -> bool, call: Call) -> RefusalKind {
    let sold_out = [
        "allotment",
        "stop sales",
        "not available",
        "no longer available",
        "release violated",
        "minimum stay",
        "contract is closed",
        "sold out",
    ];
    match call {
        Call::Lookup if says(&NO_BOOKING) => RefusalKind::Gone,
        Call::Cancel if says(&TOO_LATE) => RefusalKind::TooLate,
        Call::Cancel if says(&NOT_CANCELLABLE) => RefusalKind::NotChangeable,
        Call::Read | Call::Content | Call::Lookup | Call::Cancel => RefusalKind::Other,
        Call::Rate | Call::Book => {
            if says(&["ratekey"]) && says(&["expired", "does not exist", "not found"]) {
                RefusalKind::Expired
            } else if says(&["price has changed", "price has increased"]) {
                RefusalKind::PriceChanged
            } else if says(&sold_out) {
                RefusalKind::Gone
            } else if says(&["duplicate"]) {
                RefusalKind::Duplicate
            } else if says(&GUESTS) {
                RefusalKind::Traveller
            } else {
                RefusalKind::Other
            }
        }
    }
}

/// The gateway speaks before Hotelbeds looks at anything, yet of what it passed on it says as little.
fn gateway<T>(text: &str, status: StatusCode) -> Answer<T> {
    if is_about_credentials(status) {
        no_entry(text)
    } else {
        Answer::Unknown(format!("the supplier answered {status}: {text}"))
    }
}

/// 403 is said of keys that are wrong, and of those that have asked too often today or this second.
fn no_entry<T>(text: &str) -> Answer<T> {
    let said = text.to_ascii_lowercase();
    let is_quota = ["over rate", "over qps", "quota", "limit"].iter().any(|word| said.contains(word));
    Answer::Unavailable(if is_quota {
        let reason = "the supplier takes no more calls with our key for now";
        Outage::of(OutageKind::Busy, reason)
    } else {
        Outage::of(OutageKind::Credentials, "the supplier refuses our credentials")
    })
}

fn with_texts<T>(answer: Answer<T>, change: impl Fn(&str) -> String) -> Answer<T> {
    match answer {
        Answer::Refused(mut refusal) => {
            refusal.text = change(&refusal.text);
            Answer::Refused(refusal)
        }
        Answer::Unavailable(mut outage) => {
            outage.reason = change(&outage.reason);
            Answer::Unavailable(outage)
        }
        Answer::Unknown(reason) => Answer::Unknown(change(&reason)),
        done => done,
    }
}

fn one_line(text: &str) -> String {
    text.trim().replace(char::is_control, " ").chars().take(LONGEST_TEXT).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(status: u16, body: &str, call: Call) -> Answer<&'static str> {
        let exchange =
            Exchange { status: StatusCode::from_u16(status).unwrap(), body: body.as_bytes().to_vec() };
        let credentials = Credentials::of(&"hb_key:hb_secret".to_owned().into()).unwrap();
        judge(&exchange, call, &credentials, |body| match body {
            b"good" => Ok("good"),
            _ => Err(Unreadable::new("no hb_key and no hb_secret in it")),
        })
    }

    fn error(code: &str, message: &str) -> String {
        format!(
            r#"{{"auditData":{{"token":"A7"}},"error":{{"code":"{code}-0DE456A558FA420B","message":"{message}"}}}}"#
        )
    }

    /// `refused` of a kind, `outage` or `unknown`.
    fn word(answer: &Answer<&str>) -> String {
        match answer {
            Answer::Done(_) => "done".to_owned(),
            Answer::Refused(refusal) => format!("{:?}", refusal.kind),
            Answer::Unavailable(outage) if outage.kind == OutageKind::Deposit => "deposit".to_owned(),
            Answer::Unavailable(_) => "outage".to_owned(),
            Answer::Unknown(_) => "unknown".to_owned(),
        }
    }

    /// Errors, and how a question about a rate, a booking, a cancellation and a look-up end with them.
    const MEANINGS: &str = "\
400 INVALID_DATA        | Expired      Expired      Other        Other        | Invalid rateKey: The rateKey value that you have entered does not exist or it has expired
400 INVALID_DATA        | Other        Other        Other        Other        | Error at property stay
400 INVALID_REQUEST     | Other        Other        Other        Other        | Unrecognized token
410 INVALID_DATA        | Gone         Gone         Other        Other        | Insufficient allotment
400 INVALID_DATA        | Gone         Gone         Other        Other        | ALLOTMENT EXCEEDED
500 PRODUCT_ERROR       | Gone         Gone         unknown      Other        | Insufficient allotment
500 PRODUCT_ERROR       | Gone         Gone         unknown      Other        | There's a stop sales for the date/s
500 PRODUCT_ERROR       | PriceChanged PriceChanged unknown      Other        | ProductException(BOOKING_CONFIRM, Price has changed: Unable to book as the price difference exceeds
500 PRODUCT_ERROR       | PriceChanged PriceChanged unknown      Other        | Price has increased
500 PRODUCT_ERROR       | Other        Other        unknown      Other        | Office or branch not active
500 PRODUCT_ERROR       | Other        unknown      unknown      Other        | Booking confirmation error 207-123456
500 PRODUCT_ERROR       | Other        unknown      unknown      Other        | Request timed out
503 PRODUCT_ERROR       | Gone         unknown      unknown      Other        | Hotel not Available
200 PRODUCT_ERROR       | Gone         unknown      unknown      Other        | Insufficient allotment
500 PRODUCT_ERROR       | Other        Other        TooLate      Other        | Cannot cancel a booking after the check-in
500 PRODUCT_ERROR       | Other        Other        NotChangeable Other       | The rate does not allow cancellation
400 INVALID_DATA        | Traveller    Traveller    Other        Other        | Holder surname is not valid
404 INVALID_DATA        | Other        Other        Other        Gone         | The booking does not exist or you do not have permissions to access it.
500 PRODUCT_ERROR       | Other        Other        Other        Gone         | Booking does not exist
400 INVALID_DATA        | Other        unknown      unknown      Other        | The booking is already cancelled
503 PRODUCT_ERROR       | Other        unknown      unknown      Other        | the booking 1-2 is locked. Please try again later
500 SYSTEM_ERROR        | unknown      unknown      unknown      unknown      | Internal server error
500 SOMETHING_ELSE      | unknown      unknown      unknown      unknown      | Internal server error
500 CONFIGURATION_ERROR | deposit      deposit      deposit      deposit      | The agency has no credit left
500 CONFIGURATION_ERROR | outage       outage       outage       outage       | not associated with a valid client
401 INVALID_DATA        | outage       outage       outage       outage       | Who?
403 INVALID_DATA        | outage       outage       outage       outage       | Who?";

    #[test]
    fn an_error_means_what_its_family_and_its_words_say() {
        for line in MEANINGS.lines() {
            let [head, expected, message] = line.splitn(3, '|').collect::<Vec<_>>().try_into().unwrap();
            let (status, code) = head.trim().split_once(' ').unwrap();
            let body = error(code, message.trim());
            let calls = [Call::Rate, Call::Book, Call::Cancel, Call::Lookup];
            let answers = calls.map(|call| word(&judged(status.parse().unwrap(), &body, call)));
            let expected: Vec<&str> = expected.split_whitespace().collect();
            assert_eq!(answers.to_vec(), expected, "{line}");
        }
    }

    #[test]
    fn what_the_gateway_says_is_about_the_key_or_nobody_knows() {
        let refused = "the supplier refuses our credentials";
        let used_up = "the supplier takes no more calls with our key for now";
        for (status, body, reason) in [
            (401, r#"{"error":"Request signature verification failed"}"#, refused),
            (403, r#"{"error":"Access to this API has been disallowed"}"#, refused),
            (403, r#"{"error":"Developer Inactive"}"#, refused),
            (403, r#"{"error":"Developer Over Rate"}"#, used_up),
            (403, r#"{"error":"Developer Over Qps"}"#, used_up),
            (403, r#"{"error":"Quota exceeded"}"#, used_up),
            (403, "<h1>403 Developer Over Rate</h1>", refused),
        ] {
            let Answer::Unavailable(outage) = judged(status, body, Call::Book) else {
                panic!("{status} {body}")
            };
            assert_eq!(outage.reason, reason, "{body}");
        }
        for (status, body) in [
            (400, r#"{"error":"Bad Request"}"#),
            (402, r#"{"error":"Payment Required"}"#),
            (404, r#"{"error":"No such page"}"#),
            (500, r#"{"error":"no healthy upstream"}"#),
            (503, "no healthy upstream"),
            (302, ""),
            (200, ""),
            (200, "<h1>no</h1>"),
            (400, "good"),
            (500, "{}"),
        ] {
            for call in [Call::Rate, Call::Book, Call::Cancel, Call::Lookup] {
                let answer = judged(status, body, call);
                assert_eq!(word(&answer), "unknown", "{status} {body} {call:?}");
                assert!(!format!("{answer:?}").contains("hb_"), "{answer:?}");
            }
        }
        assert_eq!(judged(200, "good", Call::Book), Answer::Done("good"));
    }

    #[test]
    fn a_text_is_one_line_and_short_and_shows_neither_key_nor_secret() {
        let long = "z".repeat(10_000);
        let answer = judged(400, &error("INVALID_DATA", &format!("a\\nhb_key hb_secret {long}")), Call::Read);
        let text = answer.problem().unwrap();
        assert!(text.starts_with("a *** *** zzz") && text.len() == LONGEST_TEXT, "{text}");
        let bare = Refusal::new("INVALID_DATA-1").with_code(Some("INVALID_DATA".to_owned()));
        let bare = Answer::Refused(bare);
        assert_eq!(judged(400, r#"{"error":{"code":"INVALID_DATA-1"}}"#, Call::Read), bare);
    }
}
