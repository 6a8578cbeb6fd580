//! Names of changes that callers were told: they carry what is flown then and what it costs, and a keyed hash bound to the user.
//! Nothing is remembered of them: the supplier is asked again for just these flights (D-387).

use chrono::{NaiveDate, NaiveDateTime};
use serde::{Deserialize, Serialize};
use wayfare_domain::{BookingId, Faults, Money};
use wayfare_flights::Journey;

use crate::{Caller, Core, Error, Result};

const PREFIX: &str = "ck_";
const PURPOSE: &str = "change-key";

/// A journey of a booking, flown otherwise.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ChangeKey {
    #[serde(rename = "b")]
    pub booking: BookingId,
    /// The place of the journey among all of the booking, from 0.
    #[serde(rename = "j")]
    pub journey: usize,
    #[serde(rename = "o")]
    pub origin: String,
    #[serde(rename = "d")]
    pub destination: String,
    #[serde(rename = "t")]
    pub date: NaiveDate,
    #[serde(rename = "f")]
    pub flights: Vec<FlightName>,
    /// What it cost alone, in the supplier's currency.
    #[serde(rename = "p")]
    pub total: Money,
    /// Seconds since 1970.
    #[serde(rename = "e")]
    pub expires: i64,
}

/// Airline, flight number, and the local time of departure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FlightName(String, String, NaiveDateTime);

pub(crate) fn flight_names(journey: &Journey) -> Vec<FlightName> {
    let flights = journey.segments.iter();
    flights
        .map(|flight| {
            FlightName(flight.airline.to_string(), flight.flight_number.to_string(), flight.departure)
        })
        .collect()
}

impl ChangeKey {
    /// The key as this caller sees it.
    ///
    /// # Errors
    /// When it is no JSON.
    pub(crate) fn print(&self, core: &Core, caller: &Caller) -> Result<String> {
        let content = serde_json::to_vec(self)?;
        let (organization, user) = (caller.organization(), caller.user());
        let secrets = &core.secrets;
        Ok(secrets.signed(PREFIX, PURPOSE, &content, organization, user))
    }

    /// What this text names.
    ///
    /// # Errors
    /// [`Error::NotFound`] for anything that we did not give to this caller, [`Error::OfferExpired`] past its time.
    fn read(core: &Core, caller: &Caller, text: &str) -> Result<Self> {
        let (organization, user) = (caller.organization(), caller.user());
        let signed = text.strip_prefix(PREFIX).ok_or(Error::NotFound)?;
        let content = core.secrets.verified(PURPOSE, signed, organization, user);
        let content = content.ok_or(Error::NotFound)?;
        let key: Self = serde_json::from_slice(&content).map_err(|_| Error::NotFound)?;
        match core.clock.now().timestamp() < key.expires {
            true => Ok(key),
            false => Err(Error::OfferExpired),
        }
    }
}

/// The changes that these keys name; none where they are keys of itineraries to be booked.
///
/// # Errors
/// As of each key, [`Error::Invalid`] for keys of both kinds.
pub(crate) fn keys(core: &Core, caller: &Caller, fare_keys: &[String]) -> Result<Option<Vec<ChangeKey>>> {
    let of_changes = fare_keys.iter().filter(|key| key.starts_with(PREFIX)).count();
    if of_changes == 0 {
        return Ok(None);
    }
    if of_changes < fare_keys.len() {
        return Err(Faults::of("fare_keys", "must be all of changes, or none").into());
    }
    let keys = fare_keys.iter().map(|key| ChangeKey::read(core, caller, key));
    keys.collect::<Result<_>>().map(Some)
}
