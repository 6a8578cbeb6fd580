//! The list of hotel bookings.

use actix_web::{HttpResponse, web::Query};
use askama::Template;
use wayfare_client::{enums::BookingStatus, hotels::HotelBooking};

use crate::{
    BASE, day,
    failure::Failure,
    form::Fields,
    money::money,
    page::{self, Pager, Shell, Status},
    see_other,
    session::Signed,
    today::status,
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
#[template(path = "hotels/bookings.html")]
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
    hotel: String,
    who: String,
    check_in: String,
    about: String,
    amount: String,
    status: Status,
}

impl Row {
    fn of(booking: &HotelBooking) -> Self {
        let first = booking.guests.first();
        let name = first.map(|first| format!("{} {}", first.first_name, first.last_name));
        let name = name.map(|name| name.trim().to_owned());
        let name = name
            .filter(|name| !name.is_empty())
            .unwrap_or_else(|| "Erased".to_owned());
        Self {
            reference: booking.booking_ref.clone(),
            hotel: booking.hotel_name.clone(),
            who: match booking.guests.len() {
                0 | 1 => name,
                count => format!("{name} + {}", count - 1),
            },
            check_in: day::day(booking.check_in),
            about: super::booking::nights_and_rooms(booking.nights, booking.room_count),
            amount: money(booking.public_fare, &booking.currency),
            status: status(&booking.status),
        }
    }
}

/// `GET /console/hotels/bookings`: a reference that is typed leads to its booking.
pub async fn show(signed: Signed, query: Query<Vec<(String, String)>>) -> Result<HttpResponse, Failure> {
    let fields = Fields(query.into_inner());
    let reference = fields.get("q").to_ascii_uppercase();
    let is_path = reference
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let hotels = signed.session.hotels();
    if !reference.is_empty() && is_path {
        match hotels.booking(&reference).await {
            Ok(_) => return Ok(see_other(&format!("{BASE}/hotels/bookings/{reference}"))),
            Err(error) if error.is_not_found() => {}
            Err(error) => return Err(error.into()),
        }
    }
    let wanted = TABS.into_iter().find(|(word, _)| *word == fields.get("status"));
    let wanted = wanted.map_or("", |(word, _)| word);
    let in_state = |word: &str| (!word.is_empty()).then(|| BookingStatus::from(word));
    let list = hotels.bookings(in_state(wanted)).per_page(ROWS);
    let number = fields.number("page").unwrap_or(1);
    let counts = TABS.map(|(word, _)| {
        let list = hotels.bookings(in_state(word)).per_page(1);
        async move { list.page(1).await.map(|page| page.total) }
    });
    let (shell, page, counts) = futures_util::try_join!(
        signed.shell("Hotel bookings", "hotels"),
        list.page(number),
        futures_util::future::try_join_all(counts),
    )?;
    let tabs = TABS.into_iter().zip(counts).map(|((word, name), count)| Tab {
        name,
        address: format!("{BASE}/hotels/bookings?status={word}"),
        count,
        is_current: word == wanted,
    });
    page::html(&ListPage {
        shell,
        tabs: tabs.collect(),
        pager: Pager::of(&page, &format!("{BASE}/hotels/bookings?status={wanted}")),
        rows: page.items.iter().map(Row::of).collect(),
        is_missing: !reference.is_empty(),
        reference,
    })
}
