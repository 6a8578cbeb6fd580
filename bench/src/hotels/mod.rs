//! Searches that find many hotels: what the released server adds to their supplier, and what it keeps of them.

mod costs;
mod far_end;
mod recorded;
mod searcher;

pub use costs::Costs;
pub use far_end::FarEnd;
pub use recorded::{HOTELS, RATES, Recording, record};
pub use searcher::{Cut, Searcher};

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    #[tokio::test]
    async fn the_adapter_finds_every_hotel_and_rate_of_a_recording_and_what_they_are() {
        let recording = record().await.unwrap();
        let far_end = FarEnd::start(recording.clone()).await.unwrap();
        assert!(far_end.fetch().await.unwrap() > recording.body.len() / 2);
        let found = far_end.find().await.unwrap();
        assert_eq!(found.hotels.len(), HOTELS);
        assert_eq!(
            found.hotels.iter().map(|hotel| hotel.rates.len()).sum::<usize>(),
            RATES
        );
        assert!(found.hotels.iter().all(|hotel| hotel.property_type.is_some()));
    }
}
