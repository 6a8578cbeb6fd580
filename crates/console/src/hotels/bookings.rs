//! The list of hotel bookings.

use wayfare_client::hotels::HotelBookingRow;

use crate::{
    booked::Booked,
    booking_list::{self, ListHead, Place},
    prelude::*,
};

const PLACE: Place =
    Place { path: "/console/hotels/bookings", other: ("FA-", "/console/bookings"), holds: false };

#[derive(Template)]
#[template(path = "hotels/bookings.html")]
struct ListPage {
    shell: Shell,
    list: ListHead,
    rows: Vec<HotelBookingRow>,
}

/// `GET /console/hotels/bookings`.
pub async fn show(signed: Signed, typed: Fields) -> Answer {
    let hotels = signed.session.hotels();
    let counts = async {
        futures_util::try_join!(signed.shell("Hotel bookings", Area::Hotels), hotels.booking_counts())
    };
    let bookings = |filter: &_| hotels.bookings_where(filter);
    booking_list::show(&PLACE, typed, counts, bookings, |shell, list, rows| ListPage { shell, list, rows })
        .await
}
