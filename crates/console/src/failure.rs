//! What can go wrong, and how a person reads it: what happened, what did not happen, and what to do.

use std::{fmt, time::Duration};

use actix_web::{HttpResponse, ResponseError, body::BoxBody, http::StatusCode};
use wayfare_client::Error;

#[derive(Clone, Debug)]
pub enum Failure {
    /// The API did not do it.
    Service(Box<Error>),
    /// Nobody is logged in.
    SignedOut,
    NoPage,
    OtherSite,
    /// What the page was made of is not kept any more; the text says what to do.
    Gone(&'static str),
    Broken(String),
}

impl Failure {
    pub fn broken(why: &str) -> Self {
        Self::Broken(why.to_owned())
    }
}

/// What a page needs, or why there is none.
pub type Result<T, E = Failure> = std::result::Result<T, E>;

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::SessionEnded => Self::SignedOut,
            other => Self::Service(Box::new(other)),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Service(error) => error.fmt(f),
            Self::SignedOut => f.write_str("nobody is logged in"),
            Self::NoPage => f.write_str("there is no such page"),
            Self::OtherSite => f.write_str("another site has sent the form"),
            Self::Gone(text) => f.write_str(text),
            Self::Broken(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Failure {}

impl ResponseError for Failure {
    fn status_code(&self) -> StatusCode {
        match self {
            Self::Service(error) => status_of(error),
            Self::SignedOut => StatusCode::UNAUTHORIZED,
            Self::NoPage => StatusCode::NOT_FOUND,
            Self::OtherSite => StatusCode::FORBIDDEN,
            Self::Gone(_) => StatusCode::GONE,
            Self::Broken(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    fn error_response(&self) -> HttpResponse<BoxBody> {
        HttpResponse::new(self.status_code())
    }
}

fn status_of(error: &Error) -> StatusCode {
    match error {
        Error::Refused { status, .. } => {
            StatusCode::from_u16(*status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
        }
        Error::Unreachable { .. } | Error::CutOff { .. } | Error::Unknown { .. } => {
            StatusCode::SERVICE_UNAVAILABLE
        }
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// Whether the API refuses it for what was asked, and not for who asks or when.
pub fn is_refusal(error: &Error) -> bool {
    matches!(error.status(), Some(400 | 409 | 422))
}

pub struct Words {
    pub title: String,
    pub text: String,
    /// Names the request in the service's logs.
    pub request_id: Option<String>,
    /// How long to wait, where that is known.
    pub retry_after: Option<Duration>,
}

impl Words {
    pub fn of(title: &str, text: &str) -> Self {
        Self { title: title.to_owned(), text: text.to_owned(), request_id: None, retry_after: None }
    }
}

/// What the API says to somebody whose password somebody else knows.
pub const OWN_PASSWORD: &str = "set your own password first";

pub fn words_of(error: &Error) -> Words {
    let (title, text): (&str, String) = match error {
        Error::Refused { status: 403, text, .. } if text.contains(OWN_PASSWORD) => (
            "Set your own password first",
            "Nothing was changed. Somebody else knows the password that you were given: set another one in your profile, \
             log in with it, and try again."
                .to_owned(),
        ),
        Error::Refused { status: 403, .. } => (
            "You may not see this",
            "An admin of your agency may. Ask one of them, or go back.".to_owned(),
        ),
        Error::Refused { status: 404, .. } => (
            "There is nothing here",
            "It does not exist, or it belongs to somebody else. Check the reference.".to_owned(),
        ),
        Error::Refused {
            status: 402, text, ..
        } => (
            "The wallet can't pay for this",
            format!("Nothing was booked and nothing was charged: {text}."),
        ),
        Error::Refused { status: 429, .. } => (
            "Too many requests",
            "The service takes only so many a minute from one person. Nothing was changed.".to_owned(),
        ),
        Error::Refused {
            status: 503, text, ..
        } => (
            "The service is busy or a supplier does not answer",
            format!("Nothing was changed: {text}. Try again in a moment."),
        ),
        Error::Refused {
            status: 500..=599, ..
        } => (
            "Something went wrong at our end",
            "Look at what you wanted to change before you try it again.".to_owned(),
        ),
        Error::Refused { text, .. } => ("That can't be done", format!("{}.", sentence(text))),
        Error::Unreachable { .. } => (
            "The service can't be reached",
            "Nothing was changed. Try again in a moment.".to_owned(),
        ),
        Error::Unknown { .. } => (
            "We do not know yet whether this was done",
            "The service did not answer in time. Look at your bookings before you do it again.".to_owned(),
        ),
        Error::CutOff { .. } => (
            "The answer was cut off",
            "What you see may be a part. Load the page again.".to_owned(),
        ),
        _ => (
            "Something went wrong at our end",
            "Nothing was changed, as far as we know. Try again.".to_owned(),
        ),
    };
    let retry_after = match error {
        Error::Refused { retry_after, .. } => *retry_after,
        _ => None,
    };
    Words { title: title.to_owned(), text, request_id: error.request_id().map(str::to_owned), retry_after }
}

/// A text of the API with a capital letter and without its own stop.
pub fn sentence(text: &str) -> String {
    let text = text.trim().trim_end_matches('.');
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

impl Failure {
    /// Whether the agency's subscription does not include what was asked for.
    pub fn is_without_portal(&self) -> bool {
        let Self::Service(error) = self else { return false };
        matches!(&**error, Error::Refused { status: 403, text, .. } if text.contains("does not include portal access"))
    }

    pub fn words(&self) -> Words {
        match self {
            Self::Service(error) => words_of(error),
            Self::SignedOut => Words::of("You are logged out", "Log in again to go on."),
            Self::NoPage => Words::of("There is no such page", "Check the address, or begin at the start."),
            Self::OtherSite => Words::of(
                "This form came from another site",
                "Nothing was changed. Open the page here and send the form from there.",
            ),
            Self::Gone(text) => Words::of("This is not kept any more", text),
            Self::Broken(_) => Words::of(
                "Something went wrong at our end",
                "Nothing was changed, as far as we know. Try again.",
            ),
        }
    }
}
