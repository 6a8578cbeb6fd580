//! The list of hotel bookings.

use askama::Template;
use wayfare_client::hotels::HotelBooking;

use crate::{
    booking_list::{ListHead, ROWS, Wanted},
    filters,
    form::Fields,
    page::{self, Answer, Shell},
    session::Signed,
    side::Area,
};

#[derive(Template)]
#[template(path = "hotels/bookings.html")]
struct ListPage {
    shell: Shell,
    list: ListHead,
    rows: Vec<HotelBooking>,
}

/// `GET /console/hotels/bookings`: a reference that is typed leads to its booking.
pub async fn show(signed: Signed, fields: Fields) -> Answer {
    let mut wanted = Wanted::read("/console/hotels/bookings", fields);
    if let Some(elsewhere) = wanted.elsewhere("FA-", "/console/bookings") {
        return Ok(elsewhere);
    }
    let hotels = signed.session.hotels();
    let (shell, counts) =
        futures_util::try_join!(signed.shell("Hotel bookings", Area::Hotels), hotels.booking_counts())?;
    let found = match wanted.is_right() {
        true => {
            let list = hotels.bookings_where(&wanted.filter).per_page(ROWS);
            let read = list.page(wanted.number).await;
            wanted.found(read)?
        }
        false => None,
    };
    let bookings = found.iter().flat_map(|page| &page.items);
    if let Some(booking) = wanted.typed_whole(bookings.map(|booking| booking.booking_ref.as_str())) {
        return Ok(booking);
    }
    let (status, list) = wanted.head(&counts, found.as_ref(), false);
    let rows = found.map(|page| page.items).unwrap_or_default();
    page::html_with(status, &ListPage { shell, list, rows })
}
