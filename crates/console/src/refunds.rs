//! Money on its way back, of flights and of stays: a row for each supplier order that was given back.

use wayfare_client::{List, enums::RefundStatus, flights::RefundRow};

use crate::{page::Tabs, prelude::*};

const ROWS: u32 = 25;

/// In which state, with the name of its tab.
pub const TABS: [(&str, &str); 5] = [
    ("", "All"),
    ("pending", "Waiting"),
    ("processing", "At the supplier"),
    ("refunded", "In the wallet"),
    ("failed", "Refused"),
];

pub fn mount(config: &mut ServiceConfig) {
    config
        .service(web::resource("/refunds").get(of_flights))
        .service(web::resource("/hotels/refunds").get(of_stays));
}

#[derive(Template)]
#[template(path = "refunds.html")]
struct RefundsPage {
    shell: Shell,
    is_of_stays: bool,
    bookings: &'static str,
    tabs: Tabs,
    rows: Vec<RefundRow>,
    pager: Pager,
}

pub fn status(refund: &RefundStatus) -> Status {
    match refund {
        RefundStatus::Pending => Status::new("warn", "◐", "Waits for its turn"),
        RefundStatus::Processing => Status::new("warn", "◐", "The supplier is asked"),
        RefundStatus::Refunded => Status::new("ok", "●", "In the wallet"),
        RefundStatus::Failed => Status::new("bad", "✕", "Refused, nothing came back"),
        other => Status::new("", "?", other.as_str()),
    }
}

/// `GET /console/refunds`.
async fn of_flights(signed: Signed, typed: Fields) -> Answer {
    let flights = signed.session.flights();
    let list = match state(&typed) {
        "" => flights.refunds(),
        word => flights.refunds_in(&RefundStatus::from(word)),
    };
    show(&signed, &typed, list, false).await
}

/// `GET /console/hotels/refunds`.
async fn of_stays(signed: Signed, typed: Fields) -> Answer {
    let hotels = signed.session.hotels();
    let list = match state(&typed) {
        "" => hotels.refunds(),
        word => hotels.refunds_in(&RefundStatus::from(word)),
    };
    show(&signed, &typed, list, true).await
}

/// The word of the tab that is wanted.
fn state(typed: &Fields) -> &'static str {
    typed.one_of("status", &TABS).unwrap_or_default()
}

async fn show(signed: &Signed, typed: &Fields, list: List<RefundRow>, is_of_stays: bool) -> Answer {
    let (wanted, number) = (state(typed), typed.number("page").unwrap_or(1));
    let list = list.per_page(ROWS);
    let (shell, page) = futures_util::try_join!(signed.shell("Refunds", Area::Bookings), list.page(number))?;
    let (place, bookings) = match is_of_stays {
        true => ("/console/hotels/refunds", "/console/hotels/bookings"),
        false => ("/console/refunds", "/console/bookings"),
    };
    let address = |word: &str| format!("{place}?status={word}");
    page::html(&RefundsPage {
        shell,
        is_of_stays,
        bookings,
        tabs: Tabs::of("State", &TABS, wanted, address),
        pager: Pager::of(&page, &address(wanted)),
        rows: page.items,
    })
}
