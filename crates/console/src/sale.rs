//! What the sale of flights and the sale of stays share: why nothing was booked, and the page where nobody knows.

use actix_web::http::StatusCode;
use wayfare_client::Error;

use crate::{
    failure::{Words, words_of},
    form::Fields,
    page::Shell,
    session::Signed,
};

/// An answer is asked for again after so many seconds...
const AGAIN: u32 = 3;
const MOST_OFTEN: u32 = 40;

/// Why it was not booked.
pub struct Refused {
    pub words: Words,
    /// The booking that was there before.
    pub booking: Option<String>,
    /// Whether it may be booked all the same.
    pub is_duplicate: bool,
    /// Whether the price counts no more.
    pub wants_price: bool,
    pub address: String,
}

impl Refused {
    /// Of what the API said; after one of these statuses the price counts no more.
    pub fn of(error: &Error, ends_price: &[u16], address: String) -> (StatusCode, Self) {
        let status = error
            .status()
            .and_then(|status| StatusCode::from_u16(status).ok())
            .unwrap_or(StatusCode::SERVICE_UNAVAILABLE);
        let booking = error.booking_ref().map(str::to_owned);
        let words = words_of(error);
        let refused = Self {
            is_duplicate: booking.is_some() && words.text.to_lowercase().contains("duplicate"),
            wants_price: booking.is_none() && ends_price.contains(&status.as_u16()),
            booking,
            words,
            address,
        };
        (status, refused)
    }
}

/// How often was asked what became of a sale that nobody knows of.
pub struct Again {
    pub asked: u32,
    /// The page asks by itself after so many seconds.
    pub after: u32,
    pub is_asking: bool,
}

impl Again {
    /// Once more than the form says.
    pub fn of(fields: &Fields) -> Self {
        let asked = fields.number::<u32>("asked").unwrap_or(0).saturating_add(1);
        Self { asked, after: AGAIN, is_asking: asked <= MOST_OFTEN }
    }
}

/// What is round the page where nobody knows: who it is may be unknown as well now.
pub async fn shell_of_unknown(signed: &Signed, area: &'static str) -> Shell {
    let title = "We do not know yet";
    let shell = signed.shell(title, area).await;
    shell.unwrap_or_else(|_| signed.bare_shell(title, area))
}
