//! Their errors judged: what a status and an error body mean for us.
//!
//! A 4xx with Duffel's own error body is a refusal: nothing happened there. The exceptions are codes with which
//! Duffel itself doesn't know, or says that it was done before; those are looked up, not believed. 429 and 5xx
//! are judged already where they arrive ([`wayfare_supply::SupplierHttp::send`]).

use wayfare_supply::judging::{
    credentials_refused, deposit_empty, hidden, is_about_credentials, rate_limiting,
};
use wayfare_supply::reading::{distinct, parse_if};
use wayfare_supply::{Answer, Exchange, Purpose, Refusal, RefusalKind, StatusCode};

use super::{fault_source, wire};

/// Instead of "The resource you are trying to access does not exist."
const SERVICE_GONE: &str =
    "what was to be bought besides the fare is no longer offered so: ask again what there is";

/// What was asked, as far as it matters for the meaning of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Call {
    /// Something that changes nothing and is about no offer.
    Read,
    /// Whether an order or a cancellation is there.
    Lookup,
    /// About an offer, and changes nothing.
    Offer,
    /// The seats of an offer's flights, without which it can be bought as well.
    SeatMaps,
    /// An order to be made of an offer: an effect.
    Order,
    /// A cancellation to be carried out: an effect.
    Cancel,
    /// A held order to be paid: an effect.
    Payment,
    /// Services to be added to an order: an effect.
    AddServices,
    /// A change of an airline's to be accepted: an effect.
    AcceptChange,
    /// A change of an order to be confirmed: an effect.
    ConfirmChange,
}

impl Call {
    pub fn purpose(self) -> Purpose {
        match self {
            Self::Read | Self::Offer => Purpose::Question,
            Self::SeatMaps => Purpose::BestEffort,
            Self::Lookup => Purpose::LookUp,
            Self::Order
            | Self::Cancel
            | Self::Payment
            | Self::AddServices
            | Self::AcceptChange
            | Self::ConfirmChange => Purpose::Effect,
        }
    }
}

/// The body of a success, or what the failure means. `token` never shows in a text.
pub(super) fn judge(exchange: Exchange, call: Call, token: &str) -> Answer<Vec<u8>> {
    let Exchange { status, body } = exchange;
    if status == StatusCode::ACCEPTED && call.purpose() == Purpose::Effect {
        return Answer::Unknown("supplier still processing".to_owned());
    }
    if status.is_success() {
        return Answer::Done(body);
    }
    if !status.is_client_error() {
        return Answer::Unknown(format!("the supplier answered {status}"));
    }
    match parse_if::<wire::Errors>(&body) {
        Some(theirs) if !theirs.errors.is_empty() => refusal(&theirs.errors, call, token),
        _ if is_about_credentials(status) => credentials_refused(),
        _ => Answer::Unknown(format!("the supplier answered {status} in words that are not its own")),
    }
}

/// Whether a payment was refused because the order is paid: before, or, as only a held order is paid later, when it
/// was made.
pub(super) fn says_paid(exchange: &Exchange) -> bool {
    let paid = |error: &wire::Error| {
        matches!(error.code.as_deref(), Some("already_paid" | "order_type_not_eligible_for_payment"))
    };
    exchange.status.is_client_error()
        && parse_if::<wire::Errors>(&exchange.body).is_some_and(|theirs| theirs.errors.iter().any(paid))
}

fn refusal(errors: &[wire::Error], call: Call, token: &str) -> Answer<Vec<u8>> {
    let any = |test: fn(&wire::Error, Call) -> bool| errors.iter().any(|error| test(error, call));
    if any(|error, _| is_type(error, "authentication_error")) {
        return credentials_refused();
    }
    if any(|error, _| is_type(error, "rate_limit_error")) {
        return rate_limiting();
    }
    let text = text(errors, token);
    if any(leaves_doubt) {
        return Answer::Unknown(text);
    }
    if any(|error, _| code(error) == "insufficient_balance") {
        return deposit_empty(&text);
    }
    if any(is_about_services) {
        let refusal = Refusal::new(SERVICE_GONE);
        return Answer::Refused(refusal.with_code(errors.first().and_then(|error| error.code.clone())));
    }
    // The first that means something to us speaks for all of them.
    let decisive = errors.iter().find(|error| kind(error, call) != RefusalKind::Other);
    let Some(error) = decisive.or(errors.first()) else { return Answer::Refused(Refusal::new(text)) };
    let refusal = Refusal::of(kind(error, call), text).with_code(error.code.clone());
    Answer::Refused(refusal.at(fault_source::field(error)))
}

