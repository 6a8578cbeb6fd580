//! Searches that find many hotels: what the released server adds to their supplier, and what it keeps of them.

mod costs;
mod floor;
mod recorded;
mod searcher;
mod stub_supplier;

pub use costs::{Costs, empty};
pub use recorded::{HOTELS, RATES, Recording, record};
pub use searcher::{Cut, Searcher};
pub use stub_supplier::StubSupplier;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    #[tokio::test]
    async fn the_adapter_finds_every_hotel_and_rate_of_a_recording_and_what_they_are() {
        let recording = record().await.unwrap();
        let supplier = StubSupplier::start(recording.clone()).await.unwrap();
        assert!(supplier.fetch().await.unwrap() > recording.body.len() / 2);
        let found = supplier.find().await.unwrap();
        assert_eq!(found.hotels.len(), HOTELS);
        assert_eq!(found.hotels.iter().map(|hotel| hotel.rates.len()).sum::<usize>(), RATES);
        assert!(found.hotels.iter().all(|hotel| hotel.property_type.is_some()));
    }
}
