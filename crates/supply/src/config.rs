//! A supplier instance is configuration.

use std::time::Duration;

use secrecy::SecretString;
use serde::Deserialize;
use wayfare_domain::Currency;

/// How one supplier is reached and how long it may think. One is made by [`SupplierConfig::new`], and changed by [`SupplierConfig::with`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SupplierConfig {
    /// The opaque provider code that clients see (`duffel`).
    pub code: String,
    /// Where its API answers, without a trailing slash.
    pub base_url: String,
    /// Where it is booked, where that is elsewhere; without a trailing slash.
    pub booking_url: Option<String>,
    /// In which currency it is asked for prices, where it lets that be chosen.
    pub currency: Option<Currency>,
    /// What proves us to it.
    pub token: SecretString,
    /// How long a call that only reads may take.
    pub read_deadline: Duration,
    /// How long a call that changes something may take.
    pub effect_deadline: Duration,
    /// The supplier's longest processing time: until then a look-up that finds nothing means "not yet". It counts
    /// from when an effect is handed over, so it includes the few seconds ([`crate::LATEST_START`]) in which the
    /// effect may still be waiting to be sent, and at hotels the ten in which a price that fell is followed.
    pub processing_time: Duration,
    /// How hard it may be pressed, and when it is left alone.
    pub limits: Limits,
    /// What it is asked where a flight search names a city.
    pub city_codes: CityCodes,
    /// Whether parts of its orders are given back, where it takes any back.
    pub parts: bool,
    /// Whether tickets are reissued for other flights, where it reissues any.
    pub reissue: bool,
    /// How many orders all processes together poll in an hour there, of those that are watched until their travel is over.
    pub watch_per_hour: u32,
    /// How many pages of what hotels are all processes together ask it for in an hour, where that is asked apart from requests.
    pub content_per_hour: u32,
    /// What proves its hooks, where it has been told to send any.
    pub hook_secret: Option<SecretString>,
}

impl SupplierConfig {
    /// A supplier of this code, reached at this URL by this token. It may read for 20 s, and take 130 s for an effect, which is
    /// its longest processing time, too. Cities are sent as they are. 600 orders are polled and 60 pages of hotels read in an
    /// hour. [`Limits`] are the usual ones; neither parts nor reissues are asked for, and no hook is believed.
    pub fn new(code: impl Into<String>, base_url: impl Into<String>, token: impl Into<SecretString>) -> Self {
        Self {
            code: code.into(),
            base_url: base_url.into(),
            booking_url: None,
            currency: None,
            token: token.into(),
            read_deadline: Duration::from_secs(20),
            effect_deadline: Duration::from_secs(130),
            processing_time: Duration::from_secs(130),
            limits: Limits::default(),
            city_codes: CityCodes::AsIs,
            parts: false,
            reissue: false,
            watch_per_hour: 600,
            content_per_hour: 60,
            hook_secret: None,
        }
    }

    /// The same with this changed: `config.with(|config| config.parts = true)`.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

/// What a supplier of flights is asked where a search names a city with several airports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum CityCodes {
    /// The city's code, as it is. A code that is an airport's, too, would mean the airport: then as `Spread`.
    #[default]
    AsIs,
    /// Its airports of best rank, a call for each pair.
    Spread,
    /// Nothing: it is left out of such searches.
    Off,
}

/// How hard one process presses a supplier, and when it leaves the supplier alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// How many calls may be under way at once, 2 or more; 64 unless told otherwise. At most three quarters of them
    /// are questions ([`crate::Purpose::Question`]), so that effects and their look-ups find a permit while
    /// searches crowd in. At most an eighth are of the watch ([`crate::Purpose::Watch`]).
    pub calls_at_once: u32,
    /// How many of the permits for questions that nobody else holds one agency's questions may take, in percent from 1 to
    /// 100; 50 unless told otherwise.
    pub agency_share: u8,
    /// After so many failed calls in a row nothing is sent for a while; 10 unless told otherwise. One airline that
    /// always fails should not shut out all the others.
    pub failures_to_open: u32,
    /// How long nothing is sent then, until one call finds out whether the supplier is back; 10 s unless told
    /// otherwise.
    pub open_for: Duration,
}

impl Limits {
    /// The same with this changed, as by [`SupplierConfig::with`].
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { calls_at_once: 64, agency_share: 50, failures_to_open: 10, open_for: Duration::from_secs(10) }
    }
}
