//! The list of flight bookings.

use wayfare_client::flights::FlightBookingRow;

use crate::{
    booked::Booked,
    booking_list::{self, ListHead, Place},
    prelude::*,
};

const PLACE: Place =
    Place { path: "/console/bookings", other: ("HTL-", "/console/hotels/bookings"), holds: true };

#[derive(Template)]
#[template(path = "bookings/list.html")]
struct ListPage {
    shell: Shell,
    list: ListHead,
    rows: Vec<FlightBookingRow>,
}

/// `GET /console/bookings`.
pub async fn show(signed: Signed, typed: Fields) -> Answer {
    let flights = signed.session.flights();
    let counts =
        async { futures_util::try_join!(signed.shell("Bookings", Area::Bookings), flights.booking_counts()) };
    let bookings = |filter: &_| flights.bookings_where(filter);
    booking_list::show(&PLACE, typed, counts, bookings, |shell, list, rows| ListPage { shell, list, rows })
        .await
}
