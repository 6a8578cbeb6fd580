//! Journeys of an order that are to be flown otherwise, by a change at its supplier.

use chrono::{DateTime, NaiveDate, Utc};
use wayfare_supply::ChangePrice;

use crate::{Cabin, Journey};

/// A journey that is to be flown in the place of one of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JourneyChange {
    /// Which journey of the order it is instead of, by its place from 0.
    pub journey: usize,
    /// IATA code of an airport or a city.
    pub origin: String,
    /// IATA code of an airport or a city.
    pub destination: String,
    /// Local at the origin.
    pub date: NaiveDate,
    /// Of all its flights.
    pub cabin: Cabin,
}

/// Other flights for journeys of an order, and what they cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeOffer {
    /// The supplier's name of it.
    pub token: String,
    /// The airline that sells it, IATA code.
    pub carrier: String,
    /// The new journeys, in the order in which they were asked for.
    pub journeys: Vec<Journey>,
    /// What it costs.
    pub price: ChangePrice,
    /// When it is no longer good, UTC.
    pub expires_at: Option<DateTime<Utc>>,
}
