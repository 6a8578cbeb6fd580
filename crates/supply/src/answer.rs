//! How a supplier's call can end.

use std::{fmt, time::Duration};

/// Begins the reason of an answer that nobody can read.
const UNREADABLE: &str = "unreadable answer: ";
/// Begins the reason of a look-up that was refused.
const LOOK_UP_REFUSED: &str = "the look-up was refused: ";

/// The end of one call to a supplier.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub enum Answer<T> {
    /// The supplier did it, and this is what it said.
    Done(T),
    /// The supplier said no: nothing happened there.
    Refused(Refusal),
    /// Provably nothing happened there: the connection was refused, the supplier turned us away (429) before it
    /// looked, or nothing was sent since it is left alone for a while.
    Unavailable(Outage),
    /// Timeout, broken connection, 5xx or an unreadable body: it may have happened. Never a reason to try
    /// again; always a reason to look it up.
    Unknown(String),
}

/// Why and in whose words a supplier said no.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
pub struct Refusal {
    /// What it means for us.
    pub kind: RefusalKind,
    /// The supplier's own text, without secrets of ours. It may name people, or our account there.
    pub text: String,
    /// The supplier's own code, where it has one: for logs.
    pub code: Option<String>,
    /// What of the request is at fault, in the words of our API, where the supplier says so: `passengers[0].first_name`.
    pub field: Option<String>,
}

/// The refusals that have decided answers of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
pub enum RefusalKind {
    /// The offer's time is over.
    Expired,
    /// The offer is sold or withdrawn.
    Gone,
    /// The price is not what we agreed to.
    PriceChanged,
    /// A traveller's paper is asked for, and was not given.
    PapersMissing,
    /// A traveller's paper is not accepted.
    PapersInvalid,
    /// Something else about who travels is not accepted: a name, an age.
    Traveller,
    /// The airline or the supplier has the same booking already. Of a step that is in doubt, never of one that is known to
    /// have done nothing.
    Duplicate,
    /// What was chosen is not sold together.
    NotCombinable,
    /// The time in which an order could be changed or given back is over.
    TooLate,
    /// The order does not allow it.
    NotChangeable,
    /// Something newer has taken the place of what was accepted.
    Superseded,
    /// Anything else.
    Other,
}

impl Refusal {
    /// A refusal without a decided answer of its own.
    pub fn new(text: impl Into<String>) -> Self {
        Self::of(RefusalKind::Other, text)
    }

    /// A refusal of this kind.
    pub fn of(kind: RefusalKind, text: impl Into<String>) -> Self {
        Self { kind, text: text.into(), code: None, field: None }
    }

    /// The same with the supplier's own code.
    pub fn with_code(self, code: Option<String>) -> Self {
        let code = code.filter(|code| !code.is_empty());
        Self { code, ..self }
    }

    /// The same with what is at fault.
    pub fn at(self, field: Option<String>) -> Self {
        Self { field, ..self }
    }
}

/// Whose trouble an outage is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
pub enum OutageKind {
    /// The supplier is away, or left alone since it keeps failing.
    Down,
    /// It takes no more calls for now.
    Busy,
    /// It does not accept our credentials.
    Credentials,
    /// Our account there can't pay for what was asked.
    Deposit,
}

/// Why nothing happened.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
pub struct Outage {
    /// What kind of trouble it is.
    pub kind: OutageKind,
    /// What happened, for logs and `provider_errors`.
    pub reason: String,
    /// After what time it makes sense to ask again.
    pub retry_after: Option<Duration>,
}

impl Outage {
    /// An outage that says nothing of when to ask again.
    pub fn new(reason: impl Into<String>) -> Self {
        Self::of(OutageKind::Down, reason)
    }

    /// An outage of this kind, which says nothing of when to ask again.
    pub fn of(kind: OutageKind, reason: impl Into<String>) -> Self {
        Self { kind, reason: reason.into(), retry_after: None }
    }
}

