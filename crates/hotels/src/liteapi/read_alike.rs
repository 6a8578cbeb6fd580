//! LiteAPI's recorded answers, and spoiled ones, are read alike by the reader of searches and by `serde_json`.

use serde_json::Value;
use wayfare_stub_server::recordings;
use wayfare_supply::reading::{Comparison, compare};

use super::{
    stream,
    wire::{Chunk, HotelOffers, Offer},
};
use crate::reading_alike::spoiled_are_read_alike;

#[test]
fn each_recording_is_read_as_by_serde_json() {
    let (Some(answers), Some(streams)) = (recordings::of("liteapi"), recordings::streams()) else { return };
    let parts = streams.iter().filter_map(|(_, text)| stream::parts(text.as_bytes()).ok());
    let parts = parts.flatten().map(|part| part.into_owned().into_bytes());
    let bodies = answers.into_iter().map(|(_, body, _)| body).chain(parts);
    let mut searches: Vec<Value> = Vec::new();
    for body in bodies {
        match compare::<Chunk<'_, HotelOffers<Offer<'_>>>>(&body) {
            Comparison::Alike => searches.push(serde_json::from_slice(&body).unwrap()),
            // A number below zero may be in the code of an error.
            Comparison::Refused | Comparison::GivenUp => {}
            other @ Comparison::Different(_) => panic!("{}: {other:?}", String::from_utf8_lossy(&body)),
        }
    }
    searches.retain(|value| value.get("data").is_some() || value.get("rates").is_some());
    assert!(searches.len() > 1, "{}", searches.len());
    spoiled_are_read_alike(&searches, |body| compare::<Chunk<'_, HotelOffers<Offer<'_>>>>(body));
}
