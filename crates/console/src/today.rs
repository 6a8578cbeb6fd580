//! The first page: what needs somebody, what there is to spend, what was sold last.

use actix_web::web::{self, ServiceConfig};
use askama::Template;
use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use wayfare_client::{
    BookingFilter, Wallet,
    enums::{BookingGroup, BookingStatus, HoldState},
    flights::FlightBookingRow,
    hotels::HotelBooking,
};

use crate::{
    day::Moment,
    money::money,
    page::{self, Answer, Shell, Status},
    payment::Cost,
    session::Signed,
    side::Area,
    sums::Sums,
};

/// So many bookings of a kind that wait are shown, the newest; the lists have all of them.
const WAITING: u32 = 20;
/// So many that are on hold are added up.
const HELD: u32 = 100;
/// So many of the newest are shown.
const SHOWN: u32 = 8;

pub fn mount(config: &mut ServiceConfig) {
    config.service(web::resource("").get(show));
    config.service(web::resource("/").get(show));
}

#[derive(Template)]
#[template(path = "today.html")]
struct TodayPage {
    shell: Shell,
    money: Money,
    /// What was paid for bookings that are on hold; none where none are.
    held: Option<String>,
    waiting: Vec<Waiting>,
    newest: Vec<Row>,
}

pub struct Money {
    pub spendable: String,
    pub sums: Sums,
    pub is_active: bool,
}

impl Money {
    pub fn of(wallet: &Wallet) -> Self {
        let spendable = wallet.spendable.unwrap_or(wallet.balance);
        Self {
            spendable: money(spendable, &wallet.currency),
            sums: Sums::of(&wallet.currency)
                .line("Balance", wallet.balance)
                .line("Blocked for bookings being confirmed", -wallet.held.unwrap_or_default().0)
                .part("Credit limit", wallet.credit_limit)
                .total("Available balance", spendable),
            is_active: wallet.is_active,
        }
    }
}

struct Waiting {
    status: Status,
    reference: String,
    what: String,
    text: &'static str,
    until: Option<Moment>,
}

struct Row {
    at: Option<DateTime<Utc>>,
    reference: String,
    what: String,
    who: String,
    booked: Option<Moment>,
    cost: Cost,
    status: Status,
}

/// `GET /console`.
async fn show(signed: Signed) -> Answer {
    let (flights, hotels) = (signed.session.flights(), signed.session.hotels());
    let of = |group| BookingFilter { group: Some(group), ..BookingFilter::default() };
    let newest = BookingFilter::default();
    let flights_of = |filter: &BookingFilter, rows| flights.bookings_where(filter).per_page(rows);
    let stays_of = |filter: &BookingFilter, rows| hotels.bookings_where(filter).per_page(rows);
    let wallet = signed.session.wallet();
    let lists = (
        flights_of(&of(BookingGroup::NeedsAttention), WAITING),
        flights_of(&of(BookingGroup::OnHold), HELD),
        stays_of(&of(BookingGroup::NeedsAttention), WAITING),
        flights_of(&newest, SHOWN),
        stays_of(&newest, SHOWN),
    );
    let (shell, wallet, needing, held, stays_needing, flown, stayed) = futures_util::try_join!(
        signed.shell("Today", Area::Today),
        wallet.read(),
        lists.0.page(1),
        lists.1.page(1),
        lists.2.page(1),
        lists.3.page(1),
        lists.4.page(1),
    )?;
    // What is held and has time is shown below what needs somebody now.
    let is_other = |booking: &&FlightBookingRow| needing.items.iter().all(|known| known.id != booking.id);
    let paid_for_held = paid_for_held(&held);
    let held = held.items.iter().filter(is_other);
    let held = held.take(usize::try_from(WAITING).unwrap_or(usize::MAX));
    let waiting = needing.items.iter().chain(held).map(waiting);
    let stays = stays_needing.items.iter().map(waiting_stay);
    let mut newest: Vec<Row> = flown.items.iter().map(row).collect();
    newest.extend(stayed.items.iter().map(stay_row));
    // What is not booked yet is the newest.
    newest.sort_by_key(|row| std::cmp::Reverse(row.at.unwrap_or(DateTime::<Utc>::MAX_UTC)));
    newest.truncate(usize::try_from(SHOWN).unwrap_or(usize::MAX));
    page::html(&TodayPage {
        shell,
        money: Money::of(&wallet),
        held: paid_for_held,
        waiting: waiting.chain(stays).collect(),
        newest,
    })
}

