//! The voucher: what a guest shows at the hotel, to be printed. It does not say what the agency pays.

use actix_web::web::Path;
use askama::Template;
use wayfare_client::{
    enums::{ConfirmationSource, GuestType},
    hotels::{GuestName, ReservedRoom, Voucher},
};

use super::policy::PolicyView;
use crate::{
    day,
    money::money,
    page::{self, Answer, Shell},
    session::Signed,
    side::Area,
};

#[derive(Template)]
#[template(path = "hotels/voucher.html")]
pub(super) struct VoucherPage {
    shell: Shell,
    reference: String,
    voucher: VoucherView,
}

pub(super) struct VoucherView {
    hotel: String,
    address: String,
    number: String,
    is_hotels: bool,
    supplier_number: String,
    check_in: String,
    check_out: String,
    nights: Option<u32>,
    contact: String,
    rooms: Vec<Room>,
    meals: String,
    at_hotel: Vec<(String, String)>,
    texts: Vec<String>,
    remarks: Vec<String>,
    policy: PolicyView,
}

struct Room {
    name: String,
    guests: Vec<String>,
}

impl Room {
    fn of(room: &ReservedRoom) -> Self {
        Self { name: room.room_type.clone(), guests: room.guests.iter().map(guest).collect() }
    }
}

fn guest(guest: &GuestName) -> String {
    let title = guest.title.as_ref().map(ToString::to_string).unwrap_or_default();
    let name = [title.as_str(), &guest.first_name, &guest.last_name].join(" ");
    match (&guest.kind, guest.age) {
        (GuestType::Child, Some(age)) => format!("{}, {age} years", name.trim()),
        _ => name.trim().to_owned(),
    }
}

impl VoucherView {
    fn of(voucher: &Voucher) -> Self {
        // What must be printed is there already.
        let is_new = |text: &&String| !voucher.mandatory_texts.contains(text);
        Self {
            hotel: voucher.hotel_name.clone(),
            address: voucher.hotel_address.clone(),
            number: voucher.confirmation_number.clone(),
            is_hotels: voucher.confirmation_source == Some(ConfirmationSource::Hotel),
            supplier_number: voucher.provider_booking_id.clone().unwrap_or_default(),
            check_in: day::day(voucher.check_in),
            check_out: day::day(voucher.check_out),
            nights: voucher.nights,
            contact: voucher.contact_name.clone().unwrap_or_default(),
            rooms: voucher.rooms.iter().map(Room::of).collect(),
            meals: voucher.meals.join(", "),
            at_hotel: voucher
                .pay_at_hotel
                .iter()
                .map(|fee| (fee.name.clone(), money(fee.amount, &fee.currency)))
                .collect(),
            texts: voucher.mandatory_texts.clone(),
            remarks: voucher.remarks.iter().filter(is_new).cloned().collect(),
            policy: PolicyView::for_guests(voucher.cancellation_policy.as_ref()),
        }
    }
}

/// `GET /console/hotels/bookings/{ref}/voucher`.
pub async fn show(signed: Signed, reference: Path<String>) -> Answer {
    let title = format!("Voucher {reference}");
    let hotels = signed.session.hotels();
    let shell = signed.shell(&title, Area::Hotels);
    let (shell, voucher) = futures_util::try_join!(shell, hotels.voucher(&reference))?;
    page::html(&page_of(shell, &reference, &voucher))
}

pub(super) fn page_of(shell: Shell, reference: &str, voucher: &Voucher) -> VoucherPage {
    VoucherPage {
        shell,
        reference: voucher.booking_ref.clone().unwrap_or_else(|| reference.to_owned()),
        voucher: VoucherView::of(voucher),
    }
}
