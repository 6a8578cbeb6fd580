//! What became of bookings without our asking: which ones were cancelled there.

use chrono::Days;
use wayfare_supply::{Answer, Method, SweptOrder};

use super::{LiteApi, errors::Call, read};

/// Stays are listed that begin within so many days.
const SWEPT_DAYS: Days = Days::new(30);

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
