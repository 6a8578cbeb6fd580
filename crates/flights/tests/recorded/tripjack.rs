//! Which recorded answers of TripJack there are.

use std::path::PathBuf;

use serde_json::Value;

pub const SEARCHES: [&str; 3] = [
    "air-search-all__oneway_domestic.json",
    "air-search-all__return_domestic.json",
    "air-search-all__return_international.json",
];

pub const REVIEW: &str = "review__DEL-BOM_2020_farealert_ssr.json";

/// A review of which the flights were left out.
pub const REVIEW_WITHOUT_FLIGHTS: &str = "review__DEL-BLR_2025_farerules_PARTIAL.json";

pub fn folder() -> Option<PathBuf> {
    super::folder_of("tripjack")
}

pub fn body(name: &str) -> Option<Vec<u8>> {
    let path = folder()?.join(name);
    Some(std::fs::read(path).unwrap_or_else(|error| panic!("{name}: {error}")))
}

pub fn value(name: &str) -> Option<Value> {
    Some(serde_json::from_slice(&body(name)?).unwrap_or_else(|error| panic!("{name}: {error}")))
}
