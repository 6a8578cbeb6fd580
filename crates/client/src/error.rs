//! Every way in which a call can end badly.

use std::{sync::Arc, time::Duration};

use serde_json::Value;

/// What stood in the way, below HTTP.
pub type Cause = Arc<dyn std::error::Error + Send + Sync>;

/// A call's result.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a call has no answer. What was asked for has not happened, but for [`Error::Unknown`].
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The service refused (docs/API.md, errors).
    #[error("{text} ({status})")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// Its words; those of the status where somebody on the way answered in its place.
        text: String,
        /// What it adds, such as the `booking_ref` of a booking in the way: a [`crate::Concerned`], of a newer service maybe more.
        data: Option<Value>,
        /// Names the request in the service's logs, for support.
        request_id: Option<String>,
        /// How long it wants not to be asked again, where it says so.
        retry_after: Option<Duration>,
    },
    /// No connection, or a read without an answer, or none when the session was to be renewed first: nothing was changed.
    #[error("the service can't be reached: {cause}")]
    Unreachable {
        /// Why.
        #[source]
        cause: Cause,
    },
    /// Something that changes something was sent, and nobody knows what became of it, even after it was sent again.
    /// Send the same request under the same key ([`crate::Session::keyed`]): it is carried out once, whatever happened.
    #[error("nobody knows what became of the request: {because}")]
    Unknown {
        /// The key to ask again with; none where the service takes none: look at what was to be changed.
        idempotency_key: Option<String>,
        /// What happened last.
        #[source]
        because: Box<Error>,
    },
    /// An answer that is not what the API promises.
    #[error("an answer ({status}) can't be read: {reason}")]
    Unreadable {
        /// The HTTP status.
        status: u16,
        /// What is wrong, with the field's path.
        reason: String,
        /// Names the request in the service's logs, for support.
        request_id: Option<String>,
    },
    /// A stream or download broke before its end.
    #[error("cut off before the end: {cause}")]
    CutOff {
        /// Why.
        #[source]
        cause: Cause,
    },
    /// The session is over and can't be renewed: log in again.
    #[error("the session has ended, log in again")]
    SessionEnded,
    /// What was waited for had not come at the deadline.
    #[error("{what} is still under way")]
    Overdue {
        /// What.
        what: String,
    },
    /// The request can't be made: an address, a header or a body that is none.
    #[error("the request can't be made: {reason}")]
    Invalid {
        /// Why.
        reason: String,
    },
}

/// A field that the service did not take.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FieldFault {
    /// Its path: `passengers[0].dob`.
    pub field: String,
    /// What is wrong with it.
    pub reason: String,
}

pub(crate) fn cause(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Cause {
    error.into().into()
}

/// An error of what came in an answer of this status.
pub(crate) fn unreadable(status: u16, reason: String) -> Error {
    Error::Unreadable { status, reason, request_id: None }
}

impl Error {
    /// The HTTP status, where the service refused.
    pub fn status(&self) -> Option<u16> {
        match self {
            Self::Refused { status, .. } => Some(*status),
            _ => None,
        }
    }

    /// What names the request in the service's logs, where it answered.
    pub fn request_id(&self) -> Option<&str> {
        match self {
            Self::Refused { request_id, .. } | Self::Unreadable { request_id, .. } => request_id.as_deref(),
            Self::Unknown { because, .. } => because.request_id(),
            _ => None,
        }
    }

    /// Whether the wallet can't pay for it (402).
    pub fn is_insufficient_funds(&self) -> bool {
        self.status() == Some(402)
    }

    /// Whether there is no such thing, or it is another's (404).
    pub fn is_not_found(&self) -> bool {
        self.status() == Some(404)
    }

    /// The booking that a refusal names (409).
    pub fn booking_ref(&self) -> Option<&str> {
        match self {
            Self::Refused { data, .. } => data.as_ref()?.get("booking_ref")?.as_str(),
            _ => None,
        }
    }

    /// The fields that were at fault (422), none for any other error.
    pub fn field_faults(&self) -> Vec<FieldFault> {
        let Self::Refused { status: 422, text, .. } = self else { return Vec::new() };
        let listed = text.strip_prefix("code=422, message=[{").and_then(|rest| rest.strip_suffix("}]"));
        let faults = listed.into_iter().flat_map(|listed| listed.split("} {"));
        faults
            .map(|fault| {
                let (field, reason) = fault.split_once(' ').unwrap_or((fault, ""));
                FieldFault { field: field.to_owned(), reason: reason.to_owned() }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(status: u16, text: &str) -> Error {
        Error::Refused { status, text: text.to_owned(), data: None, request_id: None, retry_after: None }
    }

    #[test]
    fn each_field_at_fault_is_told_with_its_reason() {
        let text =
            "code=422, message=[{slices[0].origin this field is required} {adults must be between 1 and 9}]";
        let fault =
            |field: &str, reason: &str| FieldFault { field: field.to_owned(), reason: reason.to_owned() };
        assert_eq!(
            refused(422, text).field_faults(),
            [fault("slices[0].origin", "this field is required"), fault("adults", "must be between 1 and 9"),]
        );
        assert_eq!(refused(422, "idempotency key was used with a different request").field_faults(), []);
        assert_eq!(refused(409, text).field_faults(), []);
    }

    #[test]
    fn a_refusal_tells_what_it_is() {
        assert!(refused(402, "").is_insufficient_funds());
        assert!(refused(404, "").is_not_found());
        assert!(!refused(404, "").is_insufficient_funds());
        assert_eq!(Error::SessionEnded.status(), None);
    }
}
