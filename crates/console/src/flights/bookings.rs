//! The list of flight bookings.

use actix_web::{HttpResponse, web::Query};
use askama::Template;
use wayfare_client::flights::FlightBookingRow;

use crate::{
    booking_list::{ListHead, ROWS, Wanted},
    day::Moment,
    failure::Failure,
    form::Fields,
    page::{self, Shell, Status},
    payment::Cost,
    session::Signed,
    today::{cost, status_of_row, travellers},
};

#[derive(Template)]
#[template(path = "bookings/list.html")]
struct ListPage {
    shell: Shell,
    list: ListHead,
    rows: Vec<Row>,
}

struct Row {
    reference: String,
    pnr: String,
    route: String,
    who: String,
    booked: Option<Moment>,
    cost: Cost,
    status: Status,
}

impl Row {
    fn of(booking: &FlightBookingRow) -> Self {
        Self {
            reference: booking.booking_ref.clone(),
            pnr: booking.pnr.clone(),
            route: format!("{} – {}", booking.origin, booking.destination),
            who: travellers(booking),
            booked: booking.booked_at.map(Moment::of),
            cost: cost(booking),
            status: status_of_row(booking),
        }
    }
}

/// `GET /console/bookings`: a reference that is typed leads to its booking.
pub async fn show(signed: Signed, query: Query<Vec<(String, String)>>) -> Result<HttpResponse, Failure> {
    let mut wanted = Wanted::read("/console/bookings", Fields(query.into_inner()));
    if let Some(elsewhere) = wanted.elsewhere("HTL-", "/console/hotels/bookings") {
        return Ok(elsewhere);
    }
    let flights = signed.session.flights();
    let (shell, counts) =
        futures_util::try_join!(signed.shell("Bookings", "bookings"), flights.booking_counts())?;
    let found = match wanted.is_right() {
        true => {
            let list = flights.bookings_where(&wanted.filter).per_page(ROWS);
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
    let (status, list) = wanted.head(&counts, found.as_ref(), true);
    page::html_with(status, &ListPage { shell, list, rows })
}
