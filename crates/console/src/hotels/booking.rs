//! One hotel booking: everything about it, and what can be done with it now.

use actix_web::{HttpRequest, web::Path};
use askama::Template;
use wayfare_client::{
    TimelineEntry,
    enums::{BookingStatus, ConfirmationSource, GuestType},
    hotels::{BookedGuest, HotelBooking},
};

use super::{policy::PolicyView, rates};
use crate::{
    day::{self, Moment},
    form::Fields,
    money::money,
    page::{self, Answer, Shell, Status},
    payment,
    session::Signed,
    side::Area,
    sums::Sums,
    timeline::{self, Entry},
    today::status,
};

pub struct BookingView {
    pub reference: String,
    pub status: Status,
    pub hotel: String,
    pub check_in: String,
    pub check_out: String,
    pub about: String,
    pub created: Moment,
    pub is_pending: bool,
    pub is_cancelling: bool,
    pub rooms: Vec<Room>,
    pub guests: Vec<Guest>,
    pub payment: Sums,
    pub customer: Sums,
    pub numbers: Vec<(&'static str, String)>,
    pub policy: PolicyView,
    pub remarks: Vec<String>,
    pub happened: Vec<Entry>,
    pub email: String,
    pub phone: String,
    pub can_cancel: bool,
    pub has_voucher: bool,
    pub is_cancelled: bool,
}

pub struct Room {
    pub name: String,
    pub board: String,
    pub at_hotel: Option<String>,
}

pub struct Guest {
    pub name: String,
    pub about: String,
}

#[derive(Template)]
#[template(path = "hotels/booking.html")]
struct BookingPage {
    shell: Shell,
    booking: BookingView,
    done: &'static str,
}

#[derive(Template)]
#[template(path = "hotels/booking_body.html")]
pub(super) struct BookingPart {
    booking: BookingView,
}

impl BookingPart {
    pub(super) fn of(booking: &HotelBooking, timeline: &[TimelineEntry]) -> Self {
        Self { booking: BookingView::of(booking).with(timeline) }
    }
}

impl BookingView {
    pub fn of(booking: &HotelBooking) -> Self {
        let is_confirmed = booking.status == BookingStatus::Confirmed;
        let is_idle = booking.pending.is_empty();
        Self {
            reference: booking.booking_ref.clone(),
            status: status(&booking.status),
            hotel: booking.hotel_name.clone(),
            check_in: day::day(booking.check_in),
            check_out: day::day(booking.check_out),
            about: nights_and_rooms(booking.nights, booking.room_count),
            created: Moment::of(booking.created_at),
            is_pending: booking.status == BookingStatus::Pending || !is_idle,
            is_cancelling: is_confirmed && !is_idle,
            rooms: booking.rooms.iter().map(room).collect(),
            guests: booking.guests.iter().map(guest).collect(),
            payment: payment::payment(
                agency_price(booking),
                &booking.status,
                booking.total_amount,
                booking.cost.as_ref(),
                false,
            ),
            customer: customer_price(booking),
            numbers: numbers(booking),
            policy: PolicyView::for_agency(booking.cancellation_policy.as_ref(), &booking.currency),
            remarks: booking.remarks.clone(),
            happened: Vec::new(),
            email: booking.contact_email.clone(),
            phone: booking.contact_phone.clone(),
            can_cancel: is_confirmed && is_idle,
            has_voucher: is_confirmed,
            is_cancelled: booking.status == BookingStatus::Cancelled,
        }
    }

