//! Rate keys, which hold all that they stand for, so that none has to be remembered.

use chrono::{DateTime, Datelike, Days, NaiveDate, TimeDelta, Utc};

use super::World;
use super::errors::ApiError;
use super::party::{self, Party};
use crate::hotels::{Board, Guests, HotelId, RateKey, RoomKind, Stay, Terms};
use crate::search_ids::{Reader, opened, sealed};

const LAYOUT: u8 = 1;
/// How long a key can be used, in minutes.
const LASTS: i64 = 30;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) at: DateTime<Utc>,
    /// Tells two searches of one instant apart.
    salt: u16,
}

/// Rooms of one kind on one rate, each for the same guests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) hotel: HotelId,
    pub(super) stay: Stay,
    pub(super) party: Party,
    pub(super) rate: RateKey,
}

#[derive(Debug, Clone, PartialEq, Eq)]
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
        Self {
            at,
            salt: rand::random(),
        }
    }
}

impl RateRef {
    pub(super) fn found(found: Found, line: Line) -> Self {
        Self {
            found,
            line,
            given_at: found.at,
            known_changes: 0,
            is_checked: false,
        }
    }

    /// What is the same for all keys of one rate that one search found.
    pub(super) fn origin(&self) -> Vec<u8> {
        let Line {
            hotel,
            stay,
            party,
            rate,
        } = &self.line;
        let mut bytes = vec![LAYOUT];
        bytes.extend(self.found.at.timestamp_micros().to_be_bytes());
        bytes.extend(self.found.salt.to_be_bytes());
        bytes.extend(hotel.hotelbeds().to_be_bytes());
        bytes.extend(stay.check_in.num_days_from_ce().to_be_bytes());
        bytes.push(u8::try_from(stay.number_of_nights()).unwrap_or(u8::MAX));
        bytes.extend([party.rooms, party.guests.adults]);
        put(&mut bytes, &party.guests.children);
        put(&mut bytes, rate.room.room_type().code.as_bytes());
        put(&mut bytes, rate.board.code().as_bytes());
        bytes.push(u8::from(rate.terms == Terms::NonRefundable));
        bytes
    }

    pub(super) fn key(&self, seed: u64) -> String {
        let Line {
            hotel,
            stay,
            party,
            rate,
        } = &self.line;
        let mut bytes = self.origin();
        bytes.extend(self.given_at.timestamp_micros().to_be_bytes());
        bytes.extend([self.known_changes, u8::from(self.is_checked)]);
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
            sealed(seed, bytes),
        )
    }

    /// What a key stands for, where this sandbox gave it and its time is not over.
    pub(super) fn of_key(world: &World, key: &str) -> Result<Self, ApiError> {
        let expires_at = |given_at: DateTime<Utc>| given_at + TimeDelta::minutes(LASTS);
        Self::read(world.seed, key)
            .filter(|reference| world.clock.now() < expires_at(reference.given_at))
            .ok_or_else(|| ApiError::expired(key))
    }

    fn read(seed: u64, key: &str) -> Option<Self> {
        let (_, held) = key.split_once("|N@")?;
        let bytes = opened(seed, held)?;
        let mut rest = Reader(&bytes);
        if rest.byte()? != LAYOUT {
            return None;
        }
        let found = Found {
            at: micros(&mut rest)?,
            salt: u16::from_be_bytes(rest.take()?),
        };
        let hotel = HotelId::of_hotelbeds(u32::from_be_bytes(rest.take()?))?;
        let check_in = NaiveDate::from_num_days_from_ce_opt(i32::from_be_bytes(rest.take()?))?;
        let check_out = check_in.checked_add_days(Days::new(rest.byte()?.into()))?;
        let (rooms, adults) = (rest.byte()?, rest.byte()?);
        let children = taken(&mut rest)?;
        let room = RoomKind::of_code(std::str::from_utf8(&taken(&mut rest)?).ok()?)?;
        let board = taken(&mut rest)?;
        let board = Board::ALL
            .into_iter()
            .find(|each| each.code().as_bytes() == board)?;
        let terms = match rest.byte()? {
            0 => Terms::Flexible,
            _ => Terms::NonRefundable,
        };
        let reference = Self {
            found,
            line: Line {
                hotel,
                stay: Stay { check_in, check_out },
                party: Party {
                    rooms,
                    guests: Guests { adults, children },
                },
                rate: RateKey { room, board, terms },
            },
            given_at: micros(&mut rest)?,
            known_changes: rest.byte()?,
            is_checked: rest.byte()? != 0,
        };
        // A key that somebody built or mended is none.
        (reference.key(seed) == key).then_some(reference)
    }
}

fn put(bytes: &mut Vec<u8>, part: &[u8]) {
    bytes.push(u8::try_from(part.len()).unwrap_or(u8::MAX));
    bytes.extend(part);
}

fn taken(from: &mut Reader<'_>) -> Option<Vec<u8>> {
    (0..from.byte()?).map(|_| from.byte()).collect()
}

fn micros(from: &mut Reader<'_>) -> Option<DateTime<Utc>> {
    DateTime::from_timestamp_micros(i64::from_be_bytes(from.take()?))
}
