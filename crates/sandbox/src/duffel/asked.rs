//! Searches and offers that are wholly in their ids, so that none has to be remembered.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use sha2::{Digest, Sha256};

use super::{ids, special};
use crate::airlines::Cabin;
use crate::itinerary::{Kind, Leg, Place, Search, Traveller};

const LAYOUT: u8 = 1;
const CHECK_BYTES: usize = 6;
/// Passengers that were searched by type, not by age.
const BY_TYPE: [(u8, Kind); 3] = [(250, Kind::Adult), (251, Kind::Child), (252, Kind::Infant)];
/// Younger than this on a lap, and not yet this old at a child's price.
const CHILD_FROM: u8 = 2;
const ADULT_FROM: u8 = 12;

/// A search, and when it was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Asked {
    pub(super) at: DateTime<Utc>,
    /// Tells two searches of one instant apart.
    salt: u16,
    pub(super) search: Search,
}

/// One of the offers that answer a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OfferRef {
    pub(super) asked: Asked,
    /// Its place among the bundles of the inventory.
    pub(super) place: u16,
}

/// How suppliers see somebody of that age.
pub(super) fn kind_at(age: u8) -> Kind {
    match age {
        ..CHILD_FROM => Kind::Infant,
        CHILD_FROM..ADULT_FROM => Kind::Child,
        ADULT_FROM.. => Kind::Adult,
    }
}

impl Asked {
    /// A search made now.
    pub(super) fn now(at: DateTime<Utc>, search: Search) -> Self {
        Self {
            at,
            salt: rand::random(),
            search,
        }
    }

    /// The id of the offer request.
    pub(super) fn request_id(&self, seed: u64) -> String {
        format!("orq_{}", sealed(seed, self.bytes()))
    }

    /// The id of one offer.
    pub(super) fn offer_id(&self, seed: u64, place: u16) -> String {
        let mut bytes = self.bytes();
        bytes.extend(place.to_be_bytes());
        format!("off_{}", sealed(seed, bytes))
    }

    /// The search of an offer request's id, where the sandbox of this seed made it.
    pub(super) fn of_request_id(seed: u64, id: &str) -> Option<Self> {
        let bytes = opened(seed, id.strip_prefix("orq_")?)?;
        let mut rest = Reader(&bytes);
        let asked = Self::read(&mut rest)?;
        rest.0.is_empty().then_some(asked)
    }

    /// Offers stand for half an hour.
    pub(super) fn expires_at(&self) -> DateTime<Utc> {
        self.at + TimeDelta::minutes(30)
    }

    /// The ids of the passengers, in the search's order.
    pub(super) fn passenger_ids(&self, seed: u64) -> Vec<String> {
        let request = self.request_id(seed);
        let places = 0..self.search.party.len();
        places
            .map(|place| ids::named("pas", seed, &format!("{request}/{place}")))
            .collect()
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![LAYOUT];
        bytes.extend(self.at.timestamp_micros().to_be_bytes());
        bytes.extend(self.salt.to_be_bytes());
        bytes.push(self.search.cabin.map_or(0, |cabin| cabin as u8 + 1));
        bytes.push(self.search.max_connections);
        bytes.push(u8::try_from(self.search.legs.len()).unwrap_or(u8::MAX));
        for leg in &self.search.legs {
            bytes.extend(leg.from.code.bytes().take(3));
            bytes.extend(leg.to.code.bytes().take(3));
            let days = (leg.date - NaiveDate::default()).num_days();
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

    fn read(from: &mut Reader<'_>) -> Option<Self> {
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
        let legs = (0..from.byte()?).map(|_| {
            let from_code = from.take::<3>()?;
            let to_code = from.take::<3>()?;
            let place = |code: [u8; 3]| Place::of(std::str::from_utf8(&code).ok()?);
            let days = u16::from_be_bytes(from.take()?);
            let date = NaiveDate::default() + TimeDelta::days(i64::from(days));
            Some(Leg {
                from: place(from_code)?,
                to: place(to_code)?,
                date,
            })
        });
        let legs: Vec<Leg> = legs.collect::<Option<_>>()?;
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
        let wishes = special::wishes(&legs);
        Some(Self {
            at,
            salt,
            search: Search {
                legs,
                party,
                cabin,
                max_connections,
                wishes,
            },
        })
    }
}

impl OfferRef {
    /// The offer of an id, where the sandbox of this seed made it.
    pub(super) fn of_id(seed: u64, id: &str) -> Option<Self> {
        let bytes = opened(seed, id.strip_prefix("off_")?)?;
        let mut rest = Reader(&bytes);
        let asked = Asked::read(&mut rest)?;
        let place = u16::from_be_bytes(rest.take()?);
        rest.0.is_empty().then_some(Self { asked, place })
    }
}

/// Bytes in the letters of a URL, with a check that only the same seed can make.
pub(super) fn sealed(seed: u64, mut bytes: Vec<u8>) -> String {
    let check = check(seed, &bytes);
    bytes.extend(check);
    URL_SAFE_NO_PAD.encode(bytes)
}

/// What was sealed, where it was sealed with the same seed.
pub(super) fn opened(seed: u64, text: &str) -> Option<Vec<u8>> {
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

/// Bytes still to be read.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take::<1>().map(|[byte]| byte)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked() -> Asked {
        let date = NaiveDate::from_ymd_opt(2027, 2, 3).unwrap();
        let leg = |from, to| Leg {
            from: Place::of(from).unwrap(),
            to: Place::of(to).unwrap(),
            date,
        };
        let legs = vec![leg("DEL", "LON"), leg("LHR", "DEL")];
        let party = vec![
            Traveller {
                kind: Kind::Adult,
                age: None,
            },
            Traveller {
                kind: Kind::Child,
                age: Some(7),
            },
            Traveller {
                kind: Kind::Infant,
                age: None,
            },
        ];
        let wishes = special::wishes(&legs);
        let search = Search {
            legs,
            party,
            cabin: Some(Cabin::Business),
            max_connections: 1,
            wishes,
        };
        Asked::now(
            DateTime::from_timestamp_micros(1_780_000_000_123_456).unwrap(),
            search,
        )
    }

    #[test]
    fn an_offer_id_holds_its_whole_search() {
        let asked = asked();
        let offer = OfferRef::of_id(9, &asked.offer_id(9, 41)).unwrap();
        assert_eq!(
            offer,
            OfferRef {
                asked: asked.clone(),
                place: 41
            }
        );
        assert_eq!(Asked::of_request_id(9, &asked.request_id(9)), Some(asked));
    }

    #[test]
    fn an_id_that_was_touched_or_made_elsewhere_is_none() {
        let id = asked().offer_id(9, 41);
        assert_eq!(OfferRef::of_id(8, &id), None, "another seed");
        for at in 4..id.len() {
            let mut touched = id.clone().into_bytes();
            touched[at] = if touched[at] == b'A' { b'B' } else { b'A' };
            assert_eq!(
                OfferRef::of_id(9, std::str::from_utf8(&touched).unwrap()),
                None,
                "at {at}"
            );
            assert_eq!(OfferRef::of_id(9, &id[..at]), None, "cut at {at}");
        }
        assert_eq!(OfferRef::of_id(9, "off_0000AEatBx31Yi7k9beiky"), None);
    }
}
