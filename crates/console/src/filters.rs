//! How templates show what the client's structs hold: `{{ row.amount|money(row.currency) }}`.

use askama::{Result, Values, filter_fn};
use chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};
use wayfare_client::Amount;

use crate::day::Moment;

#[filter_fn]
pub fn money(amount: &Amount, _: &dyn Values, currency: &str) -> Result<String> {
    Ok(crate::money::money(*amount, currency))
}

#[filter_fn]
pub fn moment(at: &DateTime<Utc>, _: &dyn Values) -> Result<Moment> {
    Ok(Moment::of(*at))
}

#[filter_fn]
pub fn day(day: &NaiveDate, _: &dyn Values) -> Result<String> {
    Ok(crate::day::day(*day))
}

#[filter_fn]
pub fn clock(time: &NaiveDateTime, _: &dyn Values) -> Result<String> {
    Ok(crate::day::clock(*time))
}
