//! Stays that are about to be booked.

use std::time::Duration;

use serde_json::{Value, json};
use wayfare_launch::SupplierKind;
use wayfare_tests::{Person, Pick, StaySearch, stay_at};

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
