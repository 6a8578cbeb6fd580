//! All orders that were made since a moment, for whoever compares them with his own.

use chrono::{DateTime, Utc};
use serde_json::Value;
use wayfare_supply::{Answer, ListedOrder, done_or_return};

use super::{Duffel, PAGE_SIZE};

/// Of a longer list nobody knows the end.
const MOST_PAGES: usize = 100;

/// Newest first, until all that follow are older.
pub(super) async fn orders_since(duffel: &Duffel, since: DateTime<Utc>) -> Answer<Vec<ListedOrder>> {
    let (mut listed, mut after) = (Vec::new(), None::<String>);
    for _ in 0..MOST_PAGES {
        let page = duffel.page(&[("sort", "-created_at")], after.as_deref()).await;
        let page = done_or_return!(page.unless_refused());
        let seen_all = page.reaches(since);
        for order in &page.orders {
            match of(order) {
                Some(order) => listed.push(order),
                None => return Answer::Unknown("an order is listed without an id".to_owned()),
            }
        }
        after = page.after;
        if seen_all || after.is_none() {
            return Answer::Done(listed);
        }
    }
    Answer::Unknown(format!("the list is longer than {MOST_PAGES} pages of {PAGE_SIZE} orders"))
}

fn of(order: &Value) -> Option<ListedOrder> {
    let text = |pointer| order.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
    Some(ListedOrder {
        order_id: text("/id")?,
        reference: text("/metadata/reference"),
        made_at: text("/created_at"),
        is_cancelled: text("/cancelled_at").is_some(),
    })
}