fn code(error: &wire::Error) -> &str {
    error.code.as_deref().unwrap_or_default()
}

fn is_type(error: &wire::Error, kind: &str) -> bool {
    error.kind.as_deref() == Some(kind)
}

/// Errors after which an effect may stand all the same. Duffel says of its internal error that the airline may
/// have the order; of the airline's unexpected errors nobody knows; and what is done already may be our doing.
fn leaves_doubt(error: &wire::Error, call: Call) -> bool {
    let code = code(error);
    is_type(error, "api_error")
        || match call {
            Call::Read | Call::Lookup | Call::Offer | Call::SeatMaps => false,
            Call::Order => matches!(
                code,
                "airline_internal"
                    | "airline_unknown"
                    | "duplicate_booking"
                    | "order_creation_already_attempted"
            ),
            Call::Cancel => matches!(
                code,
                "airline_internal" | "airline_unknown" | "duplicate_booking" | "already_cancelled"
            ),
            Call::Payment | Call::AddServices | Call::AcceptChange | Call::ConfirmChange => {
                matches!(code, "airline_internal" | "airline_unknown" | "duplicate_booking")
            }
        }
}

/// Whether a service was ordered under an id that is no longer good: ids are new each time an offer is read.
fn is_about_services(error: &wire::Error, call: Call) -> bool {
    let named = |part| {
        let text = error.source.as_ref()?.get(part)?.as_str()?;
        Some(text.contains("services"))
    };
    matches!(call, Call::Order | Call::AddServices)
        && error.code.as_deref() == Some("not_found")
        && ["pointer", "field"].into_iter().any(|part| named(part) == Some(true))
}

fn kind(error: &wire::Error, call: Call) -> RefusalKind {
    let absence_means_gone = matches!(call, Call::Offer | Call::Order | Call::Lookup);
    match code(error) {
        "offer_expired" | "offer_request_expired" => RefusalKind::Expired,
        // One order at most is made of all offers of one search.
        "offer_no_longer_available" | "offer_request_already_booked" => RefusalKind::Gone,
        "not_found" if absence_means_gone => RefusalKind::Gone,
        "price_changed"
        | "payment_amount_does_not_match_order_amount"
        | "payment_currency_does_not_match_order_currency" => RefusalKind::PriceChanged,
        "duplicate_booking" => RefusalKind::Duplicate,
        "duplicate_passenger_name" => RefusalKind::Traveller,
        "past_payment_required_by_date" => RefusalKind::TooLate,
        "unsupported_action" => RefusalKind::NotChangeable,
        "stale_airline_initiated_change_accept" => RefusalKind::Superseded,
        _ => fault_source::kind(error),
    }
}

/// Their messages, each once, in one line.
fn text(errors: &[wire::Error], token: &str) -> String {
    let texts = errors.iter().map(|error| {
        let filled = |text: &'_ &str| !text.trim().is_empty();
        let message = error.message.as_deref().filter(filled);
        let message = message.or(error.title.as_deref()).filter(filled);
        let text = message.or(error.code.as_deref());
        text.unwrap_or("refused without a reason").trim()
    });
    hidden(&distinct(texts).join("; ").replace(char::is_control, " "), token)
}

#[cfg(test)]
mod tests {
    use wayfare_supply::{OutageKind, judging::LONGEST_TEXT};

    use super::*;

    fn judged(status: u16, body: &str, call: Call) -> Answer<Vec<u8>> {
        let status = StatusCode::from_u16(status).unwrap();
        judge(Exchange { status, body: body.as_bytes().to_vec() }, call, "duffel_test_secret")
    }

