//! Which recorded answers of TripJack there are.

use serde_json::Value;
use wayfare_stub_server::recordings;

pub const SEARCHES: [&str; 3] = [
    "air-search-all__oneway_domestic.json",
    "air-search-all__return_domestic.json",
    "air-search-all__return_international.json",
];

pub const REVIEW: &str = "review__DEL-BOM_2020_farealert_ssr.json";

/// A review of which the flights were left out.
pub const REVIEW_WITHOUT_FLIGHTS: &str = "review__DEL-BLR_2025_farerules_PARTIAL.json";

pub fn are_here() -> bool {
    recordings::are_here("tripjack")
}

pub fn body(name: &str) -> Option<Vec<u8>> {
    recordings::bytes("tripjack", name)
}

pub fn value(name: &str) -> Option<Value> {
    recordings::json("tripjack", name)
}
