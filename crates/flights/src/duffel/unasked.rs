//! What became of orders without our asking: what comes back for one that was cancelled there, and which ones an airline has
//! changed.

use serde_json::Value;
use wayfare_supply::{
    Answer, CancellationState, Method, SweptOrder, UnaskedRefund, done_or_return, id_or_unknown,
};

use super::errors::Call;
use super::{Duffel, PAGE_SIZE, read};

/// Reading the list of orders that want something done ends after so many pages.
const MOST_PAGES: usize = 5;

/// What the newest cancellation of the order gives back that was carried out.
pub(super) async fn refund(duffel: &Duffel, order_id: &str) -> Answer<Option<UnaskedRefund>> {
    done_or_return!(id_or_unknown(order_id, "an order"));
    let request = duffel
        .request(Method::GET, "/air/order_cancellations")
        .query(&[("order_id", order_id), ("limit", PAGE_SIZE)]);
    let answer = duffel.ask(request, Call::Lookup).await.unless_refused();
    answer.and_read(|body| {
        // Newest first, as they list them.
        let listed = duffel.http.reading(|| read::cancellations(&body))?;
        let mut carried_out = listed.into_iter().filter(|quote| quote.state == CancellationState::Confirmed);
        Ok::<_, wayfare_supply::reading::Unreadable>(carried_out.next().and_then(|quote| {
            let to = quote.raw.get("refund_to").and_then(Value::as_str);
            Some(UnaskedRefund { amount: quote.refund?, to: to.map(str::to_owned) })
        }))
    })
}

/// The orders of which Duffel says that something is to be done: their airlines have changed flights. What is shown of one is
/// its changes, each with what was done about it.
pub(super) async fn requiring_action(duffel: &Duffel) -> Answer<Vec<SweptOrder>> {
    let (mut found, mut after) = (Vec::new(), None::<String>);
    for _ in 0..MOST_PAGES {
        let page = duffel.page(&[("requires_action", "true")], after.as_deref()).await;
        let page = done_or_return!(page.unless_refused());
        found.extend(page.orders.iter().filter_map(swept));
        after = page.after;
        if after.is_none() {
            break;
        }
    }
    Answer::Done(found)
}

fn swept(order: &Value) -> Option<SweptOrder> {
    let changes = order.get("airline_initiated_changes").and_then(Value::as_array);
    let of_change = |change: &Value| {
        let text = |name| change.get(name).and_then(Value::as_str).unwrap_or_default();
        format!("{} {}", text("id"), text("action_taken"))
    };
    let changes: Vec<String> = changes.into_iter().flatten().map(of_change).collect();
    Some(SweptOrder { order_id: order.get("id")?.as_str()?.to_owned(), mark: changes.join(", ") })
}
