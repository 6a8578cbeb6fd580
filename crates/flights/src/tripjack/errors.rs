//! Their errors judged: what an answer that is not the one asked for means for us.
//!
//! TripJack says in the body whether a call succeeded, with HTTP 200 as well as 4xx, so that the body is judged first.
//! No list of its codes is published: few are known, and the rest is read by its words.

use wayfare_supply::judging::{
    credentials_refused, deposit_empty, hidden, is_about_credentials, rate_limiting,
};
use wayfare_supply::reading::{Unreadable, distinct, parse_if};
use wayfare_supply::{Answer, Exchange, Purpose, Refusal, RefusalKind, StatusCode};

use super::wire;

/// "Keys passed in the request is already expired": of price ids and bookings that are over, or never were.
const KEYS_EXPIRED: &str = "808";
/// Of a payment that is not what is due.
const ANOTHER_AMOUNT: &str = "1015";
const NO_SUCH_BOOKING: &str = "1057";
const HOLD_EXPIRED: &str = "1059";
/// "Duplicate request": the first one may stand.
const DUPLICATE: &str = "816";
/// Of a passport that ends within six months of the journey.
const PASSPORT_ENDS: &str = "1067";
/// Fares that are not sold together.
const NOT_COMBINABLE: &str = "1080";
/// "Cancellation is not available for this PNR".
const NOT_CANCELLABLE: &str = "1072";
/// "No matching reissue configuration".
const NO_REISSUE: &str = "1157";
/// "No reissue results found": nothing is flown that day.
pub(super) const NO_REISSUE_FLIGHTS: &str = "1148";

const UNSAID: &str = "refused without a reason";

/// Words that say that it is the booking that is not there. What else is "not found", a user or a page, says nothing of
/// the booking, and an order that is taken for absent is taken for refused in the end.
const NO_BOOKING: [&str; 6] = [
    "booking not found",
    "booking does not exist",
    "no such booking",
    "order not found",
    "order does not exist",
    "no such order",
];

/// Words that say that it is too late to change or to give back an order.
const TOO_LATE: [&str; 3] = ["departed", "too late", "time limit"];

/// Words that say that it is who travels that is not accepted.
const TRAVELLER: [&str; 4] = ["traveller", "passenger", "date of birth", "last name"];

/// What was asked, as far as it matters for the meaning of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Call {
    /// Something that changes nothing and is about no offer.
    Read,
    /// The seats of a reviewed order, without which it can be bought as well.
    Seats,
    /// Whether an order or a cancellation is there.
    Lookup,
    /// About an offer or a held order's fare, and changes nothing.
    Offer,
    /// A held order's fare, of which nothing has to be known.
    HeldFare,
    /// An order to be made: an effect.
    Order,
    /// A held order to be paid: an effect.
    Payment,
    /// An order to be given back: an effect.
    Cancel,
    /// A ticket to be reissued: an effect.
    Reissue,
}

impl Call {
    pub fn purpose(self) -> Purpose {
        match self {
            Self::Read | Self::Offer => Purpose::Question,
            Self::Seats | Self::HeldFare => Purpose::BestEffort,
            Self::Lookup => Purpose::LookUp,
            Self::Order | Self::Payment | Self::Cancel | Self::Reissue => Purpose::Effect,
        }
    }
}

/// What was asked for, or what its absence means. `key` never shows in a text.
pub(super) fn judge<T>(
    exchange: &Exchange,
    call: Call,
    key: &str,
    read: impl FnOnce(&[u8]) -> Result<T, Unreadable>,
) -> Answer<T> {
    let Exchange { status, body } = exchange;
    let unreadable = if status.is_success() {
        match read(body) {
            Ok(content) => return Answer::Done(content),
            Err(unreadable) => Answer::unreadable(hidden(&unreadable.to_string(), key)),
        }
    } else {
        Answer::Unknown(format!("the supplier answered {status} in words that are not its own"))
    };
    match parse_if::<wire::Failure>(body) {
        Some(failure) if says_failed(&failure) => failed(&failure, *status, call, key),
        _ if is_about_credentials(*status) => credentials_refused(),
        _ => unreadable,
    }
}

/// Whether an answer says itself that nothing came of it.
pub(super) fn tells_failure(body: &[u8]) -> bool {
    parse_if::<wire::Failure>(body).is_some_and(|failure| says_failed(&failure))
}

fn says_failed(failure: &wire::Failure) -> bool {
    let succeeded = failure.status.as_ref().and_then(|status| status.success);
    succeeded == Some(false)
        || (succeeded.is_none() && failure.errors.as_ref().is_some_and(|errors| !errors.is_empty()))
}

