//! A booking to be printed: what a traveller takes along, without the agency's money.

use super::booking::BookingView;
use crate::prelude::*;

#[derive(Template)]
#[template(path = "bookings/print.html")]
struct PrintPage {
    shell: Shell,
    booking: BookingView,
    printed_by: String,
}

/// `GET /console/bookings/{ref}/print`.
pub async fn show(signed: Signed, reference: Path<String>) -> Answer {
    let (title, flights) = (format!("Itinerary {reference}"), signed.session.flights());
    let (shell, booking) =
        futures_util::try_join!(signed.shell(&title, Area::Bookings), flights.booking(&reference))?;
    let printed_by = shell.person.as_ref().map(|person| person.name.clone());
    page::html(&PrintPage {
        shell,
        booking: BookingView::of(booking, &[]),
        printed_by: printed_by.unwrap_or_default(),
    })
}
