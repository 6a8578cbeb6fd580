//! Times as flight suppliers write them.

use chrono::NaiveDateTime;
use serde::{Deserialize, Deserializer};
use wayfare_supply::{reading::Through, times::local_time};

/// The time on the clocks of an airport ([`local_time`]).
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocalTime(pub NaiveDateTime);

impl<'de> Deserialize<'de> for LocalTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Through("a local time without zone", local_time)).map(Self)
    }
}
