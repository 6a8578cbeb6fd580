//! Giving a booking back: what it costs first, then the button that says what comes back.

use actix_web::{
    HttpResponse,
    http::StatusCode,
    web::{Form, Path},
};
use askama::Template;
use uuid::Uuid;
use wayfare_client::Error;

use crate::{
    BASE,
    failure::{Failure, Words, words_of},
    form::Fields,
    money::money,
    page::{self, Shell},
    see_other,
    session::Signed,
};

#[derive(Template)]
#[template(path = "bookings/cancel.html")]
struct CancelPage {
    shell: Shell,
    reference: String,
    paid: String,
    kept: String,
    back: String,
    key: String,
    refused: Option<Words>,
}

async fn page_of(signed: &Signed, reference: &str, refused: Option<Words>) -> Result<CancelPage, Failure> {
    let flights = signed.session.flights();
    let (shell, booking, penalty) = futures_util::try_join!(
        signed.shell("Cancel", "bookings"),
        flights.booking(reference),
        flights.penalty(reference),
    )?;
    let text = |amount| money(amount, &penalty.currency);
    Ok(CancelPage {
        shell,
        reference: booking.booking_ref,
        paid: money(booking.pricing.total_payable, &booking.pricing.currency),
        kept: text(penalty.penalty),
        back: text(penalty.refund_amount),
        key: Uuid::new_v4().to_string(),
        refused,
    })
}

/// `GET /console/bookings/{ref}/cancel`: nothing is cancelled by looking at it.
pub async fn show(signed: Signed, reference: Path<String>) -> Result<HttpResponse, Failure> {
    page::html(&page_of(&signed, &reference, None).await?)
}

/// `POST /console/bookings/{ref}/cancel`, under the form's key, so that a form that comes twice cancels once.
pub async fn carry_out(
    signed: Signed,
    reference: Path<String>,
    sent: Form<Vec<(String, String)>>,
) -> Result<HttpResponse, Failure> {
    let fields = Fields(sent.into_inner());
    let key = fields.key()?;
    let session = signed.session.keyed(key);
    match session.flights().cancel(&reference).await {
        // What is not known yet is seen on the booking.
        Ok(_) | Err(Error::Unknown { .. }) => {
            Ok(see_other(&format!("{BASE}/bookings/{reference}?done=cancelled")))
        }
        Err(error) if matches!(error.status(), Some(400 | 409)) => {
            let shown = page_of(&signed, &reference, Some(words_of(&error))).await?;
            page::html_with(StatusCode::CONFLICT, &shown)
        }
        Err(error) => Err(error.into()),
    }
}
