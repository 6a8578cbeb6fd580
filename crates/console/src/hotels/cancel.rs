//! Giving a stay back: what it costs first, then the button that says what comes back.

use wayfare_client::{Error, hotels::HotelCancel};

use super::policy::PolicyView;
use crate::{
    failure::{Words, words_of},
    prelude::*,
};

#[derive(Template)]
#[template(path = "hotels/cancel.html")]
struct CancelPage {
    shell: Shell,
    reference: String,
    hotel: String,
    sums: Sums,
    back: String,
    policy: PolicyView,
    key: String,
    reason: String,
    wrongs: Wrongs,
    refused: Option<Words>,
}

async fn page_of(signed: &Signed, reference: &str, fields: &Fields) -> Result<CancelPage> {
    let hotels = signed.session.hotels();
    let (shell, booking, penalty) = futures_util::try_join!(
        signed.shell("Cancel", Area::Hotels),
        hotels.booking(reference),
        hotels.penalty(reference),
    )?;
    let sums = Sums::of(&penalty.currency)
        .line("Paid", penalty.total_paid)
        .less("Hotel penalty", penalty.cancellation_fee.amount)
        .less("Platform fees", penalty.platform_charges)
        .part("Penalty above what you paid, not charged", penalty.waived)
        .total("Refund", penalty.refund_amount);
    Ok(CancelPage {
        shell,
        sums,
        back: money(penalty.refund_amount, &penalty.currency),
        policy: PolicyView::for_agency(&booking.cancellation_policy, &booking.currency),
        hotel: booking.row.hotel_name,
        reference: booking.row.booking_ref,
        key: fields.key_or_new(),
        reason: fields.get("reason").to_owned(),
        wrongs: Wrongs::default(),
        refused: None,
    })
}

/// `GET /console/hotels/bookings/{ref}/cancel`: nothing is cancelled by looking at it.
pub async fn show(signed: Signed, reference: Path<String>) -> Answer {
    page::html(&page_of(&signed, &reference, &Fields::default()).await?)
}

/// `POST /console/hotels/bookings/{ref}/cancel`, under the form's key, so that a form that comes twice cancels once.
pub async fn carry_out(signed: Signed, reference: Path<String>, fields: Fields) -> Answer {
    let key = fields.key()?;
    let cancel = HotelCancel { reason: fields.given("reason"), notify_guest: false };
    let session = signed.session.keyed(key);
    match session.hotels().cancel(&reference, &cancel).await {
        // What is not known yet is seen on the booking.
        Ok(_) | Err(Error::Unknown { .. }) => {
            Ok(see_other(&format!("{BASE}/hotels/bookings/{reference}?done=cancelled")))
        }
        Err(error) if error.status() == Some(422) => {
            let mut shown = page_of(&signed, &reference, &fields).await?;
            shown.wrongs = Wrongs::of(&error);
            page::unprocessable(&shown)
        }
        Err(error) if error.status() == Some(409) => {
            // Another try is another request: what was refused stays refused under its key.
            let reason = Fields(vec![("reason".to_owned(), fields.get("reason").to_owned())]);
            let mut shown = page_of(&signed, &reference, &reason).await?;
            shown.refused = Some(words_of(&error));
            page::html_with(StatusCode::CONFLICT, &shown)
        }
        Err(error) => Err(error.into()),
    }
}
