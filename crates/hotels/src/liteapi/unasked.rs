//! What became of bookings without our asking, by lists: which ones were cancelled there, and which ones there are.

use std::time::Duration;

use chrono::{DateTime, Days, Utc};
use wayfare_supply::{Answer, ListedOrder, Method, SweptOrder};

use super::{LiteApi, errors::Call, read};

/// How often the list of cancelled bookings is read.
pub(super) const SWEPT_EVERY: Duration = Duration::from_secs(6 * 3600);
/// Stays are listed that begin within so many days.
const SWEPT_DAYS: Days = Days::new(30);
/// Nobody books so many days ahead.
const FARTHEST: Days = Days::new(730);

/// Those of the bookings that begin soon that are cancelled.
pub(super) async fn cancelled(liteapi: &LiteApi) -> Answer<Vec<SweptOrder>> {
    let today = liteapi.now().date_naive();
    let end = today.checked_add_days(SWEPT_DAYS).unwrap_or(today);
    let request = liteapi.calls.booking_request(Method::GET, "/bookings/").query(&[
        ("startDate", today.to_string().as_str()),
        ("endDate", end.to_string().as_str()),
        ("status", "cancelled"),
    ]);
    let answer = liteapi.calls.ask(request, Call::Lookup).await.unless_refused();
    answer.and_read(|body| read::cancelled_bookings(&body))
}

/// All bookings of stays that had not ended by then, the day before counted in, whatever zone they count in: what was made since
/// then is among them. Their list can't be narrowed by when a booking was made.
pub(super) async fn all_since(liteapi: &LiteApi, since: DateTime<Utc>) -> Answer<Vec<ListedOrder>> {
    let day = since.date_naive();
    let start = day.pred_opt().unwrap_or(day);
    let end = liteapi.now().date_naive().checked_add_days(FARTHEST).unwrap_or(day);
    let request = liteapi
        .calls
        .booking_request(Method::GET, "/bookings/")
        .query(&[("startDate", start.to_string().as_str()), ("endDate", end.to_string().as_str())]);
    let answer = liteapi.calls.ask(request, Call::Lookup).await.unless_refused();
    answer.and_read(|body| read::all_bookings(&body))
}
