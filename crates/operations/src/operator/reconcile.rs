//! Suppliers' own lists of orders beside ours: what is missing where after a database was restored to an earlier moment.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use wayfare_domain::{BookingRef, OrderStatus};
use wayfare_store::booking::known_orders::{self, KnownOrder};
use wayfare_supply::{AfterSales, Answer, ListedOrder};

use crate::{Platform, Result};

/// How an order stands otherwise at its supplier than here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disagreement {
    /// The supplier has an order that nobody here knows.
    OnlyAtSupplier,
    /// The supplier has cancelled it, and here it stands.
    CancelledThere,
    /// Here it was given back or never came to be, and the supplier has it.
    LiveThere,
    /// Here it stands, and the supplier's list does not have it.
    OnlyHere,
}

/// An order that does not stand at its supplier as it stands here.
#[derive(Clone, Debug)]
pub struct DifferentOrder {
    pub how: Disagreement,
    /// The supplier's id of it, where it is known.
    pub order_id: Option<String>,
    /// Our reference of it, where the supplier shows one.
    pub reference: Option<String>,
    /// When it was made, as the supplier writes it.
    pub made_at: Option<String>,
    /// Whether it is cancelled at the supplier; none where the supplier does not list it.
    pub is_cancelled: Option<bool>,
    pub booking: Option<BookingRef>,
}

/// What became of the comparison with one supplier.
#[derive(Debug)]
pub enum Reconciled {
    /// It has no list of orders: nobody but its people can tell.
    NoList,
    /// Its list could not be read, and why.
    Unread(String),
    Read {
        listed: usize,
        different: Vec<DifferentOrder>,
    },
}

/// Compares what a supplier has made since then with what is known here. Asks the supplier once for each page of its list, and
/// changes nothing.
pub async fn reconcile(
    platform: &Platform,
    supplier: &(impl AfterSales + ?Sized),
    since: DateTime<Utc>,
) -> Result<Reconciled> {
    let listed = match supplier.orders_since(since).await {
        Answer::Done(Some(listed)) => listed,
        Answer::Done(None) => return Ok(Reconciled::NoList),
        failed => {
            return Ok(Reconciled::Unread(failed.problem().unwrap_or_default().to_owned()));
        }
    };
    let ids: Vec<String> = listed.iter().map(|order| order.order_id.clone()).collect();
    let references: Vec<String> = listed.iter().filter_map(reference).collect();
    let mut connection = platform.core.database.connection().await?;
    let code = &supplier.config().code;
    let known = known_orders::at_supplier(&mut connection, code, (&ids, &references), since).await?;
    Ok(Reconciled::Read { listed: listed.len(), different: compare(listed, &known) })
}

/// In capitals, as ours are: some suppliers change letters.
fn reference(order: &ListedOrder) -> Option<String> {
    order.reference.as_ref().map(|reference| reference.to_uppercase())
}

fn compare(listed: Vec<ListedOrder>, known: &[KnownOrder]) -> Vec<DifferentOrder> {
    let with_id = known.iter().filter_map(|order| Some((order.order_id.as_deref()?, order)));
    let by_id: HashMap<&str, &KnownOrder> = with_id.collect();
    let with_reference = known.iter().map(|order| (order.reference.as_str(), order));
    let by_reference: HashMap<&str, &KnownOrder> = with_reference.collect();
    let mut seen = HashSet::new();
    let mut different = Vec::new();
    for order in listed {
        let own = reference(&order);
        let ours = by_id.get(order.order_id.as_str());
        let ours = ours.or_else(|| by_reference.get(own.as_deref()?));
        seen.extend(ours.map(|ours| ours.reference.as_str()));
        if let Some(how) = disagreement(&order, ours.copied()) {
            different.push(DifferentOrder {
                how,
                order_id: Some(order.order_id),
                reference: order.reference,
                made_at: order.made_at,
                is_cancelled: Some(order.is_cancelled),
                booking: ours.map(|ours| ours.booking.clone()),
            });
        }
    }
    let only_ours = |order: &&KnownOrder| {
        matches!(order.status, OrderStatus::Held | OrderStatus::Confirmed)
            && !order.is_under_way
            && !seen.contains(order.reference.as_str())
    };
    let only_here = known.iter().filter(only_ours).map(|order| DifferentOrder {
        how: Disagreement::OnlyHere,
        order_id: order.order_id.clone(),
        reference: Some(order.reference.clone()),
        made_at: None,
        is_cancelled: None,
        booking: Some(order.booking.clone()),
    });
    different.extend(only_here);
    different
}

/// Of what is under way nothing is said: the server looks it up.
fn disagreement(there: &ListedOrder, here: Option<&KnownOrder>) -> Option<Disagreement> {
    let Some(here) = here else { return Some(Disagreement::OnlyAtSupplier) };
    if here.is_under_way {
        return None;
    }
    match (here.status, there.is_cancelled) {
        (OrderStatus::Held | OrderStatus::Confirmed, true) => Some(Disagreement::CancelledThere),
        (OrderStatus::Cancelled | OrderStatus::Failed, false) => Some(Disagreement::LiveThere),
        (OrderStatus::Held | OrderStatus::Confirmed, false)
        | (OrderStatus::Cancelled | OrderStatus::Failed, true)
        | (OrderStatus::Pending, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn there(id: &str, reference: Option<&str>, is_cancelled: bool) -> ListedOrder {
        ListedOrder {
            order_id: id.to_owned(),
            reference: reference.map(str::to_owned),
            made_at: None,
            is_cancelled,
        }
    }

    fn here(reference: &str, id: Option<&str>, status: OrderStatus, is_under_way: bool) -> KnownOrder {
        KnownOrder {
            booking: format!("FA-{reference}").into(),
            reference: reference.to_owned(),
            order_id: id.map(str::to_owned),
            status,
            is_under_way,
        }
    }

    #[test]
    fn each_disagreement_is_named_and_nothing_else() {
        use OrderStatus::{Cancelled, Confirmed, Failed, Held, Pending};
        let known = [
            here("A-1", Some("a"), Confirmed, false),
            here("B-1", Some("b"), Held, false),
            here("C-1", Some("c"), Cancelled, false),
            here("D-1", None, Failed, false),
            here("E-1", None, Pending, true),
            here("F-1", Some("f"), Confirmed, false),
            here("G-1", Some("g"), Confirmed, true),
            here("H-1", None, Failed, false),
        ];
        let listed = vec![
            there("a", Some("a-1"), false),
            there("b", None, true),
            there("c", None, true),
            there("d", Some("D-1"), false),
            there("e", Some("E-1"), false),
            there("x", Some("X-1"), false),
            there("y", None, true),
        ];
        let found: Vec<_> = compare(listed, &known)
            .into_iter()
            .map(|order| {
                (
                    order.how,
                    order.order_id.unwrap_or_default(),
                    order.booking.map(|booking| booking.to_string()),
                )
            })
            .collect();
        let of = |reference: &str| Some(format!("FA-{reference}"));
        assert_eq!(
            found,
            [
                (Disagreement::CancelledThere, "b".to_owned(), of("B-1")),
                (Disagreement::LiveThere, "d".to_owned(), of("D-1")),
                (Disagreement::OnlyAtSupplier, "x".to_owned(), None),
                (Disagreement::OnlyAtSupplier, "y".to_owned(), None),
                (Disagreement::OnlyHere, "f".to_owned(), of("F-1")),
            ]
        );
    }
}
