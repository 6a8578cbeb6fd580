//! What has happened to bookings that nobody has asked for, by two lists that are read page by page.

use chrono::Days;
use wayfare_supply::reading::Unreadable;
use wayfare_supply::{Answer, Method, SweptOrder};

use super::Hotelbeds;
use super::errors::Call;
use super::read::{self, SweptPage};

/// How many bookings a page has; so many pages of a list are read at most, since each is one of the key's calls.
const PAGE: usize = 100;
const MOST_PAGES: usize = 5;

/// Bookings that are cancelled, and those whose hotels have told their own numbers. The latter are looked for at times, too:
/// their list may be missing.
pub(super) async fn sweep(hotelbeds: &Hotelbeds) -> Answer<Vec<SweptOrder>> {
    let mut swept = match cancelled(hotelbeds).await {
        Answer::Done(cancelled) => cancelled,
        failed => return failed,
    };
    match reconfirmed(hotelbeds).await {
        Answer::Done(mut reconfirmed) => {
            reconfirmed.retain(|order| swept.iter().all(|other| other.order_id != order.order_id));
            swept.extend(reconfirmed);
        }
        failed => {
            let reason = failed.problem().unwrap_or_default();
            tracing::warn!(
                supplier = hotelbeds.http.config().code,
                reason,
                "no reconfirmations are listed"
            );
        }
    }
    Answer::Done(swept)
}

/// Those of the bookings that begin within 30 days that are cancelled.
async fn cancelled(hotelbeds: &Hotelbeds) -> Answer<Vec<SweptOrder>> {
    let today = hotelbeds.now().date_naive();
    let end = today.checked_add_days(Days::new(30)).unwrap_or(today);
    let bounds = [
        ("filterType", "CHECKIN".to_owned()),
        ("status", "CANCELLED".to_owned()),
        ("start", today.to_string()),
        ("end", end.to_string()),
    ];
    all_pages(
        hotelbeds,
        "/hotel-api/1.0/bookings",
        &bounds,
        read::cancelled_bookings,
    )
    .await
}

/// Those whose hotels have told their own numbers.
async fn reconfirmed(hotelbeds: &Hotelbeds) -> Answer<Vec<SweptOrder>> {
    let path = "/hotel-api/1.0/bookings/reconfirmations";
    all_pages(hotelbeds, path, &[], read::reconfirmed_bookings).await
}

/// A list page by page, until a page is not full or says that there are no more.
async fn all_pages(
    hotelbeds: &Hotelbeds,
    path: &str,
    bounds: &[(&str, String)],
    read: fn(&[u8]) -> Result<SweptPage, Unreadable>,
) -> Answer<Vec<SweptOrder>> {
    let mut found = Vec::new();
    for page in 0..MOST_PAGES {
        let (from, to) = (page * PAGE + 1, (page + 1) * PAGE);
        let request = hotelbeds
            .request(Method::GET, path)
            .query(&bounds)
            .query(&[("from", from), ("to", to)]);
        let answer = hotelbeds.ask(request, Call::Lookup, read).await;
        let listed = match answer.unless_refused() {
            Answer::Done(listed) => listed,
            failed => return failed.and_read(|_| Err("no page was read")),
        };
        found.extend(listed.orders);
        if listed.count < PAGE || listed.total.is_some_and(|total| total <= to) {
            return Answer::Done(found);
        }
    }
    tracing::warn!(
        supplier = hotelbeds.http.config().code,
        path,
        read = MOST_PAGES * PAGE,
        "the list of a sweep is longer than what is read of it"
    );
    Answer::Done(found)
}
