//! The list of hotel bookings.

use actix_web::{HttpResponse, web::Query};
use askama::Template;
use wayfare_client::hotels::HotelBooking;

use crate::{
    booking_list::{ListHead, ROWS, Wanted},
    day,
    failure::Failure,
    form::Fields,
    page::{self, Shell, Status},
    payment::Cost,
    session::Signed,
    today::{cost_of_stay, guests, status},
};

#[derive(Template)]
#[template(path = "hotels/bookings.html")]
struct ListPage {
    shell: Shell,
    list: ListHead,
    rows: Vec<Row>,
}

struct Row {
    reference: String,
    hotel: String,
    who: String,
    check_in: String,
    about: String,
    cost: Cost,
    status: Status,
}

impl Row {
    fn of(booking: &HotelBooking) -> Self {
        Self {
            reference: booking.booking_ref.clone(),
            hotel: booking.hotel_name.clone(),
            who: guests(booking),
            check_in: day::day(booking.check_in),
            about: super::booking::nights_and_rooms(booking.nights, booking.room_count),
            cost: cost_of_stay(booking),
            status: status(&booking.status),
        }
    }
}

/// `GET /console/hotels/bookings`: a reference that is typed leads to its booking.
pub async fn show(signed: Signed, query: Query<Vec<(String, String)>>) -> Result<HttpResponse, Failure> {
    let mut wanted = Wanted::read("/console/hotels/bookings", Fields(query.into_inner()));
    if let Some(elsewhere) = wanted.elsewhere("FA-", "/console/bookings") {
        return Ok(elsewhere);
    }
    let hotels = signed.session.hotels();
    let (shell, counts) =
        futures_util::try_join!(signed.shell("Hotel bookings", "hotels"), hotels.booking_counts())?;
    let found = match wanted.is_right() {
        true => {
            let list = hotels.bookings_where(&wanted.filter).per_page(ROWS);
            let read = list.page(wanted.number).await;
            wanted.found(read)?
        }
        false => None,
    };
    let bookings = || found.iter().flat_map(|page| &page.items);
    if let Some(booking) = wanted.typed_whole(bookings().map(|booking| booking.booking_ref.as_str())) {
        return Ok(booking);
    }
    let rows = bookings().map(Row::of).collect();
    let (status, list) = wanted.head(&counts, found.as_ref(), false);
    page::html_with(status, &ListPage { shell, list, rows })
}