    fn error(kind: &str, code: &str, message: &str) -> String {
        format!(r#"{{"errors":[{{"type":"{kind}","code":"{code}","title":"Title","message":"{message}"}}]}}"#)
    }

    fn refused(kind: RefusalKind, text: &str, code: &str) -> Answer<Vec<u8>> {
        Answer::Refused(Refusal::of(kind, text).with_code(Some(code.to_owned())))
    }

    #[test]
    fn a_refusal_has_the_kind_of_its_code_and_the_suppliers_words() {
        use RefusalKind::{Duplicate, Expired, Gone, NotChangeable, Other, PriceChanged, TooLate, Traveller};
        for (code, call, kind) in [
            ("offer_expired", Call::Order, Expired),
            ("offer_no_longer_available", Call::Offer, Gone),
            ("offer_request_already_booked", Call::Order, Gone),
            ("not_found", Call::Offer, Gone),
            ("not_found", Call::Cancel, Other),
            ("price_changed", Call::Order, PriceChanged),
            ("payment_amount_does_not_match_order_amount", Call::Order, PriceChanged),
            ("price_changed", Call::Payment, PriceChanged),
            ("past_payment_required_by_date", Call::Payment, TooLate),
            ("duplicate_booking", Call::Offer, Duplicate),
            ("duplicate_passenger_name", Call::Order, Traveller),
            ("unsupported_action", Call::Cancel, NotChangeable),
            ("not_found", Call::Payment, Other),
            ("airline_unknown", Call::Offer, Other),
        ] {
            let body = error("invalid_state_error", code, "So it is.");
            assert_eq!(judged(422, &body, call), refused(kind, "So it is.", code), "{code}");
        }
    }

    #[test]
    fn an_empty_deposit_is_an_outage_that_says_nothing_of_it() {
        let body = error(
            "invalid_state_error",
            "insufficient_balance",
            "There isn't enough balance in the wallet for this operation.",
        );
        for call in [Call::Order, Call::Payment, Call::AddServices] {
            let Answer::Unavailable(outage) = judged(422, &body, call) else { panic!("{call:?}") };
            assert_eq!(outage.kind, OutageKind::Deposit);
            assert!(!outage.reason.contains("balance"), "{}", outage.reason);
        }
    }

    #[test]
    fn an_effect_that_may_stand_is_unknown() {
        for (kind, code, call) in [
            ("api_error", "internal_server_error", Call::Order),
            ("airline_error", "airline_unknown", Call::Order),
            ("airline_error", "duplicate_booking", Call::Order),
            ("invalid_state_error", "already_cancelled", Call::Cancel),
            ("airline_error", "airline_internal", Call::Payment),
            ("airline_error", "duplicate_booking", Call::AddServices),
        ] {
            let answer = judged(422, &error(kind, code, "Hm."), call);
            assert_eq!(answer, Answer::Unknown("Hm.".into()), "{code}");
        }
        assert!(matches!(judged(422, "<h1>no</h1>", Call::Order), Answer::Unknown(_)));
        assert!(matches!(judged(422, r#"{"errors":[]}"#, Call::Order), Answer::Unknown(_)));
        assert!(matches!(judged(302, "", Call::Cancel), Answer::Unknown(_)));
        assert!(matches!(judged(202, r#"{"data":{}}"#, Call::Order), Answer::Unknown(_)));
    }

    #[test]
    fn refused_credentials_and_rate_limits_are_outages() {
        let unsigned = error("authentication_error", "access_token_not_found", "Who are you?");
        for (status, body) in [(401, unsigned.as_str()), (403, &unsigned), (401, "<h1>no</h1>"), (403, "")] {
            let Answer::Unavailable(outage) = judged(status, body, Call::Order) else {
                panic!("{status} {body}")
            };
            assert_eq!(outage.reason, "the supplier refuses our credentials");
        }
        let limited = error("rate_limit_error", "rate_limit_exceeded", "Slower.");
        assert!(matches!(judged(400, &limited, Call::Order), Answer::Unavailable(_)));
    }

    #[test]
    fn sources_of_all_shapes_and_several_errors_are_read_and_the_token_is_not_shown() {
        let body = r#"{"errors":[
            {"type":"validation_error","code":"validation_required","message":"a","source":{"pointer":"/a"}},
            {"type":"airline_error","code":"x","title":"b duffel_test_secret\n","message":" ","source":"some_airline"},
            {"type":"validation_error","message":"a"}, {"code":"only_code"}, {}
        ]}"#;
        let text = "a; b ***; only_code; refused without a reason";
        assert_eq!(judged(422, body, Call::Read), refused(RefusalKind::Other, text, "validation_required"));
        let long = error("x", "y", &"z".repeat(10_000));
        assert!(judged(400, &long, Call::Read).problem().is_some_and(|text| text.len() == LONGEST_TEXT));
    }
}