/// What was done, as `?` has it of a `Result`: every other end of the answer ends the function, too.
#[macro_export]
macro_rules! done_or_return {
    ($answer:expr) => {
        match $answer {
            $crate::Answer::Done(content) => content,
            $crate::Answer::Refused(refusal) => return $crate::Answer::Refused(refusal),
            $crate::Answer::Unavailable(outage) => return $crate::Answer::Unavailable(outage),
            $crate::Answer::Unknown(reason) => return $crate::Answer::Unknown(reason),
        }
    };
}

/// Whether the text is an id as suppliers make them, which goes into paths and lists as it is: letters, digits, `_` and `-`.
pub fn is_id(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|c| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'-'))
}

/// That there may be such a thing; by what is no id there is none.
pub fn id_or_refused(id: &str, thing: &str) -> Answer<()> {
    Answer::or_refused(is_id(id).then_some(()).ok_or_else(|| format!("there is no such {thing}")))
}

/// That a thing can be looked for; by what is no id nobody knows of it.
pub fn id_or_unknown(id: &str, thing: &str) -> Answer<()> {
    Answer::or_unknown(is_id(id).then_some(()).ok_or_else(|| format!("{id:?} is no id of {thing}")))
}

impl From<String> for Refusal {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

impl<T> Answer<T> {
    /// What is to be sent; what can't be made ready is refused.
    pub fn or_refused(ready: Result<T, impl Into<Refusal>>) -> Self {
        ready.map_or_else(|refusal| Self::Refused(refusal.into()), Self::Done)
    }

    /// What is known, or why nobody knows it.
    pub fn or_unknown(known: Result<T, String>) -> Self {
        known.map_or_else(Self::Unknown, Self::Done)
    }

    /// The same end with another content; content that can't be used is [`Answer::Unknown`], since the
    /// supplier has acted.
    pub fn and_read<U, E: fmt::Display>(self, read: impl FnOnce(T) -> Result<U, E>) -> Answer<U> {
        self.and_then(|content| match read(content) {
            Ok(content) => Answer::Done(content),
            Err(error) => Answer::unreadable(error),
        })
    }

    /// An answer came, and nobody can read it, for this reason.
    pub fn unreadable(reason: impl fmt::Display) -> Self {
        Self::Unknown(format!("{UNREADABLE}{reason}"))
    }

    /// Whether an answer came to a look-up that tells nothing: unlike silence, it may be the same for ever.
    pub fn says_nothing(&self) -> bool {
        let begins = [UNREADABLE, LOOK_UP_REFUSED];
        matches!(self, Self::Unknown(reason) if begins.iter().any(|begin| reason.starts_with(begin)))
    }

    /// What was done decided upon; every other end as it is.
    pub fn and_then<U>(self, decide: impl FnOnce(T) -> Answer<U>) -> Answer<U> {
        match self {
            Self::Done(content) => decide(content),
            Self::Refused(refusal) => Answer::Refused(refusal),
            Self::Unavailable(outage) => Answer::Unavailable(outage),
            Self::Unknown(reason) => Answer::Unknown(reason),
        }
    }

    /// The same end with another content.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Answer<U> {
        self.and_read(|content| Ok::<_, std::convert::Infallible>(f(content)))
    }

    /// The end of a look-up: that it was refused says nothing about what was looked for.
    pub fn unless_refused(self) -> Self {
        match self {
            Self::Refused(refusal) => Self::Unknown(format!("{LOOK_UP_REFUSED}{}", refusal.text)),
            answer => answer,
        }
    }

    /// One line for `provider_errors` and logs; none when it was done.
    pub fn problem(&self) -> Option<&str> {
        match self {
            Self::Done(_) => None,
            Self::Refused(refusal) => Some(&refusal.text),
            Self::Unavailable(outage) => Some(&outage.reason),
            Self::Unknown(reason) => Some(reason),
        }
    }
}
