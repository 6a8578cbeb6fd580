//! Offers: ids that hold their whole search, so that none has to be remembered, and what has happened to some of them.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::World;
use super::errors::ApiError;
use crate::fault_injection::InjectedFault;
use crate::hotels::{Guests, Hotel, Rate, RateKey, RoomKind, Stay};
use crate::orders::{BookedRoom, rooms_left};
use crate::search_ids::{opened, sealed};
use crate::tariff::Tariff;

const VALID_FOR: TimeDelta = TimeDelta::minutes(30);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Question {
    pub(super) at: DateTime<Utc>,
    pub(super) stay: Stay,
    pub(super) tariff: Tariff,
    /// ISO 3166-1 alpha-2.
    pub(super) nationality: String,
    /// What the client's commission adds to the price, in percent, to two decimal places.
    pub(super) margin: Decimal,
    pub(super) rooms: Vec<Guests>,
}

impl Question {
    pub(super) fn expires_at(&self) -> DateTime<Utc> {
        self.at + VALID_FOR
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Room {
    pub(super) guests: Guests,
    /// At the price that the client's commission is within.
    pub(super) rate: Rate,
    pub(super) commission: Decimal,
}

/// Rooms of one kind, one for each party, on one set of terms.
#[derive(Debug, Clone)]
pub(super) struct Offer {
    pub(super) id: String,
    pub(super) hotel: Hotel,
    pub(super) key: RateKey,
    pub(super) rooms: Vec<Room>,
}

impl Offer {
    pub(super) fn total(&self) -> Decimal {
        self.rooms.iter().map(|room| room.rate.total()).sum()
    }

    pub(super) fn commission(&self) -> Decimal {
        self.rooms.iter().map(|room| room.commission).sum()
    }

    pub(super) fn booked_rooms(&self) -> Vec<BookedRoom> {
        let room = |room: &Room| BookedRoom { guests: room.guests.clone(), rate: room.rate.clone() };
        self.rooms.iter().map(room).collect()
    }
}

/// The cheapest offers of a hotel that answer a question, cheapest first.
pub(super) fn answering(
    world: &World,
    question: &Question,
    hotel: Hotel,
    most: usize,
    is_wanted: impl Fn(&Rate) -> bool,
) -> Vec<Offer> {
    let orders = world.orders.at_hotel(hotel.id);
    let number = u32::try_from(question.rooms.len()).unwrap_or(u32::MAX);
    let has_room = |kind| rooms_left(&hotel, kind, question.stay, &orders, question.at) >= number;
    let kinds: Vec<RoomKind> = hotel.rooms().map(|room| room.kind).filter(|kind| has_room(*kind)).collect();
    let total = |rooms: &[Room]| rooms.iter().map(|room| room.rate.total()).sum::<Decimal>();
    let mut found: Vec<(RateKey, Vec<Room>)> = rooms_by_key(question, &hotel)
        .into_iter()
        .filter(|(key, rooms)| kinds.contains(&key.room) && rooms.iter().any(|room| is_wanted(&room.rate)))
        .collect();
    found.sort_by_cached_key(|(_, rooms)| total(rooms));
    found.truncate(most);
    // Ids are the dearest part of an answer: only what is returned has one.
    let offer =
        |(key, rooms)| Offer { id: sealed(world.seed, &(question, hotel.id, key)), hotel, key, rooms };
    found.into_iter().map(offer).collect()
}

/// What every party of a question can have at a hotel, by the rates that all of them can have.
fn rooms_by_key(question: &Question, hotel: &Hotel) -> BTreeMap<RateKey, Vec<Room>> {
    let mut by_key: BTreeMap<RateKey, Vec<Room>> = BTreeMap::new();
    for guests in &question.rooms {
        for net in hotel.rates(&question.tariff, question.stay, guests) {
            let rate = net.moved(&question.tariff, question.margin);
            by_key.entry(net.key).or_default().push(Room {
                guests: guests.clone(),
                commission: rate.total() - net.total(),
                rate,
            });
        }
    }
    by_key.retain(|_, rooms| rooms.len() == question.rooms.len());
    by_key
}

pub(super) struct Offered {
    pub(super) question: Question,
    pub(super) offer: Offer,
    pub(super) searched: Decimal,
    pub(super) is_gone: bool,
}

/// An offer by its id, after the fault that is injected now; an error where no sandbox of this seed made the id.
pub(super) fn find(world: &World, id: &str, injected: InjectedFault) -> Result<Offered, ApiError> {
    let unknown = || ApiError::wrong_input("invalid offerId");
    let (question, hotel, key): (Question, _, _) = opened(world.seed, id).ok_or_else(unknown)?;
    let hotel = Hotel::of(world.seed, hotel).ok_or_else(unknown)?;
    let rooms = rooms_by_key(&question, &hotel).remove(&key).ok_or_else(unknown)?;
    let mut offer = Offer { id: id.to_owned(), hotel, key, rooms };
    let searched = offer.total();
    let (expires_at, now) = (question.expires_at(), world.clock.now());
    let changes = world.state.changes.after(id.to_owned(), injected, expires_at, now);
    for percent in &changes.percents {
        for room in &mut offer.rooms {
            room.rate = room.rate.moved(&question.tariff, *percent);
            room.commission = question.tariff.moved(room.commission, *percent);
        }
    }
    Ok(Offered { question, offer, searched, is_gone: changes.sold_out })
}
