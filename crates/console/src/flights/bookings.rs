//! The list of flight bookings.

use askama::Template;
use wayfare_client::flights::FlightBookingRow;

use crate::{
    booking_list::{ListHead, ROWS, Wanted},
    filters,
    form::Fields,
    page::{self, Answer, Shell},
    session::Signed,
    side::Area,
};

#[derive(Template)]
#[template(path = "bookings/list.html")]
struct ListPage {
    shell: Shell,
    list: ListHead,
    rows: Vec<FlightBookingRow>,
}

/// `GET /console/bookings`: a reference that is typed leads to its booking.
pub async fn show(signed: Signed, fields: Fields) -> Answer {
    let mut wanted = Wanted::read("/console/bookings", fields);
    if let Some(elsewhere) = wanted.elsewhere("HTL-", "/console/hotels/bookings") {
        return Ok(elsewhere);
    }
    let flights = signed.session.flights();
    let (shell, counts) =
        futures_util::try_join!(signed.shell("Bookings", Area::Bookings), flights.booking_counts())?;
    let found = match wanted.is_right() {
        true => {
            let list = flights.bookings_where(&wanted.filter).per_page(ROWS);
            let read = list.page(wanted.number).await;
            wanted.found(read)?
        }
        false => None,
    };
    let bookings = found.iter().flat_map(|page| &page.items);
    if let Some(booking) = wanted.typed_whole(bookings.map(|booking| booking.booking_ref.as_str())) {
        return Ok(booking);
    }
    let (status, list) = wanted.head(&counts, found.as_ref(), true);
    let rows = found.map(|page| page.items).unwrap_or_default();
    page::html_with(status, &ListPage { shell, list, rows })
}
