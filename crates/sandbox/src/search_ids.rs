//! Searches that are wholly in the ids made from them, so that none has to be remembered.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::airlines::Cabin;
use crate::itinerary::{Location, PassengerType, Search, Slice, Traveller};
use crate::rng::Rng;
use crate::test_routes;

/// Younger than this on a lap, and not yet this old at a child's price.
const CHILD_FROM: u8 = 2;
const ADULT_FROM: u8 = 12;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Parts", try_from = "Parts")]
pub(crate) struct StampedSearch {
    pub(crate) at: DateTime<Utc>,
    /// Tells two searches of one instant apart: with a clock that stands still all are of one, and of some hundred with 16 bits two
    /// are the same now and then.
    salt: u32,
    pub(crate) search: Search,
}

/// What cannot be worked out: instant, salt, class, connections, legs and party.
type Parts = (
    DateTime<Utc>,
    u32,
    Option<Cabin>,
    u8,
    Vec<(String, String, NaiveDate)>,
    Vec<(PassengerType, Option<u8>)>,
);

impl From<StampedSearch> for Parts {
    fn from(StampedSearch { at, salt, search }: StampedSearch) -> Self {
        let legs = search.slices.into_iter();
        let legs = legs.map(|leg| (leg.from.code, leg.to.code, leg.date)).collect();
        let party = search.party.iter().map(|one| (one.kind, one.age)).collect();
        (at, salt, search.cabin, search.max_connections, legs, party)
    }
}

impl TryFrom<Parts> for StampedSearch {
    type Error = String;

    fn try_from((at, salt, cabin, max_connections, legs, party): Parts) -> Result<Self, String> {
        let place = |code: String| Location::of(&code).ok_or(code);
        let leg = |(from, to, date)| Ok(Slice { from: place(from)?, to: place(to)?, date });
        let slices = legs.into_iter().map(leg).collect::<Result<Vec<_>, String>>()?;
        let party = party.into_iter().map(|(kind, age)| Traveller { kind, age }).collect();
        let scenario = test_routes::scenario(&slices);
        let search = Search { slices, party, cabin, max_connections, scenario };
        Ok(Self { at, salt, search })
    }
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
        let salt = rand::random();
        Self { at, salt, search }
    }

    /// What answers a search is valid for half an hour.
    pub(crate) fn expires_at(&self) -> DateTime<Utc> {
        self.at + TimeDelta::minutes(30)
    }
}

/// Something in the letters of a URL, with a check that differs from seed to seed.
pub(crate) fn sealed(seed: u64, content: &impl Serialize) -> String {
    let json = serde_json::to_string(content).unwrap_or_default();
    let mut bytes = check(seed, &json).to_vec();
    bytes.extend(json.bytes());
    URL_SAFE_NO_PAD.encode(bytes)
}

/// What was sealed, where it was sealed with the same seed.
pub(crate) fn opened<T: DeserializeOwned>(seed: u64, text: &str) -> Option<T> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    let (sealed, json) = bytes.split_first_chunk()?;
    let json = std::str::from_utf8(json).ok()?;
    let is_ours = *sealed == check(seed, json);
    is_ours.then(|| serde_json::from_str(json).ok())?
}

fn check(seed: u64, json: &str) -> [u8; 8] {
    Rng::of(seed, json).next_u64().to_be_bytes()
}
