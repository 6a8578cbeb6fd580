//! The voucher: what a guest shows at the hotel, to be printed. It does not say what the agency pays.

use wayfare_client::{
    enums::{ConfirmationSource, GuestType},
    hotels::{GuestName, Voucher},
};

use super::policy::PolicyView;
use crate::prelude::*;

#[derive(Template)]
#[template(path = "hotels/voucher.html")]
pub(super) struct VoucherPage {
    shell: Shell,
    reference: String,
    voucher: Voucher,
    policy: PolicyView,
}

impl VoucherPage {
    /// What is good to know; what must be printed is there already.
    fn remarks(&self) -> Vec<&String> {
        let is_new = |text: &&String| !self.voucher.mandatory_texts.contains(text);
        self.voucher.remarks.iter().filter(is_new).collect()
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

/// `GET /console/hotels/bookings/{ref}/voucher`.
pub async fn show(signed: Signed, reference: Path<String>) -> Answer {
    let title = format!("Voucher {reference}");
    let hotels = signed.session.hotels();
    let shell = signed.shell(&title, Area::Hotels);
    let (shell, voucher) = futures_util::try_join!(shell, hotels.voucher(&reference))?;
    page::html(&page_of(shell, voucher))
}

pub(super) fn page_of(shell: Shell, voucher: Voucher) -> VoucherPage {
    VoucherPage {
        shell,
        reference: voucher.booking_ref.clone(),
        policy: PolicyView::for_guests(&voucher.cancellation_policy),
        voucher,
    }
}
