//! What a hotel wants guests to read before they book.

use super::World;
use super::offers::Sold;
use crate::hotels::{Hotel, Levy};
use crate::rng::Rng;

/// Who negotiated the hotel's contracts; every hotel's here.
pub(super) const INCOMING: u32 = 1;

/// Whether there is anything to read before a check.
pub(super) fn has_any(world: &World, hotel: &Hotel) -> bool {
    !Rng::of(world.seed, &hotel.id.named("hotelbeds/comments")).one_in(3)
}

/// The id under which the content has them: `1|4242|0`, who negotiated, the comment's code, the rate's code.
pub(super) fn id(hotel: &Hotel) -> String {
    format!("{INCOMING}|{}|0", hotel.id.hotelbeds())
}

pub(super) fn of_hotel(hotel: &Hotel) -> String {
    format!(
        "Check-in hour {} - 00:00. Check-out until {}. Identification card at arrival. Minimum check-in age 18.",
        hotel.check_in_from().format("%H:%M"),
        hotel.check_out_until().format("%H:%M"),
    )
}

/// What holds for rooms that are sold, with what is due at the hotel.
pub(super) fn of_sold(sold: &Sold) -> String {
    let due = sold.rate.due_there.iter().map(|due| {
        let what = match due.levy {
            Levy::ResortFee => "resort fees",
            Levy::CityTax | Levy::SalesTax => "taxes & fees",
        };
        let amount = sold.of_all(due.amount);
        format!(
            "Estimated total amount of {what} for this booking: {amount} {} payable on arrival. ",
            due.currency
        )
    });
    due.chain([of_hotel(sold.hotel)]).collect()
}
