//! What a hotel sells a room for.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use wayfare_domain::{Money, MoneyError};

use crate::CancellationPolicy;

wayfare_domain::word_enum! {
    /// What is served.
    #[derive(Hash)]
    pub enum MealPlan {
        /// Nothing.
        RoomOnly,
        /// Breakfast.
        Breakfast,
        /// Breakfast and one more meal.
        HalfBoard,
        /// Breakfast, lunch and dinner.
        FullBoard,
        /// All meals and drinks.
        AllInclusive,
        /// Something else; the supplier's words tell.
        Other,
    }

    /// Where the stay is paid.
    #[derive(Hash)]
    pub enum PaymentPlace {
        /// With the supplier, when it is booked.
        Prepaid,
        /// By the guest, at the hotel.
        PayAtHotel,
    }
}

/// What the guest pays at the hotel beside the price; in no total of ours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HotelFee {
    /// The supplier's name of it.
    pub name: String,
    /// For all rooms of the rate and all nights, often in the hotel's own currency.
    pub amount: Money,
}

/// What a rate's price is made of: for all its rooms and nights, in the supplier's currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RateParts {
    /// The rooms, before discounts.
    pub rooms: Money,
    /// Taxes that the price has in it.
    pub taxes: Money,
    /// Service charges that the price has in it.
    pub service_charge: Money,
    /// Resort fees that the price has in it.
    pub resort_fee: Money,
    /// Other fees that the price has in it.
    pub other_fees: Money,
    /// What was taken off, not negative.
    pub discounts: Money,
}

impl RateParts {
    /// A price of which nothing else is known.
    pub fn plain(total: Money) -> Self {
        let zero = Money::zero(total.currency());
        Self {
            rooms: total,
            taxes: zero,
            service_charge: zero,
            resort_fee: zero,
            other_fees: zero,
            discounts: zero,
        }
    }

    /// X: taxes and fees.
    pub fn taxes_and_fees(&self) -> Result<Money, MoneyError> {
        self.taxes.plus(self.service_charge)?.plus(self.resort_fee)?.plus(self.other_fees)
    }

    /// T: rooms + taxes + fees − discounts (P-82).
    pub fn total(&self) -> Result<Money, MoneyError> {
        self.rooms.plus(self.taxes_and_fees()?)?.minus(self.discounts)
    }

    /// Both together.
    pub fn plus(&self, other: &Self) -> Result<Self, MoneyError> {
        Ok(Self {
            rooms: self.rooms.plus(other.rooms)?,
            taxes: self.taxes.plus(other.taxes)?,
            service_charge: self.service_charge.plus(other.service_charge)?,
            resort_fee: self.resort_fee.plus(other.resort_fee)?,
            other_fees: self.other_fees.plus(other.other_fees)?,
            discounts: self.discounts.plus(other.discounts)?,
        })
    }
}

/// What a supplier sells under one key: so many rooms for guests of one kind, at one price.
///
/// It is stored as it is, in quotes and in Redis: a new field may be missing, and is left out while it is empty. `rate_matching` decides
/// whether it makes another rate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoomRate {
    /// The supplier's key, with which it is priced and booked; no other rate of the answer has it.
    pub token: String,
    /// What is sold together only: rates of one bundle are bought all of them, and nothing beside them. None where the
    /// supplier lets rates be combined freely.
    pub bundle: Option<String>,
    /// For which kind of room that was asked for, by its place in [`crate::Query::kinds`].
    pub kind: usize,
    /// How many rooms it is for: all that were asked for of this kind.
    pub rooms: u16,
    /// The supplier's id of the room, which several rates share.
    pub room_id: String,
    /// The supplier's name of the room.
    pub room_name: String,
    /// Its beds, in words.
    pub bed_type: Option<String>,
    /// How many may sleep in one room.
    pub max_occupancy: Option<u32>,
    /// How many rooms are left, where the supplier says so.
    pub rooms_left: Option<u32>,
    /// The supplier's name of the rate, where it has one.
    pub rate_name: Option<String>,
    /// What is served.
    pub meal_plan: MealPlan,
    /// The same in the supplier's words.
    pub meals: String,
    /// What the price is made of; [`RateParts::total`] is the price, T.
    pub parts: RateParts,
    /// K: what the supplier leaves to the platform of it, where it says so.
    pub commission: Option<Money>,
    /// The price under which it must not be sold to the public, where the supplier names one.
    pub minimum_price: Option<Money>,
    /// What is paid at the hotel beside the price.
    pub fees_at_hotel: Vec<HotelFee>,
    /// Where it is paid.
    pub payment: PaymentPlace,
    /// What giving it back costs.
    pub policy: CancellationPolicy,
    /// What the guest must be told, in the supplier's words.
    pub remarks: Vec<String>,
    /// When the supplier forgets it, UTC.
    pub expires_at: Option<DateTime<Utc>>,
}

impl RoomRate {
    /// So many rooms of the search's first kind at this price, paid with the supplier. Nothing else is known of them.
    pub fn new(token: impl Into<String>, rooms: u16, room_name: impl Into<String>, parts: RateParts) -> Self {
        Self {
            token: token.into(),
            bundle: None,
            kind: 0,
            rooms,
            room_id: String::new(),
            room_name: room_name.into(),
            bed_type: None,
            max_occupancy: None,
            rooms_left: None,
            rate_name: None,
            meal_plan: MealPlan::Other,
            meals: String::new(),
            parts,
            commission: None,
            minimum_price: None,
            fees_at_hotel: Vec::new(),
            payment: PaymentPlace::Prepaid,
            policy: CancellationPolicy::default(),
            remarks: Vec::new(),
            expires_at: None,
        }
    }

    /// Gives back the room that its lists have left for growing: a search keeps thousands of rates for many minutes.
    pub fn shrink_to_fit(&mut self) {
        self.fees_at_hotel.shrink_to_fit();
        self.policy.deadlines.shrink_to_fit();
        self.policy.remarks.shrink_to_fit();
        self.remarks.shrink_to_fit();
    }
}
