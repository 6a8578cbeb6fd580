//! Searches over suppliers that take their time: what the released server adds to them, beside a relay that only sends.

mod codings;
mod costs;
mod recorded;
mod relay;
mod searcher;
mod stub_suppliers;
mod traffic;

pub use codings::compare_codings;
pub(crate) use costs::tariff;
pub use costs::{Cost, Costs};
pub use recorded::{Recording, Wire, record};
pub use relay::{RelayArgs, RelayProcess, relay};
pub use searcher::{Kind, Searcher, Timed};
pub use stub_suppliers::StubSuppliers;
pub use traffic::{Traffic, alone, at_rate};

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use std::{sync::Arc, time::Duration};

    use super::{relay::Relay, *};
    use wayfare_stub_server::http;

    /// Two suppliers of the same few bytes, and a relay before them.
    async fn through_a_relay(kind: Kind, size: usize) -> Timed {
        let recording = Recording { wire: Wire::Duffel, body: vec![b' '; 100_000].into(), offers: 1 };
        let suppliers = StubSuppliers::start(&[recording.clone(), recording]).await.unwrap();
        let urls = suppliers.suppliers().map(|(url, _)| url.to_owned()).collect();
        let (listener, url) = http::listen().await.unwrap();
        tokio::spawn(http::serve(listener, Arc::new(Relay::of(urls, size, size))));
        let searcher = Searcher::new(&url, "", suppliers.watch()).unwrap();
        searcher.search(kind).await.unwrap()
    }

    #[tokio::test]
    async fn what_comes_after_the_last_supplier_is_told_from_what_suppliers_take() {
        let timed = through_a_relay(Kind::Answer, 300_000).await;
        assert!(timed.took >= Duration::from_millis(700), "{timed:?}");
        assert!(timed.own < Duration::from_millis(400), "{timed:?}");
        assert_eq!((timed.bytes, timed.first), (300_000, None), "{timed:?}");
    }

    #[tokio::test]
    async fn the_first_event_counts_from_the_first_supplier() {
        let timed = through_a_relay(Kind::Events, 300_000).await;
        let first = timed.first.unwrap();
        assert!(timed.took >= Duration::from_millis(700), "{timed:?}");
        // The second supplier answers half a second later.
        assert!(first < Duration::from_millis(400), "{timed:?}");
        assert!(timed.bytes >= 300_000, "{timed:?}");
    }

    #[tokio::test]
    async fn a_sandbox_of_either_kind_fills_an_answer() {
        let recordings = record().await.unwrap();
        assert_eq!(recordings.len(), 10);
        for recording in &recordings {
            assert!((100..=110).contains(&recording.offers), "{}", recording.offers);
            let told = match recording.wire {
                Wire::Duffel => wayfare_flights::duffel::read::count(&recording.body),
                Wire::TripJack => wayfare_flights::tripjack::read::count(&recording.body),
            };
            assert_eq!(told.unwrap(), recording.offers);
        }
        let costs = Costs::of(&recordings, Wire::TripJack).unwrap();
        assert_eq!(costs.offers, recordings.iter().skip(1).step_by(2).map(|it| it.offers).sum::<usize>());
    }
}