/// What was paid for these bookings that are on hold; more than that, where there are more of them.
fn paid_for_held(held: &wayfare_client::Page<FlightBookingRow>) -> Option<String> {
    let first = held.items.first()?;
    let cost = |booking: &FlightBookingRow| booking.cost.as_ref().map(|settled| settled.net.0);
    let paid: Decimal = held.items.iter().filter_map(cost).sum();
    let paid = money(paid.into(), &first.currency);
    let is_all = usize::try_from(held.total).is_ok_and(|total| total <= held.items.len());
    Some(match is_all {
        true => paid,
        false => format!("more than {paid}"),
    })
}

fn route(booking: &FlightBookingRow) -> String {
    format!("{} – {}", booking.origin, booking.destination)
}

/// The first traveller's name, and how many come along.
pub fn travellers(booking: &FlightBookingRow) -> String {
    let first = booking.passengers.first();
    let first = first.map(|first| (first.first_name.as_str(), first.last_name.as_str()));
    party(first, usize::try_from(booking.passenger_count).unwrap_or_default())
}

/// The first guest's name, and how many come along.
pub fn guests(booking: &HotelBooking) -> String {
    let first = booking.guests.first();
    let first = first.map(|first| (first.first_name.as_str(), first.last_name.as_str()));
    party(first, booking.guests.len())
}

fn party(first: Option<(&str, &str)>, count: usize) -> String {
    let name = first.map(|(first, last)| format!("{first} {last}").trim().to_owned());
    let name = name.filter(|name| !name.is_empty());
    let name = name.unwrap_or_else(|| "Erased".to_owned());
    match count {
        0 | 1 => name,
        count => format!("{name} + {}", count - 1),
    }
}

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
    let is_held = booking.hold.as_ref().is_some_and(|hold| hold.state == HoldState::Held);
    match is_held && booking.status == BookingStatus::Confirmed {
        true => Status::new("info", "○", "Held"),
        false => status(&booking.status),
    }
}

/// What a booking has cost until now.
pub fn cost(booking: &FlightBookingRow) -> Cost {
    let total = booking.total_payable.unwrap_or(booking.public_fare);
    Cost::of(&booking.status, total, booking.cost.as_ref(), &booking.currency)
}

pub fn cost_of_stay(booking: &HotelBooking) -> Cost {
    Cost::of(&booking.status, booking.total_amount, booking.cost.as_ref(), &booking.currency)
}

fn row(booking: &FlightBookingRow) -> Row {
    Row {
        at: booking.booked_at,
        reference: booking.booking_ref.clone(),
        what: route(booking),
        who: travellers(booking),
        booked: booking.booked_at.map(Moment::of),
        cost: cost(booking),
        status: status_of_row(booking),
    }
}

fn stay_row(booking: &HotelBooking) -> Row {
    Row {
        at: booking.booked_at,
        reference: booking.booking_ref.clone(),
        what: booking.hotel_name.clone(),
        who: guests(booking),
        booked: booking.booked_at.map(Moment::of),
        cost: cost_of_stay(booking),
        status: status(&booking.status),
    }
}

/// The supplier has not answered, whatever was asked for.
fn unanswered(is_booked: bool) -> (Status, &'static str) {
    match is_booked {
        false => (
            Status::new("warn", "◐", "Being confirmed"),
            "The supplier has not answered yet. Do not book it again.",
        ),
        true => (Status::new("warn", "◐", "Under way"), "The supplier has not answered yet."),
    }
}

/// What needs somebody and is seen in no field of its row.
fn refused() -> (Status, &'static str) {
    (Status::new("bad", "!", "Refused"), "The supplier refused to give money back. The booking stands.")
}

fn waiting(booking: &FlightBookingRow) -> Waiting {
    let held = booking.hold.as_ref().filter(|hold| hold.state == HoldState::Held);
    let is_pending = booking.status == BookingStatus::Pending;
    let (status, text) = match held {
        _ if is_pending => unanswered(false),
        _ if booking.has_open_change => {
            (Status::new("bad", "!", "Changed"), "The airline has changed flights.")
        }
        _ if !booking.pending.is_empty() => unanswered(true),
        Some(hold) if hold.auto_ticket => {
            (Status::new("info", "○", "Held"), "Held. Its tickets are issued by themselves in time.")
        }
        Some(_) => (Status::new("info", "○", "Held"), "Held. Issue the tickets, or it lapses."),
        None => refused(),
    };
    Waiting {
        status,
        reference: booking.booking_ref.clone(),
        what: format!("{}, {}", route(booking), travellers(booking)),
        text,
        until: held.and_then(|hold| hold.pay_by).map(Moment::of),
    }
}

fn waiting_stay(booking: &HotelBooking) -> Waiting {
    let (status, text) = match booking.status {
        BookingStatus::Pending => unanswered(false),
        _ if !booking.pending.is_empty() => unanswered(true),
        _ => refused(),
    };
    Waiting {
        status,
        reference: booking.booking_ref.clone(),
        what: format!("{}, {}", booking.hotel_name, guests(booking)),
        text,
        until: None,
    }
}
