//! Stays that are about to be booked.

use std::time::Duration;

use serde_json::Value;
use wayfare_tests::{FoundStay, Person, Pick, StayWish, Wire, stay_at};

/// Two rooms for different guests, so that a booking has several rates, which can be given back for nothing.
pub fn two_rooms(at: Wire) -> StayWish {
    stay_at(at.name()).rooms(&[(2, &[]), (1, &[8])])
}

/// So many stays that can be given back for nothing, each at a hotel of its own, whose rooms nobody else takes.
pub async fn found(agent: &Person, wish: &StayWish, many: usize) -> Vec<FoundStay> {
    loop {
        let found: Vec<FoundStay> = agent.find_stays(wish, Pick::Free).await.take(many).collect();
        if found.len() == many {
            return found;
        }
        // A supplier that has just answered 429 is left alone for a second, and then there are no hotels.
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// The body of its booking.
pub async fn order(agent: &Person, stay: &FoundStay) -> Value {
    stay.order(&agent.price_stay(stay).await.ok())
}
