//! One hotel booking: everything about it, and what can be done with it now.

use askama::filters::HtmlSafe;
use wayfare_client::{
    TimelineEntry,
    enums::{BookingStatus, ConfirmationSource, GuestType},
    hotels::{BookedGuest, BookedRoom, HotelBooking},
};

use super::{policy::PolicyView, rates};
use crate::{
    payment,
    prelude::*,
    timeline::{self, Entry},
};

pub struct BookingView {
    of: HotelBooking,
    happened: Vec<Entry>,
}

#[derive(Template)]
#[template(path = "hotels/booking.html")]
struct BookingPage {
    shell: Shell,
    part: BookingPart,
    done: &'static str,
}

#[derive(Template)]
#[template(path = "hotels/booking_body.html")]
pub(super) struct BookingPart {
    booking: BookingView,
}

impl HtmlSafe for BookingPart {}

impl BookingPart {
    pub(super) fn of(booking: HotelBooking, timeline: &[TimelineEntry]) -> Self {
        Self { booking: BookingView::of(booking, timeline) }
    }
}

impl BookingView {
    /// Of a booking, with what happened to it.
    fn of(booking: HotelBooking, timeline: &[TimelineEntry]) -> Self {
        Self { happened: timeline::entries(timeline), of: booking }
    }

    fn payment(&self) -> Sums {
        let (sums, total) = (agency_price(&self.of), self.of.total_amount);
        payment::payment(sums, &self.of.status, total, self.of.cost.as_ref(), false)
    }

    fn policy(&self) -> PolicyView {
        PolicyView::for_agency(&self.of.cancellation_policy, &self.of.currency)
    }

    fn is_confirmed(&self) -> bool {
        self.of.status == BookingStatus::Confirmed
    }

    fn is_cancelling(&self) -> bool {
        self.is_confirmed() && !self.of.pending.is_empty()
    }

    fn can_cancel(&self) -> bool {
        self.is_confirmed() && self.of.pending.is_empty()
    }

    fn is_pending(&self) -> bool {
        self.of.status == BookingStatus::Pending || !self.of.pending.is_empty()
    }
}

/// What the wallet pays: the customer's price less what the agency earns, with the platform's fees.
fn agency_price(booking: &HotelBooking) -> Sums {
    let pricing = &booking.pricing;
    Sums::of(&booking.currency)
        .line("Customer price", pricing.public_fare)
        .less("Your commission", pricing.agent_commission.unwrap_or_default())
        .part("Platform fees", pricing.platform_charges)
}

/// What the customer pays: rooms, taxes and fees less discounts, with the agency's markup.
fn customer_price(booking: &HotelBooking) -> Sums {
    let pricing = &booking.pricing;
    Sums::of(&booking.currency)
        .small()
        .part("Rooms", pricing.room_charges)
        .part("Taxes", pricing.taxes)
        .part("Fees", pricing.fees)
        .less("Discounts", pricing.discounts)
        .part("Agency markup", pricing.public_markup)
        .total("Customer price", booking.public_fare)
}

/// `2 nights, 1 room`.
pub fn nights_and_rooms(nights: i64, rooms: usize) -> String {
    let nights = match nights {
        1 => "1 night".to_owned(),
        nights => format!("{nights} nights"),
    };
    match rooms {
        1 => format!("{nights}, 1 room"),
        rooms => format!("{nights}, {rooms} rooms"),
    }
}

/// What is paid for it at the hotel.
fn at_hotel(room: &BookedRoom) -> Option<String> {
    let currency = room.pay_at_hotel_fees_currency.as_deref();
    let currency = currency.filter(|_| !room.pay_at_hotel_fees.0.is_zero());
    currency.map(|currency| money(room.pay_at_hotel_fees, currency))
}

fn name(guest: &BookedGuest) -> String {
    let title = guest.title.as_ref().map(ToString::to_string).unwrap_or_default();
    let name = [title.as_str(), &guest.first_name, &guest.last_name].join(" ");
    match name.trim() {
        "" => "Erased".to_owned(),
        name => name.to_owned(),
    }
}

/// In which room, and as whom.
fn place(guest: &BookedGuest) -> String {
    let kind = match (&guest.kind, guest.age) {
        (GuestType::Child, Some(age)) => format!("child of {age}"),
        (GuestType::Child, None) => "child".to_owned(),
        _ => "adult".to_owned(),
    };
    format!("Room {}, {kind}", guest.room)
}

/// Under which numbers hotel and supplier know it.
fn numbers(booking: &HotelBooking) -> Vec<(&'static str, String)> {
    let is_hotels = booking.confirmation_source == ConfirmationSource::Hotel;
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
        return page::html(&BookingPart::of(booking, &happened));
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
    page::html(&BookingPage { shell, part: BookingPart::of(booking, &happened), done })
}
