//! Stays that are about to be booked.

use std::{
    sync::atomic::{AtomicI64, Ordering},
    time::Duration,
};

use serde_json::{Value, json};
use wayfare_launch::SupplierKind;
use wayfare_tests::{Person, Pick, StaySearch, stay_at};

/// Days from now on which a stay begins, others for each stay of this process: a night has only few rooms of a kind, and
/// the cheapest of them are what every row takes.
pub fn next_days() -> i64 {
    static STAYS: AtomicI64 = AtomicI64::new(0);
    30 + STAYS.fetch_add(1, Ordering::Relaxed) % 270
}

/// The order of a stay at this supplier so many days from now, which can be given back for nothing. It has two rooms for
/// different guests, so that the booking has several rates; of the whole city only few hotels are asked for, which is
/// soon done.
pub async fn order(agent: &Person, at: SupplierKind, in_days: i64) -> Value {
    let search = StaySearch {
        location: json!({ "type": "coordinates", "latitude": 19.07, "longitude": 72.88, "radius_km": 2 }),
        in_days,
        ..stay_at(<&str>::from(at)).rooms(&[(2, &[]), (1, &[8])])
    };
    loop {
        if let Some(stay) = agent.look_for_stay(&search, Pick::Free).await {
            return stay.order(&agent.price_stay(&stay).await.ok());
        }
        // A supplier that has just answered 429 is left alone for a second, and then there are no hotels.
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}
