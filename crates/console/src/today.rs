//! The first page: what needs somebody, what there is to spend, what was sold last.

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use wayfare_client::{BookingFilter, Wallet, enums::BookingGroup, flights::FlightBookingRow};

use crate::{booked::Booked, prelude::*};

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
    waiting: Vec<Box<dyn Booked>>,
    newest: Vec<Box<dyn Booked>>,
}

pub struct Money {
    pub spendable: String,
    pub sums: Sums,
    pub is_active: bool,
}

impl Money {
    pub fn of(wallet: &Wallet) -> Self {
        Self {
            spendable: money(wallet.spendable, &wallet.currency),
            sums: Sums::of(&wallet.currency)
                .line("Balance", wallet.balance)
                .line("Blocked for bookings being confirmed", -wallet.held.0)
                .part("Credit limit", wallet.credit_limit)
                .total("Available balance", wallet.spendable),
            is_active: wallet.is_active,
        }
    }
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
    let paid_for_held = paid_for_held(&held);
    // What is held and has time is shown below what needs somebody now.
    let is_other = |booking: &FlightBookingRow| needing.items.iter().all(|known| known.id != booking.id);
    let held = held.items.into_iter().filter(is_other);
    let held: Vec<_> = held.take(usize::try_from(WAITING).unwrap_or(usize::MAX)).collect();
    let waiting = either(needing.items).chain(either(held)).chain(either(stays_needing.items)).collect();
    let mut newest: Vec<_> = either(flown.items).chain(either(stayed.items)).collect();
    // What is not booked yet is the newest.
    newest.sort_by_key(|booking| std::cmp::Reverse(booking.booked_at().unwrap_or(DateTime::<Utc>::MAX_UTC)));
    newest.truncate(usize::try_from(SHOWN).unwrap_or(usize::MAX));
    page::html(&TodayPage { shell, money: Money::of(&wallet), held: paid_for_held, waiting, newest })
}

/// Bookings of one product, to stand beside those of the other.
fn either<B: Booked + 'static>(bookings: Vec<B>) -> impl Iterator<Item = Box<dyn Booked>> {
    bookings.into_iter().map(|booking| -> Box<dyn Booked> { Box::new(booking) })
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