    /// The same with what happened to it.
    fn with(self, timeline: &[TimelineEntry]) -> Self {
        Self { happened: timeline::entries(timeline), ..self }
    }
}

/// What the wallet pays: the customer's price less what the agency earns, with the platform's fees.
fn agency_price(booking: &HotelBooking) -> Sums {
    let sums = Sums::of(&booking.currency);
    match &booking.pricing {
        Some(pricing) => sums
            .line("Customer price", pricing.public_fare)
            .less("Your commission", pricing.agent_commission.unwrap_or_default())
            .part("Platform fees", pricing.platform_charges),
        None => sums.line("Net price", booking.total_amount),
    }
}

/// What the customer pays: rooms, taxes and fees less discounts, with the agency's markup.
fn customer_price(booking: &HotelBooking) -> Sums {
    let sums = Sums::of(&booking.currency).small();
    let sums = match &booking.pricing {
        Some(pricing) => sums
            .part("Rooms", pricing.room_charges)
            .part("Taxes", pricing.taxes)
            .part("Fees", pricing.fees)
            .less("Discounts", pricing.discounts)
            .part("Agency markup", pricing.public_markup),
        None => sums.line("Price", booking.public_fare),
    };
    sums.total("Customer price", booking.public_fare)
}

/// `2 nights, 1 room`.
pub fn nights_and_rooms(nights: u32, rooms: u32) -> String {
    let nights = match nights {
        1 => "1 night".to_owned(),
        nights => format!("{nights} nights"),
    };
    match rooms {
        1 => format!("{nights}, 1 room"),
        rooms => format!("{nights}, {rooms} rooms"),
    }
}

fn room(room: &wayfare_client::hotels::BookedRoom) -> Room {
    let currency = room.pay_at_hotel_fees_currency.as_deref();
    let currency = currency.filter(|_| !room.pay_at_hotel_fees.0.is_zero());
    Room {
        name: format!("{} × {}", room.quantity, room.name),
        board: rates::board(&room.meal_plan).to_owned(),
        at_hotel: currency.map(|currency| money(room.pay_at_hotel_fees, currency)),
    }
}

fn guest(guest: &BookedGuest) -> Guest {
    let title = guest.title.as_ref().map(ToString::to_string).unwrap_or_default();
    let name = [title.as_str(), &guest.first_name, &guest.last_name].join(" ");
    let kind = match (&guest.kind, guest.age) {
        (GuestType::Child, Some(age)) => format!("child of {age}"),
        (GuestType::Child, None) => "child".to_owned(),
        _ => "adult".to_owned(),
    };
    Guest {
        name: match name.trim() {
            "" => "Erased".to_owned(),
            name => name.to_owned(),
        },
        about: match guest.room {
            Some(room) => format!("Room {room}, {kind}"),
            None => kind,
        },
    }
}

/// Under which numbers hotel and supplier know it.
fn numbers(booking: &HotelBooking) -> Vec<(&'static str, String)> {
    let is_hotels = booking.confirmation_source == Some(ConfirmationSource::Hotel);
    let whose = if is_hotels { "The hotel's number" } else { "Confirmation" };
    let supplier = format!("{} {}", rates::supplier(&booking.provider), booking.provider_booking_id);
    let mut numbers = vec![(whose, booking.provider_confirmation.clone())];
    if !is_hotels && booking.status == BookingStatus::Confirmed {
        numbers.push((
            "The hotel's number",
            "Not told yet; hotels tell it some days before the stay".to_owned(),
        ));
    }
    numbers.push(("Supplier", supplier.trim().to_owned()));
    numbers.retain(|(_, value)| !value.is_empty());
    numbers
}

/// `GET /console/hotels/bookings/{ref}`; a part of it, where the page asks how it stands.
pub async fn show(request: HttpRequest, signed: Signed, reference: Path<String>, fields: Fields) -> Answer {
    let hotels = signed.session.hotels();
    if page::wants_part(&request) {
        let booking = hotels.booking(&reference).await?;
        let happened = hotels.timeline(&reference).await?;
        return page::html(&BookingPart::of(&booking, &happened));
    }
    let title = format!("Booking {reference}");
    let shell = signed.shell(&title, Area::Hotels);
    let (shell, booking) = futures_util::try_join!(shell, hotels.booking(&reference))?;
    // A pending booking is looked up when it is read: what is found then has happened.
    let happened = hotels.timeline(&reference).await?;
    let done = match (fields.get("new"), fields.get("done")) {
        ("1", _) if booking.status == BookingStatus::Confirmed => "Booked.",
        (_, "cancelled") if booking.status == BookingStatus::Cancelled => {
            "Cancelled. The refund is in the wallet."
        }
        (_, "cancelled") => "The cancellation is asked for.",
        _ => "",
    };
    page::html(&BookingPage { shell, booking: BookingView::of(&booking).with(&happened), done })
}