fn failed<T>(failure: &wire::Failure, status: StatusCode, call: Call, key: &str) -> Answer<T> {
    let stated = failure.status.as_ref().and_then(|status| status.http_status);
    let stated = stated.and_then(|code| StatusCode::from_u16(code).ok());
    if is_about_credentials(status) || stated.is_some_and(is_about_credentials) {
        return credentials_refused();
    }
    if stated == Some(StatusCode::TOO_MANY_REQUESTS) {
        return rate_limiting();
    }
    let errors = failure.errors.as_deref().unwrap_or_default();
    let text = hidden(&text(errors), key);
    let kind = kind(errors, call);
    let says_no_more = matches!(
        kind,
        RefusalKind::Other
            | RefusalKind::Duplicate
            | RefusalKind::NotChangeable
            | RefusalKind::Superseded
            | RefusalKind::TooLate
    );
    let may_stand = call.purpose() == Purpose::Effect && says_no_more && leaves_doubt(errors);
    if may_stand || stated.is_some_and(|status| status.is_server_error()) {
        return Answer::Unknown(text);
    }
    if is_about_deposit(errors) {
        return deposit_empty(&text);
    }
    let code = errors.iter().find_map(code_of).map(str::to_owned);
    let field = errors
        .iter()
        .any(|error| code_of(error) == Some(PASSPORT_ENDS))
        .then(|| "passengers[].document.expires_on".to_owned());
    Answer::Refused(Refusal::of(kind, text).with_code(code).at(field))
}

/// Whether our account can't pay: both what is short of it and what it is short of are named.
fn is_about_deposit(errors: &[wire::Error]) -> bool {
    say(errors, &["insufficient", "not enough", "low balance"]) && say(errors, &["balance", "fund"])
}

/// Words after which an effect may stand all the same: what was done already may be our doing, and of what takes too
/// long nobody knows.
fn leaves_doubt(errors: &[wire::Error]) -> bool {
    let doubts = ["already", "duplicate", "in progress", "under way", "pending", "timeout", "timed out"];
    let is_duplicate = errors.iter().any(|error| code_of(error) == Some(DUPLICATE));
    is_duplicate || say(errors, &doubts)
}

/// Whether the errors have one of these words, in small letters here.
fn say(errors: &[wire::Error], words: &[&str]) -> bool {
    let texts = errors.iter().flat_map(|error| [&error.message, &error.details]);
    texts.flatten().any(|text| {
        let text = text.to_ascii_lowercase();
        words.iter().any(|words| text.contains(words))
    })
}

fn kind(errors: &[wire::Error], call: Call) -> RefusalKind {
    let has_code = |codes: &[&str]| errors.iter().filter_map(code_of).any(|code| codes.contains(&code));
    let is_absent = || has_code(&[NO_SUCH_BOOKING]) || say(errors, &["not found", "does not exist"]);
    let is_expired = || has_code(&[KEYS_EXPIRED, HOLD_EXPIRED]) || say(errors, &["expired"]);
    let moved =
        ["fare has changed", "fare changed", "fare alert", "price has changed", "amount does not match"];
    let has_moved = || has_code(&[ANOTHER_AMOUNT]) || say(errors, &moved);
    match call {
        _ if has_code(&[DUPLICATE]) => RefusalKind::Duplicate,
        _ if has_code(&[NO_REISSUE]) => RefusalKind::NotChangeable,
        Call::Read | Call::Cancel if has_code(&[NOT_CANCELLABLE]) => RefusalKind::NotChangeable,
        Call::Read | Call::Cancel | Call::Reissue if say(errors, &TOO_LATE) => RefusalKind::TooLate,
        Call::Read | Call::Seats | Call::HeldFare | Call::Cancel => RefusalKind::Other,
        Call::Lookup if has_code(&[NO_SUCH_BOOKING]) || say(errors, &NO_BOOKING) => RefusalKind::Gone,
        Call::Lookup => RefusalKind::Other,
        Call::Offer | Call::Order | Call::Payment | Call::Reissue if is_expired() => RefusalKind::Expired,
        _ if has_moved() => RefusalKind::PriceChanged,
        _ if has_code(&[NOT_COMBINABLE]) => RefusalKind::NotCombinable,
        _ if has_code(&[PASSPORT_ENDS]) => RefusalKind::PapersInvalid,
        _ if say(errors, &["passport"]) => match say(errors, &["required", "mandatory", "missing"]) {
            true => RefusalKind::PapersMissing,
            false => RefusalKind::PapersInvalid,
        },
        Call::Order if say(errors, &TRAVELLER) => RefusalKind::Traveller,
        _ if is_absent() || say(errors, &["not available", "no longer available", "sold out"]) => {
            RefusalKind::Gone
        }
        _ => RefusalKind::Other,
    }
}

