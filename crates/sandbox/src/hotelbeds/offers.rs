//! What Hotelbeds sells of the inventory, at its own prices, and one rate again by its key.

use chrono::TimeDelta;
use rust_decimal::Decimal;

use super::World;
use super::errors::ApiError;
use super::party::Party;
use super::rate_keys::RateRef;
use crate::fault_injection::InjectedFault;
use crate::hotels::{Guests, Hotel, Rate, RateKey, Stay};
use crate::orders::rooms_left;
use crate::rng::Rng;

/// Rooms as they are sold: so many of one kind, each on the same rate for the same guests.
#[derive(Clone, Copy)]
pub(super) struct Sold<'a> {
    pub(super) hotel: &'a Hotel,
    pub(super) party: &'a Party,
    pub(super) rate: &'a Rate,
}

impl Sold<'_> {
    pub(super) fn of_all(&self, amount: Decimal) -> Decimal {
        amount * Decimal::from(self.party.rooms)
    }

    pub(super) fn net(&self) -> Decimal {
        self.of_all(self.rate.total())
    }
}

/// By how many percent Hotelbeds is dearer than others at this hotel, or cheaper.
fn level(world: &World, hotel: &Hotel) -> Decimal {
    let permille = Rng::of(world.seed, &hotel.id.named("hotelbeds/level")).between(0, 100);
    Decimal::new(i64::from(permille), 1) - Decimal::from(5)
}

/// Every rate that these guests of one room can have, at Hotelbeds' prices.
pub(super) fn rates(world: &World, hotel: &Hotel, stay: Stay, guests: &Guests) -> Vec<Rate> {
    let level = level(world, hotel);
    let rates = hotel.rates(&world.tariff, stay, guests);
    rates.iter().map(|rate| rate.moved(&world.tariff, level)).collect()
}

/// Whether a rate must be checked before it is booked: hotels say so of some of their rooms.
pub(super) fn needs_check(world: &World, hotel: &Hotel, rate: RateKey) -> bool {
    let room = rate.room.room_type().code;
    Rng::of(world.seed, &hotel.id.named(&format!("hotelbeds/check/{room}"))).one_in(4)
}

#[derive(Debug)]
pub(super) struct Offered {
    pub(super) reference: RateRef,
    pub(super) hotel: Hotel,
    /// Of one room, at the present price.
    pub(super) rate: Rate,
    pub(super) moves: u8,
    is_gone: bool,
    /// Of its kind of room, less what anybody sold.
    pub(super) rooms_left: u32,
}

impl Offered {
    /// The rate of a key, with the fault that is injected now.
    pub(super) fn of_key(world: &World, key: &str, injected: InjectedFault) -> Result<Self, ApiError> {
        let reference = RateRef::of_key(world, key)?;
        let line = &reference.line;
        let hotel = Hotel::of(world.seed, line.hotel).ok_or_else(|| ApiError::expired(key))?;
        let rate = hotel.rate(&world.tariff, line.stay, &line.party.guests, line.rate);
        let mut rate = rate
            .map(|rate| rate.moved(&world.tariff, level(world, &hotel)))
            .ok_or_else(|| ApiError::expired(key))?;
        let now = world.clock.now();
        // The key that knows of a change is given now or soon, and lasts half an hour.
        let (origin, expires_at) = (reference.origin(), now + TimeDelta::hours(1));
        let changes = world.state.changes.after(origin, injected, expires_at, now);
        for percent in &changes.percents {
            rate = rate.moved(&world.tariff, *percent);
        }
        let orders = world.orders.at_hotel(hotel.id);
        Ok(Self {
            rooms_left: rooms_left(&hotel, line.rate.room, line.stay, &orders, now),
            hotel,
            rate,
            moves: u8::try_from(changes.percents.len()).unwrap_or(u8::MAX),
            is_gone: changes.sold_out,
            reference,
        })
    }

    /// Whether there are no longer so many rooms on this rate.
    pub(super) fn is_sold_out(&self) -> bool {
        self.is_gone || self.rooms_left < self.reference.line.party.rooms.into()
    }

    /// Whether it must be checked before it is booked.
    pub(super) fn needs_check(&self, world: &World) -> bool {
        !self.reference.is_checked && needs_check(world, &self.hotel, self.rate.key)
    }

    pub(super) fn sold(&self) -> Sold<'_> {
        Sold { hotel: &self.hotel, party: &self.reference.line.party, rate: &self.rate }
    }
}

/// The rates of keys that are used together: all of one stay at one hotel.
pub(super) fn of_keys<'a>(
    world: &World,
    keys: impl Iterator<Item = &'a str>,
    injected: InjectedFault,
) -> Result<Vec<Offered>, ApiError> {
    let all: Vec<Offered> =
        keys.map(|key| Offered::of_key(world, key, injected)).collect::<Result<_, _>>()?;
    let stays = all.iter().map(|offered| {
        let line = &offered.reference.line;
        (line.hotel, line.stay)
    });
    let is_one_stay = stays.clone().zip(stays.skip(1)).all(|(one, next)| one == next);
    if !is_one_stay {
        let message = "All rateKeys must be of the same hotel, check-in and check-out";
        return Err(ApiError::invalid(message));
    }
    Ok(all)
}
