//! What of the hotels and rates that there are a search wants to see.

use rust_decimal::Decimal;
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::hotels::{Board, Hotel};

/// Bounds of a search; what is not said is not bounded.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(super) struct Filter {
    pub(super) max_hotels: Option<usize>,
    pub(super) max_rooms: Option<usize>,
    pub(super) max_rates_per_room: Option<usize>,
    #[serde(with = "rust_decimal::serde::arbitrary_precision_option")]
    min_rate: Option<Decimal>,
    #[serde(with = "rust_decimal::serde::arbitrary_precision_option")]
    max_rate: Option<Decimal>,
    min_category: Option<u8>,
    max_category: Option<u8>,
    payment_type: Option<PaymentType>,
    /// There are no packages here, so there is nothing to leave out.
    #[serde(rename = "packaging")]
    _packaging: IgnoredAny,
}

#[derive(Deserialize, PartialEq, Eq)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum PaymentType {
    AtWeb,
    AtHotel,
    Both,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Boards {
    board: Vec<String>,
    included: bool,
}

impl Filter {
    /// Whether a hotel's category is wanted, and how it can be paid: here always before the stay.
    pub(super) fn wants(&self, hotel: &Hotel) -> bool {
        self.min_category.is_none_or(|least| least <= hotel.stars)
            && self.max_category.is_none_or(|most| hotel.stars <= most)
            && self.payment_type != Some(PaymentType::AtHotel)
    }

    /// Whether a price of all rooms of a rate is wanted.
    pub(super) fn wants_price(&self, net: Decimal) -> bool {
        self.min_rate.is_none_or(|least| least <= net) && self.max_rate.is_none_or(|most| net <= most)
    }
}

impl Boards {
    pub(super) fn want(&self, board: Board) -> bool {
        self.board.iter().any(|code| code == board.code()) == self.included
    }
}
