//! What has happened to bookings that nobody has asked for, and which ones there are, by lists that are read page by page.

use chrono::{DateTime, Days, Utc};
use wayfare_supply::reading::Unreadable;
use wayfare_supply::{Answer, ListedOrder, Method, SweptOrder, done_or_return};

use super::Hotelbeds;
use super::errors::Call;
use super::read::{self, ListPage};

/// How many bookings a page has; so many pages of a list are read at most, since each is one of the key's calls.
const PAGE: usize = 100;
const MOST_PAGES: usize = 5;
/// The same of a list of all bookings, which somebody waits for.
const MOST_PAGES_OF_ALL: usize = 50;

/// Bookings that are cancelled, and those whose hotels have told their own numbers. The latter are looked for at times, too:
/// their list may be missing.
pub(super) async fn sweep(hotelbeds: &Hotelbeds) -> Answer<Vec<SweptOrder>> {
    let mut swept = done_or_return!(cancelled(hotelbeds).await);
    match reconfirmed(hotelbeds).await {
        Answer::Done(mut reconfirmed) => {
            reconfirmed.retain(|order| swept.iter().all(|other| other.order_id != order.order_id));
            swept.extend(reconfirmed);
        }
        failed => {
            let reason = failed.problem().unwrap_or_default();
            tracing::warn!(supplier = hotelbeds.http.config().code, reason, "no reconfirmations are listed");
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
    all_pages(hotelbeds, "/hotel-api/1.0/bookings", &bounds, read::cancelled_bookings).await
}

/// Those whose hotels have told their own numbers.
async fn reconfirmed(hotelbeds: &Hotelbeds) -> Answer<Vec<SweptOrder>> {
    let path = "/hotel-api/1.0/bookings/reconfirmations";
    all_pages(hotelbeds, path, &[], read::reconfirmed_bookings).await
}

/// Those that were made since then, the day before counted in, whatever zone they count in.
pub(super) async fn made_since(hotelbeds: &Hotelbeds, since: DateTime<Utc>) -> Answer<Vec<ListedOrder>> {
    let (first, today) = (since.date_naive(), hotelbeds.now().date_naive());
    let bounds = [
        ("filterType", "CREATION".to_owned()),
        ("status", "ALL".to_owned()),
        ("start", first.pred_opt().unwrap_or(first).to_string()),
        ("end", today.succ_opt().unwrap_or(today).to_string()),
    ];
    let path = "/hotel-api/1.0/bookings";
    let read = pages(hotelbeds, path, &bounds, read::all_bookings, MOST_PAGES_OF_ALL).await;
    read.and_then(|(listed, is_whole)| match is_whole {
        true => Answer::Done(listed),
        false => Answer::Unknown(format!("the list is longer than {MOST_PAGES_OF_ALL} pages")),
    })
}

/// A list page by page, as far as a sweep reads it.
async fn all_pages(
    hotelbeds: &Hotelbeds,
    path: &str,
    bounds: &[(&str, String)],
    read: fn(&[u8]) -> Result<ListPage<SweptOrder>, Unreadable>,
) -> Answer<Vec<SweptOrder>> {
    let read = pages(hotelbeds, path, bounds, read, MOST_PAGES).await;
    read.map(|(found, is_whole)| {
        if !is_whole {
            tracing::warn!(
                supplier = hotelbeds.http.config().code,
                path,
                read = MOST_PAGES * PAGE,
                "the list of a sweep is longer than what is read of it"
            );
        }
        found
    })
}

/// A list page by page, until a page is not full or says that there are no more, and whether that was seen.
async fn pages<T>(
    hotelbeds: &Hotelbeds,
    path: &str,
    bounds: &[(&str, String)],
    read: fn(&[u8]) -> Result<ListPage<T>, Unreadable>,
    most: usize,
) -> Answer<(Vec<T>, bool)> {
    let mut found = Vec::new();
    for page in 0..most {
        let (from, to) = (page * PAGE + 1, (page + 1) * PAGE);
        let request =
            hotelbeds.request(Method::GET, path).query(&bounds).query(&[("from", from), ("to", to)]);
        let answer = hotelbeds.ask(request, Call::Lookup, read).await;
        let listed = done_or_return!(answer.unless_refused());
        found.extend(listed.orders);
        if listed.count < PAGE || listed.total.is_some_and(|total| total <= to) {
            return Answer::Done((found, true));
        }
    }
    Answer::Done((found, false))
}
