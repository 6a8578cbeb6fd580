//! The lists of Hotelbeds' bookings to which something has happened, over real sockets: read page by page.

use serde_json::{Value, json};
use wayfare_stub_server::{Reply, StubServer, reply};
use wayfare_supply::{AfterSales, Answer, SweptOrder};

use crate::answers::ending;
use crate::hotelbeds_bodies::*;

const PAGE: u32 = 100;

/// So many bookings of a list, counted on from this number.
fn listed(first: u32, count: u32) -> Vec<Value> {
    let numbers = first..first + count;
    numbers
        .map(|number| json!({ "reference": format!("207-{number}"), "clientReference": REFERENCE }))
        .collect()
}

fn page(bookings: &[Value], total: Option<u32>) -> Reply {
    ok(&json!({ "bookings": { "bookings": bookings, "total": total } }))
}

/// A page of reconfirmations, of which only the last booking has a number of its hotel.
fn reconfirmed(first: u32, count: u32) -> Reply {
    let mut bookings = listed(first, count);
    if let Some(last) = bookings.last_mut() {
        last["hotel"] = json!({ "rooms": [{ "id": 1, "supplierConfirmationCode": ["A-17"] }] });
    }
    page(&bookings, None)
}

async fn swept(replies: Vec<Reply>) -> (Answer<Vec<SweptOrder>>, Vec<String>) {
    let stub = StubServer::start(replies).await;
    let answer = hotelbeds(&stub).sweep().await;
    let pages = stub.lines().into_iter().filter_map(|line| {
        let (path, query) = line.split_once('?')?;
        let bounds = query.split('&').filter(|part| part.starts_with("from=") || part.starts_with("to="));
        let list = path.rsplit('/').next()?;
        Some(format!("{list} {}", bounds.collect::<Vec<_>>().join(" ")))
    });
    let pages = pages.collect();
    (answer, pages)
}

#[tokio::test]
async fn a_list_is_read_to_its_last_page() {
    let (answer, pages) =
        swept(vec![page(&listed(1, PAGE), None), page(&listed(101, 2), None), page(&[], None)]).await;
    let found = done(answer);
    assert_eq!(found.len(), 102);
    assert_eq!(
        pages,
        ["bookings from=1 to=100", "bookings from=101 to=200", "reconfirmations from=1 to=100"]
    );
    // A full page that says that it is the last.
    let (answer, pages) = swept(vec![page(&listed(1, PAGE), Some(PAGE)), page(&[], None)]).await;
    assert_eq!((done(answer).len(), pages.len()), (100, 2));
}

#[tokio::test]
async fn a_page_is_full_however_few_of_its_bookings_have_news() {
    let (answer, pages) = swept(vec![page(&[], Some(0)), reconfirmed(1, PAGE), reconfirmed(101, 1)]).await;
    let found: Vec<String> = done(answer).into_iter().map(|order| order.order_id).collect();
    assert_eq!(found, ["207-100", "207-101"]);
    assert_eq!(pages.len(), 3);
}

#[tokio::test]
async fn a_list_without_an_end_is_left_after_five_pages() {
    let endless = (0..5).map(|number| page(&listed(number * PAGE + 1, PAGE), None));
    let (answer, pages) = swept(endless.chain([page(&[], None)]).collect()).await;
    assert_eq!(done(answer).len(), 500);
    assert_eq!(pages.last().unwrap(), "reconfirmations from=1 to=100");
    assert_eq!(pages.len(), 6);
}

#[tokio::test]
async fn a_page_that_does_not_come_is_not_the_end_of_the_list() {
    for (fault, end) in
        [(reply(500, ""), "unknown"), (reply(200, "{"), "unknown"), (reply(429, ""), "unavailable")]
    {
        let (answer, _) = swept(vec![page(&listed(1, PAGE), None), fault]).await;
        assert_eq!(ending(&answer), end);
    }
    // The list of reconfirmations may be missing: what is cancelled counts.
    let (answer, _) = swept(vec![page(&listed(1, 1), None), reply(500, "")]).await;
    assert_eq!(done(answer).len(), 1);
}