fn code_of<'a>(error: &wire::Error<'a>) -> Option<&'a str> {
    error.code.as_ref().map(wire::Loose::text)
}

/// Their messages, each once, in one line.
fn text(errors: &[wire::Error]) -> String {
    let texts = errors.iter().map(|error| {
        let stated = [error.message.as_deref(), error.details.as_deref(), code_of(error)];
        let mut filled = stated.into_iter().flatten().map(str::trim).filter(|text| !text.is_empty());
        filled.next().unwrap_or(UNSAID)
    });
    let texts = distinct(texts);
    let line = if texts.is_empty() { UNSAID.to_owned() } else { texts.join("; ") };
    line.replace(char::is_control, " ")
}

#[cfg(test)]
mod tests {
    use wayfare_supply::{OutageKind, judging::LONGEST_TEXT};

    use super::*;

    fn judged(status: u16, body: &str, call: Call) -> Answer<&'static str> {
        let exchange =
            Exchange { status: StatusCode::from_u16(status).unwrap(), body: body.as_bytes().to_vec() };
        judge(&exchange, call, "tj_secret", |body| match body {
            b"good" => Ok("good"),
            _ => Err(Unreadable::new("no tj_secret in it")),
        })
    }

    fn error(status: u16, code: &str, message: &str) -> String {
        format!(
            r#"{{"status":{{"success":false,"httpStatus":{status}}},"errors":[{{"errCode":"{code}","message":"{message}","details":"tj_secret"}}]}}"#
        )
    }

    #[test]
    fn an_error_is_a_refusal_with_http_200_as_well_as_400() {
        use RefusalKind::{
            Duplicate, Expired, Gone, NotChangeable, NotCombinable, Other, PapersInvalid, PapersMissing,
            TooLate, Traveller,
        };
        for (code, message, call, kind) in [
            ("816", "Duplicate request", Call::Offer, Duplicate),
            ("1080", "Fares can't be combined", Call::Offer, NotCombinable),
            ("5", "Passport is mandatory", Call::Order, PapersMissing),
            ("6", "Passport number is wrong", Call::Order, PapersInvalid),
            ("7", "Passenger name is wrong", Call::Order, Traveller),
            ("1072", "Cancellation not available for PNR", Call::Cancel, NotChangeable),
            ("1157", "No matching reissue configuration", Call::Read, NotChangeable),
            ("8", "The flight has departed", Call::Cancel, TooLate),
            ("808", "Keys passed in the request is already expired", Call::Offer, Expired),
            ("1", "Session Expired", Call::Offer, Expired),
            ("2", "Fare is no longer available", Call::Offer, Gone),
            ("3", "Flight sold out", Call::Offer, Gone),
            ("4", "Cabin class is wrong", Call::Offer, Other),
            ("808", "Keys passed in the request is already expired", Call::Read, Other),
        ] {
            for status in [200, 400, 404, 422] {
                let refused = Refusal::of(kind, message).with_code(Some(code.to_owned()));
                let refused = Answer::Refused(refused);
                assert_eq!(judged(status, &error(400, code, message), call), refused, "{status} {message}");
            }
        }
        assert_eq!(judged(200, "good", Call::Offer), Answer::Done("good"));
    }

    #[test]
    fn only_an_error_that_names_the_booking_says_that_there_is_none() {
        for (code, message, is_absent) in [
            ("1057", "Try another one", true),
            ("1", "Booking not found. The booking id is incorrect", true),
            ("1", "Order does not exist", true),
            ("1", "No such booking", true),
            ("404", "User not found", false),
            ("404", "Resource not found", false),
            ("404", "User not found for this booking", false),
            ("1", "No booking rights", false),
            ("1", "Agent does not exist", false),
            ("1058", "Not found", false),
        ] {
            let kind = if is_absent { RefusalKind::Gone } else { RefusalKind::Other };
            let refused = Refusal::of(kind, message).with_code(Some(code.to_owned()));
            let refused = Answer::Refused(refused);
            let answer = judged(400, &error(400, code, message), Call::Lookup);
            assert_eq!(answer, refused, "{code} {message}");
        }
    }

    #[test]
    fn the_code_may_be_a_number_and_all_but_the_status_be_missing() {
        let expired = r#"{"status":{"success":false},"errors":[{"errCode":808,"details":"Over."},{},{"details":"Over."}]}"#;
        let text = "Over.; refused without a reason";
        assert_eq!(
            judged(400, expired, Call::Offer),
            Answer::Refused(Refusal::of(RefusalKind::Expired, text).with_code(Some("808".to_owned())))
        );
        let bare = Answer::Refused(Refusal::new("refused without a reason"));
        assert_eq!(judged(200, r#"{"status":{"success":false}}"#, Call::Offer), bare);
        assert_eq!(judged(400, r#"{"errors":[{}]}"#, Call::Offer), bare);
    }

    #[test]
    fn what_is_neither_an_answer_nor_an_error_is_unknown() {
        for (status, body) in [
            (200, "<h1>no</h1>"),
            (200, ""),
            (200, r#"{"status":{"success":true,"httpStatus":200}}"#),
            (200, r#"{"status":{"success":true},"errors":[{"message":"x"}]}"#),
            (200, r#"{"errors":[]}"#),
            (302, ""),
            (400, "<h1>no</h1>"),
            (400, "good"),
            (200, &error(500, "1", "Internal")),
            (400, &error(503, "1", "Internal")),
        ] {
            let answer = judged(status, body, Call::Offer);
            assert!(matches!(answer, Answer::Unknown(_)), "{status} {body}: {answer:?}");
            assert!(!format!("{answer:?}").contains("tj_secret"), "{answer:?}");
        }
    }

    #[test]
    fn an_effect_that_may_stand_is_unknown() {
        for message in [
            "Booking already exists",
            "Duplicate booking",
            "Booking is in progress",
            "A request is under way",
            "Request timed out",
        ] {
            for call in [Call::Order, Call::Payment, Call::Cancel] {
                let answer = judged(400, &error(400, "1", message), call);
                assert_eq!(answer, Answer::Unknown(message.into()), "{call:?}");
            }
            let refused = Refusal::new(message).with_code(Some("1".to_owned()));
            assert_eq!(judged(400, &error(400, "1", message), Call::Offer), Answer::Refused(refused));
        }
        let duplicate = error(400, "816", "Once more?");
        for call in [Call::Order, Call::Payment, Call::Cancel] {
            assert_eq!(judged(400, &duplicate, call), Answer::Unknown("Once more?".into()), "{call:?}");
        }
    }

    #[test]
    fn an_empty_deposit_is_an_outage_that_says_nothing_of_it() {
        for message in ["Insufficient balance in your account", "You have not enough funds"] {
            let Answer::Unavailable(outage) = judged(200, &error(400, "9", message), Call::Order) else {
                panic!("{message}")
            };
            assert_eq!(outage.kind, OutageKind::Deposit);
            assert!(!outage.reason.contains("balance"), "{}", outage.reason);
        }
        let doubtful = error(400, "9", "Insufficient balance: the request timed out");
        assert!(matches!(judged(200, &doubtful, Call::Order), Answer::Unknown(_)));
        let seats = error(400, "9", "Insufficient seats");
        assert!(matches!(judged(200, &seats, Call::Order), Answer::Refused(_)));
    }

    #[test]
    fn a_passport_that_ends_too_soon_is_named() {
        let answer = judged(400, &error(400, "1067", "Passport expiring within 6 months"), Call::Order);
        let Answer::Refused(refusal) = answer else { panic!("{answer:?}") };
        assert_eq!(refusal.kind, RefusalKind::PapersInvalid);
        assert_eq!(refusal.field.as_deref(), Some("passengers[].document.expires_on"));
    }

    #[test]
    fn refused_credentials_and_rate_limits_are_outages() {
        for (status, body, reason) in [
            (401, "".to_owned(), "the supplier refuses our credentials"),
            (403, "<h1>no</h1>".to_owned(), "the supplier refuses our credentials"),
            (403, error(403, "1", "Who?"), "the supplier refuses our credentials"),
            (200, error(401, "1", "Who?"), "the supplier refuses our credentials"),
            (200, error(429, "1", "Slower"), "the supplier is rate limiting"),
        ] {
            let Answer::Unavailable(outage) = judged(status, &body, Call::Offer) else {
                panic!("{status} {body}")
            };
            assert_eq!(outage.reason, reason);
        }
    }

    #[test]
    fn a_text_is_one_line_and_short_and_never_shows_the_key() {
        let long = "z".repeat(10_000);
        let answer = judged(200, &error(400, "1", &format!("a\\ntj_secret {long}")), Call::Read);
        let text = answer.problem().unwrap();
        assert!(text.starts_with("a *** zzz") && text.len() == LONGEST_TEXT, "{text}");
    }
}
