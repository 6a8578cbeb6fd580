//! Rate keys, which hold all that they are for, so that none has to be remembered.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use super::World;
use super::errors::ApiError;
use super::party::{self, Party};
use crate::hotels::{HotelId, RateKey, Stay, Terms};
use crate::search_ids::{opened, sealed};

/// How long a key can be used, in minutes.
const LASTS: i64 = 30;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Found {
    pub(super) at: DateTime<Utc>,
    /// Tells two searches of one instant apart.
    salt: u16,
}

/// Rooms of one kind on one rate, each for the same guests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Line {
    pub(super) hotel: HotelId,
    pub(super) stay: Stay,
    pub(super) party: Party,
    pub(super) rate: RateKey,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RateRef {
    pub(super) found: Found,
    pub(super) line: Line,
    /// When the key was given: its time begins then.
    pub(super) given_at: DateTime<Utc>,
    /// How many moves of the price the key's price knows of.
    pub(super) known_changes: u8,
    /// Whether the rate was checked, and not only found.
    pub(super) is_checked: bool,
}

impl Found {
    pub(super) fn now(at: DateTime<Utc>) -> Self {
        Self { at, salt: rand::random() }
    }
}

impl RateRef {
    pub(super) fn found(found: Found, line: Line) -> Self {
        Self { found, line, given_at: found.at, known_changes: 0, is_checked: false }
    }

    /// What is the same for all keys of one rate that one search found.
    pub(super) fn origin(&self) -> Vec<u8> {
        serde_json::to_vec(&(&self.found, &self.line)).unwrap_or_default()
    }

    pub(super) fn key(&self, seed: u64) -> String {
        let Line { hotel, stay, party, rate } = &self.line;
        let contract = match rate.terms {
            Terms::Flexible => "BAR FLEX",
            Terms::NonRefundable => "BAR NRF",
        };
        format!(
            "{}|{}|W|1|{}|{}|{contract}|{}||{}~{}~{}|{}|N@{}",
            stay.check_in.format("%Y%m%d"),
            stay.check_out.format("%Y%m%d"),
            hotel.hotelbeds(),
            rate.room.room_type().code,
            rate.board.code(),
            party.rooms,
            party.guests.adults,
            party.guests.children.len(),
            party::ages(&party.guests),
            sealed(seed, self),
        )
    }

    /// What a key is for, where this sandbox gave it and its time is not over.
    pub(super) fn of_key(world: &World, key: &str) -> Result<Self, ApiError> {
        let expires_at = |given_at: DateTime<Utc>| given_at + TimeDelta::minutes(LASTS);
        Self::read(world.seed, key)
            .filter(|reference| world.clock.now() < expires_at(reference.given_at))
            .ok_or_else(|| ApiError::expired(key))
    }

    fn read(seed: u64, key: &str) -> Option<Self> {
        let (_, held) = key.split_once("|N@")?;
        // A key that somebody built or mended is none.
        opened(seed, held).filter(|reference: &Self| reference.key(seed) == key)
    }
}
