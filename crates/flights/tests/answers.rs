//! How tests look at a supplier's answer, whatever it sells: the tests of `hotels` have this file, too.

use std::fmt::{Debug, Display};

use serde::Serialize;
use wayfare_domain::OrderStatus;
use wayfare_stub_server::odd_world::Reading;
use wayfare_supply::{Answer, OrderToCancel, Refusal, RefusalKind};

/// What was read, as it is written.
pub fn told<T: Serialize>(read: Result<T, impl ToString>) -> Reading {
    let read = read.map_err(|reason| reason.to_string())?;
    serde_json::to_value(read).map_err(|reason| reason.to_string())
}

/// The same of what was found, and how much of it can't be used.
pub fn results<T: Serialize>(read: Result<T, impl ToString>) -> Reading {
    let mut told = told(read)?;
    let unusable = told["unusable"].as_array().map_or(0, Vec::len);
    told["unusable"] = unusable.into();
    Ok(told)
}

/// What is not there is a dash.
pub fn or_dash<T: Display>(value: Option<T>) -> String {
    value.map_or("-".to_owned(), |value| value.to_string())
}

pub fn debug_or_dash<T: Debug>(value: Option<T>) -> String {
    value.map_or("-".to_owned(), |value| format!("{value:?}"))
}

/// An order of which we only know how it stands.
pub fn order_to_cancel(id: &str, status: OrderStatus) -> OrderToCancel<'_> {
    OrderToCancel { id, status, charged: None, part: None, kept_by_terms: None, first_day: None }
}

/// What was done.
pub fn done<T: Debug>(answer: Answer<T>) -> T {
    match answer {
        Answer::Done(content) => content,
        other => panic!("{other:?}"),
    }
}

/// That nobody knows whether it was done, in this case.
#[track_caller]
pub fn is_unknown<T: Debug>(answer: Answer<T>, when: impl Debug) {
    assert!(matches!(answer, Answer::Unknown(_)), "{when:?}: {answer:?}");
}

/// That it was refused, for whatever reason.
#[track_caller]
pub fn is_refused<T: Debug>(answer: Answer<T>, when: impl Debug) {
    assert!(matches!(answer, Answer::Refused(_)), "{when:?}: {answer:?}");
}

/// That provably nothing was done.
#[track_caller]
pub fn is_unavailable<T: Debug>(answer: Answer<T>, when: impl Debug) {
    assert!(matches!(answer, Answer::Unavailable(_)), "{when:?}: {answer:?}");
}

/// How it ended, in a word: `done`, the kind of a refusal, `unavailable` or `unknown`.
pub fn ending<T>(answer: &Answer<T>) -> &'static str {
    match answer {
        Answer::Done(_) => "done",
        Answer::Refused(refusal) => match refusal.kind {
            RefusalKind::Expired => "expired",
            RefusalKind::Gone => "gone",
            RefusalKind::PriceChanged => "price changed",
            RefusalKind::PapersMissing => "papers missing",
            RefusalKind::PapersInvalid => "papers invalid",
            RefusalKind::Traveller => "traveller",
            RefusalKind::Duplicate => "duplicate",
            RefusalKind::NotCombinable => "not combinable",
            RefusalKind::TooLate => "too late",
            RefusalKind::NotChangeable => "not changeable",
            RefusalKind::Superseded => "superseded",
            _ => "refused",
        },
        Answer::Unavailable(_) => "unavailable",
        Answer::Unknown(_) => "unknown",
    }
}

/// The same of a look-up: `none` or `found` when it was done.
pub fn finding<T>(answer: &Answer<Option<T>>) -> &'static str {
    match answer {
        Answer::Done(None) => "none",
        Answer::Done(Some(_)) => "found",
        other => ending(other),
    }
}

/// A refusal of this kind in the supplier's words, under the supplier's code.
pub fn refused<T>(kind: RefusalKind, code: &str, text: &str) -> Answer<T> {
    Answer::Refused(Refusal::of(kind, text).with_code(Some(code.to_owned())))
}
