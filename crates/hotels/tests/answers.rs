//! How tests look at a supplier's answer.

use std::fmt::Debug;

use wayfare_domain::OrderStatus;
use wayfare_supply::{Answer, OrderToCancel, Refusal, RefusalKind};

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
            RefusalKind::Other => "refused",
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
