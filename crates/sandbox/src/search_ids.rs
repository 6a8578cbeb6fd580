//! Searches that are wholly in the ids made from them, so that none has to be remembered.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use sha2::{Digest, Sha256};

use crate::airlines::Cabin;
use crate::itinerary::{Location, PassengerType, Search, Slice, Traveller};
use crate::test_routes;

const LAYOUT: u8 = 1;
const CHECK_BYTES: usize = 6;
/// Passengers that were searched by type, not by age.
const BY_TYPE: [(u8, PassengerType); 3] = [
    (250, PassengerType::Adult),
    (251, PassengerType::Child),
    (252, PassengerType::Infant),
];
/// Younger than this on a lap, and not yet this old at a child's price.
const CHILD_FROM: u8 = 2;
const ADULT_FROM: u8 = 12;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StampedSearch {
    pub(crate) at: DateTime<Utc>,
    /// Tells two searches of one instant apart.
    salt: u16,
    pub(crate) search: Search,
}

/// How suppliers see somebody of that age.
pub(crate) fn kind_at(age: u8) -> PassengerType {
    match age {
        ..CHILD_FROM => PassengerType::Infant,
        CHILD_FROM..ADULT_FROM => PassengerType::Child,
        ADULT_FROM.. => PassengerType::Adult,
    }
}

impl StampedSearch {
    pub(crate) fn now(at: DateTime<Utc>, search: Search) -> Self {
        Self {
            at,
            salt: rand::random(),
            search,
        }
    }

    /// What answers a search stands for half an hour.
    pub(crate) fn expires_at(&self) -> DateTime<Utc> {
        self.at + TimeDelta::minutes(30)
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![LAYOUT];
        bytes.extend(self.at.timestamp_micros().to_be_bytes());
        bytes.extend(self.salt.to_be_bytes());
        bytes.push(self.search.cabin.map_or(0, |cabin| cabin as u8 + 1));
        bytes.push(self.search.max_connections);
        bytes.push(u8::try_from(self.search.slices.len()).unwrap_or(u8::MAX));
        for slice in &self.search.slices {
            bytes.extend(slice.from.code.bytes().take(3));
            bytes.extend(slice.to.code.bytes().take(3));
            let days = (slice.date - NaiveDate::default()).num_days();
            bytes.extend(u16::try_from(days).unwrap_or(u16::MAX).to_be_bytes());
        }
        bytes.push(u8::try_from(self.search.party.len()).unwrap_or(u8::MAX));
        bytes.extend(self.search.party.iter().map(|traveller| {
            let by_type = BY_TYPE
                .iter()
                .find(|(_, kind)| *kind == traveller.kind)
                .map_or(0, |(byte, _)| *byte);
            traveller.age.unwrap_or(by_type)
        }));
        bytes
    }

    pub(crate) fn read(from: &mut Reader<'_>) -> Option<Self> {
        if from.byte()? != LAYOUT {
            return None;
        }
        let at = DateTime::from_timestamp_micros(i64::from_be_bytes(from.take()?))?;
        let salt = u16::from_be_bytes(from.take()?);
        let cabins = [
            Cabin::Economy,
            Cabin::PremiumEconomy,
            Cabin::Business,
            Cabin::First,
        ];
        let cabin = match from.byte()? {
            0 => None,
            place => Some(*cabins.get(usize::from(place) - 1)?),
        };
        let max_connections = from.byte()?;
        let slices = (0..from.byte()?).map(|_| {
            let from_code = from.take::<3>()?;
            let to_code = from.take::<3>()?;
            let place = |code: [u8; 3]| Location::of(std::str::from_utf8(&code).ok()?);
            let days = u16::from_be_bytes(from.take()?);
            let date = NaiveDate::default() + TimeDelta::days(i64::from(days));
            Some(Slice {
                from: place(from_code)?,
                to: place(to_code)?,
                date,
            })
        });
        let slices: Vec<Slice> = slices.collect::<Option<_>>()?;
        let party = (0..from.byte()?).map(|_| {
            let byte = from.byte()?;
            let by_type = BY_TYPE.iter().find(|(code, _)| *code == byte);
            Some(match by_type {
                Some((_, kind)) => Traveller {
                    kind: *kind,
                    age: None,
                },
                None => Traveller {
                    kind: kind_at(byte),
                    age: Some(byte),
                },
            })
        });
        let party = party.collect::<Option<_>>()?;
        let scenario = test_routes::scenario(&slices);
        Some(Self {
            at,
            salt,
            search: Search {
                slices,
                party,
                cabin,
                max_connections,
                scenario,
            },
        })
    }
}

/// Bytes in the letters of a URL, with a check that only the same seed can make.
pub(crate) fn sealed(seed: u64, mut bytes: Vec<u8>) -> String {
    let check = check(seed, &bytes);
    bytes.extend(check);
    URL_SAFE_NO_PAD.encode(bytes)
}

/// What was sealed, where it was sealed with the same seed.
pub(crate) fn opened(seed: u64, text: &str) -> Option<Vec<u8>> {
    let mut bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    let sealed = bytes.split_off(bytes.len().checked_sub(CHECK_BYTES)?);
    (sealed == check(seed, &bytes)).then_some(bytes)
}

fn check(seed: u64, bytes: &[u8]) -> Vec<u8> {
    let mut hash = Sha256::new();
    hash.update(b"wayfare-sandbox");
    hash.update(seed.to_be_bytes());
    hash.update(bytes);
    hash.finalize().iter().copied().take(CHECK_BYTES).collect()
}

pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl Reader<'_> {
    /// The next bytes, where there are so many.
    pub(crate) fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    pub(crate) fn byte(&mut self) -> Option<u8> {
        self.take::<1>().map(|[byte]| byte)
    }
}
