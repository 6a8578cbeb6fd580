//! The list of flight bookings.

use actix_web::{HttpResponse, web::Query};
use askama::Template;
use wayfare_client::{enums::BookingStatus, flights::FlightBookingRow};

use crate::{
    BASE,
    day::Moment,
    failure::Failure,
    form::Fields,
    money::money,
    page::{self, Pager, Shell, Status},
    see_other,
    session::Signed,
    today::{status_of_row, travellers},
};

/// Rows of a page.
const ROWS: u32 = 25;

/// Which bookings, with the name of their tab.
const TABS: [(&str, &str); 5] = [
    ("", "All"),
    ("pending", "Being confirmed"),
    ("confirmed", "Confirmed"),
    ("cancelled", "Cancelled"),
    ("failed", "Failed"),
];

#[derive(Template)]
#[template(path = "bookings/list.html")]
struct ListPage {
    shell: Shell,
    tabs: Vec<Tab>,
    rows: Vec<Row>,
    pager: Pager,
    reference: String,
    is_missing: bool,
}

struct Tab {
    name: &'static str,
    address: String,
    count: u64,
    is_current: bool,
}

struct Row {
    reference: String,
    pnr: String,
    route: String,
    who: String,
    booked: Option<Moment>,
    amount: String,
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
            amount: money(booking.public_fare, &booking.currency),
            status: status_of_row(booking),
        }
    }
}

/// `GET /console/bookings`: a reference that is typed leads to its booking.
pub async fn show(signed: Signed, query: Query<Vec<(String, String)>>) -> Result<HttpResponse, Failure> {
    let fields = Fields(query.into_inner());
    let reference = fields.get("q").to_ascii_uppercase();
    let is_path = reference
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let mut is_missing = !reference.is_empty();
    if is_missing && is_path {
        match signed.session.flights().booking(&reference).await {
            Ok(_) => return Ok(see_other(&format!("{BASE}/bookings/{reference}"))),
            Err(error) if error.is_not_found() => {}
            Err(error) => return Err(error.into()),
        }
    } else if !is_path {
        is_missing = true;
    }
    let wanted = TABS.into_iter().find(|(word, _)| *word == fields.get("status"));
    let wanted = wanted.map_or("", |(word, _)| word);
    let flights = signed.session.flights();
    let in_state = |word: &str| (!word.is_empty()).then(|| BookingStatus::from(word));
    let list = flights.bookings(in_state(wanted)).per_page(ROWS);
    let number = fields.number("page").unwrap_or(1);
    let counts = TABS.map(|(word, _)| {
        let list = flights.bookings(in_state(word)).per_page(1);
        async move { list.page(1).await.map(|page| page.total) }
    });
    let (shell, page, counts) = futures_util::try_join!(
        signed.shell("Bookings", "bookings"),
        list.page(number),
        futures_util::future::try_join_all(counts),
    )?;
    let tabs = TABS.into_iter().zip(counts).map(|((word, name), count)| Tab {
        name,
        address: format!("{BASE}/bookings?status={word}"),
        count,
        is_current: word == wanted,
    });
    page::html(&ListPage {
        shell,
        tabs: tabs.collect(),
        pager: Pager::of(&page, &format!("{BASE}/bookings?status={wanted}")),
        rows: page.items.iter().map(Row::of).collect(),
        reference,
        is_missing,
    })
}
