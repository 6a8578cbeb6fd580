//! The first page: what needs somebody, what there is to spend, what was sold last.

use actix_web::{
    HttpResponse,
    web::{self, ServiceConfig},
};
use askama::Template;
use wayfare_client::{
    Wallet,
    enums::{BookingStatus, HoldState},
    flights::FlightBookingRow,
};

use crate::{
    day::Moment,
    failure::Failure,
    money::money,
    page::{self, Shell, Status},
    session::Signed,
};

/// So many bookings are looked at, the newest.
const NEWEST: u32 = 50;
/// So many are shown.
const SHOWN: usize = 8;

/// Mounts it.
pub fn mount(config: &mut ServiceConfig) {
    config.service(web::resource("").get(show));
    config.service(web::resource("/").get(show));
}

#[derive(Template)]
#[template(path = "today.html")]
struct TodayPage {
    shell: Shell,
    money: Money,
    waiting: Vec<Waiting>,
    newest: Vec<Row>,
}

/// What a wallet has, in words.
pub struct Money {
    /// What can be paid now.
    pub spendable: String,
    /// What is in it.
    pub balance: String,
    /// What is set aside.
    pub held: String,
    /// What may be spent beyond that; none where nothing may.
    pub credit: Option<String>,
    /// Whether it pays at all.
    pub is_active: bool,
}

impl Money {
    /// Of a wallet.
    pub fn of(wallet: &Wallet) -> Self {
        let text = |amount| money(amount, &wallet.currency);
        Self {
            spendable: text(wallet.spendable.unwrap_or(wallet.balance)),
            balance: text(wallet.balance),
            held: text(wallet.held.unwrap_or_default()),
            credit: (!wallet.credit_limit.0.is_zero()).then(|| text(wallet.credit_limit)),
            is_active: wallet.is_active,
        }
    }
}

/// Something that needs somebody.
struct Waiting {
    status: Status,
    reference: String,
    what: String,
    text: &'static str,
    until: Option<Moment>,
}

struct Row {
    reference: String,
    route: String,
    who: String,
    booked: Option<Moment>,
    amount: String,
    status: Status,
}

/// `GET /console`.
async fn show(signed: Signed) -> Result<HttpResponse, Failure> {
    let flights = signed.session.flights();
    let bookings = flights.bookings(None).per_page(NEWEST);
    let wallet = signed.session.wallet();
    let (shell, wallet, bookings) =
        futures_util::try_join!(signed.shell("Today", "today"), wallet.read(), bookings.page(1))?;
    page::html(&TodayPage {
        shell,
        money: Money::of(&wallet),
        waiting: bookings.items.iter().filter_map(waiting).collect(),
        newest: bookings.items.iter().take(SHOWN).map(row).collect(),
    })
}

fn route(booking: &FlightBookingRow) -> String {
    format!("{} – {}", booking.origin, booking.destination)
}

/// The first traveller's name, and how many come along.
pub fn travellers(booking: &FlightBookingRow) -> String {
    let first = booking.passengers.first();
    let name = first.map(|first| format!("{} {}", first.first_name, first.last_name));
    let name = name
        .map(|name| name.trim().to_owned())
        .filter(|name| !name.is_empty());
    let name = name.unwrap_or_else(|| "Erased".to_owned());
    match booking.passenger_count {
        0 | 1 => name,
        count => format!("{name} + {}", count - 1),
    }
}

/// Where a booking stands.
pub fn status(booking: &BookingStatus) -> Status {
    match booking {
        BookingStatus::Pending => Status::new("warn", "◐", "Being confirmed"),
        BookingStatus::Confirmed => Status::new("ok", "●", "Confirmed"),
        BookingStatus::Cancelled => Status::new("", "✕", "Cancelled"),
        BookingStatus::Failed => Status::new("bad", "✕", "Failed"),
        other => Status::new("", "?", other.as_str()),
    }
}

/// The same of a row, whose hold says more.
pub fn status_of_row(booking: &FlightBookingRow) -> Status {
    let is_held = booking
        .hold
        .as_ref()
        .is_some_and(|hold| hold.state == HoldState::Held);
    match is_held && booking.status == BookingStatus::Confirmed {
        true => Status::new("info", "○", "Held"),
        false => status(&booking.status),
    }
}

fn row(booking: &FlightBookingRow) -> Row {
    Row {
        reference: booking.booking_ref.clone(),
        route: route(booking),
        who: travellers(booking),
        booked: booking.booked_at.map(Moment::of),
        amount: money(booking.public_fare, &booking.currency),
        status: status_of_row(booking),
    }
}

fn waiting(booking: &FlightBookingRow) -> Option<Waiting> {
    let held = booking.hold.as_ref().filter(|hold| hold.state == HoldState::Held);
    let (status, text, until) = if booking.status == BookingStatus::Pending {
        let status = Status::new("warn", "◐", "Being confirmed");
        (
            status,
            "The supplier has not answered yet. Do not book it again.",
            None,
        )
    } else if booking.has_open_change {
        (
            Status::new("bad", "!", "Changed"),
            "The airline has changed flights.",
            None,
        )
    } else if !booking.pending.is_empty() {
        (
            Status::new("warn", "◐", "Under way"),
            "The supplier has not answered yet.",
            None,
        )
    } else if let Some(hold) = held {
        let text = match hold.auto_ticket {
            true => "Held. Its tickets are issued by themselves in time.",
            false => "Held. Issue the tickets, or it lapses.",
        };
        (
            Status::new("info", "○", "Held"),
            text,
            hold.pay_by.map(Moment::of),
        )
    } else {
        return None;
    };
    Some(Waiting {
        status,
        reference: booking.booking_ref.clone(),
        what: format!("{}, {}", route(booking), travellers(booking)),
        text,
        until,
    })
}
