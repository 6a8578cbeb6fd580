//! Whether all that was acknowledged is there at the end, once, and whether everybody's books agree.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::{Duration, Instant},
};

use tokio_postgres::Client;

use crate::{place::Place, programs::Programs, sellers::Sale};

/// Longer than a supplier may take to make an order of which it has not said anything.
const SETTLING: Duration = Duration::from_secs(200);

const UNDER_WAY: &str = "select (select count(*) from effects where state in ('open', 'planned'))
    + (select count(*) from bookings where status = 'pending') + (select count(*) from holds where closed_at is null)";
const BOOKINGS: &str = "select booking_ref, status from bookings";
const ORDERS: &str = "select o.supplier_order_id, b.booking_ref from supplier_orders o
    join bookings b on (b.org_id, b.id) = (o.org_id, o.booking_id) where o.supplier_order_id is not null";
const INCIDENTS: &str = "select kind, coalesce(booking_id::text, '') from exceptions where closed_at is null";

pub struct Books {
    pub bookings: usize,
    pub confirmed: usize,
    pub orders: usize,
    /// What is wrong, in a sentence each.
    pub wrongs: Vec<String>,
}

pub async fn of(place: &Place, programs: &Programs, sales: &[Sale]) -> Books {
    let client = place.connect().await;
    let mut wrongs = Vec::new();
    let begun = Instant::now();
    while client.query_one(UNDER_WAY, &[]).await.unwrap().get::<_, i64>(0) != 0 {
        if begun.elapsed() > SETTLING {
            wrongs.push("something is under way still".to_owned());
            break;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let bookings: BTreeMap<String, String> = pairs(&client, BOOKINGS).await.into_iter().collect();
    let ours: BTreeMap<String, String> = pairs(&client, ORDERS).await.into_iter().collect();
    for (kind, booking) in pairs(&client, INCIDENTS).await {
        wrongs.push(format!("an open incident: {kind} {booking}"));
    }
    wrongs.extend(of_sales(sales, &bookings));
    let orders = place.orders().await;
    let live =
        orders.iter().filter(|order| ["held", "confirmed"].iter().any(|live| order["status"] == *live));
    let live: BTreeSet<&str> = live.filter_map(|order| order["id"].as_str()).collect();
    wrongs.extend(of_orders(&live, &ours, &bookings));
    let verified = place.operator(programs, &["ledger", "verify"]).output().unwrap();
    print!("ledger verify: {}", String::from_utf8_lossy(&verified.stdout));
    if !verified.status.success() {
        wrongs.push(format!("the ledger is wrong: {}", String::from_utf8_lossy(&verified.stderr)));
    }
    Books {
        bookings: bookings.len(),
        confirmed: bookings.values().filter(|status| *status == "confirmed").count(),
        orders: live.len(),
        wrongs,
    }
}

async fn pairs(client: &Client, query: &str) -> Vec<(String, String)> {
    client.query(query, &[]).await.unwrap().iter().map(|row| (row.get(0), row.get(1))).collect()
}

fn of_sales(sales: &[Sale], bookings: &BTreeMap<String, String>) -> Vec<String> {
    let mut wrongs = Vec::new();
    let mut told = BTreeSet::new();
    for sale in sales {
        let reference = &sale.reference;
        if !told.insert(reference.as_str()) {
            wrongs.push(format!("two keys have one booking: {reference}"));
        }
        let expected = if sale.cancelled_at.is_some() { "cancelled" } else { "confirmed" };
        match bookings.get(reference).map(String::as_str) {
            None => wrongs.push(format!("acknowledged and lost: {reference}")),
            Some("failed") if !sale.is_confirmed => {}
            Some(status) if status != expected => {
                wrongs.push(format!("acknowledged as {expected} and now {status}: {reference}"));
            }
            Some(_) => {}
        }
    }
    // Of which nobody was told, since their request failed: sold all the same.
    let untold = bookings.iter().filter(|(reference, _)| !told.contains(reference.as_str()));
    wrongs.extend(
        untold
            .filter(|(_, status)| *status == "confirmed")
            .map(|(reference, _)| format!("confirmed, and nobody was told: {reference}")),
    );
    wrongs
}

/// Suppliers have what we have, and nothing else.
fn of_orders(
    live: &BTreeSet<&str>,
    ours: &BTreeMap<String, String>,
    bookings: &BTreeMap<String, String>,
) -> Vec<String> {
    let is_confirmed =
        |reference: &String| bookings.get(reference).is_some_and(|status| status == "confirmed");
    let only_theirs = live.iter().filter(|order| !ours.get(**order).is_some_and(is_confirmed));
    let only_ours =
        ours.iter().filter(|(order, reference)| is_confirmed(reference) && !live.contains(order.as_str()));
    only_theirs
        .map(|order| format!("only the supplier knows {order}"))
        .chain(
            only_ours.map(|(order, reference)| format!("the supplier does not know {order} of {reference}")),
        )
        .collect()
}
